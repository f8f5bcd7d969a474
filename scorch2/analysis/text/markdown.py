"""The tables of an analysis in Markdown, for a pull request."""

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.text.tables import caption, compared_caption, listing_table, tables
from scorch2.model.escaping import markdown_code


def render(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    first, *others = tables(report)
    shown = [listing_table(report)] if report.request.listing else []
    parts = [
        *(table.markdown() for table in [*shown, first]),
        caption(report),
        *(table.markdown() for table in others),
    ]
    if report.compared is not None:
        parts.append(compared_caption(report.compared))
    if report.report.options.signature:
        parts.append(markdown_code(report.signature()))
    return "\n\n".join(parts) + "\n"
