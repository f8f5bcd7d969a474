"""The page of an analysis."""

from scorch2.analysis.page.whole import page
from scorch2.analysis.report import ErrorReport


def render(report: ErrorReport) -> str:
    """Return the page."""
    return page(report)
