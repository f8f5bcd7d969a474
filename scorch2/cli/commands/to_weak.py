"""scorch2 to-weak: annotations split into one row per character."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.formats.source import read_text
from scorch2.tasks.linking.converters import weak

USAGE = f"""Split annotations into rows of one character, each with all candidates of its mention.

Usage:
  scorch2 to-weak [options] [--] <annotations>

  <annotations>  annotations TSV, - for standard input

Options:
{arguments.other_options(column=26)}

Scores of such files compare characters; the overlap measures of evaluate compare mentions.
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    path = neleval.parse_neleval(USAGE, words)["<annotations>"]
    output.write_data(output.STDOUT, weak(read_text(path), path))
    return 0
