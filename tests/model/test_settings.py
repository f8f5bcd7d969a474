"""Settings: each row says what it takes, and Python and the command line take the same."""

import inspect

import pytest
from every import every

import scorch2
from scorch2.cli.completion import completed_options
from scorch2.cli.dispatch import command
from scorch2.model.settings import SETTINGS, OfErrors, OfPage, OfTests

TAKEN = [("errors", name) for table in (OfErrors, OfPage) for name in table.__annotations__]
TAKEN += [("compare", name) for name in OfTests.__annotations__]


@every("name", SETTINGS)
def test_the_text_of_a_row_names_its_values(name: str) -> None:
    _, values, row = SETTINGS[name]
    assert [value for value in values if value not in row.what] == []


@every(("function", "name"), TAKEN)
def test_a_row_is_an_option_with_completion_and_a_keyword_with_its_default(function: str, name: str) -> None:
    setting, flag = SETTINGS[name], f"--{name.replace('_', '-')}"
    (option,) = (one for one in completed_options(function) if one.long == flag)
    assert (option.values, option.takes_value) == (setting.values, bool(setting.row.value))
    assert f"{flag}=<{setting.row.value}>".removesuffix("=<>") in command(function).usage
    parameter = inspect.signature(getattr(scorch2, function)).parameters[name]
    assert (parameter.default, parameter.kind) == (setting.default, parameter.KEYWORD_ONLY)


@pytest.mark.parametrize(("name", "message"), [
    ("gains", 'unknown way to tell gains "x" (known: shares, order, none)'),
    ("types", 'unknown way to tell types "x"'),
])  # fmt: skip
def test_what_is_no_value_is_refused_with_those_there_are(name: str, message: str) -> None:
    wrong = {name: "x"}
    with pytest.raises(scorch2.UsageError) as caught:
        scorch2.errors([["a", "b"]], [["a", "b"]], **wrong)  # type: ignore[arg-type]  # no value
    assert str(caught.value).startswith(message)
