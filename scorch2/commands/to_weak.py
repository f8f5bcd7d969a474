"""scorch2 to-weak: annotations cut up into one row a character."""

from collections.abc import Sequence

from scorch2 import arguments, output
from scorch2.formats import read
from scorch2.preparing.rows import lines

USAGE = """Cut annotations into rows of one character, each with all candidates of its mention.

Usage:
  scorch2 to-weak [options] [--] <annotations>

Options:
  --debug                 show where an error came from
  -h, --help              show this text

What is compared afterwards are characters; the overlap measures of evaluate compare mentions.
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    path = arguments.parse(USAGE, words)["<annotations>"]
    read(path, "tsv")  # every line is one, or this says which is not
    rows = [
        "\t".join([cells[0], str(place), str(place), *cells[3:]])
        for _, cells in lines(path)
        for place in range(int(cells[1]), int(cells[2]) + 1)
    ]
    output.write_data(output.STDOUT, "".join(f"{row}\n" for row in rows))
    return 0
