"""Figures of score tables as plain values, which can be printed, tested or drawn."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.errors import InputError, UsageError, unknown_name
from scorch2.reports.figures.kit import Chart, Point, Series
from scorch2.tasks.linking.leaderboards import Correlation, ScoreInterval, chosen_measures, group_of

if TYPE_CHECKING:
    import re


LAYOUTS = ("by-measure", "by-system", "single-plot")


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
    rows = [
        dict.fromkeys(
            name for name, _ in system.values if all((name, metric) in system.values for metric in metrics)
        )
        for system in systems
    ]
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
        return [
            Chart(
                system.system,
                [
                    Series(metric, [_point(measure, system, measure, metric) for measure in measures])
                    for metric in metrics
                ],
                style,
            )
            for system in systems
        ]
    names = "{measure}" if len(metrics) == 1 else "{measure} {metric}"
    series = [
        _over(systems, names.format(measure=measure, metric=metric), measure, metric)
        for measure in measures
        for metric in metrics
    ]
    return [Chart("systems", series, style)]


def _over(systems: Sequence[Scores], name: str, measure: str, metric: str) -> Series:
    return Series(name, [_point(one.system, one, measure, metric) for one in systems])


def agreement_figures(agreements: Sequence[Correlation], measures: Sequence[str]) -> list[Chart]:
    """Return a heat map of each number that two measures are compared by; nan where there is none."""
    pairs = {(agreement.one, agreement.other): agreement for agreement in agreements}
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
        figures.append(Chart(name, rows, "heatmap", (-1.0, 1.0) if correlation else None))
    return figures


def widened(figure: Chart) -> Chart:
    """Return a figure with a scale from 0 to 1, or further where values are: ratios have no bounds."""
    points = [point for series in figure.series for point in series.points if not math.isnan(point.value)]
    ends = [end for point in points for end in (point.value, *(point.interval or ()))]
    return figure._replace(span=(min([0.0, *ends]), max([1.0, *ends])))


def renamed(figures: Sequence[Chart], names: Mapping[str, str]) -> list[Chart]:
    """Return figures with other names and labels; what is not in `names` stays."""
    return [
        figure._replace(
            name=names.get(figure.name, figure.name),
            series=[
                Series(
                    names.get(series.name, series.name),
                    [point._replace(label=names.get(point.label, point.label)) for point in series.points],
                )
                for series in figure.series
            ],
        )
        for figure in figures
    ]


def _best_in_group(
    systems: Sequence[Scores], measure: str, metric: str, pattern: "re.Pattern[str]"
) -> list[Scores]:
    best: dict[str, int] = {}
    for place, system in enumerate(systems):
        group = group_of(pattern, system.path)
        if group not in best or _height(system, measure, metric) > _height(
            systems[best[group]], measure, metric
        ):
            best[group] = place
    return [systems[place] for place in sorted(best.values())]


def _height(one: Scores, measure: str, metric: str) -> float:
    score = one.values[measure, metric].score
    return -math.inf if math.isnan(score) else score


def _point(label: str, scores: Scores, measure: str, metric: str) -> Point:
    score, low, high = scores.values[measure, metric]
    return Point(label, score, None if math.isnan(score) or low == high == score else (low, high))
