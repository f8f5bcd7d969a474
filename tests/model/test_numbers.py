"""Numbers as people type them: what is taken, and what is refused in words."""

import pytest
from every import every

from scorch2.model.errors import UsageError
from scorch2.model.values import MOST, finite_number, interval_level, whole_value


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0.0), ("-1.5e3", -1500.0), (" 2 ", 2.0), ("1e308", 1e308), (".5", 0.5)]
)
def test_finite_numbers(text: str, number: float) -> None:
    assert finite_number(text) == number


@every("text", ["", "x", "nan", "inf", "-inf", "1e309", "1_0", "0x10", "1,5", "٣", "1\u2028", "1\x85"])
def test_what_is_no_finite_number(text: str) -> None:
    assert finite_number(text) is None


@pytest.mark.parametrize(("text", "level"), [("1", 1.0), ("95", 95.0), ("95%", 95.0), ("99.9", 99.9)])
def test_levels_of_intervals(text: str, level: float) -> None:
    assert interval_level(text, "--confidence") == level


@pytest.mark.parametrize("text", ["0.95", "100", "-5", "nan", "", "95%%"])
def test_levels_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--confidence is percent from 1 to below 100, not "):
        interval_level(text, "--confidence")


@pytest.mark.parametrize(("text", "number"), [(None, 7), ("1", 1), ("007", 7), (str(MOST), MOST)])
def test_whole_numbers(text: str | None, number: int) -> None:
    assert whole_value(text, "--trials", 7, least=1) == number


@pytest.mark.parametrize(
    "text", ["0", "-1", "1.0", "1e3", "", " 1", "²", "\u0661", str(MOST + 1), "9" * 5000]
)
def test_whole_numbers_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=rf"^--trials is a whole number from 1 to {MOST}, not "):
        whole_value(text, "--trials", 7, least=1)
