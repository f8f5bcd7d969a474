"""The page of an analysis."""

from scorch2.analysis.error_report import ErrorReport
from scorch2.reports.page.documents import page


def render(report: ErrorReport) -> str:
    """Return the page."""
    return page(report)
