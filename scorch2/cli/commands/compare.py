"""Commands that put systems side by side, with tests of their differences: compare, leaderboard."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import permutations
from typing import Any, TypeAlias

from scorch2.analysis.corpus import AnalysedSystem, analysed, shown_first_to, shown_metrics
from scorch2.analysis.error_report import AnalysisRequest, ErrorReport, PageRequest
from scorch2.analysis.systems import DEFAULT
from scorch2.analysis.uncertainty import side_by_side, with_contrasts
from scorch2.api.requests import WORDS, comparison_rules, lookup, word_of
from scorch2.audit.baseline import read_metrics
from scorch2.audit.board import TITLE, BoardRules, board_of_files
from scorch2.audit.judge import comparable_systems
from scorch2.cli import console, options, output, outputs, usage
from scorch2.cli.commands.errors import images_of, requested_plots
from scorch2.model.errors import UsageError
from scorch2.model.forms import PAPERS, form_of, forms_of, render
from scorch2.model.options import ALL, INPUTS, OPTIONS, separated
from scorch2.model.score import TRIALS
from scorch2.model.settings import ALPHA, OfTests
from scorch2.model.values import day_of, metrics_of
from scorch2.reports.figures import COMPARED
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.layout.escaping import relative_address
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.report import Report
from scorch2.workers.engine import keeping_gold

_METRICS = (
    "columns: metrics, separated by commas (repeatable); by default "
    f"{', '.join(DEFAULT)}, and with --reports those that all reports have"
)
_FORMS = f"{usage.name_list(forms_of('systems'), 'default')}; else the suffix decides"
USAGE = f"""Put systems side by side: systems in rows, metrics in columns, significant differences marked.

Usage:
  scorch2 compare [options] [--] <gold> <sys>...

  <gold>        the gold file or folder; -g names it, too, and all paths are systems then
  <sys>         the systems to score against it, files or folders; with --reports all paths, the
                first too, are JSON reports of scorch2

Report:
  -g, --gold=<path>         gold, instead of the first path
{usage.option_lines("-f, --format=<name>", _FORMS)}
{usage.LATEX_USAGE}
{usage.plot_option(COMPARED)}
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
{usage.resample_option()}

{usage.SCORING_USAGE}

{usage.RUNNING_USAGE}

The tests are paired permutation tests over documents, or bootstrap tests, two-sided, corrected
after Holm for the number of systems that are tested, or of pairs.

{usage.exit_statuses()}
"""
CHOICES = {
    "--format": forms_of("systems"),
    "--latex": PAPERS,
    "--plot": COMPARED,
}
_OF_SCORING = (*OPTIONS, *INPUTS, "profile", "jobs", "dask", "resample")
Score: TypeAlias = Callable[..., Report]
"""From a system to its report, as an `Engine` does whose gold is given."""


def run(words: Sequence[str]) -> int:
    """Compare the systems that `words` name and return the exit status."""
    given = usage.parse_words(USAGE, _gold_first(words))
    gold, systems = given["<gold>"], given["<sys>"]
    if given["--reports"]:
        gold, systems = None, [gold, *systems]
    else:
        options.refuse_report(systems, "systems", "path after gold is a system")
    names = options.names_of(given["--name"], systems, "system")
    form = form_of(given["--format"], output.report_path(given), "systems", given["--latex"] and "latex")
    paper = options.requested_paper(given, [form])
    _refuse_with_errors(given)
    asked = _asked(given)
    usage.share_no_stream(gold, *systems)
    target = output.report_target(given, [gold, *systems])
    inputs = [path for path in (gold, *systems) if path is not None]
    plots = requested_plots(given, inputs, [target], COMPARED)
    found: dict[str, ErrorReport] = {}
    score = None if gold is None else _against(gold, given)
    if score is not None and given["--errors"]:
        found = {name: _analysed(given, score, path) for name, path in zip(names, systems, strict=True)}
        stored = {path: found[name].report for name, path in zip(names, systems, strict=True)}
    else:
        stored = _stored(given, systems) if score is None else _scored(given, score, systems)
    reports = comparable_systems(stored)
    by_name = {name: reports[path] for name, path in zip(names, systems, strict=True)}
    compared = side_by_side(by_name, **asked, signature=not given["--no-signature"], errors=found)
    console.refuse_warnings(compared.notices, strict=given["--strict"])
    pages: list[tuple[str, str]] = []
    if score is not None and given["--pages"] is not None:
        places = {pair: os.path.join(given["--pages"], page) for pair, page in _pages_of(names).items()}
        outputs.check_files(places.values(), inputs, None, force=given["--force"])
        start = "." if output.is_stream(target) else os.path.dirname(target) or "."
        links = {pair: relative_address(path, start) for pair, path in places.items()}
        compared = compared._replace(pages=links)
        paths = dict(zip(names, systems, strict=True))
        pages = [(path, _page(given, score, paths, pair)) for pair, path in places.items()]
    figures = images_of(plots, compared)
    report = target, output.laid_out(target, partial(render, compared, form, paper=paper))
    with outputs.folder(given["--pages"]) if pages else nullcontext():
        output.write_all([report, *figures, *pages])
    console.warn(compared.notices, quiet=given["--quiet"])
    return 0


def _gold_first(words: Sequence[str]) -> Sequence[str]:
    """Return the words with the value of ``--gold`` as the first path."""
    typed, paths = usage.split_words(USAGE, words)
    named = [word.partition("=")[2] for word in typed if word.startswith("--gold=")]
    if named and "--reports" in typed:
        raise UsageError("--gold does not go with --reports: they are scored already")
    return [*typed, "--", *named, *paths] if named else words


_OF_SCORES = ("--letters", "--parts", "--confidence", "--resample", "--reports", "--plot")


def _refuse_with_errors(given: dict[str, Any]) -> None:
    if given["--pages"] is not None and not given["--errors"]:
        raise UsageError("--pages are pages of errors: it needs --errors")
    for name in _OF_SCORES if given["--errors"] else ():
        if given[name]:
            raise UsageError(f"{name} is about scores: it does not go with --errors")


def _against(gold: str, given: dict[str, Any]) -> Score:
    """Return the function that scores a system against gold, which is read once."""
    if gold == output.STDOUT and len(given["<sys>"]) > 1:
        raise UsageError("gold cannot be standard input: it is read for every system")
    return partial(keeping_gold(options.chosen_engine(given)), gold)


def _analysed(
    given: dict[str, Any],
    score_system: Score,
    path: str,
    other: str | None = None,
    request: AnalysisRequest = AnalysisRequest(),  # noqa: B008 - it does not change
) -> ErrorReport:
    """Return the errors of a system, compared with another one if there is one."""
    metrics = shown_metrics(given["--metric"], given["--profile"])
    chosen = options.typed_options(given | {"--no-signature": False}, metrics.counted())
    progress = unwatched if given["--quiet"] else console.progress

    def named(system: str) -> AnalysedSystem:
        def score(watch: Watch, measure: Measure) -> Report:
            return score_system(system, chosen, shown_first_to(watch, progress), measure)

        return AnalysedSystem(system, score)

    return analysed(named(path), None if other is None else named(other), request, metrics)


def _pages_of(names: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the name of the page of each system beside each other one: numbers, as names may be any."""
    numbers = {name: number for number, name in enumerate(names, 1)}
    return {(one, other): f"{numbers[one]}-{numbers[other]}.html" for one, other in permutations(names, 2)}


def _page(given: dict[str, Any], score: Score, paths: Mapping[str, str], pair: tuple[str, str]) -> str:
    one, other = pair
    request = AnalysisRequest(page=PageRequest(f"{one} against {given['<gold>']}, compared with {other}"))
    found = _analysed(given, score, paths[one], paths[other], request)
    return render(with_contrasts(found, options.typed_sampling(given)), "html")


def _asked(given: dict[str, Any]) -> dict[str, Any]:
    asked = comparison_rules(
        WORDS,
        options.typed_sampling(given),
        options.typed(given, OfTests.__annotations__),
    )
    if asked["against"] != "none" or asked["letters"]:
        return asked
    for name in ("--alpha", "--test"):
        if given[name] is not None:
            raise UsageError(f"{name} is for tests: it does not go with --against=none")
    for name in ("--trials", "--seed", "--resample") if asked["sampling"].level is None else ():
        if given[name] is not None:
            raise UsageError(f"{name} is for tests and intervals: it needs --confidence or --against")
    return asked


def _stored(given: dict[str, Any], paths: Sequence[str]) -> dict[str, Report]:
    for name in options.typed(given, _OF_SCORING):
        raise UsageError(f"{word_of(name)} does not go with --reports: they are scored already")
    wanted = separated(given["--metric"])
    return {path: read_metrics(path, wanted, lookup) for path in paths}


def _scored(given: dict[str, Any], score: Score, paths: Sequence[str]) -> dict[str, Report]:
    metrics = chosen_metrics(given["--metric"]) or metrics_of(given["--profile"], DEFAULT)
    chosen = options.typed_options(given | {"--no-signature": False}, metrics, resample=given["--resample"])
    watch = unwatched if given["--quiet"] else console.progress
    return {path: score(path, chosen, watch) for path in paths}


_BOARD_FORMS = f"{usage.name_list(forms_of('board'), 'default')}; else the suffix decides"
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
{usage.option_lines("-f, --format=<name>", _BOARD_FORMS)}
{usage.LATEX_USAGE}
{usage.output_options("where the board goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _BOARD_METRICS)}
{usage.setting_options("parts")}
  --sort=<metric>           the metric that ranks (default: the CoNLL average, or the first one)
  --per-file                add a column for each pair of files; corpora of a shared task have one
  --until=<day>             only submissions to a shared task until this day: a frozen board
  --history                 a row for each submission of a team, not only for the best one
{usage.option_lines("--pages=<folder>", _BOARD_PAGES)}
  --title=<text>            the title of the page (default: {TITLE})
  --no-signature            leave out the lines that say how the numbers were made

Tests:
{usage.setting_options("test")}
{usage.setting_options("alpha", what=_BOARD_ALPHA)}
  --trials=<n>              number of permutations or bootstrap samples (default {TRIALS})
  --seed=<n>                seed of the random numbers (default 0)

Other:
{usage.other_options("no warnings", strict=True)}

Reports whose options, documents or gold differ cannot be compared and have rankings of their own.
Systems without a common letter differ: all pairs of a ranking are tested, corrected after Holm.

{usage.exit_statuses()}
"""
LEADERBOARD_CHOICES = {
    "--format": forms_of("board"),
    "--latex": PAPERS,
}


def run_leaderboard(words: Sequence[str]) -> int:
    """Rank the reports that `words` name and return the exit status."""
    given = usage.parse_words(LEADERBOARD_USAGE, words)
    paths, metrics = given["<report>"], separated(given["--metric"])
    metrics = [name for name in metrics if name.casefold() != ALL]
    for name in metrics:
        lookup(None).one(name)  # an unknown one is told before any report is read
    options.refuse_report(paths, "board", "path is a report")
    form = form_of(given["--format"], output.report_path(given), "board", given["--latex"] and "latex")
    paper = options.requested_paper(given, [form])
    usage.share_no_stream(*paths)
    files = [path for path in paths if not os.path.isdir(path)]  # in a folder, only reports are inputs
    target = output.report_target(given, files)
    tested = comparison_rules(
        WORDS,
        options.typed_sampling({"--confidence": None, **given}),
        {**options.typed(given, OfTests.__annotations__), "letters": True},
    )
    rules = BoardRules(
        metrics,
        given["--sort"],
        **{name: tested[name] for name in ("parts", "alpha", "sampling", "test")},
        per_file=given["--per-file"],
        until=day_of(given["--until"], "--until") if given["--until"] else "",
        history=given["--history"],
    )
    board = board_of_files(paths, rules, lookup, given["--pages"])
    console.refuse_warnings(board.notices, strict=given["--strict"])
    board = board._replace(
        title=given["--title"] or TITLE,
        folder="." if output.is_stream(target) else os.path.dirname(target) or ".",
        shows_signature=not given["--no-signature"],
    )
    output.report_target(given, [*board.files.values(), *board.pages.values()])
    output.write(target, output.laid_out(target, partial(render, board, form, paper=paper)))
    console.warn(board.notices, quiet=given["--quiet"])
    return 0
