"""Chance: the number of scores that are printed like given numbers, by the density of those near them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from scorch2.audit.printed import Cell, Reading

_NEAR = 0.025  # a score is near a printed number if it is no farther: 2.5 points
_NEAR_UNITS = 2.5  # or so many units of the last digit
_ROUNDED, _CUT, _BOTH = (-0.5, 0.5), (0.0, 1.0), (0.0, 0.5)
"""The places of the scores of a printed number, in units of its last digit from it."""
_GRID = 12  # places along a side of a cell of recall and precision


class Other(NamedTuple):
    """Scores that are not printed as given: one for each cell."""

    readings: Sequence[Reading]
    values: Sequence[float]
    may_be_cut: bool  # whether a scorer that cuts digits off could have made them


def expected_by_chance(cells: Sequence[Cell], others: Iterable[Other]) -> float:
    """Return how many scores are expected to be printed as given, by the number of those near that are not.

    Near is a window around each cell, of 5 points or 5 units of its last digit, whichever is wider, inside
    0..1. The scores in it are taken for evenly spread, so each stands for c / (w - c) that the cell holds,
    where c and w are the products of the widths of cells and windows. What fits is left out: else each number
    would make itself likely. F1 beside its recall and precision follows from these, and has no window.
    """
    windows = [_window(cell) for cell in cells]
    return sum(_chance(cells, windows, one) for one in others)


def _window(cell: Cell) -> tuple[float, float]:
    near = max(_NEAR, _NEAR_UNITS * cell.unit)
    return max(0.0, cell.value - near), min(1.0, cell.value + near)


def _chance(cells: Sequence[Cell], windows: Sequence[tuple[float, float]], other: Other) -> float:
    derived = _derived(tuple(other.readings))
    around = 1.0
    for place, (value, (low, high)) in enumerate(zip(other.values, windows, strict=True)):
        if place not in derived:
            if not low <= value <= high:
                return 0.0
            around *= high - low
    share = _share(cells, derived, other, _ROUNDED)
    if other.may_be_cut:
        share += _share(cells, derived, other, _CUT) - _share(cells, derived, other, _BOTH)
    return share / (around - share) if around > share else 0.0


def _share(
    cells: Sequence[Cell], derived: Mapping[int, tuple[int, int]], other: Other, ends: tuple[float, float]
) -> float:
    """Return the product of the widths of cells, with F1 as often as it is printed as given there."""
    share = 1.0
    for place, cell in enumerate(cells):
        low, high = (cell.value + end * cell.unit for end in ends)
        if place not in derived:
            share *= max(0.0, min(1.0, high) - max(0.0, low))
            continue
        recall, precision = derived[place]
        off = other.values[place] - _harmonic(other.values[recall], other.values[precision])
        means = _means(cells[recall], cells[precision], ends)
        share *= (bisect_right(means, high - off) - bisect_left(means, low - off)) / len(means)
    return share


@lru_cache(64)
def _means(recall: Cell, precision: Cell, ends: tuple[float, float]) -> Sequence[float]:
    """Return harmonic means of recalls and precisions that are printed as given, in their order."""
    steps = [ends[0] + (ends[1] - ends[0]) * (number + 0.5) / _GRID for number in range(_GRID)]
    rows = [recall.value + step * recall.unit for step in steps]
    columns = [precision.value + step * precision.unit for step in steps]
    return sorted(_harmonic(row, column) for row in rows for column in columns)


@cache
def _derived(readings: tuple[Reading, ...]) -> Mapping[int, tuple[int, int]]:
    """Return the places of F1 beside recall and precision, and the places of these."""
    places = {(one.metric, one.family, one.role): place for place, one in enumerate(readings)}
    return {
        place: (places[metric, family, "recall"], places[metric, family, "precision"])
        for (metric, family, role), place in places.items()
        if role == "f1" and {(metric, family, part) for part in ("recall", "precision")} <= places.keys()
    }


def _harmonic(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0
