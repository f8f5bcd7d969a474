"""scorch2 explain: which settings give a printed number."""

from collections.abc import Sequence
from functools import partial

from scorch2.audit.explain import explanation, unwatched
from scorch2.audit.settings import request_of
from scorch2.cli import arguments, console, options, output
from scorch2.model.forms import form_of, forms_of, render
from scorch2.model.options import INPUTS, OPTIONS, Options
from scorch2.scoring.flow import Measure, score_paths
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.report import Report

_FORMS = f"{arguments.name_list(forms_of('explanation'), 'default')}; else the suffix decides"
_METRICS = "only these metrics, separated by commas (repeatable); by default those of all profiles"
USAGE = f"""Explain a printed number: which settings give it on these two sides?

Usage:
  scorch2 explain [options] [--] <number> <gold> <sys>

  <number>      as it is printed: 79.6, 0.796, or several of one row as one word:
                'R=81.2 P=78.0', 'MUC F1=75.2 B3 F1=63.1'
  <gold> <sys>  as for score: two files, two folders, or - for standard input on one side

Report:
{arguments.option_lines("-f, --format=<name>", _FORMS)}
{arguments.output_options("where the answer goes; standard output if absent or -")}
{arguments.option_lines("-m, --metric=<name>", _METRICS)}

An option that is typed is held; all values of the others are tried, as far as the data allow them.

{options.SCORING_USAGE}

Other:
{arguments.other_options("no warnings, no progress bar")}

{arguments.exit_statuses("0 a setting gives the number, 1 none does, 2 error")}
"""
CHOICES = {"--format": forms_of("explanation")}


def run(words: Sequence[str]) -> int:
    """Explain the number that `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    number, gold, system = given["<number>"], given["<gold>"], given["<sys>"]
    form = form_of(given["--format"], output.report_path(given), "explanation")
    arguments.share_no_stream(gold, system)
    target = output.report_target(given, [gold, system])
    metrics = chosen_metrics(given["--metric"])
    typed = {**options.typed(given, OPTIONS), **options.typed_inputs(given)}
    chosen = options.typed_options({**given, "--no-signature": False}, metrics or None)
    request = request_of(typed, given["--profile"], metrics, chosen._replace(hashes=False))

    def score(asked: Options, measure: Measure) -> Report:
        return score_paths(gold, system, asked, measure=measure)

    watch = unwatched if given["--quiet"] else partial(console.progress, unit="settings")
    found = explanation(number, request, score, watch)
    inputs = [f"--{name.replace('_', '-')}={value}" for name, value in options.typed(given, INPUTS).items()]
    found = found._replace(paths=(gold, system), typed=inputs)
    output.write_all([(target, output.laid_out(target, partial(render, found, form)))])
    console.warn(found.notices, quiet=given["--quiet"])
    return 0 if found else 1
