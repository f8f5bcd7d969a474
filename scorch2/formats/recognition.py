"""Detection of documents by the first kilobytes, to protect them from being replaced.

A report may be replaced by a report, and documents may not. So the reports of scorch2 in JSON and XML must
not be taken for documents, and a document must be known though only its beginning is looked at.
"""

import re
from collections.abc import Iterator

from scorch2.formats import FORMATS, ROWS, TYPED, names, xml_format
from scorch2.formats.source import read_start

_HEAD = 1 << 16
"""Bytes that are looked at."""
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\],:]', re.DOTALL)
"""A string or a sign of JSON; a quote alone begins a string that the head cuts off."""
_ELEMENT = re.compile(r"<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|<([\w.:-]+)", re.DOTALL)
"""A comment, an instruction, or the start of an element with its name."""
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


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
    text = head.decode(_UTF_16.get(head[:2], "utf-8"), "replace").removeprefix("\ufeff")
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _json(text)
    if start == "<":
        row = xml_format(head, "")
        return _markup(text) if row is None or row.name == "are" else row.name
    rows = [row for row in reversed(tuple(FORMATS.values())) if row.family == ROWS]
    return next((row.name for row in rows if row.begins(text)), None)


def _json(text: str) -> str | None:
    """Return the format of JSON by the keys of its first object.

    A whole object needs the keys that its reader needs; one that is cut off, only one that no report has.
    """
    from scorch2.formats.json.jsonlines import SOURCES

    keys = dict(_members(text))
    kind = keys.get("type", "").strip('"')
    if kind in names(lambda row: row.family == TYPED):
        return kind
    groups = [source.keys for source in SOURCES]
    if "" not in keys:
        found = any(all(keys.keys() & set(names) for names in group) for group in groups)
    elif keys.get("clusters") == "{":
        return "clusters"
    elif "links" in keys:
        return "graph"
    else:
        found = any(keys.keys() & set(names) for group in groups for names in group)
    return "jsonlines" if found else None


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


def _markup(text: str) -> str | None:
    """Return ``are`` if what is inside the root is what a file of the exercise has there."""
    from scorch2.formats.are.marks import INSIDE

    root, inside = [*(found[1] for found in _ELEMENT.finditer(text) if found[1]), "", ""][:2]
    return "are" if root == "are" or inside in INSIDE[""] else None
