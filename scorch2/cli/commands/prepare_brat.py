"""scorch2 prepare-brat: a folder of brat annotations to annotations of entity linking."""

from collections.abc import Sequence

from scorch2.cli import arguments, console, neleval, output
from scorch2.formats.source import read_text
from scorch2.tasks.linking.annotation_rows import read_redirects, rows_text
from scorch2.tasks.linking.converters import brat_files, from_brat

USAGE = f"""Convert a folder of brat's .ann files to annotations.

Usage:
  scorch2 prepare-brat [options] [--] <folder>

Options:
  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles
  --pieces                one row for each part of a discontinuous mention, not one for all
{arguments.other_options("no warnings", 26)}

A mention without an N line is an entity of its own, outside the knowledge base.
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    titles = read_redirects(given["--mapping"])
    files = [
        from_brat(read_text(path), path, docid, titles, pieces=given["--pieces"])
        for docid, path in brat_files(given["<folder>"]).items()
    ]
    output.write_data(output.STDOUT, rows_text([row for rows, _ in files for row in rows]))
    console.warn([notice for _, notices in files for notice in notices], quiet=given["--quiet"])
    return 0
