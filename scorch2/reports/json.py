"""The JSON report: the contract for programs. One line per metric and per document."""

from scorch2.scoring.report import Report


def render(report: Report, per_document: bool) -> str:  # noqa: ARG001 - as every writer; documents are always in
    """Return `Report.to_json`."""
    return report.to_json()
