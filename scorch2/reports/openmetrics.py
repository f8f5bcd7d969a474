"""The OpenMetrics report: scores as gauges, for Prometheus and other readers of its text format."""

import math
from collections.abc import Iterator, Mapping, Sequence

from scorch2.model.escaping import openmetrics_label as label_value
from scorch2.model.results import Confidence
from scorch2.model.score import AnyScore, Measured
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return one sample per score, NaN where it is undefined, and the numbers of documents and mentions."""
    return "".join(f"{line}\n" for line in _lines(report, documents))


def _lines(report: Report, documents: Sequence[Measured]) -> Iterator[str]:
    yield from _head("score", "Score in 0..1, NaN if undefined.")
    yield from _samples(report.scores, {})
    for document in documents:
        yield from _samples(report.document_scores(document), {report.unit: document.id})
    yield from _skipped(report.skipped)
    if report.confidence:
        yield from _bounds(report.confidence)
    if report.gates:
        yield from _head("gate_passed", "1 if a gate passed, 0 if it failed.")
        for verdict in report.gates:
            labels = {
                "gate": verdict.gate,
                "metric": verdict.metric,
                "part": verdict.part,
                "limit": repr(verdict.limit),
            }
            yield _sample("gate_passed", labels, int(verdict.passed))
    yield from _head("documents", "Documents that were scored.")
    yield _sample("documents", {}, len(report.documents))
    yield from _head("mentions", "Mentions of the scored documents.")
    yield _sample("mentions", {"side": "gold"}, sum(document.gold_mentions for document in report.documents))
    yield _sample(
        "mentions", {"side": "system"}, sum(document.system_mentions for document in report.documents)
    )
    yield "# EOF"


def _skipped(skipped: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    if skipped:
        yield from _head("skipped_documents", "Documents without weight in a mean, since their score is 0/0.")
    for metric, numbers in skipped.items():
        for part, number in numbers.items():
            yield _sample("skipped_documents", {"metric": metric, "part": part}, number)


def _bounds(confidence: Confidence) -> Iterator[str]:
    yield from _head("score_bound", f"End of the {confidence.level:g} % interval of a score.")
    for metric, parts in confidence.intervals.items():
        for part, bounds in parts.items():
            for end, value in zip(("low", "high"), bounds or (math.nan, math.nan), strict=True):
                yield _sample("score_bound", {"metric": metric, "part": part, "end": end}, value)


def _head(name: str, help_text: str) -> Iterator[str]:
    yield f"# TYPE scorch2_{name} gauge"
    yield f"# HELP scorch2_{name} {help_text}"


def _samples(scores: Mapping[str, AnyScore], labels: dict[str, str]) -> Iterator[str]:
    for metric, score in scores.items():
        for part, value in score._asdict().items():
            number = float(value) if value.defined else math.nan
            yield _sample("score", {**labels, "metric": metric, "part": part}, number)


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    inside = ",".join(f'{label}="{label_value(text)}"' for label, text in labels.items())
    shown = "NaN" if math.isnan(value) else repr(value)
    return f"scorch2_{name}{{{inside}}} {shown}" if inside else f"scorch2_{name} {shown}"
