"""The assignment of least cost in a dense matrix, by shortest augmenting paths.

Of several best ones it is that of `scipy.optimize.linear_sum_assignment`, which other scorers call.
Source: Crouse 2016, On implementing 2D rectangular assignment algorithms, IEEE TAES 52(4), pp. 1679-1696.
"""

from collections.abc import Sequence
from math import inf


def dense_assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row with the least sum of costs; -1 for a row that gets none."""
    if costs and len(costs) > len(costs[0]):
        found = [-1] * len(costs)
        for column, row in enumerate(dense_assignment(list(zip(*costs, strict=True)))):
            found[row] = column
        return found
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
