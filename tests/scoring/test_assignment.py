"""The alignment of CEAF: what trying every permutation gives, in each step and as a whole, but not dense."""

import heapq
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse.csgraph
from exact_model import best_by_enumeration

from scorch2.scoring import assignment, shortest_paths
from scorch2.scoring.assignment import best_alignment, best_of_ties

# ruff: noqa: SLF001 - the steps are tried by themselves

Cell: TypeAlias = tuple[int, int, float]

WEIGHTS: dict[str, Callable[[Random], float]] = {
    "all equal": lambda _: 1,
    "many ties": lambda random: random.randint(1, 3),
    "integers": lambda random: random.randint(1, 50),
    "sixteenths": lambda random: random.randint(1, 64) / 16,
    "far apart": lambda random: 2.0 ** random.randint(-15, 15),
    "Dice coefficients": lambda random: 2 * random.randint(1, 5) / random.randint(10, 14),
}
ROUNDING = dict.fromkeys(WEIGHTS, 0.0) | {"Dice coefficients": 1e-12}
"""Only these are not exact in floats, nor are their sums."""

every_kind = pytest.mark.parametrize("kind", WEIGHTS)


def tables(kind: str, count: int = 500, most: int = 5) -> Iterator[list[Cell]]:
    """Draw thin and full tables, some rows and columns of which are empty, their cells in any order."""
    random = Random(kind)  # noqa: S311 - a sample, not a secret
    for _ in range(count):
        rows, columns, filled = random.randint(1, most), random.randint(1, most), random.random()
        places = [(row, column) for row in range(rows) for column in range(columns)]
        drawn = [(row, column, WEIGHTS[kind](random)) for row, column in places if random.random() < filled]
        yield random.sample(drawn, len(drawn))


def best(cells: Sequence[Cell]) -> Fraction:
    return best_of(tuple(cells))


@cache
def best_of(cells: tuple[Cell, ...]) -> Fraction:
    """Return the best weight; several tests draw the same tables."""
    weights = {(row, column): Fraction(weight) for row, column, weight in cells}
    rows, columns = {row for row, _, _ in cells}, {column for _, column, _ in cells}
    return best_by_enumeration([[weights.get((r, c), Fraction(0)) for c in columns] for r in rows])


def total(cells: Sequence[Cell], chosen: Sequence[int]) -> Fraction:
    """The weight of an alignment, if it is one."""
    for side in (0, 1):
        assert len({cells[position][side] for position in chosen}) == len(chosen)
    return sum((Fraction(cells[position][2]) for position in chosen), Fraction(0))


@every_kind
@pytest.mark.parametrize("large", [0, 3, 6, shortest_paths.LARGE])
def test_an_alignment_is_best(kind: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest_paths, "LARGE", large)
    for cells in tables(kind):
        assert abs(total(cells, best_alignment(cells)) - best(cells)) <= ROUNDING[kind]


def test_without_cells_nothing_is_aligned() -> None:
    assert best_alignment([]) == []


@every_kind
def test_fixed_cells_and_the_best_of_the_rest_are_best(kind: str) -> None:
    for cells in tables(kind):
        chosen, rest = assignment._fix_dominant(cells)
        left = [cells[position] for position in rest]
        assert not {row for row, _, _ in left} & {cells[position][0] for position in chosen}
        assert not {column for _, column, _ in left} & {cells[position][1] for position in chosen}
        assert abs(total(cells, chosen) + best(left) - best(cells)) <= ROUNDING[kind]


def test_a_cell_that_beats_its_row_and_column_together_is_fixed() -> None:
    assert assignment._fix_dominant([(0, 0, 5), (0, 1, 3), (1, 0, 2), (1, 1, 1)]) == ([0, 3], [])
    assert assignment._fix_dominant([(0, 0, 5), (0, 1, 3), (1, 0, 3), (1, 1, 1)]) == ([], [0, 1, 2, 3])


@every_kind
def test_components_share_no_row_or_column_and_cannot_be_cut(kind: str) -> None:
    for cells in tables(kind, most=8):
        components = list(assignment.components(cells, range(len(cells))))
        assert sorted(position for component in components for position in component) == list(
            range(len(cells))
        )
        assert len(components) == number_of_components(cells)
        for side in (0, 1):
            owners = Counter(line for c in components for line in {cells[position][side] for position in c})
            assert set(owners.values()) <= {1}


def number_of_components(cells: Sequence[Cell]) -> int:
    groups: list[set[tuple[str, int]]] = []
    for row, column, _ in cells:
        ends = {("row", row), ("column", column)}
        touched = [group for group in groups if group & ends]
        groups = [group for group in groups if group not in touched] + [ends.union(*touched)]
    return len(groups)


def solved_here(cells: Sequence[Cell], component: Sequence[int]) -> list[int]:
    return shortest_paths.align_component(cells, component)[0]


@every_kind
@pytest.mark.parametrize("solve", [solved_here, shortest_paths.align_with_scipy])
def test_either_solver_is_best_by_itself(
    kind: str, solve: Callable[[Sequence[Cell], Sequence[int]], list[int]]
) -> None:
    for cells in tables(kind):
        for component in assignment.components(cells, range(len(cells))):
            part = [cells[position] for position in component]
            assert abs(total(cells, solve(cells, component)) - best(part)) <= ROUNDING[kind]


def trees(kind: str, cycles: int = 0, count: int = 500) -> Iterator[list[Cell]]:
    """Draw tables whose cells make one tree of rows and columns, with cells that close cycles besides."""
    random = Random(kind)  # noqa: S311 - a sample, not a secret
    for _ in range(count):
        rows, columns, places = [0], [0], [(0, 0)]
        for _ in range(random.randint(cycles, 7)):
            if random.random() < 0.5:
                rows.append(len(rows))
                places.append((rows[-1], random.choice(columns)))
            else:
                columns.append(len(columns))
                places.append((random.choice(rows), columns[-1]))
        free = [(row, column) for row in rows for column in columns if (row, column) not in places]
        places += random.sample(free, min(cycles, len(free)))
        yield [(row, column, WEIGHTS[kind](random)) for row, column in random.sample(places, len(places))]


@every_kind
def test_trees_are_aligned_from_their_ends_as_any_other_component(kind: str) -> None:
    for cells in trees(kind):
        chosen, left = assignment.align_trees(cells, range(len(cells)))
        assert not left
        assert abs(total(cells, chosen) - best(cells)) <= ROUNDING[kind]
        assert (
            abs(total(cells, chosen) - total(cells, solved_here(cells, range(len(cells))))) <= ROUNDING[kind]
        )


@every_kind
@pytest.mark.parametrize("cycles", [1, 2])
def test_components_with_cycles_are_aligned_with_the_trees_on_them(kind: str, cycles: int) -> None:
    for cells in trees(kind, cycles):
        assert abs(total(cells, best_alignment(cells)) - best(cells)) <= ROUNDING[kind]


def test_of_a_component_with_a_cycle_its_cells_are_left() -> None:
    """A ring of two rows and two columns, and a path of two cells that hangs on it."""
    cells = [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 1, 1), (2, 2, 1)]
    assert assignment.align_trees(cells, range(6))[1] == {0, 1, 2, 3}


@pytest.mark.parametrize("ring", [False, True])
def test_a_long_path_or_ring_of_equal_cells_takes_no_general_solver(
    ring: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for solver in ("align_component", "align_with_scipy"):
        monkeypatch.setattr(shortest_paths, solver, None)
    size = 10_000
    cells = [(row, (row + step) % (size + 1 - ring), 1) for row in range(size) for step in (0, 1)]
    assert len(best_alignment(cells)) == size


@pytest.mark.parametrize("large", [0, 10**9])
@pytest.mark.parametrize("seed", range(5))
def test_bigger_tables_agree_with_a_dense_solver(
    seed: int, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shortest_paths, "LARGE", large)
    cells = shuffled_clusters(150, seed)
    dense = np.zeros((150, 1 + max(column for _, column, _ in cells)))
    for row, column, weight in cells:
        dense[row, column] = weight
    expected = dense[scipy.optimize.linear_sum_assignment(dense, maximize=True)].sum()
    assert float(total(cells, best_alignment(cells))) == expected


def shuffled_clusters(count: int, seed: int) -> list[Cell]:
    """The overlaps of clusters of 1 to 9 mentions with as many, to which they were dealt at random."""
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    gold = [cluster for cluster in range(count) for _ in range(random.randint(1, 9))]
    system = random.sample(gold, len(gold))
    return [
        (row, column, shared) for (row, column), shared in Counter(zip(gold, system, strict=True)).items()
    ]


def test_no_dense_matrix_is_built_for_5000_by_5000_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[Any] = []
    solve = scipy.sparse.csgraph.min_weight_full_bipartite_matching

    def recorded(costs: Any) -> Any:
        solved.append(costs)
        return solve(costs)

    monkeypatch.setattr(scipy.sparse.csgraph, "min_weight_full_bipartite_matching", recorded)
    cells = shuffled_clusters(5000, seed=0)
    tracemalloc.start()
    best_alignment(cells)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (costs,) = solved
    assert shortest_paths.LARGE < costs.nnz <= len(cells) + 5000
    assert peak < 8 * 4_000_000  # as many bytes as 4 million cells take


class CountedCells(list[Cell]):
    """Cells that count how often one is looked at."""

    looks = 0

    def __getitem__(self, position: SupportsIndex) -> Cell:  # type: ignore[override]  # no slices here
        self.looks += 1
        return super().__getitem__(position)


def increasing_chain(rows: int) -> list[Cell]:
    """Each cell is a little heavier than the one before: only the last one dominates, round after round."""
    return [(row, row + step, 2 * row + step + 1) for row in range(rows) for step in (0, 1)]


@pytest.mark.parametrize("order", [1, -1])
def test_fixing_gives_up_on_a_chain_that_yields_one_cell_a_round(order: int) -> None:
    cells = CountedCells(increasing_chain(3000)[::order])
    assignment._fix_dominant(cells)
    assert cells.looks <= 10 * len(cells)


@pytest.mark.parametrize("rows", [10, 1500, 3000])
def test_a_chain_is_aligned_along_its_heavier_cells(rows: int) -> None:
    cells = increasing_chain(rows)
    assert total(cells, best_alignment(cells)) == rows * (rows + 1)


def test_fixing_goes_on_while_it_pays() -> None:
    """Three rounds, each of which frees the cell of the next."""
    cells = [(0, 0, 100), (0, 1, 60), (1, 1, 70), (1, 2, 20), (2, 2, 30), (2, 3, 12)]
    assert assignment._fix_dominant(cells) == ([0, 2, 4], [])


@pytest.mark.parametrize(("large", "expected"), [(0, 1), (10**9, 0)])
def test_scipy_solves_large_components_only(
    large: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def recorded(cells: Sequence[Cell], positions: Sequence[int]) -> list[int]:
        calls.append(len(positions))
        return solve(cells, positions)

    solve = shortest_paths.align_with_scipy
    monkeypatch.setattr(shortest_paths, "LARGE", large)
    monkeypatch.setattr(shortest_paths, "align_with_scipy", recorded)
    cells = shuffled_clusters(100, seed=0)
    best_alignment(cells)
    assert len(calls) == expected


def test_ties_of_a_large_component_leave_the_best_weight() -> None:
    """Scipy takes weights of zero for none: floats as large as those of ties have no room for 1 more."""
    dice = Random(4)  # noqa: S311 - no secret
    pairs = Counter((dice.randrange(2500), dice.randrange(2500)) for _ in range(20_000))
    cells = [(row, column, weight) for (row, column), weight in sorted(pairs.items())]
    ties = [(dice.randrange(1, 9) << 64) // 9 for _ in cells]
    chosen = best_of_ties(cells, ties)
    rows, columns = ([cells[position][side] for position in chosen] for side in (0, 1))
    assert len({*rows}) == len({*columns}) == len(chosen)
    best = best_alignment(cells)
    assert sum(cells[position][2] for position in chosen) == sum(cells[position][2] for position in best)
    assert sum(ties[position] for position in chosen) > sum(ties[position] for position in best)


def test_ties_are_not_searched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffled entities of eight mentions: a search that passes every tie looks at each cell 15 times."""
    gold = [i // 8 for i in range(2400)]
    system = Random(1).sample(gold, len(gold))  # noqa: S311 - shuffles
    cells = [(g, s, shared / 8) for (g, s), shared in Counter(zip(gold, system, strict=True)).items()]
    taken, pop = [], heapq.heappop

    def counted(heap: list[tuple[float, bool, int]]) -> tuple[float, bool, int]:
        taken.append(heap[0])
        return pop(heap)

    monkeypatch.setattr(heapq, "heappop", counted)
    chosen = shortest_paths.align_component(cells, range(len(cells)))[0]
    rows, columns, weights = zip(*cells, strict=True)
    dense = np.zeros((300, 300))
    dense[rows, columns] = weights
    assert sum(cells[p][2] for p in chosen) == dense[scipy.optimize.linear_sum_assignment(-dense)].sum()
    assert 0 < len(taken) < len(cells)
