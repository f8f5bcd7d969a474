"""Strict JSON: RFC 8259 and nothing more, and which of its values can be mention ids.

No repeated keys, no NaN, no second value, no lone surrogate. One prebuilt decoder does the work; only if it
refuses a text is the text searched for the place.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NoReturn

from scorch2.model.document import Mention
from scorch2.model.errors import InputError
from scorch2.model.forms import function_at


class _RepeatedKeyError(ValueError):
    """An object holds a key twice."""


class _ConstantError(ValueError):
    """NaN or Infinity, which Python's parser takes and JSON does not have."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value


def _no_constant(name: str) -> NoReturn:
    raise _ConstantError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_BLANKS = re.compile(r"[ \t\r\n]*")
_REFUSALS = "formats.json.refusals:"  # imported for a text that is refused
_BETWEEN = re.compile(r"\}[ \t\r\n]*\{")


def parse(text: str, path: str, line: int | None = None) -> Any:
    """Return the value written in `text`; `line` is its number if it is one line of a file."""
    root = "$" if line is None else f"line {line}: $"
    try:
        value = _decoded(text)
    except _RepeatedKeyError:
        raise function_at(f"{_REFUSALS}repeated_key")(text, path, root) from None
    except _ConstantError as error:
        position = function_at(f"{_REFUSALS}constant_at")(text)
        raise InputError(path, _place(text, position, line), f"{error} is not JSON") from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise InputError(path, "", "the file is empty") from None
        what = {"Extra data": "more text after the JSON value"}.get(error.msg, f"not JSON: {error.msg}")
        if "{" in text and not text[: error.pos].strip():
            what = "words before the JSON (keep the JSON alone, or put it between lines of ```)"
        raise InputError(path, _place(text, error.pos, line), what) from None
    except RecursionError:
        raise InputError(path, "", "nested too deeply") from None
    except ValueError:  # an integer of more digits than Python converts
        raise InputError(path, "", f"a number of more than {sys.get_int_max_str_digits()} digits") from None
    if "\\" in text and ("\\ud" in text or "\\uD" in text):
        function_at(f"{_REFUSALS}refuse_surrogates")(value, path, root)
    return value


def _place(text: str, position: int, first_line: int | None) -> str:
    """Return the line and the column of a position."""
    line = text.count("\n", 0, position) + (first_line or 1)
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def _decoded(text: str) -> Any:
    """Return what ``_DECODER.decode`` does, without its search for blanks if nothing surrounds the value."""
    # That search takes 1.4 % of a run over 2 000 small documents
    if text[:1] == "{":
        value, end = _DECODER.raw_decode(text)
        if end == len(text) or text[end:] == "\n":
            return value
    return _DECODER.decode(text)


def is_glued(text: str) -> bool:
    """Return whether a text begins with an object without ``type`` that another follows."""
    if not may_be_glued(text):
        return False
    try:
        value, end = json.JSONDecoder().raw_decode(text, _next(text, 0))
    except (ValueError, RecursionError):
        return False
    return type(value) is dict and "type" not in value and text.startswith("{", _next(text, end))


def may_be_glued(text: str) -> bool:
    """Return whether somewhere, perhaps inside a string, an object may end and another begin behind it."""
    end = text.find("}")  # mostly the end of the text, or of the first of many objects
    return end >= 0 and _BETWEEN.search(text, end) is not None


def glued(text: str, path: str) -> Iterator[Any]:
    """Yield the values of a text that holds one after the other, with nothing or with blanks between them."""
    position, number = _next(text, 0), 0
    has_surrogates = "\\ud" in text or "\\uD" in text
    while position < len(text):
        number += 1
        try:
            value, end = _DECODER.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise InputError(path, _place(text, error.pos, None), f"not JSON: {error.msg}") from None
        except (ValueError, RecursionError):
            value = _refused(text, position, path, number)  # always raises
        if has_surrogates:
            function_at(f"{_REFUSALS}refuse_surrogates")(value, path, f"document {number}: $")
        yield value
        position = _next(text, end)


def _refused(text: str, position: int, path: str, number: int) -> Any:
    """Say what breaks the rules in the value that begins at `position`."""
    try:
        end = json.JSONDecoder().raw_decode(text, position)[1]
    except (ValueError, RecursionError):
        end = len(text)
    try:
        return parse(text[position:end], path)
    except InputError as error:
        where = f"document {number}: {error.where}" if error.where else f"document {number}"
        raise InputError(path, where, error.why) from None


def _next(text: str, position: int) -> int:
    """Return where the text goes on behind the blanks of JSON."""
    blank = _BLANKS.match(text, position)
    return blank.end() if blank else position


def is_value(text: str) -> bool:
    """Return whether `text` is one JSON value, strict or not."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_JSON_NAMES = {
    str: "a string", int: "an integer", bool: "true or false", float: "a number with a fraction",
    list: "a list", dict: "an object", type(None): "null",
}  # fmt: skip
_PLAIN = {str, int}
_ALLOWED = {str, int, list}
LARGEST = 1 << 53
"""Larger integers are not the same in every program, and many of them could share one hash value."""


def as_mentions(values: list[Any]) -> Sequence[Mention] | None:
    """Return a JSON list of mention ids with its spans as tuples, or None if one is not a mention id."""
    # Types are compared, not values: ``true`` would equal ``1`` and so would ``1.0``.
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
    numbers = list(values) if kinds == {int} else [value for value in values if type(value) is int]
    return kinds <= _PLAIN and _are_small(numbers)


def no_mention(value: object, path: str, where: str) -> InputError | None:
    """Return an error if `value` is not a mention id, else None."""
    numbers = [value] if type(value) is int else value if type(value) is list else []
    if (numbers or type(value) in (str, list)) and set(map(type, numbers)) <= {int}:
        if _are_small(numbers):
            return None
        return InputError(path, where, "an integer beyond 2^53 is not a mention id (write it as a string)")
    shown = "a list that holds more than integers" if type(value) is list else json_kind(value)
    return InputError(path, where, f"a mention id is a string, an integer or a list of integers, not {shown}")


def first_no_mention(values: list[Any], path: str, where: str) -> InputError:
    """Return an error about the first item of a list that is not a mention id; there must be one."""
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


def _are_small(numbers: Sequence[int]) -> bool:
    return not numbers or (min(numbers) >= -LARGEST and max(numbers) <= LARGEST)
