"""scorch2 select-alternatives: gold that leaves a choice, as the system would have it."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.formats.reading import read
from scorch2.formats.rows.annotations import write
from scorch2.model.errors import UsageError
from scorch2.tasks.linking.annotation_rows import key_of, select_alternatives

USAGE = f"""Resolve gold with several candidates per mention: keep the one closest to the system.

Usage:
  scorch2 select-alternatives [options] [--] <sys>

  <sys>       annotations of the system

Options:
  -g, --gold=<file>       annotations whose mentions may have several candidates
  -f, --fields=<list>     fields that must be equal: eid (default), type, score, members of JSON
                          types, separated by commas, or * for all
{arguments.other_options(column=26)}

It keeps the first candidate that equals the system's best one at the same span; if there is none,
one anywhere in the document, then anywhere in the output; else the candidate with the best score.
"""


def run(words: Sequence[str]) -> int:
    """Select what `words` ask for and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    if given["--gold"] is None:
        raise UsageError("select-alternatives needs --gold=<file>")
    arguments.share_no_stream(given["--gold"], given["<sys>"])
    key = key_of(("eid" if given["--fields"] is None else given["--fields"]).split(","))
    gold, system = read(given["--gold"], "tsv"), read(given["<sys>"], "tsv")
    output.write_data(output.STDOUT, "".join(map(write, select_alternatives(gold, system, key))))
    return 0
