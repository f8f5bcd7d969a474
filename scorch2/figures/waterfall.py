"""The gains of correcting one kind of error after the other: a bar each, from where the last one ended."""

import math
from typing import NamedTuple

from scorch2.analysis.error_report import ErrorReport, short_label
from scorch2.analysis.kinds import KINDS
from scorch2.figures.kit import MARKS, Bar, Figure, Label, Part, Scale, across, figure, label_on
from scorch2.model.score import main_part
from scorch2.reports.rows import default_sort

_WIDTH, _LEFT, _RIGHT = 640.0, 135.0, 575.0
_ROW = 25.0
_ROOM = 16.0
"""The width of a bar that has room for a mark."""


class _Step(NamedTuple):
    """A row of the figure, in percent; None where the score is 0/0."""

    label: str
    ink: str
    start: float
    end: float | None


def draw(report: ErrorReport, _: str) -> Figure:
    """Return the figure of the CoNLL score, or of the first metric that was asked for without it."""
    metric = default_sort(report.report)
    label = short_label(report.report, metric)
    steps = _steps(report, metric)
    values = [value for step in steps[1:] for value in (step.start, step.end) if value is not None]
    low = max(0, 10 * math.floor(min([steps[0].end or 0, *values]) / 10) - 10)
    scale, bottom = Scale(low, 100, _LEFT, _RIGHT), _ROW * len(steps)
    parts: list[Part] = [*across(scale, 0, bottom)]
    for place, step in enumerate(steps):
        parts += _row(scale, step, _ROW * place)
    said = ", ".join(f"{step.label} {_value(step)}" for step in steps)
    return figure(
        f"{label} F1 if errors are corrected one kind after the other",
        "Percent, from top to bottom; a pale bar is a loss.",
        f"{label} F1 in percent: {said}",
        (_WIDTH, bottom + 22),
        parts,
    )


def _steps(report: ErrorReport, metric: str) -> list[_Step]:
    score = main_part(report.report.scores[metric])
    last = 100 * score if score.defined else 0.0
    steps = [_Step("as it is", "score", 0.0, last if score.defined else None)]
    for kind, label in KINDS.items():
        after = main_part(report.corrected.in_order[kind][metric])
        steps.append(_Step(label, kind, last, 100 * after if after.defined else None))
        last = 100 * after if after.defined else last
    return steps


def _value(step: _Step) -> str:
    if step.end is None:
        return "0/0"
    if step.ink == "score":
        return f"{step.end:.2f}"
    return f"{round(step.end - step.start, 2) + 0.0:+.2f}"  # no minus before a zero


def _row(scale: Scale, step: _Step, top: float) -> list[Part]:
    """Return the label, the bar and the value of a step."""
    ends = sorted(scale.place(max(value, scale.low)) for value in (step.start, step.end or step.start))
    left, width = ends[0], max(ends[1] - ends[0], 1.0)
    falls = step.end is not None and step.end < step.start
    parts: list[Part] = [Label(_LEFT - 8, top + 16, step.label, "end")]
    if step.end is not None:
        parts.append(Bar(left, top + 3, width, _ROW - 7, step.ink, is_pale=falls))
    if step.ink in MARKS and width >= _ROOM:
        parts.append(label_on(step.ink, left + width / 2, top + 16))
    return [*parts, Label(left + width + 6, top + 16, _value(step))]
