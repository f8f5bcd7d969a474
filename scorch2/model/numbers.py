"""Numbers in options: fractions, percentages, levels, counts."""

import math

from scorch2.model.errors import UsageError
from scorch2.model.messages import quoted

_PERCENT = 100
_LEAST_PERCENT = 2
"""The least number that is percent without saying so."""
MOST = 10_000_000
"""The largest count that an option takes, of trials for example."""


def finite(text: str) -> float | None:
    r"""Return the finite number that `text` is, else None.

    The spellings that only Python knows are refused: underscores, digits of other scripts, odd blanks.

    >>> finite(" -1.5e3"), finite("1_000"), finite("\u0663"), finite("1\u2028"), finite("nan"), finite("x")
    (-1500.0, None, None, None, None, None)
    """
    plain = text.isascii() and text.isprintable() and "_" not in text
    try:
        found = float(text) if plain else math.nan
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def fraction(text: str, what: str, *, is_small: bool = False) -> float:
    """Return a fraction in 0..1; a number from 2 on, or with a percent sign, is percent.

    Between 1 and 2 it is not clear which is meant: there it needs the percent sign. So does 1 where small
    fractions are usual, as for drops and levels of significance.

    >>> fraction("0.8", "bound"), fraction("80", "bound"), fraction("1%", "bound")
    (0.8, 0.8, 0.01)
    """
    from decimal import Decimal

    percent = text.endswith("%")
    digits = text.removesuffix("%").strip()
    try:
        number = Decimal(digits if digits.isascii() and "_" not in digits else "NaN")
    except ArithmeticError:
        number = Decimal("NaN")
    if number.is_nan() or not 0 <= number <= _PERCENT:
        raise UsageError(f"{what}: {quoted(text)} is neither a fraction in 0..1 nor percent up to 100")
    if not percent and (1 < number < _LEAST_PERCENT or (is_small and number == 1)):
        share = f"{(number * _PERCENT).normalize():f}"
        raise UsageError(f"{what}: {quoted(text)} could be {digits} % or {share} %: write {digits}%")
    return float(number / _PERCENT if percent or number > 1 else number)


def percent(text: str, option: str) -> float:
    """Return the level of an interval in percent, from 1 to below 100."""
    level = finite(text.removesuffix("%"))
    if level is None or not 1 <= level < _PERCENT:
        raise UsageError(f"{option} is percent from 1 to below 100, not {quoted(text)}")
    return level


def whole(text: str | None, option: str, default: int, *, least: int) -> int:
    """Return a whole number up to `MOST`."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= MOST):
        raise UsageError(f"{option} is a whole number from {least} to {MOST}, not {quoted(text)}")
    return int(text)
