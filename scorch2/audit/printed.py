"""Numbers as papers and logs print them, the settings that may have made them, and chance.

A number stands for scores. A setting is typed as a profile and as few options as possible.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.model.errors import UsageError, quoted
from scorch2.model.options import OPTIONS, Choices, Frozen, Options, options_from
from scorch2.model.score import PARTS
from scorch2.model.values import PROFILES, check_exclusions, metrics_of
from scorch2.scoring.metrics import DEFAULT, METRICS

OF_MEANS = "f1_of_means"  # F1 of the recall and the precision that are means over documents, or over metrics
PERCENT, FRACTION = "percent", "fraction"
_EXAMPLE = "such as 79.6, or several: 'R=81.2 P=78.0'"
_PHI = {"ceaf_m": 3, "ceaf_e": 4}  # the similarities of Luo (2005), by which papers call them
_PARTS = {
    **dict.fromkeys(("r", "rec", "recall"), "recall"),
    **dict.fromkeys(("p", "pre", "prec", "precision"), "precision"),
    **dict.fromkeys(("f", "f1", "f₁", "fscore", "f-score", "f1-score", "f-measure"), "f1"),
}
_PLAIN = str.maketrans({"_": "", "-": "", "^": "", "φ": "phi"})
_METRICS = {
    alias.casefold().translate(_PLAIN): name
    for name, metric in METRICS.items()
    for alias in (name, *metric.aliases, f"{name}-phi{_PHI[name]}" if name in _PHI else name)
}
_MARKUP = re.compile(
    r"[_^]?(?:\{?\s*\\(?:small|scriptsize|footnotesize|tiny)\b)?"
    r"[\s{$]*(?:±|\\pm(?![a-z])|\+/-|\+-)[\s$]*\d*\.?\d+|\(\s*[-+−±]\s*\d*\.?\d+\s*\)"  # its margin, or gain
    r"|\\(?:textbf|textit|underline|mathbf|emph|bf)\b|\*\*|[{}$]|\(0/0\)"  # how the best number is set
)
_SEPARATORS = re.compile(r"[\s=:;|&/]|\\\\|,(?!\d)")
_NUMBER = re.compile(r"(\d{1,4}|(?=\.\d))(?:\.(\d+))?")
_HUNDRED = 100
_MOST_OF_PERCENT = 2  # decimals of percent; a number up to 1 with more of them is a fraction
_CUT = 2  # decimals after which scorer.pl cuts percent off
_NOISE = 1e-12  # by which scores may differ for another order of sums


class Reading(NamedTuple):
    """A number of a row of scores."""

    metric: str
    part: str
    """``recall``, ``precision``, ``f1`` or ``f1_of_means``; of a kind of links of BLANC: ``links.recall``."""

    @property
    def role(self) -> str:
        """The part of a score that it is printed as."""
        part = self.part.rpartition(".")[2]
        return "f1" if part == OF_MEANS else part

    @property
    def family(self) -> str:
        """The kind of links, if it is of one."""
        return self.part.rpartition(".")[0]


class Cell(NamedTuple):
    """The scores in 0..1 that a printed number stands for, and the part of a score that it is."""

    text: str  # as it was printed
    value: float
    unit: float  # what its last digit counts; 0 if it is exact
    part: str = ""  # ``recall``, ``precision`` or ``f1``; empty if that is not said
    decimals: int = 0

    def holds(self, value: float) -> bool:
        """Return whether a score is printed so: rounded, with halves up or down."""
        return abs(value - self.value) <= self.unit / 2 + _NOISE

    def holds_cut(self, value: float) -> bool:
        """Return whether a score is printed so by a scorer that cuts digits off."""
        return -_NOISE <= value - self.value <= self.unit + _NOISE


class MetricNumbers(NamedTuple):
    """The printed numbers of one metric."""

    metric: str  # a name in `METRICS`; empty if that is not said
    cells: tuple[Cell, ...]


class Printed(NamedTuple):
    """Printed numbers, all percent or all fractions of 1."""

    scale: str
    of_metrics: tuple[MetricNumbers, ...]  # those of a metric that is not named come first

    @property
    def cells(self) -> list[Cell]:
        """The numbers as they were given, those of one metric together."""
        return [cell for one in self.of_metrics for cell in one.cells]

    @property
    def may_be_cut(self) -> bool:
        """True if all are printed with the decimals of scorer.pl, which cuts percent off."""
        return self.scale == PERCENT and all(cell.decimals == _CUT for cell in self.cells)


class _Typed(NamedTuple):
    metric: str
    part: str
    text: str
    is_percent: bool


def read_printed(text: str) -> list[Printed]:
    """Return what printed numbers mean; twice if they may be fractions or percent, fractions first.

    A UsageError tells of what is no number, or of numbers that cannot all be right.

    >>> [(one.scale, one.of_metrics) for one in read_printed("MUC R=81.2%")]  # doctest: +ELLIPSIS
    [('percent', (MetricNumbers(metric='muc', cells=(Cell(text='81.2', value=0.812, unit=0.001, ...
    """
    typed = list(_typed(text))
    if not typed:
        raise UsageError(f"no number in {quoted(text)}: give one as it is printed, {_EXAMPLE}")
    return [_in_scale(scale, typed) for scale in _scales(typed)]


def rows_of(text: str) -> list[str]:
    """Return the rows of scores in a file: all lines, but for the last ones of a report of scorch2."""
    is_other = re.compile(r"\s*$|Most papers pool |scorch2:? ").match
    return [" ".join(row.split()) for row in text.splitlines() if not is_other(row)]


def _typed(text: str) -> Iterator[_Typed]:
    """Yield the numbers with the metric and the part that are named before them."""
    metric = part = ""
    is_waiting = False  # whether a name waits for its number
    words = [word for word in _SEPARATORS.split(_MARKUP.sub(" ", text.replace("\\%", "%"))) if word]
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word == "%" or word.casefold() == "score":  # CoNLL-2012 average score, F1 score
            continue
        if not _is_name(word):
            yield _Typed(metric, part, _checked(word), word.endswith("%") or after == "%")
            part, is_waiting = "", False
            continue
        metric, part = _named(metric, word.casefold().rstrip("."), word)
        is_waiting = True
    if is_waiting:
        raise UsageError(f"no number behind {quoted(words[-1])}: give one as it is printed, {_EXAMPLE}")


def _is_name(word: str) -> bool:
    return word[:1].isalpha() and word.casefold() not in ("nan", "inf", "infinity")


def _named(metric: str, name: str, word: str) -> tuple[str, str]:
    """Return the metric and the part that hold for the next number: ``muc.f``, ``MUC-F1`` have both."""
    if name in _PARTS:
        return metric, _PARTS[name]
    whole, (of, _, part) = name.translate(_PLAIN), re.sub(r"[-_.](?=[^-_.]+$)", " ", name).partition(" ")
    if whole not in _METRICS and part in _PARTS:
        whole, part = of.translate(_PLAIN), _PARTS[part]
    else:
        part = ""
    if whole not in _METRICS:
        from scorch2.scoring.metrics.chosen import metrics_named

        metrics_named([word])  # names the nearest
    return _METRICS[whole], part


def _checked(word: str) -> str:
    """Return the digits of a number as it is printed."""
    digits = word.removesuffix("%")
    if re.fullmatch(r"\d+,\d+", digits):
        raise UsageError(f"{quoted(word)}: write a decimal point, {digits.replace(',', '.')}")
    if not (digits.isascii() and _NUMBER.fullmatch(digits)):
        if re.fullmatch(r"[-−]\d*\.?\d+", digits):
            raise UsageError(f"{quoted(word)}: no score is below 0")
        raise UsageError(f"{quoted(word)} is no number as it is printed, {_EXAMPLE}")
    if float(digits) > _HUNDRED:
        raise UsageError(f"{quoted(word)}: no score is above 100 %")
    return digits


def _scales(typed: Sequence[_Typed]) -> list[str]:
    """Return the scales that all numbers may be in."""
    percent = [one.text for one in typed if one.is_percent or float(one.text) > 1]
    fractions = [
        one.text for one in typed if one.text not in percent and _decimals(one.text) > _MOST_OF_PERCENT
    ]
    if percent and fractions:
        why = f"{fractions[0]} is a fraction of 1 and {percent[0]} percent"
        raise UsageError(f"{why}: write all numbers alike")
    return [PERCENT] if percent else [FRACTION] if fractions else [FRACTION, PERCENT]


def _in_scale(scale: str, typed: Sequence[_Typed]) -> Printed:
    by_metric: dict[str, list[Cell]] = {}
    for one in typed:
        own = by_metric.setdefault(one.metric, [])
        for other in own:
            if one.part and other.part == one.part:
                said = f"{other.text} and {one.text} are both the {one.part} of {one.metric or 'one metric'}"
                raise UsageError(f"{said}: name the metrics, such as 'MUC F1=75.2 B3 F1=63.1'")
        own.append(_cell(one, scale))
        if len(own) > len(PARTS):
            what = one.metric or "a metric that is not named"
            why = f"{len(own)} numbers of {what}, which has {len(PARTS)}: recall, precision and F1"
            raise UsageError(f"{why} (name the metric of each: 'MUC 75.2 B3 63.1')")
    return Printed(scale, tuple(MetricNumbers(name, tuple(cells)) for name, cells in by_metric.items()))


def _cell(one: _Typed, scale: str) -> Cell:
    decimals, whole = _decimals(one.text), _HUNDRED if scale == PERCENT else 1
    # A fraction without decimals is exact: nobody rounds to 0 or 1
    unit = 0.0 if scale == FRACTION and not decimals else 10.0**-decimals / whole
    return Cell(one.text, float(one.text) / whole, unit, one.part, decimals)


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def shown_scales(printed: Sequence[Printed]) -> str:
    """Return in words what the numbers were taken for.

    >>> shown_scales(read_printed("0.8")), shown_scales(read_printed("79.6"))
    ('a fraction of 1 or percent: both were tried', 'percent')
    """
    if len(printed) > 1:
        return "a fraction of 1 or percent: both were tried"
    return "percent" if printed[0].scale == PERCENT else "a fraction of 1"


MATCHING = (
    *("match", "zeros", "lookup", "pieces", "phrases", "nested", "split_antecedents", "duplicates"),
    *("singletons", "twinless"),
)
"""The options of matching that are tried."""
AVERAGING = ("average", "missing", "extra", "blanc", "undefined")
"""Those that are tried on counts: no mention is matched again for them."""
NAMES = (*MATCHING, *AVERAGING)
OF_PEERS = ("pieces", "phrases", "nested", "split_antecedents")
"""Options of scorers that look mentions up, coval and Universal Anaphora: they are tried with that alone."""
Setting: TypeAlias = tuple[str, ...]  # the value of each option of `NAMES`
Refused: TypeAlias = Mapping[tuple[str, str], str]  # values of options that the data do not allow, and why


class Request(NamedTuple):
    """The settings that are tried: all values of options but those that are held at what was typed."""

    options: Options  # with the values that are held, and defaults
    profile: str | None  # the profile that was typed
    typed: Mapping[str, str]  # the options that were typed, besides
    metrics: tuple[str, ...]  # names of metrics, and of means
    are_typed: bool  # whether metrics were typed; else one is left out where it has nothing to look at

    @property
    def held(self) -> frozenset[str]:
        """The options that keep their value."""
        row = PROFILES.get(self.profile or "")
        return frozenset([*self.typed, *({} if row is None else row.settings)]) & OPTIONS.keys()

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of an option that are tried."""
        value = cast("Mapping[str, str]", self.options.choices)[name]
        return (value,) if name in self.held else OPTIONS[name].values

    def with_values(self, values: Mapping[str, str]) -> Options | None:
        """Return the options with other values; None if these exclude each other."""
        choices = {**self.options.choices, **values}
        try:
            check_exclusions(choices)
        except UsageError:
            return None
        return self.options._replace(choices=cast("Choices", Frozen(choices)))

    def is_tried(self, values: Mapping[str, str]) -> bool:
        """Return whether values of options go together."""
        of_peers = [
            name for name in OF_PEERS if values[name] != OPTIONS[name].default and name not in self.held
        ]
        return not (of_peers and values["lookup"] != "reference") and self.with_values(values) is not None


def request_of(
    given: Mapping[str, Any], profile: str | None, metrics: tuple[str, ...], options: Options
) -> Request:
    """Return a request from the options that were `given` by name, and those made of all that was."""
    typed = {name: value for name, value in given.items() if name in OPTIONS and value is not None}
    of_profiles = {name for row in PROFILES for name in metrics_of(row, DEFAULT)}
    usual = tuple([name for name in METRICS if name in of_profiles])
    return Request(options, profile, typed, metrics or usual, bool(metrics))


class Spelling(NamedTuple):
    """A profile, if any, and options, which together make a setting."""

    profile: str | None
    options: Mapping[str, str]  # those that were typed, too; in the order of the signature
    metrics: tuple[str, ...] = ()  # those that have to be named so that they are shown

    def words(self) -> list[str]:
        """Return the words of the command line."""
        profile = [] if self.profile is None else [f"--profile={self.profile}"]
        metrics = [f"--metric={','.join(self.metrics)}"] if self.metrics else []
        return [
            *profile,
            *metrics,
            *(f"{OPTIONS[name].flag}={value}" for name, value in self.options.items()),
        ]


class Spellings:
    """The ways to type the settings of a run.

    Options that are not `free` change nothing in its data, unless they have a value that is `refused`.
    """

    def __init__(self, request: Request, free: Collection[str], refused: Collection[tuple[str, str]]) -> None:
        self._request = request
        self._free = free
        self._refused = refused
        typed = (request.profile,) if request.profile else (*PROFILES, None)
        bases = {profile: self.options(Spelling(profile, {})) for profile in typed}
        self._bases = {
            profile: base.choices for profile, base in bases.items() if base and self._is_usable(base)
        }

    def _is_usable(self, base: Options) -> bool:
        others = [name for name in OPTIONS if name not in NAMES]
        here, there = (cast("Mapping[str, Any]", one.choices) for one in (base, self._request.options))
        return all(here[name] == there[name] for name in others)

    def options(self, spelling: Spelling) -> Options | None:
        """Return the options of a run with what is typed; None if they exclude each other."""
        metrics = spelling.metrics or None
        given = {**self._request.options.inputs, **self._request.typed, **spelling.options}
        try:
            return options_from(spelling.profile, metrics=metrics, **cast("dict[str, Any]", given))
        except UsageError:
            return None

    def simplest(self, settings: Iterable[Setting], metrics: Collection[str]) -> tuple[Setting, Spelling]:
        """Return the setting that is typed nearest to a profile, then shortest; it shows `metrics`."""
        every = [(setting, spelling) for setting in settings for spelling in self._of(setting, metrics)]
        every.sort(key=lambda one: self._cost(one[1]))
        return next(one for one in every if self.options(one[1]) is not None)

    def distance(self, spelling: Spelling) -> int:
        """Return how many options are typed besides a profile and those that are held."""
        return sum(name not in self._request.typed for name in spelling.options)

    def _cost(self, spelling: Spelling) -> tuple[int, ...]:
        profile = [*self._bases].index(spelling.profile)
        return self.distance(spelling), len(spelling.words()), profile

    def profiles(self, setting: Setting) -> Iterator[tuple[str, Setting]]:
        """Yield the profiles, each with its values of free options; the others are those of a setting."""
        for profile, choices in self._bases.items():
            values = [cast("Mapping[str, str]", choices)[name] for name in NAMES]
            pairs = list(zip(NAMES, values, setting, strict=True))
            if profile is not None and all(
                name in self._free or self.is_same(name, *both) for name, *both in pairs
            ):
                yield profile, tuple([mine if name in self._free else other for name, mine, other in pairs])

    def is_same(self, name: str, value: str, wanted: str) -> bool:
        """Return whether two values of an option give the same numbers in these data."""
        return value == wanted or not (
            name in self._free or name in self._request.held or (name, value) in self._refused
        )

    def _of(self, setting: Setting, metrics: Collection[str]) -> Iterator[Spelling]:
        """Yield a spelling from each profile; some of their options may exclude each other."""
        wanted = dict(zip(NAMES, setting, strict=True))
        for profile, choices in self._bases.items():
            values = cast("Mapping[str, str]", choices)
            own = self._request.typed
            typed = {
                name: own[name] if name in own else wanted[name]
                for name in OPTIONS
                if name in own or (name in wanted and not self.is_same(name, values[name], wanted[name]))
            }
            is_shown = {*metrics} <= {*metrics_of(profile, DEFAULT)}
            yield Spelling(profile, typed, () if is_shown else tuple(metrics))


_NEAR = 0.025  # a score is near a printed number if it is no farther: 2.5 points
_NEAR_UNITS = 2.5  # or so many units of the last digit
_ROUNDED, _CUT_OFF, _BOTH = (-0.5, 0.5), (0.0, 1.0), (0.0, 0.5)
"""The places of the scores of a printed number, in units of its last digit from it."""
_GRID = 12  # places along a side of a cell of recall and precision


class Other(NamedTuple):
    """Scores that are not printed as given: one for each cell."""

    readings: Sequence[Reading]
    values: Sequence[float]
    may_be_cut: bool  # whether a scorer that cuts digits off could have made them


def expected_by_chance(cells: Sequence[Cell], others: Iterable[Other]) -> float:
    """Return how many scores are expected to be printed as given, by how many near them are not."""
    # Near is a window around each cell, of 5 points or 5 units of its last digit, whichever is wider, inside
    # 0..1. The scores in it are taken for evenly spread, so each stands for c / (w - c) that the cell holds,
    # where c and w are the products of the widths of cells and windows. What fits is left out: else each
    # number would make itself likely. F1 beside its recall and precision follows from these, and has no
    # window.
    windows = [_window(cell) for cell in cells]
    return sum(_chance(cells, windows, one) for one in others)


def _window(cell: Cell) -> tuple[float, float]:
    near = max(_NEAR, _NEAR_UNITS * cell.unit)
    return max(0.0, cell.value - near), min(1.0, cell.value + near)


def _chance(cells: Sequence[Cell], windows: Sequence[tuple[float, float]], other: Other) -> float:
    derived = _derived(tuple(other.readings))
    around = 1.0
    for place, (value, (low, high)) in enumerate(zip(other.values, windows, strict=True)):
        if place not in derived:
            if not low <= value <= high:
                return 0.0
            around *= high - low
    share = _share(cells, derived, other, _ROUNDED)
    if other.may_be_cut:
        share += _share(cells, derived, other, _CUT_OFF) - _share(cells, derived, other, _BOTH)
    return share / (around - share) if around > share else 0.0


def _share(
    cells: Sequence[Cell], derived: Mapping[int, tuple[int, int]], other: Other, ends: tuple[float, float]
) -> float:
    """Return the product of the widths of cells, with F1 as often as it is printed as given there."""
    share = 1.0
    for place, cell in enumerate(cells):
        low, high = (cell.value + end * cell.unit for end in ends)
        if place not in derived:
            share *= max(0.0, min(1.0, high) - max(0.0, low))
            continue
        recall, precision = derived[place]
        off = other.values[place] - _harmonic(other.values[recall], other.values[precision])
        means = _means(cells[recall], cells[precision], ends)
        share *= (bisect_right(means, high - off) - bisect_left(means, low - off)) / len(means)
    return share


@lru_cache(64)
def _means(recall: Cell, precision: Cell, ends: tuple[float, float]) -> Sequence[float]:
    """Return harmonic means of recalls and precisions that are printed as given, in their order."""
    steps = [ends[0] + (ends[1] - ends[0]) * (number + 0.5) / _GRID for number in range(_GRID)]
    rows = [recall.value + step * recall.unit for step in steps]
    columns = [precision.value + step * precision.unit for step in steps]
    return sorted(_harmonic(row, column) for row in rows for column in columns)


@cache
def _derived(readings: tuple[Reading, ...]) -> Mapping[int, tuple[int, int]]:
    """Return the places of F1 beside recall and precision, and the places of these."""
    places = {(one.metric, one.family, one.role): place for place, one in enumerate(readings)}
    return {
        place: (places[metric, family, "recall"], places[metric, family, "precision"])
        for (metric, family, role), place in places.items()
        if role == "f1" and {(metric, family, part) for part in ("recall", "precision")} <= places.keys()
    }


def _harmonic(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0
