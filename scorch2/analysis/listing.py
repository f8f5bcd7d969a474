"""Every error, link or entity of a document as a row: its place, what it should be, and its text."""

from collections.abc import Iterator, Sequence
from typing import Any

from scorch2.analysis.kinds import KINDS
from scorch2.analysis.links import ENTITY, FIRST, MENTION, PIECE, PRECISION, RECALL, statuses
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.pieces import Pieces
from scorch2.analysis.request import Request, Row
from scorch2.analysis.sides import LACKS, Side, Sides
from scorch2.analysis.text_of import Names, entity_names, names_of

COLUMNS = {
    "errors": (
        *("document", "error", "gold", "system", "links", "mentions"),
        *("link_to", "instead", "text", "link_to_text"),
    ),
    "links": ("document", "side", "mention", "link_to", "status"),
    "entities": ("document", "side", "entity", "mentions", "shared", "pieces", "best", "overlap", "text"),
}
"""The columns of each listing in TSV; the rows of errors have more keys in JSON."""


def rows_of(pair: MatchedPair, found: Pieces, request: Request) -> list[Row]:
    """Return the rows of a document that are asked for."""
    if request.documents and pair.id not in request.documents:
        return []
    rows = {"errors": _errors, "links": _links, "entities": _entities}[request.listing](pair, found)
    return [row for row in rows if not request.kinds or row.get("kind") in request.kinds]


class _Told:
    """One side of a document with the names of its entities."""

    def __init__(self, side: Side, names: list[str | None]) -> None:
        self.side = side
        self.names = names
        self.members: list[list[int]] = [[] for _ in side.sizes]
        for place, entity in enumerate(side.entities):
            self.members[entity].append(place)


def _errors(pair: MatchedPair, found: Pieces) -> Iterator[Row]:
    """Yield the errors by kind, then by their first mention."""
    sides, names = pair.sides, names_of(pair.gold, pair.sides[:2])
    gold, system = (
        _Told(side, entity_names(document, side))
        for side, document in ((sides.gold, pair.gold), (sides.system, pair.system))
    )
    divided = set(range(len(found.pieces))).difference(found.gold_anchors)
    conflated = set(range(len(found.pieces))).difference(found.system_anchors)
    moved = {(found.pieces[place].gold, found.pieces[place].system) for place in divided & conflated}
    lost = {
        "conflated": _of_links(system, gold, moved, is_gold=False),
        "divided": _of_links(gold, system, moved, is_gold=True),
    }
    rows: dict[str, Sequence[dict[str, Any]]] = {
        "span": _spans(sides, found, gold, system),
        "conflated": lost["conflated"][PIECE],
        "extra_mention": lost["conflated"][MENTION],
        "extra_entity": lost["conflated"][ENTITY],
        "divided": lost["divided"][PIECE],
        "missing_mention": lost["divided"][MENTION],
        "missing_entity": lost["divided"][ENTITY],
    }
    for kind in KINDS:
        for row in rows[kind]:
            yield {"document": pair.id, "kind": kind, **_shown(row, names)}


def _shown(row: dict[str, Any], names: Names) -> dict[str, Any]:
    """Return a row with names and texts in place of mentions."""
    shown = dict(row)
    shown["mentions"] = [names.name(mention) for mention in row["mentions"]]
    for key in ("link_to", "instead"):
        if row.get(key) is not None:
            shown[key] = names.name(row[key])
    if names.units is not None:
        shown["text"] = names.text(row["mentions"][0])
        shown["link_to_text"] = None if row["link_to"] is None else names.text(row["link_to"])
        if "instead" in row:
            shown["instead_text"] = names.text(row["instead"])
    return shown


def _spans(sides: Sides, found: Pieces, gold: _Told, system: _Told) -> list[dict[str, Any]]:
    """Return span errors; the first one of a piece without an equal mention costs no link."""
    free = {(piece.gold, piece.system) for piece in found.pieces if not piece.equal}
    rows = []
    for g, s in sides.spans:
        entities = sides.gold.entities[g], sides.system.entities[s]
        rows.append(
            {
                "gold": gold.names[entities[0]],
                "system": system.names[entities[1]],
                "mentions": [sides.gold.mentions[g]],
                "link_to": None,
                "links": 0 if entities in free else 1,
                "instead": sides.system.mentions[s],
            }
        )
        free.discard(entities)
    return rows


def _of_links(
    told: _Told, other: _Told, moved: set[tuple[int, int]], *, is_gold: bool
) -> dict[int, list[dict[str, Any]]]:
    """Return the errors of one side but span errors, by the status of the links that they cost."""
    side = told.side
    rows: dict[int, list[dict[str, Any]]] = {PIECE: [], MENTION: [], ENTITY: []}

    def row(entity: int, partner: int, places: Sequence[int], link_to: int | None) -> dict[str, Any]:
        own, others = told.names[entity], None if partner == LACKS else other.names[partner]
        return {
            "gold": own if is_gold else others,
            "system": others if is_gold else own,
            "mentions": [side.mentions[place] for place in places],
            "link_to": None if link_to is None else side.mentions[link_to],
            "links": 1,
        }

    for entity, members in enumerate(told.members):
        partners = [side.partners[place] for place in members]
        anchor = next((partner for partner in partners if partner != LACKS), LACKS)
        if anchor == LACKS:
            rows[ENTITY].append({**row(entity, LACKS, members, None), "links": len(members) - 1})
            continue
        met: set[int] = set()
        for number, (place, partner) in enumerate(zip(members, partners, strict=True)):
            if partner == LACKS:
                near = members[number - 1] if met else members[number + 1]
                rows[MENTION].append(row(entity, LACKS, [place], near))
            elif partner not in met and met:
                piece = [one for one, its in zip(members, partners, strict=True) if its == partner]
                cell = (entity, partner) if is_gold else (partner, entity)
                rows[PIECE].append(
                    {
                        **row(entity, partner, piece, members[number - 1]),
                        "anchor": other.names[anchor],
                        "moved": cell in moved,
                    }
                )
            if partner != LACKS:
                met.add(partner)
    order = {mention: place for place, mention in enumerate(side.mentions)}
    for found in rows.values():
        found.sort(key=lambda row: order[row["mentions"][0]])
    return rows


def _links(pair: MatchedPair, _: Pieces) -> Iterator[Row]:
    """Yield the links of gold, then those of the system, by their mentions."""
    names = names_of(pair.gold, pair.sides[:2])
    for label, side, kinds in (("gold", pair.sides.gold, RECALL), ("system", pair.sides.system, PRECISION)):
        before: dict[int, int] = {}
        for place, (entity, status) in enumerate(zip(side.entities, statuses(side), strict=True)):
            if status != FIRST:
                yield {
                    "document": pair.id,
                    "side": label,
                    "mention": names.name(side.mentions[place]),
                    "link_to": names.name(side.mentions[before[entity]]),
                    "status": kinds[status],
                }
            before[entity] = place


def _entities(pair: MatchedPair, found: Pieces) -> Iterator[Row]:
    """Yield the entities of gold, then those of the system, each with its largest piece."""
    names, sides = names_of(pair.gold, pair.sides[:2]), pair.sides
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
