"""The Markdown report: the table for a pull request or an issue."""

from scorch2.report import Report


def render(report: Report, per_document: bool) -> str:
    """Return the table in Markdown, the averaging in words, and the signature."""
    lines = [report.table(per_document=per_document).markdown(), "", report.caption()]
    if report.options.signature:
        lines += ["", f"`{report.signature()}`"]
    return "\n".join(lines) + "\n"
