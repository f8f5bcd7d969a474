"""Alignments of components with several cycles, by shortest augmenting paths; the first of equal ones.

Few runs need them. Cells are named by their position in the input throughout.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from scorch2.model.memory import load_scipy_graphs

_FREE = -1  # the holder of columns without a row, and of the place of rows without a column


class Tied:
    """The best alignments of a connected component, of which one is known: all consist of tight cells."""

    # A row with a price has a column in all of them, and a column with a price a row. Rows change places
    # along a cycle; a place is a column, or none. `_FREE` stands for all places that nobody has.

    def __init__(
        self, cells: Sequence[tuple[int, int, int]], component: Iterable[int], aligned: Iterable[int]
    ) -> None:
        self._cells = cells
        self._cell_of = {cells[position][0]: position for position in aligned}
        self._row_of = {cells[position][1]: row for row, position in self._cell_of.items()}
        rows: dict[int, list[int]] = {}
        for position in sorted(component, key=lambda position: cells[position][:2]):
            rows.setdefault(cells[position][0], []).append(position)
        self._column_price = self._prices(rows)
        self._row_price = {row: self._price(row) for row in rows}
        self._tight = {
            row: [p for p in of_row if cells[p][2] == self._row_price[row] + self._column_price[cells[p][1]]]
            for row, of_row in rows.items()
        }
        self._wanted: dict[int, list[tuple[int, int]]] = {}  # by column its tight cells, each with its row
        for row, tight in self._tight.items():
            for position in tight:
                self._wanted.setdefault(cells[position][1], []).append((row, position))
        self._settled: set[int] = set()  # rows that keep their column
        self._stuck: set[int] = (
            set()
        )  # rows from which no search comes to the free places, and none ever will

    def first(self) -> list[int]:
        """Return the alignment that comes first, by row."""
        for row, tight in self._tight.items():
            for position in tight:
                holder = self._row_of.get(self._cells[position][1], _FREE)
                if holder == row or (holder not in self._settled and self._change(row, position, holder)):
                    self._settled.add(row)
                    break
        return [self._cell_of[row] for row in self._tight if row in self._cell_of]

    def _price(self, row: int) -> int:
        if row not in self._cell_of:
            return 0
        _, column, weight = self._cells[self._cell_of[row]]
        return weight - self._column_price[column]

    def _prices(self, rows: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return the least price of each column at which no row wants another one than it has."""
        self._column_price = prices = {self._cells[p][1]: 0 for of_row in rows.values() for p in of_row}
        waiting: Iterable[int] = rows
        while waiting:
            dearer: dict[int, None] = {}
            for row in waiting:
                own = self._price(row)
                for _, column, weight in map(self._cells.__getitem__, rows[row]):
                    if weight - own > prices[column]:
                        prices[column] = weight - own
                        dearer[self._row_of[column]] = None
            waiting = dearer
        return prices

    def _change(self, row: int, position: int, holder: int) -> bool:
        """Give a row the place at `position`, if its holder can have another one, and so on up to the row."""
        # From both ends: a search from one may see the whole component, for each row of it. Both may come to
        # the free places, and need not go on from there.
        after: dict[int, tuple[int, int | None]] = {row: (row, None)}
        before: dict[int, tuple[int, int | None]] = {holder: (holder, None)}
        here, there = [one for one in (holder,) if one != _FREE], [row]
        met: int | None = None
        while met is None:
            if not there:  # only the free places are left to come to
                here = [one for one in here if one not in self._stuck]
            if not ((here or _FREE in before) and (there or _FREE in after) and (here or there)):
                self._stuck.update(() if here or _FREE in before else before)
                return False
            if here and not 0 < len(there) < len(here):
                found = here = self._next(here, self._places, before)
            else:
                found = there = self._next(there, self._takers, after)
            met = next((one for one in (*found, _FREE) if one in before and one in after), None)
        moved: dict[int, int | None] = {}
        one = met
        while one != holder:
            one, taken = before[one]
            moved[one] = taken
        one = met
        while one != row:
            other, taken = after[one]
            moved[one] = taken
            one = other
        self._move({**moved, row: position})
        return True

    def _next(
        self,
        end: Sequence[int],
        neighbours: Callable[[int], Iterable[tuple[int, int | None]]],
        seen: dict[int, tuple[int, int | None]],
    ) -> list[int]:
        """Return the rows that a search comes to from its last ones, each with the cell that it takes."""
        found = []
        for one in end:
            for other, taken in neighbours(one):
                if other not in seen and other not in self._settled:
                    seen[other] = one, taken
                    found += [other] if other != _FREE else []
        return found

    def _places(self, row: int) -> Iterator[tuple[int, int | None]]:
        """Yield the holders whose place a row can take, each with the cell of that place, or none."""
        for position in self._tight[row]:
            yield self._row_of.get(self._cells[position][1], _FREE), position
        if not self._row_price[row]:
            yield _FREE, None

    def _takers(self, row: int) -> Iterator[tuple[int, int | None]]:
        """Yield who can take the place of a row, each with the cell of that place, or none."""
        column = None if row not in self._cell_of else self._cells[self._cell_of[row]][1]
        if column is not None:
            yield from self._wanted[column]
        if column is None or not self._column_price[column]:
            yield _FREE, None

    def _move(self, moved: Mapping[int, int | None]) -> None:
        moved = {row: position for row, position in moved.items() if row != _FREE}
        for row in moved:
            if row in self._cell_of:
                del self._row_of[self._cells[self._cell_of.pop(row)][1]]
        for row, position in moved.items():
            if position is not None:
                self._cell_of[row] = position
                self._row_of[self._cells[position][1]] = row


LARGE = 4000  # from this number of cells in a component, scipy is faster, even with its import (0.35 s)


def align_components(cells: Sequence[tuple[int, int, float]], hard: Sequence[Sequence[int]]) -> list[int]:
    """Align components of any shape: small ones by shortest augmenting paths, all large ones by scipy."""
    chosen: list[int] = []
    large: list[int] = []
    for component in hard:
        if len(component) < LARGE:
            chosen += align_component(cells, component)[0]
        else:
            large += component
    return chosen + (align_with_scipy(cells, large) if large else [])


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
        choices.setdefault(row, [(-1 - row, 0.0, -1)]).append((column, weight, position))
    prices = Prices({row: -max(weight for _, weight, _ in cells) for row, cells in choices.items()})
    row_of: dict[int, int] = {}
    aligned: dict[int, tuple[int, int]] = {}  # row → its column and the position of their cell
    for start in choices:
        path = _shortest_path(start, choices, prices, row_of)
        prices.rows[start] += path.length
        for column, length in path.passed.items():
            prices.columns[column] = prices.columns.get(column, 0.0) - (path.length - length)
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
    """Search from a row to the nearest column that no row has (Dijkstra)."""
    from heapq import heappop, heappush

    distance: dict[int, float] = {}
    came_from: dict[int, tuple[int, int]] = {}
    passed: dict[int, float] = {}
    heap: list[tuple[float, int]] = []
    row, length = start, 0.0
    while True:
        for column, weight, position in choices[row]:
            through = length - weight - prices.rows[row] - prices.columns.get(column, 0.0)
            if column not in passed and (column not in distance or through < distance[column]):
                distance[column] = through
                came_from[column] = row, position
                heappush(heap, (through, column))
        length, column = heappop(heap)
        while column in passed:  # an entry that a shorter one has replaced
            length, column = heappop(heap)
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
    ceiling = np.ceil(weight.max()) + 1
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
