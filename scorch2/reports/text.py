"""The text report: scorch's lines, one a metric with full precision, then the signature."""

from scorch2.metrics import METRICS
from scorch2.report import Report, one_line
from scorch2.tally import MeanScore, Measured, Value


def render(report: Report, per_document: bool) -> str:
    """Return ``MUC:⇥R=…⇥P=…⇥F₁=…`` and so on; rows of documents come first and start with their id."""
    lines = []
    if per_document:
        for document in report.documents:
            lines += [f"{one_line(document.id)}\t{line}" for line in _lines(report, document)]
    lines += _lines(report)
    if report.options.signature:
        lines.append(report.signature())
    return "\n".join(lines) + "\n"


def _lines(report: Report, document: Measured | None = None) -> list[str]:
    def shown(value: Value) -> str:
        marked = report.options.mark_undefined and not value.defined
        return f"{float(value)!r} (0/0)" if marked else repr(float(value))

    lines = []
    for name, score in (report.scores if document is None else report.document_scores(document)).items():
        label = METRICS[name].label
        if isinstance(score, MeanScore):
            lines.append(f"{label}: {shown(score.f1)}")
        else:
            lines.append(
                f"{label}:\tR={shown(score.recall)}\tP={shown(score.precision)}\tF₁={shown(score.f1)}"
            )
    return lines
