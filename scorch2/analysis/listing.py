"""Every error, link or entity of a document as a row: its place, what it should be, and its text."""

from collections.abc import Iterator
from typing import Any

from scorch2.analysis.kinds import LOSES_RECALL
from scorch2.analysis.links import NO_LINK, PRECISION, RECALL, statuses
from scorch2.analysis.located import located
from scorch2.analysis.names import entity_names, names_of
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.pieces import Pieces
from scorch2.analysis.request import ListedRow, Request
from scorch2.analysis.sides import LACKS

COLUMNS = {
    "errors": (
        *("document", "error", "gold", "system", "links", "mentions"),
        *("link_to", "instead", "text", "link_to_text"),
    ),
    "links": ("document", "side", "mention", "link_to", "status"),
    "entities": ("document", "side", "entity", "mentions", "shared", "pieces", "best", "overlap", "text"),
}
"""The columns of each listing in TSV; the rows of errors have more keys in JSON."""


def rows_of(pair: MatchedPair, found: Pieces, request: Request) -> list[ListedRow]:
    """Return the rows of a document that are asked for."""
    if request.documents and pair.id not in request.documents:
        return []
    rows = {"errors": _errors, "links": _links, "entities": _entities}[request.listing](pair, found)
    return [row for row in rows if not request.kinds or row.get("kind") in request.kinds]


def _errors(pair: MatchedPair, found: Pieces) -> Iterator[ListedRow]:
    """Yield the errors by kind, then by their first mention."""
    sides, names = pair.shown, names_of(pair.gold, pair.shown[:2])
    called = entity_names(pair.gold, sides.gold), entity_names(pair.system, sides.system)
    for error in located(sides, found):
        side, other = (sides.gold, 1) if error.kind in LOSES_RECALL else (sides.system, 0)
        near = None if error.link_to == LACKS else side.mentions[error.link_to]
        row: dict[str, Any] = {
            "document": pair.id,
            "kind": error.kind,
            "gold": None if error.gold == LACKS else called[0][error.gold],
            "system": None if error.system == LACKS else called[1][error.system],
            "mentions": [names.name(side.mentions[place]) for place in error.mentions],
            "link_to": None if near is None else names.name(near),
            "links": error.links,
        }
        if error.instead != LACKS:
            row["instead"] = names.name(sides.system.mentions[error.instead])
        if error.moved is not None:
            row |= {"anchor": called[other][error.anchor], "moved": error.moved}
        if names.units is not None:
            row["text"] = names.text(side.mentions[error.mentions[0]])
            row["link_to_text"] = None if near is None else names.text(near)
            if error.instead != LACKS:
                row["instead_text"] = names.text(sides.system.mentions[error.instead])
        yield row


def _links(pair: MatchedPair, _: Pieces) -> Iterator[ListedRow]:
    """Yield the links of gold, then those of the system, by their mentions."""
    sides, names = pair.shown, names_of(pair.gold, pair.shown[:2])
    for label, side, kinds in (("gold", sides.gold, RECALL), ("system", sides.system, PRECISION)):
        before: dict[int, int] = {}
        for place, (entity, status) in enumerate(zip(side.entities, statuses(side), strict=True)):
            if status != NO_LINK:
                yield {
                    "document": pair.id,
                    "side": label,
                    "mention": names.name(side.mentions[place]),
                    "link_to": names.name(side.mentions[before[entity]]),
                    "status": kinds[status],
                }
            before[entity] = place


def _entities(pair: MatchedPair, found: Pieces) -> Iterator[ListedRow]:
    """Yield the entities of gold, then those of the system, each with its largest piece."""
    sides, names = pair.shown, names_of(pair.gold, pair.shown[:2])
    called = entity_names(pair.gold, sides.gold), entity_names(pair.system, sides.system)
    cells = [(piece.gold, piece.system, piece.equal + piece.spans) for piece in found.pieces]
    flipped = [(system, gold, shared) for gold, system, shared in cells]
    for label, side, own, others, pieces in (
        ("gold", sides.gold, called[0], called[1], cells),
        ("system", sides.system, called[1], called[0], flipped),
    ):
        first = dict(zip(reversed(side.entities), reversed(side.mentions), strict=True))
        of: list[list[tuple[int, int]]] = [[] for _ in side.sizes]
        for entity, other, shared in pieces:
            of[entity].append((-shared, other))
        for entity, size in enumerate(side.sizes):
            most, best = min(of[entity], default=(0, LACKS))
            row = {
                "document": pair.id,
                "side": label,
                "entity": own[entity],
                "mentions": size,
                "shared": -sum(shared for shared, _ in of[entity]),
                "pieces": len(of[entity]),
                "best": None if best == LACKS else others[best],
                "overlap": -most,
            }
            yield row if names.units is None else {**row, "text": names.text(first[entity])}
