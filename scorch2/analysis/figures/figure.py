"""Figure, a drawing as plain values: bars, lines, marks and words at their places, from the top left corner.

Each format draws these values and decides nothing, so that all formats show the same.
"""

import unicodedata
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scorch2.model.errors import escaped

INKS = {
    "text": "222222",
    "pale": "666666",
    "light": "ffffff",
    "grid": "d9d9d9",
    "many": "e3e7ea",
    "score": "555555",
    "recall": "0072b2",
    "precision": "d55e00",
    "found": "69727d",
    "span": "005f96",
    "conflated": "a84300",
    "extra_mention": "7d5a00",
    "extra_entity": "6b6400",
    "divided": "61459c",
    "missing_mention": "006e50",
    "missing_entity": "8e2f66",
}
"""Colours by what they are for; those of kinds of errors as on the page. Shapes and marks say the same."""
SIZE = 11.0
"""The size of words."""
MARKS = {
    "span": "↔",
    "conflated": "≠",
    "extra_mention": "+",
    "extra_entity": "⊞",
    "divided": "÷",
    "missing_mention": "−",
    "missing_entity": "⊟",
}
"""A mark for each kind of error, so that no meaning hangs on colour alone."""


class Bar(NamedTuple):
    """A filled rectangle."""

    left: float
    top: float
    width: float
    height: float
    ink: str
    is_pale: bool = False


class Line(NamedTuple):
    """A line through points."""

    points: Sequence[tuple[float, float]]
    ink: str
    width: float = 1.0
    is_dashed: bool = False


class Mark(NamedTuple):
    """A sign at a place."""

    x: float
    y: float
    shape: str
    """``circle``, ``square`` or ``ring``."""
    ink: str
    size: float = 7.0


class Words(NamedTuple):
    """Words on a line."""

    x: float
    y: float
    """Of the line on which letters stand."""
    text: str
    anchor: str = "start"
    """The place of `x` in the words: ``start``, ``middle`` or ``end``."""
    ink: str = "text"


def mark_on(kind: str, x: float, y: float) -> Words:
    """Return the mark of a kind for the middle of a bar in its colour."""
    return Words(x, y, MARKS[kind], "middle", "light")


Part: TypeAlias = Bar | Line | Mark | Words


class Figure(NamedTuple):
    """A drawing with all that is said about it."""

    title: str
    caption: str
    """How to read it, in a line below."""
    description: str
    """Its content in words, for those who do not see it."""
    width: float
    height: float
    """Of the drawing with its title and caption."""
    parts: Sequence[Part]
    """In the order in which they are drawn."""


TOP, BOTTOM, MARGIN = 34.0, 30.0, 12.0
"""The space for the title and the caption, and at the sides."""


def figure(
    title: str, caption: str, description: str, size: tuple[float, float], parts: Sequence[Part]
) -> Figure:
    """Return a figure of parts that fill the `size` between title and caption."""
    width, height = size[0], size[1] + TOP + BOTTOM
    moved = [_moved(part, TOP) for part in parts]
    words = [
        Words(MARGIN, 20, escaped(title)),
        Words(MARGIN, height - 11, escaped(caption), ink="pale"),
    ]
    return Figure(escaped(title), escaped(caption), escaped(description), width, height, [*words, *moved])


def _moved(part: Part, down: float) -> Part:
    if isinstance(part, Bar):
        return part._replace(top=part.top + down)
    if isinstance(part, Line):
        return part._replace(points=[(x, y + down) for x, y in part.points])
    return part._replace(y=part.y + down)


def coordinate(value: float) -> str:
    """Return a coordinate with two decimals, the same on every machine."""
    return f"{round(value, 2) + 0.0:g}"  # no minus before a zero


def name(text: str, columns: int) -> str:
    """Return a name from a file, fit to be drawn: escaped, and without its middle if it takes more columns.

    The end stays, too: names of documents and paths of systems often begin alike.

    >>> name("bc/cctv_0001", 8), name("文書の名前", 6)
    ('bc/c…001', '文…前')
    """
    clean = escaped(text)
    if sum(map(_columns, clean)) <= columns:
        return clean
    end = _fitting(clean[::-1], (columns - 1) // 2)
    start = _fitting(clean, columns - 1 - (columns - 1) // 2)
    return f"{clean[:start]}…{clean[len(clean) - end :]}"


def _fitting(text: str, columns: int) -> int:
    """Return how many letters from the beginning fit into so many columns."""
    return sum(taken <= columns for taken in accumulate(map(_columns, text)))


def _columns(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1
