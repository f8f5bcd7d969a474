"""The error analysis, and systems side by side, for Python callers."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scorch2.analysis.agreement import Agreement, PairNames, Score, agreement_request
from scorch2.analysis.corpus import AnalysedSystem, ShownMetrics, analysed, shown_metrics
from scorch2.analysis.error_report import AnalysisRequest, ErrorReport, ListedRow
from scorch2.analysis.systems import DEFAULT, Comparison
from scorch2.analysis.uncertainty import agreement_of, side_by_side, with_contrasts, with_intervals
from scorch2.api import arguments, requests, resampling
from scorch2.api.arguments import public, reworded
from scorch2.audit.judge import comparable_systems
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError
from scorch2.model.options import Options
from scorch2.model.settings import OfAgreement, OfIntervals, OfTests
from scorch2.model.values import metrics_of
from scorch2.scoring.flow import score_paths
from scorch2.workers.engine import Engine

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.api.resampling import Scoring
    from scorch2.scoring.flow import Measure, Watch
    from scorch2.scoring.report import Report


class ErrorSettings(requests.AnalysisSettings, OfIntervals, arguments.Settings, total=False):
    """The settings of `errors`."""


@public(ErrorSettings)
def errors(
    gold: arguments.Path | Clusters,
    system: arguments.Path | Clusters,
    other: arguments.Path | Clusters | None = None,
    *,
    metrics: Iterable[str] = (),
    **choices: "Unpack[ErrorSettings]",
) -> ErrorReport:
    """Count the errors of coreference output by kind, and what each kind costs, as ``scorch2 errors``.

    Parameters
    ----------
    gold, system : path, or clusters
        As in `scorch2.score`. Clusters of spans have no text: `scorch2.read` keeps it.
    other : path, or clusters, optional
        A second system: the links that it fixes and newly loses.
    metrics : iterable of str
        The metrics for corrected output; by default muc b_cubed ceaf_e lea conll.
    **choices
        ``title`` : the title of the page: with one, ``save("page.html")`` writes the page.

        {settings}

        All others are as in `scorch2.score`: ``profile``, ``gold_format``, ``average``, ``jobs`` ...

    Returns
    -------
    ErrorReport
        ``errors`` by kind, ``links`` by status, ``shares`` in -1..1, ``corrected`` scores in 0..1 (``alone``
        and ``in_order``), ``breakdown``, ``patterns``, ``places``, ``windows``, ``what_if``, ``compared``,
        ``list``, ``gained()`` in -1..1, ``examples("divided")``, the errors of a kind in their sentences,
        ``gain_intervals``, the ``report`` of scores, and by kind what is ``uncopied`` under
        ``align="text"``.

    Raises
    ------
    InputError
        For input that cannot be scored, or lacks what an option needs, such as tokens (also a `ValueError`).
    PairingError
        As in `scorch2.score`, and if the other system has other documents or tokens.
    UsageError
        For unknown names and values.

    Notes
    -----
    The kinds are those of Kummerfeld and Klein 2013 (D13-1027), counted so that each link that MUC loses is
    in exactly one error.

    Examples
    --------
    >>> found = errors([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])
    >>> found.errors["conflated"].errors, found.corrected.alone["conflated"]["muc"].f1
    (1, 0.8)
    """
    paths = _path_of(gold), _path_of(system), _path_of(other)
    request = requests.errors_request(requests.ARGUMENTS, choices, choices.get("title"), paths=paths)
    drawn = requests.sampling(requests.ARGUMENTS, choices)
    shown = shown_metrics(metrics, choices.get("profile"))
    chosen = arguments.chosen_options(choices, shown.counted())
    engine = arguments.chosen_engine(choices)
    if isinstance(gold, str | os.PathLike):
        requests.refuse_second_reading(requests.ARGUMENTS, os.fspath(gold), other)
    given = {"gold": gold, "system": system} | ({} if other is None else {"other": other})
    sides = [arguments.kept(side, name) for name, side in given.items()]
    analyse = partial(_analysed, sides, chosen, shown)
    report = analyse(request, engine)
    alone = AnalysisRequest(
        request.spans, request.types, gains="none", listing="examples", documents=request.documents
    )
    report = report._replace(list_examples=_Once(partial(analyse, alone), engine))
    if omitted := report.omissions():
        scores = report.report
        report = report._replace(report=reworded(scores._replace(notices=[*scores.notices, *omitted])))
    report = with_contrasts(report, drawn)
    return report if drawn.level is None else with_intervals(report, drawn)


def _path_of(side: object) -> str:
    """Return the path of a side, by which pages name it; clusters of a program have none."""
    return os.fspath(side) if isinstance(side, str | os.PathLike) else ""


def _analysed(
    sides: Sequence[arguments.Path | Clusters],
    chosen: Options,
    shown: ShownMetrics,
    request: AnalysisRequest,
    engine: Engine,
) -> ErrorReport:
    """Return the errors of the system that comes after gold, and of a second one if there is one."""
    systems = [
        AnalysedSystem(name, partial(arguments.scored, engine, sides[0], side, chosen))
        for name, side in zip(("system", "other"), sides[1:], strict=False)
    ]
    return analysed(systems[0], systems[1] if systems[1:] else None, request, shown)


class _Once:
    """The examples of a report, which are listed when they are asked for first, and then kept."""

    # Reports that are equal besides have the same examples
    def __init__(self, analyse: Callable[[Engine], ErrorReport], engine: Engine = score_paths) -> None:
        self._analyse, self._engine = analyse, engine
        self._rows: Sequence[ListedRow] | None = None

    def __call__(self) -> Sequence[ListedRow]:
        if self._rows is None:
            self._rows = self._analyse(self._engine).rows
        return self._rows

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_engine": score_paths}  # workers are of this process

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Once)

    __hash__ = None  # type: ignore[assignment]  # as a report


class AgreementSettings(OfAgreement, OfIntervals, resampling.Scoring, total=False):
    """The settings of `agreement`."""


@public(AgreementSettings)
def agreement(
    annotators: Mapping[str, arguments.Path | Clusters] | Iterable[arguments.Path],
    *,
    metrics: Iterable[str] = (),
    title: str | None = None,
    **scoring: "Unpack[AgreementSettings]",
) -> Agreement:
    """Say how far annotators agree, in every pair of them and on average, as ``scorch2 agreement``.

    Parameters
    ----------
    annotators : mapping from names to paths or clusters, or iterable of paths
        Two or more, each as a side of `scorch2.score`. Paths are their own names.
    metrics : iterable of str
        Metrics of `scorch2.score`, and the coefficients alpha, alpha_masi, kappa: by default mentions muc
        b_cubed ceaf_e lea conll and all coefficients.
    title : str, optional
        The title of the page of two annotators: with one, ``save("page.html")`` writes their differences in
        the text.
    **scoring
        {settings}

        The options of `scorch2.score` besides; one about the files of a side holds for all annotators.

    Returns
    -------
    Agreement
        ``pairs``, ``mean("alpha")``, ``documents()``, the lowest first, ``to_records()``. F1 in 0..1, the
        same whichever annotator comes first; coefficients up to 1, where 0 is what chance gives. What is 0/0
        is 0.0 and has ``defined`` False.

    Raises
    ------
    InputError, PairingError
        As in `scorch2.score`.
    UsageError
        For unknown names and values, and for less than two annotators.

    Notes
    -----
    Krippendorff's alpha with the distance of Passonneau 2004, and with that of Passonneau 2006 (MASI);
    Cohen's kappa of links: of one document, it is the adjusted Rand index of Hubert and Arabie 1985.

    Examples
    --------
    >>> found = agreement({"ann": [["a", "b"], ["c", "d"]], "bob": [["a", "b"], ["c"], ["d"]]})
    >>> round(found.mean("alpha"), 3), round(found.mean("kappa"), 3)
    (0.745, 0.571)
    """
    named = resampling.named_systems(annotators, least=2, what="annotator")
    drawn = requests.sampling(requests.ARGUMENTS, scoring)
    units = requests.checked_settings(requests.ARGUMENTS, OfAgreement, scoring)["units"]
    wanted = arguments.several(metrics, "metrics", '["muc", "alpha"]')
    asked = agreement_request(wanted, scoring.get("profile"))
    requests.refuse_annotators(requests.ARGUMENTS, named, arguments.text(title, "title"))
    asked = asked._replace(units=units, title=title)
    return agreement_of([*named], _pair_scorer(named, scoring, asked.counted()), asked, drawn)


def _pair_scorer(named: Mapping[str, Any], scoring: "Scoring", metrics: tuple[str, ...]) -> Score:
    """Return the function that scores two annotators; `metrics` are those to begin with."""
    engine = arguments.chosen_engine(scoring)
    if scoring.pop("type_weights", None) is not None:
        raise UsageError("type_weights is for measures of entity linking")
    inputs = requests.inputs_of_all(requests.ARGUMENTS, scoring, len(named))
    sides = {name: arguments.kept(one, name) for name, one in named.items()}
    chosen = arguments.chosen_options({**scoring, **inputs}, metrics)  # type: ignore[typeddict-item]  # keys of Inputs
    requests.refuse_sides(requests.ARGUMENTS, chosen)

    def score(names: PairNames, metrics: tuple[str, ...], watch: "Watch", measure: "Measure") -> "Report":
        one, other = (sides[name] for name in names)
        return arguments.scored(engine, one, other, chosen._replace(metrics=metrics), watch, measure)

    return score


_errors = errors  # an argument of `compare` has its name


class ComparisonSettings(OfTests, OfIntervals, resampling.Scoring, total=False):
    """The settings of `compare`."""


@public(ComparisonSettings)
def compare(
    systems: Mapping[str, resampling.System] | Iterable[arguments.Path],
    *,
    gold: arguments.Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    errors: bool = False,
    **scoring: "Unpack[ComparisonSettings]",
) -> Comparison:
    """Put systems side by side with tests of their differences, as ``scorch2 compare``.

    Parameters
    ----------
    systems : mapping from names to systems, or iterable of paths
        As in `scorch2.significance`; one is enough.
    gold : path, or documents, optional
        What systems are scored against; none for reports.
    metrics : iterable of str
        The columns: with gold by default muc b_cubed ceaf_e lea conll, else those that all reports have.
    errors : bool
        Compare the errors of each kind and their shares, as in `scorch2.errors`, instead of scores; it takes
        the metrics and the options of scoring that `scorch2.errors` takes.
    **scoring
        {settings}

        All others are as in `scorch2.confidence`.

    Returns
    -------
    Comparison
        Scores and ends of intervals in 0..1, differences in -1..1: ``to_records()``, ``to_latex()``.

    Raises
    ------
    InputError, PairingError, UsageError
        As in `scorch2.significance`.

    Notes
    -----
    Paired tests, two-sided, corrected after Holm 1979 for the number of systems, or of pairs.

    Examples
    --------
    >>> gold, paths = "fixtures/example/gold", ["fixtures/example/sys", "fixtures/example/other"]
    >>> compare(paths, gold=gold, metrics=["muc"], average="pooled").to_records()[0]["best"]
    True
    """
    named = resampling.named_systems(systems, least=1)
    rules = requests.comparison_rules(requests.ARGUMENTS, scoring)
    others: Any = arguments.without(scoring, OfTests, OfIntervals)
    if arguments.flag(errors, "errors"):
        if gold is None or rules["letters"] or rules["parts"] != ("f1",) or rules["sampling"].level:
            raise UsageError("errors needs gold, and does not go with letters, parts and confidence")
        outputs: Mapping[str, Any] = named
        analyses = {
            name: _errors(gold, system, metrics=metrics, **others) for name, system in outputs.items()
        }
        reports = comparable_systems({name: one.report for name, one in analyses.items()})
        return side_by_side(reports, **rules, errors=analyses)
    columns = metrics or (() if gold is None else metrics_of(scoring.get("profile"), DEFAULT))
    report_of = resampling.reports_of(gold, columns, (), others)
    return side_by_side(comparable_systems(resampling.reports_by_name(named, report_of)), **rules)
