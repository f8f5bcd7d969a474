"""Commands that put systems or annotators side by side: compare, leaderboard, agreement."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain, permutations
from typing import Any, NamedTuple

from scorch2.analysis import agreement
from scorch2.analysis.corpus import ShownMetrics, analysed, shown_first_to, shown_metrics, system_of
from scorch2.analysis.error_report import AnalysisRequest, ErrorReport, PageRequest
from scorch2.analysis.systems import DEFAULT
from scorch2.analysis.uncertainty import agreement_of, side_by_side, with_contrasts
from scorch2.api import requests
from scorch2.api.requests import WORDS
from scorch2.audit.judge import comparable_systems
from scorch2.cli import options, output, outputs, usage
from scorch2.model.errors import UsageError
from scorch2.model.forms import FORMS, forms_of, render
from scorch2.model.options import ALL, INPUTS, OPTIONS, Options, flag_of, separated
from scorch2.model.score import Sampling
from scorch2.model.settings import ALPHA, OfAgreement, OfTrials
from scorch2.model.values import day_of, metrics_of
from scorch2.reports.figures import COMPARED
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.layout.escaping import relative_address
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.report import Report
from scorch2.workers.engine import Engine, keeping_gold

_METRICS = (
    "columns: metrics, separated by commas (repeatable); by default "
    f"{', '.join(DEFAULT)}, and with --reports those that all reports have"
)
USAGE = f"""Put systems side by side: systems in rows, metrics in columns, significant differences marked.

Usage:
  scorch2 compare [options] [--] <gold> <sys>...

  <gold>        the gold file or folder; -g names it, too, and all paths are systems then
  <sys>         the systems to score against it, files or folders; with --reports all paths, the
                first too, are JSON reports of scorch2

Report:
  -g, --gold=<path>         gold, instead of the first path
{usage.format_usage("systems")}
{outputs.plot_option(COMPARED)}
{usage.output_options("where the report goes; standard output if absent or -", several=True)}
{usage.option_lines("-m, --metric=<name>", _METRICS)}
{usage.setting_options("parts")}
  --name=<name>             name of a system, instead of its path: once for each, in order
                            (repeatable)
  --errors                  columns are kinds of errors, their numbers and shares
  --pages=<folder>          with --errors, also write pages of errors, one for each ordered pair
  --reports                 compare stored reports: nothing is scored
  --no-signature            leave out the last line, which says how the numbers were made

Tests and intervals:
{usage.setting_options("against", "letters", "test", "alpha")}
{usage.confidence_options()}
{usage.setting_options("resample")}

{usage.SCORING_USAGE}

{usage.RUNNING_USAGE}

The tests are paired permutation tests over documents, or bootstrap tests, two-sided, corrected
after Holm for the number of systems that are tested, or of pairs.

{usage.exit_statuses()}
"""
CHOICES = {"--format": forms_of("systems"), "--plot": COMPARED}
_OF_SCORING = (*OPTIONS, *INPUTS, "profile", "jobs", "dask", "resample")


class Asked(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    gold: str | None  # None if the systems are stored reports
    paths: Mapping[str, str]  # by the names of the systems
    metrics: Sequence[str]
    options: Options
    shown: ShownMetrics  # of errors
    rules: Mapping[str, Any]  # of tests and intervals, for `side_by_side`
    errors: bool  # whether columns are kinds of errors
    pages: str | None  # a folder for pages of errors
    force: bool
    score: Engine
    reports: outputs.Reports
    plots: Sequence[outputs.Plot]

    def analysed(
        self,
        path: str,
        other: str | None = None,
        request: AnalysisRequest = AnalysisRequest(),  # noqa: B008 - it does not change
    ) -> ErrorReport:
        """Return the errors of a system, compared with another one if there is one."""
        named = partial(system_of, self.score, self.gold or "", self.options)
        second = None if other is None else named(unwatched, other)
        return analysed(named(self.reports.watch, path), second, request, self.shown)

    def page(self, system: str, other: str) -> str:
        """Return the page of errors of a system beside another one."""
        title = f"{system} against {self.gold}, compared with {other}"
        request = AnalysisRequest(page=PageRequest(title, systems=(system, other)))
        report = self.analysed(self.paths[system], self.paths[other], request)
        return render(with_contrasts(report, self.rules["sampling"]), "html")

    def scored(self, path: str) -> Report:
        """Return the scores of a system."""
        if self.gold is None:
            from scorch2.audit.baseline import read_metrics

            return read_metrics(path, self.metrics, requests.lookup)
        return self.score(self.gold, path, self.options, self.reports.watch)


def run(given: dict[str, Any]) -> int:
    """Compare the systems that `given` names and return the exit status."""
    asked = asked_of(given)
    analyses = {name: asked.analysed(path) for name, path in asked.paths.items() if asked.errors}
    stored = {
        path: analyses[name].report if asked.errors else asked.scored(path)
        for name, path in asked.paths.items()
    }
    reports = comparable_systems(stored)
    by_name = {name: reports[path] for name, path in asked.paths.items()}
    compared = side_by_side(by_name, **asked.rules, signature=asked.reports.signed, errors=analyses)
    places: dict[tuple[str, str], str] = {}
    if asked.pages is not None:
        folder, target = asked.pages, asked.reports.targets[0].path
        numbers = {name: number for number, name in enumerate(asked.paths, 1)}  # names may be any
        places = {
            (one, other): os.path.join(folder, f"{numbers[one]}-{numbers[other]}.html")
            for one, other in permutations(numbers, 2)
        }
        inputs = [asked.gold or "", *asked.paths.values()]
        outputs.check_files(places.values(), inputs, None, force=asked.force)
        start = "." if output.is_stream(target) else os.path.dirname(target) or "."
        links = {names: relative_address(path, start) for names, path in places.items()}
        compared = compared._replace(pages=links)
    pages = ((path, asked.page(*systems)) for systems, path in places.items())
    with outputs.folder(asked.pages) if asked.pages is not None and places else nullcontext():
        asked.reports.write(compared, beside=chain(outputs.images_of(asked.plots, compared), pages))
    return 0


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, by its name in the usage text: the value of ``--gold`` is the first path."""
    typed, paths = usage.split_words(USAGE, words)
    named = [word.partition("=")[2] for word in typed if word.startswith("--gold=")]
    if named and "--reports" in typed:
        raise UsageError("--gold does not go with --reports: they are scored already")
    return usage.parse_words(USAGE, [*typed, "--", *named, *paths] if named else words)


def asked_of(given: dict[str, Any]) -> Asked:
    """Return what `given` asks for."""
    gold, systems, profile = given["<gold>"], given["<sys>"], given["--profile"]
    if given["--reports"]:
        gold, systems = None, [gold, *systems]
        why = "does not go with --reports: they are scored already"
        options.refuse(given, map(flag_of, _OF_SCORING), why)
    else:
        options.refuse_report(systems, "systems", "path after gold is a system")
    names = options.names_of(given["--name"], systems, "system")
    if gold == output.STDOUT and len(systems) > 1:
        raise UsageError("gold cannot be standard input: it is read for every system")
    reports = outputs.reports_request(given, "systems", [gold, *systems])
    _refuse_with_errors(given)
    rules = _rules(given)
    metrics, shown = separated(given["--metric"]), shown_metrics(given["--metric"], profile)
    columns = chosen_metrics(metrics) or metrics_of(profile, DEFAULT)
    counted = shown.counted() if given["--errors"] else columns
    unsigned = given | {"--no-signature": False}
    return Asked(
        gold,
        dict(zip(names, systems, strict=True)),
        metrics,
        options.typed_options(unsigned, counted, resample=given["--resample"]),
        shown,
        rules,
        given["--errors"],
        given["--pages"],
        given["--force"],
        keeping_gold(options.chosen_engine(given)),
        reports,
        outputs.requested_plots(
            given, [gold, *systems], [target.path for target in reports.targets], COMPARED
        ),
    )


_OF_SCORES = ("--letters", "--parts", "--confidence", "--resample", "--reports", "--plot")


def _refuse_with_errors(given: dict[str, Any]) -> None:
    if given["--pages"] is not None and not given["--errors"]:
        raise UsageError("--pages are pages of errors: it needs --errors")
    if given["--errors"]:
        options.refuse(given, _OF_SCORES, "is about scores: it does not go with --errors")


def _rules(given: dict[str, Any]) -> dict[str, Any]:
    """Return how systems are tested, and how intervals are drawn."""
    rules = requests.comparison_rules(WORDS, given)
    if rules["against"] != "none" or rules["letters"]:
        return rules
    options.refuse(given, ("--alpha", "--test"), "is for tests: it does not go with --against=none")
    if rules["sampling"].level is None:
        why = "is for tests and intervals: it needs --confidence or --against"
        options.refuse(given, ("--trials", "--seed", "--resample"), why)
    return rules


_BOARD_METRICS = (
    "columns: metrics, separated by commas (repeatable); or all (default): those that all reports have"
)
_BOARD_ALPHA = (
    f"two systems differ if their corrected p is at most that (default {ALPHA:g}); or percent, such as 5%"
)
_BOARD_PAGES = "where pages of errors are, called like the systems (default: beside the reports)"
LEADERBOARD_USAGE = f"""Rank systems by their stored reports: a page or a table, with letters of significance.

Usage:
  scorch2 leaderboard [options] [--] <report>...

  <report>      JSON reports of score or errors, and folders that are searched for them (*.json);
                a system is called like its file, or like the folder of files called alike

Report:
{usage.format_usage("board")}
{usage.output_options("where the board goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _BOARD_METRICS)}
{usage.setting_options("parts")}
  --sort=<metric>           the metric that ranks (default: the CoNLL average, or the first one)
  --per-file                add a column for each pair of files; corpora of a shared task have one
  --until=<day>             only submissions to a shared task until this day: a frozen board
  --history                 a row for each submission of a team, not only for the best one
{usage.option_lines("--pages=<folder>", _BOARD_PAGES)}
  --title=<text>            the title of the page (default: Leaderboard)
  --no-signature            leave out the lines that say how the numbers were made

Tests:
{usage.setting_options("test")}
{usage.setting_options("alpha", what=_BOARD_ALPHA)}
{usage.setting_options(*OfTrials.__annotations__)}

Other:
{usage.other_options("no warnings", strict=True)}

Reports whose options, documents or gold differ cannot be compared and have rankings of their own.
Systems without a common letter differ: all pairs of a ranking are tested, corrected after Holm.

{usage.exit_statuses()}
"""
LEADERBOARD_CHOICES = {"--format": forms_of("board")}


def run_leaderboard(given: dict[str, Any]) -> int:
    """Rank the reports that `given` names and return the exit status."""
    from scorch2.audit.board import TITLE, BoardRules, board_of_files

    paths, metrics = given["<report>"], separated(given["--metric"])
    metrics = [name for name in metrics if name.casefold() != ALL]
    for name in metrics:
        requests.lookup(None).one(name)  # an unknown one is told before any report is read
    options.refuse_report(paths, "board", "path is a report")
    files = [path for path in paths if not os.path.isdir(path)]  # in a folder, only reports are inputs
    reports = outputs.reports_request(given, "board", files)
    rules = BoardRules(
        metrics,
        given["--sort"],
        **requests.ranking_rules(WORDS, given),
        per_file=given["--per-file"],
        until=day_of(given["--until"], "--until") if given["--until"] is not None else "",
        history=given["--history"],
    )
    board = board_of_files(paths, rules, requests.lookup, given["--pages"])
    target = output.report_target(given, [*board.files.values(), *board.pages.values()])
    board = board._replace(
        title=given["--title"] or TITLE,
        folder="." if output.is_stream(target) else os.path.dirname(target) or ".",
        shows_signature=reports.signed,
    )
    reports.write(board)
    return 0


_AGREEMENT_METRICS = (
    "columns: metrics of score and coefficients, separated by commas (repeatable); by default "
    f"{', '.join((*agreement.DEFAULT, *agreement.COEFFICIENTS))}"
)
AGREEMENT_USAGE = f"""\
Say how far annotators agree: every pair in a row, and their mean.

Usage:
  scorch2 agreement [options] [--] <annotator> <annotator>...

  <annotator>   the files of one annotator: a file or a folder; two or more annotators

Report:
{usage.format_usage("annotators")}
{usage.output_options("where the report goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _AGREEMENT_METRICS)}
{usage.setting_options("units")}
  --name=<name>             name of an annotator, instead of the path: once for each, in order
                            (repeatable)
  --per-document            add rows for every document, the lowest first
  --sort=<column>           the column that is meant by lowest (default conll)
  --worst=<n>               only rows of the n lowest documents
  --title=<text>            title of the page of two annotators (-f html)
{usage.confidence_options()}
  --no-signature            leave out the last line, which says how the numbers were made

{usage.SCORING_USAGE}

{usage.RUNNING_USAGE}

In a pair, "gold" is the annotator that is named first, and "system" the second. An option about the
files of one side holds for all annotators. What the coefficients are: scorch2 help annotators.

{usage.exit_statuses()}
"""
AGREEMENT_CHOICES = {"--format": forms_of("annotators"), "--metric": (ALL, *METRICS, *agreement.COEFFICIENTS)}


class _Annotators(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    paths: Mapping[str, str]  # by the names of the annotators
    request: agreement.AgreementRequest
    options: Options
    rows: agreement.Listed | None
    sampling: Sampling
    score: Engine
    reports: outputs.Reports

    def scored(
        self, names: agreement.PairNames, metrics: tuple[str, ...], watch: Watch, measure: Measure
    ) -> Report:
        """Return the scores of the second of two annotators against the first by some metrics."""
        one, other = (self.paths[name] for name in names)
        chosen = self.options._replace(metrics=metrics)
        return self.score(one, other, chosen, shown_first_to(watch, self.reports.watch), measure)


def run_agreement(given: dict[str, Any]) -> int:
    """Compare the annotators that `given` names and return the exit status."""
    asked = _annotators(given)
    agreed = agreement_of([*asked.paths], asked.scored, asked.request, asked.sampling)
    asked.reports.write(agreed._replace(listed=asked.rows, shows_signature=asked.reports.signed))
    return 0


def _annotators(given: dict[str, Any]) -> _Annotators:
    """Return what `given` asks for."""
    paths = [given["<annotator>"]] if isinstance(given["<annotator>"], str) else given["<annotator>"]
    options.refuse_report(paths, "annotators", "path is an annotator")
    reports = outputs.reports_request(given, "annotators", paths)
    request = agreement.agreement_request(given["--metric"], given["--profile"])
    columns = (*request.metrics, *request.coefficients)
    per, sort, worst = options.asked_rows(given, lambda name: usage.choice(name, columns, "column"))
    units = requests.checked_settings(WORDS, OfAgreement, given)["units"]
    requests.refuse_annotators(WORDS, paths, given["--title"])
    inputs = requests.inputs_of_all(WORDS, options.typed_inputs(given), len(paths))
    given |= {flag_of(name): value for name, value in inputs.items()}
    chosen = options.typed_options(given, request.counted())
    requests.refuse_sides(WORDS, chosen)
    names = options.names_of(given["--name"], paths, "annotator")
    title = given["--title"]
    if FORMS[reports.targets[0].form].is_page:
        title = " and ".join(names) if title is None and not names[2:] else title
    elif title is not None:
        raise UsageError("--title is about the page: it needs -f html")
    return _Annotators(
        dict(zip(names, paths, strict=True)),
        request._replace(units=units, title=title),
        chosen,
        agreement.Listed(sort, worst) if per else None,
        options.typed_intervals(given),
        options.chosen_engine(given),
        reports,
    )
