"""Bootstrap: the variation of scores when documents are drawn again, with replacement."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from scorch2.model.errors import Notice, UsageError, counted, escaped
from scorch2.model.forms import Shown
from scorch2.model.memory import load_numpy
from scorch2.model.results import Confidence, Interval
from scorch2.model.score import AVERAGES, PARTS, UNDEFINED, Sampling, Tally, Weights, equal_weights, ratios_of
from scorch2.scoring.averages import columns_of, counted_weights, weights_by_part
from scorch2.scoring.metrics.metric import Mean, Metric
from scorch2.scoring.report import Report, resampled_of
from scorch2.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Values: TypeAlias = dict[str, dict[str, Floats]]
    """By metric and part, one score per trial; NaN where it is undefined."""


Key = TypeVar("Key")
Part = TypeVar("Part")
Facts: TypeAlias = dict[str, str | int]  # by name, in the order in which they are shown


_AS_FACT = {"documents": "joined"}  # the option is shown beside the number of documents, under one name


def run_facts(report: Report, settings: Sequence[tuple[str, str]] = (), /, **run: str | int) -> Facts:
    """Return the version, how the scores were made, and how documents were resampled or swapped (`run`)."""
    changed = {_AS_FACT.get(name, name): value for name, value in report.options.changed().items()}
    made = {"average": report.options.average, **dict(settings), **changed, **dict(report.facts)}
    documents = {"documents": len(report.documents), **resampled_of(report)}
    return {"version": __version__, **made, **documents, **run}


def merged_facts(runs: Sequence[Facts]) -> Facts:
    """Return facts that hold for several runs; where they differ, their values with ``/`` between them.

    >>> merged_facts([{"seed": 0, "permutations": 8}, {"seed": 0, "permutations": 16}])
    {'seed': 0, 'permutations': '8/16'}
    """
    values = {name: list(dict.fromkeys(run.get(name, "") for run in runs)) for name in runs[0]}
    return {name: some[0] if len(some) == 1 else "/".join(map(str, some)) for name, some in values.items()}


def facts_line(found: Facts) -> str:
    """Return facts as one line, as the signature of a report has them.

    >>> facts_line({"version": "1.0.0", "average": "pooled", "trials": 2500, "seed": 0})
    'scorch2 1.0.0 | average=pooled | trials=2500 | seed=0'
    """
    shown = {fact: name for name, fact in _AS_FACT.items()}
    others = [f"{shown.get(name, name)}={value}" for name, value in found.items() if name != "version"]
    return escaped(" | ".join([f"scorch2 {found['version']}", *others]))


def remark(text: str) -> str:
    """Return a line of tab-separated text that is no row; nothing for no text."""
    return f"# {escaped(text)}\n" if text else ""


_BLOCK = 1 << 20  # most numbers in a block of trials × documents: 8 MiB
_TRIALS = 1 << 13  # most trials in a block: the scores of a block are Python objects for a while


def random_draws(documents: int, sampling: Sampling, strata: Sequence[int] = ()) -> "Iterator[Floats]":
    """Yield how often each document is drawn with replacement, in blocks of (some trials, documents).

    `strata` are the numbers of documents, one behind the other, that are drawn among themselves.
    """
    import numpy as np

    random = np.random.default_rng(sampling.seed)
    starts = np.repeat(np.cumsum([0, *strata])[:-1], strata) if strata else 0
    among = np.repeat(strata, strata) if strata else documents
    for size in blocks(sampling.trials, documents):
        drawn = random.integers(among, size=(size, documents)) + starts
        drawn += np.arange(size)[:, None] * documents
        times = np.bincount(drawn.ravel(), minlength=size * documents).reshape(size, documents)
        yield times.astype(np.float64)


def blocks(trials: int, documents: int) -> Iterator[int]:
    """Yield how many trials are done at once."""
    size = max(1, min(_TRIALS, _BLOCK // documents))
    for start in range(0, trials, size):
        yield min(size, trials - start)


class Trials(NamedTuple):
    """Numbers of documents, and how much each of them counts in some trials."""

    weights: "Floats"  # shape (trials, documents)
    matrix: "Floats"  # what is weighed, of shape (documents, columns)
    start: "Floats | None" = None  # what is added for each document whatever it weighs, if anything

    def sums(self) -> "Floats":
        """Return the sums over documents, of shape (trials, columns)."""
        weighed = self.weights @ self.matrix
        return weighed if self.start is None else self.start.sum(axis=0, keepdims=True) + weighed

    def columns(self, first: int, end: int) -> "Trials":
        """Return some of the columns."""
        start = None if self.start is None else self.start[:, first:end]
        return Trials(self.weights, self.matrix[:, first:end], start)

    def part(self, documents: "NDArray[np.int64]") -> "Trials":
        """Return some of the documents."""
        start = None if self.start is None else self.start[documents]
        return Trials(self.weights[:, documents], self.matrix[documents], start)


class Sample(NamedTuple):
    """Numbers that add up over documents, and the function from them, weighed, to scores."""

    matrix: "Floats"  # shape (documents, columns)
    scores: "Callable[[Trials], Values]"
    base: "Floats | None" = None
    """What is added whatever is drawn, of the shape of `matrix`: nothing if all is the sum of its rows."""
    strata: Sequence[int] = ()
    """The numbers of documents that are drawn among themselves; all together if there are none."""


def sample(report: Report) -> Sample:
    """Return the documents of `report`, or their windows, in the columns that its average needs."""
    if "visible" in dict(report.facts):
        raise UsageError("a report for participants has no documents: intervals and tests need the keeper's")
    load_numpy()
    if report.options.resample:
        return _sample_of_windows(report)
    made = _sample_of_documents(report)
    if "shared_task" not in dict(report.facts):
        return made
    files = [len([*group]) for _, group in groupby(document.file for document in report.documents)]
    return made._replace(strata=files)


def _sample_of_documents(report: Report) -> Sample:
    weigh = AVERAGES[report.options.average].weigh
    if AVERAGES[report.options.average].by_file:
        return _sample_of_files(report)
    if weigh is None:
        return _sample_of_tallies(report)
    return _sample_of_means(report, [weigh(document) for document in report.documents])


def _flat(tallies: Sequence[Sequence[Tally]]) -> list[float]:
    """Return the tallies of all metrics in one row."""
    return [number for parts in tallies for tally in parts for number in tally]


def _sample_of_tallies(report: Report) -> Sample:
    """Make columns of the tallies of every metric; their sums are finished trial by trial."""
    import numpy as np

    undefined = _undefined(report)

    def scores(trials: Trials) -> "Values":
        columns = iter(trials.sums().T)
        found = {metric.name: _finished(metric, columns, undefined) for metric in report.metrics}
        return _with_means(report, found)

    rows = [_flat(document.tallies) for document in report.documents]
    return Sample(np.array(rows, dtype=np.float64), scores)


def _sample_of_files(report: Report) -> Sample:
    """Make columns of the tallies of every metric, after a 1; their sums are finished file by file."""
    # A file without a document in a trial has no weight in it. A column for each file and tally would take as
    # much as documents times files.
    import numpy as np

    matrix = np.array([[1, *_flat(document.tallies)] for document in report.documents], dtype=np.float64)
    files = [document.file or document.id for document in report.documents]
    return Sample(matrix, _means_of_groups(report, files, lambda sums: (sums[:, :1] > 0, sums[:, 1:])))


def _means_of_groups(
    report: Report, groups: Iterable[str], read: "Callable[[Floats], tuple[Any, Floats]]"
) -> "Callable[[Trials], Values]":
    """Return the function from trials to the weighted means of the scores of groups of rows.

    `read` returns, for each sum of the rows of a group, the weights of all parts of scores, and the tallies.
    """
    import numpy as np

    parts = [(metric.name, part) for metric in report.metrics for part in metric.gives._fields]
    by_length, undefined = _by_length(groups), _undefined(report)

    def weighed(sums: "Floats") -> "Floats":
        weights, tallies = read(sums)
        columns = iter(tallies.T)
        scores = [_finished(metric, columns, undefined) for metric in report.metrics]
        values = np.array([part for of_metric in scores for part in of_metric.values()]).T
        weights = np.where(np.isnan(values), 0.0, weights)
        return np.concatenate([weights, weights * np.nan_to_num(values)], axis=1)

    def scores(trials: Trials) -> "Values":
        sums = np.zeros((2 * len(parts), len(trials.weights)))
        for documents in by_length:
            for place, values in _of_files(trials, documents, weighed):
                sums[place] += values.sum(axis=-1)
        found: dict[str, dict[str, Floats]] = {}
        for (metric, part), weight, total in zip(parts, sums[: len(parts)], sums[len(parts) :], strict=True):
            mean = np.where(weight > 0, total / np.where(weight > 0, weight, 1), undefined)
            found.setdefault(metric, {})[part] = mean
        return _with_means(report, found)

    return scores


_BITS = 6  # of the weight of a document in a number that holds those of a file
_EXACT = 52  # bits of a float that holds such a number and that of the file


def _by_length(files: Iterable[str]) -> "list[NDArray[np.int64]]":
    """Return the places of each file, of which each place names its own; those of one length in one array."""
    import numpy as np

    of_file: dict[str, list[int]] = {}
    for place, file in enumerate(files):
        of_file.setdefault(file, []).append(place)
    lengths: dict[int, list[list[int]]] = {}
    for places in of_file.values():
        lengths.setdefault(len(places), []).append(places)
    return [np.array(places) for places in lengths.values()]


def _of_files(
    trials: Trials, files: "NDArray[np.int64]", of_file: "Callable[[Floats], Floats]"
) -> "Iterator[tuple[int, Floats]]":
    """Yield each score of some files with its place, in arrays of shape (trials, files)."""
    # Files of few documents weigh the same in many trials: each weight is finished once
    import numpy as np

    bits = files.shape[1] * _BITS
    if bits + len(trials.matrix).bit_length() > _EXACT or trials.weights.max() >= 1 << _BITS:
        for documents in files:
            for place, values in enumerate(of_file(trials.part(documents).sums()).T):
                yield place, values[:, None]
        return
    codes = np.ldexp(files[:, 0].astype(np.float64), bits)
    for place, documents in enumerate(files.T):
        codes = codes + np.ldexp(trials.weights[:, documents], place * _BITS)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    trial, file = np.divmod(first, len(files))
    sums = np.zeros((len(first), trials.matrix.shape[1]))
    for documents in files[file].T:
        sums += trials.weights[trial, documents, None] * trials.matrix[documents]
        sums += 0 if trials.start is None else trials.start[documents]
    for place, scores in enumerate(of_file(sums).T):
        yield place, scores[which].reshape(codes.shape)


_NOTHING = 1e-9  # counts below are none: sums of floats are not exact


def _sample_of_windows(report: Report) -> Sample:
    """Make columns of the weights of windows and of what they are worth; documents are finished one by one.

    A link of two windows is worth something in both: the base takes away what windows are worth together
    beyond the document, so that its counts are those of the draw with each window once. Those of other draws
    are nearly right (the first order of the jackknife). `pooled` finishes the corpus once, `files` each file.
    """
    import numpy as np

    average = AVERAGES[report.options.average]
    rows, base, groups = _rows_of_windows(report)
    columns = [PARTS.index(part) for metric in report.metrics for part in metric.gives._fields]

    def read(sums: "Floats") -> "tuple[Any, Floats]":
        weights = sums[:, columns]
        is_whole = average.by_file or average.weigh is None
        return weights > 0 if is_whole else weights, _possible(sums[:, len(PARTS) :])

    scores = _means_of_groups(report, groups, read)
    return Sample(np.array(rows, dtype=np.float64), scores, np.array(base, dtype=np.float64))


def _rows_of_windows(report: Report) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """Return the row of each window, what is added to it, and the name of what it is finished with."""
    average = AVERAGES[report.options.average]
    weigh = average.weigh or equal_weights
    rows: list[list[float]] = []
    base: list[list[float]] = []
    groups: list[str] = []
    for document in report.documents:
        worth = [_flat(window.tallies) for window in document.windows]
        columns = zip(_flat(document.tallies), *worth, strict=True)
        rest = [0.0, 0.0, 0.0, *(n - sum(column) for n, *column in columns)]
        # A window weighs what a document like it would, so that all of them together weigh what theirs does
        weights = list(map(weigh, document.windows))
        both = zip(weigh(document), zip(*weights, strict=True), strict=False)  # there may be no window
        shares = [weight / (sum(column) or 1) for weight, column in both]
        for own_weights, own in zip(weights, worth, strict=True):
            rows.append([*map(mul, own_weights, shares), *own])
            base.append([0.0] * len(rest) if len(base) > len(groups) else rest)
        group = (document.file or document.id) if average.by_file else document.id
        groups += [group if average.weigh is not None else ""] * len(worth)
    return rows, base, groups


def _possible(tallies: "Floats") -> "Floats":
    """Return counts as they can be: none below 0, and no numerator above its denominator."""
    import numpy as np

    kept = np.where(tallies < _NOTHING, 0, tallies)
    kept[:, ::2] = np.minimum(kept[:, ::2], kept[:, 1::2])
    return kept


def _undefined(report: Report) -> float:
    """Return the number for 0/0 in a trial: NaN if it has no weight, else 0."""
    return math.nan if report.options.undefined == "skip" else 0.0


def _finished(metric: Metric, columns: "Iterator[Floats]", undefined: float) -> "dict[str, Floats]":
    """Return the scores of a metric, whose tallies are the next columns."""
    import numpy as np

    if metric.divide is ratios_of:
        return resampled_ratios([*islice(columns, len(Tally._fields))], undefined)
    tallies = [
        map(Tally, *(column.tolist() for column in islice(columns, len(Tally._fields)))) for _ in metric.parts
    ]
    return {
        part: np.array([undefined if value is UNDEFINED else value for value in values])
        for part, values in columns_of(metric, zip(*tallies, strict=True)).items()
    }


def resampled_ratios(tallies: Sequence["Floats"], undefined: float) -> "dict[str, Floats]":
    """Return recall, precision and F1 of many tallies: to the last bit what `finish` returns for each."""
    import numpy as np

    recalled, gold, precise, system = tallies
    has_recall, has_precision = gold != 0, system != 0
    recall = np.divide(recalled, gold, out=np.zeros_like(gold), where=has_recall)
    precision = np.divide(precise, system, out=np.zeros_like(system), where=has_precision)
    total = recall + precision
    f1 = np.divide(2 * recall * precision, total, out=np.zeros_like(total), where=total != 0)
    defined = has_recall, has_precision, has_recall | has_precision
    parts = zip(PARTS, defined, (recall, precision, f1), strict=True)
    return {part: np.where(there, values, undefined) for part, there, values in parts}


def _sample_of_means(report: Report, weights: Sequence[Weights]) -> Sample:
    """Make four columns for every part of every metric."""
    # They are the weights and the weighted scores of documents, then the same with equal weights. The latter
    # count in a trial whose documents with a score have no weight, as in `scorch2.scoring.averages`.
    import numpy as np

    skip, undefined = report.options.undefined == "skip", _undefined(report)
    by_part = weights_by_part(weights)
    places: list[tuple[str, str]] = []
    columns: list[Sequence[float]] = []
    for number, metric in enumerate(report.metrics):
        tallies = [document.tallies[number] for document in report.documents]
        for part, values in columns_of(metric, tallies).items():
            places.append((metric.name, part))
            for weights_of_part in (by_part[part], [1] * len(values)):
                weight = counted_weights(values, weights_of_part) if skip else weights_of_part
                columns += [weight, list(map(mul, values, weight))]

    def means(trials: Trials) -> "Values":
        sums = trials.sums()
        found: dict[str, dict[str, Floats]] = {}
        for place, (metric, part) in enumerate(places):
            weight, total, number, plain = sums.T[4 * place : 4 * place + 4]
            equal = np.where(number > 0, plain / np.where(number > 0, number, 1), undefined)
            mean = np.where(weight > 0, total / np.where(weight > 0, weight, 1), equal)
            found.setdefault(metric, {})[part] = mean
        return _with_means(report, found)

    return Sample(np.array(columns, dtype=np.float64).T, means)


def _with_means(report: Report, scores: "Mapping[str, dict[str, Floats]]") -> "Values":
    """Return the trials of all rows of `report`; means leave NaN out."""
    return {
        row.name: {part: mean_of([scores[name][part] for name in row.of]) for part in row.gives._fields}
        if isinstance(row, Mean)
        else dict(scores[row.name])
        for row in report.rows
    }


def mean_of(columns: "Sequence[Floats]") -> "Floats":
    """Return, for each trial, the mean of the columns that are not NaN; NaN if all are."""
    import numpy as np

    stacked = np.array(columns)
    number = (~np.isnan(stacked)).sum(axis=0)
    total = np.nan_to_num(stacked).sum(axis=0)
    mean: Floats = np.where(number > 0, total / np.where(number > 0, number, 1), math.nan)
    return mean


DIGITS = 6  # Decimals of an interval. Trials are noisier than that, and machines round sums differently.
_SPARE = 1 << 13  # values that may wait until the lowest and highest of them are chosen


class Ends:
    """The lowest and highest of at most `trials` values of a score, for intervals of `level` percent or more.

    Intervals of 95 % need 5 % of the values: three million trials keep 1.2 MB per score and not 24 MB.
    """

    def __init__(self, trials: int, level: float) -> None:
        import numpy as np

        self._count = 0
        self._kept = min(trials, math.floor(_rank(trials, (100 - level) / 200)) + 3)
        self._lowest = self._highest = np.empty(0)
        self._waiting: list[Floats] = []

    def add(self, values: "Floats") -> None:
        """Take in the values of some trials. NaN, a trial without a score, does not count."""
        import numpy as np

        values = values[~np.isnan(values)]
        self._count += len(values)
        self._waiting.append(values)
        if sum(map(len, self._waiting)) > self._kept + _SPARE:
            self._choose()

    def interval(self, level: float) -> Interval:
        """Return the Weibull quantiles that hold `level` percent of the values between them (as neleval's).

        Without any value there are none.

        >>> import numpy as np
        >>> ends = Ends(99, 80)
        >>> ends.add(np.arange(1, 100) / 100)
        >>> ends.interval(80)
        (0.1, 0.9)
        """
        if not self._count:
            return None
        self._choose()
        self._lowest.sort()
        self._highest.sort()
        tail = (100 - level) / 200
        return round(self._quantile(tail), DIGITS), round(self._quantile(1 - tail), DIGITS)

    def _choose(self) -> None:
        import numpy as np

        kept = self._kept
        lowest = np.concatenate([self._lowest, *self._waiting])
        highest = np.concatenate([self._highest, *self._waiting])
        self._waiting = []
        if len(lowest) > kept:  # copies, or the slices would hold the whole arrays
            lowest = np.partition(lowest, kept - 1)[:kept].copy()
            highest = np.partition(highest, len(highest) - kept)[-kept:].copy()
        self._lowest, self._highest = lowest, highest

    def _quantile(self, share: float) -> float:
        """Return the value at a rank between two trials, in the proportion of the distances to them."""
        rank = min(max(_rank(self._count, share), 0.0), self._count - 1.0)
        below = math.floor(rank)
        left, right = self._value(below), self._value(min(below + 1, self._count - 1))
        return left + (right - left) * (rank - below)

    def _value(self, rank: int) -> float:
        if rank < len(self._lowest):
            return float(self._lowest[rank])
        return float(self._highest[rank - self._count])


def _rank(trials: int, share: float) -> float:
    """Return the rank of a Weibull quantile, counted from 0; it may be below the first or above the last."""
    return share * (trials + 1) - 1


_FEW = 10
LEVEL = 95.0  # percent of the resamples inside an interval, of a difference or where nothing else is typed


def confidence(report: Report, sampling: Sampling) -> Confidence:
    """Return percentile bootstrap intervals of every score of `report`, in its own average.

    An interval is over the resamples in which the score is defined; with ``undefined=zero``, 0/0 in a
    resample is worth 0. A score that is 0/0 in every document has no interval.
    """
    return levels(report, [sampling.level or LEVEL], sampling)[0]


def levels(report: Report, wanted: Sequence[float], sampling: Sampling) -> list[Confidence]:
    """Return `confidence` for several levels, from the same trials."""
    ends = ends_of(bootstrap(report, sampling), sampling.trials, min(wanted))
    return [
        Confidence(
            level,
            sampling.trials,
            sampling.seed,
            {
                metric: {
                    part: kept.interval(level) if getattr(report.scores[metric], part).defined else None
                    for part, kept in parts.items()
                }
                for metric, parts in ends.items()
            },
            report.options.resample,
        )
        for level in wanted
    ]


def few_documents(report: Report, what: str) -> list[Notice]:
    """Return a warning if `what`, intervals or trials, is over too few documents or windows to say much."""
    unit = "window" if report.options.resample else "document"
    number = sum(len(document.windows) if unit == "window" else 1 for document in report.documents)
    if number >= _FEW:
        return []
    why = f"{what} over {counted(number, unit)} are coarse (less than {_FEW})"
    return [Notice("confidence", "", why)]


def bootstrap(report: Report, sampling: Sampling) -> "Iterator[Values]":
    """Yield the scores of sampled corpora, some at a time; documents are drawn with replacement."""
    numbers = sample(report)
    for times in random_draws(len(numbers.matrix), sampling, numbers.strata):
        yield numbers.scores(Trials(times, numbers.matrix, numbers.base))


def ends_of(
    blocks: "Iterable[Mapping[Key, Mapping[Part, Floats]]]", trials: int, level: float
) -> dict[Key, dict[Part, Ends]]:
    """Return the ends of the values of every part of a score, for intervals of at least `level` percent."""
    ends: dict[Key, dict[Part, Ends]] = {}
    for block in blocks:
        for key, parts in block.items():
            kept = ends.setdefault(key, {})
            for part, values in parts.items():
                if part not in kept:
                    kept[part] = Ends(trials, level)
                kept[part].add(values)
    return ends


class _ConfidenceReportFields(NamedTuple):
    report: Report
    levels: Sequence[Confidence]  # the intervals of each level, the lowest first, all from the same trials
    parts: Sequence[str]  # what is shown of each score: ``recall``, ``precision``, ``f1``


class ConfidenceReport(Shown, _ConfidenceReportFields):
    """The scores of a system, and how far they vary over documents. ``str()`` is a table in percent."""

    __slots__ = ()
    shown_as = "confidence"

    def interval(self, metric: str, part: str = "f1", level: float | None = None) -> Interval:
        """Return the ends of an interval in 0..1, by default of the highest level; None without a score.

        Raises
        ------
        KeyError
            For a metric, part or level that there is not.
        """
        names = {alias: row.name for row in self.report.rows for alias in (row.name, *row.aliases)}
        by_level = {level.level: level for level in self.levels}
        chosen = self.levels[-1] if level is None else by_level[level]
        return chosen.intervals[names[metric.casefold()]][part]

    @property
    def notices(self) -> Sequence[Notice]:  # type: ignore[override]  # a field of other values
        """The warnings of the scores, and of the trials."""
        return [*self.report.notices, *few_documents(self.report, "trials")]

    def __repr__(self) -> str:
        levels = [level.level for level in self.levels]
        return f"ConfidenceReport({self.report!r}, levels={levels}, trials={self.levels[0].trials})"
