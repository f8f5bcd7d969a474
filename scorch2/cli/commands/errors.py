"""scorch2 errors: why coreference scores are what they are."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.analysis import corpus, error_report, kinds
from scorch2.analysis.patterns import PATTERNS
from scorch2.analysis.table import COUNTED, DIMENSIONS
from scorch2.api.requests import WORDS, errors_request, refuse_second_reading
from scorch2.cli import options, output, outputs, usage
from scorch2.model.errors import UsageError, quoted
from scorch2.model.forms import FORMS, forms_of
from scorch2.model.options import Options
from scorch2.model.score import Sampling
from scorch2.reports.figures import FIGURES, SUFFIXES
from scorch2.scoring.flow import unwatched
from scorch2.workers.engine import Engine, keeping_gold

if TYPE_CHECKING:
    from scorch2.analysis.systems import Comparison


def plot_option(figures: Iterable[str]) -> str:
    """Return the help text of ``--plot`` of a command that draws some figures."""
    what = (
        f"write a figure to a file (repeatable): {', '.join(figures)}; the suffix of the file says the "
        f"format: {', '.join(SUFFIXES)} (all but svg need matplotlib); "
        "for a paper name,width=column,title=none:file"
    )
    return usage.option_lines("--plot=<name:file>", what)


_METRICS = (
    "metrics for corrected output, separated by commas (repeatable); by default "
    f"{', '.join(corpus.DEFAULT_METRICS)}"
)
USAGE = f"""Say why coreference scores are what they are: errors by kind, and what each kind costs.

Usage:
  scorch2 errors [options] [--] <gold> <sys> [<out-file>]

  <gold> <sys>  as for score: two files, two folders, or - for standard input on one side
  <out-file>    where the report goes; standard output if absent or -

Report:
{usage.format_usage("errors")}
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
{plot_option(FIGURES)}
{usage.setting_options("list")}
{usage.by_usage(f"; errors by {', '.join(COUNTED)}")}
{usage.setting_options("windows", "what_if")}
  --other=<sys>             a second system: links that it fixes and newly loses
{usage.output_options("where the report goes, instead of <out-file>", several=True)}
{usage.option_lines("-m, --metric=<name>", _METRICS)}
{usage.confidence_options("to scores and gains")}
{usage.setting_options("gains")}
  --no-signature            leave out the last line, which says how the numbers were made

What is listed (counts and scores are always of everything):
{usage.setting_options("kind", known=kinds.KINDS)}
{usage.setting_options("pattern", "document", "star")}

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
    "--plot": FIGURES,
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


class Asked(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    paths: tuple[str, str, str | None]  # gold, a system, and another one to compare it with
    options: Options
    metrics: corpus.ShownMetrics
    request: error_report.AnalysisRequest
    sampling: Sampling
    score: Engine
    reports: outputs.Reports
    plots: Sequence[Plot]


def run(given: dict[str, Any]) -> int:
    """Analyse what `given` asks for and return the exit status."""
    asked = asked_of(given)
    gold, system, other = asked.paths
    scored = partial(corpus.system_of, asked.score, gold, asked.options)
    second = None if other is None else scored(unwatched, other)
    report = corpus.analysed(scored(asked.reports.watch, system), second, asked.request, asked.metrics)
    if asked.sampling.level is not None:
        from scorch2.analysis.uncertainty import with_intervals

        report = with_intervals(report, asked.sampling)
    if other is not None:
        from scorch2.analysis.uncertainty import with_contrasts

        report = with_contrasts(report, asked.sampling)
    notices = [*report.notices, *report.omissions()]
    asked.reports.write(report, notices, images_of(asked.plots, report))
    return 0


def asked_of(given: dict[str, Any]) -> Asked:
    """Return what `given` asks for."""
    gold, system, other = paths = given["<gold>"], given["<sys>"], given["--other"]
    reports = outputs.reports_request(given, "errors", paths)
    refuse_second_reading(WORDS, gold, other)
    metrics = corpus.shown_metrics(given["--metric"], given["--profile"])
    plots = requested_plots(given, paths, [target.path for target in reports.targets], FIGURES)
    if any(plot.form == "documents" for plot in plots) and "lea" not in metrics.names:
        raise UsageError("--plot=documents shows LEA: add lea to -m")
    title = None
    if any(FORMS[target.form].is_page for target in reports.targets):
        title = f"{system} against {gold}{f', compared with {other}' if other else ''}"
        title = title if given["--title"] is None else given["--title"]
    figures = [dimension for plot in plots if (dimension := FIGURES[plot.form].dimension)]
    engine = options.chosen_engine(given)
    return Asked(
        paths,
        options.typed_options(given, metrics.counted()),
        metrics,
        errors_request(WORDS, given, title, figures, (gold, system, other or "")),
        options.typed_intervals(given),
        engine if other is None else keeping_gold(engine),
        reports,
        plots,
    )


def requested_plots(
    given: dict[str, Any], inputs: Sequence[str | None], reports: Sequence[str], figures: Collection[str]
) -> list[Plot]:
    """Return which of some figures are asked for, checked before anything is read."""
    if not given["--plot"]:
        return []
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
            why = f"takes a file called {known}, not {quoted(path)}"
            raise UsageError(f"--plot={name}:<file> {why}")
    if any(plot.suffix != SUFFIXES[0] for plot in plots):
        from scorch2.reports.figures.kit import require_matplotlib

        require_matplotlib()
    output.refuse_one_place([*reports, *(plot.path for plot in plots)], "outputs")
    for plot in plots:
        output.check_target(plot.path, filter(None, inputs), force=given["--force"])
    return plots


def images_of(
    plots: Sequence[Plot], value: "error_report.ErrorReport | Comparison"
) -> Iterator[tuple[str, bytes]]:
    """Yield the file of each figure of a value with its bytes."""
    for plot in plots:
        yield plot.path, value.image(plot.form, plot.suffix, **plot.look)
