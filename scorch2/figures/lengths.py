"""The score of every document by its length, to see whether long documents are harder."""

import math
from collections.abc import Iterator

from scorch2.analysis.error_report import ErrorReport, short_label
from scorch2.figures.kit import PERCENT, Figure, Label, Line, Part, Scale, Sign, figure, upwards
from scorch2.model.score import main_part
from scorch2.reports.rows import default_sort

_WIDTH, _LEFT, _RIGHT, _BOTTOM = 640.0, 45.0, 615.0, 260.0
_WITHIN = {1.0: (1, 1.5, 2, 3, 4, 5, 6, 8), 3.0: (1, 2, 5), math.inf: (1,)}
"""The multiples of a power of ten that stand at the axis, by how many powers there are at most."""


def draw(report: ErrorReport, _: str) -> Figure:
    """Return the figure over tokens, or over gold mentions where a document has none."""
    metric = default_sort(report.report)
    tokens = [one.tokens for one in report.evidence if one.tokens is not None]
    documents = report.report.documents
    has_tokens = len(tokens) == len(documents)
    lengths = tokens if has_tokens else [document.gold_mentions for document in documents]
    scores = [main_part(report.report.document_scores(document)[metric]) for document in documents]
    points = sorted(
        (length, 100 * score)
        for length, score in zip(lengths, scores, strict=True)
        if length and score.defined
    )
    low, high = (points[0][0], points[-1][0]) if points else (1, 10)
    scale = Scale(math.log10(low) - 0.1, math.log10(high) + 0.1, _LEFT, _RIGHT)
    up = Scale(*PERCENT, _BOTTOM, 8)
    parts: list[Part] = [*upwards(up, _LEFT, _RIGHT), *_numbers(scale)]
    parts += [Sign(scale.place(math.log10(x)), up.place(y), "ring", "text") for x, y in points]
    unit, label = "tokens" if has_tokens else "gold mentions", short_label(report.report, metric)
    said = f"{len(points)} documents from {low} to {high} {unit}" if points else "no document has a score"
    return figure(
        f"{label} F1 of every document by its length",
        f"Percent, over {unit} of the document, logarithmic.",
        f"{label} F1 by length: {said}",
        (_WIDTH, _BOTTOM + 22),
        parts,
    )


def _numbers(scale: Scale) -> Iterator[Part]:
    """Yield the round numbers on the scale: the wider it is, the fewer."""
    within = next(numbers for most, numbers in _WITHIN.items() if scale.high - scale.low <= most)
    for power in range(max(0, math.floor(scale.low)), math.ceil(scale.high) + 1):
        for number in (multiple * 10**power for multiple in within):
            if number == int(number) and scale.low <= math.log10(number) <= scale.high:
                x = scale.place(math.log10(number))
                yield Line([(x, _BOTTOM), (x, _BOTTOM + 4)], "pale")
                yield Label(x, _BOTTOM + 17, f"{int(number)}", "middle", "pale")
