"""scorch2 gate: judge a stored report, without the data it was made from."""

from collections.abc import Sequence

from scorch2.api.requests import lookup
from scorch2.audit import baseline
from scorch2.audit.judge import missing
from scorch2.cli import arguments, console, delivery, options, output
from scorch2.model.errors import InputError, UsageError
from scorch2.model.forms import forms_of
from scorch2.model.results import verdict_summary
from scorch2.reports.rows import verdict_table

_REPORTS = f"a report (repeatable), to a file or standard output: {arguments.name_list(forms_of('scores'))}"
USAGE = f"""Judge a stored JSON report: is every score high enough? No gold data is needed.

Usage:
  scorch2 gate [options] [--] <report.json>

  <report.json>  written by scorch2 -f json, or - for standard input

The verdicts go to standard output, or to the file of --output; to standard error if a report goes
to standard output and there is no --output.

{options.GATE_USAGE}
Report:
{arguments.option_lines("--report=<name[:file]>", _REPORTS)}
{arguments.output_options("where the verdicts go", several=True)}
  --seed=<n>                seed of the random numbers of --significant (default 0)

Other:
{arguments.other_options("list failed gates only, no warnings")}

{arguments.exit_statuses("0 all gates passed, 1 a gate failed, 2 error")}
"""


def run(words: Sequence[str]) -> int:
    """Judge the report that `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    path = given["<report.json>"]
    report = baseline.read(path, lookup)
    target = output.report_target(given, [path, given["--baseline"]])
    beside = None if output.report_path(given) is None else target
    asked = delivery.delivery_request(given, [path], baseline.finder(report, lookup), beside)
    if not asked.gates.thresholds:
        raise UsageError(
            "nothing to judge: give --fail-under, --fail-under-doc, --max-drop or --max-drop-rel"
        )
    lacking = missing(report, asked.gates.thresholds)
    if lacking is not None:
        raise InputError(path, "$.scores", f"holds no {lacking} to judge")
    if beside is None and any(output.place(other.path) == output.STDOUT for other in asked.targets):
        return delivery.deliver(report, asked)
    report = delivery.judged(report, asked)
    shown = [verdict for verdict in report.gates if not (asked.quiet and verdict.passed)]
    listed = f"{verdict_table(shown)}\n\n{verdict_summary(report.gates)}\n" if shown else ""
    text = output.laid_out(target, lambda **_: listed)
    delivery.write_reports(report, asked, [(target, text)])
    console.warn(report.notices, quiet=asked.quiet)
    return delivery.exit_status(report, asked)
