"""Mention ids in JSON: strings, integers or lists of integers (spans)."""

from collections.abc import Sequence
from typing import Any

from scorch2.model.document import Mention
from scorch2.model.errors import InputError

_JSON_NAMES = {
    str: "a string", int: "an integer", bool: "true or false", float: "a number with a fraction",
    list: "a list", dict: "an object", type(None): "null",
}  # fmt: skip
PLAIN = {str, int}
_ALLOWED = {str, int, list}


def as_mentions(values: list[Any]) -> Sequence[Mention] | None:
    """Return a JSON list of mention ids with its spans as tuples, or None if one of them is no mention id.

    Types are compared, not values: ``true`` would equal ``1`` and so would ``1.0``.
    """
    kinds = set(map(type, values))
    if kinds <= PLAIN:
        return values
    if kinds <= _ALLOWED and all(_is_span(value) for value in values if type(value) is list):
        return [tuple(value) if type(value) is list else value for value in values]
    return None


def no_mention(value: object, path: str, where: str) -> InputError | None:
    """Return what is wrong with `value` as a mention id, if anything is."""
    if type(value) in PLAIN or (type(value) is list and _is_span(value)):
        return None
    shown = "a list that holds more than integers" if type(value) is list else json_kind(value)
    return InputError(path, where, f"a mention id is a string, an integer or a list of integers, not {shown}")


def first_no_mention(values: list[Any], path: str, where: str) -> InputError:
    """Return what is wrong with a list for which `as_mentions` is None."""
    refused = (no_mention(value, path, f"{where}[{i}]") for i, value in enumerate(values))
    return next(error for error in refused if error)


def require_list(value: object, path: str, where: str, holding: str) -> list[Any]:
    """Return `value` if it is a list, and say that it should be one of `holding` if it is not."""
    if type(value) is not list:
        raise InputError(path, where, f"should be a list of {holding}, not {json_kind(value)}")
    return value


def json_kind(value: object) -> str:
    """Return what JSON calls the type of a parsed value, with its article."""
    return _JSON_NAMES[type(value)]


def _is_span(value: list[Any]) -> bool:
    return set(map(type, value)) <= {int}
