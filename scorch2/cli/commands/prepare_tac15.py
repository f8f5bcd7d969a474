"""scorch2 prepare-tac15: a table of TAC entity discovery and linking (2015 and later) to annotations."""

from collections.abc import Sequence

from scorch2.cli import arguments, console, neleval, output
from scorch2.tasks.linking.annotation_rows import read_excluded, read_redirects, rows_text, summary
from scorch2.tasks.linking.converters import TacOptions, from_tac_run

USAGE = f"""Convert a table of TAC 2015 and later to annotations.

Usage:
  scorch2 prepare-tac15 [options] [--] <run>

  <run>       lines of run, mention, text, document: start - end, entity, type, mention type, score;
              - for standard input

Options:
  -x, --excluded=<file>   lines of document, start, end: mentions that begin or end there are left
                          out
  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles
  --by-offset             order offsets as numbers, not as text (100 before 9)
  --quiet                 no counts on standard error
{arguments.other_options(column=26)}

Two spellings of one span are one mention.
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    arguments.share_no_stream(given["<run>"], given["--excluded"], given["--mapping"])
    titles = read_redirects(given["--mapping"])
    choices = TacOptions(read_excluded(given["--excluded"]), titles, given["--by-offset"])
    rows = from_tac_run(given["<run>"], choices)
    output.write_data(output.STDOUT, rows_text(rows))
    if not given["--quiet"]:
        console.say(f"scorch2: {summary(rows)}")
    return 0
