"""A JSON text to documents: an object with a ``type``, or documents of neural systems.

The documents of neural systems stand alone, in a list, one per line, or one after the other without a line
feed between them. Nothing is guessed: several lines are read only if each is a document, and a list only if
all its items are.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Protocol, cast

from scorch2.formats.json import bare, keyed
from scorch2.formats.json.strict import glued, is_glued, is_value, parse
from scorch2.formats.json.values import Place
from scorch2.formats.keys import Keys, refuse_typed
from scorch2.formats.table import FORMATS, KEYED, TYPED, module, names
from scorch2.model.document import Document
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted, step

_TEXT = re.compile(r"\S")
_TYPES = names(lambda row: row.family == TYPED)
_KEYED = names(lambda row: row.family == KEYED)


class _Reader(Protocol):
    def document(self, value: dict[str, Any], name: str, path: str) -> Document: ...


def read(text: str, stem: str, path: str, expected: str | None = None) -> list[Document]:
    """Return the documents of a JSON text; as `documents`."""
    return list(documents(text, stem, path, expected))


def documents(
    text: str, stem: str, path: str, expected: str | None = None, keys: Keys = ()
) -> Iterable[Document]:
    """Return the documents of a JSON text; of several, each may be read when it is asked for.

    Parameters
    ----------
    text, stem, path : str
        The content of a file, the name of a single document that does not say its own, the file.
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
    if _is_lines(text, path, expected):
        return read_lines(text, path, expected, keys=keys)
    if is_glued(text):
        places = (Place(path, f"document {i}: $", str(i), keys) for i in count(1))
        return _each(zip(glued(text, path), places, strict=False), expected)
    value = parse(text, path)
    if type(value) is dict and "type" in value and expected not in _KEYED:
        return [_typed(value, stem, path, expected, keys)]
    return _untyped(value, Place(path, "$", stem, keys), expected)


def _untyped(value: object, place: Place, expected: str | None) -> Iterable[Document]:
    """Return the documents of a value without ``type``: one, a list of them, or an object by their names."""
    if type(value) is list and any(keyed.is_document(item, place, expected) for item in value):
        inside = (place._replace(where=f"$[{i}]", name=str(i + 1)) for i in range(len(value)))
        return _each(zip(value, inside, strict=True), expected)
    if keyed.is_document(value, place, expected):
        return [keyed.document(value, place, expected)]
    if bare.is_map(value):
        refuse_typed(place.keys, place.path, "an object from names to clusters")
        named = cast("dict[str, list[list[Any]]]", value)
        return [bare.of_list(named[name], place._replace(where=step("$", name), name=name)) for name in named]
    if expected in _KEYED:
        return [keyed.document(value, place, expected)]
    if type(value) is not dict:
        raise InputError(place.path, "$", 'should be an object with a "type"')
    why = f'the key "type" is missing (known types: {", ".join(_TYPES)})'
    shortfall = keyed.shortfall(value, expected, place.keys)
    raise InputError(place.path, "$", f"{why}; {shortfall}" if shortfall else why)


def _is_lines(text: str, path: str, expected: str | None) -> bool:
    """Return whether the first line is a document without ``type`` and more lines follow."""
    if "\n" not in text:
        return False
    start = _TEXT.search(text)
    end = text.find("\n", start.start()) if start else -1
    if not start or end < 0 or not _TEXT.search(text, end) or not is_value(text[start.start() : end]):
        return False
    first = parse(text[start.start() : end], path, text.count("\n", 0, end) + 1)
    if type(first) is dict:
        return expected in _KEYED or "type" not in first
    return keyed.is_document(first, Place(path, "$", ""), expected)


def read_lines(
    text: str, path: str, expected: str | None = None, first: int = 1, keys: Keys = ()
) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one on each line, or of some of its lines.

    Parameters
    ----------
    text, path, expected, keys
        As `documents`.
    first : int
        The number of the first document in the file: how it is called if it has no name.
    """
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace())
    values = (
        (parse(line, path, number), Place(path, f"line {number}: $", str(name), keys))
        for name, (number, line) in enumerate(lines, first)
    )
    return _each(values, expected)


def _each(values: Iterable[tuple[Any, Place]], expected: str | None) -> Iterator[Document]:
    """Yield one document for each value, which is at its place."""
    seen: dict[str, Place] = {}
    has_lists = False
    for value, place in values:
        if type(value) is dict and "type" in value and expected not in _KEYED:
            raise InputError(place.path, place.where, 'an object with a "type" is the only one in its file')
        has_lists = has_lists or bare.is_clusters(value)
        if has_lists and value == []:
            document = bare.of_list(value, place)  # a text in which nothing was found
        else:
            document = keyed.document(value, place, expected)
        first = seen.setdefault(document.id, place)
        if first is not place:
            raise _twin(document, first, place)
        yield document


def _twin(document: Document, first: Place, place: Place) -> InputError:
    there = first.where.removesuffix(": $")
    there = f"on {there}" if there.startswith("line") else f"in {there}"
    why = f"a second document is called {quoted(document.id)}, as {there}"
    return InputError(place.path, place.where.removesuffix(": $"), why)


def _typed(value: dict[str, Any], stem: str, path: str, expected: str | None, keys: Keys) -> Document:
    kind, name = value["type"], value.get("name", stem)
    if type(kind) is not str or kind not in _TYPES:
        shown = f" {quoted(kind)}" if type(kind) is str else ""
        raise InputError(path, "$.type", f"unknown type{shown} (known: {', '.join(_TYPES)})")
    if expected not in (None, kind):
        raise InputError(path, "$.type", f'is "{kind}", but the format was given as {expected}')
    if type(name) is not str:
        raise InputError(path, "$.name", "should be a string")
    refuse_typed(keys, path, f"{kind} JSON")
    reader: _Reader = module(FORMATS[kind].reader)
    return reader.document(value, name, path)
