"""Score, what tallies come to; the one rule for 0/0."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.model.tally import Tally


class Value(float):
    """A score in 0..1, or 0.0 with `defined` false where it stands for 0/0."""

    __slots__ = ()
    defined = True

    if TYPE_CHECKING:  # a float equals an integer: ``report.muc.f1 == 1`` is fine

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...


class Undefined(Value):
    """0/0: worth 0.0 in sums and means."""

    __slots__ = ()
    defined = False


UNDEFINED = Undefined(0.0)


class Score(NamedTuple):
    """Recall, precision and F1 of one metric, each in 0..1."""

    recall: Value
    precision: Value
    f1: Value


class MeanScore(NamedTuple):
    """The score of a metric that has an F1 and nothing else, in 0..1."""

    f1: Value

    @property
    def recall(self) -> Value:
        """None there is: an AttributeError."""
        raise AttributeError("a mean of F1 scores has no recall")

    @property
    def precision(self) -> Value:
        """None there is: an AttributeError."""
        raise AttributeError("a mean of F1 scores has no precision")


class Rate(NamedTuple):
    """The score of a metric that is one ratio over what gold has, in 0..1."""

    recall: Value

    @property
    def precision(self) -> Value:
        """None there is: an AttributeError."""
        raise AttributeError("a ratio over what gold has has no precision")

    @property
    def f1(self) -> Value:
        """None there is: an AttributeError."""
        raise AttributeError("a ratio over what gold has has no F1")


class CountedScore(NamedTuple):
    """A score with the counts it is made of, as neleval names them."""

    recall: Value
    precision: Value
    f1: Value
    ptp: Value
    """The numerator of precision, and what it lacks to the denominator; then those of recall. From 0 on."""
    fp: Value
    rtp: Value
    fn: Value


AnyScore: TypeAlias = Score | MeanScore | Rate | CountedScore
"""A score has the parts that its metric defines, under the names of `Score`."""
PARTS = Score._fields
COUNTS = tuple(name for name in CountedScore._fields if name not in PARTS)


def main_part(score: AnyScore) -> Value:
    """Return F1, or the only part of a score that has none."""
    return score.recall if isinstance(score, Rate) else score.f1


def finish(tallies: Sequence[Tally]) -> Score:
    """Return the score of a metric of one part: both ratios and their harmonic mean."""
    (tally,) = tallies
    recall = ratio(tally.recall_num, tally.recall_den)
    precision = ratio(tally.precision_num, tally.precision_den)
    return Score(recall, precision, harmonic_mean(recall, precision))


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


def ratio(numerator: float, denominator: float) -> Value:
    """Return a ratio; 0/0 is undefined."""
    return Value(numerator / denominator) if denominator else UNDEFINED


def harmonic_mean(recall: Value, precision: Value) -> Value:
    """Return F1, which is undefined only if both are."""
    if recall or precision:
        return Value(2 * recall * precision / (recall + precision))
    return Value(0.0) if recall.defined or precision.defined else UNDEFINED


def mean(one: Value, other: Value) -> Value:
    """Return the plain mean. An undefined value counts 0; the mean is undefined if both are."""
    return Value((one + other) / 2) if one.defined or other.defined else UNDEFINED
