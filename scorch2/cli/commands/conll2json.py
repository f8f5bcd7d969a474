"""conll2json: CoNLL columns to clusters JSON, one file per document; the short form of convert."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scorch2.cli import arguments
from scorch2.cli.commands.convert import check_outside, convert_to_folder, texts_of, warn, write_to
from scorch2.formats.reading import read
from scorch2.formats.source import STDIN
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError, printable
from scorch2.scoring.pairing.files import FileChoice, folder_files, is_folder, refuse_choice

if TYPE_CHECKING:
    from scorch2.formats.copies import Written

USAGE = f"""Convert a CoNLL-2011/2012 file to clusters JSON, one file per document.

Usage:
  conll2json [options] [--] <conll-file> [<out-dir>]

  <conll-file>  CoNLL columns, - for standard input, or a folder of such files and its sub-folders
  <out-dir>     where the files go (made if it is not there); default: the folder of the input,
                the current folder for -; needed for a folder, and gets the same sub-folders

Options:
{arguments.option_lines("--files=<glob>", arguments.FILES_TEXT, 16)}
  --sentences     write the tokens, too, so that the files can be converted back
  --force         overwrite files that are no clusters JSON, and read-only files
{arguments.other_options("no warnings", 18, version=True)}

Mention ids are <sentence>.<first>-<last>, counted from 0; files are called <name>-<part>.json.
A file that is there already is replaced if it is clusters JSON.

{arguments.exit_statuses("0 done, 2 error (nothing was written)")}
"""


def run(words: Sequence[str]) -> int:
    """Convert the file that `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    path, choice = given["<conll-file>"], FileChoice(given["--files"], "--files")
    if is_folder(path):
        _convert_tree(path, choice, given)
        return 0
    refuse_choice(path, choice)
    folder = given["<out-dir>"] or ("." if path == STDIN else os.path.dirname(path) or ".")
    convert_to_folder(path, _documents(path, given), folder, "clusters", given)
    return 0


def _documents(path: str, given: Mapping[str, Any]) -> list[Document]:
    documents = read(path, "conll")
    return documents if given["--sentences"] else [document._replace(words=None) for document in documents]


def _convert_tree(path: str, choice: FileChoice, given: Mapping[str, Any]) -> None:
    folder = given["<out-dir>"]
    if folder is None:
        raise UsageError("the documents of a folder need another one: conll2json <folder> <out-dir>")
    check_outside(folder, path)
    texts: dict[str, Written] = {}
    every: list[Document] = []
    files = folder_files(path, choice)
    for called, file in files.items():
        documents = _documents(file, given)
        of_file = texts_of(file, documents, called, "clusters")
        for name in of_file.keys() & texts.keys():
            why = f"a document of another file would be written to {printable(name)}, too"
            raise InputError(file, "", why)
        texts |= of_file
        every += documents
    write_to(folder, texts, files.values(), "clusters", force=given["--force"])
    warn(every, texts.values(), "clusters", quiet=given["--quiet"])
