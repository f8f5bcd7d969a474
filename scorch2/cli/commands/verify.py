"""scorch2 verify: score a stored report again, and say what differs."""

from collections.abc import Sequence
from functools import partial

from scorch2.analysis.corpus import shown_first_to
from scorch2.api.requests import lookup
from scorch2.audit.baseline import values_of
from scorch2.audit.verify import verified
from scorch2.cli import arguments, console, options, output
from scorch2.formats.source import read_text
from scorch2.model.forms import form_of, forms_of, render
from scorch2.model.options import Options
from scorch2.scoring.flow import Measure, Watch, unwatched
from scorch2.scoring.report import Report

_FORMS = f"{arguments.name_list(forms_of('verification'), 'default')}; else the suffix decides"
USAGE = f"""Verify a stored report: score again with its options, and compare data, options and numbers.

Usage:
  scorch2 verify [options] [--] <report.json> <gold> <sys>

  <report.json>  written by scorch2 score with -f json
  <gold> <sys>   files or folders, as for score; files that options name stand where they stood then

Report:
{arguments.option_lines("-f, --format=<name>", _FORMS)}
{arguments.output_options("where the answer goes; standard output if absent or -")}

Speed:
{options.WORKER_USAGE}

Other:
{arguments.other_options("no warnings, no progress bar")}

{arguments.exit_statuses("0 all is as it was, 1 something differs, 2 error")}
"""
CHOICES = {"--format": forms_of("verification")}


def run(words: Sequence[str]) -> int:
    """Verify the report that `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    path, gold, system = given["<report.json>"], given["<gold>"], given["<sys>"]
    form = form_of(given["--format"], output.report_path(given), "verification")
    arguments.share_no_stream(path, gold, system)
    target = output.report_target(given, [path, gold, system])
    engine = options.chosen_engine(given)
    progress = unwatched if given["--quiet"] else console.progress

    def score(chosen: Options, watch: Watch, measure: Measure | None) -> Report:
        return engine(gold, system, chosen, shown_first_to(watch, progress), measure)

    found = verified(values_of(read_text(path), path), path, lookup, score)
    output.write_all([(target, output.laid_out(target, partial(render, found, form)))])
    console.warn(found.notices, quiet=given["--quiet"])
    return 0 if found.holds else 1
