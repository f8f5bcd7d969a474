"""The text report: the lines of scorch, one per metric with full precision, then notes and the signature.

Intervals have lines of their own, each below that of its scores: ``MUC 95 %:⇥R=[0.6, 0.8]⇥P=…⇥F₁=…``.
"""

from collections.abc import Mapping, Sequence

from scorch2.model.errors import escaped
from scorch2.model.score import Measured, Value
from scorch2.scoring.report import Report

_SIGNS = {"recall": "R", "precision": "P", "f1": "F₁"}


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return ``MUC:⇥R=…⇥P=…⇥F₁=…`` and so on; rows of documents come first and start with their id."""
    lines = []
    for document in documents:
        lines += [f"{escaped(document.id)}\t{line}" for line in _lines(report, document)]
    lines += _lines(report)
    if report.skipped and report.options.mark_undefined:
        from scorch2.reports.rows import skipped_note

        lines.append(escaped(skipped_note(report)))
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"


def _lines(report: Report, document: Measured | None = None) -> list[str]:
    scores = report.scores if document is None else report.document_scores(document)
    confidence = report.confidence if document is None else None
    lines = []
    for row in report.rows:
        label, values = escaped(row.label), scores[row.name]._asdict()
        alone = len(values) == 1
        lines.append(_line(label, {part: _shown(report, one) for part, one in values.items()}, alone=alone))
        bounds = confidence.intervals[row.name] if confidence else {}
        ends = {part: "[{!r}, {!r}]".format(*found) for part, found in bounds.items() if found}
        if confidence and ends:
            lines.append(_line(f"{label} {confidence.level:g} %", ends, alone=alone))
    return lines


def _shown(report: Report, value: Value) -> str:
    text = repr(float(value))
    return f"{text} (0/0)" if report.options.mark_undefined and not value.defined else text


def _line(label: str, values: Mapping[str, str], *, alone: bool) -> str:
    """Return a line of a metric; the value of one that has no parts stands alone."""
    if alone:
        return f"{label}: {''.join(values.values())}"
    parts = "\t".join(f"{_SIGNS[part]}={text}" for part, text in values.items())
    return f"{label}:\t{parts}"
