"""The text report: the lines of scorch, one per metric with full precision, then notes and the signature."""

from collections.abc import Sequence

from scorch2.model.messages import escaped
from scorch2.model.score import Value
from scorch2.model.tally import Measured
from scorch2.scoring.report import Report

_SIGNS = {"recall": "R", "precision": "P", "f1": "F₁"}


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return ``MUC:⇥R=…⇥P=…⇥F₁=…`` and so on; rows of documents come first and start with their id."""
    lines = []
    for document in documents:
        lines += [f"{escaped(document.id)}\t{line}" for line in _lines(report, document)]
    lines += _lines(report)
    if report.skipped and report.options.mark_undefined:
        from scorch2.scoring.report_table import skipped_note

        lines.append(escaped(skipped_note(report)))
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"


def _lines(report: Report, document: Measured | None = None) -> list[str]:
    scores = report.scores if document is None else report.document_scores(document)
    confidence = report.confidence if document is None else None

    def shown(metric: str, part: str, value: Value) -> str:
        text = repr(float(value))
        if report.options.mark_undefined and not value.defined:
            text += " (0/0)"
        bounds = confidence and confidence.intervals[metric][part]
        if bounds:
            text += " [{!r}, {!r}]".format(*bounds)
        return text

    lines = []
    for row in report.rows:
        values = {part: shown(row.name, part, value) for part, value in scores[row.name]._asdict().items()}
        if len(values) == 1:
            lines.append(f"{escaped(row.label)}: {''.join(values.values())}")
        else:
            parts = "\t".join(f"{_SIGNS[part]}={text}" for part, text in values.items())
            lines.append(f"{escaped(row.label)}:\t{parts}")
    return lines
