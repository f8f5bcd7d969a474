"""The reports of linking measures: neleval's tab-separated and JSON text, and a table for reading."""

from collections.abc import Sequence

from scorch2.linking.evaluation import MeasureRow
from scorch2.linking.leaderboards.score_tables import HEAD
from scorch2.model.errors import escaped
from scorch2.model.escaping import json_text
from scorch2.model.tables import Table


def tab(rows: Sequence[MeasureRow]) -> str:
    """Return lines under `HEAD`: whole counts plain, all else with three decimals."""
    lines = ["\t".join([*map(_cell, row.numbers()), escaped(row.name)]) for row in rows]
    return "\n".join(["\t".join(HEAD), *lines]) + "\n"


def as_json(rows: Sequence[MeasureRow]) -> str:
    """Return an object from rows to their numbers, with full precision."""
    found = {
        row.name: {field: value for field, value in row._asdict().items() if field != "name"} for row in rows
    }
    return json_text(found, 4, sort_keys=True) + "\n"


def table(rows: Sequence[MeasureRow]) -> str:
    """Return an aligned table: scores in percent, counts as fractions."""
    cells = [
        (
            escaped(row.name),
            *(f"{100 * value:.2f}" for value in (row.recall, row.precision, row.fscore)),
            f"{row.rtp:.7g} / {row.rtp + row.fn:.7g}",
            f"{row.ptp:.7g} / {row.ptp + row.fp:.7g}",
        )
        for row in rows
    ]
    head = ("measure", "recall", "precision", "F1", "recall counts", "precision counts")
    return f"{Table(head, cells).fitted()}\n"


def nothing(rows: Sequence[MeasureRow]) -> str:  # noqa: ARG001 - as every report
    """Return no text: the exit status says whether the rows could be counted."""
    return ""


REPORTS = {"tab": tab, "json": as_json, "table": table, "none": nothing}
"""The formats of evaluate; the default comes first."""


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"
