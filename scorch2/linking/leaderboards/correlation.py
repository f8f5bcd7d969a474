"""Agreement of measures over systems: correlation of scores and of ranks, and the ratio of their spreads.

Source      the coefficients of Pearson, Spearman, and Kendall (tau-b); quartiles by linear interpolation.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Agreement(NamedTuple):
    """Two measures over the same systems; nan for one system, or a measure without variation or with nan."""

    one: str
    other: str
    pearson: float
    spearman: float
    kendall: float
    median_difference: float
    """The median of the first less that of the second."""
    iqr_ratio: float
    """The interquartile range of the first over that of the second."""

    def numbers(self) -> tuple[float, float, float, float, float]:
        """Return the five numbers in their order."""
        return self.pearson, self.spearman, self.kendall, self.median_difference, self.iqr_ratio


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
    if any(map(math.isnan, (*first, *second))):
        return math.nan, math.nan, math.nan
    if len(set(first)) < 2 or len(set(second)) < 2:  # noqa: PLR2004 - what does not vary agrees with nothing
        return math.nan, math.nan, math.nan
    from scipy import stats

    return (
        float(stats.pearsonr(first, second)[0]),
        float(stats.spearmanr(first, second)[0]),
        float(stats.kendalltau(first, second)[0]),
    )


def in_order(scores: Mapping[str, Sequence[float]], how: str) -> list[str]:
    """Return the measures as they come (none), by name, or so that those that agree are neighbours.

    Parameters
    ----------
    scores : mapping from measure to sequence of float
        As for `agreements`.
    how : str
        A key of `ORDERS`: eigen sorts by the first eigenvector of the correlations, mds along the first axis
        of classical scaling of 1 - r.
    """
    return ORDERS[how](scores)


def _correlation_matrix(scores: Mapping[str, Sequence[float]]) -> "NDArray[np.float64]":
    import numpy as np

    names = list(scores)
    matrix = np.eye(len(names))
    for i, j in combinations(range(len(names)), 2):
        r = _correlations(scores[names[i]], scores[names[j]])[0]
        matrix[i, j] = matrix[j, i] = 0.0 if math.isnan(r) else r
    return matrix


def _by_axis(scores: Mapping[str, Sequence[float]], matrix: "NDArray[np.float64]") -> list[str]:
    import numpy as np

    axis = np.linalg.eigh(matrix)[1][:, -1]
    return [name for _, name in sorted(zip(axis.tolist(), scores, strict=True))]


def _eigen(scores: Mapping[str, Sequence[float]]) -> list[str]:
    return _by_axis(scores, _correlation_matrix(scores))


def _mds(scores: Mapping[str, Sequence[float]]) -> list[str]:
    squared = (1 - _correlation_matrix(scores)) ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    return _by_axis(scores, -centred / 2)


ORDERS: Mapping[str, Callable[[Mapping[str, Sequence[float]]], list[str]]] = {
    "none": list,
    "name": sorted,
    "eigen": _eigen,
    "mds": _mds,
}
