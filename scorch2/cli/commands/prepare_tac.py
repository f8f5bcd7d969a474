"""scorch2 prepare-tac: queries and links of TAC entity linking (until 2014) to annotations."""

from collections.abc import Sequence

from scorch2.cli import arguments, console, neleval, output
from scorch2.model.errors import UsageError
from scorch2.tasks.linking.annotation_rows import read_excluded, read_redirects, rows_text, summary
from scorch2.tasks.linking.converters import TacOptions, from_tac_queries

USAGE = f"""Convert TAC queries and their links to annotations.

Usage:
  scorch2 prepare-tac [options] [--] <links>

  <links>     lines of query, entity, type and score (1.0 if absent), tab-separated;
              - for standard input

Options:
  -q, --queries=<file>    the queries, XML
  -x, --excluded=<file>   lines of document, start, end: mentions that begin or end there are left
                          out
  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles
  --by-offset             order offsets as numbers, not as text (100 before 9)
  --type=<label>          the type of all links: they have no cell for it (before 2014)
  --exclusive-ends        the ends of queries are after their mentions (2011)
  --quiet                 no counts on standard error
{arguments.other_options(column=26)}
"""

_INPUTS = ("--queries", "<links>", "--excluded", "--mapping")


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    if given["--queries"] is None:
        raise UsageError("prepare-tac needs --queries=<file>")
    arguments.share_no_stream(*(given[name] for name in _INPUTS))
    choices = TacOptions(
        read_excluded(given["--excluded"]),
        read_redirects(given["--mapping"]),
        given["--by-offset"],
        given["--type"],
        given["--exclusive-ends"],
    )
    rows = from_tac_queries(given["--queries"], given["<links>"], choices)
    output.write_data(output.STDOUT, rows_text(rows))
    if not given["--quiet"]:
        console.say(f"scorch2: {summary(rows)}")
    return 0
