"""The pairs of mentions whose weights add up to most, each mention in one pair at most.

Candidates fall into groups that share no mention, and nearly all groups are one pair. If a group has several
best choices, the whole matrix of the document decides as scorers with a dense solver do: shortest augmenting
paths (Crouse 2016), rows and columns in the order of the mentions, zeros where there is no candidate.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

Weights: TypeAlias = Mapping[tuple[int, int], float]
"""Weights above 0, by the numbers of a gold and a system mention."""
_LARGEST = 3000
"""Matrices of more rows and columns are never made."""
_NEARLY = 1e-9
"""Sums that differ by less are as good as equal: they are added in another order."""


class Best(NamedTuple):
    """The pairs that are chosen."""

    pairs: list[tuple[int, int]]
    by_groups: bool = False
    """Whether several choices are best and the matrix is too large to choose as other scorers do."""


def best_pairs(weights: Weights, rows: int, columns: int) -> Best:
    """Return the best pairs of `rows` gold and `columns` system mentions, by gold mention."""
    found: list[tuple[int, int]] = []
    is_tied = False
    for group in _groups(weights):
        if len(group) == 1:
            found += group
            continue
        chosen, tied = _best_of_group(group)
        found += chosen
        is_tied = is_tied or tied
    if is_tied and rows <= _LARGEST and columns <= _LARGEST:
        matrix = [[0.0] * columns for _ in range(rows)]
        for (row, column), weight in weights.items():
            matrix[row][column] = -weight
        found = [pair for pair in enumerate(assignment(matrix)) if pair in weights]
        is_tied = False
    return Best(sorted(found), is_tied)


def _groups(weights: Weights) -> list[dict[tuple[int, int], float]]:
    """Return the candidates in groups that share no mention."""
    by_row: dict[int, list[int]] = defaultdict(list)
    by_column: dict[int, list[int]] = defaultdict(list)
    for row, column in weights:
        by_row[row].append(column)
        by_column[column].append(row)
    groups = []
    seen: set[int] = set()
    for start in by_row:
        if start in seen:
            continue
        seen.add(start)
        waiting, group, columns = [start], {}, set()
        while waiting:
            row = waiting.pop()
            for column in by_row[row]:
                group[row, column] = weights[row, column]
                if column not in columns:
                    columns.add(column)
                    new = [other for other in by_column[column] if other not in seen]
                    seen.update(new)
                    waiting += new
        groups.append(group)
    return groups


def _best_of_group(group: Weights) -> tuple[list[tuple[int, int]], bool]:
    """Return the best pairs of a group, and whether there are others as good."""
    chosen, total = _solved(group)
    for pair in chosen:
        others = {other: weight for other, weight in group.items() if other != pair}
        if _solved(others)[1] >= total - _NEARLY:
            return chosen, True
    return chosen, False


def _solved(group: Weights) -> tuple[list[tuple[int, int]], float]:
    rows, columns = (sorted({pair[side] for pair in group}) for side in (0, 1))
    places = {column: place for place, column in enumerate(columns)}
    matrix = [[0.0] * len(columns) for _ in rows]
    for number, row in enumerate(rows):
        for column, place in places.items():
            matrix[number][place] = -group.get((row, column), 0.0)
    pairs = [(rows[i], columns[j]) for i, j in enumerate(assignment(matrix)) if j >= 0]
    kept = [pair for pair in pairs if pair in group]
    return kept, sum(group[pair] for pair in kept)


def assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row with the least sum of costs; -1 for a row that gets none."""
    if costs and len(costs) > len(costs[0]):
        found = [-1] * len(costs)
        for column, row in enumerate(assignment(list(zip(*costs, strict=True)))):
            found[row] = column
        return found
    width = len(costs[0]) if costs else 0
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for current in range(len(costs)):
        _place(current, costs, (row_prices, column_prices), (column_of, row_of))
    return column_of


def _place(
    current: int,
    costs: Sequence[Sequence[float]],
    prices: tuple[list[float], list[float]],
    places: tuple[list[int], list[int]],
) -> None:
    """Give a row a column, along the shortest path of rows that change theirs."""
    (row_prices, column_prices), (column_of, row_of) = prices, places
    width = len(column_prices)
    best, via = [inf] * width, [-1] * width
    rest = list(range(width - 1, -1, -1))
    rows, columns = [], []
    low, row, sink = 0.0, current, -1
    while sink < 0:
        rows.append(row)
        lowest, index = inf, -1
        for place, column in enumerate(rest):
            cost = low + costs[row][column] - row_prices[row] - column_prices[column]
            if cost < best[column]:
                best[column], via[column] = cost, row
            if best[column] < lowest or (best[column] == lowest and row_of[column] < 0):
                lowest, index = best[column], place
        low, column = lowest, rest[index]
        columns.append(column)
        rest[index] = rest[-1]
        rest.pop()
        row = row_of[column]
        if row < 0:
            sink = column
    row_prices[current] += low
    for row in rows[1:]:
        row_prices[row] += low - best[column_of[row]]
    for column in columns:
        column_prices[column] -= low - best[column]
    while True:
        row = via[sink]
        row_of[sink] = row
        column_of[row], sink = sink, column_of[row]
        if row == current:
            return
