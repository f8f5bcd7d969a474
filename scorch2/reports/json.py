"""The JSON report: the contract for programs. One line per metric and per document."""

from collections.abc import Sequence

from scorch2.model.score import Measured
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - documents are always in it
    """Return `Report.to_json`."""
    return report.to_json()
