"""scorch2 prepare-tac: queries and links of TAC entity linking (until 2014) to annotations."""

from collections.abc import Sequence

from scorch2 import arguments, console, output
from scorch2.errors import UsageError
from scorch2.messages import counted
from scorch2.preparing.rows import as_text, excluded, redirects
from scorch2.preparing.tac import Changes, from_queries

USAGE = """Convert TAC queries and their links to annotations.

Usage:
  scorch2 prepare-tac [options] [--] <links>

  <links>     lines of query, entity, type and score (1.0 if absent), tab-separated

Options:
  -q, --queries=<file>    the queries, XML
  -x, --excluded=<file>   lines of document, start, end: mentions that begin or end there are left out
  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles
  --debug                 show where an error came from
  -h, --help              show this text
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = arguments.parse(USAGE, words)
    if given["--queries"] is None:
        raise UsageError("prepare-tac needs --queries=<file>")
    changes = Changes(excluded(given["--excluded"]), redirects(given["--mapping"]))
    rows = from_queries(given["--queries"], given["<links>"], changes)
    output.write_data(output.STDOUT, as_text(rows))
    console.say(
        f"scorch2: {counted(len(rows), 'mention')}, {counted(sum(len(row.choices) for row in rows), 'link')}"
    )
    return 0
