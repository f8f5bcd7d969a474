"""Arguments of Python callers: a wrong one is a UsageError that names it and says what it takes."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from scorch2.formats.table import check_format
from scorch2.model.errors import UsageError, quoted, unknown_name
from scorch2.model.options import OPTIONS, Options, options_from

_FORMATS = ("gold_format", "sys_format")
_TEXTS = ("gold_files", "sys_files", "gold_key", "sys_key")
_OFFSETS = ("gold_offsets", "sys_offsets")


def refuse_unknown(
    function: Callable[..., Any], given: Collection[str], choices: Collection[str] = OPTIONS
) -> None:
    """Refuse keywords that a function does not take.

    Parameters
    ----------
    function : callable
        Its keyword-only arguments are known.
    given : collection of str
        The keywords that its ``**`` argument took.
    choices : collection of str
        Those that may be among them.

    Raises
    ------
    UsageError
        Has the nearest name.
    """
    known = list(dict.fromkeys([*(function.__kwdefaults__ or ()), *choices]))
    for name in given:
        if name not in known:
            raise UsageError(unknown_name(name, f"argument of {function.__name__}", known))


def chosen_options(
    function: Callable[..., Any], given: Mapping[str, Any], metrics: tuple[str, ...] | None
) -> Options:
    """Return the options among the arguments of a function, which are `given` by name.

    Raises
    ------
    UsageError
        For an unknown keyword, profile, format or value.
    """
    refuse_unknown(function, given["choices"])
    check_inputs(given)
    inputs = {name: given[name] for name in (*_FORMATS, *_TEXTS, *_OFFSETS)}
    return options_from(given["profile"], metrics=metrics, **inputs, **given["choices"])


def check_inputs(given: Mapping[str, Any]) -> None:
    """Refuse formats that there are not, and values of the arguments about files that are no texts.

    Raises
    ------
    UsageError
        Names the first of them.
    """
    for name in _FORMATS:
        check_format(given.get(name))
    for name in _TEXTS:
        text(given.get(name), name)


def text(value: object, name: str) -> str | None:
    """Return an argument that is a string, or None.

    Raises
    ------
    UsageError
        For anything else.
    """
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"{name} is a text, not {quoted(value)}")


def several(values: object, name: str, example: str) -> Iterable[Any]:
    """Return an argument that holds several values; one string is several names, separated by commas.

    Raises
    ------
    UsageError
        For what is neither a string nor iterable, with an example.
    """
    if isinstance(values, Iterable) and not isinstance(values, bytes):
        return values
    raise UsageError(f"{name} takes a list, such as {example}, not {quoted(values)}")


def path_of(value: object, name: str) -> str:
    """Return an argument that is the path of a file.

    Raises
    ------
    UsageError
        For anything else.
    """
    found = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if isinstance(found, str):
        return found
    raise UsageError(f"{name} is the path of a file, not {quoted(value)}")


def flag(value: object, name: str) -> bool:
    """Return an argument that is True or False.

    Raises
    ------
    UsageError
        For anything else, since ``"no"`` would be true.
    """
    if isinstance(value, bool):
        return value
    raise UsageError(f"{name} is True or False, not {quoted(value)}")
