"""JSON laid out for people and for diffs: a changed value changes one line."""

from collections.abc import Iterator
from typing import Any

from scorch2.model.escaping import json_text


def plain_json(value: dict[str, Any]) -> str:
    r"""Return an object as JSON with one line per member of the objects and lists directly inside it.

    Letters beyond ASCII are escaped, so that it stays JSON on a stream of any encoding.

    >>> plain_json({"a": [1, 2], "b": {}})
    '{\n "a": [\n  1,\n  2\n ],\n "b": {}\n}\n'
    """
    return "".join(_object(value))


def _object(value: dict[str, Any]) -> Iterator[str]:
    opening = "{\n"
    for key, item in value.items():
        yield f'{opening} "{key}": '
        if isinstance(item, dict) and item:
            lines = (f"  {json_text(name)}: {json_text(inner)}" for name, inner in item.items())
            yield "{\n" + ",\n".join(lines) + "\n }"
        elif isinstance(item, list) and item:
            yield "[\n" + ",\n".join(f"  {json_text(inner)}" for inner in item) + "\n ]"
        else:
            yield json_text(item)
        opening = ",\n"
    yield "\n}\n"
