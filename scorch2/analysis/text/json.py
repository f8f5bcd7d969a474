"""The JSON report of an analysis: that of scoring with more keys."""

from scorch2.analysis.error_report import ErrorReport


def render(report: ErrorReport) -> str:
    """Return `ErrorReport.to_json`."""
    return report.to_json()
