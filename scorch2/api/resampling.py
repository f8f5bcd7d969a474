"""Intervals and tests over documents for Python callers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from scorch2.api.given import Path, flag, refuse_unknown, several
from scorch2.api.requests import (
    DEFAULT_PARTS,
    KEYWORDS,
    NELEVAL_TRIALS,
    PartName,
    System,
    named_systems,
    parts_of,
    reports_by_name,
    reports_of,
    whole_number,
)
from scorch2.gate.comparable import comparable_systems
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError
from scorch2.model.options import interval_level
from scorch2.resampling.bootstrap import levels
from scorch2.resampling.permutation import compare_pairs
from scorch2.resampling.text import ConfidenceReport, SignificanceReport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.api.requests import Scoring


def confidence(  # noqa: PLR0913 - keyword-only
    system: System,
    *,
    gold: Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    parts: PartName | Iterable[PartName] = DEFAULT_PARTS,
    percentiles: Iterable[float] = (90, 95, 99),
    trials: int = NELEVAL_TRIALS,
    seed: int = 0,
    **scoring: "Unpack[Scoring]",
) -> ConfidenceReport:
    """Return bootstrap confidence intervals of every score of a system, as ``scorch2 confidence``.

    Parameters
    ----------
    system : Report, ErrorReport, path, or clusters
        A report, or the path of a stored one; with `gold` what `scorch2.score` takes. An interval needs
        several documents: clusters of one text have none to draw.
    gold : path, or documents, optional
        What the system is scored against.
    metrics : iterable of str
        Metrics of `scorch2.score`, or measures of ``scorch2 evaluate``; by default all of a report, those of
        `scorch2.score`, or strong_all_match where gold is made for entity linking.
    parts : str or iterable of str
        What is shown of each: ``precision``, ``recall``, ``f1``; of measures also the counts ``ptp``, ``fp``,
        ``rtp``, ``fn``.
    percentiles : iterable of float
        Levels in percent, from 1 to below 100. The same trials serve all of them.
    trials : int
        Number of bootstrap samples, from 1. Each draws as many documents as there are, with replacement.
    seed : int
        Seed of the random numbers, from 0.
    **scoring
        The options of `scorch2.score` besides, if there is gold: ``average``, ``profile``, ``gold_format``,
        ``jobs`` ...; for measures of linking ``type_weights``, a file that says what types that differ are
        worth.

    Returns
    -------
    ConfidenceReport
        Intervals in 0..1 (counts as they are): ``interval("lea", level=95)``, ``to_records()``.

    Raises
    ------
    InputError, PairingError
        As in `scorch2.score`; also for a stored report that was changed.
    UsageError
        For unknown names and values, and for options of scoring without gold.

    Notes
    -----
    Percentile bootstrap, Efron and Tibshirani 1993, chapter 13; Weibull quantiles, as neleval 3.1.1.

    Examples
    --------
    >>> paths = {"system": "fixtures/example/sys", "gold": "fixtures/example/gold"}
    >>> found = confidence(**paths, metrics=["muc"], trials=100, average="pooled")
    >>> found.report.muc.recall
    0.8
    >>> low, high = found.interval("muc", "recall", level=95)
    >>> low < 0.8 < high
    True
    """
    refuse_unknown(confidence, scoring, KEYWORDS)
    wanted, shown = _levels(percentiles), parts_of(parts)
    draws = whole_number(trials, "trials", 1), whole_number(seed, "seed", 0)
    report = reports_of(gold, metrics, shown, scoring)(system)
    return ConfidenceReport(report, levels(report, wanted, *draws), shown)


def significance(  # noqa: PLR0913 - keyword-only
    systems: Mapping[str, System] | Iterable[Path],
    *,
    gold: Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    parts: PartName | Iterable[PartName] = DEFAULT_PARTS,
    trials: int = NELEVAL_TRIALS,
    seed: int = 0,
    one_sided: bool = False,
    holm: bool = False,
    **scoring: "Unpack[Scoring]",
) -> SignificanceReport:
    """Test every pair of systems against each other by paired permutation, as ``scorch2 significance``.

    Parameters
    ----------
    systems : mapping from names to systems, or iterable of paths
        Two or more, each as in `confidence`. Paths are their own names.
    gold, metrics, parts
        As in `confidence`.
    trials : int
        Number of permutations, from 1; all of them where there are fewer, and then p is exact.
    seed : int
        Seed of the random numbers, from 0.
    one_sided : bool
        Count only differences in the direction of the observed one, as neleval does.
    holm : bool
        Add p-values corrected for the number of pairs.
    **scoring
        As in `confidence`.

    Returns
    -------
    SignificanceReport
        For each pair, metric and part the difference (first less second, in -1..1), its 95 % interval and p
        in 0..1: ``to_records()``.

    Raises
    ------
    InputError, UsageError
        As in `confidence`.
    PairingError
        For systems that cannot be compared: other documents, options or gold.

    Notes
    -----
    Documents are swapped between two systems; Efron and Tibshirani 1993, chapter 15. Holm 1979.

    Examples
    --------
    >>> paths = ["fixtures/example/sys", "fixtures/example/other"]
    >>> found = significance(paths, gold="fixtures/example/gold", metrics=["muc"], parts=["recall"])
    >>> found.to_records()[0]["p"]
    0.5
    """
    refuse_unknown(significance, scoring, KEYWORDS)
    named = named_systems(systems, least=2)
    shown = parts_of(parts)
    draws = whole_number(trials, "trials", 1), whole_number(seed, "seed", 0)
    directed, correct = flag(one_sided, "one_sided"), flag(holm, "holm")
    report_of = reports_of(gold, metrics, shown, scoring)
    reports = comparable_systems(reports_by_name(named, report_of))
    compared = compare_pairs(reports, *draws, two_sided=not directed, correct=correct)
    return SignificanceReport(compared, reports, shown)


def _levels(percentiles: Iterable[float]) -> list[float]:
    if isinstance(percentiles, int | float):
        percentiles = [percentiles]
    values = [*several(percentiles, "percentiles", "[95]")]
    if not values:
        raise UsageError("percentiles are levels in percent, such as [95], not none")
    return sorted({interval_level(str(value), "percentiles") for value in values})
