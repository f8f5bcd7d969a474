"""The best one-to-one alignment of the rows and columns of a table, for all steps that align.

It is exact, and no table is dense. Cells that no alternative can beat are fixed, what is left falls into
connected components, and each of these is solved: trees and rings from their ends, all others by
`shortest_paths`. Cells are named by their position in the input throughout.
"""

import math
from collections.abc import Iterator, Sequence

_WORTHWHILE = 8
"""Fixing goes on while a round removes one cell in this many: all rounds together then cost O(cells)."""


def best_alignment(cells: Sequence[tuple[int, int, float]]) -> list[int]:
    """Return the positions of the cells in an alignment of maximal total weight, one of the best.

    A cell is (row, column, weight), at most one for a row and a column; weights are positive.

    >>> sorted(best_alignment([(0, 0, 2), (0, 1, 1), (1, 0, 2)]))
    [1, 2]
    """
    chosen, rest = _fix_dominant(cells)
    hard: list[list[int]] = []
    for component in components(cells, rest) if rest else ():
        ends = {cells[p][0] for p in component}, {cells[p][1] for p in component}
        cycles = len(component) - sum(map(len, ends)) + 1
        if cycles == 0:
            chosen += align_trees(cells, component)[0]
        elif cycles == 1:
            chosen += _align_ring(cells, component)
        else:
            hard.append(component)
    if not hard:
        return chosen
    from scorch2.scoring.shortest_paths import align_components

    return chosen + align_components(cells, hard)


def best_of_ties(cells: Sequence[tuple[int, int, int]], ties: Sequence[int]) -> list[int]:
    """Return the positions of the cells in that best alignment which has the largest sum of `ties`.

    There is one tie for each cell, not negative.

    >>> best_of_ties([(0, 0, 1), (0, 1, 1)], [3, 5])
    [1]
    """
    more = 1 + sum(ties)  # than all ties together
    pairs = zip(cells, ties, strict=True)
    return best_alignment([(row, column, weight * more + tie) for (row, column, weight), tie in pairs])


def align_trees(
    cells: Sequence[tuple[int, int, float]], positions: Sequence[int]
) -> tuple[list[int], set[int]]:
    """Align cells that make trees, in linear time; return them, and the cells of cycles, which are left."""
    # Cells are taken off from the ends. What an end adds if the tree above does not need it is its gain; it
    # goes on to the cell above, which is worth so much less.
    joined: dict[int, set[int]] = {}  # the cells of each row, and of each column, numbered −1 − column
    for position in positions:
        row, column, _ = cells[position]
        joined.setdefault(row, set()).add(position)
        joined.setdefault(-1 - column, set()).add(position)
    gain: dict[int, float] = {}
    best: dict[int, int] = {}  # the cell that brings the gain
    order: list[tuple[int, int]] = []  # each end, and what is above it
    ends = [end for end, of_end in joined.items() if len(of_end) == 1]
    for end in ends:
        if not joined[end]:  # the last of its tree
            continue
        position = joined[end].pop()
        row, column, weight = cells[position]
        above = row if end < 0 else -1 - column
        order.append((end, above))
        weight -= gain.get(end, 0)
        if weight > gain.get(above, 0):
            gain[above], best[above] = weight, position
        joined[above].remove(position)
        if len(joined[above]) == 1:
            ends.append(above)
    chosen: list[int] = []
    taken: set[int] = set()
    for end, above in reversed(order):
        for place in (above, end):
            if place in best and place not in taken:
                row, column, _ = cells[best[place]]
                taken |= {row, -1 - column}
                chosen.append(best[place])
    return chosen, set().union(*joined.values())


def _align_ring(cells: Sequence[tuple[int, int, float]], component: Sequence[int]) -> list[int]:
    """Align a component with one cycle: without some cell of it, or with it, whichever weighs more."""
    # scipy takes twice as long for one ring of 50 000 clusters
    some = min(align_trees(cells, component)[1])
    row, column, _ = cells[some]
    without, _ = align_trees(cells, [p for p in component if p != some])
    others, _ = align_trees(cells, [p for p in component if row != cells[p][0] and column != cells[p][1]])
    total = sum if isinstance(cells[some][2], int) else math.fsum
    return max(without, [some, *others], key=lambda chosen: total([cells[p][2] for p in chosen]))


def _fix_dominant(cells: Sequence[tuple[int, int, float]]) -> tuple[list[int], Sequence[int]]:
    """Return cells that are in some best alignment, and those that may be besides."""
    # Fixing a cell empties its row and its column, so that others may become dominant
    chosen: list[int] = []
    rest: Sequence[int] = range(len(cells))
    while rest:
        before = len(rest)
        fixed, rest = _dominant(cells, rest)
        chosen += fixed
        if (before - len(rest)) * _WORTHWHILE < before:
            break
    return chosen, rest


def _dominant(
    cells: Sequence[tuple[int, int, float]], positions: Sequence[int]
) -> tuple[set[int], list[int]]:
    """Return cells that weigh as much as the next best of their row and column together, and the rest."""
    # Such a cell can replace both in any alignment. With them go the cells of their rows and columns. Rows
    # and columns share a loop: a function for either takes 1.4 % more of a run over 348 documents.
    in_row: dict[int, int] = {}
    in_column: dict[int, int] = {}
    row_second: dict[int, float] = {}
    column_second: dict[int, float] = {}
    for position in positions:
        row, column, weight = cells[position]
        if row not in in_row:
            in_row[row] = position
        elif weight > (best := cells[in_row[row]][2]):
            in_row[row], row_second[row] = position, best
        elif weight > row_second.get(row, 0):
            row_second[row] = weight
        if column not in in_column:
            in_column[column] = position
        elif weight > (best := cells[in_column[column]][2]):
            in_column[column], column_second[column] = position, best
        elif weight > column_second.get(column, 0):
            column_second[column] = weight
    fixed = {
        position
        for row, position in in_row.items()
        if in_column[column := cells[position][1]] == position
        and cells[position][2] >= row_second.get(row, 0) + column_second.get(column, 0)
    }
    if len(fixed) == len(in_row):
        return fixed, []
    rest = [p for p in positions if in_row[cells[p][0]] not in fixed and in_column[cells[p][1]] not in fixed]
    return fixed, rest


def components(cells: Sequence[tuple[int, int, float]], positions: Sequence[int]) -> Iterator[list[int]]:
    """Yield the positions of each connected component of the bipartite graph."""
    in_row: dict[int, list[int]] = {}
    in_column: dict[int, list[int]] = {}
    for position in positions:
        in_row.setdefault(cells[position][0], []).append(position)
        in_column.setdefault(cells[position][1], []).append(position)
    for start in list(in_row):
        waiting, component = [start], []
        while waiting:
            for position in in_row.pop(waiting.pop(), ()):
                component.append(position)
                waiting.extend(cells[other][0] for other in in_column.pop(cells[position][1], ()))
        if component:
            yield component
