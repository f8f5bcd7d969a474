"""The table report: for reading on a terminal."""

from collections.abc import Sequence
from textwrap import fill

from scorch2.model.errors import escaped
from scorch2.model.score import Measured
from scorch2.model.tables import WIDTH
from scorch2.reports.rows import breakdown_tables, score_table
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return the aligned table, sentences on the numbers, all in lines that fit, and the signature."""
    table = score_table(report, documents)
    more = [line for one in breakdown_tables(report.breakdown) for line in (one.fitted(), "")]
    lines = [
        table.fitted(),
        "",
        *more,
        *(fill(said, WIDTH) for said in (report.caption(table), *report.notes())),
    ]
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"
