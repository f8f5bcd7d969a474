"""Confidence, the intervals of scores over draws of the documents."""

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
