"""Paired permutation: the probability that chance makes a difference of two systems."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.tally import Measured, Tally
from scorch2.resampling.bootstrap import ends_of
from scorch2.resampling.draws import drawn_sums, every_swap, random_swaps
from scorch2.resampling.sample import Sample, sample
from scorch2.scoring.report import Report, report_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorch2.resampling.sample import Floats, Values

LEVEL = 95.0
"""The default level of the interval of a difference: percent of the draws inside it."""
_TIE = 1e-12
"""Differences closer than this are equal: they were added up in another order."""


class Difference(NamedTuple):
    """The difference of two systems in one part of one metric."""

    difference: float
    """In -1..1."""
    p: float
    """The share of random swaps of documents that give a difference as large, in 0..1."""
    low: float
    high: float
    """The ends of the 95 % interval of the difference over draws of documents."""
    corrected: float | None = None
    """p, corrected for several comparisons if that was asked for."""


class Paired(NamedTuple):
    """Two reports, their documents in the same order."""

    one: Report
    other: Report


def paired(one: Report, other: Report) -> Paired:
    """Return two reports with their documents paired by id, in the order of the first.

    The reports must be comparable: see `scorch2.gate.comparable.reason_against`. A document without gold
    mentions that only one report has counts as empty in the other.
    """
    first, second = ({document.id: document for document in report.documents} for report in (one, other))
    columns: list[tuple[Measured, Measured]] = []
    for ident in {**first, **second}:
        nothing = _nothing(first.get(ident) or second[ident])
        columns.append((first.get(ident, nothing), second.get(ident, nothing)))
    return Paired(
        *(
            report_of(report.rows, report.metrics, documents, report.options, report.notices)._replace(
                facts=report.facts
            )
            for report, documents in zip((one, other), zip(*columns, strict=True), strict=True)
        )
    )


def permutation(
    pair: Paired, trials: int, seed: int, *, level: float = LEVEL, two_sided: bool = True
) -> dict[str, dict[str, Difference]]:
    """Return the difference of two systems in every score, and the probability that chance makes it.

    Each trial swaps the systems in documents drawn with probability 1/2. p = (hits + 1) / (trials + 1), hits
    being the trials whose difference is at least as large as the observed one, in either direction. If there
    are fewer ways to swap than trials, all of them are tried, and p = hits / ways: it is exact then.

    Parameters
    ----------
    pair : Paired
        Reports with the same rows and options.
    trials : int
        At least 1.
    seed : int
        Of `numpy.random.default_rng`; not negative.
    level : float
        Percent of the draws inside the interval of the difference.
    two_sided : bool
        Whether differences in both directions count; else those in the direction of the observed one.

    Returns
    -------
    dict
        By metric and part.
    """
    import numpy as np

    one, other = sample(pair.one), sample(pair.other)
    number, exact = permutations(len(one.matrix), trials)
    swaps = every_swap(len(one.matrix)) if exact else random_swaps(len(one.matrix), trials, seed)
    hits = _hits(pair, _swapped(one, other, swaps), two_sided=two_sided)
    columns = one.matrix.shape[1]
    both = np.hstack([one.matrix, other.matrix])
    resampled = (
        _differences(one.scores(sums[:, :columns]), one.scores(sums[:, columns:]))
        for sums in drawn_sums(both, trials, seed)
    )
    ends = ends_of(resampled, trials, level)
    return {
        metric: {
            part: Difference(
                observed,
                _p_value(hits[metric][part], number, exact=exact),
                *ends[metric][part].interval(level),
            )
            for part, observed in parts.items()
        }
        for metric, parts in _observed(pair).items()
    }


def permutations(documents: int, trials: int) -> tuple[int, bool]:
    """Return the number of swaps to try, and whether these are all possible ones: then p is exact."""
    ways = 1 << documents
    return min(ways, trials), ways < trials


def _p_value(hits: int, number: int, *, exact: bool) -> float:
    """Return p; the swap that was observed is one of all swaps, but is added to random ones."""
    return hits / number if exact else (hits + 1) / (number + 1)


def _observed(pair: Paired) -> dict[str, dict[str, float]]:
    """Return the difference of the two systems in each part of each score."""
    return {
        row.name: {
            part: getattr(pair.one.scores[row.name], part) - getattr(pair.other.scores[row.name], part)
            for part in row.gives._fields
        }
        for row in pair.one.rows
    }


def _swapped(one: Sample, other: Sample, swaps: "Iterable[Floats]") -> "Iterator[Values]":
    """Yield the differences after each swap, one block of swaps at a time."""
    sums = one.matrix.sum(axis=0, keepdims=True), other.matrix.sum(axis=0, keepdims=True)
    gain = other.matrix - one.matrix
    for swap in swaps:
        change = swap @ gain
        yield _differences(_numbers(one.scores(sums[0] + change)), _numbers(one.scores(sums[1] - change)))


def _hits(pair: Paired, blocks: "Iterable[Values]", *, two_sided: bool) -> dict[str, dict[str, int]]:
    """Count the swaps that make a difference at least as large as the observed one."""
    observed = _observed(pair)
    hits = {metric: dict.fromkeys(parts, 0) for metric, parts in observed.items()}
    for block in blocks:
        for metric, parts in observed.items():
            for part, difference in parts.items():
                large = _as_large(block[metric][part], difference, two_sided=two_sided)
                hits[metric][part] += int(large.sum())
    return hits


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for how many there are, after Holm (1979), in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = highest
    return corrected


def _nothing(document: Measured) -> Measured:
    zeros = tuple(tuple(Tally(0, 0, 0, 0) for _ in parts) for parts in document.tallies)
    return Measured(document.id, 0, 0, zeros)


def _as_large(differences: "Floats", observed: float, *, two_sided: bool) -> "NDArray[np.bool_]":
    if two_sided:
        return abs(differences) >= abs(observed) - _TIE
    return differences <= observed + _TIE if observed < 0 else differences >= observed - _TIE


def _numbers(scores: "Values") -> "Values":
    """Return scores with 0 where they are undefined, as in the observed difference."""
    import numpy as np

    return {
        name: {part: np.nan_to_num(column) for part, column in parts.items()}
        for name, parts in scores.items()
    }


def _differences(one: "Values", other: "Values") -> "Values":
    return {
        metric: {part: values - other[metric][part] for part, values in parts.items()}
        for metric, parts in one.items()
    }
