"""The ua report: the lines of the CorefUD and Universal Anaphora scorers, for scripts that read these."""

from collections.abc import Sequence

from scorch2.model.errors import escaped
from scorch2.model.score import AnyScore, Measured
from scorch2.scoring.report import Report

_NAMES = {
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
_BLOCKS = (
    {"non_referring": "Non-referring markable identification scores:"},
    {
        "bridging_anaphor": "Bridging anaphora recognition scores:",
        "bridging_mention": "Full bridging scores (Markable Level):",
        "bridging_entity": "Full bridging scores (Entity Level):",
    },
)
"""The headings of metrics that have a part of their own, each part after a line."""
_LINE = "=" * 44
_SIGNS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def render(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - there are no lines of documents
    """Return two lines per metric, percent with two decimals, and 0/0 as 0."""
    apart = {"conll", *(name for block in _BLOCKS for name in block)}
    names = [name for name in report.scores if name not in apart]
    ordered = [name for name in _NAMES if name in names] + [name for name in names if name not in _NAMES]
    lines = []
    for name in ordered:
        lines += [_NAMES.get(name, name), _figures(report.scores[name])]
    if "conll" in report.scores:
        lines.append(f"CoNLL score: {100 * report.scores['conll'].f1:.2f}")
    for block in _BLOCKS:
        found = [name for name in block if name in report.scores]
        lines += [_LINE] if found else []
        for name in found:
            lines += [block[name], _figures(report.scores[name])]
    return "".join(f"{escaped(line)}\n" for line in lines)


def _figures(score: AnyScore) -> str:
    values = score._asdict()
    return "  ".join(f"{_SIGNS[part]}: {100 * values[part]:.2f}" for part in _SIGNS if part in values)
