"""Values beside scores: confidence intervals, counts by classes of mentions, verdicts of gates."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.errors import counted, listed
from scorch2.model.score import Score, Tally, Value, ratios_of

Interval: TypeAlias = tuple[float, float] | None
"""Low and high; None if no sample has a score, since it is 0/0 in each of them."""


def main_name(parts: Sequence[str]) -> str:
    """Return the name of the part that `main_part` returns."""
    return "f1" if "f1" in parts else parts[0]


class Confidence(NamedTuple):
    """Bootstrap confidence intervals: the spread of scores over resampled documents."""

    level: float  # the share of the samples inside an interval, in percent
    trials: int
    seed: int
    intervals: Mapping[str, Mapping[str, Interval]]
    """In 0..1, by metric and part; over the samples in which the score is defined."""
    window: int = 0  # the tokens of the windows that are resampled; 0 for documents

    @property
    def units(self) -> str:
        """The units that are resampled, in words."""
        return f"windows of {counted(self.window, 'token')}" if self.window else "documents"

    @property
    def in_words(self) -> str:
        """Their kind and their samples: ``95 % intervals over 1000 bootstrap resamples of the documents``."""
        return f"{self.level:g} % intervals over {self.trials} bootstrap resamples of the {self.units}"


class Difference(NamedTuple):
    """The difference of two systems in one part of one metric."""

    difference: float | None
    """In -1..1; None if the score of a system is 0/0, so that nothing can be compared."""
    p: float | None
    """The share of random permutations that give a difference as large, in 0..1; None without one."""
    interval: Interval  # the ends of the 95 % interval of the difference over bootstrap resamples
    corrected: float | None = None  # p, corrected for several comparisons if that was asked for


BREAKDOWN_METRICS = ("mentions", "muc", "b_cubed", "lea")
"""The metrics that are sums over mentions, so that a class has a score; others, as CEAF, are not."""


PAIRWISE = "pairwise"  # the metric of the links of entities, which only some dimensions have


class ClassRow(NamedTuple):
    """The counts of one class of mentions."""

    name: str
    tallies: Mapping[str, Tally]
    """By metric, those of `METRICS`: recall from gold mentions, precision from system mentions."""
    links: Mapping[str, Mapping[str, int]]
    """Links of gold (``recall``) and of the system (``precision``) by status."""

    def total(self, side: str) -> int:
        """Return the number of links of a side of `links`."""
        return sum(self.links[side].values())

    def found(self, side: str) -> float | None:
        """Return the percentage of the links of a side that are found; None if there are no links."""
        total = self.total(side)
        return 100 * self.links[side]["found"] / total if total else None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        tallies = {name: tally._asdict() for name, tally in self.tallies.items()}
        return {"class": self.name, **tallies, "links": {side: dict(by) for side, by in self.links.items()}}


Breakdown: TypeAlias = Mapping[str, Sequence[ClassRow]]  # the rows of each dimension, by its name


class Verdict(NamedTuple):
    """The result of one gate, from unrounded numbers."""

    gate: str  # a key of `GATES`
    metric: str
    part: str  # ``recall``, ``precision`` or ``f1``
    limit: float  # the number in the option: a score or a drop, in 0..1
    value: float | None
    """The score in 0..1, None if undefined; for a gate on documents the lowest defined one."""
    bound: float  # the lowest `value` that passes
    passed: bool
    baseline: float | None = None  # the score of the baseline, for a gate on a drop
    p: float | None = None  # the p-value of a drop that is too large, if a test was asked for
    document: str = ""  # the document with `value`, for a gate on documents
    below: Sequence[tuple[str, float]] = ()  # the documents that fail, lowest first
    undefined: Sequence[str] = ()  # the documents that were skipped because their score is 0/0
    lack: str = ""  # the reason why the score is undefined, if there is more to say than 0/0

    @property
    def margin(self) -> float | None:
        """Score minus bound; None if the score is undefined."""
        return None if self.value is None else self.value - self.bound

    @property
    def score(self) -> str:
        """The name of the score, such as ``muc.f1``."""
        return f"{self.metric}.{self.part}"

    def __str__(self) -> str:
        """Return the requirement in words."""
        limit = f"{self.limit:.10g} ({100 * self.limit:.10g} %)"
        if self.baseline is None:
            every = "every document: " if self.gate == "fail-under-doc" else ""
            return f"{every}{self.score} at least {limit}"
        of = " of the baseline" if self.gate == "max-drop-rel" else ""
        return f"{self.score} drops by at most {limit}{of}"

    @property
    def outcome(self) -> str:
        """The result in words: ``passed``, or why it failed."""
        notes = []
        if self.below:
            notes.append(f"{counted(len(self.below), 'document')}: {listed(name for name, _ in self.below)}")
        elif self.value is None and not self.passed:
            notes.append(f"the score is undefined{f': {self.lack}' if self.lack else ''}")
        if self.undefined:
            notes.append(f"0/0 in {counted(len(self.undefined), 'document')}: {listed(self.undefined)}")
        if self.p is not None:
            notes.append(
                f"the drop is {'not ' if self.passed else ''}significant, one-sided p = {self.p:.4g}"
            )
        return "; ".join(["passed" if self.passed else "FAILED", *notes])

    @property
    def reason(self) -> str:
        """The reason of the failure in words."""
        value, bound, _ = shown_verdict(self)
        return "the score is undefined (0/0)" if self.value is None else f"{value} is below {bound}"

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as a JSON object, without fields that this kind of gate lacks."""
        names = ("gate", "metric", "part", "limit", "value", "bound", "margin", "passed")
        always = {name: getattr(self, name) for name in names}
        if self.gate == "fail-under-doc":
            below = [{"id": name, "value": value} for name, value in self.below]
            return {**always, "document": self.document, "below": below, "undefined": list(self.undefined)}
        if self.baseline is not None:
            return {**always, "baseline": self.baseline, "p": self.p}
        return always


def verdict_summary(verdicts: Sequence[Verdict]) -> str:
    """Return the number of gates that passed or failed, in words.

    >>> verdict_summary([Verdict("fail-under", "muc", "f1", 0.8, 0.79, 0.8, passed=False)])
    '1 of 1 gate failed'
    """
    failed = sum(not verdict.passed for verdict in verdicts)
    total = counted(len(verdicts), "gate")
    return f"{failed} of {total} failed" if failed else f"{total} passed"


def shown_verdict(verdict: Verdict) -> tuple[str, str, str]:
    """Return value, bound and margin as text, with enough digits to tell value and bound apart.

    >>> shown_verdict(Verdict("fail-under", "muc", "f1", 0.8, 0.79999, 0.8, passed=False))
    ('0.79999', '0.80000', '-0.00001')
    >>> shown_verdict(Verdict("fail-under", "muc", "f1", 0.8, None, 0.8, passed=False))
    ('0/0', '0.8000', '')
    """
    if verdict.value is None or verdict.margin is None:
        return "0/0", f"{verdict.bound:.4f}", ""
    value, bound, digits = verdict.value, verdict.bound, 4
    while digits < _MOST_DIGITS and value != bound and f"{value:.{digits}f}" == f"{bound:.{digits}f}":
        digits += 1
    return f"{value:.{digits}f}", f"{bound:.{digits}f}", f"{verdict.margin:+.{digits}f}"


_MOST_DIGITS = 17  # enough digits to tell any two floats in 0..1 apart


class CountedScore(Score):
    """A score with its counts, named as in neleval."""

    __slots__ = ()
    ptp: Value  # numerator of precision
    fp: Value  # denominator of precision minus its numerator
    rtp: Value  # numerator of recall
    fn: Value  # denominator of recall minus its numerator


COUNTS = CountedScore._fields[len(Score._fields) :]


def ratios_and_counts(tallies: Sequence[Tally]) -> Sequence[float]:
    """Return the parts of a `CountedScore`."""
    ((found, of_gold, right, of_system),) = tallies
    return (*ratios_of(tallies), right, of_system - right, found, of_gold - found)
