"""The figure kit: bars, lines, signs and labels at their places, axes, and their drawing as SVG, PNG or PDF.

Each format draws these values and decides nothing, so that all formats show the same.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from scorch2.analysis.kinds import KINDS
from scorch2.model.errors import UsageError, escaped
from scorch2.scoring.layout.escaping import html_text

INKS = {
    "text": "222222",
    "pale": "666666",
    "light": "ffffff",
    "grid": "d9d9d9",
    "many": "e3e7ea",
    "score": "555555",
    "recall": "0072b2",
    "precision": "d55e00",
    "found": "474d57",
    **{name: kind.look.light for name, kind in KINDS.items()},
}
"""Colours by what they are for; those of kinds of errors as on the page. Shapes and marks say the same."""
SIZE = 11.0
TILE = 6  # the size of what the lines over a colour are repeated in
_POINTS = 72  # points of an inch: where letters are `SIZE` high, a unit of the drawing is a point


class Bar(NamedTuple):
    """A rectangle, filled, or with thin lines over a part of a filled one, which say its kind of error."""

    left: float
    top: float
    width: float
    height: float
    ink: str
    is_pale: bool = False
    is_hatch: bool = False


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
    outline: str  # ``circle``, ``square`` or ``ring``
    ink: str
    size: float = 7.0


class Label(NamedTuple):
    """Words on a line."""

    x: float
    y: float  # of the line on which letters stand
    text: str
    anchor: str = "start"  # the place of `x` in the words: ``start``, ``middle`` or ``end``
    ink: str = "text"


Shape: TypeAlias = Bar | Line | Sign | Label
_SIGN_ROOM = 13.0  # what the mark of a kind takes of a bar


def marked(bar: Bar) -> list[Shape]:
    """Return a bar with the lines of its kind of error, if it is one, and the mark where there is room."""
    if bar.ink not in KINDS:
        return [bar]
    hatch = bar._replace(is_pale=False, is_hatch=True)
    if bar.width < _SIGN_ROOM:
        return [bar, hatch]
    side = (bar.width - _SIGN_ROOM) / 2
    ends = (bar.left, bar.left + side + _SIGN_ROOM)
    lines = [hatch._replace(left=x, width=side) for x in ends if side >= 1]
    middle, foot = bar.left + bar.width / 2, bar.top + bar.height / 2 + 4
    return [bar, *lines, Label(middle, foot, KINDS[bar.ink].look.mark, "middle", "light")]


class Figure(NamedTuple):
    """A drawing with all that is said about it."""

    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[Shape]
    points: float = 1.0  # of a unit, where it is printed


TOP, BOTTOM, MARGIN = 34.0, 30.0, 12.0  # the space for the title and the caption, and at the sides
_LINE, _LETTER = 14.0, 6.6  # the height of a line of words, and the width of a letter
_COLUMN_POINTS = 8 / SIZE


class Look(NamedTuple):
    """The settings of a figure: one of `PAPERS` for its width, and whether it has words above and below."""

    width: str = "page"
    has_title: bool = True

    @property
    def points(self) -> float:
        """The points of a unit: in a column letters are 8 points high."""
        return _COLUMN_POINTS if self.width == "column" else 1.0

    @property
    def units(self) -> float:
        """The width of the drawing, in which letters are `SIZE` high: a column has 3.3 inches."""
        return round(3.3 * _POINTS / _COLUMN_POINTS, 1) if self.width == "column" else 640.0


class Words(NamedTuple):
    """The words of a figure: above it, below it, and for those who do not see it."""

    title: str
    caption: str
    description: str


def figure(words: Words, look: Look, height: float, shapes: Sequence[Shape]) -> Figure:
    """Return a figure of shapes that fill a height between title and caption."""
    title, caption, description = map(escaped, words)
    lines, down, whole = list[Label](), MARGIN, height + MARGIN
    if look.has_title:
        room = int((look.units - 2 * MARGIN) / _LETTER)
        above, below = wrap(title, room), wrap(caption, room)
        down = TOP + _LINE * (len(above) - 1)
        whole = height + down + BOTTOM + _LINE * (len(below) - 1)
        lines += [Label(MARGIN, 20 + _LINE * place, line) for place, line in enumerate(above)]
        first = whole - 11 - _LINE * (len(below) - 1)
        lines += [Label(MARGIN, first + _LINE * place, line, ink="pale") for place, line in enumerate(below)]
    moved = [_moved(shape, down) for shape in shapes]
    return Figure(title, description, look.units, whole, [*lines, *moved], look.points)


def _moved(shape: Shape, down: float) -> Shape:
    if isinstance(shape, Bar):
        return shape._replace(top=shape.top + down)
    if isinstance(shape, Line):
        return shape._replace(points=[(x, y + down) for x, y in shape.points])
    return shape._replace(y=shape.y + down)


def coordinate(value: float) -> str:
    """Return a coordinate with two decimals, the same on every machine."""
    return f"{round(value, 2) + 0.0:g}"  # no minus before a zero


def shortened(text: str, columns: int) -> str:
    """Return a name from a file, fit to be drawn: escaped, and without its middle if it takes more columns.

    The end stays, too: names of documents and paths of systems often begin alike.

    >>> shortened("bc/cctv_0001", 8), shortened("文書の名前", 6)
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


_STEPS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
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


def round_steps(low: float, high: float) -> list[float]:
    """Return some round numbers from `low` to `high`.

    >>> round_steps(40, 100)
    [40, 50, 60, 70, 80, 90, 100]
    """
    step = next((size for size in _STEPS if (high - low) / size <= _MOST_STEPS), 1000)
    first = -int(-low // step)
    return [step * i for i in range(first, int(high // step) + 1)]


_NUMBER_ROOM = 28.0  # between the middles of numbers below an axis
AXIS = 36.0  # the height of numbers and the title below an axis


def across(scale: Scale, top: float, bottom: float, title: str) -> Iterator[Shape]:
    """Yield an axis from left to right: lines at round numbers, which stand below, and its title."""
    yield Label((scale.start + scale.end) / 2, bottom + 30, title, "middle", "pale")
    last = -_NUMBER_ROOM
    for value in round_steps(scale.low, scale.high):
        x = scale.place(value)
        yield Line([(x, top), (x, bottom)], "grid")
        if x - last >= _NUMBER_ROOM:
            last = x
            yield Label(x, bottom + 15, f"{value:g}", "middle", "pale")


def upwards(scale: Scale, left: float, right: float) -> Iterator[Shape]:
    """Yield an axis from the bottom up: lines at round numbers, which stand to the left."""
    for value in round_steps(scale.low, scale.high):
        y = scale.place(value)
        yield Line([(left, y), (right, y)], "grid")
        yield Label(left - 7, y + 4, f"{value:g}", "end", "pale")


_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
PALE = 0.4


def svg(figure: Figure) -> str:
    """Return a file: names in it are text, whatever they hold."""
    width, height = coordinate(figure.width), coordinate(figure.height)
    unit = "pt" * (figure.points != 1)
    shown = [coordinate(side * figure.points) + unit for side in (figure.width, figure.height)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{shown[0]}" height="{shown[1]}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" font-size="{coordinate(SIZE)}">'
    )
    hatched = {shape.ink for shape in figure.shapes if isinstance(shape, Bar) and shape.is_hatch}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f"<title>{html_text(figure.title)}</title>",
        f"<desc>{html_text(figure.description)}</desc>",
        "<metadata>scorch2</metadata>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(pattern(kind) for kind in KINDS if kind in hatched),
        *map(_element, figure.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def pattern(kind: str, look: str = 'stroke="#ffffff"') -> str:
    """Return the lines of a kind as SVG has them, for the bars of a file or page."""
    return (
        f'<pattern id="hatch-{kind}" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">'
        f'<path d="{KINDS[kind].look.hatch[0]}" fill="none" {look}></path></pattern>'
    )


def element(shape: Shape) -> tuple[str, dict[str, str], str]:
    """Return a shape as SVG has it, but for its look: element, attributes of its place, and text."""
    if isinstance(shape, Bar):
        return "rect", _rectangle(shape.left, shape.top, shape.width, shape.height), ""
    if isinstance(shape, Line):
        points = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in shape.points)
        return "polyline", {"points": points}, ""
    if isinstance(shape, Label):
        return "text", {"x": coordinate(shape.x), "y": coordinate(shape.y)}, shape.text
    radius = shape.size / 2
    if shape.outline == "square":
        return "rect", _rectangle(shape.x - radius, shape.y - radius, shape.size, shape.size), ""
    return "circle", {"cx": coordinate(shape.x), "cy": coordinate(shape.y), "r": coordinate(radius)}, ""


def _rectangle(*sides: float) -> dict[str, str]:
    return dict(zip(("x", "y", "width", "height"), map(coordinate, sides), strict=True))


def _element(shape: Shape) -> str:
    name, place, text = element(shape)
    attributes = " ".join(f'{key}="{value}"' for key, value in {**place, **_look(shape)}.items())
    return f"<{name} {attributes}>{html_text(text)}</{name}>" if name == "text" else f"<{name} {attributes}/>"


def _look(shape: Shape) -> dict[str, str | float]:
    ink = f"#{INKS[shape.ink]}"
    if isinstance(shape, Bar):
        fill = f"url(#hatch-{shape.ink})" if shape.is_hatch else ink
        return {"fill": fill, **({"fill-opacity": PALE} if shape.is_pale else {})}
    if isinstance(shape, Line):
        dashes = {"stroke-dasharray": "6 4"} if shape.is_dashed else {}
        return {"fill": "none", "stroke": ink, "stroke-width": coordinate(shape.width), **dashes}
    if isinstance(shape, Label):
        return {"text-anchor": shape.anchor, "fill": ink}
    return {"fill": "none", "stroke": ink} if shape.outline == "ring" else {"fill": ink}


_DOTS = 144
_STAMPS = {
    "png": {"Software": "scorch2"},
    "pdf": {"Creator": "scorch2", "CreationDate": None},
    "svg": {"Creator": "scorch2", "Date": None},
}
"""Our name, by which a new figure may replace it, and nothing that differs from one run to another."""
_SIDES = {"start": "left", "middle": "center", "end": "right"}


def require_matplotlib(
    why: str = "png and pdf need matplotlib: pip install matplotlib (svg needs nothing else)",
) -> None:
    """Raise a UsageError, which says `why`, if matplotlib is not installed."""
    try:
        import matplotlib as mpl  # noqa: F401 - to see whether it is there
    except ImportError:
        raise UsageError(why) from None


def raster(figure: Figure, suffix: str) -> bytes:
    """Return a figure as ``png`` or ``pdf``; the same bytes for the same figure."""
    require_matplotlib()
    import matplotlib as mpl

    def paint(canvas: Any) -> None:
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, figure.width)
        axes.set_ylim(figure.height, 0)
        for order, shape in enumerate(figure.shapes):
            _draw(shape, axes, order, figure.points)

    size = figure.width * figure.points / _POINTS, figure.height * figure.points / _POINTS
    with mpl.rc_context():
        mpl.rcdefaults()  # the settings of the user change nothing
        return painted(paint, suffix, figsize=size, dpi=_DOTS)


_SETTINGS: Any = {
    "text.parse_math": False,  # names are no formulas
    "pdf.fonttype": 42,  # publishers refuse fonts of type 3
}


def painted(paint: Callable[[Any], None], form: str, dpi: int | None = None, **canvas: Any) -> bytes:
    """Return what `paint` draws on a canvas of matplotlib as the content of a file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    data = BytesIO()
    with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks is a box
        page: Any = Canvas(**canvas)
        paint(page)
        page.savefig(data, format=form, dpi=dpi, metadata=_STAMPS[form])
    return data.getvalue()


def _draw(shape: Shape, axes: Any, order: int, points: float) -> None:
    from matplotlib.patches import Rectangle

    ink = f"#{INKS[shape.ink]}"
    if isinstance(shape, Bar):
        look: Any = {"facecolor": ink, "alpha": PALE if shape.is_pale else 1}
        if shape.is_hatch:
            hatch = KINDS[shape.ink].look.hatch[1]
            look = {"fill": False, "hatch": hatch, "edgecolor": f"#{INKS['light']}"}
        place = shape.left, shape.top
        axes.add_patch(Rectangle(place, shape.width, shape.height, linewidth=0, zorder=order, **look))
    elif isinstance(shape, Line):
        places = [x for x, _ in shape.points], [y for _, y in shape.points]
        style = (0, (6 / shape.width, 4 / shape.width)) if shape.is_dashed else "-"
        axes.plot(*places, color=ink, linewidth=shape.width * points, linestyle=style, zorder=order)
    elif isinstance(shape, Sign):
        filled = "none" if shape.outline == "ring" else ink
        axes.plot(
            [shape.x], [shape.y], "s" if shape.outline == "square" else "o", color=ink,
            markersize=shape.size * points, markerfacecolor=filled,
            markeredgewidth=points if shape.outline == "ring" else 0, zorder=order,
        )  # fmt: skip
    else:
        axes.text(
            shape.x, shape.y, shape.text, ha=_SIDES[shape.anchor], va="baseline", fontsize=SIZE * points,
            color=ink, zorder=order,
        )  # fmt: skip
