"""Draw figures with matplotlib: the only file that imports it, and only to draw."""

import math
import warnings
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from scorch2.linking.figures import Figure, Point
from scorch2.model.errors import UsageError, escaped, quoted

IMAGE_FORMS = ("png", "pdf", "svg")
_TAB10, _TAB20 = 10, 20
"""The number of colours in matplotlib's maps of these names."""
_DARK = 1.5
"""The sum of red, green and blue, each in 0..1, below which black letters cannot be read."""


class Look(NamedTuple):
    """The style of figures."""

    size: tuple[float, float] = (8.0, 6.0)
    """Inches."""
    colours: str = ""
    """A colour map of matplotlib; empty: chosen by the number of series."""
    columns: int = 1
    """The number of columns of the legend."""
    lines: bool = False
    """True: join the points of a series by lines."""
    styles: Mapping[str, str] = {}
    """The colours of series by name; ``colour/marker`` sets how points look, too."""


class _Ink(NamedTuple):
    """Colour and marker of one series."""

    colour: Any
    marker: str


def image(figure: Figure, form: str, look: Look) -> bytes:
    """Return a figure as PNG, PDF or SVG; the same bytes for the same figure.

    A UsageError tells that matplotlib is not installed, or does not know a colour.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise UsageError(
            "plots need matplotlib: pip install matplotlib (plot-systems --table prints what is drawn)"
        ) from None
    settings: Any = {
        "svg.hashsalt": "scorch2",
        "svg.fonttype": "none",
        "text.parse_math": False,  # names are no formulas
        "text.usetex": False,  # whatever the user's settings are: no other program is started
    }
    stamps = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
    data = BytesIO()
    try:
        with mpl.rc_context(settings), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks is a box
            canvas: Any = Canvas(figsize=look.size, layout="constrained")
            axes = canvas.subplots()
            (_heatmap if figure.style == "heatmap" else _series)(figure, look, axes)
            axes.set_title(escaped(figure.name))
            canvas.savefig(data, format=form, metadata=stamps[form])
    except (ValueError, KeyError) as error:
        raise UsageError(f"matplotlib: {quoted(str(error.args[0]))}") from None
    return data.getvalue()


def _series(figure: Figure, look: Look, axes: Any) -> None:
    count = len(figure.series)
    colours = _colours(look.colours or ("tab10" if count <= _TAB10 else "turbo"), count)
    width = 0.8 / count
    drawn = []
    for number, series in enumerate(figure.series):
        shift = (number - (count - 1) / 2) * width
        points = [
            (place + shift, point) for place, point in enumerate(series.points) if not math.isnan(point.value)
        ]
        colour, _, marker = look.styles.get(series.name, "").partition("/")
        ink = _Ink(colour or colours[number], marker or "o")
        drawn.append(_values(points, "lines" if look.lines else figure.style, ink, width, axes))
        _intervals(points, figure.style, axes)
    labels = [escaped(point.label) for point in figure.series[0].points]
    if figure.style == "rows":
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.set_xlim(figure.span)
    else:
        axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
        axes.set_ylim(figure.span)
    if count > 1:
        names = [escaped(series.name) for series in figure.series]
        axes.legend(drawn, names, ncols=look.columns, loc="upper left", bbox_to_anchor=(1, 1))


def _colours(name: str, count: int) -> list[Any]:
    import matplotlib as mpl

    colours = mpl.colormaps[name]
    if count <= colours.N <= _TAB20:  # a list of colours that are told apart easily, the first ones best
        return [colours(number) for number in range(count)]
    return [colours(number / max(count - 1, 1)) for number in range(count)]


def _values(points: Sequence[tuple[float, Point]], kind: str, ink: _Ink, width: float, axes: Any) -> Any:
    places, values = [place for place, _ in points], [point.value for _, point in points]
    if kind == "rows":
        return axes.barh(places, values, width, color=ink.colour)
    if kind in ("scatter", "lines"):
        joined = "-" if kind == "lines" else ""
        return axes.plot(places, values, linestyle=joined, marker=ink.marker, color=ink.colour)[0]
    return axes.bar(places, values, width, color=ink.colour)


def _intervals(points: Sequence[tuple[float, Point]], style: str, axes: Any) -> None:
    """Draw intervals from end to end: the score itself may lie outside."""
    intervals = [(place, *point.interval) for place, point in points if point.interval is not None]
    if not intervals:
        return
    places = [place for place, _, _ in intervals]
    middles = [(low + high) / 2 for _, low, high in intervals]
    halves = [(high - low) / 2 for _, low, high in intervals]
    if style == "rows":
        axes.errorbar(middles, places, xerr=halves, fmt="none", ecolor="black", capsize=3)
    else:
        axes.errorbar(places, middles, yerr=halves, fmt="none", ecolor="black", capsize=3)


def _heatmap(figure: Figure, look: Look, axes: Any) -> None:
    import matplotlib as mpl

    cells = [[point.value for point in series.points] for series in figure.series]
    low, high = figure.span or (None, None)
    drawn = axes.imshow(
        cells, cmap=mpl.colormaps[look.colours or "viridis"], vmin=low, vmax=high, aspect="auto"
    )
    for y, row in enumerate(cells):
        for x, value in enumerate(row):
            shown = "" if math.isnan(value) else f"{value:.2f}"
            dark = sum(drawn.to_rgba(value)[:3]) < _DARK
            axes.text(x, y, shown, ha="center", va="center", color="white" if dark else "black")
    axes.set_xticks(
        range(len(cells[0])),
        [escaped(point.label) for point in figure.series[0].points],
        rotation=45,
        ha="right",
    )
    axes.set_yticks(range(len(cells)), [escaped(series.name) for series in figure.series])
