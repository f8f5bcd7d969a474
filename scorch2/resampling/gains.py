"""Intervals of what correcting errors gains: scores before and after, from the same draws of documents."""

from typing import TYPE_CHECKING

from scorch2.analysis.error_report import Corrected, ErrorReport
from scorch2.analysis.kinds import ALL, KINDS, GainIntervals
from scorch2.model.results import Interval
from scorch2.model.score import main_name
from scorch2.resampling.bootstrap import confidence, few_documents
from scorch2.resampling.draws import drawn_sums
from scorch2.resampling.quantiles import Ends
from scorch2.resampling.sample import Sample, sample

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorch2.resampling.sample import Floats

_SYSTEM = "system"
"""The column of the output as it is."""


def with_intervals(found: ErrorReport, level: float, trials: int, seed: int) -> ErrorReport:
    """Return an analysis with percentile bootstrap intervals of all scores and gains.

    Documents are drawn with replacement, and corrected and uncorrected output is scored on the same draws. A
    draw in which one of the two scores is 0/0 does not count. A kind without errors gains nothing ever.

    Parameters
    ----------
    found : ErrorReport
        With the evidence of its documents.
    level : float
        Percent of the trials inside the intervals, in 0..100, ends excluded.
    trials : int
        At least 1.
    seed : int
        Of `numpy.random.default_rng`; not negative.
    """
    report = found.report
    ends: dict[tuple[str, str, str], Ends] = {}
    for how, kind, gains in _drawn(found, trials, seed):
        for metric, values in gains.items():
            if (how, kind, metric) not in ends:
                ends[how, kind, metric] = Ends(trials, level)
            ends[how, kind, metric].add(values)

    def interval(place: tuple[str, str, str], gain: float | None) -> Interval:
        if gain is None:
            return None
        return ends[place].interval(level) if place in ends else (0.0, 0.0)

    intervals = GainIntervals(
        *(
            {
                kind: {name: interval((how, kind, name), gain) for name, gain in by_metric.items()}
                for kind, by_metric in by_kind.items()
            }
            for how, by_kind in found.gained()._asdict().items()
        )
    )
    shown = report._replace(
        confidence=confidence(report, level, trials, seed),
        notices=[*report.notices, *few_documents(report, "intervals")],
    )
    return found._replace(report=shown, gain_intervals=intervals)


def _drawn(found: ErrorReport, trials: int, seed: int) -> "Iterator[tuple[str, str, Mapping[str, Floats]]]":
    """Yield the gains of some trials, for each way to correct and each kind that has errors."""
    import numpy as np

    samples = _samples(found)
    widths = np.cumsum([0, *(one.matrix.shape[1] for one in samples.values())])
    places = {
        key: slice(start, end) for key, start, end in zip(samples, widths[:-1], widths[1:], strict=True)
    }
    parts = {row.name: main_name(row.gives._fields) for row in found.report.rows}
    for sums in drawn_sums(np.hstack([one.matrix for one in samples.values()]), trials, seed):
        drawn = {
            key: {name: values[name][part] for name, part in parts.items()}
            for key, one in samples.items()
            for values in [one.scores(sums[:, places[key]])]
        }
        before = drawn.pop((_SYSTEM, ""))
        last = before
        for (how, kind), after in drawn.items():
            if how == "alone":
                yield how, kind, {name: after[name] - before[name] for name in parts}
            else:
                yield how, kind, {name: after[name] - last[name] for name in parts}
                last = {name: np.where(np.isnan(after[name]), last[name], after[name]) for name in parts}
        yield "in_order", ALL, {name: last[name] - before[name] for name in parts}


def _samples(found: ErrorReport) -> dict[tuple[str, str], Sample]:
    """Return the numbers that add up: those of the output as it is, then of each correction in its order."""
    report = found.report
    samples = {(_SYSTEM, ""): sample(report)}
    for how in Corrected._fields:
        for place, kind in enumerate(KINDS):
            if found.errors[kind].errors:
                documents = [getattr(one, how)[place] for one in found.evidence]
                samples[how, kind] = sample(report._replace(documents=documents))
    return samples
