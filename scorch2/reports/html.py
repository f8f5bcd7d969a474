"""The page: for reading in a browser, one file that needs no network."""

from collections.abc import Sequence

from scorch2.model.score import Measured
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - the page always has the documents
    """Return the page that the report came with, or one of its scores alone."""
    if report.page is not None:
        return report.page(report)
    from scorch2.reports.page.documents import page_of_scores

    return page_of_scores(report)
