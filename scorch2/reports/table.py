"""The table report: for reading on a terminal."""

from scorch2.model.messages import escaped
from scorch2.scoring.report import Report


def render(report: Report, per_document: bool) -> str:
    """Return the aligned table, a sentence on the averaging, and the signature."""
    table = report.table(per_document=per_document)
    lines = [str(table), "", report.caption(table), *report.notes()]
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"
