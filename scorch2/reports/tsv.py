"""The TSV report: one row per metric for spreadsheets and scripts, scores in 0..1 with full precision.

A document whose name begins like a formula gets an apostrophe in front: see `scorch2.model.escaping.tsv_cell`.
"""

from collections.abc import Sequence

from scorch2.model.errors import escaped
from scorch2.model.score import PARTS, Measured, Tally
from scorch2.model.tables import Table
from scorch2.reports.rows import full_breakdown_tables, skipped_note
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report

HEAD = ("document", "metric", *PARTS, *Tally._fields)
INTERVALS = tuple(f"{part}_{end}" for part in PARTS for end in ("low", "high"))
"""The last columns of a report with intervals; empty in the rows of documents."""
CORPUS = "*"
"""The name in the column ``document`` for the rows of the corpus, which come last."""


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return rows under `HEAD`; undefined scores and the counts of metrics of several parts are empty."""
    rows = []
    for document in documents:
        rows += [_row(report, row, document) for row in report.rows]
    rows += [_row(report, row) for row in report.rows]
    scores = Table((report.unit, *HEAD[1:], *(INTERVALS if report.confidence else ())), rows)
    lines = ["\n\n".join(table.tsv() for table in (scores, *full_breakdown_tables(report.breakdown)))]
    if report.options.signature:
        said = [skipped_note(report), report.signature()]
        lines += [f"# {escaped(line)}" for line in said if line]
    return "\n".join(lines) + "\n"


def _row(report: Report, row: AnyMetric, document: Measured | None = None) -> tuple[str, ...]:
    scores = report.scores if document is None else report.document_scores(document)
    values = scores[row.name]._asdict()
    shown = [repr(float(values[part])) if part in values and values[part].defined else "" for part in PARTS]
    tallies = list(report.tallies(row.name, None if document is None else [document]).values())
    counts = [repr(count) for count in tallies[0]] if len(tallies) == 1 else [""] * len(Tally._fields)
    name = CORPUS if document is None else document.id
    return (name, row.name, *shown, *counts, *_intervals(report, row.name, document))


def _intervals(report: Report, metric: str, document: Measured | None) -> list[str]:
    if report.confidence is None:
        return []
    if document is not None:
        return [""] * len(INTERVALS)
    found = report.confidence.intervals[metric]
    ends = [found.get(part) for part in PARTS]
    return [cell for bounds in ends for cell in (("", "") if bounds is None else map(repr, bounds))]
