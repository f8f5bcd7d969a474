"""Step 6, from tallies of documents to scores of the corpus, by one of the averages of the table.

A score that is 0/0 has no weight in a mean; with ``undefined=zero`` it is worth 0 there, as in the peers. A
mean is undefined only if it is so in every document. Sums are exact: the order of documents does not matter.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter, mul

from scorch2.model.options import Options
from scorch2.model.score import (
    AVERAGES,
    PARTS,
    UNDEFINED,
    AnyScore,
    MeanScore,
    Measured,
    Score,
    Tally,
    Undefined,
    Value,
    Weights,
    added_by_file,
    pooled,
    ratios,
    ratios_of,
)
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric


class Averaged:
    """The scores of a corpus by the name of the row, and how many documents had no weight in them."""

    # `skipped` is the number of documents (of files, if they are averaged) whose score is 0/0 and so has no
    # weight, by metric and part; zeros are left out. A mean of metrics has those of its metrics that are 0/0
    # over all documents.

    def __init__(self, scores: dict[str, AnyScore], skipped: dict[str, dict[str, int]]) -> None:
        self.scores = scores
        self.skipped = skipped


def averaged(
    rows: Sequence[AnyMetric], metrics: Sequence[Metric], documents: Sequence[Measured], options: Options
) -> Averaged:
    """Return the score of each of `rows` over `documents`, of which there is at least one."""
    # `metrics` are those that were counted, in the order of the tallies; what a mean is of must be among them
    average = AVERAGES[options.average]
    if average.by_file:
        documents = added_by_file(documents)
    weigh = average.weigh if len(documents) > 1 else None
    weights = None if weigh is None else weights_by_part(list(map(weigh, documents)))
    skip = options.undefined == "skip"
    by_metric: dict[str, AnyScore] = {}
    skipped: dict[str, dict[str, int]] = {}
    for place, metric in enumerate(metrics):
        tallies = [document.tallies[place] for document in documents]
        if weights is None:
            # The scores of each document stand in a report: nothing is to be added there
            alone = tallies[0] if len(tallies) == 1 else None
            sums = alone or [pooled(part) for part in zip(*tallies, strict=True)]
            by_metric[metric.name] = metric.finish(sums)  # divided once, as the reference scorer does
            continue
        columns = columns_of(metric, tallies)
        means = {part: weighted_mean(values, weights[part], skip=skip) for part, values in columns.items()}
        by_metric[metric.name] = metric.gives(*[value for value, _ in means.values()])
        skipped[metric.name] = {part: number for part, (_, number) in means.items() if number}
    scores = {
        row.name: mean_score(row, by_metric, skip=skip) if isinstance(row, Mean) else by_metric[row.name]
        for row in rows
    }
    for row in rows:
        if isinstance(row, Mean) and skip:
            skipped[row.name] = {name: len(documents) for name in row.of if not by_metric[name].defined}
    return Averaged(scores, {name: parts for name, parts in skipped.items() if parts})


def mean_score(row: Mean, by_metric: Mapping[str, AnyScore], *, skip: bool) -> MeanScore | Score:
    """Return the means of the scores that `row` is of, of those that are defined if `skip`."""
    scores = [by_metric[name] for name in row.of]
    parts = [[getattr(score, part) for score in scores] for part in row.gives._fields]
    return row.gives(*[plain_mean(values, skip=skip) for values in parts])


def plain_mean(values: Sequence[Value], *, skip: bool) -> Value:
    """Return the mean of scores, of those that are defined if `skip`."""
    if skip:
        values = [value for value in values if value.defined]
    return Value(math.fsum(values) / len(values)) if values else UNDEFINED


def weights_by_part(weights: Sequence[Weights]) -> dict[str, list[int]]:
    """Return the weights of all documents for each part of a score."""
    return {part: list(map(itemgetter(place), weights)) for place, part in enumerate(PARTS)}


def counted_weights(values: Sequence[float], weights: Sequence[int]) -> Sequence[int]:
    """Return the weights of documents in the mean of those `values` that are not 0/0."""
    return [0 if type(value) is Undefined else weight for value, weight in zip(values, weights, strict=True)]


def columns_of(metric: Metric, tallies: Iterable[Sequence[Tally]]) -> Mapping[str, Sequence[float]]:
    """Score every document by itself, and return the values of each part; what is 0/0 is `UNDEFINED`."""
    # To call one function and not two for each document saves 0.3 % of a run
    plain = metric.divide is ratios_of
    scored = [ratios(tally) for (tally,) in tallies] if plain else map(metric.divide, tallies)
    return dict(zip(metric.gives._fields, zip(*scored, strict=True), strict=True))


def weighted_mean(values: Sequence[float], weights: Sequence[int], *, skip: bool) -> tuple[Value, int]:
    """Return a weighted mean, and the number of values that are 0/0 and so have no weight."""
    undefined = list(map(type, values)).count(Undefined)  # half the time of an expression for each document
    skipped = undefined if skip else 0
    if undefined == len(values):
        return UNDEFINED, skipped
    if skipped:
        weights = counted_weights(values, weights)
    total = sum(weights)
    if not total:  # no mention anywhere: every document weighs the same
        return weighted_mean(values, [1] * len(values), skip=skip)
    return Value(math.fsum(map(mul, values, weights)) / total), skipped
