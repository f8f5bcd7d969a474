"""The figure kit: bars, lines, signs and labels at their places, axes, and their drawing as SVG, PNG or PDF.

Each format draws these values and decides nothing, so that all formats show the same.
"""

import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.errors import UsageError, escaped
from scorch2.model.escaping import html_text

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


class Sign(NamedTuple):
    """A sign at a place."""

    x: float
    y: float
    shape: str
    """``circle``, ``square`` or ``ring``."""
    ink: str
    size: float = 7.0


class Label(NamedTuple):
    """Words on a line."""

    x: float
    y: float
    """Of the line on which letters stand."""
    text: str
    anchor: str = "start"
    """The place of `x` in the words: ``start``, ``middle`` or ``end``."""
    ink: str = "text"


def label_on(kind: str, x: float, y: float) -> Label:
    """Return the mark of a kind for the middle of a bar in its colour."""
    return Label(x, y, MARKS[kind], "middle", "light")


Part: TypeAlias = Bar | Line | Sign | Label


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
        Label(MARGIN, 20, escaped(title)),
        Label(MARGIN, height - 11, escaped(caption), ink="pale"),
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


def shortened(text: str, columns: int) -> str:
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


_STEPS = (0.5, 1, 2, 5, 10, 20, 50)
_MOST_STEPS = 6


class Scale(NamedTuple):
    """A way from values to places of a drawing."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


PERCENT = 0.0, 100.0
"""The ends of a scale of percent."""


def round_steps(low: float, high: float) -> list[float]:
    """Return some round numbers from `low` to `high`.

    >>> round_steps(40, 100)
    [40, 50, 60, 70, 80, 90, 100]
    """
    step = next((size for size in _STEPS if (high - low) / size <= _MOST_STEPS), 100)
    first = -int(-low // step)
    return [step * i for i in range(first, int(high // step) + 1)]


def across(scale: Scale, top: float, bottom: float) -> Iterator[Part]:
    """Yield an axis from left to right: lines at round numbers, which stand below."""
    for value in round_steps(scale.low, scale.high):
        x = scale.place(value)
        yield Line([(x, top), (x, bottom)], "grid")
        yield Label(x, bottom + 15, f"{value:g}", "middle", "pale")


def upwards(scale: Scale, left: float, right: float) -> Iterator[Part]:
    """Yield an axis from the bottom up: lines at round numbers, which stand to the left."""
    for value in round_steps(scale.low, scale.high):
        y = scale.place(value)
        yield Line([(left, y), (right, y)], "grid")
        yield Label(left - 7, y + 4, f"{value:g}", "end", "pale")


_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
PALE = 0.4
"""The opacity of pale bars."""


def svg(figure: Figure) -> str:
    """Return a file: names in it are text, whatever they hold."""
    width, height = coordinate(figure.width), coordinate(figure.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" font-size="{coordinate(SIZE)}">'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f"<title>{html_text(figure.title)}</title>",
        f"<desc>{html_text(figure.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *map(_element, figure.parts),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(part: Part) -> str:
    ink = f"#{INKS[part.ink]}"
    if isinstance(part, Bar):
        pale = f' fill-opacity="{PALE}"' if part.is_pale else ""
        return _rect(part.left, part.top, (part.width, part.height), f'fill="{ink}"{pale}')
    if isinstance(part, Line):
        points = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in part.points)
        dashes = ' stroke-dasharray="6 4"' if part.is_dashed else ""
        look = f'fill="none" stroke="{ink}" stroke-width="{coordinate(part.width)}"{dashes}'
        return f'<polyline points="{points}" {look}/>'
    if isinstance(part, Sign):
        return _sign(part, ink)
    place = f'x="{coordinate(part.x)}" y="{coordinate(part.y)}"'
    return f'<text {place} text-anchor="{part.anchor}" fill="{ink}">{html_text(part.text)}</text>'


def _sign(mark: Sign, ink: str) -> str:
    radius = mark.size / 2
    if mark.shape == "square":
        return _rect(mark.x - radius, mark.y - radius, (mark.size, mark.size), f'fill="{ink}"')
    look = f'fill="none" stroke="{ink}"' if mark.shape == "ring" else f'fill="{ink}"'
    return f'<circle cx="{coordinate(mark.x)}" cy="{coordinate(mark.y)}" r="{coordinate(radius)}" {look}/>'


def _rect(left: float, top: float, size: tuple[float, float], look: str) -> str:
    width, height = map(coordinate, size)
    return f'<rect x="{coordinate(left)}" y="{coordinate(top)}" width="{width}" height="{height}" {look}/>'


_POINTS = 72
"""Points of an inch: a unit of the drawing is a point."""
_DOTS = 144
"""Dots of an inch in PNG."""
_STAMPS: dict[str, dict[str, None]] = {"png": {"Software": None}, "pdf": {"CreationDate": None}}
"""What would differ from one run to another, or from one version to another."""
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_SHAPES = {"circle": "o", "ring": "o", "square": "s"}


def require_matplotlib() -> None:
    """Import matplotlib.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        import matplotlib as mpl  # noqa: F401 - to see whether it is there
    except ImportError:
        why = "png and pdf need matplotlib: pip install matplotlib (svg takes nothing else)"
        raise UsageError(why) from None


def raster(figure: Figure, suffix: str) -> bytes:
    """Return a figure as ``png`` or ``pdf``; the same bytes for the same figure.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    data = BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks is a box
        mpl.rcdefaults()  # the settings of the user change nothing
        mpl.rcParams["text.parse_math"] = False  # names are no formulas
        canvas: Any = Canvas(figsize=(figure.width / _POINTS, figure.height / _POINTS))
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, figure.width)
        axes.set_ylim(figure.height, 0)
        for order, part in enumerate(figure.parts):
            _draw_part(part, axes, order)
        canvas.savefig(data, format=suffix, dpi=_DOTS, metadata=_STAMPS[suffix])
    return data.getvalue()


def _draw_part(part: Part, axes: Any, order: int) -> None:
    from matplotlib.patches import Rectangle

    ink = f"#{INKS[part.ink]}"
    if isinstance(part, Bar):
        alpha = PALE if part.is_pale else 1
        corner = (part.left, part.top)
        axes.add_patch(
            Rectangle(corner, part.width, part.height, facecolor=ink, alpha=alpha, linewidth=0, zorder=order)
        )
    elif isinstance(part, Line):
        places = [x for x, _ in part.points], [y for _, y in part.points]
        style = (0, (6 / part.width, 4 / part.width)) if part.is_dashed else "-"
        axes.plot(*places, color=ink, linewidth=part.width, linestyle=style, zorder=order)
    elif isinstance(part, Sign):
        filled = "none" if part.shape == "ring" else ink
        axes.plot(
            [part.x], [part.y], _SHAPES[part.shape], color=ink, markersize=part.size,
            markerfacecolor=filled, markeredgewidth=1 if part.shape == "ring" else 0, zorder=order,
        )  # fmt: skip
    else:
        axes.text(
            part.x, part.y, part.text, ha=_SIDES[part.anchor], va="baseline", fontsize=SIZE, color=ink,
            zorder=order,
        )  # fmt: skip
