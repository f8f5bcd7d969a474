"""Correct the system's partition and count the overlaps again, without a mention in sight: O(pieces).

=================  =====================================================================================
kind               correction
=================  =====================================================================================
`span`             each system mention of a span error becomes its gold mention
`conflated`        each system entity is split into its pieces; mentions without a partner stay with the
                   first
`extra_mention`    they go
`extra_entity`     they go
`divided`          all system entities that share a gold entity become one, transitively
`missing_mention`  each joins the system entity that holds the first piece of its gold entity
`missing_entity`   each becomes a system entity
=================  =====================================================================================

With all seven the system is gold.
"""

from collections.abc import Collection, Sequence

from scorch2.analysis.pieces import NONE, Pieces
from scorch2.scoring.contingency import Contingency


def corrected(found: Pieces, kinds: Collection[str]) -> Contingency:
    """Return the overlaps after the corrections of `kinds`, keys of `scorch2.analysis.kinds.KINDS`."""
    homes = _homes(found, kinds)
    sizes = [0] * (len(found.extra) + len(found.pieces) + len(found.missing))
    with_spans = "span" in kinds
    shared = [piece.equal + piece.spans if with_spans else piece.equal for piece in found.pieces]
    for piece, home in zip(found.pieces, homes, strict=True):
        sizes[home] += piece.equal + piece.spans
    for entity, (number, anchor) in enumerate(zip(found.extra, found.system_anchors, strict=True)):
        if number and ("extra_entity" if anchor == NONE else "extra_mention") not in kinds:
            sizes[entity if anchor == NONE else homes[anchor]] += number
    made = []
    for entity, (number, anchor) in enumerate(zip(found.missing, found.gold_anchors, strict=True)):
        if anchor == NONE and "missing_entity" in kinds:
            sizes[_of_gold(found, entity)] = number
            made.append((entity, _of_gold(found, entity), number))
        elif number and anchor != NONE and "missing_mention" in kinds:
            sizes[homes[anchor]] += number
            shared[anchor] += number
    cells = _cells(found, homes, shared, join="divided" in kinds) + made
    return _numbered(cells, found.gold_sizes, sizes)


def _of_gold(found: Pieces, entity: int) -> int:
    """Return the number of a system entity that is made from what a gold entity has."""
    return len(found.extra) + len(found.pieces) + entity


def _homes(found: Pieces, kinds: Collection[str]) -> list[int]:
    """Return the number of the system entity that holds each piece.

    Entities that stay have the numbers that they had; those that are made from a piece come after them, and
    then those from a gold entity.
    """
    if "conflated" in kinds and "divided" in kinds:
        return [_of_gold(found, piece.gold) for piece in found.pieces]
    if "conflated" in kinds:
        return list(range(len(found.extra), len(found.extra) + len(found.pieces)))
    if "divided" in kinds:
        joined = _joined(found)
        return [joined[piece.system] for piece in found.pieces]
    return [piece.system for piece in found.pieces]


def _cells(
    found: Pieces, homes: Sequence[int], shared: Sequence[int], *, join: bool
) -> list[tuple[int, int, int]]:
    """Return gold entity, system entity and what they share; with `join` a gold entity is in one of them."""
    if not join:
        return [(piece.gold, home, n) for piece, home, n in zip(found.pieces, homes, shared, strict=True)]
    sums = [0] * len(found.missing)
    for piece, n in zip(found.pieces, shared, strict=True):
        sums[piece.gold] += n
    return [
        (entity, homes[anchor], sums[entity])
        for entity, anchor in enumerate(found.gold_anchors)
        if anchor != NONE
    ]


def _numbered(
    cells: Sequence[tuple[int, int, int]], gold_sizes: Sequence[int], sizes: Sequence[int]
) -> Contingency:
    """Return the table of what is not empty, with system entities numbered from 0."""
    numbers, last = [0] * len(sizes), 0
    for home, size in enumerate(sizes):
        numbers[home] = last
        last += size > 0
    table = [(gold, numbers[home], n) for gold, home, n in cells if n]
    return Contingency(table, gold_sizes, [size for size in sizes if size])


def _joined(found: Pieces) -> list[int]:
    """Return for each system entity the one that stands for all that are joined with it."""
    roots = list(range(len(found.extra)))

    def root(entity: int) -> int:
        while roots[entity] != entity:
            roots[entity] = roots[roots[entity]]
            entity = roots[entity]
        return entity

    for piece in found.pieces:
        anchor = found.pieces[found.gold_anchors[piece.gold]].system
        roots[root(piece.system)] = root(anchor)
    return [root(entity) for entity in roots]
