"""scorch2 errors: why coreference scores are what they are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorch2.analysis.corpus import DEFAULT_METRICS, AnalysedSystem, analysed, shown_first_to, shown_metrics
from scorch2.analysis.dimensions import DIMENSIONS, genre_pattern
from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.mention_types import TYPES_HOW
from scorch2.analysis.request import LISTINGS, SPANS, TEXT_TOKENS, AnalysisRequest, PageRequest
from scorch2.analysis.text import FORMS, PAGE, render
from scorch2.cli import console, output
from scorch2.cli.arguments import (
    choice,
    confidence_options,
    exit_statuses,
    name_list,
    option_lines,
    output_options,
    parse_words,
    share_no_stream,
)
from scorch2.cli.delivery import plotted_dimensions, requested_plots
from scorch2.cli.options import (
    BY_USAGE,
    RUNNING_USAGE,
    SCORING_USAGE,
    TYPES_USAGE,
    chosen_engine,
    typed_dimensions,
    typed_inputs,
)
from scorch2.figures import FIGURES, SUFFIXES, draw, image
from scorch2.model.errors import Notice, OutputError, UsageError, shown_path
from scorch2.model.options import OPTIONS, Options, interval_level, options_from, separated, whole_value
from scorch2.model.score import TRIALS
from scorch2.reports import form_of
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.report import Report

_FORMS = f"{name_list(FORMS, 'default')}; if absent, the suffix of the file decides"
_METRICS = (
    "metrics that corrected output is scored with, separated by commas (repeatable); by default "
    f"{', '.join(DEFAULT_METRICS)}"
)
_PLOTS = (
    f"write a figure to a file (repeatable): {', '.join(FIGURES)}; the suffix of the file says the format: "
    f"{', '.join(SUFFIXES)} (all but svg need matplotlib)"
)
_SPANS = (
    "how span errors are found: auto (default: overlap where mentions are spans of a text), overlap, none"
)
_KINDS = f"only errors of these kinds, separated by commas (repeatable): {', '.join(KINDS)}"
USAGE = f"""Say why coreference scores are what they are: errors by kind, and what each kind costs.

Usage:
  scorch2 errors [options] [--] <gold> <sys> [<out-file>]

  <gold> <sys>  as for score: two files, two folders, or - for standard input on one side
  <out-file>    where the report goes; standard output if absent or -

Report:
{option_lines("-f, --format=<name>", _FORMS)}
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
{option_lines("--plot=<name:file>", _PLOTS)}
  --list=<what>             list every one of: errors, links, entities
{BY_USAGE}
  --window=<tokens>         score windows of so many tokens, too; several separated by commas
                            (repeatable)
  --other=<sys>             a second system: links that it fixes and newly loses
{output_options("where the report goes, instead of <out-file>", several=True)}
{option_lines("-m, --metric=<name>", _METRICS)}
{confidence_options("to scores and gains")}
  --no-signature            leave out the last line, which says how the numbers were made

What is listed (counts and scores are always of everything):
{option_lines("--kind=<names>", _KINDS)}
  --document=<id>           only this document (repeatable)

How errors are found:
{option_lines("--spans=<how>", _SPANS)}
{TYPES_USAGE}

Page (-f html):
  --title=<text>            its title (default: "<sys> against <gold>")
  --text-tokens=<n>         number of tokens of text at most (default {TEXT_TOKENS}): the documents with
                            the lowest scores, or those of --document; --kind chooses errors

{SCORING_USAGE}

{RUNNING_USAGE}

What kinds, links and gains are: scorch2 help error-analysis.
Errors of entity linking: scorch2 analyze.

{exit_statuses()}
"""
CHOICES = {
    "--format": FORMS,
    "--report": FORMS,
    "--plot": FIGURES,
    "--list": LISTINGS,
    "--by": DIMENSIONS,
    "--kind": KINDS,
    "--spans": SPANS,
    "--types": TYPES_HOW,
}


class Target(NamedTuple):
    """A report to write: a key of `FORMS`, and where it goes."""

    form: str
    path: str


def run(words: Sequence[str]) -> int:
    """Analyse what `words` ask for and return the exit status."""
    given = parse_words(USAGE, words)
    gold, system = given["<gold>"], given["<sys>"]
    other = given["--other"]
    _refuse_streams(gold, system, other)
    inputs = [path for path in (gold, system, other) if path is not None]
    targets = _targets(given, inputs)
    level, trials, seed = _confidence(given)
    metrics = shown_metrics(given["--metric"], given["--profile"])
    plots = requested_plots(given, inputs, [target.path for target in targets], metrics.names)
    request = _request(given, has_page=any(target.form == PAGE for target in targets))
    request = request._replace(plotted=plotted_dimensions(plots))
    if request.genre is not None and "genre" not in (*request.by, *request.plotted):
        raise UsageError("--genre says where genres are: it needs --by=genre or --plot=genre:<file>")
    chosen = _options(given, metrics.counted())
    engine = chosen_engine(given)
    progress = unwatched if given["--quiet"] else console.progress

    def scored(path: str) -> AnalysedSystem:
        def score(watch: Watch, measure: Measure) -> Report:
            return engine(gold, path, chosen, shown_first_to(watch, progress), measure)

        return AnalysedSystem(path, score)

    found = analysed(scored(system), None if other is None else scored(other), request, metrics)
    if level is not None:
        from scorch2.resampling.analyses import with_intervals

        found = with_intervals(found, level, trials, seed)
    texts = [(target.path, render(found, target.form)) for target in targets]
    images = [(plot.path, image(draw(found, plot.name), plot.suffix)) for plot in plots]
    output.write_all([*texts, *images])
    if not given["--quiet"]:
        console.warn([*found.report.notices, *_omissions(found)])
    return 0


def _omissions(found: ErrorReport) -> list[Notice]:
    """Return a warning if a page is written that leaves something out."""
    if found.request.page is None:
        return []
    from scorch2.reports.page.documents import omissions

    return omissions(found)


def _refuse_streams(gold: str, system: str, other: str | None) -> None:
    """Refuse standard input for more than one input, and for one that is read twice."""
    share_no_stream(gold, system, other)
    if other is not None and gold == output.STDOUT:
        raise UsageError("--other reads gold a second time: it cannot be standard input (-)")


def _request(given: dict[str, Any], *, has_page: bool) -> AnalysisRequest:
    """Return what is asked for, checked."""
    listing = choice(given["--list"], LISTINGS, "list") if given["--list"] else ""
    kinds = separated(given["--kind"])
    for kind in kinds:
        choice(kind, KINDS, "kind of error")
    if kinds and listing != "errors" and not has_page:
        raise UsageError("--kind chooses what is listed: it needs --list=errors or -f html")
    if given["--document"] and not (listing or has_page):
        raise UsageError("--document chooses what is listed: it needs --list or -f html")
    for option in ("--title", "--text-tokens"):
        if given[option] is not None and not has_page:
            raise UsageError(f"{option} is about the page: it needs -f html")
    return AnalysisRequest(
        spans=choice(given["--spans"], SPANS, "way to tell span errors"),
        types=choice(given["--types"], TYPES_HOW, "way to tell types"),
        by=typed_dimensions(given["--by"]),
        genre=genre_pattern(given["--genre"], "--genre"),
        windows=tuple(
            dict.fromkeys(whole_value(text, "--window", 1, least=1) for text in separated(given["--window"]))
        ),
        listing=listing,
        kinds=tuple(kinds),
        documents=tuple(given["--document"]),
        page=_page(given) if has_page else None,
    )


def _page(given: dict[str, Any]) -> PageRequest:
    title = given["--title"]
    if title is None:
        title = f"{given['<sys>']} against {given['<gold>']}"
        title += f", compared with {given['--other']}" if given["--other"] else ""
    return PageRequest(
        title,
        whole_value(given["--text-tokens"], "--text-tokens", TEXT_TOKENS, least=1),
    )


def _confidence(given: dict[str, Any]) -> tuple[float | None, int, int]:
    """Return the level of the intervals, if there are any, the number of samples, and the seed."""
    level = given["--confidence"]
    for name in ("--trials", "--seed") if level is None else ():
        if given[name] is not None:
            raise UsageError(f"{name} needs --confidence")
    trials = whole_value(given["--trials"], "--trials", TRIALS, least=1)
    seed = whole_value(given["--seed"], "--seed", 0, least=0)
    return None if level is None else interval_level(level, "--confidence"), trials, seed


def _options(given: dict[str, Any], names: tuple[str, ...]) -> Options:
    """Return the typed options."""
    return options_from(
        given["--profile"],
        **{name: given[option.flag] for name, option in OPTIONS.items()},
        metrics=names,
        **typed_inputs(given),
        signature=False if given["--no-signature"] else None,
    )


def _targets(given: dict[str, Any], inputs: Sequence[str]) -> list[Target]:
    """Return the reports to write, checked before anything is read."""
    extra = []
    for text in given["--report"]:
        form, _, path = text.partition(":")
        extra.append(Target(choice(form, FORMS, "report format"), path or output.STDOUT))
    form, path = given["--format"], output.report_path(given)
    taken = any(output.place(target.path) == output.STDOUT for target in extra)
    own = (
        []
        if form is None and path is None and taken
        else [Target(form_of(form, path, FORMS), output.STDOUT if path is None else path)]
    )
    targets = [*own, *extra]
    places = [output.place(target.path) for target in targets]
    for target, place in zip(targets, places, strict=True):
        if places.count(place) > 1:
            where = "standard output" if place == output.STDOUT else shown_path(target.path)
            raise OutputError(f"two reports go to {where}")
        output.check_target(target.path, inputs, force=given["--force"])
    return targets
