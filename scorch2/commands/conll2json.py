"""conll2json: CoNLL columns to clusters JSON, one file a document, all of them or none."""

import os
from collections.abc import Sequence

from scorch2 import arguments, console, output
from scorch2.document import Document
from scorch2.errors import InputError, Notice, OutputError, printable, quoted
from scorch2.formats import read
from scorch2.formats.clusters_json import write
from scorch2.formats.source import STDIN
from scorch2.matching.duplicates import resolve

USAGE = """Convert a CoNLL-2011/2012 file to clusters JSON, one file a document.

Usage:
  conll2json [options] [--] <conll-file> [<out-dir>]

  <conll-file>  CoNLL columns, or - for standard input
  <out-dir>     where the files go (made if it is not there); default: the folder of the input,
                the current folder for -

Options:
  -q, --quiet  no warnings
  --debug      show where an error came from
  -h, --help   show this text
  --version    show the version

Mention ids are <sentence>.<first>-<last>, counted from 0; files are called <name>-<part>.json.
Files that are there already are replaced.

Exit status: 0 done, 2 error (nothing was written), 130 interrupted.
"""
_LONGEST = 200
"""Bytes of a file name, so that it fits every file system with its suffix."""
_RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}


def run(words: Sequence[str]) -> int:
    """Convert the file that `words` name and return the exit status."""
    given = arguments.parse(USAGE, words)
    path = given["<conll-file>"]
    folder = given["<out-dir>"] or ("." if path == STDIN else os.path.dirname(path) or ".")
    documents = read(path, "conll")
    texts = {
        os.path.join(folder, name): write(document) for name, document in _files(documents, path).items()
    }
    with output.folder(folder):
        for target in texts:
            if path != STDIN and os.path.exists(target) and os.path.samefile(target, path):
                raise OutputError(f"{printable(target)}: is the input and would be overwritten")
        output.write_files(texts)
    if not given["--quiet"]:
        console.warn([notice for document in documents for notice in _notices(document)])
    return 0


def _files(documents: Sequence[Document], path: str) -> dict[str, Document]:
    """Return the documents by file name; refuse two that could meet in one file on any file system."""
    files: dict[str, Document] = {}
    taken: dict[str, str] = {}
    for document in documents:
        name = file_name(document.id)
        other = taken.setdefault(name.casefold(), document.id)
        if other != document.id:
            why = f"the documents {quoted(other)} and {quoted(document.id)} would both be written to {name}"
            raise InputError(path, "", why)
        files[name] = document
    return files


def file_name(ident: str) -> str:
    """Return a safe file name for a document: letters, digits and ``._-`` stay, anything else becomes ``_``.

    >>> file_name("bc/cctv/00/cctv_0000-000"), file_name("../../evil"), file_name("nul")
    ('bc_cctv_00_cctv_0000-000.json', '_._.._evil.json', '_nul.json')
    """
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in ident)
    if safe.startswith((".", "-")) or safe.split(".")[0].casefold() in _RESERVED:
        safe = "_" + safe[safe.startswith((".", "-")) :]
    return safe.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore") + ".json"


def _notices(document: Document) -> list[Notice]:
    repeated = resolve(document.id, document, "first")[1]
    kept = [
        Notice("duplicates", document.id, f"{n.message.removesuffix(' and stays there')}; both are kept")
        for n in repeated
    ]
    return [*(Notice("reader", document.id, note) for note in document.notes), *kept]
