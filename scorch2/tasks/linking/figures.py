"""Charts of score tables as plain values, to be printed, tested, or drawn as matplotlib lays them out."""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import neg
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.model.errors import InputError, UsageError, escaped, quoted, unknown_name
from scorch2.reports.figures.kit import painted, require_matplotlib
from scorch2.tasks.linking.leaderboards import Correlation, ScoreInterval, chosen_measures, group_of

if TYPE_CHECKING:
    import re

LAYOUTS = ("by-measure", "by-system", "single-plot")
IMAGE_FORMS = ("png", "pdf", "svg")
STYLES = ("columns", "rows", "scatter", "heatmap")
_TAB10, _TAB20 = 10, 20  # the number of colours in matplotlib's maps of these names
_DARK = 1.5  # the sum of red, green and blue, each in 0..1, below which black letters cannot be read


class Point(NamedTuple):
    """A value over a label, with the ends of its interval where there is one."""

    label: str
    value: float
    interval: tuple[float, float] | None = None


class Series(NamedTuple):
    """Values that belong together, drawn alike."""

    name: str
    points: Sequence[Point]


class Chart(NamedTuple):
    """One image: series over the same labels, or a heat map with one row per series."""

    name: str
    series: Sequence[Series]
    style: str = "columns"
    span: tuple[float, float] | None = (0.0, 1.0)  # the ends of the scale; None for as tight as possible


class ChartLook(NamedTuple):
    """The style of figures."""

    size: tuple[float, float] = (8.0, 6.0)  # inches
    colours: str = ""  # a colour map of matplotlib; empty: chosen by the number of series
    columns: int = 1
    lines: bool = False  # True: join the points of a series by lines
    styles: Mapping[str, str] = {}
    """The colours of series by name; ``colour/marker`` sets how points look, too."""


class Scores(NamedTuple):
    """The scores of one system, by measure and metric."""

    system: str
    values: Mapping[tuple[str, str], ScoreInterval]
    path: str = ""


class Selection(NamedTuple):
    """The choice of systems, and their order."""

    order: str = "none"  # none, name, score (of the first measure that is shown), or a measure
    most: int | None = None
    best: str | None = None  # a measure: only the best system of each group by it
    pattern: "re.Pattern[str] | None" = None  # the first match in a path is the group


def shown_measures(systems: Sequence[Scores], names: Sequence[str], metrics: Sequence[str]) -> list[str]:
    """Return the measures that are asked for, as `chosen_measures`, which all systems have."""
    rows = []
    for system in systems:
        known = [name for name, _ in system.values if all((name, one) in system.values for one in metrics)]
        rows.append(dict.fromkeys(known))
    measures = chosen_measures(names, rows)
    for system, there in zip(systems, rows, strict=True):
        for name in measures:
            if name not in there:
                raise InputError(system.path, "", unknown_name(name, "measure in this report", there))
    return measures


def selected(
    systems: Sequence[Scores], selection: Selection, measures: Sequence[str], metric: str
) -> list[Scores]:
    """Return the systems that are shown, in their order; nan is the lowest score of `metric`."""
    order = measures[0] if selection.order == "score" else selection.order
    for name in (selection.best, None if order in ("none", "name") else order):
        if name is not None and name not in measures:
            raise UsageError(unknown_name(name, "measure among those that are shown", measures))
    chosen = list(systems)
    if selection.best is not None and selection.pattern is not None:
        chosen = _best_in_group(chosen, selection.best, metric, selection.pattern)
    if order == "name":
        chosen.sort(key=lambda system: system.system)
    elif order != "none":
        chosen.sort(key=lambda system: -_height(system, order, metric))
    return chosen[: selection.most]


def system_figures(
    systems: Sequence[Scores], measures: Sequence[str], metrics: Sequence[str], layout: str, style: str
) -> list[Chart]:
    """Return the figures of one of `LAYOUTS`, in one of `STYLES`."""
    # That is one figure per measure, over systems; one per system, over measures; or a single figure with one
    # series per measure. Every system has all `measures` and `metrics`.
    if layout == "by-measure":
        return [
            Chart(measure, [_over(systems, metric, measure, metric) for metric in metrics], style)
            for measure in measures
        ]
    if layout == "by-system":
        charts = []
        for system in systems:
            rows = [[_point(measure, system, measure, metric) for measure in measures] for metric in metrics]
            charts.append(Chart(system.system, [*map(Series, metrics, rows)], style))
        return charts
    names = "{measure}" if len(metrics) == 1 else "{measure} {metric}"
    series = [
        _over(systems, names.format(measure=measure, metric=metric), measure, metric)
        for measure in measures
        for metric in metrics
    ]
    return [Chart("systems", series, style)]


def _over(systems: Sequence[Scores], name: str, measure: str, metric: str) -> Series:
    return Series(name, [_point(one.system, one, measure, metric) for one in systems])


_OF_PAIRS: Mapping[str, tuple[float, Callable[[float], float]]] = {
    **dict.fromkeys(("pearson", "spearman", "kendall"), (1.0, float)),
    "median_difference": (0.0, neg),
    "iqr_ratio": (1.0, lambda value: 1 / value if value else math.nan),
}
"""What two measures are compared by: that of a measure with itself, and of the same two the other way."""


def agreement_figures(agreements: Sequence[Correlation], measures: Sequence[str]) -> list[Chart]:
    """Return a heat map of each number that two measures are compared by; nan where there is none."""
    figures = []
    for name, (same, mirrored) in _OF_PAIRS.items():
        cells = {(measure, measure): same for measure in measures}
        for one in agreements:
            value: float = getattr(one, name)
            cells |= {(one.one, one.other): value, (one.other, one.one): mirrored(value)}
        rows = [Series(row, [Point(column, cells[row, column]) for column in measures]) for row in measures]
        figures.append(Chart(name, rows, "heatmap", (-1.0, 1.0) if mirrored is float else None))
    return figures


def widened(figure: Chart) -> Chart:
    """Return a figure with a scale from 0 to 1, or further where values are: ratios have no bounds."""
    points = [point for series in figure.series for point in series.points if not math.isnan(point.value)]
    ends = [end for point in points for end in (point.value, *(point.interval or ()))]
    return figure._replace(span=(min([0.0, *ends]), max([1.0, *ends])))


def renamed(figures: Sequence[Chart], names: Mapping[str, str]) -> list[Chart]:
    """Return figures with other names and labels; what is not in `names` stays."""

    def named(series: Series) -> Series:
        points = [point._replace(label=names.get(point.label, point.label)) for point in series.points]
        return Series(names.get(series.name, series.name), points)

    return [
        figure._replace(name=names.get(figure.name, figure.name), series=[*map(named, figure.series)])
        for figure in figures
    ]


def _best_in_group(
    systems: Sequence[Scores], measure: str, metric: str, pattern: "re.Pattern[str]"
) -> list[Scores]:
    best: dict[str, int] = {}  # of equals the first one
    for place in sorted(range(len(systems)), key=lambda place: -_height(systems[place], measure, metric)):
        best.setdefault(group_of(pattern, systems[place].path), place)
    return [systems[place] for place in sorted(best.values())]


def _height(one: Scores, measure: str, metric: str) -> float:
    score = one.values[measure, metric].score
    return -math.inf if math.isnan(score) else score


def _point(label: str, scores: Scores, measure: str, metric: str) -> Point:
    score, low, high = scores.values[measure, metric]
    return Point(label, score, None if math.isnan(score) or low == high == score else (low, high))


# Drawing


class _Ink(NamedTuple):
    colour: Any
    marker: str


def chart_image(chart: Chart, form: str, look: ChartLook) -> bytes:
    """Return a chart in one of `IMAGE_FORMS`; the same bytes for the same chart."""
    # A UsageError tells that matplotlib is not installed, or does not know a colour
    require_matplotlib(
        "plots need matplotlib: pip install matplotlib (plot-systems --table prints what is drawn)"
    )
    import matplotlib as mpl

    def paint(canvas: Any) -> None:
        axes = canvas.subplots()
        (_heatmap if chart.style == "heatmap" else _series)(chart, look, axes)
        axes.set_title(escaped(chart.name))

    settings: Any = {
        "svg.hashsalt": "scorch2",
        "svg.fonttype": "none",
        "text.usetex": False,  # whatever the user's settings are: no other program is started
    }
    try:
        with mpl.rc_context(settings):
            return painted(paint, form, figsize=look.size, layout="constrained")
    except (ValueError, KeyError) as error:
        raise UsageError(f"matplotlib: {quoted(str(error.args[0]))}") from None


def _series(chart: Chart, look: ChartLook, axes: Any) -> None:
    count = len(chart.series)
    colours = _colours(look.colours or ("tab10" if count <= _TAB10 else "turbo"), count)
    width = 0.8 / count
    drawn = []
    for number, series in enumerate(chart.series):
        shift = (number - (count - 1) / 2) * width
        known = [(place, point) for place, point in enumerate(series.points) if not math.isnan(point.value)]
        points = [(place + shift, point) for place, point in known]
        colour, _, marker = look.styles.get(series.name, "").partition("/")
        ink = _Ink(colour or colours[number], marker or "o")
        drawn.append(_values(points, "lines" if look.lines else chart.style, ink, width, axes))
        _intervals(points, chart.style, axes)
    labels = [escaped(point.label) for point in chart.series[0].points]
    if chart.style == "rows":
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.set_xlim(chart.span)
    else:
        axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
        axes.set_ylim(chart.span)
    if count > 1:
        names = [escaped(series.name) for series in chart.series]
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


def _heatmap(chart: Chart, look: ChartLook, axes: Any) -> None:
    import matplotlib as mpl

    cells = [[point.value for point in series.points] for series in chart.series]
    low, high = chart.span or (None, None)
    colours = mpl.colormaps[look.colours or "viridis"]
    drawn = axes.imshow(cells, cmap=colours, vmin=low, vmax=high, aspect="auto")
    for y, row in enumerate(cells):
        for x, value in enumerate(row):
            shown = "" if math.isnan(value) else f"{value:.2f}"
            dark = sum(drawn.to_rgba(value)[:3]) < _DARK
            axes.text(x, y, shown, ha="center", va="center", color="white" if dark else "black")
    labels = [escaped(point.label) for point in chart.series[0].points]
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
    axes.set_yticks(range(len(cells)), [escaped(series.name) for series in chart.series])
