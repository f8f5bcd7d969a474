"""scorch2 list-measures: what evaluate can count."""

from collections.abc import Sequence

from scorch2.cli import output
from scorch2.cli.arguments import SIGNAL_STATUSES
from scorch2.cli.neleval import parse_neleval
from scorch2.linking.measures import DEFAULT, named
from scorch2.linking.text import MEASURE_FORMS
from scorch2.model.options import separated
from scorch2.reports import form_of

USAGE = f"""List the measures of entity linking, and what custom ones are made of.

Usage:
  scorch2 list-measures [options] [--]

Options:
  -m, --measure=<name>  measures, groups of measures, or aggregator:filter:key, separated by commas
                        (repeatable); default all
  -f, --format=<name>   table (default, but json for a file called .json), json
  -o, --output=<file>   where the list goes; standard output if absent or -
  --force               overwrite a file even if it is a document or read-only
  --debug               show where an error came from
  -h, --help            show this text
  --version             show the version

The metrics of coreference are those of scorch2 score --help.

Exit status: 0 done, 2 error,
{SIGNAL_STATUSES}.
"""
CHOICES = {"--format": MEASURE_FORMS}


def run(words: Sequence[str]) -> int:
    """Print the measures that `words` ask for and return the exit status."""
    given = parse_neleval(USAGE, words)
    form = form_of(given["--format"], output.report_path(given), MEASURE_FORMS)
    measures = named(separated(given["--measure"]) or [DEFAULT])
    output.write(output.report_target(given, []), MEASURE_FORMS[form](measures))
    return 0
