"""Scales and axes of figures."""

from collections.abc import Iterator
from typing import NamedTuple

from scorch2.analysis.figures.figure import Line, Part, Words

_STEPS = (0.5, 1, 2, 5, 10, 20, 50)
_MOST_STEPS = 6


class Scale(NamedTuple):
    """A way from values to places of a drawing."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


PERCENT = 0.0, 100.0
"""The ends of a scale of percent."""


def round_steps(low: float, high: float) -> list[float]:
    """Return some round numbers from `low` to `high`.

    >>> round_steps(40, 100)
    [40, 50, 60, 70, 80, 90, 100]
    """
    step = next((size for size in _STEPS if (high - low) / size <= _MOST_STEPS), 100)
    first = -int(-low // step)
    return [step * i for i in range(first, int(high // step) + 1)]


def across(scale: Scale, top: float, bottom: float) -> Iterator[Part]:
    """Yield an axis from left to right: lines at round numbers, which stand below."""
    for value in round_steps(scale.low, scale.high):
        x = scale.place(value)
        yield Line([(x, top), (x, bottom)], "grid")
        yield Words(x, bottom + 15, f"{value:g}", "middle", "pale")


def upwards(scale: Scale, left: float, right: float) -> Iterator[Part]:
    """Yield an axis from the bottom up: lines at round numbers, which stand to the left."""
    for value in round_steps(scale.low, scale.high):
        y = scale.place(value)
        yield Line([(left, y), (right, y)], "grid")
        yield Words(left - 7, y + 4, f"{value:g}", "end", "pale")
