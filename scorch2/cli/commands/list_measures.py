"""scorch2 list-measures: what evaluate can count."""

from collections.abc import Sequence
from functools import partial

from scorch2.cli import arguments, neleval, output
from scorch2.model.forms import form_of, forms_of, shown
from scorch2.model.options import separated
from scorch2.tasks.linking.measures import MEASURES, named

USAGE = f"""List the measures of entity linking, and what custom ones are made of.

Usage:
  scorch2 list-measures [options] [--]

Options:
  -m, --measure=<name>  measures, groups of measures, or aggregator:filter:key, separated by commas
                        (repeatable); default all
  -f, --format=<name>   table (default, but json for a file called .json), json
{arguments.output_options("where the list goes; standard output if absent or -", 24)}
{arguments.other_options(column=24, version=True)}

The metrics of coreference are those of scorch2 score --help.

{arguments.exit_statuses()}
"""
CHOICES = {"--format": forms_of("measures")}


def run(words: Sequence[str]) -> int:
    """Print the measures that `words` ask for and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    form = form_of(given["--format"], output.report_path(given), "measures")
    measures = named(separated(given["--measure"]) or MEASURES)
    target = output.report_target(given, [])
    output.write(target, output.laid_out(target, partial(shown, "measures", form, measures)))
    return 0
