"""How measures agree over systems: correlation of scores and of ranks, and how their spread differs.

Source      the coefficients of Pearson, Spearman, and Kendall (tau-b); quartiles by linear interpolation.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple


class Agreement(NamedTuple):
    """Two measures over the same systems; nan where a measure does not vary, or there is one system."""

    one: str
    other: str
    pearson: float
    spearman: float
    kendall: float
    median_difference: float
    """The median of the first less that of the second."""
    iqr_ratio: float
    """The interquartile range of the first over that of the second."""


def agreements(scores: Mapping[str, Sequence[float]]) -> list[Agreement]:
    """Return every pair of measures, in their order.

    Parameters
    ----------
    scores : mapping from measure to sequence of float
        The scores of the same systems in the same order.
    """
    return [agreement(one, scores[one], other, scores[other]) for one, other in combinations(scores, 2)]


def agreement(one: str, first: Sequence[float], other: str, second: Sequence[float]) -> Agreement:
    """Return how two measures agree over systems."""
    import numpy as np

    low, high = np.percentile(first, [25, 75]), np.percentile(second, [25, 75])
    spreads = float(low[1] - low[0]), float(high[1] - high[0])
    return Agreement(
        one,
        other,
        *_correlations(first, second),
        float(np.median(first) - np.median(second)),
        spreads[0] / spreads[1] if spreads[1] else math.nan,
    )


def _correlations(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float]:
    if len(set(first)) < 2 or len(set(second)) < 2:  # noqa: PLR2004 - what does not vary agrees with nothing
        return math.nan, math.nan, math.nan
    from scipy import stats

    return (
        float(stats.pearsonr(first, second)[0]),
        float(stats.spearmanr(first, second)[0]),
        float(stats.kendalltau(first, second)[0]),
    )
