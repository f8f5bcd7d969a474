"""Step 6, tallies of documents to scores of the corpus: `mentions`, `pooled` or `macro`, one function each.

A document whose score is undefined counts 0; a corpus score is undefined only if it is so in every document.
Sums are exact, so the order of the documents does not matter.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from scorch2.metrics import METRICS
from scorch2.metrics.metric import Mean, Metric
from scorch2.tally import UNDEFINED, MeanScore, Measured, Score, Tally, Value, pooled

Average: TypeAlias = Callable[[Metric, Sequence[tuple[Tally, ...]], Sequence[Measured]], Score]


def scores(
    names: Sequence[str], metrics: Sequence[Metric], documents: Sequence[Measured], average: str
) -> dict[str, Score | MeanScore]:
    """Return the score of each metric in `names` over `documents`.

    Parameters
    ----------
    names : sequence of str
        Names in `scorch2.METRICS`; what a mean is of must be among `metrics`.
    metrics : sequence of Metric
        The metrics that were counted, in the order of the tallies.
    documents : sequence of Measured
        At least one.
    average : str
        A key of `AVERAGES`. One document gives the same in all of them.
    """
    combine = AVERAGES[average] if len(documents) > 1 else over_pooled_counts
    found = {
        metric.name: combine(metric, [document.tallies[i] for document in documents], documents)
        for i, metric in enumerate(metrics)
    }
    return {name: with_means(name, found) for name in names}


def with_means(name: str, found: Mapping[str, Score]) -> Score | MeanScore:
    """Return a score that was counted, or the mean of the F1 of those it is of."""
    metric = METRICS[name]
    if not isinstance(metric, Mean):
        return found[name]
    values = [found[part].f1 for part in metric.of]
    return MeanScore(Value(math.fsum(values) / len(values)))


def over_mentions(
    metric: Metric, tallies: Sequence[tuple[Tally, ...]], documents: Sequence[Measured]
) -> Score:
    """Mean of R, P and F weighted by gold, system, and gold + system mentions (scorch's average)."""
    gold = [document.gold_mentions for document in documents]
    system = [document.system_mentions for document in documents]
    both = [g + s for g, s in zip(gold, system, strict=True)]
    columns = zip(*map(metric.finish, tallies), strict=True)
    return Score(
        *(_weighted(values, weights) for values, weights in zip(columns, (gold, system, both), strict=True))
    )


def over_pooled_counts(metric: Metric, tallies: Sequence[tuple[Tally, ...]], _: Sequence[Measured]) -> Score:
    """Add numerators and denominators, then divide once (the reference scorer's average)."""
    return metric.finish([pooled(part) for part in zip(*tallies, strict=True)])


def over_documents(metric: Metric, tallies: Sequence[tuple[Tally, ...]], _: Sequence[Measured]) -> Score:
    """Plain mean of R, P and F: every document weighs the same."""
    columns = zip(*map(metric.finish, tallies), strict=True)
    return Score(*(_weighted(values, [1] * len(values)) for values in columns))


AVERAGES: Mapping[str, Average] = MappingProxyType(
    {"mentions": over_mentions, "pooled": over_pooled_counts, "macro": over_documents}
)


def _weighted(values: Sequence[Value], weights: Sequence[int]) -> Value:
    total = sum(weights)
    if not total:  # no mention anywhere: every document weighs the same
        return _weighted(values, [1] * len(values))
    mean = math.fsum(map(operator.mul, values, weights)) / total
    return _value(mean, values)


def _value(mean: float, values: Sequence[Value]) -> Value:
    return Value(mean) if any(value.defined for value in values) else UNDEFINED
