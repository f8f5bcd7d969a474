"""The share of links that are found, and right, by class, over bars of how many there are."""

from scorch2.analysis.error_report import ErrorReport
from scorch2.figures.kit import PERCENT, Bar, Figure, Label, Line, Part, Scale, Sign, figure, upwards
from scorch2.model.results import ClassRow

_WIDTH, _LEFT, _RIGHT, _BOTTOM = 640.0, 45.0, 615.0, 215.0
_TOP = 8.0
_WHAT = {
    "distance": "tokens back to the mention before",
    "sentences": "sentences back to the mention before",
    "mentions": "mentions in between",
}
"""What the classes of a dimension are."""


def draw(report: ErrorReport, dimension: str) -> Figure:
    """Return the figure over the classes that have a link."""
    rows = [row for row in report.plotted[dimension] if row.total("recall") or row.total("precision")]
    up = Scale(*PERCENT, _BOTTOM, _TOP)
    parts: list[Part] = [*upwards(up, _LEFT, _RIGHT)]
    parts += [bar for place in range(len(rows)) for bar in _bars(rows, place)]
    for side, ink, shape in (("recall", "recall", "circle"), ("precision", "precision", "square")):
        points = [
            (_place(rows, place), up.place(percent))
            for place, row in enumerate(rows)
            if (percent := row.found(side)) is not None
        ]
        parts.append(Line(points, ink, 2, is_dashed=side == "precision"))
        parts += [Sign(x, y, shape, ink) for x, y in points]
    for place, row in enumerate(rows):
        numbers = f"{row.total('recall')}|{row.total('precision')}"
        x = _place(rows, place)
        parts += [
            Label(x, _BOTTOM + 16, row.name, "middle"),
            Label(x, _BOTTOM + 31, numbers, "middle", "pale"),
        ]
    return figure(
        f"Links found and right, by {_WHAT[dimension]}",
        "Percent of gold links found (dots) and of system links right (squares); bars: how many links.",
        "Percent found and right: " + "; ".join(f"{row.name}: {_said(row)}" for row in rows),
        (_WIDTH, _BOTTOM + 40),
        parts,
    )


def _said(row: ClassRow) -> str:
    return " and ".join(_rounded(row.found(side)) for side in ("recall", "precision"))


def _rounded(percent: float | None) -> str:
    return "none" if percent is None else f"{percent:.0f}"


def _place(rows: list[ClassRow], place: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (place + 0.5) / len(rows)


def _bars(rows: list[ClassRow], place: int) -> list[Part]:
    """Return the bars of a class: gold links to the left, system links to the right."""
    most = max(row.total(side) for row in rows for side in ("recall", "precision"))
    half = 0.3 * (_RIGHT - _LEFT) / len(rows)
    x = _place(rows, place)
    found: list[Part] = []
    for side, left in (("recall", x - half), ("precision", x + 1)):
        height = (_BOTTOM - _TOP) * rows[place].total(side) / most
        found.append(Bar(left, _BOTTOM - height, half - 1, height, "many"))
    return found
