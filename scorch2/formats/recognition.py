"""Detection of documents by the first kilobytes, to protect them from being replaced.

A report may be replaced by a report, and documents may not. So the reports of scorch2 in JSON and XML must
not be taken for documents, and a document must be known though only its beginning is looked at.
"""

import re
from collections.abc import Iterator

from scorch2.formats.source import read_start
from scorch2.formats.table import FORMATS, ROWS, TYPED, XML
from scorch2.formats.xml_head import decoded

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
    text = decoded(head)
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
    from scorch2.formats.json.bare import NO_NAMES
    from scorch2.formats.json.keyed import known

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
    for form, source in known():
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
