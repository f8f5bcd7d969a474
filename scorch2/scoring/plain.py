"""Scores, counts and intervals as plain dicts, lists and numbers: what the JSON report is made of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scorch2.model.score import AnyScore, Measured, Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.model.results import Breakdown, Confidence


def plain_confidence(confidence: "Confidence") -> dict[str, Any]:
    """Return the intervals of all scores, and how they were found."""
    metrics = {
        name: {part: pair and list(pair) for part, pair in parts.items()}
        for name, parts in confidence.intervals.items()
    }
    return {
        "level": confidence.level,
        "trials": confidence.trials,
        "seed": confidence.seed,
        "metrics": metrics,
    }


def plain_score(score: AnyScore) -> dict[str, float | None]:
    """Return a score as JSON has it: undefined parts are None."""
    return {part: float(value) if value.defined else None for part, value in score._asdict().items()}


def plain_scores(scores: Mapping[str, AnyScore]) -> dict[str, dict[str, float | None]]:
    """Return scores by metric as JSON has them."""
    return {name: plain_score(score) for name, score in scores.items()}


def plain_tallies(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """Return the tallies of a metric by part, or the only one there is."""
    plain = {part: tally._asdict() for part, tally in tallies.items()}
    return plain.get(ONLY, plain)


def plain_document(
    document: Measured, metrics: Sequence[Metric], scores: Mapping[str, AnyScore]
) -> dict[str, Any]:
    """Return a document with its counts, those of `metrics`, and its scores; and its file, if it has one."""
    return {
        "id": document.id,
        **({"file": document.file} if document.file else {}),
        "gold_mentions": document.gold_mentions,
        "system_mentions": document.system_mentions,
        "counts": {
            metric.name: plain_tallies(dict(zip(metric.parts, parts, strict=True)))
            for metric, parts in zip(metrics, document.tallies, strict=True)
        },
        "scores": plain_scores(scores),
    }


def plain_file(file: Measured, scores: Mapping[str, AnyScore]) -> dict[str, Any]:
    """Return the scores of a pair of files."""
    return {
        "id": file.id,
        "gold_mentions": file.gold_mentions,
        "system_mentions": file.system_mentions,
        "scores": plain_scores(scores),
    }


def plain_records(scored: Iterable[tuple[str | None, Mapping[str, AnyScore]]]) -> list[dict[str, Any]]:
    """Return a flat dict for every metric of every document."""
    return [
        {"document": ident, "metric": name, **plain_score(score)}
        for ident, scores in scored
        for name, score in scores.items()
    ]


def plain_breakdown(breakdown: "Breakdown") -> dict[str, Any]:
    """Return the rows of each dimension."""
    return {name: [row.to_dict() for row in rows] for name, rows in breakdown.items()}
