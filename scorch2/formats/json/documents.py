"""A JSON text to documents: an object with a ``type``, or documents of neural systems.

The documents of neural systems stand alone, in a list, or one per line. Nothing is guessed: several lines are
read only if each is a document, and a list only if all its items are.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from scorch2.formats.json import keyed
from scorch2.formats.json.strict import is_value, parse
from scorch2.formats.table import FORMATS, KEYED, TYPED, module, names
from scorch2.model.document import Document
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted

_TEXT = re.compile(r"\S")
_TYPES = names(lambda row: row.family == TYPED)
_KEYED = names(lambda row: row.family == KEYED)


class _Reader(Protocol):
    def document(self, value: dict[str, Any], name: str, path: str) -> Document: ...


def read(text: str, stem: str, path: str, expected: str | None = None) -> list[Document]:
    """Return the documents of a JSON text; as `documents`."""
    return list(documents(text, stem, path, expected))


def documents(text: str, stem: str, path: str, expected: str | None = None) -> Iterable[Document]:
    """Return the documents of a JSON text; those on lines of their own are read when they are asked for.

    Parameters
    ----------
    text, stem, path : str
        The content of a file, the name of a single document that does not say its own, the file.
    expected : str, optional
        The format that was asked for.

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
        return read_lines(text, path, expected)
    value = parse(text, path)
    if type(value) is dict and "type" in value and expected not in _KEYED:
        return [_typed(value, stem, path, expected)]
    if type(value) is list and any(
        keyed.known_of(item, keyed.Place(path, "$", ""), expected) for item in value
    ):
        places = [keyed.Place(path, f"$[{i}]", str(i + 1)) for i in range(len(value))]
        found = [_neural(item, where, expected) for item, where in zip(value, places, strict=True)]
        _refuse_twins(found, path)
        return found
    place = keyed.Place(path, "$", stem)
    if expected in _KEYED or keyed.known_of(value, place, expected):
        return [keyed.document(value, place, expected)]
    if type(value) is not dict:
        raise InputError(path, "$", 'should be an object with a "type"')
    why = f'the key "type" is missing (known types: {", ".join(_TYPES)})'
    shortfall = keyed.shortfall(value, expected)
    raise InputError(path, "$", f"{why}; {shortfall}" if shortfall else why)


def _is_lines(text: str, path: str, expected: str | None) -> bool:
    """Return whether the first line is an object without ``type`` and more lines follow."""
    if "\n" not in text:
        return False
    start = _TEXT.search(text)
    end = text.find("\n", start.start()) if start else -1
    if not start or end < 0 or not _TEXT.search(text, end) or not is_value(text[start.start() : end]):
        return False
    first = parse(text[start.start() : end], path, text.count("\n", 0, end) + 1)
    return type(first) is dict and (expected in _KEYED or "type" not in first)


def read_lines(text: str, path: str, expected: str | None = None, first: int = 1) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one on each line, or of some of its lines.

    Parameters
    ----------
    text, path, expected
        As `read`.
    first : int
        The number of the first document in the file: how it is called if it has no name.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            place = keyed.Place(path, f"line {number}: $", str(first + len(seen)))
            document = _neural(parse(line, path, number), place, expected)
            if seen.setdefault(document.id, number) != number:
                why = f"a second document is called {quoted(document.id)}, as on line {seen[document.id]}"
                raise InputError(path, f"line {number}", why)
            yield document


def _refuse_twins(documents: list[Document], path: str) -> None:
    seen = set()
    for document in documents:
        if document.id in seen:
            raise InputError(path, "", f"two documents are called {quoted(document.id)}")
        seen.add(document.id)


def _neural(value: object, place: keyed.Place, expected: str | None) -> Document:
    """Return one of several documents; one with a ``type`` stands alone in a file."""
    if type(value) is dict and "type" in value and expected not in _KEYED:
        raise InputError(place.path, place.where, 'an object with a "type" is the only one in its file')
    return keyed.document(value, place, expected)


def _typed(value: dict[str, Any], stem: str, path: str, expected: str | None) -> Document:
    kind, name = value["type"], value.get("name", stem)
    if type(kind) is not str or kind not in _TYPES:
        shown = f" {quoted(kind)}" if type(kind) is str else ""
        raise InputError(path, "$.type", f"unknown type{shown} (known: {', '.join(_TYPES)})")
    if expected not in (None, kind):
        raise InputError(path, "$.type", f'is "{kind}", but the format was given as {expected}')
    if type(name) is not str:
        raise InputError(path, "$.name", "should be a string")
    reader: _Reader = module(FORMATS[kind].reader)
    return reader.document(value, name, path)
