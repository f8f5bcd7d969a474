"""Scores, counts and intervals as plain dicts, lists and numbers: what the JSON report is made of."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorch2.model.breakdown import Breakdown
from scorch2.model.confidence import Confidence
from scorch2.model.score import AnyScore
from scorch2.model.tally import Measured, Tally
from scorch2.scoring.metrics.metric import ONLY, Metric


def plain_confidence(confidence: Confidence) -> dict[str, Any]:
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


def plain_tallies(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """Return the tallies of a metric by part, or the only one there is."""
    plain = {part: tally._asdict() for part, tally in tallies.items()}
    return plain.get(ONLY, plain)


def plain_document(
    document: Measured, metrics: Sequence[Metric], scores: Mapping[str, AnyScore]
) -> dict[str, Any]:
    """Return a document with its counts, those of `metrics`, and its own scores."""
    return {
        "id": document.id,
        "gold_mentions": document.gold_mentions,
        "system_mentions": document.system_mentions,
        "counts": {
            metric.name: plain_tallies(dict(zip(metric.parts, parts, strict=True)))
            for metric, parts in zip(metrics, document.tallies, strict=True)
        },
        "scores": {name: plain_score(score) for name, score in scores.items()},
    }


def plain_breakdown(breakdown: Breakdown) -> dict[str, Any]:
    """Return the rows of each dimension."""
    return {name: [row.to_dict() for row in rows] for name, rows in breakdown.items()}
