"""Documents of neural systems in JSON, which have no ``type``, and what is refused among them.

They stand alone, in a list, one per line, or one after the other with any blanks between them. Nothing is
guessed: several lines are read only if each is a document, and a list only if all its items are. An empty
list is a document only beside lists of clusters, or if the format was given.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Any, cast

from scorch2.formats.json import bare, keyed
from scorch2.formats.json.strict import glued, is_value, may_be_glued, parse
from scorch2.formats.json.values import Place
from scorch2.formats.keys import Keys, refuse_typed
from scorch2.formats.source import stem
from scorch2.formats.table import KEYED, TYPED, names
from scorch2.model.document import Document
from scorch2.model.errors import InputError, json_place, quoted

_TEXT = re.compile(r"\S")
_TYPES = names(lambda row: row.family == TYPED)
_KEYED = names(lambda row: row.family == KEYED)


def documents(value: object, path: str, expected: str | None, keys: Keys) -> Iterable[Document]:
    """Return the documents of a value without ``type``: one, a list of them, or an object by their names.

    Parameters and errors are those of `scorch2.formats.json.documents.documents`.
    """
    place = Place(path, "$", stem(path), keys)
    _refuse_other(value, place, expected)
    if type(value) is list and any(keyed.is_document(item, place, expected) for item in value):
        inside = (place._replace(where=f"$[{i}]", name=str(i + 1)) for i in range(len(value)))
        return _each(zip(value, inside, strict=True), expected)
    if keyed.is_document(value, place, expected):
        return [keyed.document(value, place, expected)]
    if value == [] and expected in _KEYED:
        return [bare.of_list([], place)]
    if bare.is_map(value):
        refuse_typed(place.keys, place.path, "an object from names to clusters")
        named = cast("dict[str, list[list[Any]]]", value)
        return [
            bare.of_list(named[name], place._replace(where=json_place("$", name), name=name))
            for name in named
        ]
    if expected in _KEYED:
        return [keyed.document(value, place, expected)]
    if type(value) is not dict:
        raise InputError(place.path, "$", f'should be an object with a "type"{bare.advice(value)}')
    keyed.refuse_absent(value, place)
    why = f'the key "type" is missing (known types: {", ".join(_TYPES)})'
    shortfall = keyed.shortfall(value, expected, place.keys)
    raise InputError(place.path, "$", f"{why}; {shortfall}" if shortfall else why)


def _refuse_other(value: object, place: Place, expected: str | None) -> None:
    """Raise an InputError for a value without ``type`` if a format was given whose objects have one."""
    if expected in _TYPES:
        why = 'the key "type" is missing' if type(value) is dict else 'should be an object with a "type"'
        read_as = f" (this is {' or '.join(_KEYED)})" if keyed.is_document(value, place) else ""
        raise InputError(place.path, place.where, f"{why}, but the format was given as {expected}{read_as}")


def are_lines(text: str, path: str, expected: str | None) -> bool:
    """Return whether the first line is a document without ``type`` and more lines follow."""
    start = _TEXT.search(text)
    end = text.find("\n", start.start()) if start else -1
    if not start or end < 0 or not _TEXT.search(text, end) or not is_value(text[start.start() : end]):
        return False
    first = parse(text[start.start() : end], path, text.count("\n", 0, end) + 1)
    if type(first) is dict:
        return expected in _KEYED or "type" not in first
    if first == []:
        return expected in _KEYED or _begins_with_clusters(text[end:])
    return keyed.is_document(first, Place(path, "$", ""), expected)


def _begins_with_clusters(text: str) -> bool:
    """Return whether the first line that is neither blank nor an empty list is a list of clusters."""
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line not in ("", "[]")), "")
    return is_value(first) and bare.is_clusters(json.loads(first))


def read_glued(text: str, path: str, expected: str | None, keys: Keys) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one after the other, with or without blanks between."""
    places = (Place(path, f"document {i}: $", str(i), keys) for i in count(1))
    return _each(zip(glued(text, path), places, strict=False), expected)


def read_lines(
    text: str, path: str, expected: str | None = None, first: int = 1, keys: Keys = ()
) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one on each line, or of some of its lines.

    Parameters
    ----------
    text, path, expected, keys
        As in `scorch2.formats.json.documents.documents`.
    first : int
        The number of the first document in the file: how it is called if it has no name.
    """
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace())
    values = chain.from_iterable(_of_line(line, number, path, keys) for number, line in lines)
    named = ((value, place._replace(name=str(name))) for name, (value, place) in enumerate(values, first))
    return _each(named, expected)


def _of_line(line: str, number: int, path: str, keys: Keys) -> list[tuple[Any, Place]]:
    """Return the value on a line, or several one after the other if each is a document, with their places."""
    place = Place(path, f"line {number}: $", "", keys)
    if may_be_glued(line) and not is_value(line):
        try:
            several = list(glued(line, path))
        except InputError:
            several = []  # `parse` says what is wrong, and where in the line
        if several and all(keyed.is_document(value, place) for value in several):
            wheres = (f"line {number}, document {i}: $" for i in count(1))
            return [
                (value, place._replace(where=where)) for value, where in zip(several, wheres, strict=False)
            ]
    return [(parse(line, path, number), place)]


def _each(values: Iterable[tuple[Any, Place]], expected: str | None) -> Iterator[Document]:
    """Yield one document for each value, which is at its place."""
    seen: dict[str, Place] = {}
    has_others, empty = False, None
    for value, place in values:
        if type(value) is dict and "type" in value and expected not in _KEYED:
            raise InputError(place.path, place.where, 'an object with a "type" is the only one in its file')
        _refuse_other(value, place, expected)
        if value == [] and not has_others:
            empty = empty or place
            document = bare.of_list(value, place)  # a text in which nothing was found
        else:
            has_others = has_others or not bare.is_clusters(value)
            if has_others and empty:
                keyed.refuse([], empty, expected)
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
