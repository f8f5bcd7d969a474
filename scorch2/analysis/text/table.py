"""The tables of an analysis, aligned for a terminal."""

from textwrap import fill

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.request import ListedRow
from scorch2.analysis.text.tables import caption, compared_caption, listing_table, tables
from scorch2.model.errors import escaped, without_middle
from scorch2.model.tables import WIDTH, Table

_WIDE = 110
"""Wider tables are continued below: so many characters hold two gains, or four scores of a class."""
_KEPT = ("error", "links", "side", "status")
"""The columns of listings that are not shortened: their words are few."""
_TEXTS = ("text", "link_to_text")
"""Columns that stand below the row of an error, where they have room."""
_INDENT = "    "


def render(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    first, *others = tables(report)
    shown = [_listing(report)] if report.request.listing else []
    errors = _table(first) if report.gain_intervals is None else first.fitted()
    parts = [*shown, errors, fill(caption(report), WIDTH), *map(_table, others)]
    if report.compared is not None:
        parts.append(fill(compared_caption(report.compared), WIDTH))
    if report.report.options.signature:
        parts.append(escaped(report.signature()))
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    return str(table) if table.is_fit(_WIDE) else table.fitted()


def _listing(report: ErrorReport) -> str:
    """Return the rows that were asked for; the texts of an error stand in a line below it."""
    table = listing_table(report)
    if report.request.listing != "errors":
        return table.shortened(_KEPT)
    names = len(table.head) - len(_TEXTS)
    short = Table(table.head[:names], [row[:names] for row in table.rows]).shortened(_KEPT)
    head, rule, *lines = short.split("\n")
    return "\n".join(
        [head, rule, *(f"{line}{_texts(row)}" for line, row in zip(lines, report.rows, strict=True))]
    )


def _texts(row: ListedRow) -> str:
    """Return the texts of an error as a line below it: of its mention, and of the one beside it."""
    beside = f" ↔ {row['instead_text']}" if row.get("instead_text") else ""
    beside = f" ← {row['link_to_text']}" if row.get("link_to_text") else beside
    text = escaped(f"{row.get('text') or ''}{beside}")
    return f"\n{_INDENT}{without_middle(text, WIDTH - len(_INDENT))}" if text else ""
