"""The table report: for reading on a terminal."""

from textwrap import fill

from scorch2.model.messages import escaped
from scorch2.model.tables import WIDTH
from scorch2.scoring.report import Report


def render(report: Report, per_document: bool) -> str:
    """Return the aligned table, sentences on the numbers, all in lines that fit, and the signature."""
    table = report.table(per_document=per_document)
    lines = [table.fitted(), "", *(fill(said, WIDTH) for said in (report.caption(table), *report.notes()))]
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"
