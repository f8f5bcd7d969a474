"""Options shared by the commands that draw: sizes, templates, tables of names."""

import os
from collections.abc import Mapping, Sequence

from scorch2.cli.output import check_target, safe_name
from scorch2.formats.json.strict import parse
from scorch2.formats.source import read_text
from scorch2.linking.drawing import IMAGE_FORMS, Look
from scorch2.model.errors import InputError, UsageError, quoted

_LARGEST = 50
"""Inches: a larger image would fill the memory."""


def size(text: str | None) -> tuple[float, float]:
    """Return the size of an image in inches.

    >>> size("8,6")
    (8.0, 6.0)
    """
    if text is None:
        return Look().size
    width, height = _pair(text, "--figsize")
    if not (0 < width <= _LARGEST and 0 < height <= _LARGEST):
        raise UsageError(f"--figsize is above 0 and at most {_LARGEST} inches, not {quoted(text)}")
    return width, height


def limits(text: str) -> tuple[float, float] | None:
    """Return the ends of a scale, or None for ``tight``."""
    if text == "tight":
        return None
    low, high = _pair(text, "--limits")
    if not float("-inf") < low < high < float("inf"):
        raise UsageError(f"--limits is a low and a high end, not {quoted(text)}")
    return low, high


def _pair(text: str, option: str) -> tuple[float, float]:
    try:
        one, other = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"{option} is two numbers with a comma, not {quoted(text)}") from None
    return one, other


def names(path: str | None) -> Mapping[str, str]:
    """Return the strings of a JSON object, in a file or as it is; empty without one."""
    if path is None:
        return {}
    text, place = (path, "the JSON on the command line") if is_json(path) else (read_text(path), path)
    value = parse(text, place)
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise InputError(place, "$", "should be an object from names to strings")
    return value


def is_json(text: str | None) -> bool:
    """Return whether an option holds an object itself, and not the path of a file."""
    return text is not None and text.startswith("{")


def form(template: str) -> str:
    """Return the format of an image by the suffix of its template.

    Raises
    ------
    UsageError
        For another suffix, and for a template with other braces than {}.
    """
    suffix = os.path.splitext(template)[1].removeprefix(".").casefold()
    if suffix not in IMAGE_FORMS:
        raise UsageError(f"--output ends with .{', .'.join(IMAGE_FORMS)}, not {quoted(template)}")
    if template.replace("{}", "").count("{") or template.replace("{}", "").count("}"):
        raise UsageError("--output may hold {} for the name of the figure, and no other braces")
    return suffix


def targets(template: str, figures: Sequence[str], inputs: Sequence[str | None], *, force: bool) -> list[str]:
    """Return where each figure goes.

    Raises
    ------
    UsageError
        If several would go to one place.
    OutputError
        If one would replace an input or, without `force`, a document, or there is no such folder.
    """
    paths = [template.replace("{}", safe_name(name)) for name in figures]
    if len(set(paths)) < len(paths):
        raise UsageError("several figures go to one file: put {} in --output, it becomes the name of each")
    for path in paths:
        check_target(path, [one for one in inputs if one is not None and not is_json(one)], force=force)
    return paths
