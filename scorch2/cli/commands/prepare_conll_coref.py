"""scorch2 prepare-conll-coref: CoNLL-2011/2012 coreference to annotations."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.formats.source import STDIN
from scorch2.tasks.linking.annotation_rows import rows_text
from scorch2.tasks.linking.converters import from_conll

USAGE = f"""Convert CoNLL-2011/2012 coreference to annotations: spans of token numbers from 1.

Usage:
  scorch2 prepare-conll-coref [options] [--] [<file>]

  <file>      standard input if absent or -

Options:
  --with-kb               ids are those of a knowledge base, unless they begin with NIL
  --cross-doc             clusters continue across documents
{arguments.other_options(column=26)}
"""


def run(words: Sequence[str]) -> int:
    """Convert what `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    path = STDIN if given["<file>"] is None else given["<file>"]
    rows = from_conll(path, with_kb=given["--with-kb"], cross_doc=given["--cross-doc"])
    output.write_data(output.STDOUT, rows_text(rows))
    return 0
