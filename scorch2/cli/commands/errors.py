"""scorch2 errors: why coreference scores are what they are."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from scorch2.analysis import corpus, error_report, kinds
from scorch2.analysis.patterns import PATTERNS
from scorch2.analysis.table import COUNTED, DIMENSIONS
from scorch2.api.requests import WORDS, errors_request, refuse_second_reading
from scorch2.cli import options, outputs, usage
from scorch2.model.errors import UsageError
from scorch2.model.forms import FORMS, forms_of
from scorch2.model.options import Options
from scorch2.model.score import Sampling
from scorch2.reports.figures import FIGURES
from scorch2.scoring.flow import unwatched
from scorch2.workers.engine import Engine, keeping_gold

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
{outputs.plot_option(FIGURES)}
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


class Asked(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    paths: tuple[str, str, str | None]  # gold, a system, and another one to compare it with
    options: Options
    metrics: corpus.ShownMetrics
    request: error_report.AnalysisRequest
    sampling: Sampling
    score: Engine
    reports: outputs.Reports
    plots: Sequence[outputs.Plot]


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
    asked.reports.write(report, notices, outputs.images_of(asked.plots, report))
    return 0


def asked_of(given: dict[str, Any]) -> Asked:
    """Return what `given` asks for."""
    gold, system, other = paths = given["<gold>"], given["<sys>"], given["--other"]
    reports = outputs.reports_request(given, "errors", paths)
    refuse_second_reading(WORDS, gold, other)
    metrics = corpus.shown_metrics(given["--metric"], given["--profile"])
    plots = outputs.requested_plots(given, paths, [target.path for target in reports.targets], FIGURES)
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
