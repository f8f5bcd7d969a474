"""Ends of intervals over many trials, in bounded memory: only the lowest and highest values are kept."""

import math
from typing import TYPE_CHECKING

from scorch2.model.results import Interval

if TYPE_CHECKING:
    from scorch2.resampling.sample import Floats

DIGITS = 6
"""Decimals of an interval. Trials are noisier than that, and machines round sums differently."""
_SPARE = 1 << 13
"""Values that may wait until the lowest and highest of them are chosen."""


class Ends:
    """The lowest and the highest values of one score over many trials.

    Intervals of 95 % need 5 % of the values: three million trials keep 1.2 MB per score and not 24 MB.

    Parameters
    ----------
    trials : int
        The most values that will be added.
    level : float
        The smallest level, in percent, that `interval` will be asked for.
    """

    def __init__(self, trials: int, level: float) -> None:
        import numpy as np

        self._count = 0
        self._kept = min(trials, math.floor(_rank(trials, (100 - level) / 200)) + 3)
        self._lowest = self._highest = np.empty(0)
        self._waiting: list[Floats] = []

    def add(self, values: "Floats") -> None:
        """Take in the values of some trials. NaN, a trial without a score, does not count."""
        import numpy as np

        values = values[~np.isnan(values)]
        self._count += len(values)
        self._waiting.append(values)
        if sum(map(len, self._waiting)) > self._kept + _SPARE:
            self._choose()

    def interval(self, level: float) -> Interval:
        """Return the Weibull quantiles that hold `level` percent of the values between them (as neleval's).

        Without any value there are none.

        >>> import numpy as np
        >>> ends = Ends(99, 80)
        >>> ends.add(np.arange(1, 100) / 100)
        >>> ends.interval(80)
        (0.1, 0.9)
        """
        if not self._count:
            return None
        self._choose()
        self._lowest.sort()
        self._highest.sort()
        tail = (100 - level) / 200
        return round(self._quantile(tail), DIGITS), round(self._quantile(1 - tail), DIGITS)

    def _choose(self) -> None:
        import numpy as np

        kept = self._kept
        lowest = np.concatenate([self._lowest, *self._waiting])
        highest = np.concatenate([self._highest, *self._waiting])
        self._waiting = []
        if len(lowest) > kept:  # copies, or the slices would hold the whole arrays
            lowest = np.partition(lowest, kept - 1)[:kept].copy()
            highest = np.partition(highest, len(highest) - kept)[-kept:].copy()
        self._lowest, self._highest = lowest, highest

    def _quantile(self, share: float) -> float:
        """Return the value at a rank between two trials, in the proportion of the distances to them."""
        rank = min(max(_rank(self._count, share), 0.0), self._count - 1.0)
        below = math.floor(rank)
        left, right = self._value(below), self._value(min(below + 1, self._count - 1))
        return left + (right - left) * (rank - below)

    def _value(self, rank: int) -> float:
        """Return the value of a rank, counted from 0."""
        if rank < len(self._lowest):
            return float(self._lowest[rank])
        return float(self._highest[rank - self._count])


def _rank(trials: int, share: float) -> float:
    """Return the rank of a Weibull quantile, counted from 0; it may be below the first or above the last."""
    return share * (trials + 1) - 1
