"""The tables of an analysis, aligned for a terminal."""

from textwrap import fill

from scorch2.analysis.report import ErrorReport
from scorch2.analysis.text.tables import caption, compared_caption, listing_table, tables
from scorch2.model.messages import escaped
from scorch2.model.tables import WIDTH


def render(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    first, *others = tables(report)
    shown = [listing_table(report)] if report.request.listing else []
    table = str(first) if report.gain_intervals is None else first.fitted()
    parts = [*map(str, shown), table, fill(caption(report), WIDTH), *map(str, others)]
    if report.compared is not None:
        parts.append(fill(compared_caption(report.compared), WIDTH))
    if report.report.options.signature:
        parts.append(escaped(report.signature()))
    return "\n\n".join(parts) + "\n"
