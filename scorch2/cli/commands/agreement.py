"""scorch2 agreement: how far annotators agree."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.analysis.agreement import (
    COEFFICIENTS,
    DEFAULT,
    AgreementRequest,
    Listed,
    PairNames,
    Score,
    asked_columns,
)
from scorch2.analysis.corpus import shown_first_to
from scorch2.analysis.uncertainty import agreement_of
from scorch2.api.requests import WORDS, checked_settings, inputs_of_all, refuse_annotators, refuse_sides
from scorch2.cli import options, outputs, usage
from scorch2.model.errors import UsageError
from scorch2.model.forms import FORMS, forms_of
from scorch2.model.options import ALL, Options, flag_of
from scorch2.model.score import Sampling
from scorch2.model.settings import OfAgreement
from scorch2.scoring.flow import Measure, Watch
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.report import Report
from scorch2.workers.engine import Engine

_METRICS = (
    "columns: metrics of score and coefficients, separated by commas (repeatable); by default "
    f"{', '.join((*DEFAULT, *COEFFICIENTS))}"
)
USAGE = f"""Say how far annotators agree: every pair in a row, and their mean.

Usage:
  scorch2 agreement [options] [--] <annotator> <annotator>...

  <annotator>   the files of one annotator: a file or a folder; two or more annotators

Report:
{usage.format_usage("annotators")}
{usage.output_options("where the report goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _METRICS)}
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
CHOICES = {"--format": forms_of("annotators"), "--metric": (ALL, *METRICS, *COEFFICIENTS)}


class Asked(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    paths: Mapping[str, str]  # by the names of the annotators
    columns: AgreementRequest
    options: Options
    rows: Listed | None
    sampling: Sampling
    score: Engine
    reports: outputs.Reports

    def scorer(self, metrics: tuple[str, ...]) -> Score:
        """Return what scores two annotators by some metrics."""
        chosen = self.options._replace(metrics=metrics)

        def score(names: PairNames, watch: Watch, measure: Measure) -> Report:
            one, other = (self.paths[name] for name in names)
            return self.score(one, other, chosen, shown_first_to(watch, self.reports.watch), measure)

        return score


def run(words: Sequence[str]) -> int:
    """Compare the annotators that `words` name and return the exit status."""
    asked = asked_of(words)
    agreed = agreement_of([*asked.paths], asked.scorer, asked.columns, asked.sampling)
    asked.reports.write(agreed._replace(listed=asked.rows, shows_signature=asked.reports.signed))
    return 0


def asked_of(words: Sequence[str]) -> Asked:
    """Return what `words` ask for."""
    given = usage.parse_words(USAGE, words)
    paths = [given["<annotator>"]] if isinstance(given["<annotator>"], str) else given["<annotator>"]
    options.refuse_report(paths, "annotators", "path is an annotator")
    reports = outputs.reports_request(given, "annotators", paths)
    columns = asked_columns(given["--metric"], given["--profile"])
    names_of_columns = (*columns.metrics, *columns.coefficients)
    per, sort, worst = options.asked_rows(given, lambda name: usage.choice(name, names_of_columns, "column"))
    settings = checked_settings(WORDS, OfAgreement, options.typed(given, OfAgreement.__annotations__))
    refuse_annotators(WORDS, paths, given["--title"])
    inputs = inputs_of_all(WORDS, options.typed_inputs(given), len(paths))
    given |= {flag_of(name): value for name, value in inputs.items()}
    chosen = options.typed_options(given, columns.counted())
    refuse_sides(WORDS, chosen)
    names = options.names_of(given["--name"], paths, "annotator")
    title = given["--title"]
    if FORMS[reports.targets[0].form].is_page:
        title = " and ".join(names) if title is None and not names[2:] else title
    elif title is not None:
        raise UsageError("--title is about the page: it needs -f html")
    return Asked(
        dict(zip(names, paths, strict=True)),
        columns._replace(units=settings["units"], title=title),
        chosen,
        Listed(sort, worst) if per else None,
        options.typed_intervals(given),
        options.chosen_engine(given),
        reports,
    )
