"""Step 1, bytes to documents: the table of formats, and `read`, which detects the format of a file.

A row of `FORMATS` says all there is to say about a format: readers, writers, detection, suffixes and the
lists in help texts follow from it. A format is detected by content, then by suffix. A file in none of the
formats is refused, never read as empty.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol, cast

from scorch2.formats.source import read_data, read_head_of_input, stem, text_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError
from scorch2.model.messages import quoted, unknown_name

ROWS = "rows"
"""Family of texts in rows: the reader has ``documents(text, stem, path) -> Iterator[Document]``.

It refuses two documents of one name.
"""
TYPED = "typed JSON"
"""Family of JSON objects whose ``type`` is the name: the reader has ``document(value, name, path)``."""
KEYED = "keyed JSON"
"""Family of JSON objects without ``type``, known by their keys: see `scorch2.formats.json.jsonlines`."""
XML = "XML"
"""Family of XML, whose bytes may name their encoding: the reader has ``read(data, stem, path)``."""


class Format(NamedTuple):
    """Everything there is to say about a format."""

    name: str
    about: str
    """What it is, for help texts."""
    family: str
    """How it is read: `ROWS`, `TYPED`, `KEYED` or `XML`."""
    reader: str
    """The module that reads it, below ``scorch2.formats``."""
    writer: str
    """The module with ``write(document) -> str``; empty if the format is only read."""
    begins: Callable[[Any], object]
    """Tells from the content whether it is in this format: from text, or from bytes in the family `XML`."""
    suffixes: tuple[str, ...]
    """Suffixes that stand for it if the content does not tell; the first is that of converted files."""
    one_document: bool = False
    """Whether a file holds one document only."""
    linking: bool = False
    """Whether it is made for entity linking."""
    places: bool = True
    """Whether the commands of entity linking offer it: it can say where mentions are."""


_ANNOTATION = r"[^\t\n]+\t[0-9]+\t[0-9]+(?:\r?\n|\t|\Z)"
_JSON = re.compile(r"\s*[\[{]").match
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<").match
"""XML in UTF-8 and encodings that resemble it, and in UTF-16."""
_BLANK_OR_COMMENT = re.compile(r"\s+|#(?!\s*begin document\b).*\n")
_BEGIN = re.compile(r"#\s*begin document\b")


def _begins_conll(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment begins a document.

    A loop, since a single pattern would keep a state for every line that it skips.
    """
    position = 0
    while skipped := _BLANK_OR_COMMENT.match(text, position):
        position = skipped.end()
    return bool(_BEGIN.match(text, position))


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format(
            "clusters", "clusters JSON", TYPED, "json.clusters", "json.clusters",
            _JSON, (".json",), one_document=True,
        ),
        Format(
            "graph", "graph JSON", TYPED, "json.graph", "json.graph",
            _JSON, (".json",), one_document=True, places=False,
        ),
        Format(
            "jsonlines", "jsonlines of neural systems", KEYED, "json.jsonlines", "json.jsonlines",
            _JSON, (".jsonl",),
        ),
        Format(
            "conll", "CoNLL columns", ROWS, "conll.reader", "conll.writer",
            _begins_conll, (".conll", ".v4_gold_conll", ".v4_auto_conll"),
        ),
        Format(
            "tsv", "annotations TSV", ROWS, "tsv.annotations", "tsv.annotations",
            re.compile(_ANNOTATION).match, (".tsv",), linking=True,
        ),
        Format(
            "aida", "AIDA-CoNLL", ROWS, "tsv.aida", "",
            re.compile(rf"(?!{_ANNOTATION})\s*-DOCSTART- \(").match, (), linking=True,
        ),
        Format(
            "are", "ARE XML", XML, "are.reader", "are.writer",
            _XML, (".xml",), one_document=True, places=False,
        ),
    )
}  # fmt: skip
"""The formats by name, in the order of help texts.

A content is shown to the rows from the last to the first, and the first that recognises it reads it: a new
row goes to the end.
"""


class _RowReader(Protocol):
    def documents(self, text: str, stem: str, path: str) -> Iterator[Document]: ...


class _XmlReader(Protocol):
    def read(self, data: bytes, stem: str, path: str) -> list[Document]: ...


class _Writer(Protocol):
    def write(self, document: Document) -> str: ...


SIDES = "--gold-format or --sys-format"
"""The options of commands with a gold side and a system side that name a format."""


def read(path: str, format: str | None = None, option: str = SIDES) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input.
    format : str, optional
        A name in `FORMATS`; detected by content, then by suffix, if absent.
    option : str
        How the caller names a format, for the message about an unknown one.

    Returns
    -------
    list of Document
        In the order of the file, at least one.

    Raises
    ------
    InputError
        For everything that could not be scored exactly as it is written, with file and place.
    """
    return list(_documents(read_data(path), path, format, option))


def stream(path: str, format: str | None = None) -> Iterable[Document]:
    """Return the documents of a file one after the other, so that not all need be held; as `read`.

    Where the format allows it, each document is read when it is asked for, and what is wrong in it is raised
    then.
    """
    return _documents(read_data(path), path, format)


def documents(data: bytes, path: str, format: str | None = None) -> list[Document]:
    """Return the documents in the content of the file `path`; as `read`."""
    return list(_documents(data, path, format))


def _documents(data: bytes, path: str, format: str | None, option: str = SIDES) -> Iterable[Document]:
    row = xml_format(data, path) if format is None else FORMATS[format]
    if row is not None and row.family == XML:
        return cast("_XmlReader", module(row.reader)).read(data, stem(path), path)
    text = text_of(data, path)
    row = row or _detected(text, path, option)
    if row.family == ROWS:
        return cast("_RowReader", module(row.reader)).documents(text, stem(path), path)
    from scorch2.formats.json import documents as json_documents

    return json_documents.documents(text, stem(path), path, format)


def xml_format(data: bytes, path: str) -> Format | None:
    """Return the format of an XML file, by its content or its suffix; None for other files."""
    if data[:1] == b"{":  # JSON, as nearly every small file is
        return None
    return _by_content(_MARKUP, data) or _by_suffix(_MARKUP, path)


def is_for_linking(path: str, format: str | None) -> bool:
    """Return whether an input is in a format of entity linking; a stream is kept for `read`."""
    if format is not None:
        return FORMATS[format].linking
    row = _by_content(_TEXTS, read_head_of_input(path))
    return row is not None and row.linking


def names(chosen: Callable[[Format], object] = bool) -> tuple[str, ...]:
    """Return the names of the formats whose row is `chosen`, in the order of the table.

    >>> names(lambda row: row.linking)
    ('tsv', 'aida')
    """
    return tuple(name for name, row in FORMATS.items() if chosen(row))


def check_format(name: str | None) -> str | None:
    """Return `name` if it is a format, or None if the format is to be detected."""
    if name is not None and name not in FORMATS:
        raise UsageError(unknown_name(name, "format", FORMATS))
    return name


def check_written(name: str) -> str:
    """Return `name` if documents can be written in that format."""
    writable = names(lambda row: row.writer)
    if name not in writable:
        raise UsageError(unknown_name(name, "format to write", writable))
    return name


def write(document: Document, format: str) -> str:
    """Return a document in a format, as text that ends with a line feed.

    Raises
    ------
    InputError
        If the format must hold what the document does not have (tokens, say).
    """
    return cast("_Writer", module(FORMATS[format].writer)).write(document)


def write_file(written: Sequence[Document], format: str) -> str:
    """Return documents as the content of one file, which was read again to be sure.

    Raises
    ------
    InputError
        As `write`, and if the file would not be read as these documents.
    """
    text = "".join(write(document, format) for document in written)
    for document, found in zip_longest(written, _read_again(text, format)):
        if document is None or found is None or _gist(document) != _gist(found):
            odd = document or written[-1]
            why = f"{quoted(odd.id)} cannot be written as {format}: it would be read differently"
            raise InputError(odd.path, "", f"{why} (is its name or a mention unusual?)")
    return text


def _read_again(text: str, format: str) -> list[Document]:
    try:
        return documents(text.encode(), "", format)
    except (InputError, UnicodeEncodeError):
        return []


def _gist(document: Document) -> tuple[str, list[int]]:
    """Return what every format keeps of a document: its name and how many mentions its clusters hold."""
    sizes = (len(set(members)) for members in document.clusters.values())
    return document.id, sorted(size for size in sizes if size)


@cache
def module(name: str) -> Any:
    """Return a module below this one by its name in the table; it is imported on first use."""
    return importlib.import_module(f"scorch2.formats.{name}")


_MARKUP = tuple(row for row in reversed(tuple(FORMATS.values())) if row.family == XML)
_TEXTS = tuple(row for row in reversed(tuple(FORMATS.values())) if row.family != XML)
_OBJECT = FORMATS["clusters"]
"""Stands for all JSON, which one reader takes apart by what is inside."""


def _detected(text: str, path: str, option: str) -> Format:
    if text[:1] == "{":
        return _OBJECT
    row = _by_content(_TEXTS, text) or _by_suffix(_TEXTS, path)
    if row is None:
        what = "the file is empty" if not text.strip() else "not a known format"
        known = ", ".join(FORMATS)
        raise InputError(path, "", f"{what} (known: {known}; name it with {option})")
    return row


def _by_content(rows: Iterable[Format], content: str | bytes) -> Format | None:
    return next((row for row in rows if row.begins(content)), None)


def _by_suffix(rows: Iterable[Format], path: str) -> Format | None:
    name = path.removesuffix(".gz")
    return next((row for row in rows if name.endswith(row.suffixes)), None)
