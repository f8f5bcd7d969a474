"""scorch2 cite: the papers behind numbers, as BibTeX."""

from collections.abc import Sequence
from typing import Any

from scorch2.analysis.paired_tests import TESTS
from scorch2.api.requests import lookup, test_of
from scorch2.audit import baseline
from scorch2.audit.cite import Used, bibtex, citations_of_scores
from scorch2.cli import arguments, output
from scorch2.formats.source import read_text
from scorch2.model.errors import InputError, UsageError
from scorch2.model.options import OPTIONS, options_from
from scorch2.model.profiles import metrics_of
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics

USAGE = f"""Print the papers behind numbers as BibTeX: of metrics, profile, intervals, tests, corrections.

Usage:
  scorch2 cite [options] [--] [<report.json>]

  <report.json>  written by scorch2 score with -f json; without it the options say what was used

Options:
{arguments.option_lines("-m, --metric=<name>", "metrics, separated by commas (repeatable), as of score")}
{arguments.profile_option()}
  --match=<when>            {", ".join(OPTIONS["match"].values)}
  --confidence=<percent>    bootstrap confidence intervals
{arguments.test_option()}
  --holm                    correction of p after Holm
{arguments.output_options("where the entries go; standard output if absent or -")}
{arguments.other_options()}

{arguments.exit_statuses()}
"""
CHOICES = {"--metric": METRICS, "--match": OPTIONS["match"].values, "--test": TESTS}
_TYPED = ("--metric", "--profile", "--match", "--confidence", "--test", "--holm")


def run(words: Sequence[str]) -> int:
    """Print the papers that `words` ask for and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    path = given["<report.json>"]
    target = output.report_target(given, [path])
    output.write(target, _used(given) if path is None else _of_report(given, path))
    return 0


def _used(given: dict[str, Any]) -> str:
    profile, test = given["--profile"], given["--test"]
    chosen = options_from(profile, match=given["--match"])
    names = given["--metric"] or metrics_of(profile, DEFAULT)
    tests = [] if test is None else [test_of(test)]
    corrections = ["holm"] if given["--holm"] else []
    intervals = given["--confidence"] is not None
    metrics = chosen_metrics(names)
    return bibtex(Used(metrics, profile, chosen.match, intervals, tests, corrections))


def _of_report(given: dict[str, Any], path: str) -> str:
    typed = [name for name in _TYPED if given[name]]
    if typed:
        raise UsageError(f"{typed[0]} and a report exclude each other: the report says what was used")
    report = baseline.read(path, lookup)
    if dict(report.facts).get("task") is not None:
        raise InputError(path, "$", "a report of another command (cite knows those of scorch2 score)")
    asked = baseline.values_of(read_text(path), path).get("confidence") is not None
    return citations_of_scores(report, intervals=asked)
