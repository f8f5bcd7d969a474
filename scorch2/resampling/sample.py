"""The numbers of a report that add up over documents, and the rule that makes scores of their sums."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter, mul
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.model.tally import Tally
from scorch2.scoring.averages import AVERAGES, Weights, weights_by_part
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Values: TypeAlias = dict[str, dict[str, Floats]]
    """By metric and part, one score a trial."""


class Sample(NamedTuple):
    """Numbers that add up over documents, and the rule that makes scores of their sums."""

    matrix: "Floats"
    """Shape (documents, columns)."""
    scores: "Callable[[Floats], Values]"
    """From sums of shape (trials, columns)."""


def joined(blocks: "Iterable[Values]") -> "Values":
    """Return the trials of all blocks, one after the other."""
    import numpy as np

    collected: dict[str, dict[str, list[Floats]]] = {}
    for block in blocks:
        for metric, parts in block.items():
            for part, values in parts.items():
                collected.setdefault(metric, {}).setdefault(part, []).append(values)
    return {
        metric: {part: np.concatenate(values) for part, values in parts.items()}
        for metric, parts in collected.items()
    }


def sample(report: Report) -> Sample:
    """Return the documents of `report` in the columns that its average needs."""
    weigh = AVERAGES[report.options.average]
    if weigh is None:
        return _sample_of_tallies(report)
    return _sample_of_means(report, [weigh(document) for document in report.documents])


def _sample_of_tallies(report: Report) -> Sample:
    """Columns are the tallies of every metric; their sums go through its finishing rule, trial by trial."""
    import numpy as np

    rows = [
        [n for parts in document.tallies for tally in parts for n in tally] for document in report.documents
    ]

    def scores(sums: "Floats") -> "Values":
        columns = iter(sums.T.tolist())
        found = {metric.name: _finished(metric, columns) for metric in report.metrics}
        return _with_means(report.rows, found)

    return Sample(np.array(rows, dtype=np.float64), scores)


def _finished(metric: Metric, columns: Iterator[list[float]]) -> "dict[str, Floats]":
    """Return the scores that the next columns come to: those of the tallies of a metric."""
    import numpy as np

    tallies = [map(Tally, *islice(columns, len(Tally._fields))) for _ in metric.parts]
    scores = [metric.finish(parts) for parts in zip(*tallies, strict=True)]
    return {
        part: np.array(list(map(attrgetter(part), scores)), dtype=np.float64) for part in metric.gives._fields
    }


def _sample_of_means(report: Report, weights: Sequence[Weights]) -> Sample:
    """Columns are the weights of recall, precision and F1, then for every metric the weighted scores."""
    import numpy as np

    places = [(metric.name, part) for metric in report.metrics for part in metric.gives._fields]
    by_part = weights_by_part(weights)
    columns: list[Sequence[float]] = [by_part[part] for part in Weights._fields]
    for place, metric in enumerate(report.metrics):
        scores = [metric.finish(document.tallies[place]) for document in report.documents]
        columns += [
            list(map(mul, map(attrgetter(part), scores), by_part[part])) for part in metric.gives._fields
        ]

    def means(sums: "Floats") -> "Values":
        found: dict[str, dict[str, Any]] = {}
        for column, (metric, part) in enumerate(places, len(Weights._fields)):
            weight = sums[:, Weights._fields.index(part)]
            # documents without a mention have no weight, and no score either
            found.setdefault(metric, {})[part] = sums[:, column] / np.where(weight > 0, weight, 1)
        return _with_means(report.rows, found)

    return Sample(np.array(columns, dtype=np.float64).T, means)


def _with_means(rows: Sequence[AnyMetric], found: "Mapping[str, dict[str, Floats]]") -> "Values":
    def mean(row: Mean) -> "Floats":
        values: Floats = sum(found[name]["f1"] for name in row.of) / len(row.of)  # type: ignore[assignment]  # of arrays
        return values

    return {row.name: {"f1": mean(row)} if isinstance(row, Mean) else dict(found[row.name]) for row in rows}
