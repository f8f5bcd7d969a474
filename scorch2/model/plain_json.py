"""JSON laid out for people and for diffs: a changed value changes one line."""

import json
from collections.abc import Iterator
from typing import Any


def plain_json(value: dict[str, Any]) -> str:
    r"""Return an object as JSON with one line per member of the objects and lists directly inside it.

    All letters are ASCII, others are escaped: it stays JSON on a stream of any encoding.

    >>> plain_json({"a": [1, 2], "b": {}})
    '{\n "a": [\n  1,\n  2\n ],\n "b": {}\n}\n'
    """
    return "".join(_object(value))


def _object(value: dict[str, Any]) -> Iterator[str]:
    opening = "{\n"
    for key, item in value.items():
        yield f'{opening} "{key}": '
        if isinstance(item, dict) and item:
            lines = (f"  {_line(name)}: {_line(inner)}" for name, inner in item.items())
            yield "{\n" + ",\n".join(lines) + "\n }"
        elif isinstance(item, list) and item:
            yield "[\n" + ",\n".join(f"  {_line(inner)}" for inner in item) + "\n ]"
        else:
            yield _line(item)
        opening = ",\n"
    yield "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
