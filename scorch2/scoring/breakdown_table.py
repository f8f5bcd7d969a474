"""The tables of a breakdown: one per dimension, one row per class."""

from collections.abc import Sequence

from scorch2.model.results import BREAKDOWN_METRICS, Breakdown, ClassRow
from scorch2.model.score import PARTS, Score, Tally, finish
from scorch2.model.tables import Table
from scorch2.scoring.metrics import METRICS as ROWS

_LABELS = {"mentions": "found"}


def tables(found: Breakdown) -> list[Table]:
    """Return tables in percent, for reading; a score that is 0/0 is empty."""
    labels = [_LABELS.get(name, ROWS[name].label) for name in BREAKDOWN_METRICS]
    columns = [cell for label in labels for cell in (f"{label} R", "P", "F1")]
    return [
        Table((dimension, "gold", "system", *columns), [_cells(row) for row in rows])
        for dimension, rows in found.items()
    ]


def full_tables(found: Breakdown) -> list[Table]:
    """Return tables of scores in 0..1 with full precision and counts, one row per class and metric."""
    return [
        Table((dimension, "metric", *PARTS, *Tally._fields), [cells for row in rows for cells in _full(row)])
        for dimension, rows in found.items()
    ]


def _cells(row: ClassRow) -> Sequence[str]:
    mentions = row.tallies["mentions"]
    scores = [finish([row.tallies[name]]) for name in BREAKDOWN_METRICS]
    values = [f"{100 * value:.2f}" if value.defined else "" for score in scores for value in score]
    return [row.name, str(mentions.recall_den), str(mentions.precision_den), *values]


def _full(row: ClassRow) -> list[list[str]]:
    return [
        [row.name, name, *_values(finish([tally])), *map(repr, tally)] for name, tally in row.tallies.items()
    ]


def _values(score: Score) -> list[str]:
    return [repr(float(value)) if value.defined else "" for value in score]
