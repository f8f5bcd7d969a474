"""Comparison, the value behind `scorch2 compare`: systems in rows, scores in columns, and their tests."""

import math
from collections.abc import Container, Mapping, Sequence
from string import ascii_letters
from typing import Literal, NamedTuple, cast

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import ALL, KINDS
from scorch2.model.errors import Notice, counted
from scorch2.model.forms import Shown
from scorch2.model.results import Difference, Interval
from scorch2.model.score import UNDEFINED, UNDEFINED_SHOWN, AnyScore, Value, percent
from scorch2.scoring.layout.tables import between
from scorch2.scoring.report import Report

DEFAULT = ("muc", "b_cubed", "ceaf_e", "lea", "conll")
"""Choices of what every system is tested against: the first one, the best of each column, or nothing."""
DIFFERS = {1: "▲", -1: "▼", 0: ""}
"""The marks of what is significantly higher, and lower, than what it is tested against."""
_TIE = 1e-12  # scores closer than this are equal: they were added up in another order


ERRORS, SHARE = "errors", "share"
"""The parts of columns that are kinds of errors: the number of errors, and the share in what is missing."""


class Column(NamedTuple):
    """A score that is compared, or what a kind of errors has."""

    metric: str  # a metric, or a kind of errors
    part: str
    label: str
    file: str = ""  # the file whose score it is, if it is not that of all

    @property
    def is_of_errors(self) -> bool:
        """True if less is better."""
        return self.part in (ERRORS, SHARE)


class ScoreTest(NamedTuple):
    """The test of one score of a system."""

    against: str
    found: Difference  # the score minus that of the other system, with p corrected for the number of systems


class PairTests(NamedTuple):
    """The tests of two systems against each other, by metric and part."""

    one: str
    other: str
    found: Mapping[
        tuple[str, str], Difference
    ]  # that of the first less the second, p corrected for all pairs


class SystemRow(NamedTuple):
    """A system with its scores."""

    name: str
    report: Report  # with intervals, if they were asked for
    tests: Mapping[tuple[str, str], ScoreTest]
    """By metric and part; none for the system that others are tested against."""
    errors: Mapping[tuple[str, str], Value] = {}
    """By kind and part, if errors are compared: numbers, and shares in -1..1."""
    files: Mapping[str, Mapping[str, AnyScore]] = {}
    """The scores of files that have columns, unless the system lacks the file."""


class _Fields(NamedTuple):
    systems: Sequence[SystemRow]
    columns: Sequence[Column]
    against: str
    alpha: float
    """A difference is marked if its corrected p is at most that."""
    run: Mapping[str, str | int]
    """How the numbers were made, by name: the average, permutations, the seed ..."""
    provenance: str
    shows_signature: bool = True
    """Whether forms for reading end with that line."""
    notices: Sequence[Notice] = ()
    """Warnings about the systems and the tests."""
    pairs: Sequence[PairTests] = ()
    """All pairs of systems, if letters were asked for."""
    pages: Mapping[tuple[str, str], str] = {}
    """The address of the page of errors of two systems, by their names."""
    letters: Mapping[tuple[str, str], Mapping[str, str]] = {}
    """The letters of each system by metric and part: systems that share one do not differ significantly."""


class Comparison(Shown, _Fields):
    """Systems side by side."""

    __slots__ = ()
    shown_as = "systems"

    def signature(self) -> str:
        """Return one line that says how to get these numbers again."""
        return self.provenance

    def __repr__(self) -> str:
        shown = {
            system.name: {
                f"{column.metric}.{column.part}": round(float(value), 4) if value.defined else None
                for column in self.columns
                for value in [self.value(system, column)]
            }
            for system in self.systems
        }
        return f"Comparison(systems={shown})"

    def value(self, system: SystemRow, column: Column) -> Value:
        """Return a score, in 0..1, or what a kind of errors has."""
        if column.is_of_errors:
            return system.errors[column.metric, column.part]
        if column.file and column.file not in system.files:
            return UNDEFINED
        scores = system.files[column.file] if column.file else system.report.scores
        return cast("Value", getattr(scores[column.metric], column.part))

    def interval(self, system: SystemRow, column: Column) -> Interval:
        """Return the interval of a score, if intervals were asked for."""
        if column.is_of_errors or column.file:
            return None
        confidence = system.report.confidence
        return confidence and confidence.intervals[column.metric][column.part]

    def shown(self, system: SystemRow, column: Column) -> str:
        """Return a score in percent, with its interval if there is one."""
        value, interval = self.value(system, column), self.interval(system, column)
        if column.file and column.file not in system.files:
            return ""
        if not value.defined:
            return UNDEFINED_SHOWN
        if column.part == ERRORS:
            return str(int(value))
        if column.part == SHARE:
            return percent(value, digits=1)
        return f"{percent(value)}{between(interval)}"

    def has_tests(self) -> bool:
        """Return whether any score was tested."""
        return any(system.tests for system in self.systems)

    def is_best(self, system: SystemRow, column: Column) -> bool:
        """Return whether no other system has a higher score, or fewer errors; one alone is not the best."""
        value = self.value(system, column)
        every = [found for other in self.systems for found in [self.value(other, column)] if found.defined]
        best = (min if column.is_of_errors else max)(every, default=UNDEFINED)
        if column.is_of_errors and best == max(every, default=UNDEFINED):
            return False  # no system has fewer
        return len(self.systems) > 1 and value.defined and math.isclose(value, best, abs_tol=_TIE)

    def is_significant(self, system: SystemRow, column: Column) -> bool:
        """Return whether a score differs from that it is tested against."""
        test = system.tests.get((column.metric, column.part))
        return test is not None and test.found.corrected is not None and test.found.corrected <= self.alpha

    def direction(self, system: SystemRow, column: Column) -> int:
        """Return 1 if a score is significantly higher than that it is tested against, -1 if lower, else 0."""
        if not self.is_significant(system, column):
            return 0
        return 1 if (system.tests[column.metric, column.part].found.difference or 0) > 0 else -1

    def letters_of(self, system: SystemRow, column: Column) -> str:
        """Return the letters of a score; empty if there are none, or if it is 0/0."""
        return self.letters.get((column.metric, column.part), {}).get(system.name, "")

    def image(
        self,
        figure: str = "scores",
        suffix: Literal["svg", "png", "pdf"] = "svg",
        *,
        width: Literal["page", "column"] = "page",
        title: Literal["above", "none"] = "above",
    ) -> bytes:
        """Return a figure of ``scorch2 compare --plot`` as the content of a file.

        Raises
        ------
        UsageError
            For an unknown figure or format, and if matplotlib is needed (png, pdf) and not installed.
        """
        return cast("bytes", self._by("image", figure, suffix, width=width, title=title))


def how_tested(compared: Comparison, where: str = " in each column") -> str:
    """Return the name and the source of the test, how it was made, and for how many comparisons."""
    others = len(compared.systems) - 1
    holm = f"{counted(len(compared.pairs) or others, 'comparison')}{where}"
    if "resamples" in compared.run:
        test = "paired bootstrap test (Efron & Tibshirani 1993, Berg-Kirkpatrick et al. 2012)"
        return f"{test}, two-sided, {compared.run['resamples']} resamples, corrected after Holm for {holm}"
    number, exact = compared.run["permutations"], compared.run["exact"] == "yes"
    test = "exact paired permutation test" if exact else "paired approximate randomisation (Noreen 1989)"
    permutations = f"all {number} permutations" if exact else f"{number} random permutations"
    return f"{test}, two-sided, {permutations}, corrected after Holm for {holm}"


def letters_of(names: Sequence[str], apart: Container[frozenset[str]]) -> dict[str, str]:
    """Return the letters of a compact letter display: two names share one unless they are apart.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons. A letter
    is added for each pair that shares none yet, and goes to all names that are apart from none of those that
    have it. One that is not needed is taken away.

    >>> letters_of(["best", "good", "poor"], {frozenset(("best", "poor"))})
    {'best': 'a', 'good': 'ab', 'poor': 'b'}
    """
    places = range(len(names))
    alike = {
        (i, j) for i in places for j in places[i:] if i == j or frozenset((names[i], names[j])) not in apart
    }
    groups: list[list[int]] = []
    for first, last in sorted(alike, key=lambda pair: (pair[0], -pair[1])):
        if not any(first in group and last in group for group in groups):
            members = [first, last]
            for i in places:
                if all((min(i, j), max(i, j)) in alike for j in members):
                    members.append(i)
            groups.append(sorted({*members}))
    for group in groups[::-1]:
        rest = [some for some in groups if some is not group]
        if {(i, j) for some in rest for i in some for j in some if i <= j} == alike:
            groups = rest
    signs = [ascii_letters[i] if i < len(ascii_letters) else f"({i + 1})" for i in range(len(groups))]
    return {
        name: "".join(sign for sign, group in zip(signs, sorted(groups), strict=True) if place in group)
        for place, name in enumerate(names)
    }


def error_columns(report: ErrorReport) -> list[Column]:
    """Return the columns of errors by kind: their numbers, then their shares if these are known."""
    labels = {**{kind: kind.replace("_", " ") for kind in KINDS}, ALL: ALL}
    parts = {ERRORS: "{}", **({SHARE: "{} share"} if report.shares else {})}
    return [
        Column(kind, part, shown.format(label))
        for part, shown in parts.items()
        for kind, label in labels.items()
    ]


def errors_of(report: ErrorReport) -> dict[tuple[str, str], Value]:
    """Return the number of errors of each kind and of all, and the shares by the main metric."""
    numbers = {kind: count.errors for kind, count in report.errors.items()}
    values = {(kind, ERRORS): Value(number) for kind, number in numbers.items()}
    values[ALL, ERRORS] = Value(sum(numbers.values()))
    metric = report.report.main_metric()
    for kind, share in report.gained().shares.items() if report.shares else ():
        values[kind, SHARE] = UNDEFINED if (own := share[metric]) is None else Value(own)
    return values


def columns_of(report: Report, parts: Sequence[str]) -> list[Column]:
    """Return the columns for the `parts` of all metrics, or all parts of one that has none of these."""
    columns = []
    for row in report.rows:
        there = [part for part in parts if part in row.gives._fields] or list(row.gives._fields)
        label = report.short_label(row.name)
        for place, part in enumerate(there):
            letter = {"recall": "R", "precision": "P", "f1": "F1"}.get(part, part)
            shown = label if len(there) == 1 else f"{label} {letter}" if place == 0 else letter
            columns.append(Column(row.name, part, shown))
    return columns
