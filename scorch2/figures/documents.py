"""LEA of every document, the lowest first: recall, precision and F1."""

from typing import cast

from scorch2.analysis.error_report import ErrorReport
from scorch2.figures.kit import (
    PERCENT,
    Bar,
    Figure,
    Label,
    Line,
    Part,
    Scale,
    Sign,
    across,
    figure,
    shortened,
)
from scorch2.model.results import Interval
from scorch2.model.score import Score, Value

_WIDTH, _LEFT, _RIGHT = 640.0, 200.0, 620.0
_ROW = 18.0
_MOST_NAMES = 40
"""Documents that have their names beside them; of more there is no room for names."""
_HEIGHT = 720.0
"""The height of a figure without names."""
_COLUMNS = 26
"""The longest name."""


def draw(report: ErrorReport, _: str) -> Figure:
    """Return the figure; documents without a score come last, with no marks."""
    scores = [
        cast("Score", report.report.document_scores(document)["lea"]) for document in report.report.documents
    ]
    rows = sorted(
        zip([document.id for document in report.report.documents], scores, strict=True),
        key=lambda row: (not row[1].f1.defined, row[1].f1, row[0]),
    )
    named = len(rows) <= _MOST_NAMES
    step = _ROW if named else _HEIGHT / len(rows)
    scale, height = Scale(*PERCENT, _LEFT if named else 30.0, _RIGHT), step * len(rows)
    parts: list[Part] = [*_band(report, scale, height), *across(scale, 0, height)]
    for place, (ident, score) in enumerate(rows):
        y = step * (place + 0.5)
        if named:
            parts.append(Label(_LEFT - 10, y + 4, shortened(ident, _COLUMNS), "end"))
        parts += _marks(scale, score, y, min(step, _ROW))
    said = ", ".join(f"{ident} {_percent(score.f1)}" for ident, score in rows[:_MOST_NAMES])
    more = "" if named else f", and {len(rows) - _MOST_NAMES} more"
    return figure(
        "LEA of every document, the lowest first",
        f"Percent: recall is a stroke, precision a square, F1 a dot.{_band_said(report)}",
        f"LEA F1 in percent: {said}{more}",
        (_WIDTH, height + 22),
        parts,
    )


def _band(report: ErrorReport, scale: Scale, height: float) -> list[Part]:
    """Return the interval of F1 of the corpus, if there is one."""
    ends = _interval(report)
    if ends is None:
        return []
    left, right = (scale.place(100 * end) for end in ends)
    return [Bar(left, 0, max(right - left, 1), height, "many")]


def _band_said(report: ErrorReport) -> str:
    confidence = report.report.confidence
    if confidence is None or _interval(report) is None:
        return ""
    return f" Band: F1 of the corpus, {confidence.level:g} %."


def _interval(report: ErrorReport) -> Interval:
    confidence = report.report.confidence
    return None if confidence is None else confidence.intervals["lea"]["f1"]


def _marks(scale: Scale, score: Score, y: float, step: float) -> list[Part]:
    """Return the three scores on a line between the lowest and the highest; what is 0/0 is left out."""
    shown = {part: scale.place(100 * value) for part, value in score._asdict().items() if value.defined}
    if not shown:
        return []
    size = min(7.0, step)
    parts: list[Part] = [Line([(min(shown.values()), y), (max(shown.values()), y)], "grid", 2)]
    if "recall" in shown:
        parts.append(Line([(shown["recall"], y - step / 3), (shown["recall"], y + step / 3)], "recall", 2.5))
    if "precision" in shown:
        parts.append(Sign(shown["precision"], y, "square", "precision", size))
    if "f1" in shown:
        parts.append(Sign(shown["f1"], y, "circle", "text", size))
    return parts


def _percent(value: Value) -> str:
    return f"{100 * value:.2f}" if value.defined else "0/0"
