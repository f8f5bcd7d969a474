"""Plain lines for scripts: those of scorch."""

from collections.abc import Mapping, Sequence

from scorch2.model.errors import escaped
from scorch2.model.score import Measured, Value
from scorch2.scoring.report import Report

_SIGNS = {"recall": "R", "precision": "P", "f1": "F₁"}


def scores_text(report: Report, documents: Sequence[Measured]) -> str:
    """Return ``MUC:⇥R=…⇥P=…⇥F₁=…`` and so on; rows of documents come first and start with their id."""
    # Intervals have lines of their own, each below that of its scores: ``MUC 95 %:⇥R=[0.6, 0.8]⇥P=…⇥F₁=…``
    lines = []
    for document in documents:
        lines += [f"{escaped(document.id)}\t{line}" for line in _lines(report, document)]
    lines += _lines(report)
    if report.skipped and report.options.mark_undefined:
        lines.append(escaped(report.skipped_note()))
    if report.options.signature:
        lines += filter(None, [report.average_note(), report.signature()])
    return "\n".join(lines) + "\n"


def _lines(report: Report, document: Measured | None = None) -> list[str]:
    scores = report.scores if document is None else report.document_scores(document)
    confidence = report.confidence if document is None else None
    lines = []
    for row in report.rows:
        label, values = _safe(row.label), scores[row.name]._asdict()
        alone = len(values) == 1
        shown = {part: _shown(report, value) for part, value in values.items()}
        lines.append(_line(label, shown, alone=alone))
        intervals = confidence.intervals[row.name] if confidence else {}
        ends = {part: "[{!r}, {!r}]".format(*bounds) for part, bounds in intervals.items() if bounds}
        if confidence and ends:
            lines.append(_line(f"{label} {confidence.level:g} %", ends, alone=alone))
    return lines


def _safe(label: str) -> str:
    """Return a label where it cannot act; most cannot, and are not looked at twice."""
    may_act = ":" in label or "##" in label or not label.isprintable()
    return escaped(label) if may_act else label


def _shown(report: Report, value: Value) -> str:
    text = repr(float(value))
    return f"{text} (0/0)" if report.options.mark_undefined and not value.defined else text


def _line(label: str, values: Mapping[str, str], *, alone: bool) -> str:
    """Return a line of a metric; the value of one that has no parts stands alone."""
    if alone:
        return f"{label}: {''.join(values.values())}"
    parts = "\t".join(f"{_SIGNS[part]}={text}" for part, text in values.items())
    return f"{label}:\t{parts}"
