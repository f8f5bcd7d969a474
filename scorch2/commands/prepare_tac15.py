"""scorch2 prepare-tac15: a table of TAC entity discovery and linking (2015 and later) to annotations."""

from collections.abc import Sequence

from scorch2 import arguments, console, output
from scorch2.messages import counted
from scorch2.preparing.rows import as_text, excluded, redirects
from scorch2.preparing.tac import Changes, from_run

USAGE = """Convert a table of TAC 2015 and later to annotations.

Usage:
  scorch2 prepare-tac15 [options] [--] <run>

  <run>       lines of run, mention, text, document: start - end, entity, type, mention type, score

Options:
  -x, --excluded=<file>   lines of document, start, end: mentions that begin or end there are left out
  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles
  --debug                 show where an error came from
  -h, --help              show this text

Spans that are written differently are one mention, and come in the order of their offsets.
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = arguments.parse(USAGE, words)
    changes = Changes(excluded(given["--excluded"]), redirects(given["--mapping"]))
    rows = from_run(given["<run>"], changes)
    output.write_data(output.STDOUT, as_text(rows))
    console.say(
        f"scorch2: {counted(len(rows), 'mention')}, {counted(sum(len(row.choices) for row in rows), 'link')}"
    )
    return 0
