"""Mention ids in JSON: strings, integers or lists of integers (spans)."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from scorch2.model.document import Mention
from scorch2.model.errors import InputError

_JSON_NAMES = {
    str: "a string", int: "an integer", bool: "true or false", float: "a number with a fraction",
    list: "a list", dict: "an object", type(None): "null",
}  # fmt: skip
_PLAIN = {str, int}
_ALLOWED = {str, int, list}
LARGEST = 1 << 53
"""Larger integers are not the same in every program, and many of them could share one hash value."""


def as_mentions(values: list[Any]) -> Sequence[Mention] | None:
    """Return a JSON list of mention ids with its spans as tuples, or None if one of them is no mention id.

    Types are compared, not values: ``true`` would equal ``1`` and so would ``1.0``.
    """
    kinds = set(map(type, values))
    if are_plain(kinds, values):
        return values
    if kinds <= _ALLOWED and all(no_mention(value, "", "") is None for value in values):
        return [tuple(value) if type(value) is list else value for value in values]
    return None


def are_plain(kinds: AbstractSet[type], values: Iterable[Any]) -> bool:
    """Return whether values of these types are strings and integers that can be mention ids."""
    if int not in kinds:
        return kinds <= {str}
    return kinds <= _PLAIN and _are_small(values if kinds == {int} else filter(_is_int, values))


def no_mention(value: object, path: str, where: str) -> InputError | None:
    """Return an error if `value` is no mention id, else None."""
    numbers = [value] if type(value) is int else value if type(value) is list else []
    if (numbers or type(value) in (str, list)) and set(map(type, numbers)) <= {int}:
        if _are_small(numbers):
            return None
        return InputError(path, where, "an integer beyond 2^53 is no mention id (write it as a string)")
    shown = "a list that holds more than integers" if type(value) is list else json_kind(value)
    return InputError(path, where, f"a mention id is a string, an integer or a list of integers, not {shown}")


def first_no_mention(values: list[Any], path: str, where: str) -> InputError:
    """Return an error about the first item of a list that is no mention id; there must be one."""
    refused = (no_mention(value, path, f"{where}[{i}]") for i, value in enumerate(values))
    return next(error for error in refused if error)


def require_list(value: object, path: str, where: str, holding: str) -> list[Any]:
    """Return `value` if it is a list; else raise an InputError that says what it should hold."""
    if type(value) is not list:
        raise InputError(path, where, f"should be a list of {holding}, not {json_kind(value)}")
    return value


def json_kind(value: object) -> str:
    """Return the JSON name of the type of a value, with its article."""
    return _JSON_NAMES[type(value)]


def _are_small(numbers: Iterable[int]) -> bool:
    found = list(numbers)
    return not found or (min(found) >= -LARGEST and max(found) <= LARGEST)


def _is_int(value: object) -> bool:
    return type(value) is int
