"""scorch2 list-measures: what evaluate can count."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.linking.measures import DEFAULT, named
from scorch2.linking.text.measures import REPORTS
from scorch2.model.names import separated

USAGE = """List the measures of entity linking, and what custom ones are made of.

Usage:
  scorch2 list-measures [options] [--]

Options:
  -m, --measure=<name>  measures, groups of measures, or aggregator:filter:key, separated by commas
                        (repeatable); default all
  -f, --format=<name>   table (default), json
  --debug               show where an error came from
  -h, --help            show this text
  --version             show the version

The metrics of coreference are those of scorch2 score --help.

Exit status: 0 done, 2 error.
"""


def run(words: Sequence[str]) -> int:
    """Print the measures that `words` ask for and return the exit status."""
    given = neleval.parse(USAGE, words)
    form = arguments.choice(given["--format"], REPORTS, "report format")
    output.write(output.STDOUT, REPORTS[form](named(separated(given["--measure"]) or [DEFAULT])))
    return 0
