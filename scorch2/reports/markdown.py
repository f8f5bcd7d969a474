"""The Markdown report: the table for a pull request or an issue."""

from scorch2.report import Report


def render(report: Report, per_document: bool) -> str:
    """Return the table in Markdown, the averaging in words, and the signature."""
    table = report.table(per_document=per_document)
    lines = [table.markdown(), "", report.caption(table)]
    if report.options.signature:
        lines += ["", f"`{report.signature()}`"]
    return "\n".join(lines) + "\n"
