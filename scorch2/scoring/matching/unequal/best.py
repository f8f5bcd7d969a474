"""The pairs of mentions whose weights add up to most, each mention in one pair at most.

Candidates fall into groups that share no mention, and nearly all groups are one pair. If a group has several
best choices, or is so large that one search does not tell, the whole matrix of the document decides as
scorers with a dense solver do: rows and columns in the order of the mentions, zeros where there is no
candidate.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Sized
from math import inf
from typing import NamedTuple, TypeAlias

from scorch2.model.errors import is_too_many, load_scipy_graphs
from scorch2.scoring.contingency import LARGE, Prices, align_component, align_with_scipy, components


def dense_assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row with the least sum of costs; -1 for a row that gets none."""
    if costs and len(costs) > len(costs[0]):
        column_of = [-1] * len(costs)
        for column, row in enumerate(dense_assignment(list(zip(*costs, strict=True)))):
            column_of[row] = column
        return column_of
    width = len(costs[0]) if costs else 0
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for current in range(len(costs)):
        _assign(current, costs, (row_prices, column_prices), (column_of, row_of))
    return column_of


def _assign(
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


Weights: TypeAlias = Mapping[tuple[int, int], float]
"""Weights above 0, by the numbers of a gold and a system mention."""
_Cells: TypeAlias = Sequence[tuple[int, int, float]]  # the same as a list of row, column and weight
_LARGEST = 3000  # matrices of more rows or columns are never made
_MANY, _MANY_FILLED = 1_000_000, 20_000
"""From this number of cells in a matrix, or of candidates, scipy is faster, even with its import."""
_NEARLY = 1e-9  # sums that differ by less are as good as equal: they are added in another order
_ALONE = -1  # stands for all mentions that may be without a partner at no cost


class TooManyPairsError(Exception):
    """So many mentions could be partners of so many others that there is no room for all pairs."""


class Best(NamedTuple):
    """The pairs that are chosen."""

    pairs: list[tuple[int, int]]
    by_groups: bool = False
    """Whether several choices may be best and the matrix is too large to choose as other scorers do."""


def refuse_many(pairs: int, gold: Sized, system: Sized) -> None:
    """Raise a TooManyPairsError if the mentions make more pairs than there is room for."""
    if is_too_many(pairs, len(gold) + len(system)):
        raise TooManyPairsError


def best_pairs(weights: Weights, rows: int, columns: int) -> Best:
    """Return the best pairs of `rows` gold and `columns` system mentions, by gold mention."""
    cells = [(row, column, weight) for (row, column), weight in weights.items()]
    chosen: list[int] = []
    undecided = []
    for group in components(cells, range(len(cells))):
        best = group if len(group) == 1 else _only_best(cells, group)
        if best is None:
            undecided.append(group)
        else:
            chosen += best
    if undecided and rows <= _LARGEST and columns <= _LARGEST:
        return Best(_best_of_matrix(cells, range(rows), range(columns)))
    pairs = [cells[position][:2] for position in chosen]
    for group in undecided:
        pairs += _best_of_group([cells[position] for position in group])
    return Best(sorted(pairs), bool(undecided))


def _only_best(cells: _Cells, group: Sequence[int]) -> Sequence[int] | None:
    """Return the positions of the best pairs of a group; None if there are others as good, or may be."""
    if len(group) >= LARGE:
        return None
    chosen, prices = align_component(cells, group)
    return None if _has_other([cells[p] for p in group], [cells[p] for p in chosen], prices) else chosen


def _has_other(group: _Cells, chosen: _Cells, prices: Prices) -> bool:
    """Return whether another choice of pairs is as good as the one that was found.

    By the prices of the solution, a pair or a mention without a partner costs nothing or makes the sum worse.
    Each row may then go on to what costs nothing: to a column, which the next row gives up, or to none. There
    is another choice if rows can do so in a circle. Those that begin or end alone all meet in one place.
    """
    row_of = {column: row for row, column, _ in chosen}
    paired = set(row_of.values())
    goes_to: dict[int, set[int]] = defaultdict(set)
    for row, column, weight in group:
        is_free = -weight - prices.rows[row] - prices.columns.get(column, 0.0) <= _NEARLY
        if is_free and row_of.get(column) != row:
            goes_to[row].add(row_of.get(column, _ALONE))
    for row, price in prices.rows.items():
        if row not in paired:
            goes_to[_ALONE].add(row)
        elif -price <= _NEARLY:
            goes_to[row].add(_ALONE)
    for column, row in row_of.items():
        if -prices.columns.get(column, 0.0) <= _NEARLY:
            goes_to[_ALONE].add(row)
    return _has_circle(goes_to)


def _has_circle(goes_to: Mapping[int, Iterable[int]]) -> bool:
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(goes_to).prepare()
    except CycleError:
        return True
    return False


def _best_of_group(group: _Cells) -> list[tuple[int, int]]:
    rows = sorted({row for row, _, _ in group})
    columns = sorted({column for _, column, _ in group})
    if max(len(rows), len(columns)) > _LARGEST:
        return [group[position][:2] for position in align_with_scipy(group, range(len(group)))]
    return _best_of_matrix(group, rows, columns)


def _best_of_matrix(cells: _Cells, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    """Return best pairs by the matrix of all `rows` and `columns`, as other scorers choose among them."""
    row_places = {row: place for place, row in enumerate(rows)}
    places = {column: place for place, column in enumerate(columns)}
    costs = [[0.0] * len(columns) for _ in rows]
    for row, column, weight in cells:
        costs[row_places[row]][places[column]] = -weight
    is_large = len(rows) * len(columns) >= _MANY or len(cells) >= _MANY_FILLED
    assigned = _with_scipy(costs) if is_large else dense_assignment(costs)
    return [
        (row, columns[place])
        for row, place, own in zip(rows, assigned, costs, strict=True)
        if place >= 0 and own[place]
    ]


def _with_scipy(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return what `dense_assignment` does: the solver of scipy is what the others use."""
    load_scipy_graphs()
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    column_of = [-1] * len(costs)
    for row, column in zip(*linear_sum_assignment(np.array(costs)), strict=True):
        column_of[row] = int(column)
    return column_of
