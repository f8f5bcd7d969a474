"""The LaTeX report: tables with the rules of booktabs, for a paper."""

from collections.abc import Sequence

from scorch2.model.score import Measured
from scorch2.reports.rows import latex_of
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return the table of scores with its caption, those of classes, and the signature as a remark."""
    return latex_of(report, documents)
