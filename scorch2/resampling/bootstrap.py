"""Bootstrap: the variation of scores when documents are drawn again, with replacement."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scorch2.model.errors import Notice, counted
from scorch2.model.results import Confidence
from scorch2.resampling.draws import drawn_sums
from scorch2.resampling.quantiles import Ends
from scorch2.resampling.sample import sample
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.resampling.sample import Values

_FEW = 10
"""Fewer documents than that make a coarse interval."""


def confidence(report: Report, level: float, trials: int, seed: int) -> Confidence:
    """Return percentile bootstrap intervals of every score of `report`, in its own average.

    An interval is over the samples in which the score is defined; with ``undefined=zero``, 0/0 in a sample is
    worth 0. A score that is 0/0 in every document has no interval.

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
    ends = ends_of(bootstrap(report, trials, seed), trials, min(wanted))
    return [
        Confidence(
            level,
            trials,
            seed,
            {
                metric: {
                    part: kept.interval(level) if getattr(report.scores[metric], part).defined else None
                    for part, kept in parts.items()
                }
                for metric, parts in ends.items()
            },
        )
        for level in wanted
    ]


def few_documents(report: Report, what: str) -> list[Notice]:
    """Return a warning if `what`, intervals or trials, is over too few documents to say much."""
    number = len(report.documents)
    if number >= _FEW:
        return []
    why = f"{what} over {counted(number, 'document')} are coarse (less than {_FEW})"
    return [Notice("confidence", "", why)]


def bootstrap(report: Report, trials: int, seed: int) -> "Iterator[Values]":
    """Yield the scores of `trials` corpora, some at a time; documents are drawn with replacement."""
    numbers = sample(report)
    return map(numbers.scores, drawn_sums(numbers.matrix, trials, seed))


def ends_of(blocks: "Iterable[Values]", trials: int, level: float) -> dict[str, dict[str, Ends]]:
    """Return the ends of the values of every score, for intervals of at least `level` percent."""
    ends: dict[str, dict[str, Ends]] = {}
    for block in blocks:
        for metric, parts in block.items():
            for part, values in parts.items():
                kept = ends.setdefault(metric, {})
                if part not in kept:
                    kept[part] = Ends(trials, level)
                kept[part].add(values)
    return ends
