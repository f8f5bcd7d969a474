"""What is drawn of score tables: figures as values, so that they can be printed, tested, or drawn."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.comparing.correlation import Agreement
from scorch2.comparing.scoretable import Interval

if TYPE_CHECKING:
    import re

LAYOUTS = ("by-measure", "by-system", "single-plot")
STYLES = ("columns", "rows", "scatter", "heatmap")


class Point(NamedTuple):
    """A value over a label, with the ends of its interval where there is one."""

    label: str
    value: float
    interval: tuple[float, float] | None = None


class Series(NamedTuple):
    """Values that belong together."""

    name: str
    points: Sequence[Point]


class Figure(NamedTuple):
    """One image: series over the same labels, or the cells of a heat map, a series a row."""

    name: str
    series: Sequence[Series]
    style: str = "columns"
    """One of `STYLES`."""
    span: tuple[float, float] | None = (0.0, 1.0)
    """The ends of the scale; None for as tight as possible."""


class Scores(NamedTuple):
    """What a system scores, by measure and metric."""

    system: str
    values: Mapping[tuple[str, str], Interval]
    path: str = ""
    """Of its report."""


def system_figures(
    systems: Sequence[Scores], measures: Sequence[str], metrics: Sequence[str], layout: str, style: str
) -> list[Figure]:
    """Return the figures of a layout.

    Parameters
    ----------
    systems : sequence of Scores
        In the order of the labels.
    measures, metrics : sequence of str
        What is shown; every system has it.
    layout : str
        One of `LAYOUTS`: a figure a measure over systems, one a system over measures, or one for all, a
        series a measure.
    style : str
        One of `STYLES`.
    """
    if layout == "by-measure":
        return [
            Figure(
                measure,
                [
                    Series(metric, [_point(one.system, one, measure, metric) for one in systems])
                    for metric in metrics
                ],
                style,
            )
            for measure in measures
        ]
    if layout == "by-system":
        return [
            Figure(
                one.system,
                [
                    Series(metric, [_point(measure, one, measure, metric) for measure in measures])
                    for metric in metrics
                ],
                style,
            )
            for one in systems
        ]
    series = [
        Series(
            measure if len(metrics) == 1 else f"{measure} {metric}",
            [_point(one.system, one, measure, metric) for one in systems],
        )
        for measure in measures
        for metric in metrics
    ]
    return [Figure("systems", series, style)]


def agreement_figures(found: Sequence[Agreement], measures: Sequence[str]) -> list[Figure]:
    """Return a heat map of each number that two measures are compared by; nan where there is none."""
    pairs = {(one.one, one.other): one for one in found}
    figures = []
    for name, mirrored, diagonal in (
        ("pearson", 1.0, 1.0),
        ("spearman", 1.0, 1.0),
        ("kendall", 1.0, 1.0),
        ("median_difference", -1.0, 0.0),
        ("iqr_ratio", 0.0, 1.0),
    ):

        def cell(
            row: str, column: str, name: str = name, mirrored: float = mirrored, same: float = diagonal
        ) -> float:
            if row == column:
                return same
            value: float = getattr(pairs.get((row, column)) or pairs[column, row], name)
            if (row, column) in pairs:
                return value
            return mirrored * value if mirrored else (1 / value if value else float("nan"))

        rows = [Series(row, [Point(column, cell(row, column)) for column in measures]) for row in measures]
        correlation = name in ("pearson", "spearman", "kendall")
        figures.append(Figure(name, rows, "heatmap", (-1.0, 1.0) if correlation else None))
    return figures


def best_in_group(
    systems: Sequence[Scores], measure: str, metric: str, pattern: "re.Pattern[str]"
) -> list[Scores]:
    """Return the best system of each group, the first match of a pattern in the paths, in their order."""
    best: dict[str, Scores] = {}
    for one in systems:
        match = pattern.search(one.path)
        group = match[0] if match else ""
        if group not in best or one.values[measure, metric].score > best[group].values[measure, metric].score:
            best[group] = one
    kept = {one.system for one in best.values()}
    return [one for one in systems if one.system in kept]


def renamed(figures: Sequence[Figure], names: Mapping[str, str]) -> list[Figure]:
    """Return figures with other labels; what is not in `names` stays."""
    return [
        figure._replace(
            series=[
                Series(
                    names.get(series.name, series.name),
                    [point._replace(label=names.get(point.label, point.label)) for point in series.points],
                )
                for series in figure.series
            ]
        )
        for figure in figures
    ]


def _point(label: str, scores: Scores, measure: str, metric: str) -> Point:
    score, low, high = scores.values[measure, metric]
    return Point(label, score, None if low == high == score else (low, high))
