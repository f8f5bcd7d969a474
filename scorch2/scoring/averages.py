"""Step 6, tallies of documents to scores of the corpus: `mentions`, `pooled` or `macro`.

A document whose score is undefined counts 0; a corpus score is undefined only if it is so in every document.
Sums are exact, so the order of the documents does not matter.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scorch2.model.score import UNDEFINED, AnyScore, Column, MeanScore, Value
from scorch2.model.tally import Measured, Tally, pooled
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric


class Weights(NamedTuple):
    """What a document weighs in the means of the parts of a score."""

    recall: int
    precision: int
    f1: int


def mention_weights(document: Measured) -> Weights:
    """R, P and F weigh as much as there are gold, system, and gold + system mentions (scorch's average)."""
    _, gold, system, _ = document
    return Weights(gold, system, gold + system)


def equal_weights(_: Measured) -> Weights:
    """Every document weighs the same."""
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
    columns = list(zip(*[document.tallies for document in documents], strict=True))
    weigh = AVERAGES[average] if len(documents) > 1 else None
    if weigh is None:
        found = {
            metric.name: _of_sums(metric, tallies) for metric, tallies in zip(metrics, columns, strict=True)
        }
    else:
        weights = dict(zip(Weights._fields, zip(*map(weigh, documents), strict=True), strict=True))
        found = {
            metric.name: _mean_over(metric, tallies, weights)
            for metric, tallies in zip(metrics, columns, strict=True)
        }
    return {row.name: mean_score(row, found) if isinstance(row, Mean) else found[row.name] for row in rows}


def mean_score(mean: Mean, found: Mapping[str, AnyScore]) -> MeanScore:
    """Return the mean of the F1 of the scores that `mean` is of; an undefined one counts 0."""
    values = [found[name][-1] for name in mean.of]  # F1 comes last
    return MeanScore(Value(math.fsum(values) / len(values)))


def _of_sums(metric: Metric, tallies: Sequence[tuple[Tally, ...]]) -> AnyScore:
    """Add numerators and denominators, then divide once (the reference scorer's average)."""
    return metric.finish.one([pooled(part) for part in zip(*tallies, strict=True)])


def _mean_over(
    metric: Metric, tallies: Sequence[tuple[Tally, ...]], weights: Mapping[str, Sequence[int]]
) -> AnyScore:
    columns = finished(metric, tallies)
    return metric.gives(*(_weighted(column, weights[part]) for part, column in columns.items()))


def finished(metric: Metric, tallies: Sequence[Sequence[Tally]]) -> dict[str, Column]:
    """Return the parts of the scores that tallies, at least one, come to."""
    if metric.finish.many:
        columns = metric.finish.many(tallies)
    else:
        scores = zip(*map(metric.finish.one, tallies), strict=True)
        columns = [Column(values, any(value.defined for value in values)) for values in scores]
    return dict(zip(metric.gives._fields, columns, strict=True))


def _weighted(column: Column, weights: Sequence[int]) -> Value:
    if not column.defined:
        return UNDEFINED
    total = sum(weights)
    if not total:  # no mention anywhere: every document weighs the same
        return _weighted(column, [1] * len(weights))
    return Value(math.fsum(map(operator.mul, column.values, weights)) / total)
