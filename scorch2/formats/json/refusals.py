"""Places in a text of JSON that is refused: found only then, by a second look at it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

from scorch2.model.errors import InputError, json_place, quoted


class _Pairs(list[tuple[str, Any]]):
    """An object as a list of pairs, which keeps repeated keys."""


_Steps: TypeAlias = "list[str | int]"
_CONTAINERS = {dict, list, _Pairs}
_HOLD_TEXT = {str, dict, list}
_MARK = re.compile(r'"|\\.|NaN|-?Infinity', re.DOTALL)
"""A quote, an escape, or a constant that JSON does not have."""


def place(text: str, position: int, first_line: int | None) -> str:
    """Return the line and the column of a position."""
    line = text.count("\n", 0, position) + (first_line or 1)
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def constant_at(text: str) -> int:
    """Return where the first constant outside strings begins; a loop, which takes no memory."""
    inside = False
    for match in _MARK.finditer(text):
        if match[0] == '"':
            inside = not inside
        elif not inside:
            return match.start()
    raise AssertionError(text[:80])  # pragma: no cover - the decoder saw a constant in this very text


def repeated_key(text: str, path: str, root: str) -> InputError:
    """Return the error about the first key that an object holds twice."""
    try:
        value = json.JSONDecoder(object_pairs_hook=_Pairs).decode(text)
    except (ValueError, RecursionError):
        return InputError(path, "", "an object holds a key twice, and the rest of the file is not JSON")
    for steps, inner in _walk(value):
        times = Counter(key for key, _ in inner) if isinstance(inner, _Pairs) else Counter()
        for key, number in times.items():
            if number > 1:
                why = f"the key {quoted(key)} is written {number} times"
                return InputError(path, _named(steps, root), why)
    raise AssertionError(path)  # pragma: no cover - the decoder saw a repeated key in this very text


def _holds_half_a_pair(value: Any) -> bool:
    """Return whether a string anywhere in `value` holds a lone surrogate, which UTF-8 cannot encode."""
    # Most files with such escapes hold whole pairs, so this is quick and names no place.
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if type(inner) is str:
            if not (inner.isascii() or _is_whole(inner)):
                return True
        else:
            items = [*inner, *inner.values()] if type(inner) is dict else inner
            waiting.extend([item for item in items if type(item) in _HOLD_TEXT])
    return False


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_surrogates(value: Any, path: str, root: str) -> None:
    """Raise an InputError if a string anywhere in a value holds half of a surrogate pair."""
    if not _holds_half_a_pair(value):
        return
    for steps, inner in _walk(value):  # pragma: no branch - one of them holds half a pair
        texts = [inner] if isinstance(inner, str) else list(inner) if isinstance(inner, dict) else []
        for text in texts:
            if not _is_whole(text):
                raise InputError(path, _named(steps, root), f"{quoted(text)} holds half of a surrogate pair")


def _walk(value: Any) -> Iterator[tuple[_Steps, Any]]:
    """Yield every value inside `value` with the keys that lead to it, in the order of the text."""
    # Neither recursion nor names: memory is that of the open containers.
    keys: list[str | int] = []
    yield keys, value
    inside = [_items(value)]
    while inside:  # pragma: no branch - the caller stops at what it looks for
        for key, item in inside[-1]:
            yield [*keys, key], item
            if type(item) in _CONTAINERS:
                keys.append(key)
                inside.append(_items(item))
                break
        else:
            inside.pop()
            del keys[-1:]


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if type(value) is dict:
        return iter(value.items())
    return iter(value) if type(value) is _Pairs else enumerate(value if type(value) is list else ())


def _named(keys: _Steps, root: str) -> str:
    """Return the path of the value that `keys` lead to: ``$.clusters.e1[2]``."""
    for key in keys:
        root = json_place(root, key) if isinstance(key, str) else f"{root}[{key}]"
    return root
