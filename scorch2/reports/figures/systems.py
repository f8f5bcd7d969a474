"""Scores of systems side by side: for each metric a row per system."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from scorch2.analysis.systems import DIFFERS, Column, Comparison, SystemRow, how_tested
from scorch2.model.errors import told_apart
from scorch2.model.score import UNDEFINED_SHOWN, percent
from scorch2.reports.figures.kit import (
    AXIS,
    PERCENT,
    Figure,
    Label,
    Line,
    Look,
    Scale,
    Shape,
    Sign,
    Words,
    across,
    figure,
    shortened,
)

_LEFT, _NARROW_LEFT, _RIGHT_ROOM = 200.0, 110.0, 80.0
_ROW = 18.0
_COLUMNS, _NARROW_COLUMNS = 26, 13


def scores_of_systems(compared: Comparison, look: Look) -> Figure:
    """Return the figure: metrics in the order of the columns, systems in the order they were given."""
    metrics = [list(columns) for _, columns in groupby(compared.columns, lambda column: column.metric)]
    height = _ROW * len(metrics) * (len(compared.systems) + 1)
    left, most = (_NARROW_LEFT, _NARROW_COLUMNS) if look.is_narrow else (_LEFT, _COLUMNS)
    scale = Scale(*PERCENT, left, look.units - _RIGHT_ROOM)
    shapes: list[Shape] = [*across(scale, 0, height, "percent")]
    said = []
    top = 0.0
    names = told_apart([system.name for system in compared.systems], lambda name: shortened(name, most))
    for columns in metrics:
        label = compared.systems[0].report.short_label(columns[0].metric)
        shapes.append(Label(left - 10, top + 13, label, "end", "pale"))
        for place, system in enumerate(compared.systems, start=1):
            shapes += _row(compared, system, columns, scale, top + _ROW * (place + 0.5), names[place - 1])
            named = f"{system.name} {label}"
            said += [f"{named} {column.part} {_number(compared, system, column)}" for column in columns]
        top += _ROW * (len(compared.systems) + 1)
    what = "Scores of systems, metric by metric"
    words = Words(what, _caption(compared), f"Percent: {', '.join(said)}")
    return figure(words, look, height + AXIS, shapes)


def _caption(compared: Comparison) -> str:
    names = {"recall": "stroke recall", "precision": "square precision", "f1": "dot F1"}
    shown = {column.part for column in compared.columns}
    signs = [name for part, name in names.items() if part in shown]
    confidence = compared.systems[0].report.confidence
    if confidence is not None:
        signs.append(f"line {confidence.level:g} % interval")
    marks = ["* best"] if len(compared.systems) > 1 else []
    if compared.has_tests():
        marks.append(f"▲ higher, ▼ lower than the {compared.against}, p ≤ {compared.alpha:g}")
    if compared.pairs:
        marks.append(f"systems without a common letter differ, p ≤ {compared.alpha:g}")
    how = f": {how_tested(compared)}" if compared.has_tests() or compared.pairs else ""
    return f"Percent: {', '.join(signs)}. {', '.join(marks)}{how}{'.' if how else ''}".strip()


def _row(  # noqa: PLR0913, PLR0917 - what is drawn, and where
    compared: Comparison, system: SystemRow, columns: Sequence[Column], scale: Scale, y: float, name: str
) -> Iterator[Shape]:
    """Yield the scores of a system by one metric; the interval and the number are of the last of them."""
    last = columns[-1]
    yield Label(scale.start - 10, y + 4, name, "end")
    interval = compared.interval(system, last)
    if interval is not None:
        yield Line([(scale.place(100 * end), y) for end in interval], "score", 2)
    for column in columns:
        value = compared.value(system, column)
        if value.defined:
            yield _mark(column.part, scale.place(100 * value), y)
    yield Label(scale.end + 10, y + 4, _number(compared, system, last))


def _mark(part: str, x: float, y: float) -> Shape:
    if part == "recall":
        return Line([(x, y - 6), (x, y + 6)], "recall", 2.5)
    return Sign(x, y, "square", "precision") if part == "precision" else Sign(x, y, "circle", "text")


def _number(compared: Comparison, system: SystemRow, column: Column) -> str:
    value = compared.value(system, column)
    best = "*" if compared.is_best(system, column) else ""
    differs = DIFFERS[compared.direction(system, column)]
    letters = compared.letters_of(system, column)
    shown = f"{percent(value)}{best}{differs}{letters and f' {letters}'}"
    return shown if value.defined else UNDEFINED_SHOWN
