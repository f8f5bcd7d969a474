"""Score, what tallies come to; the one rule for 0/0."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.model.tally import Tally


class Value(float):
    """A score in 0..1, or 0.0 with `defined` false where it stands for 0/0."""

    defined = True

    if TYPE_CHECKING:  # a float equals an integer: ``report.muc.f1 == 1`` is fine

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...


class Undefined(Value):
    """0/0: worth 0.0 in sums and means."""

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


def finish(tallies: Sequence[Tally]) -> Score:
    """Return the score of a metric of one part: both ratios and their harmonic mean.

    0/0 is undefined, F1 only if both ratios are. Written out: it runs for every document and metric.
    """
    ((recall_num, recall_den, precision_num, precision_den),) = tallies
    recall = Value(recall_num / recall_den) if recall_den else UNDEFINED
    precision = Value(precision_num / precision_den) if precision_den else UNDEFINED
    both = recall + precision
    if both:
        return Score(recall, precision, Value(2 * recall * precision / both))
    return Score(recall, precision, Value(0.0) if recall_den or precision_den else UNDEFINED)


def finish_with_counts(tallies: Sequence[Tally]) -> CountedScore:
    """Return what `finish` does, with the counts."""
    ((recall_num, recall_den, precision_num, precision_den),) = tallies
    counts = precision_num, precision_den - precision_num, recall_num, recall_den - recall_num
    return CountedScore(*finish(tallies), *map(Value, counts))


class Column(NamedTuple):
    """One part of the scores of many documents."""

    values: Sequence[float]
    """In 0..1, 0 where undefined."""
    defined: bool
    """Whether any of them is defined."""


def finish_all(tallies: Sequence[Sequence[Tally]]) -> list[Column]:
    """Do what `finish` does for one document or more, part by part: a third of the time for many."""
    recall, gold, precision, system = zip(*chain.from_iterable(tallies), strict=True)
    recalls = [n / d if d else 0.0 for n, d in zip(recall, gold, strict=True)]
    precisions = [n / d if d else 0.0 for n, d in zip(precision, system, strict=True)]
    f1s = [2 * r * p / (r + p) if r or p else 0.0 for r, p in zip(recalls, precisions, strict=True)]
    return [
        Column(recalls, any(gold)),
        Column(precisions, any(system)),
        Column(f1s, any(gold) or any(system)),
    ]
