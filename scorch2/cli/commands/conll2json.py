"""conll2json: CoNLL columns to clusters JSON, one file per document; the short form of convert."""

import os
from collections.abc import Sequence

from scorch2.cli import arguments
from scorch2.cli.commands.convert import convert_to_folder
from scorch2.formats import read
from scorch2.formats.source import STDIN

USAGE = """Convert a CoNLL-2011/2012 file to clusters JSON, one file per document.

Usage:
  conll2json [options] [--] <conll-file> [<out-dir>]

  <conll-file>  CoNLL columns, or - for standard input
  <out-dir>     where the files go (made if it is not there); default: the folder of the input,
                the current folder for -

Options:
  --force      overwrite files that are no clusters JSON, and read-only files
  -q, --quiet  no warnings
  --debug      show where an error came from
  -h, --help   show this text
  --version    show the version

Mention ids are <sentence>.<first>-<last>, counted from 0; files are called <name>-<part>.json.
A file that is there already is replaced if it is clusters JSON.

Exit status: 0 done, 2 error (nothing was written), 130 interrupted.
"""


def run(words: Sequence[str]) -> int:
    """Convert the file that `words` name and return the exit status."""
    given = arguments.parse(USAGE, words)
    path = given["<conll-file>"]
    folder = given["<out-dir>"] or ("." if path == STDIN else os.path.dirname(path) or ".")
    convert_to_folder(path, read(path, "conll"), folder, "clusters", given)
    return 0
