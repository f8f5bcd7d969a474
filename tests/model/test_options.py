"""Options: a row says all, also of an option that is a text."""

import pytest

from scorch2.model.errors import UsageError
from scorch2.model.options import INPUTS, OPTIONS, Option, OptionRow, options_from


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
