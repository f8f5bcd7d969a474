"""A JSON text to documents: an object with a ``type``, or what `untyped` reads.

That is imported when a text needs it: with it a run on a tiny corpus executes 3 % more instructions.
"""

from collections.abc import Iterable
from typing import Any, Protocol

from scorch2.formats.json.strict import is_glued, parse
from scorch2.formats.source import stem
from scorch2.formats.table import (
    FORMATS,
    KEYED,
    TYPED,
    ClusterKeys,
    format_module,
    format_names,
    refuse_typed_key,
)
from scorch2.model.document import Document
from scorch2.model.errors import InputError, quoted

_TYPES = format_names(lambda row: row.family == TYPED)
_KEYED = format_names(lambda row: row.family == KEYED)


class _Reader(Protocol):
    def document(self, value: dict[str, Any], name: str, path: str) -> Document: ...


def read(text: str, path: str, expected: str | None = None) -> list[Document]:
    """Return the documents of a JSON text; as `documents`."""
    return list(documents(text, path, expected))


def documents(
    text: str, path: str, expected: str | None = None, keys: ClusterKeys = ()
) -> Iterable[Document]:
    """Return the documents of a JSON text; of several, each may be read when it is asked for.

    Parameters
    ----------
    text, path : str
        The content of a file, and the file. A single document that does not say its name is called like it.
    expected : str, optional
        The format that was asked for.
    keys : Keys
        The keys that may hold the clusters that are meant.

    Returns
    -------
    iterable of Document
        At least one, in the order of the text.

    Raises
    ------
    InputError
        For text that is not strict JSON, and for JSON that is none of the formats, with its place.
    """
    if 0 <= text.find("\n") < len(text) - 1:
        from scorch2.formats.json.dialects import are_lines, documents, read_glued, read_lines

        if are_lines(text, path, expected):
            return read_lines(text, path, expected, keys=keys)
    try:
        value = parse(text, path)
    except InputError:
        if not is_glued(text):
            raise
        from scorch2.formats.json.dialects import are_lines, documents, read_glued, read_lines

        return read_glued(text, path, expected, keys)
    if type(value) is dict and "type" in value and expected not in _KEYED:
        return [_typed(value, path, expected, keys)]
    from scorch2.formats.json.dialects import are_lines, documents, read_glued, read_lines

    return documents(value, path, expected, keys)


def _typed(value: dict[str, Any], path: str, expected: str | None, keys: ClusterKeys) -> Document:
    kind, name = value["type"], value["name"] if "name" in value else stem(path)
    if type(kind) is not str or kind not in _TYPES:
        shown = f" {quoted(kind)}" if type(kind) is str else ""
        raise InputError(path, "$.type", f"unknown type{shown} (known: {', '.join(_TYPES)})")
    if expected not in (None, kind):
        raise InputError(path, "$.type", f'is "{kind}", but the format was given as {expected}')
    if type(name) is not str:
        raise InputError(path, "$.name", "should be a string")
    if keys:
        refuse_typed_key(keys, path, f"{kind} JSON")
    reader: _Reader = format_module(FORMATS[kind].reader)
    return reader.document(value, name, path)
