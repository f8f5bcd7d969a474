"""Bytes to documents: which format a file is in, and its reader.

A format is detected by content, then by suffix. A file in none of the formats is
refused, never read as empty.
"""

import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from scorch2.formats import without_suffix
from scorch2.formats.source import begin_of, decoded, read_data, read_head_of_input, stem, text_of, unmarked
from scorch2.formats.table import (
    FORMATS,
    KEYED,
    ROWS,
    TYPED,
    XML,
    ClusterKeys,
    Format,
    FormatModule,
    refuse_typed_key,
)
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, quoted
from scorch2.model.forms import function_at

FORMAT_OPTIONS = "--gold-format or --sys-format"
"""The options of commands with a gold side and a system side that name a format."""


@cache
def format_module(name: str) -> FormatModule:
    """Return a module below ``scorch2.formats`` by its name in the table; it is imported on first use."""
    # Of a file that several formats share, ``xml.standoff:gate`` is what begins with ``gate_`` or ``GATE_``
    file, _, prefix = name.partition(":")
    there = importlib.import_module(f"scorch2.formats.{file}")
    if prefix:
        begins, skipped = (f"{prefix}_", f"{prefix.upper()}_"), len(prefix) + 1
        own = {key[skipped:]: part for key, part in vars(there).items() if key.startswith(begins)}
        return cast("FormatModule", SimpleNamespace(**own))
    return cast("FormatModule", there)


def read(
    path: str, format: str | None = None, option: str = FORMAT_OPTIONS, keys: ClusterKeys = ()
) -> list[Document]:
    """Read the documents of a file."""
    return documents(read_data(path), path, format, keys, option)


def stream(
    path: str,
    format: str | None = None,
    keys: ClusterKeys = (),
    *,
    repair: bool = False,
) -> Iterable[Document]:
    """Return the documents of a file one after the other, so that not all need be held; as `read`."""
    # Where the format allows it, each document is read when it is asked for, and what is wrong in it is
    # raised then. `repair` lets marks in a text be repaired.
    found = stream_of(read_data(path), path, format, keys=keys)
    return found if repair else strictly(found)


def documents(
    data: bytes, path: str, format: str | None = None, keys: ClusterKeys = (), option: str = FORMAT_OPTIONS
) -> list[Document]:
    """Return the documents in the content of the file `path`; as `read`."""
    return list(strictly(stream_of(data, path, format, option, keys)))


def strictly(found: Iterable[Document]) -> Iterable[Document]:
    """Return documents; an InputError tells of a mark in a text that had to be repaired."""
    return found if type(found) is list else _unrepaired(found)  # lists are of JSON, without marks


def _unrepaired(found: Iterable[Document]) -> Iterator[Document]:
    for document in found:
        for error in document.repairs:
            raise InputError(error.path, error.where, f"{error.why} (scoring goes on with --marks=repair)")
        yield document


def problems(data: bytes, path: str, format: str) -> list[Notice]:
    """Return the rules of its format that a file breaks which can be read, in the order of the lines."""
    if not format or not FORMATS[format].problems:
        return []
    return list(format_module(FORMATS[format].problems).problems(unmarked(data, path), path))


def stream_of(
    data: bytes, path: str, format: str | None, option: str = FORMAT_OPTIONS, keys: ClusterKeys = ()
) -> Iterable[Document]:
    """Return the documents in the content of the file `path`, with what had to be repaired; as `stream`."""
    # JSON, as nearly every small file is: to ask other formats first takes 3 % of a run over 348 documents
    if format is None and data[:1] == b"{" and not data[1:2].isalpha():
        text = decoded(data, path)
        del data
        return _json_documents(text, path, None, keys)
    row = xml_format(data, path) or _format_by_part(data) if format is None else FORMATS[format]
    if row is not None and row.family == XML:
        if format is None and row.is_surely is not None:  # elements of it may be a model's marks
            function_at("formats.marked.marks:refuse_marks")(data.decode("utf-8", "replace"), path, option)
        return _documents(row, data, path, keys)
    if row is not None and row.by_part:
        return _documents(row, unmarked(data, path), path, keys)
    text = text_of(data, path)
    del data  # half of the memory, where the caller does not hold it either
    row = row or _format_of_text(text, path, option)
    if row.family == ROWS:
        return _documents(row, text.encode() if row.by_part else text, path, keys)
    return _json_documents(text, path, format, keys)


def _documents(row: Format, content: str | bytes, path: str, keys: ClusterKeys) -> Iterable[Document]:
    refuse_typed_key(keys, path, row.about)
    return format_module(row.reader).documents(content, stem(path), path)


_TYPES = tuple(name for name, row in FORMATS.items() if row.family == TYPED)
_KEYED = tuple(name for name, row in FORMATS.items() if row.family == KEYED)


def _json_documents(text: str, path: str, expected: str | None, keys: ClusterKeys) -> Iterable[Document]:
    """Return the documents of a JSON text: an object with a ``type``, or what `dialects` reads."""
    # That is imported when a text needs it: with it a run on a tiny corpus executes 3 % more instructions.
    if text[:1] != "{" and "```" in text:
        text = function_at("formats.detection:fenced_json")(text) or text
    if 0 <= text.find("\n") < len(text) - 1:
        from scorch2.formats.json import dialects

        if dialects.are_lines(text, path, expected):
            return dialects.read_lines(text, path, expected, keys=keys)
    try:
        value = function_at("formats.json.strict:parse")(text, path)
    except InputError:
        if not function_at("formats.json.strict:is_glued")(text):
            raise
        from scorch2.formats.json import dialects

        return dialects.read_glued(text, path, expected, keys)
    if type(value) is dict and "type" in value and expected not in _KEYED:
        return [_typed(value, path, expected, keys)]
    from scorch2.formats.json import dialects

    return dialects.documents(value, path, expected, keys)


def _typed(value: dict[str, Any], path: str, expected: str | None, keys: ClusterKeys) -> Document:
    kind, name = value["type"], value["name"] if "name" in value else stem(path)
    if type(kind) is not str or kind not in _TYPES:
        shown = f" {quoted(kind)}" if type(kind) is str else ""
        raise InputError(path, "$.type", f"unknown type{shown} (known: {', '.join(_TYPES)})")
    if expected not in (None, kind):
        raise InputError(path, "$.type", f'is "{kind}", but the format was given as {expected}')
    if type(name) is not str:
        raise InputError(path, "$.name", "should be a string")
    if len(keys) == 1:
        refuse_typed_key(keys, path, f"{kind} JSON")
    row = FORMATS[kind]
    read = format_module(row.reader).document(value, name, path)
    if not set(value).difference(row.keys):
        return read
    from scorch2.formats.fields import unread_keys

    return read._replace(unread=unread_keys(value, row.keys))


def xml_format(data: bytes, path: str) -> Format | None:
    """Return the format of an XML file, by its content or its suffix; None for other files."""
    from scorch2.formats.detection import is_markup

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


_LAST_FIRST = tuple(FORMATS.values())[::-1]  # the order in which they are asked
_MARKUP = tuple(row for row in _LAST_FIRST if row.family == XML)
_TEXTS = tuple(sorted((row for row in _LAST_FIRST if row.family != XML), key=lambda row: row.family != ROWS))
"""Rows before JSON: a name in the first column may begin like JSON."""
_BY_PART = tuple(row for row in _TEXTS if row.by_part)
_BRACED = tuple(row for row in _TEXTS if row.name == "sacr")  # may begin with a brace, too
_JSON = next(row for row in FORMATS.values() if row.family in (TYPED, KEYED))
"""Stands for all JSON, which one reader takes apart by what is inside."""


def _format_of_text(text: str, path: str, option: str) -> Format:
    if text[:1] == "{":
        return (text[1:2].isalpha() and (_by_content(_BRACED, text) or _by_suffix(_BRACED, path))) or _JSON
    row = _by_content(_TEXTS, text)
    if row is None or row.family != ROWS:
        row = row or _by_suffix(_TEXTS, path)
        function_at("formats.recognition:refuse")(text, path, option, row)
    return row if row is not None and row.family == ROWS else _JSON


def _by_content(rows: Iterable[Format], content: str | bytes) -> Format | None:
    return next((row for row in rows if row.begins(content)), None)


def _by_suffix(rows: Iterable[Format], path: str) -> Format | None:
    name = without_suffix(path)
    return next((row for row in rows if name.endswith(row.suffixes) and not row.has_marks), None)
