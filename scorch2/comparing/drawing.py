"""Figures to images, by matplotlib: the only file that imports it, when something is drawn."""

import math
from collections.abc import Mapping
from io import BytesIO
from typing import Any, NamedTuple

from scorch2.comparing.plots import Figure
from scorch2.errors import UsageError
from scorch2.messages import quoted

FORMATS = ("png", "pdf", "svg")
_DARK = 1.5
"""The sum of red, green and blue, each in 0..1, below which black letters cannot be read."""


class Look(NamedTuple):
    """How figures look."""

    size: tuple[float, float] = (8.0, 6.0)
    """Inches."""
    colours: str = "tab10"
    """A colour map of matplotlib."""
    columns: int = 1
    """Of the legend."""
    lines: bool = False
    """Whether the points of a series are joined."""
    styles: Mapping[str, str] = {}
    """The colours of series, by name."""


def image(figure: Figure, form: str, look: Look) -> bytes:
    """Return a figure as PNG, PDF or SVG; the same bytes for the same figure.

    Raises
    ------
    UsageError
        If matplotlib is not installed, and for a colour or a colour map that it does not know.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise UsageError(
            "plots need matplotlib: install the extra with pip install 'scorch2[plot]' "
            "(plot-systems --table prints what is drawn)"
        ) from None
    canvas: Any = Canvas(figsize=look.size, layout="constrained")
    axes = canvas.subplots()
    try:
        with mpl.rc_context({"svg.hashsalt": "scorch2", "svg.fonttype": "none"}):
            (_heatmap if figure.style == "heatmap" else _series)(figure, look, axes)
            axes.set_title(figure.name)
            data = BytesIO()
            stamps = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
            canvas.savefig(data, format=form, metadata=stamps[form])
    except (ValueError, KeyError) as error:
        raise UsageError(f"matplotlib: {quoted(str(error.args[0]))}") from None
    return data.getvalue()


def _series(figure: Figure, look: Look, axes: Any) -> None:
    import matplotlib as mpl

    colours = mpl.colormaps[look.colours].resampled(max(len(figure.series), 2))
    labels = [point.label for point in figure.series[0].points]
    width = 0.8 / len(figure.series)
    for number, series in enumerate(figure.series):
        colour = look.styles.get(series.name, colours(number))
        places = [place + (number - (len(figure.series) - 1) / 2) * width for place in range(len(labels))]
        values = [point.value for point in series.points]
        ends = [point.interval or (point.value, point.value) for point in series.points]
        errors = [
            [v - low for v, (low, _) in zip(values, ends, strict=True)],
            [high - v for v, (_, high) in zip(values, ends, strict=True)],
        ]
        shown = errors if any(map(any, errors)) else None
        if figure.style == "rows":
            axes.barh(places, values, width, xerr=shown, label=series.name, color=colour)
        elif figure.style == "scatter" or look.lines:
            axes.errorbar(
                places, values, shown, fmt="o-" if look.lines else "o", label=series.name, color=colour
            )
        else:
            axes.bar(places, values, width, yerr=shown, label=series.name, color=colour)
    if figure.style == "rows":
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.set_xlim(figure.span)
    else:
        axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
        axes.set_ylim(figure.span)
    if len(figure.series) > 1:
        axes.legend(ncols=look.columns)


def _heatmap(figure: Figure, look: Look, axes: Any) -> None:
    import matplotlib as mpl

    cells = [[point.value for point in series.points] for series in figure.series]
    low, high = figure.span or (None, None)
    drawn = axes.imshow(cells, cmap=mpl.colormaps[look.colours], vmin=low, vmax=high, aspect="auto")
    for y, row in enumerate(cells):
        for x, value in enumerate(row):
            shown = "" if math.isnan(value) else f"{value:.2f}"
            dark = sum(drawn.to_rgba(value)[:3]) < _DARK
            axes.text(x, y, shown, ha="center", va="center", color="white" if dark else "black")
    axes.set_xticks(
        range(len(cells[0])), [point.label for point in figure.series[0].points], rotation=45, ha="right"
    )
    axes.set_yticks(range(len(cells)), [series.name for series in figure.series])
