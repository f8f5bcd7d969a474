"""Plain lines for scripts: those of scorch, and those of the CorefUD and Universal Anaphora scorers."""

from collections.abc import Mapping, Sequence

from scorch2.model.errors import escaped
from scorch2.model.score import AnyScore, Measured, Value, percent
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
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"


def _lines(report: Report, document: Measured | None = None) -> list[str]:
    scores = report.scores if document is None else report.document_scores(document)
    confidence = report.confidence if document is None else None
    lines = []
    for row in report.rows:
        label, values = escaped(row.label), scores[row.name]._asdict()
        alone = len(values) == 1
        shown = {part: _shown(report, value) for part, value in values.items()}
        lines.append(_line(label, shown, alone=alone))
        intervals = confidence.intervals[row.name] if confidence else {}
        ends = {part: "[{!r}, {!r}]".format(*bounds) for part, bounds in intervals.items() if bounds}
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


_UA_NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_e": "ceafe",
    "ceaf_m": "ceafm",
    "blanc": "blanc",
    "lea": "lea",
    "mention_overlap": "mor",
    "zero_anaphora": "zero",
}
"""The names of metrics there, in the order of that report. Others come behind them, by our names."""
_UA_BLOCKS = (
    {"non_referring": "Non-referring markable identification scores:"},
    {
        "bridging_anaphor": "Bridging anaphora recognition scores:",
        "bridging_mention": "Full bridging scores (Markable Level):",
        "bridging_entity": "Full bridging scores (Entity Level):",
    },
)
"""The headings of metrics that have a part of their own, each part after a line."""
_UA_RULE = "=" * 44
_UA_SIGNS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def scores_ua(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - there are no lines of documents
    """Return two lines per metric, percent with two decimals, and 0/0 as 0."""
    apart = {"conll", *(name for block in _UA_BLOCKS for name in block)}
    names = [name for name in report.scores if name not in apart]
    known = [name for name in _UA_NAMES if name in names]
    lines = []
    for name in dict.fromkeys([*known, *names]):
        lines += [_UA_NAMES.get(name, name), _ua_numbers(report.scores[name])]
    if "conll" in report.scores:
        lines.append(f"CoNLL score: {percent(report.scores['conll'].f1)}")
    for block in _UA_BLOCKS:
        scored = [name for name in block if name in report.scores]
        lines += [_UA_RULE] if scored else []
        for name in scored:
            lines += [block[name], _ua_numbers(report.scores[name])]
    return "".join(f"{escaped(line)}\n" for line in lines)


def _ua_numbers(score: AnyScore) -> str:
    values = score._asdict()
    return "  ".join(f"{_UA_SIGNS[part]}: {percent(values[part])}" for part in _UA_SIGNS if part in values)
