"""What the commands that draw have in common: sizes, templates, tables of names."""

import os
from collections.abc import Mapping, Sequence

from scorch2.comparing.drawing import FORMATS
from scorch2.errors import InputError, UsageError
from scorch2.formats.source import read_text
from scorch2.formats.strict_json import parse
from scorch2.messages import quoted
from scorch2.output import safe_name


def pair(text: str | None, option: str, default: tuple[float, float]) -> tuple[float, float]:
    """Return two numbers with a comma between them.

    >>> pair("8,6", "--figsize", (1, 1))
    (8.0, 6.0)
    """
    if text is None:
        return default
    try:
        one, other = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"{option} is two numbers with a comma, not {quoted(text)}") from None
    if not (0 <= one < float("inf") and 0 < other < float("inf")):
        raise UsageError(f"{option} is two numbers that are not negative, not {quoted(text)}")
    return one, other


def names(path: str | None) -> Mapping[str, str]:
    """Return the strings of a JSON object from a file; empty without one."""
    if path is None:
        return {}
    value = parse(read_text(path), path)
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise InputError(path, "$", "should be an object from names to strings")
    return value


def form(template: str) -> str:
    """Return the format of an image by the suffix of its template.

    Raises
    ------
    UsageError
        For another suffix, and for a template with other braces than {}.
    """
    suffix = os.path.splitext(template)[1].removeprefix(".").casefold()
    if suffix not in FORMATS:
        raise UsageError(f"--output ends with .{', .'.join(FORMATS)}, not {quoted(template)}")
    if template.replace("{}", "").count("{") or template.replace("{}", "").count("}"):
        raise UsageError("--output may hold {} for the name of the figure, and no other braces")
    return suffix


def targets(template: str, figures: Sequence[str]) -> list[str]:
    """Return where each figure goes.

    Raises
    ------
    UsageError
        If several would go to one place.
    """
    paths = [template.replace("{}", safe_name(name)) for name in figures]
    if len(set(paths)) < len(paths):
        raise UsageError("several figures go to one file: put {} in --output, it becomes the name of each")
    return paths
