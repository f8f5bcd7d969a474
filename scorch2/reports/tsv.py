"""The TSV report: one row a metric for spreadsheets and scripts, scores in 0..1 with full precision."""

from scorch2.report import Report, one_line
from scorch2.tables import Table
from scorch2.tally import Measured, Score

HEAD = (
    "document", "metric", "recall", "precision", "f1",
    "recall_num", "recall_den", "precision_num", "precision_den",
)  # fmt: skip
CORPUS = "*"
"""What stands in the column ``document`` in the rows of the corpus, which come last."""


def render(report: Report, per_document: bool) -> str:
    """Return rows under `HEAD`; undefined scores and the counts of metrics of several parts are empty."""
    rows = []
    for document in report.documents if per_document else ():
        rows += _rows(report, document)
    rows += _rows(report)
    lines = [Table(HEAD, rows).tsv()]
    if report.options.signature:
        lines.append(f"# {report.signature()}")
    return "\n".join(lines) + "\n"


def _rows(report: Report, document: Measured | None = None) -> list[tuple[str, ...]]:
    rows = []
    for name, score in (report.scores if document is None else report.document_scores(document)).items():
        values = score if isinstance(score, Score) else (None, None, score.f1)
        shown = [repr(float(value)) if value is not None and value.defined else "" for value in values]
        tallies = list(report.tallies(name, None if document is None else [document]).values())
        counts = [repr(count) for count in tallies[0]] if len(tallies) == 1 else [""] * 4
        rows.append((CORPUS if document is None else one_line(document.id), name, *shown, *counts))
    return rows
