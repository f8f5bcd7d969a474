"""Options: a row says all, also of a text; numbers as people type them are taken, or refused in words."""

import pytest
from every import every

from scorch2.model.errors import UsageError
from scorch2.model.options import INPUTS, OPTIONS, Option, OptionRow, options_from
from scorch2.model.values import MOST, finite_number, interval_level, whole_value


def test_an_option_that_is_a_text_takes_texts() -> None:
    title = Option("title", (), OptionRow("text", "what is scored", before=""))
    assert title.default == ""
    assert [title.checked(value) for value in ("", "(")] == ["", "("]
    with pytest.raises(UsageError, match="title is a text, not"):
        title.checked(5)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("(", "--genre is no regular expression: missing"), ("a", "--genre needs 1 group, not")],
)
def test_an_option_that_is_a_pattern_is_checked(pattern: str, why: str) -> None:
    genre = Option("genre", (), OptionRow("regex", "what is scored", before="", groups=1))
    assert [genre.checked(value) for value in ("", "(a)b")] == ["", "(a)b"]
    with pytest.raises(UsageError, match=why):
        genre.checked(pattern)


def test_an_alias_is_the_value_that_it_means() -> None:
    assert options_from(average="micro").average == "pooled"


def test_options_about_files_are_attributes_whether_given_or_not() -> None:
    chosen = options_from(gold_format="conll")
    assert {name: getattr(chosen, name) for name in INPUTS} == {
        **dict.fromkeys(INPUTS),
        "gold_format": "conll",
    }


def test_a_side_has_the_same_options_as_the_other() -> None:
    for name, row in INPUTS.items():
        twin = INPUTS[name.replace("gold_", "sys_")]
        assert row == twin._replace(what=row.what)


def test_an_unknown_option_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no option called 'nothing'"):
        options_from().nothing  # noqa: B018 - its look-up is what is tested


def test_every_option_has_a_default_that_it_takes() -> None:
    for option in OPTIONS.values():
        assert option.checked(option.default) == option.default


# Numbers


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
