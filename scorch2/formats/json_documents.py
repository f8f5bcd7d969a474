"""What a JSON text holds: an object with a ``type``, or documents of neural systems.

Those come alone, in a list, or one a line. Nothing is guessed: several lines are read only if each is a
document, a list only if all its items are.
"""

import importlib
import re
from functools import cache
from typing import Any

from scorch2.document import Document
from scorch2.errors import InputError, quoted
from scorch2.formats import JSON_TYPES
from scorch2.formats.strict_json import is_value, parse

_TEXT = re.compile(r"\S")


def read(text: str, stem: str, path: str, expected: str | None = None) -> list[Document]:
    """Return the documents of a JSON text.

    Parameters
    ----------
    text, stem, path : str
        The content of a file, what to call a single document without a name, the file.
    expected : str, optional
        The format that was asked for.
    """
    if _is_lines(text, path):
        return _read_lines(text, path)
    value = parse(text, path)
    if type(value) is dict and "type" in value and expected != "jsonlines":
        return [_typed(value, stem, path, expected)]
    from scorch2.formats import jsonlines

    if type(value) is list and value and all(type(item) is dict and "type" not in item for item in value):
        places = (jsonlines.Place(path, f"$[{i}]", str(i + 1)) for i in range(len(value)))
        return [jsonlines.document(item, where) for item, where in zip(value, places, strict=False)]
    place = jsonlines.Place(path, "$", stem)
    if expected == "jsonlines" or jsonlines.source_of(value, place):
        return [jsonlines.document(value, place)]
    if type(value) is not dict:
        raise InputError(path, "$", 'should be an object with a "type"')
    raise InputError(path, "$", f'the key "type" is missing (known types: {", ".join(JSON_TYPES)})')


def _is_lines(text: str, path: str) -> bool:
    """Return whether the first line is a document of a neural system and more lines follow."""
    end = text.find("\n")
    if end < 0 or not _TEXT.search(text, end) or not is_value(text[:end]):
        return False
    from scorch2.formats import jsonlines

    first = parse(text[:end], path)
    return "type" not in first and bool(jsonlines.source_of(first, jsonlines.Place(path, "line 1: $", "1")))


def _read_lines(text: str, path: str) -> list[Document]:
    from scorch2.formats import jsonlines

    documents: list[Document] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            place = jsonlines.Place(path, f"line {number}: $", str(len(documents) + 1))
            documents.append(jsonlines.document(parse(line, path, number), place))
    return documents


def _typed(value: dict[str, Any], stem: str, path: str, expected: str | None) -> Document:
    kind, name = value["type"], value.get("name", stem)
    if type(kind) is not str or kind not in JSON_TYPES:
        shown = f" {quoted(kind)}" if type(kind) is str else ""
        raise InputError(path, "$.type", f"unknown type{shown} (known: {', '.join(JSON_TYPES)})")
    if expected not in (None, kind):
        raise InputError(path, "$.type", f'is "{kind}", but the format was given as {expected}')
    if type(name) is not str:
        raise InputError(path, "$.name", "should be a string")
    document: Document = _reader(kind)(value, name, path)
    return document


@cache
def _reader(kind: str) -> Any:
    return importlib.import_module(f"scorch2.formats.{JSON_TYPES[kind]}").document
