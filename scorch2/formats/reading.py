"""Bytes to documents: which format a file is in, and its reader.

A format is detected by content, then by suffix. A file in none of the formats is
refused, never read as empty.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from scorch2.formats.compressed import without_suffix
from scorch2.formats.source import (
    begin_of,
    read_data,
    read_head_of_input,
    read_start,
    stem,
    text_of,
    unmarked,
)
from scorch2.formats.table import (
    FORMATS,
    KEYED,
    ROWS,
    TYPED,
    XML,
    ClusterKeys,
    Format,
    decoded_head,
    format_module,
    refuse_typed_key,
)
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, quoted

if TYPE_CHECKING:

    class _RowReader(Protocol):
        def documents(self, content: Any, stem: str, path: str) -> Iterator[Document]: ...

    class _JsonReader(Protocol):
        def documents(
            self, text: str, path: str, expected: str | None, keys: ClusterKeys
        ) -> Iterable[Document]: ...

    class _XmlReader(Protocol):
        def read(self, data: bytes, stem: str, path: str) -> list[Document]: ...

    class _Writer(Protocol):
        def write(self, document: Document) -> str: ...

    class _Checks(Protocol):
        def problems(self, data: bytes, path: str) -> Iterator[InputError | Notice]: ...


FORMAT_OPTIONS = "--gold-format or --sys-format"
"""The options of commands with a gold side and a system side that name a format."""


def read(
    path: str, format: str | None = None, option: str = FORMAT_OPTIONS, keys: ClusterKeys = ()
) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input.
    format : str, optional
        A name in `FORMATS`; detected by content, then by suffix, if absent.
    option : str
        How the caller names a format, for the message about an unknown one.
    keys : Keys
        The keys under which JSON of neural systems may hold the clusters that are meant.

    Returns
    -------
    list of Document
        In the order of the file, at least one.

    Raises
    ------
    InputError
        For everything that could not be scored exactly as it is written, with file and place.
    """
    return list(stream_of(read_data(path), path, format, option, keys))


def stream(path: str, format: str | None = None, keys: ClusterKeys = ()) -> Iterable[Document]:
    """Return the documents of a file one after the other, so that not all need be held; as `read`.

    Where the format allows it, each document is read when it is asked for, and what is wrong in it is raised
    then.
    """
    return stream_of(read_data(path), path, format, keys=keys)


def documents(
    data: bytes, path: str, format: str | None = None, keys: ClusterKeys = (), option: str = FORMAT_OPTIONS
) -> list[Document]:
    """Return the documents in the content of the file `path`; as `read`."""
    return list(stream_of(data, path, format, option, keys))


def problems(data: bytes, path: str, format: str) -> list[InputError | Notice]:
    """Return what a file that can be read has against the rules of its format, in the order of the lines.

    What is odd, but not forbidden, is a warning.
    """
    if not format or not FORMATS[format].problems:
        return []
    checks: _Checks = format_module(FORMATS[format].problems)
    return list(checks.problems(unmarked(data, path), path))


def stream_of(
    data: bytes, path: str, format: str | None, option: str = FORMAT_OPTIONS, keys: ClusterKeys = ()
) -> Iterable[Document]:
    """Return the documents in the content of the file `path`; as `stream`."""
    row = xml_format(data, path) or _format_by_part(data) if format is None else FORMATS[format]
    if row is not None and row.family == XML:
        refuse_typed_key(keys, path, row.about)
        xml: _XmlReader = format_module(row.reader)
        return xml.read(data, stem(path), path)
    if row is not None and row.by_part:
        return _rows(row, unmarked(data, path), path, keys)
    text = text_of(data, path)
    del data  # half of the memory, where the caller does not hold it either
    row = row or _detected(text, path, option)
    if row.family == ROWS:
        return _rows(row, text.encode() if row.by_part else text, path, keys)
    json: _JsonReader = format_module("json.documents")
    return json.documents(text, path, format, keys)


def _rows(row: Format, content: str | bytes, path: str, keys: ClusterKeys) -> Iterable[Document]:
    refuse_typed_key(keys, path, row.about)
    reader: _RowReader = format_module(row.reader)
    return reader.documents(content, stem(path), path)


def xml_format(data: bytes, path: str) -> Format | None:
    """Return the format of an XML file, by its content or its suffix; None for other files."""
    if data[:1] == b"{":  # JSON, as nearly every small file is
        return None
    from scorch2.formats.table import is_markup

    found = _by_content(_MARKUP, data) if is_markup(data) else None
    return found or _by_suffix(_MARKUP, path)


def _format_by_part(data: bytes) -> Format | None:
    """Return the format of a file that is read part by part, by how it begins; None for others."""
    if data[:1] in (b"{", b"["):
        return None
    return _by_content(_BY_PART, begin_of(data))


def is_for_linking(path: str, format: str | None) -> bool:
    """Return whether an input is in a format of entity linking; a stream is kept for `read`."""
    if format is not None:
        return FORMATS[format].linking
    row = _by_content(_TEXTS, read_head_of_input(path))
    return row is not None and row.linking


def write(document: Document, format: str) -> str:
    """Return a document in a format, as text that ends with a line feed.

    Raises
    ------
    InputError
        If the format must hold what the document does not have (tokens, say), and for a NUL byte, which no
        reader takes.
    """
    row = FORMATS[format]
    if holds_spans_only(row):
        _refuse_pieces(document, format)
    writer: _Writer = format_module(row.writer)
    text = writer.write(document)
    if "\0" in text:
        why = f"{quoted(document.id)} cannot be written as {format}: it holds a NUL byte"
        raise InputError(document.path, "", why)
    return text


def holds_spans_only(row: Format) -> bool:
    """Return whether mentions are spans in a format: neither in pieces nor any names."""
    return not row.pieces and row.family != TYPED


def _refuse_pieces(document: Document, format: str) -> None:
    """Raise an InputError for a mention that is no span; formats in which mentions are names can hold it."""
    from scorch2.model.markables import Discontinuous, nodes_name

    for name, members in document.clusters.items():
        for mention in members:
            if isinstance(mention, Discontinuous):
                shown = f"mention {quoted(nodes_name(mention.nodes))} of the entity {quoted(name)}"
                why = f"{shown} is no span of words, and {format} holds nothing else (--lossy leaves it out)"
                raise InputError(document.path, "", f"{quoted(document.id)}: {why}")


_MARKUP = tuple(row for row in reversed(tuple(FORMATS.values())) if row.family == XML)
_TEXTS = tuple(
    sorted(
        (row for row in reversed(tuple(FORMATS.values())) if row.family != XML),
        key=lambda row: row.family != ROWS,
    )
)
"""Rows before JSON: a name in the first column may begin like JSON."""
_BY_PART = tuple(row for row in _TEXTS if row.by_part)
_JSON = next(row for row in FORMATS.values() if row.family in (TYPED, KEYED))
"""Stands for all JSON, which one reader takes apart by what is inside."""


def _detected(text: str, path: str, option: str) -> Format:
    if text[:1] == "{":
        return _JSON
    row = _by_content(_TEXTS, text) or _by_suffix(_TEXTS, path)
    if row is None:
        what = "the file is empty" if not text.strip() else "not a known format"
        known = ", ".join(FORMATS)
        raise InputError(path, "", f"{what} (known: {known}; name it with {option})")
    return row


def _by_content(rows: Iterable[Format], content: str | bytes) -> Format | None:
    return next((row for row in rows if row.begins(content)), None)


def _by_suffix(rows: Iterable[Format], path: str) -> Format | None:
    name = without_suffix(path)
    return next((row for row in rows if name.endswith(row.suffixes)), None)


_HEAD = 1 << 16
"""Bytes that are looked at."""
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\],:]', re.DOTALL)
"""A string or a sign of JSON; a quote alone begins a string that the head cuts off."""

_EMPTY = r"(?:\[\s*\]\s*,\s*)*"
_BARE = re.compile(
    r'\s*(?:\[\]\s+)*(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\]\s*,\s*)*"((?:[^"\\]|\\.)*)"\s*:\s*)?'
    rf"\[\s*{_EMPTY}(?:\[\s*{_EMPTY})?\[\s*\[\s*-?[0-9]"
)
"""Lists of clusters, alone, on lines, in a list, or under names; the last of the names."""
_SENTENCES = re.compile(rf"\s*\[\s*{_EMPTY}(?:\[\s*{_EMPTY})?\[\s*\{{")
"""Lists of sentences, which hold objects."""


def recognised(path: str) -> str | None:
    """Return the name of the format that a file reads as, or None if it does not read as documents.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return recognised_in(read_start(path, _HEAD))


def recognised_in(head: bytes) -> str | None:
    r"""Return the name of the format that begins so, or None.

    >>> recognised_in(b'{"type": "clusters", "clusters": {"a": ['), recognised_in(b'{"schema": 1, "scores"')
    ('clusters', None)
    >>> recognised_in(b"#begin document (d);\n"), recognised_in(b"MUC:\tR=1.0\n")
    ('conll', None)
    """
    text = decoded_head(head)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _json(text)
    family, content = (XML, head) if start == "<" else (ROWS, text)
    rows = [row for row in reversed(tuple(FORMATS.values())) if row.family == family]
    return next((row.name for row in rows if (row.is_surely or row.begins)(content)), None)


def _json(text: str) -> str | None:
    """Return the format of JSON by the keys of its first object.

    A whole object needs the keys that its reader needs; one that is cut off, only one that no report has.
    """
    from scorch2.formats.json.dialects import NO_NAMES, known_sources

    bare = _BARE.match(text)
    if bare and bare[1] not in NO_NAMES:
        return "jsonlines"
    keys = dict(_members(text))
    is_cut = "" in keys
    if {"id", "text"} <= keys.keys() and _SENTENCES.match(text):
        return "jsonlines"
    typed = {row.name: row for row in FORMATS.values() if row.family == TYPED}
    kind = keys.get("type", "").strip('"')
    if kind in typed:
        return kind
    for row in typed.values() if is_cut else ():
        if row.is_surely and row.is_surely(keys):
            return row.name
    best, most = None, 0
    for form, source in known_sources():
        groups = source.groups()
        found = sum(not keys.keys().isdisjoint(group) for group in groups)
        if found > most and (is_cut or found == len(groups)):
            best, most = form, found
    return best


def _members(text: str) -> Iterator[tuple[str, str]]:
    """Yield each key of the first object, and how its value begins (nothing for a number).

    The object may be the first item of a list. An empty key says that the text ends before the object does.
    """
    depth = inside = 0
    key, is_value = "", False
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign == '"':
            break
        if depth == inside > 0:
            if is_value:
                yield key, "" if sign in (",", "}") else sign
            elif sign[0] == '"':
                key = sign[1:-1]
            is_value = sign == ":"
        if sign in ("{", "["):
            depth += 1
            inside = inside or (depth if sign == "{" else 0)
        elif sign in ("}", "]"):
            depth -= 1
            if depth < inside:
                return
    yield ("", "")
