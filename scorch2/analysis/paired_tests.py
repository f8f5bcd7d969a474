"""Paired tests: the probability that chance makes a difference of two systems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scorch2.analysis import bootstrap
from scorch2.model.besides import WindowCounts
from scorch2.model.errors import Notice, counted
from scorch2.model.forms import Shown
from scorch2.model.results import Difference
from scorch2.model.score import Measured, Sampling, Tally, Value
from scorch2.model.settings import TESTS
from scorch2.scoring.report import Report, report_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorch2.analysis.bootstrap import Floats, Values


Key = TypeVar("Key")
_TIE = 1e-12  # differences closer than this are equal: they were added up in another order


_FEW_FOR_BOOTSTRAP = 30
"""Documents below which `test=bootstrap` finds a difference in 6 to 20 % of the pairs of equal systems."""


def too_many_differences(report: Report, test: str | None) -> list[Notice]:
    """Return a warning if a test finds more differences of equal systems than its p says."""
    if report.options.resample:
        why = "windows of one document are taken for independent"
    elif test == "bootstrap" and len(report.documents) < _FEW_FOR_BOOTSTRAP:
        why = f"test=bootstrap over {counted(len(report.documents), 'document')}"
    else:
        return []
    return [Notice("significance", "", f"too many differences are found: {why} (see help statistics)")]


def notices_of(reports: Mapping[str, Report]) -> list[Notice]:
    """Return the warnings of several reports."""
    return [notice for report in reports.values() for notice in report.notices]


class Paired(NamedTuple):
    """Two reports, their documents in the same order."""

    one: Report
    other: Report


def paired(one: Report, other: Report) -> Paired:
    """Return two comparable reports with their documents paired by id, in the order of the first."""
    # A document without gold mentions that only one report has counts as empty in the other
    first, second = ({document.id: document for document in report.documents} for report in (one, other))
    columns: list[tuple[Measured, Measured]] = []
    for ident in {**first, **second}:
        nothing = nothing_of(first.get(ident) or second[ident])
        columns.append((first.get(ident, nothing), second.get(ident, nothing)))
    return Paired(
        *(
            report_of(report.rows, report.metrics, documents, report.options, report.notices)._replace(
                facts=report.facts
            )
            for report, documents in zip((one, other), zip(*columns, strict=True), strict=True)
        )
    )


def differences_of(
    pair: Paired, sampling: Sampling, *, two_sided: bool = True, test: str = TESTS[0]
) -> dict[str, dict[str, Difference]]:
    """Return the difference of two systems in every score, and the probability that chance makes it.

    Each trial of a permutation test swaps the systems in documents with probability 1/2. p = (hits + 1) /
    (trials + 1), hits being the trials whose difference is at least as large as the observed one, in either
    direction unless one-sided. If there are fewer ways to swap than trials, all of them are tried, and p =
    hits / ways: it is exact then. A trial in which a score is 0/0 has no difference and counts in neither
    number. Each trial of a bootstrap test draws documents, the same ones for both systems; hits are those
    whose difference is as far from the observed one as that is from 0 (Efron & Tibshirani 1993, chapter 16,
    and Berg-Kirkpatrick et al. 2012).
    """
    samples = bootstrap.sample(pair.one), bootstrap.sample(pair.other)
    return differences_of_samples(samples, _observed(pair), sampling, two_sided=two_sided, test=test)


def differences_of_samples(
    samples: tuple[bootstrap.Sample, bootstrap.Sample],
    observed: Mapping[str, Mapping[str, float | None]],
    sampling: Sampling,
    *,
    two_sided: bool = True,
    test: str = TESTS[0],
) -> dict[str, dict[str, Difference]]:
    """Return `differences_of` for what is made of two samples, and the `observed` differences of that."""
    first, second = samples

    def resampled() -> "Iterator[Values]":
        for times in bootstrap.random_draws(len(first.matrix), sampling, first.strata):
            yield _differences(
                first.scores(bootstrap.Trials(times, first.matrix, first.base)),
                second.scores(bootstrap.Trials(times, second.matrix, second.base)),
            )

    exact = False
    if test == "bootstrap":
        counts = _counts(observed, resampled(), two_sided=two_sided, around_observed=True)
    else:
        units = len(first.matrix)
        exact = permutations(units, sampling.trials, windows=first.base is not None)[1]
        swaps = every_swap(units) if exact else random_swaps(units, sampling)
        counts = _counts(observed, _swapped(first, second, swaps), two_sided=two_sided)
    ends = bootstrap.ends_of(resampled(), sampling.trials, bootstrap.LEVEL)
    return {
        metric: {
            part: Difference(None, None, None)
            if difference is None
            else Difference(
                difference,
                counts[metric][part].p_value(exact=exact),
                ends[metric][part].interval(bootstrap.LEVEL),
            )
            for part, difference in parts.items()
        }
        for metric, parts in observed.items()
    }


def permutations(units: int, trials: int, *, windows: bool = False) -> tuple[int, bool]:
    """Return the number of swaps to try, and whether these are all possible ones: then p is exact."""
    # With windows swapped, counts are only nearly those of a system: even all swaps give no exact p
    ways = 1 << units
    return (trials, False) if windows else (min(ways, trials), ways < trials)


def facts_of_test(units: int, trials: int, test: str, *, windows: bool) -> bootstrap.Facts:
    """Return what is done to documents or windows: the permutations, or the test and its resamples."""
    if test == "bootstrap":
        return {"test": test, "resamples": trials}
    number, exact = permutations(units, trials, windows=windows)
    return {"permutations": number, "exact": "yes" if exact else "no"}


class _Counts(NamedTuple):
    """Numbers of trials for one part of one score."""

    hits: int = 0  # those whose difference is at least as large as the observed one
    number: int = 0

    def p_value(self, *, exact: bool) -> float:
        """Return p; what was observed is one of all swaps, but is added to random trials."""
        return self.hits / self.number if exact else (self.hits + 1) / (self.number + 1)


def _observed(pair: Paired) -> dict[str, dict[str, float | None]]:
    """Return the difference of the two systems in each part of each score."""
    found = {}
    for row in pair.one.rows:
        both = pair.one.scores[row.name], pair.other.scores[row.name]
        found[row.name] = dict(zip(row.gives._fields, map(difference_of, *both), strict=True))
    return found


def difference_of(one: Value, other: Value) -> float | None:
    """Return the first less the second; None if one of them is 0/0."""
    return one - other if one.defined and other.defined else None


def _swapped(
    first: bootstrap.Sample, second: bootstrap.Sample, swaps: "Iterable[Floats]"
) -> "Iterator[Values]":
    """Yield the differences after each swap, one block of swaps at a time."""
    gain = second.matrix - first.matrix
    starts = first.matrix, second.matrix
    if first.base is not None and second.base is not None:  # what no window is worth stays in the middle
        starts = first.matrix + (first.base + second.base) / 2, second.matrix + (first.base + second.base) / 2
    for swap in swaps:
        yield _differences(
            first.scores(bootstrap.Trials(swap, gain, starts[0])),
            second.scores(bootstrap.Trials(swap, -gain, starts[1])),
        )


def _counts(
    observed: Mapping[str, Mapping[str, float | None]],
    blocks: "Iterable[Values]",
    *,
    two_sided: bool,
    around_observed: bool = False,
) -> dict[str, dict[str, _Counts]]:
    """Count the trials that have a difference, and those that make one as large as the observed one.

    With `around_observed`, what is as large is the distance of a difference from the observed one.
    """
    import numpy as np

    counts = {metric: dict.fromkeys(parts, _Counts()) for metric, parts in observed.items()}
    for block in blocks:
        for metric, parts in observed.items():
            for part, difference in parts.items():
                if difference is None:
                    continue
                values = block[metric][part]
                values = values[~np.isnan(values)] - (difference if around_observed else 0)
                large = int(_as_large(values, difference, two_sided=two_sided).sum())
                before = counts[metric][part]
                counts[metric][part] = _Counts(before.hits + large, before.number + len(values))
    return counts


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


def nothing_of(document: Measured, ident: str | None = None) -> Measured:
    """Return a document like another one in which nothing is counted."""
    zeros = tuple(tuple(Tally(0, 0, 0, 0) for _ in parts) for parts in document.tallies)
    windows = tuple(WindowCounts(0, 0, zeros) for _ in document.windows)
    return Measured(ident or document.id, 0, 0, zeros, document.file, windows=windows)


def _as_large(differences: "Floats", observed: float, *, two_sided: bool) -> "NDArray[np.bool_]":
    if two_sided:
        return abs(differences) >= abs(observed) - _TIE
    return differences <= observed + _TIE if observed < 0 else differences >= observed - _TIE


def _differences(one: "Values", other: "Values") -> "Values":
    return {
        metric: {part: values - other[metric][part] for part, values in parts.items()}
        for metric, parts in one.items()
    }


class TestedPair(NamedTuple):
    """Two systems, and their differences by metric and part."""

    one: str
    other: str
    differences: Mapping[str, Mapping[str, Difference]]
    facts: bootstrap.Facts  # the choices and numbers behind the p-values


def compare_pairs(
    reports: Mapping[str, Report],
    sampling: Sampling,
    *,
    two_sided: bool = True,
    correct: bool = False,
    test: str = TESTS[0],
) -> list[TestedPair]:
    """Return the differences of every pair of comparable `reports`, in their order."""
    compared = []
    for (one, first), (other, second) in combinations(reports.items(), 2):
        pair = paired(first, second)
        found = differences_of(pair, sampling, two_sided=two_sided, test=test)
        windows = bool(pair.one.options.resample)
        made = bootstrap.run_facts(
            pair.one,
            side="two-sided" if two_sided else "one-sided",
            **facts_of_test(len(pair.one.documents), sampling.trials, test, windows=windows),
            seed=sampling.seed,
        )
        compared.append(TestedPair(one, other, found, made))
    return _corrected_over_pairs(compared) if correct else compared


def corrected(differences: Mapping[Key, Difference]) -> dict[Key, Difference]:
    """Correct p-values for how many there are, after Holm; a difference without one is no comparison."""
    p_values = {key: difference.p for key, difference in differences.items() if difference.p is not None}
    by_key = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    return {key: difference._replace(corrected=by_key.get(key)) for key, difference in differences.items()}


def _corrected_over_pairs(compared: Sequence[TestedPair]) -> list[TestedPair]:
    by_score = {
        (name, part): corrected({place: pair.differences[name][part] for place, pair in enumerate(compared)})
        for name, parts in compared[0].differences.items()
        for part in parts
    }
    return [
        pair._replace(
            differences={
                name: {part: by_score[name, part][place] for part in parts}
                for name, parts in pair.differences.items()
            }
        )
        for place, pair in enumerate(compared)
    ]


def least_p(report: Report, test: str, sampling: Sampling) -> float:
    """Return the smallest two-sided p that a test of two systems can give, whatever they are.

    It is that of all documents in favour of one system: 2 of 2ⁿ swaps, or none of the random trials.
    """
    exact = 2.0 ** (1 - len(report.documents)) if test == TESTS[0] else 0.0
    return max(exact, 1 / (sampling.trials + 1))


class _SignificanceReportFields(NamedTuple):
    pairs: Sequence[TestedPair]
    reports: Mapping[str, Report]  # the scores of each system, by its name
    parts: Sequence[str]  # what is shown of each score


class SignificanceReport(Shown, _SignificanceReportFields):
    """The differences of every pair of systems, and whether they could be chance. ``str()`` is a table."""

    __slots__ = ()
    shown_as = "significance"

    @property
    def notices(self) -> Sequence[Notice]:  # type: ignore[override]  # a field of other values
        """The warnings of the systems, and of the trials."""
        first = next(iter(self.reports.values()))
        test = next((str(dict(pair.facts).get("test")) for pair in self.pairs), None)
        few = [*bootstrap.few_documents(first, "trials"), *too_many_differences(first, test)]
        return [*notices_of(self.reports), *few]

    def __repr__(self) -> str:
        return f"SignificanceReport(systems={[*self.reports]}, {len(self.pairs)} pairs)"


def random_swaps(documents: int, sampling: Sampling) -> "Iterator[Floats]":
    """Yield blocks of shape (some trials, documents): 1 where a document is swapped."""
    import numpy as np

    random = np.random.default_rng(sampling.seed)
    for size in bootstrap.blocks(sampling.trials, documents):
        yield random.integers(2, size=(size, documents)).astype(np.float64)


def every_swap(documents: int) -> "Iterator[Floats]":
    """Yield all ways to swap, in blocks of shape (some ways, documents)."""
    import numpy as np

    first = 0
    for size in bootstrap.blocks(1 << documents, documents):
        ways = np.arange(first, first + size)[:, None] >> np.arange(documents)
        yield (ways & 1).astype(np.float64)
        first += size
