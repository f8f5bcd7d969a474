"""Intervals and tests over documents for Python callers, of stored reports, or of outputs scored now."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from scorch2.analysis.bootstrap import ConfidenceReport, levels
from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.paired_tests import SignificanceReport, compare_pairs
from scorch2.api import arguments, requests
from scorch2.api.arguments import public, reworded
from scorch2.audit.judge import comparable_systems
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError, counted, printable, quoted
from scorch2.model.options import Options, separated
from scorch2.model.results import COUNTS
from scorch2.model.settings import OfNeleval, OfResampling, OfTest
from scorch2.scoring.report import Report
from scorch2.workers.engine import Engine, keeping_gold

if TYPE_CHECKING:
    from typing_extensions import Unpack


System: TypeAlias = arguments.Path | Clusters | Report | ErrorReport
_PARTS = '["f1"]'
_METRICS = '["muc", "lea"]'


class Scoring(OfResampling, arguments.Settings, total=False):
    """The settings of `scorch2.score`, and those of entity linking and of resampling."""

    type_weights: arguments.Path | None


class ConfidenceSettings(OfNeleval, Scoring, total=False):
    """The settings of `confidence`."""


@public(ConfidenceSettings)
def confidence(
    system: System,
    *,
    gold: arguments.Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    parts: requests.PartName | Iterable[requests.PartName] = requests.DEFAULT_PARTS,
    percentiles: Iterable[float] = (90, 95, 99),
    **scoring: "Unpack[ConfidenceSettings]",
) -> ConfidenceReport:
    """Return bootstrap confidence intervals of every score of a system, as ``scorch2 confidence``.

    Parameters
    ----------
    system : Report, ErrorReport, path, or clusters
        A report, or the path of a stored one; with `gold` what `scorch2.score` takes. An interval needs
        several documents: clusters of one text cannot be resampled.
    gold : path, or documents, optional
        What the system is scored against.
    metrics : iterable of str
        Metrics of `scorch2.score`, or measures of ``scorch2 evaluate``; by default all of a report, those of
        `scorch2.score`, or strong_all_match if gold is in a format of entity linking.
    parts : str or iterable of str
        The parts that are shown of each: ``precision``, ``recall``, ``f1``; of measures also the counts
        ``ptp``, ``fp``, ``rtp``, ``fn``.
    percentiles : iterable of float
        Levels in percent, from 1 to below 100. The same trials serve all of them.
    **scoring
        {settings}

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
    wanted, shown = _levels(percentiles), requests.parts_of(arguments.several(parts, "parts", _PARTS))
    drawn = requests.sampling(requests.ARGUMENTS, scoring, OfNeleval)
    report = reports_of(gold, metrics, shown, arguments.without(scoring, OfNeleval), several=False)(system)
    return ConfidenceReport(report, levels(report, wanted, drawn), shown)


class SignificanceSettings(OfTest, ConfidenceSettings, total=False):
    """The settings of `significance`."""


@public(SignificanceSettings)
def significance(  # noqa: PLR0913 - keyword-only
    systems: Mapping[str, System] | Iterable[arguments.Path],
    *,
    gold: arguments.Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    parts: requests.PartName | Iterable[requests.PartName] = requests.DEFAULT_PARTS,
    one_sided: bool = False,
    holm: bool = False,
    **scoring: "Unpack[SignificanceSettings]",
) -> SignificanceReport:
    """Test every pair of systems against each other by a paired test, as ``scorch2 significance``.

    Parameters
    ----------
    systems : mapping from names to systems, or iterable of paths
        Two or more, each as in `confidence`. Paths are their own names.
    gold, metrics, parts
        As in `confidence`.
    one_sided : bool
        Count only differences in the direction of the observed one, as neleval does.
    holm : bool
        Add p-values corrected for the number of pairs.
    **scoring
        {settings}

        All others are as in `confidence`.

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
    Approximate randomisation: documents are exchanged between two systems; Efron and Tibshirani 1993,
    chapter 15. Bootstrap: the same, chapter 16, and Berg-Kirkpatrick et al. 2012. Holm 1979.

    Examples
    --------
    >>> paths = ["fixtures/example/sys", "fixtures/example/other"]
    >>> found = significance(paths, gold="fixtures/example/gold", metrics=["muc"], parts=["recall"])
    >>> found.to_records()[0]["p"]
    0.5
    """
    named = named_systems(systems, least=2)
    shown = requests.parts_of(arguments.several(parts, "parts", _PARTS))
    drawn = requests.sampling(requests.ARGUMENTS, scoring, OfNeleval)
    test = requests.checked_settings(requests.ARGUMENTS, OfTest, scoring)["test"]
    directed, correct = arguments.flag(one_sided, "one_sided"), arguments.flag(holm, "holm")
    report_of = reports_of(gold, metrics, shown, arguments.without(scoring, OfNeleval, OfTest))
    reports = comparable_systems(reports_by_name(named, report_of))
    compared = compare_pairs(reports, drawn, two_sided=not directed, correct=correct, test=test)
    return SignificanceReport(compared, reports, shown)


def _levels(percentiles: Iterable[float]) -> list[float]:
    if isinstance(percentiles, int | float):
        percentiles = [percentiles]
    values = [*arguments.several(percentiles, "percentiles", "[95]")]
    if not values:
        raise UsageError("percentiles are levels in percent, such as [95], not none")
    return requests.levels_of(requests.ARGUMENTS, values)


def reports_of(
    gold: arguments.Path | Clusters | None,
    metrics: Iterable[str],
    parts: Sequence[str],
    scoring: Any,
    *,
    several: bool = True,
) -> Callable[[Any], Report]:
    """Return a function from a system to its report, for all options of `Scoring`; `several` may come."""
    typed = dict(scoring)
    jobs, executor = typed.pop("jobs", 1), typed.pop("executor", None)
    arguments.check_inputs(scoring)
    gold = None if gold is None else arguments.kept(gold, "gold")
    names = separated(arguments.several(metrics, "metrics", _METRICS))
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"metrics are names, such as {_METRICS}, not {quoted(name)}")
    against = requests.Against(
        requests.ARGUMENTS, gold, names, typed, [part for part in parts if part in COUNTS]
    )
    kind = against.kind()
    if kind != "coreference" and (jobs != 1 or executor is not None):
        raise UsageError("jobs and executor are for coreference that is scored against gold")
    score = arguments.chosen_engine(scoring)
    report = against.reports(kind, partial(_scored_once, keeping_gold(score) if several else score))
    return lambda system: reworded(report(system))


def _scored_once(score: Engine, gold: arguments.Path | Clusters, system: Any, options: Options) -> Report:
    if isinstance(system, Report | ErrorReport):
        raise UsageError("a report is scored already: leave out gold")
    return arguments.scored(score, gold, system, options)


def named_systems(
    systems: Mapping[str, System] | Iterable[arguments.Path], *, least: int, what: str = "system"
) -> Mapping[str, System]:
    """Return systems by name, or what else they are (`what`), at least so many."""
    if isinstance(systems, str | os.PathLike | Report) or not isinstance(systems, Iterable):
        raise UsageError(f"{what}s are a mapping from names to {what}s, or a list of paths")
    if isinstance(systems, Mapping):
        by_name = {str(name): system for name, system in systems.items()}
    else:
        paths = [*systems]
        if not all(isinstance(path, str | os.PathLike) for path in paths):
            example = "report" if what == "system" else "clusters"
            raise UsageError(f'name the {what}s: {{"one": {example}, "other": other_{example}}}')
        by_name = {os.fspath(path): path for path in paths}
        if len(by_name) < len(paths):
            raise UsageError(f"{'an' if what[0] == 'a' else 'a'} {what} is given twice")
    if len(by_name) < least:
        raise UsageError(f"give at least {counted(least, what)}, not {len(by_name)}")
    return by_name


def reports_by_name(systems: Mapping[str, System], report_of: Callable[[Any], Report]) -> dict[str, Report]:
    """Return the report of each system; errors about the value of one name it."""
    reports = {}
    for name, system in systems.items():
        try:
            reports[name] = report_of(system)
        except UsageError as error:
            raise UsageError(f"{printable(name)}: {error}") from None
    return reports
