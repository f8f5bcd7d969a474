"""Confidence, the intervals of scores over draws of the documents."""

from collections.abc import Mapping
from typing import NamedTuple


class Confidence(NamedTuple):
    """How far scores vary if the documents are drawn again."""

    level: float
    """The share of the draws that an interval holds, in percent."""
    trials: int
    seed: int
    intervals: Mapping[str, Mapping[str, tuple[float, float]]]
    """Low and high, in 0..1, by metric and part."""
