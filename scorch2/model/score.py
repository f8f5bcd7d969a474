"""Score, the ratios of tallies, and the rule for 0/0."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.model.tally import Tally


class Value(float):
    """A score in 0..1; for 0/0 it is 0.0 with `defined` false."""

    __slots__ = ()
    defined = True

    if TYPE_CHECKING:  # a float equals an integer: ``report.muc.f1 == 1`` is fine

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...


class Undefined(Value):
    """0/0, which counts 0.0 in sums and means."""

    __slots__ = ()
    defined = False


UNDEFINED = Undefined(0.0)


class Score(NamedTuple):
    """Recall, precision and F1 of one metric, each in 0..1."""

    recall: Value
    precision: Value
    f1: Value


class MeanScore(NamedTuple):
    """The score of a metric that has only an F1, in 0..1."""

    f1: Value

    @property
    def recall(self) -> Value:
        """Raise AttributeError: a mean has no recall."""
        raise AttributeError("a mean of F1 scores has no recall")

    @property
    def precision(self) -> Value:
        """Raise AttributeError: a mean has no precision."""
        raise AttributeError("a mean of F1 scores has no precision")


class Rate(NamedTuple):
    """The score of a metric that is one ratio over gold, in 0..1."""

    recall: Value

    @property
    def precision(self) -> Value:
        """Raise AttributeError: a ratio over gold has no precision."""
        raise AttributeError("a ratio over what gold has has no precision")

    @property
    def f1(self) -> Value:
        """Raise AttributeError: a ratio over gold has no F1."""
        raise AttributeError("a ratio over what gold has has no F1")


class CountedScore(NamedTuple):
    """A score with its counts, named as in neleval."""

    recall: Value
    precision: Value
    f1: Value
    ptp: Value
    """Numerator of precision."""
    fp: Value
    """Denominator of precision minus its numerator."""
    rtp: Value
    """Numerator of recall."""
    fn: Value
    """Denominator of recall minus its numerator."""


AnyScore: TypeAlias = Score | MeanScore | Rate | CountedScore
"""A score of any kind: it has the parts that its metric defines, named as in `Score`."""
PARTS = Score._fields
COUNTS = tuple(name for name in CountedScore._fields if name not in PARTS)


def main_part(score: AnyScore) -> Value:
    """Return F1, or the only part of a score that has none."""
    return score.recall if isinstance(score, Rate) else score.f1


def main_name(parts: Sequence[str]) -> str:
    """Return the name of the part that `main_part` returns."""
    return "f1" if "f1" in parts else parts[0]


def finish(tallies: Sequence[Tally]) -> Score:
    """Return the score of a metric of one part: both ratios and their harmonic mean."""
    (tally,) = tallies
    return Score(*map(_value, ratios(tally)))


def finish_with_counts(tallies: Sequence[Tally]) -> CountedScore:
    """Return what `finish` does, with the counts."""
    (tally,) = tallies
    score = finish(tallies)
    return CountedScore(
        score.recall,
        score.precision,
        score.f1,
        ptp=Value(tally.precision_num),
        fp=Value(tally.precision_den - tally.precision_num),
        rtp=Value(tally.recall_num),
        fn=Value(tally.recall_den - tally.recall_num),
    )


def mean_of_two(one: Tally, other: Tally) -> Score:
    """Return the plain means of both ratios and F1 of two tallies.

    What is undefined counts 0 in a mean; a mean is undefined if both are.
    """
    return Score(*map(_mean, ratios(one), ratios(other)))


def ratios(tally: Tally) -> tuple[float, float, float]:
    """Return recall, precision and F1 as plain numbers; what is 0/0 is `UNDEFINED`.

    F1 is undefined only if both are. To make a `Value` takes longer than to divide.
    """
    recall = tally.recall_num / tally.recall_den if tally.recall_den else UNDEFINED
    precision = tally.precision_num / tally.precision_den if tally.precision_den else UNDEFINED
    if recall or precision:
        return recall, precision, 2 * recall * precision / (recall + precision)
    return recall, precision, UNDEFINED if recall is precision is UNDEFINED else 0.0


def _value(number: float) -> Value:
    return number if isinstance(number, Value) else Value(number)


def _mean(one: float, other: float) -> Value:
    return UNDEFINED if one is other is UNDEFINED else Value((one + other) / 2)
