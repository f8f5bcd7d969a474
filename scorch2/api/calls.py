"""The work around each public function: it speaks of arguments, passes warnings on, shows its choices."""

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from textwrap import wrap
from typing import Any, TypeVar, cast, get_args

from scorch2.formats.table import FORMATS
from scorch2.model.errors import Notice, ScorchError, ScorchWarning, reword, told
from scorch2.model.forms import Shown
from scorch2.model.options import INPUTS, OPTIONS
from scorch2.model.profiles import PROFILES
from scorch2.scoring.report import Report

Function = TypeVar("Function", bound=Callable[..., Any])
_NAMES: set[str] = set()  # all arguments of public functions
_WIDTH = 102  # of the lines of docstrings, inside their margin
_FLAG = re.compile(r'"[^"]*"|(?<![\w/.-])--([a-z][a-z-]*)(?:=([\w.-]*\w)( or exclusive)?)?(?![\w/.-])')
"""A pattern for quoted names, which stay as they are, and for options of the command line."""


def public(takes: type | None = None, but: Iterable[str] = ()) -> Callable[[Function], Function]:
    """Return a decorator for functions that Python programs call, with the keywords of a `TypedDict`."""

    def decorated(function: Function) -> Function:
        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                value = function(*given, **named)
            except ScorchError as error:
                reword(error, as_arguments)
                raise
            if isinstance(value, Shown):
                _warn(value, (*given, *named.values()))
            return value

        choices = {} if takes is None else {k: v for k, v in takes.__annotations__.items() if k not in but}
        signature = _signature(function, choices)
        _NAMES.update(signature.parameters)
        call.__kwdefaults__ = function.__kwdefaults__  # type: ignore[attr-defined]  # a function
        call.__signature__ = signature  # type: ignore[attr-defined]  # what `inspect` looks for
        call.__doc__ = described(function.__doc__ or "", choices)
        return cast("Function", call)

    return decorated


def described(doc: str, choices: Iterable[str] = ()) -> str:
    """Return a docstring with the names of the tables that it asks for: profiles, formats, choices."""
    values = [
        f"``{name}`` : {' '.join(OPTIONS[name].values) or OPTIONS[name].row.value}"
        for name in choices
        if name in OPTIONS
    ]
    margin = "\n" + " " * 8
    tables = {
        "profiles": margin.join(wrap(f"{', '.join(PROFILES)}.", _WIDTH)),
        "formats": margin.join(wrap(f"{', '.join(FORMATS)}.", _WIDTH)),
        "choices": margin.join(values),
    }
    for name, text in tables.items():
        doc = doc.replace(f"{{{name}}}", text)
    return doc


def _signature(function: Callable[..., Any], choices: Mapping[str, Any]) -> inspect.Signature:
    """Return the signature of a function with the keywords that it takes by a `TypedDict`, by name."""
    own = inspect.signature(function)
    kinds = inspect.Parameter
    open_ended = kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL
    known = [one for one in own.parameters.values() if one.kind not in open_ended]
    names = {one.name for one in known}
    more = [
        kinds(
            name,
            kinds.KEYWORD_ONLY,
            default=OPTIONS[name].default if name in OPTIONS else 1 if name == "jobs" else None,
            annotation=get_args(hint)[0]
            if name in {**OPTIONS, **INPUTS}
            else getattr(hint, "__forward_arg__", hint),
        )
        for name, hint in choices.items()
        if name not in names
    ]
    return own.replace(parameters=[*known, *more])


def as_arguments(text: str) -> str:
    """Return a message for Python callers: options of the command line as arguments.

    >>> as_arguments('"--pair=order" stays (--missing=skip leaves it out, see --gold-format, --force)')
    '"--pair=order" stays (missing="skip" leaves it out, see gold_format, --force)'
    """
    return _FLAG.sub(_argument, text) if "--" in text else text


def _argument(found: re.Match[str]) -> str:
    flag, value, other = found.groups()
    name = (flag or "").replace("-", "_")
    name = next((known for known in (name, f"{name}s") if known in _NAMES), None)  # --window, windows
    if name is None:
        return found.group()
    shown = f'{name}="{value}"' if value else name
    return f'{shown} or "exclusive"' if other else shown


def reworded(report: Report) -> Report:
    """Return a report whose notices speak of arguments."""
    notices = [notice._replace(message=as_arguments(notice.message)) for notice in report.notices]
    return report._replace(notices=notices) if notices else report


def _warn(value: Shown, given: Iterable[object]) -> None:
    """Pass notices on that the caller does not know from the reports that were given."""
    known = {notice for one in _shown_in(given) for notice in one.notices}
    warn([notice for notice in dict.fromkeys(value.notices) if notice not in known])


def warn(notices: Sequence[Notice]) -> None:
    """Make warnings of notices, at the line of the call."""
    level = _frames_to_caller()
    for line in told(notices):
        warnings.warn(line, ScorchWarning, stacklevel=level)


def _shown_in(given: Iterable[object]) -> Iterator[Shown]:
    for value in given:
        if isinstance(value, Shown):
            yield value
        elif isinstance(value, Mapping):
            yield from (one for one in value.values() if isinstance(one, Shown))


def _frames_to_caller() -> int:
    """Return how many frames above the caller of this function the first one outside of scorch2 is."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001 - as `warnings` itself
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith("scorch2."):
        level, frame = level + 1, frame.f_back
    return level
