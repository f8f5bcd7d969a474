"""The statuses of links by class, as bars of parts: links of gold above, of the system below."""

from collections.abc import Iterator

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import KINDS
from scorch2.figures.kit import (
    MARGIN,
    MARKS,
    PERCENT,
    Bar,
    Figure,
    Label,
    Part,
    Scale,
    across,
    figure,
    label_on,
    shortened,
)
from scorch2.model.results import ClassRow

_WIDTH, _LEFT, _RIGHT = 640.0, 190.0, 575.0
_ROW, _GAP = 19.0, 8.0
_KEY = 38.0
"""The height of the key above the bars."""
_ROOM = 13.0
"""The width of a part that has room for a mark."""
_COLUMNS = 20
"""The longest name of a class."""
_SIDES = (("recall", "gold"), ("precision", "system"))


def draw(report: ErrorReport, dimension: str) -> Figure:
    """Return the figure over the classes that have a link."""
    rows = [row for row in report.plotted[dimension] if any(row.total(side) for side, _ in _SIDES)]
    height = (2 * _ROW + _GAP) * len(rows)
    scale = Scale(*PERCENT, _LEFT, _RIGHT)
    parts: list[Part] = [*_key(), *across(scale, _KEY, _KEY + height)]
    said = []
    for place, row in enumerate(rows):
        top = _KEY + _GAP / 2 + (2 * _ROW + _GAP) * place
        parts.append(Label(MARGIN, top + 14, shortened(row.name, _COLUMNS)))
        for line, (side, label) in enumerate(_SIDES):
            parts += _bar(scale, row, side, label, top + _ROW * line)
        said.append(f"{row.name}: {_said(row, 'recall')} and {_said(row, 'precision')}")
    return figure(
        f"Links by what becomes of them, by {dimension}",
        "Percent of the links of a class; their number stands to the right.",
        f"Percent found and right: {'; '.join(said)}",
        (_WIDTH, _KEY + height + 22),
        parts,
    )


def _said(row: ClassRow, side: str) -> str:
    percent = row.found(side)
    return "none" if percent is None else f"{percent:.0f}"


def _key() -> Iterator[Part]:
    """Yield the meaning of marks and colours, in two lines."""
    for place, status in enumerate(("found", *KINDS)):
        x, y = 12.0 + 156 * (place % 4), 18.0 * (place // 4)
        yield Bar(x, y, 14, 13, status)
        if status in MARKS:
            yield label_on(status, x + 7, y + 10.5)
        yield Label(x + 20, y + 11, KINDS.get(status, status))


def _bar(scale: Scale, row: ClassRow, side: str, label: str, top: float) -> Iterator[Part]:
    """Yield the parts of a bar; each has its mark where there is room."""
    yield Label(_LEFT - 8, top + 13, label, "end", "pale")
    total, before = row.total(side), 0
    for status, number in row.links[side].items():
        left, right = (scale.place(100 * n / max(total, 1)) for n in (before, before + number))
        before += number
        if number:
            yield Bar(left, top + 1, max(right - left - 0.6, 0.4), _ROW - 3, status)
        if status in MARKS and right - left >= _ROOM:
            yield label_on(status, (left + right) / 2, top + 13)
    yield Label(_RIGHT + 6, top + 13, str(total), ink="pale")
