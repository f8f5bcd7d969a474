"""The seven kinds of errors, in the order in which they are corrected, and how many a document has of each.

Every lost link of MUC belongs to exactly one error.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorch2.analysis.pieces import NONE, Pieces

KINDS = {
    "span": "span error",
    "conflated": "conflated entities",
    "extra_mention": "extra mention",
    "extra_entity": "extra entity",
    "divided": "divided entity",
    "missing_mention": "missing mention",
    "missing_entity": "missing entity",
}
"""The kinds by name, in the order of correction, with their labels."""
LOSES_RECALL = ("span", "divided", "missing_mention", "missing_entity")
"""The kinds of which an error loses links of gold; it is shown at mentions of gold."""
LOSES_PRECISION = ("span", "conflated", "extra_mention", "extra_entity")
"""The kinds of which an error loses links of the system."""


class Count(NamedTuple):
    """The errors of one kind."""

    errors: int
    mentions: int
    """The mentions in them."""
    links: int
    """The links that MUC loses by them: of gold, of the system, or for span errors of both."""
    singletons: int = 0
    """The entities of one mention among them."""
    moved: int = 0
    """Pieces that are both conflated and divided: they are in the wrong entity."""


def counts(found: Pieces) -> tuple[Count, ...]:
    """Return how many errors there are of each kind, in the order of `KINDS`."""
    divided = _other_pieces(found, found.gold_anchors)
    conflated = _other_pieces(found, found.system_anchors)
    moved = len(divided & conflated)
    missing, missing_entities = _without_partner(found.missing, found.gold_anchors)
    extra, extra_entities = _without_partner(found.extra, found.system_anchors)
    return (
        _spans(found),
        _of_pieces(found, conflated, moved),
        extra,
        extra_entities,
        _of_pieces(found, divided, moved),
        missing,
        missing_entities,
    )


def _other_pieces(found: Pieces, anchors: Sequence[int]) -> set[int]:
    """Return the pieces of entities but the first."""
    return set(range(len(found.pieces))).difference(anchors)


def _spans(found: Pieces) -> Count:
    """Count span errors; the first mention of a piece without an equal one has no link to find."""
    errors = sum(piece.spans for piece in found.pieces)
    free = sum(not piece.equal for piece in found.pieces)
    return Count(errors, errors, errors - free)


def _of_pieces(found: Pieces, places: set[int], moved: int) -> Count:
    mentions = sum(found.pieces[place].equal + found.pieces[place].spans for place in places)
    return Count(len(places), mentions, len(places), moved=moved)


def _without_partner(alone: Sequence[int], anchors: Sequence[int]) -> tuple[Count, Count]:
    """Return the mentions without a partner in entities with a piece, and the entities without one."""
    mentions = sum(n for n, anchor in zip(alone, anchors, strict=True) if anchor != NONE)
    sizes = [n for n, anchor in zip(alone, anchors, strict=True) if anchor == NONE]
    entities = Count(len(sizes), sum(sizes), sum(sizes) - len(sizes), singletons=sizes.count(1))
    return Count(mentions, mentions, mentions), entities


def added(documents: Sequence[Sequence[Count]]) -> dict[str, Count]:
    """Return the sums over documents, by kind."""
    columns = zip(*documents, strict=True)
    return {
        kind: Count(*map(sum, zip(*column, strict=True))) for kind, column in zip(KINDS, columns, strict=True)
    }


def plain_count(kind: str, count: Count) -> dict[str, Any]:
    """Return the errors of a kind as the JSON report has them."""
    links = {
        "recall": count.links if kind in LOSES_RECALL else 0,
        "precision": count.links if kind in LOSES_PRECISION else 0,
    }
    plain: dict[str, Any] = {"errors": count.errors, "mentions": count.mentions}
    if kind.endswith("_entity"):
        plain["singletons"] = count.singletons
    if kind in ("conflated", "divided"):
        plain["moved"] = count.moved
    return {**plain, "links": links}


def record(document: str | None, kind: str, count: Count) -> dict[str, Any]:
    """Return the errors of a kind in a document as a flat row."""
    return {
        "document": document,
        "error": kind,
        "errors": count.errors,
        "mentions": count.mentions,
        "singletons": count.singletons,
        "moved": count.moved,
        "lost_recall": count.links if kind in LOSES_RECALL else None,
        "lost_precision": count.links if kind in LOSES_PRECISION else None,
    }
