"""Overlap of two spans: the length of the common part over the length of the longer span."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from operator import truediv
from typing import TypeAlias

from scorch2.model.document import Span

Ratio: TypeAlias = Callable[[int, int], float | Fraction]

_EXACT_FLOATS = 1 << 26
"""Up to this length different ratios are different floats."""


def longer(one: Span, other: Span) -> int:
    """Return the length of the longer span."""
    return max(one[1] - one[0], other[1] - other[0])


def ratio_up_to(longest: int) -> Ratio:
    """Return how to divide lengths up to `longest` so that ratios compare as the exact ones do."""
    return truediv if longest < _EXACT_FLOATS else Fraction


def longest_of(spans: Iterable[Span]) -> int:
    """Return the length of the longest span, 0 if there is none."""
    return max([end - start for start, end in spans], default=0)


def overlapping(left: Sequence[Span], right: Sequence[Span]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of spans with something in common, by their indices, and how long the common part is.

    `left` and `right` are sorted. One sweep over the starts of both: O(spans + pairs).
    """
    sides = left, right
    at = [0, 0]
    reach: tuple[list[int], list[int]] = ([], [])  # the spans of each side that the sweep is still inside
    while at[0] < len(left) or at[1] < len(right):
        side = int(at[0] == len(left) or (at[1] < len(right) and right[at[1]] < left[at[0]]))
        other = 1 - side
        index = at[side]
        start, end = sides[side][index]
        reach[other][:] = [i for i in reach[other] if sides[other][i][1] > start]
        for i in reach[other]:
            shared = min(end, sides[other][i][1]) - start
            yield (i, index, shared) if side else (index, i, shared)
        reach[side].append(index)
        at[side] += 1
