"""Bootstrap: how far scores vary if the documents are drawn again, with replacement."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorch2.model.confidence import Confidence
from scorch2.resampling.draws import drawn_sums
from scorch2.resampling.sample import joined, sample
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.resampling.sample import Floats, Values

DIGITS = 6
"""Of what trials give: they are noisier than that, and the rounding of sums differs between machines."""
FEW = 10
"""Fewer documents than that make a coarse interval."""


def confidence(report: Report, level: float, trials: int, seed: int) -> Confidence:
    """Return percentile bootstrap intervals of every score of `report`, in its own average.

    Parameters
    ----------
    report : Report
        With at least one document.
    level : float
        Percent of the trials inside the intervals, in 0..100, ends excluded.
    trials : int
        At least 1. Each draws as many documents as there are, with replacement.
    seed : int
        Of `numpy.random.default_rng`; not negative.
    """
    return levels(report, [level], trials, seed)[0]


def levels(report: Report, wanted: Sequence[float], trials: int, seed: int) -> list[Confidence]:
    """Return `confidence` for several levels, from the same trials."""
    values = bootstrap(report, trials, seed)
    return [
        Confidence(
            level,
            trials,
            seed,
            {
                metric: {part: interval(column, level) for part, column in parts.items()}
                for metric, parts in values.items()
            },
        )
        for level in wanted
    ]


def bootstrap(report: Report, trials: int, seed: int) -> "Values":
    """Return the scores of `trials` corpora, each of documents drawn with replacement from `report`."""
    numbers = sample(report)
    return joined(map(numbers.scores, drawn_sums(numbers.matrix, trials, seed)))


def interval(values: "Floats", level: float) -> tuple[float, float]:
    """Return the Weibull quantiles that hold `level` percent of `values` between them (as neleval's).

    >>> import numpy as np
    >>> interval(np.arange(1, 100) / 100, 80)
    (0.1, 0.9)
    """
    import numpy as np

    values = values[~np.isnan(values)]  # a trial without a score says nothing about how scores vary
    if not len(values):
        return 0.0, 0.0
    tail = (100 - level) / 200
    low, high = np.quantile(values, [tail, 1 - tail], method="weibull").tolist()
    return round(low, DIGITS), round(high, DIGITS)
