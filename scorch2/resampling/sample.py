"""The numbers of a report that add up over documents, and the function from their sums to scores."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter, mul
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.model.errors import load_numpy
from scorch2.model.score import AVERAGES, Tally, Weights
from scorch2.scoring.averages import counted_weights, weights_by_part
from scorch2.scoring.metrics.metric import Mean, Metric
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Values: TypeAlias = dict[str, dict[str, Floats]]
    """By metric and part, one score per trial; NaN where it is undefined."""


class Sample(NamedTuple):
    """Numbers that add up over documents, and the function from their sums to scores."""

    matrix: "Floats"
    """Shape (documents, columns)."""
    scores: "Callable[[Floats], Values]"
    """From sums of shape (trials, columns)."""


def sample(report: Report) -> Sample:
    """Return the documents of `report` in the columns that its average needs."""
    load_numpy()
    weigh = AVERAGES[report.options.average].weigh
    if AVERAGES[report.options.average].by_file:
        return _sample_of_files(report)
    if weigh is None:
        return _sample_of_tallies(report)
    return _sample_of_means(report, [weigh(document) for document in report.documents])


def _sample_of_tallies(report: Report) -> Sample:
    """Make columns of the tallies of every metric. Their sums are finished trial by trial.

    10 000 trials on 348 documents take 0.03 s more than with a function for many trials at once.
    """
    import numpy as np

    rows = [
        [n for parts in document.tallies for tally in parts for n in tally] for document in report.documents
    ]

    undefined = _undefined(report)

    def scores(sums: "Floats") -> "Values":
        columns = iter(sums.T.tolist())
        found = {metric.name: _finished(metric, columns, undefined) for metric in report.metrics}
        return _with_means(report, found)

    return Sample(np.array(rows, dtype=np.float64), scores)


def _sample_of_files(report: Report) -> Sample:
    """Make columns of each file: how often its documents are drawn, and the tallies of every metric.

    A file without a document in a trial has no weight in it.
    """
    import numpy as np

    files = [file.id for file in report.files()]
    width = 1 + sum(len(parts) for parts in report.documents[0].tallies) * len(Tally._fields)
    matrix = np.zeros((len(report.documents), len(files) * width))
    for row, document in zip(matrix, report.documents, strict=True):
        start = files.index(document.file or document.id) * width
        row[start : start + width] = [1, *(n for parts in document.tallies for tally in parts for n in tally)]
    undefined = _undefined(report)

    def scores(sums: "Floats") -> "Values":
        found: list[dict[str, dict[str, Floats]]] = []
        for start in range(0, sums.shape[1], width):
            is_drawn = sums[:, start] > 0
            columns = iter(sums[:, start + 1 : start + width].T.tolist())
            of_file = {metric.name: _finished(metric, columns, undefined) for metric in report.metrics}
            found.append(
                {
                    name: {part: np.where(is_drawn, values, math.nan) for part, values in parts.items()}
                    for name, parts in of_file.items()
                }
            )
        means = {
            name: {part: _mean_of([one[name][part] for one in found]) for part in parts}
            for name, parts in found[0].items()
        }
        return _with_means(report, means)

    return Sample(matrix, scores)


def _undefined(report: Report) -> float:
    """Return the number for 0/0 in a trial: NaN if it has no weight, else 0."""
    return math.nan if report.options.undefined == "skip" else 0.0


def _finished(metric: Metric, columns: Iterator[list[float]], undefined: float) -> "dict[str, Floats]":
    """Return the scores of a metric, whose tallies are the next columns."""
    import numpy as np

    tallies = [map(Tally, *islice(columns, len(Tally._fields))) for _ in metric.parts]
    scores = [metric.finish(parts) for parts in zip(*tallies, strict=True)]
    return {
        part: np.array([value if value.defined else undefined for value in map(attrgetter(part), scores)])
        for part in metric.gives._fields
    }


def _sample_of_means(report: Report, weights: Sequence[Weights]) -> Sample:
    """Make four columns for every part of every metric.

    They are the weights and the weighted scores of documents, then the same with equal weights. The latter
    count in a trial whose documents with a score have no weight, as in `scorch2.scoring.averages`.
    """
    import numpy as np

    skip, undefined = report.options.undefined == "skip", _undefined(report)
    by_part = weights_by_part(weights)
    places: list[tuple[str, str]] = []
    columns: list[Sequence[float]] = []
    for number, metric in enumerate(report.metrics):
        scores = [metric.finish(document.tallies[number]) for document in report.documents]
        for part in metric.gives._fields:
            values = list(map(attrgetter(part), scores))
            places.append((metric.name, part))
            for weights_of_part in (by_part[part], [1] * len(values)):
                weight = counted_weights(values, weights_of_part) if skip else weights_of_part
                columns += [weight, list(map(mul, values, weight))]

    def means(sums: "Floats") -> "Values":
        found: dict[str, dict[str, Floats]] = {}
        for place, (metric, part) in enumerate(places):
            weight, total, number, plain = sums.T[4 * place : 4 * place + 4]
            equal = np.where(number > 0, plain / np.where(number > 0, number, 1), undefined)
            mean = np.where(weight > 0, total / np.where(weight > 0, weight, 1), equal)
            found.setdefault(metric, {})[part] = mean
        return _with_means(report, found)

    return Sample(np.array(columns, dtype=np.float64).T, means)


def _with_means(report: Report, found: "Mapping[str, dict[str, Floats]]") -> "Values":
    """Return the trials of all rows of `report`; means leave NaN out."""
    return {
        row.name: {"f1": _mean_of([found[name]["f1"] for name in row.of])}
        if isinstance(row, Mean)
        else dict(found[row.name])
        for row in report.rows
    }


def _mean_of(columns: "Sequence[Floats]") -> "Floats":
    """Return, for each trial, the mean of the columns that are not NaN; NaN if all are."""
    import numpy as np

    stacked = np.array(columns)
    number = (~np.isnan(stacked)).sum(axis=0)
    total = np.nan_to_num(stacked).sum(axis=0)
    mean: Floats = np.where(number > 0, total / np.where(number > 0, number, 1), math.nan)
    return mean
