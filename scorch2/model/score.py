"""Tally, ratios that can be added over documents; Score, what they come to; and the table of averages."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

if TYPE_CHECKING:
    from typing_extensions import Self

    from scorch2.model.besides import Copying, Kept, WindowCounts
else:  # most runs have none of them
    Copying = Kept = WindowCounts = object


class Tally(NamedTuple):
    """Recall and precision before the division."""

    # Adding tallies field by field pools documents. Counts are exact integers where the theory counts.

    recall_num: float
    recall_den: float
    precision_num: float
    precision_den: float

    @property
    def is_whole(self) -> bool:
        """True if all of gold is found, and all that is found is right."""
        return self.recall_num == self.recall_den and self.precision_num == self.precision_den


Tallies: TypeAlias = tuple[tuple[Tally, ...], ...]  # the parts of each metric, in the order of the metrics


def pooled(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of `tallies`; it does not depend on their order.

    >>> pooled([Tally(1, 2, 1, 1), Tally(0.5, 3, 0.5, 1)])
    Tally(recall_num=1.5, recall_den=5, precision_num=1.5, precision_den=2)
    """
    columns = list(zip(*tallies, strict=True)) or [(0,)] * 4
    return Tally(*(sum(c) if all(type(n) is int for n in c) else math.fsum(c) for c in columns))


def exact_sum(numerators: dict[int, int]) -> float:
    """Return Σ numerator/denominator, rounded once; the numerators are added up for each denominator.

    Integers until the last division make it the same to the last bit for every order of the terms, and for
    every optimal alignment of CEAF.

    >>> exact_sum({3: 5, 1: 1})
    2.6666666666666665
    """
    common = math.lcm(*numerators)
    total = 0
    for denominator, numerator in numerators.items():
        total += numerator * (common // denominator)
    return total / common


NO_ORDER = "?"
"""The fingerprint of a document that was numbered by its own counts, as `CorefScorer` did before 1.2.0."""


class Measured(NamedTuple):
    """The counts of one document: all that averages and reports need."""

    id: str
    gold_mentions: int  # number of gold mentions after matching: the weight of the document for recall
    system_mentions: int  # number of system mentions after matching: its weight for precision
    tallies: tuple[tuple[Tally, ...], ...]  # the parts of each counted metric, in the order of the metrics
    file: str = ""  # the name of its pair of files, if documents are averaged by file
    gold: str = ""
    """A fingerprint of the gold clusters of a document that has a number instead of a name: numbers of two
    reports mean the same document only if these are equal. `NO_ORDER` equals nothing."""
    copying: Copying | None = None  # what became of its text, if that was compared
    kept: Kept | None = None  # if mentions were chosen by their category
    windows: tuple[WindowCounts, ...] = ()  # its windows, if these are resampled

    @property
    def fewer(self) -> int:
        """The number of mentions on the side that has fewer."""
        return min(self.gold_mentions, self.system_mentions)


def added_by_file(documents: Iterable[Measured]) -> list[Measured]:
    """Return the documents of each pair of files as one, with their counts added, in the order of the files.

    >>> [one.id for one in added_by_file([Measured("a/1", 2, 2, (), "a"), Measured("a/2", 1, 1, (), "a")])]
    ['a']
    """
    files: dict[str, list[Measured]] = {}
    for document in documents:
        files.setdefault(document.file or document.id, []).append(document)
    return [
        Measured(
            name,
            sum(document.gold_mentions for document in members),
            sum(document.system_mentions for document in members),
            tuple(
                tuple(map(pooled, zip(*parts, strict=True)))
                for parts in zip(*(document.tallies for document in members), strict=True)
            ),
            name,
        )
        for name, members in files.items()
    ]


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
UNDEFINED_SHOWN = "(0/0)"  # a score that is 0/0 in tables, and what would be computed from it


def plain_value(value: Value) -> float | None:
    """Return a score as JSON has it: None for 0/0."""
    return float(value) if value.defined else None


def percent(share: float, undefined: str | None = None, digits: int = 2) -> str:
    """Return a share of 1 in percent; a `Value` of 0/0 as `undefined`, if that is given."""
    if undefined is not None and isinstance(share, Undefined):
        return undefined
    return f"{100 * share:.{digits}f}"


def points(change: float) -> str:
    """Return a change in percentage points, with its sign.

    >>> points(0.015), points(-0.00001)
    ('+1.50', '+0.00')
    """
    return f"{round(100 * change, 2) + 0.0:+.2f}"  # no minus before a zero


def _part(place: int, name: str) -> property:
    return property(lambda score: score[place], doc=f"{name} of the score, in 0..1.")


class ScoreParts(float):
    """A score: the number that is its main part, F1 if it has one. Its parts have names, and unpack."""

    __slots__ = ("_parts",)
    _fields: ClassVar[tuple[str, ...]]  # as of a named tuple: the annotations of the class
    _main: ClassVar[int]
    _parts: tuple[Value, ...]

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = cls._fields = (*getattr(cls, "_fields", ()), *cls.__annotations__)  # type: ignore[attr-defined,misc]  # mypy
        cls._main = cls._fields.index("f1") if "f1" in cls._fields else 0
        for place, name in enumerate(cls._fields):
            setattr(cls, name, _part(place, name))

    def __new__(cls, *parts: float, **named: float) -> "Self":
        """Return the score of all its parts in their order, or by name."""
        if named or len(parts) != len(cls._fields) or not isinstance(parts[-1], Value):
            if len(parts) == 1 != len(cls._fields):  # means of the standard library have the type of scores
                return cast("Self", float(parts[0]))
            parts = (*parts, *[named.pop(name) for name in cls._fields[len(parts) :] if name in named])
            if named or len(parts) != len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}")
            parts = tuple(map(_value, parts))
        made = super().__new__(cls, parts[cls._main])
        made._parts = cast("tuple[Value, ...]", parts)
        return made

    @property
    def defined(self) -> bool:
        """False if the main part is 0/0, which counts 0.0."""
        return self.main.defined

    @property
    def main(self) -> Value:
        """F1, or the only part of a score that has none: what the score is as a number."""
        return self._parts[self._main]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, place: Any) -> Any:
        return self._parts[place]

    def _asdict(self) -> dict[str, Value]:
        return dict(zip(self._fields, self._parts, strict=True))

    def __eq__(self, other: object) -> bool:
        """Compare all parts of two scores, and which are 0/0; the main part of a score and a number."""
        if not isinstance(other, ScoreParts):
            return super().__eq__(other)
        defined = [[part.defined for part in score] for score in (self, other)]
        return self._asdict() == other._asdict() and defined[0] == defined[1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__  # that of the number, which a score may be equal to

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map('{}={}'.format, self._fields, self))})"

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else str(self)

    def __reduce__(self) -> tuple[type, tuple[Value, ...]]:
        return type(self), self._parts


class Score(ScoreParts):
    """Recall, precision and F1 of one metric, each in 0..1. As a number it is F1: ``f"{report.muc:.2f}"``."""

    __slots__ = ()
    recall: Value
    precision: Value
    f1: Value


class MeanScore(ScoreParts):
    """The score of a metric that has only an F1, in 0..1; ``recall`` and ``precision`` are None."""

    __slots__ = ()
    f1: Value
    recall = precision = cast("Value", None)  # typed as in the usual score


class Rate(ScoreParts):
    """The score of a metric that is one ratio over gold, in 0..1; ``precision`` and ``f1`` are None."""

    __slots__ = ()
    recall: Value
    precision = f1 = cast("Value", None)


AnyScore: TypeAlias = Score | MeanScore | Rate
"""A score of any kind: it has the parts that its metric defines, named as in `Score`."""
PARTS = Score._fields


def main_part(score: AnyScore) -> Value:
    """Return F1, or the only part of a score that has none."""
    return score.main


def finish(tallies: Sequence[Tally]) -> Score:
    """Return the score of a metric of one part: both ratios and their harmonic mean."""
    return Score(*ratios_of(tallies))


def ratios_of(tallies: Sequence[Tally]) -> tuple[float, float, float]:
    """Return recall, precision and F1 of a metric of one part."""
    return ratios(*tallies)


def recall_of(tallies: Sequence[Tally]) -> tuple[float]:
    """Return the score of a metric of one part that has only a recall."""
    return ratios(*tallies)[:1]


def mean_of_two(one: Tally, other: Tally) -> Sequence[float]:
    """Return the plain means of both ratios and F1 of two tallies."""
    # What is undefined counts 0 in a mean; a mean is undefined if both are
    both = zip(ratios(one), ratios(other), strict=True)
    return [UNDEFINED if r is s is UNDEFINED else (r + s) / 2 for r, s in both]


def ratios(tally: Sequence[float]) -> tuple[float, float, float]:
    """Return recall, precision and F1 of a tally as plain numbers; what is 0/0 is `UNDEFINED`."""
    # F1 is undefined only if both are. To make a `Value` takes longer than to divide.
    recalled, gold, precise, system = tally
    recall = recalled / gold if gold else UNDEFINED
    precision = precise / system if system else UNDEFINED
    if recall or precision:
        return recall, precision, 2 * recall * precision / (recall + precision)
    return recall, precision, UNDEFINED if recall is precision is UNDEFINED else 0.0


def _value(number: float) -> Value:
    return number if isinstance(number, Value) else Value(number)


Weights: TypeAlias = tuple[int, int, int]
"""The weights of one document in the means of recall, precision and F1."""


def mention_weights(document: Measured | WindowCounts) -> Weights:
    """Weigh R, P and F by the number of gold, system, and gold + system mentions (scorch's average)."""
    gold, system = document.gold_mentions, document.system_mentions
    return gold, system, gold + system


def equal_weights(_: Measured | WindowCounts) -> Weights:
    """Weigh every document alike."""
    return 1, 1, 1


class Average(NamedTuple):
    """A way to compute the score of a corpus from its documents."""

    what: str  # its description in captions
    weigh: Callable[[Measured | WindowCounts], Weights] | None
    """Returns the weights of a document, or of a window of one; None means: add counts up and divide once."""
    by_file: bool = False
    """Whether the counts of the documents of a file are added first, so that files are weighed."""

    @property
    def weighs_empty(self) -> bool:
        """True if a document without mentions has weight, so that it changes the score of a corpus."""
        return self.weigh is not None and any(self.weigh(Measured("", 0, 0, ())))


AverageName = Literal["mentions", "pooled", "macro", "files", "micro"]
"""The names of the rows below, for type checkers: the values of the option ``average``, the default first.
Other spellings of a value come last: see ``aliases`` in `scorch2.model.options`."""
AVERAGES: Mapping[str, Average] = {
    "mentions": Average("mean over documents, weighted by their mentions", mention_weights),
    "pooled": Average("counts added over documents, then divided", None),
    "macro": Average("plain mean over documents", equal_weights),
    "files": Average(
        "counts added in each pair of files, then the plain mean over files", equal_weights, by_file=True
    ),
}
"""The averages by name."""


GATES = {
    "fail-under": "a score of the corpus",
    "fail-under-doc": "the score of every document",
    "max-drop": "how far a score may drop below that of the baseline",
    "max-drop-rel": "the same, as a share of the baseline's score",
}
"""The gates, by their option."""
DROPS = ("max-drop", "max-drop-rel")  # the gates that need a baseline
TRIALS = 10_000  # default number of bootstrap samples, and of trials of the permutation test behind a gate


class Sampling(NamedTuple):
    """Random samples: of intervals, whose level is in percent, or of tests, which need none."""

    level: float | None = None
    trials: int = TRIALS
    seed: int = 0


USUAL = Sampling()
"""What tests draw if nothing is typed; there are no intervals."""
