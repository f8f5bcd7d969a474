"""Numbers as papers and logs print them: the scores that they stand for, and how many fit by chance."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scorch2.model.errors import UsageError, quoted
from scorch2.model.score import PARTS
from scorch2.scoring.metrics import METRICS

PERCENT, FRACTION = "percent", "fraction"
_EXAMPLE = "such as 79.6, or several: 'R=81.2 P=78.0'"
_PARTS = {
    **dict.fromkeys(("r", "rec", "recall"), "recall"),
    **dict.fromkeys(("p", "pre", "prec", "precision"), "precision"),
    **dict.fromkeys(("f", "f1", "f₁", "fscore", "f-score", "f1-score", "f-measure"), "f1"),
}
_METRICS = {alias: name for name, metric in METRICS.items() for alias in (name, *metric.aliases)}
_SEPARATORS = re.compile(r"[\s=:;|&/]|\\\\|,(?!\d)")
_NUMBER = re.compile(r"(\d{1,4}|(?=\.\d))(?:\.(\d+))?")
_HUNDRED = 100
_MOST_OF_PERCENT = 2  # decimals of percent; a number up to 1 with more of them is a fraction
_CUT = 2  # decimals after which scorer.pl cuts percent off
_NOISE = 1e-12  # by which scores may differ for another order of sums


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


def _typed(text: str) -> Iterator[_Typed]:
    """Yield the numbers with the metric and the part that are named before them."""
    metric = part = ""
    is_waiting = False  # whether a name waits for its number
    words = [word for word in _SEPARATORS.split(text.replace("\\%", "%")) if word]
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word == "%":
            continue
        if not _is_name(word):
            yield _Typed(metric, part, _checked(word), word.endswith("%") or after == "%")
            part, is_waiting = "", False
            continue
        name, _, of = word.casefold().rstrip(".").partition(".")
        metric, part = _named(metric, name, word)
        part = _PARTS.get(of, part) if of else part
        is_waiting = True
    if is_waiting:
        raise UsageError(f"no number behind {quoted(words[-1])}: give one as it is printed, {_EXAMPLE}")


def _is_name(word: str) -> bool:
    return word[:1].isalpha() and word.casefold() not in ("nan", "inf", "infinity")


def _named(metric: str, name: str, word: str) -> tuple[str, str]:
    """Return the metric and the part that hold for the next number."""
    if name in _PARTS:
        return metric, _PARTS[name]
    name = name.replace("_", "").replace("-", "").replace("φ", "_phi") if "φ" in name else name
    if name not in _METRICS:
        from scorch2.scoring.metrics.chosen import metrics_named

        metrics_named([word])  # names the nearest
    return _METRICS[name], ""


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


_NEAR = 0.025  # a score is near a printed number if it is no farther: 2.5 points
_NEAR_UNITS = 5  # or so many units of the last digit


def expected_by_chance(cells: Sequence[Cell], others: Iterable[Sequence[float]]) -> float:
    """Return how many scores are expected to be printed as given, by the number of those near that are not.

    `others` are all rows of scores that are not printed as given, each with a score for each cell. Near is
    a window around each cell, of 5 points or 10 units of its last digit, whichever is wider, inside 0..1.
    The scores in the window are taken for evenly spread, so the cell is expected to hold so many as its share
    of the window: n · c / (w - c), where c and w are the products of the widths of cells and windows, and n
    is the number of rows in the window outside of the cell. What fits is left out of n: else each number
    would make itself likely.
    """
    windows = [(cell.value - near, cell.value + near) for cell in cells for near in [_near(cell)]]
    windows = [(max(0.0, low), min(1.0, high)) for low, high in windows]
    near = sum(
        all(low <= score <= high for score, (low, high) in zip(row, windows, strict=True)) for row in others
    )
    share = math.prod(
        min(1.0, cell.value + cell.unit / 2) - max(0.0, cell.value - cell.unit / 2) for cell in cells
    )
    around = math.prod(high - low for low, high in windows) - share
    return near * share / around if around > 0 else 0.0


def _near(cell: Cell) -> float:
    return max(_NEAR, _NEAR_UNITS * cell.unit)


def shown_scales(printed: Sequence[Printed]) -> str:
    """Return in words what the numbers were taken for.

    >>> shown_scales(read_printed("0.8")), shown_scales(read_printed("79.6"))
    ('a fraction of 1 or percent: both were tried', 'percent')
    """
    if len(printed) > 1:
        return "a fraction of 1 or percent: both were tried"
    return "percent" if printed[0].scale == PERCENT else "a fraction of 1"
