"""Alignments of components with several cycles, by shortest augmenting paths.

Few runs need them. Cells are named by their position in the input throughout.
"""

from collections.abc import Sequence
from typing import cast

from scorch2.model.memory import load_scipy_graphs

LARGE = 4000  # from this number of cells in a component, scipy is faster, even with its import (0.35 s)
_MOST_IN_FLOATS = 1 << 53


def align_components(cells: Sequence[tuple[int, int, float]], hard: Sequence[Sequence[int]]) -> list[int]:
    """Align components by shortest augmenting paths, large ones by scipy if it is there."""
    small: list[Sequence[int]] = []
    large: list[Sequence[int]] = []
    for component in hard:
        # Weights that floats do not hold are those of `best_of_ties`: scipy would take ties for one
        is_exact = cells[component[0]][2] > _MOST_IN_FLOATS
        (small if len(component) < (4 * LARGE if is_exact else LARGE) else large).append(component)
    chosen: list[int] = []
    if large:
        try:
            chosen = align_with_scipy(cells, [position for component in large for position in component])
        except ImportError:
            small += large
    for component in small:
        chosen += align_component(cells, component)[0]
    return chosen


class Prices:
    """Dual prices: a cell costs −weight − price of its row − price of its column, never less than 0."""

    def __init__(self, rows: dict[int, float]) -> None:
        self.rows = rows
        self.columns: dict[int, float] = {}


class _Path:
    """A shortest augmenting path: where it ends, and how every column on the way was reached."""

    def __init__(
        self, end: int, length: float, passed: dict[int, float], came_from: dict[int, tuple[int, int]]
    ) -> None:
        self.end = end
        self.length = length
        self.passed = passed
        self.came_from = came_from


def align_component(
    cells: Sequence[tuple[int, int, float]], component: Sequence[int]
) -> tuple[list[int], Prices]:
    """Align one row after the other along a shortest augmenting path (costs are −weights)."""
    # A row may stay alone: each has a column of its own, numbered −1 − row, of weight 0
    choices: dict[int, list[tuple[int, float, int]]] = {}
    for position in component:
        row, column, weight = cells[position]
        choices.setdefault(row, [(-1 - row, 0, -1)]).append((column, weight, position))
    prices = Prices({row: -max(weight for _, weight, _ in cells) for row, cells in choices.items()})
    row_of: dict[int, int] = {}
    aligned: dict[int, tuple[int, int]] = {}  # row → its column and the position of their cell
    for start in choices:
        path = _shortest_path(start, choices, prices, row_of)
        prices.rows[start] += path.length
        for column, length in path.passed.items():
            prices.columns[column] = prices.columns.get(column, 0) - (path.length - length)
            prices.rows[row_of[column]] += path.length - length
        given_up: tuple[int, int] | None = (path.end, -1)
        while given_up:  # hand every column on the path to the row that reached it
            column = given_up[0]
            row, position = path.came_from[column]
            given_up = aligned.get(row)
            row_of[column], aligned[row] = row, (column, position)
    return [position for _, position in aligned.values() if position >= 0], prices


def _shortest_path(
    start: int, choices: dict[int, list[tuple[int, float, int]]], prices: Prices, row_of: dict[int, int]
) -> _Path:
    """Search from a row to the nearest column that no row has (Dijkstra).

    Of columns that are equally near, the free ones come first: where many are, nearly all is such ties.
    """
    from heapq import heappop, heappush

    distance: dict[int, float] = {}
    came_from: dict[int, tuple[int, int]] = {}
    passed: dict[int, float] = {}
    heap: list[tuple[float, bool, int]] = []
    row, length = start, cast("float", 0)  # not 0.0: sums of integers stay exact
    while True:
        for column, weight, position in choices[row]:
            through = length - weight - prices.rows[row] - prices.columns.get(column, 0)
            if column not in passed and (column not in distance or through < distance[column]):
                distance[column] = through
                came_from[column] = row, position
                if through <= length and column not in row_of:  # none is nearer
                    return _Path(column, through, passed, came_from)
                heappush(heap, (through, column in row_of, column))
        length, _, column = heappop(heap)
        while column in passed:  # an entry that a shorter one has replaced
            length, _, column = heappop(heap)
        if column not in row_of:
            return _Path(column, length, passed, came_from)
        passed[column] = length
        row = row_of[column]


def align_with_scipy(cells: Sequence[tuple[int, int, float]], positions: Sequence[int]) -> list[int]:
    """Align by sparse minimum-weight full matching; a column of its own for each row makes it full."""
    # Explicit zeros would be lost, so costs are counted down from above the largest weight
    load_scipy_graphs()
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    where = np.array(positions, dtype=np.int64)
    rows, row = np.unique(np.array([cells[p][0] for p in positions], dtype=np.int64), return_inverse=True)
    columns, column = np.unique(
        np.array([cells[p][1] for p in positions], dtype=np.int64), return_inverse=True
    )
    weight = np.array([cells[p][2] for p in positions], dtype=np.float64)
    alone = np.arange(len(rows))
    most = weight.max()
    ceiling = np.ceil(most) + 1 if most < _MOST_IN_FLOATS else 2 * most  # where 1 more would be lost
    costs = csr_matrix(
        (
            np.concatenate([ceiling - weight, np.full(len(rows), ceiling)]),
            (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone])),
        ),
        shape=(len(rows), len(columns) + len(rows)),
    )
    _, partner = min_weight_full_bipartite_matching(costs)
    chosen: list[int] = where[partner[row] == column].tolist()
    return chosen
