"""scorch2 agreement: how far annotators agree."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from scorch2.analysis.agreement import (
    COEFFICIENTS,
    DEFAULT,
    UNITS,
    ChosenColumns,
    Listed,
    PairNames,
    Score,
    asked_columns,
    page_of_pair,
    paired,
)
from scorch2.analysis.corpus import shown_first_to
from scorch2.analysis.uncertainty import agreement_of
from scorch2.api.requests import WORDS, agreement_rules, inputs_of_all, refuse_sides, word_of
from scorch2.cli import console, options, output, usage
from scorch2.model.errors import UsageError
from scorch2.model.forms import FORMS, PAPERS, form_of, forms_of, render
from scorch2.model.options import ALL
from scorch2.model.values import whole_value
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.report import Report

_FORMS = f"{usage.name_list(forms_of('annotators'), 'default')}; else the suffix decides"
_METRICS = (
    "columns: metrics of score and coefficients, separated by commas (repeatable); by default "
    f"{', '.join((*DEFAULT, *COEFFICIENTS))}"
)
_UNITS = "shared (default), all: mentions that coefficients look at: those that both marked, or all"
USAGE = f"""Say how far annotators agree: every pair in a row, and their mean.

Usage:
  scorch2 agreement [options] [--] <annotator> <annotator>...

  <annotator>   the files of one annotator: a file or a folder; two or more annotators

Report:
{usage.option_lines("-f, --format=<name>", _FORMS)}
{usage.LATEX_USAGE}
{usage.output_options("where the report goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _METRICS)}
{usage.option_lines("--units=<which>", _UNITS)}
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
CHOICES = {
    "--format": forms_of("annotators"),
    "--latex": PAPERS,
    "--metric": (ALL, *METRICS, *COEFFICIENTS),
    "--units": UNITS,
}


def run(words: Sequence[str]) -> int:
    """Compare the annotators that `words` name and return the exit status."""
    given = usage.parse_words(USAGE, words)
    paths = [given["<annotator>"]] if isinstance(given["<annotator>"], str) else given["<annotator>"]
    options.refuse_report(paths, "annotators", "path is an annotator")
    form = form_of(given["--format"], output.report_path(given), "annotators", given["--latex"] and "latex")
    paper = options.requested_paper(given, [form])
    asked = asked_columns(given["--metric"], given["--profile"])
    listed, sampled = _listed(given, asked), options.typed_intervals(given)
    usage.share_no_stream(*paths)
    units = given["--units"] or UNITS[0]
    agreement_rules(WORDS, units, paths, given["--title"])
    given |= _inputs(given, len(paths))
    refuse_sides(WORDS, options.typed_options(given, asked.counted()))
    names = options.names_of(given["--name"], paths, "annotator")
    title = _title(given, form, names)
    target = output.report_target(given, paths)
    scorer = _scorer(given, dict(zip(names, paths, strict=True)))
    found = agreement_of(paired(names, scorer(asked.counted()), units), asked, units, sampled)
    if title is not None:
        found = found._replace(page=page_of_pair(names, scorer, asked, given["--profile"], title))
    found = found._replace(listed=listed, shows_signature=not given["--no-signature"])
    console.refuse_warnings(found.notices, strict=given["--strict"])
    output.write_all([(target, output.laid_out(target, partial(render, found, form, paper=paper)))])
    console.warn(found.notices, quiet=given["--quiet"])
    return 0


def _scorer(given: dict[str, Any], paths: Mapping[str, str]) -> Callable[[tuple[str, ...]], Score]:
    """Return a function from metrics to what scores two annotators by them."""
    progress = unwatched if given["--quiet"] else console.progress
    engine = options.chosen_engine(given)

    def of_metrics(metrics: tuple[str, ...]) -> Score:
        chosen = options.typed_options(given, metrics)

        def score(names: PairNames, watch: Watch, measure: Measure) -> Report:
            one, other = (paths[name] for name in names)
            return engine(one, other, chosen, shown_first_to(watch, progress), measure)

        return score

    return of_metrics


def _inputs(given: dict[str, Any], annotators: int) -> dict[str, str]:
    typed = inputs_of_all(WORDS, options.typed_inputs(given), annotators)
    return {word_of(name): value for name, value in typed.items()}


def _title(given: dict[str, Any], form: str, names: Sequence[str]) -> str | None:
    """Return the title of the page of two annotators, if there is one."""
    if given["--title"] is not None and not FORMS[form].is_page:
        raise UsageError("--title is about the page: it needs -f html")
    if given["--title"] is not None or not FORMS[form].is_page or names[2:]:
        return cast("str | None", given["--title"])
    return " and ".join(names)


def _listed(given: dict[str, Any], asked: ChosenColumns) -> Listed | None:
    sort, worst = given["--sort"], given["--worst"]
    for name, value in (("--sort", sort), ("--worst", worst)):
        if value is not None and not given["--per-document"]:
            raise UsageError(f"{name} is for rows of documents: it needs --per-document")
    if sort is not None:
        usage.choice(sort, (*asked.metrics, *asked.coefficients), "column")
    number = None if worst is None else whole_value(worst, "--worst", 1, least=1)
    return Listed(sort, number) if given["--per-document"] else None
