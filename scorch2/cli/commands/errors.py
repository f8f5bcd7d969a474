"""scorch2 errors: why coreference scores are what they are."""

import os
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.analysis import corpus, error_report, kinds
from scorch2.analysis.patterns import PATTERNS
from scorch2.analysis.table import COUNTED, DIMENSIONS
from scorch2.api.requests import WORDS, checked_settings, errors_request, refuse_second_reading
from scorch2.cli import console, options, output, usage
from scorch2.model import errors
from scorch2.model.errors import UsageError
from scorch2.model.forms import FORMS, PAPERS, forms_of, render
from scorch2.model.options import separated
from scorch2.model.settings import TEXT_TOKENS, OfErrors, OfPage
from scorch2.model.values import whole_value
from scorch2.reports.figures import FIGURES
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.report import Report
from scorch2.workers.engine import keeping_gold

if TYPE_CHECKING:
    from scorch2.analysis.systems import Comparison

_FORMS = f"{usage.name_list(forms_of('errors'), 'default')}; else the suffix decides"
_METRICS = (
    "metrics for corrected output, separated by commas (repeatable); by default "
    f"{', '.join(corpus.DEFAULT_METRICS)}"
)
_KINDS = f"only errors of these kinds, separated by commas (repeatable): {', '.join(kinds.KINDS)}"
_WHAT_IF = (
    "also score with these errors corrected, and no others: kind:span,type:pronoun,entity:<id>, or a class "
    "of another dimension of --by (repeatable)"
)
_PATTERNS = "only errors with one of these patterns, as --by=pattern names them (repeatable)"
USAGE = f"""Say why coreference scores are what they are: errors by kind, and what each kind costs.

Usage:
  scorch2 errors [options] [--] <gold> <sys> [<out-file>]

  <gold> <sys>  as for score: two files, two folders, or - for standard input on one side
  <out-file>    where the report goes; standard output if absent or -

Report:
{usage.option_lines("-f, --format=<name>", _FORMS)}
{usage.LATEX_USAGE}
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
{usage.plot_option(FIGURES)}
  --list=<what>             list one by one: errors, examples (in their sentences), links, entities
{usage.by_usage(f"; errors by {', '.join(COUNTED)}")}
  --window=<tokens>         also score windows of this many tokens; several separated by commas
                            (repeatable)
{usage.option_lines("--what-if=<errors>", _WHAT_IF)}
  --other=<sys>             a second system: links that it fixes and newly loses
{usage.output_options("where the report goes, instead of <out-file>", several=True)}
{usage.option_lines("-m, --metric=<name>", _METRICS)}
{usage.confidence_options("to scores and gains")}
{usage.setting_options("gains")}
  --no-signature            leave out the last line, which says how the numbers were made

What is listed (counts and scores are always of everything):
{usage.option_lines("--kind=<names>", _KINDS)}
{usage.option_lines("--pattern=<names>", _PATTERNS)}
  --document=<id>           only this document (repeatable)

How errors are found:
{usage.setting_options("spans")}
{usage.TYPES_USAGE}

Page (-f html):
{usage.setting_options("title", "text_tokens", "page")}

{usage.SCORING_USAGE}

{usage.RUNNING_USAGE}

What kinds, links and gains are: scorch2 help error-analysis.
Errors of entity linking: scorch2 analyze.

{usage.exit_statuses()}
"""
CHOICES = {
    "--format": forms_of("errors"),
    "--report": forms_of("errors"),
    "--latex": PAPERS,
    "--plot": FIGURES,
    "--list": error_report.LISTINGS,
    "--by": (*DIMENSIONS, *COUNTED),
    "--kind": kinds.KINDS,
    "--pattern": PATTERNS,
}


class Plot(NamedTuple):
    """A figure to write: its name, where it goes, and the words that say how it looks."""

    form: str
    path: str
    look: Mapping[str, Any]

    @property
    def suffix(self) -> Any:
        """The format of the image, as the name of the file says it."""
        return os.path.splitext(self.path)[1].removeprefix(".").casefold()


def run(words: Sequence[str]) -> int:
    """Analyse what `words` ask for and return the exit status."""
    given = usage.parse_words(USAGE, words)
    gold, system, other = given["<gold>"], given["<sys>"], given["--other"]
    usage.share_no_stream(gold, system, other)
    refuse_second_reading(WORDS, gold, other)
    inputs = [path for path in (gold, system, other) if path is not None]
    targets = _targets(given, inputs)
    paper = options.requested_paper(given, [target.form for target in targets])
    sampling = options.typed_intervals(given)
    metrics = corpus.shown_metrics(given["--metric"], given["--profile"])
    plots = _plots(given, inputs, targets, metrics.names)
    request = _request(given, targets, plots)
    chosen = options.typed_options(given, metrics.counted())
    engine = options.chosen_engine(given)
    engine = engine if other is None else keeping_gold(engine)
    progress = unwatched if given["--quiet"] else console.progress

    def scored(path: str) -> corpus.AnalysedSystem:
        def score(watch: Watch, measure: Measure) -> Report:
            return engine(gold, path, chosen, corpus.shown_first_to(watch, progress), measure)

        return corpus.AnalysedSystem(path, score)

    report = corpus.analysed(scored(system), None if other is None else scored(other), request, metrics)
    if sampling.level is not None:
        from scorch2.analysis.uncertainty import with_intervals

        report = with_intervals(report, sampling)
    if other is not None:
        from scorch2.analysis.uncertainty import with_contrasts

        report = with_contrasts(report, sampling)
    notices = [*report.report.notices, *report.omissions()]
    console.refuse_warnings(notices, strict=given["--strict"])
    texts = [
        (target.path, output.laid_out(target.path, partial(render, report, target.form, paper=paper)))
        for target in targets
    ]
    output.write_all([*texts, *images_of(plots, report)])
    console.warn(notices, quiet=given["--quiet"])
    return 0


def _targets(given: dict[str, Any], inputs: Sequence[str]) -> list[options.Target]:
    targets = options.requested_targets(given, "errors")
    output.refuse_one_place([target.path for target in targets])
    for target in targets:
        output.check_target(target.path, inputs, force=given["--force"])
    return targets


def _plots(
    given: dict[str, Any], inputs: Sequence[str], targets: Sequence[options.Target], metrics: Sequence[str]
) -> list[Plot]:
    plots = requested_plots(given, inputs, [target.path for target in targets], FIGURES)
    if any(plot.form == "documents" for plot in plots) and "lea" not in metrics:
        raise UsageError("--plot=documents shows LEA: add lea to -m")
    return plots


def _request(
    given: dict[str, Any], targets: Sequence[options.Target], plots: Sequence[Plot]
) -> error_report.AnalysisRequest:
    has_page = any(FORMS[target.form].is_page for target in targets)
    checked_settings(WORDS, OfPage, options.typed(given, OfPage.__annotations__))
    for option in ("--title", "--text-tokens", "--page"):
        if given[option] is not None and not has_page:
            raise UsageError(f"{option} is about the page: it needs -f html")
    return errors_request(
        WORDS,
        listing=given["--list"] or None,
        kinds=separated(given["--kind"]),
        patterns=separated(given["--pattern"]),
        documents=given["--document"],
        windows=[whole_value(text, "--window", 1, least=1) for text in separated(given["--window"])],
        page=_page(given) if has_page else None,
        by=separated(given["--by"]),
        what_if=given["--what-if"],
        figures=[dimension for plot in plots if (dimension := FIGURES[plot.form].dimension)],
        settings=options.typed(given, OfErrors.__annotations__),
    )


def _page(given: dict[str, Any]) -> error_report.PageRequest:
    title = given["--title"]
    if title is None:
        title = f"{given['<sys>']} against {given['<gold>']}"
        title += f", compared with {given['--other']}" if given["--other"] else ""
    tokens = whole_value(given["--text-tokens"], "--text-tokens", TEXT_TOKENS, least=1)
    return error_report.PageRequest(title, tokens, given["--page"] == "plain")


def requested_plots(
    given: dict[str, Any], inputs: Sequence[str], reports: Sequence[str], figures: Collection[str]
) -> list[Plot]:
    """Return which of some figures are asked for, checked before anything is read."""
    if not given["--plot"]:
        return []
    from scorch2.reports.figures import SUFFIXES
    from scorch2.reports.figures.charts import look_of

    plots = []
    for text in given["--plot"]:
        spec, _, path = text.partition(":")
        name, *settings = spec.split(",")
        look = dict(word.split("=", 1) if "=" in word else (word, "") for word in settings)
        plot = Plot(usage.choice(name, figures, "figure"), path, look)
        plots.append(plot)
        for setting in look:
            usage.choice(setting, ("width", "title"), f"setting of --plot={name}")
        look_of(**look)
        if plot.suffix not in SUFFIXES:
            known = f".{', .'.join(SUFFIXES)}"
            why = f"takes a file called {known}, not {errors.quoted(path)}"
            raise errors.UsageError(f"--plot={name}:<file> {why}")
    if any(plot.suffix != SUFFIXES[0] for plot in plots):
        from scorch2.reports.figures.kit import require_matplotlib

        require_matplotlib()
    output.refuse_one_place([*reports, *(plot.path for plot in plots)], "outputs")
    for plot in plots:
        output.check_target(plot.path, inputs, force=given["--force"])
    return plots


def images_of(
    plots: Sequence[Plot], value: "error_report.ErrorReport | Comparison"
) -> list[tuple[str, bytes]]:
    """Return the file of each figure of a value with its bytes."""
    return [(plot.path, value.image(plot.form, plot.suffix, **plot.look)) for plot in plots]
