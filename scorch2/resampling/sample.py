"""The numbers of a report that add up over documents, and the rule that makes scores of their sums."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.model.tally import Tally
from scorch2.scoring.averages import AVERAGES, Weights, finished
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
        found, first = {}, 0
        for metric in report.metrics:
            end = first + 4 * len(metric.parts)
            found[metric.name] = _finished(metric, sums[:, first:end].tolist())
            first = end
        return _with_means(report.rows, found)

    return Sample(np.array(rows, dtype=np.float64), scores)


def _finished(metric: Metric, sums: Sequence[Sequence[float]]) -> "dict[str, Floats]":
    import numpy as np

    starts = range(0, 4 * len(metric.parts), 4)
    columns = finished(metric, [[Tally(*row[i : i + 4]) for i in starts] for row in sums])
    return {part: np.array(column.values, dtype=np.float64) for part, column in columns.items()}


def _sample_of_means(report: Report, weights: Sequence[Weights]) -> Sample:
    """Columns are the weights of recall, precision and F1, then for every metric the weighted scores."""
    import numpy as np

    places = [(metric.name, part) for metric in report.metrics for part in metric.gives._fields]
    columns: list[Sequence[float]] = list(zip(*weights, strict=True))
    for i, metric in enumerate(report.metrics):
        scores = finished(metric, [document.tallies[i] for document in report.documents])
        for part, column in scores.items():
            weight = columns[Weights._fields.index(part)]
            columns.append([w * float(value) for w, value in zip(weight, column.values, strict=True)])

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
