"""Step 6, tallies of documents to scores of the corpus: `mentions`, `pooled` or `macro`.

A document whose score is undefined counts 0; a corpus score is undefined only if it is so in every document.
Sums are exact, so the order of the documents does not matter.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, mul
from types import MappingProxyType
from typing import NamedTuple

from scorch2.model.score import UNDEFINED, AnyScore, MeanScore, Value
from scorch2.model.tally import Measured, Tally, pooled
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric


class Weights(NamedTuple):
    """What a document weighs in the means of the parts of a score."""

    recall: int
    precision: int
    f1: int


def mention_weights(document: Measured) -> Weights:
    """Weigh R, P and F by the number of gold, system, and gold + system mentions (scorch's average)."""
    gold, system = document.gold_mentions, document.system_mentions
    return Weights(gold, system, gold + system)


def equal_weights(_: Measured) -> Weights:
    """Weigh every document alike."""
    return Weights(1, 1, 1)


AVERAGES: Mapping[str, Callable[[Measured], Weights] | None] = MappingProxyType(
    {"mentions": mention_weights, "pooled": None, "macro": equal_weights}
)
"""How scores of documents are weighted; where they are not, counts are added up and divided once."""


def scores(
    rows: Sequence[AnyMetric], metrics: Sequence[Metric], documents: Sequence[Measured], average: str
) -> dict[str, AnyScore]:
    """Return the score of each of `rows` over `documents`, by its name.

    Parameters
    ----------
    rows : sequence of Metric or Mean
        What to report; what a mean is of must be among `metrics`.
    metrics : sequence of Metric
        The metrics that were counted, in the order of the tallies.
    documents : sequence of Measured
        At least one.
    average : str
        A key of `AVERAGES`. One document gives the same in all of them.
    """
    weigh = AVERAGES[average] if len(documents) > 1 else None
    weights = None if weigh is None else weights_by_part(list(map(weigh, documents)))
    found = {}
    for place, metric in enumerate(metrics):
        tallies = [document.tallies[place] for document in documents]
        if weights is None:
            found[metric.name] = _of_sums(metric, tallies)
        else:
            found[metric.name] = _mean_over(metric, tallies, weights)
    return {row.name: mean_score(row, found) if isinstance(row, Mean) else found[row.name] for row in rows}


def mean_score(row: Mean, found: Mapping[str, AnyScore]) -> MeanScore:
    """Return the mean of the F1 of the scores that `row` is of; an undefined one counts 0."""
    values = list(map(attrgetter("f1"), [found[name] for name in row.of]))
    return MeanScore(Value(math.fsum(values) / len(values)))


def weights_by_part(weights: Sequence[Weights]) -> dict[str, list[int]]:
    """Return the weights of all documents for each part of a score."""
    return {part: list(map(attrgetter(part), weights)) for part in Weights._fields}


def _of_sums(metric: Metric, tallies: Sequence[tuple[Tally, ...]]) -> AnyScore:
    """Add numerators and denominators, then divide once (the reference scorer's average)."""
    return metric.finish([pooled(part) for part in zip(*tallies, strict=True)])


def _mean_over(
    metric: Metric, tallies: Sequence[tuple[Tally, ...]], weights: Mapping[str, Sequence[int]]
) -> AnyScore:
    """Score every document, then take the weighted mean of each part."""
    scored = [metric.finish(each) for each in tallies]
    parts = metric.gives._fields
    return metric.gives(*[_weighted(list(map(attrgetter(part), scored)), weights[part]) for part in parts])


def _weighted(values: Sequence[Value], weights: Sequence[int]) -> Value:
    if not any(value.defined for value in values):
        return UNDEFINED
    total = sum(weights)
    if not total:  # no mention anywhere: every document weighs the same
        return _weighted(values, [1] * len(weights))
    return Value(math.fsum(map(mul, values, weights)) / total)
