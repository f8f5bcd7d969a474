"""Confidence, the intervals of scores over draws of the documents; Difference, the test of two systems."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Interval: TypeAlias = tuple[float, float] | None
"""Low and high; None if no sample has a score, since it is 0/0 in each of them."""

TRIALS = 10_000
"""Default number of bootstrap samples, and of trials of the permutation test behind a gate."""


class Confidence(NamedTuple):
    """Bootstrap confidence intervals: the spread of scores over resampled documents."""

    level: float
    """The share of the samples inside an interval, in percent."""
    trials: int
    seed: int
    intervals: Mapping[str, Mapping[str, Interval]]
    """In 0..1, by metric and part; over the samples in which the score is defined."""


class Difference(NamedTuple):
    """The difference of two systems in one part of one metric."""

    difference: float | None
    """In -1..1; None if the score of a system is 0/0, so that nothing can be compared."""
    p: float | None
    """The share of random swaps of documents that give a difference as large, in 0..1; None without one."""
    interval: Interval
    """The ends of the 95 % interval of the difference over draws of documents."""
    corrected: float | None = None
    """p, corrected for several comparisons if that was asked for."""
