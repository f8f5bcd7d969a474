"""Settings: each row says what it takes, and Python and the command line take the same."""

import inspect

import pytest
from every import every

import scorch2
from scorch2.cli.completion import completed_options
from scorch2.cli.dispatch import Command
from scorch2.model.options import flag_of
from scorch2.model.settings import (
    SETTINGS,
    OfAgreement,
    OfErrors,
    OfIntervals,
    OfNeleval,
    OfPage,
    OfRanking,
    OfResampling,
    OfTest,
    OfTests,
    OfTrials,
    OfWorkers,
    Setting,
    rows_of,
)

TAKES = {
    "errors": (OfErrors, OfPage, OfIntervals, OfWorkers),
    "compare": (OfTests, OfIntervals, OfResampling, OfWorkers),
    "agreement": (OfAgreement, OfIntervals, OfWorkers),
    "confidence": (OfNeleval, OfResampling, OfWorkers),
    "significance": (OfNeleval, OfTest, OfResampling, OfWorkers),
    "leaderboard": (OfRanking, OfTrials),
}
TAKEN = [(name, row) for name, tables in TAKES.items() for table in tables for row in rows_of(table).values()]


@every("setting", SETTINGS.values())
def test_the_text_of_a_row_names_its_values(setting: Setting) -> None:
    assert [value for value in setting.values if value not in setting.row.what] == []


@every(("function", "setting"), TAKEN)
def test_a_row_is_an_option_with_completion_and_a_keyword_with_its_default(
    function: str, setting: Setting
) -> None:
    flag, row = flag_of(setting.name), setting.row
    (option,) = (one for one in completed_options(function) if one.long == flag)
    assert (option.takes_value, option.repeatable) == (bool(row.value), bool(row.example))
    if setting.values:
        assert option.values == setting.values
    assert f"{flag}=<{row.value}>".removesuffix("=<>") in Command(function).usage
    parameter = inspect.signature(getattr(scorch2, function)).parameters[setting.name]
    assert (parameter.default, parameter.kind) == (setting.default, parameter.KEYWORD_ONLY)


@every(("function", "setting"), TAKEN)
def test_python_explains_a_row_as_the_command_line_does(function: str, setting: Setting) -> None:
    doc = " ".join((getattr(scorch2, function).__doc__ or "").replace("``", "").split())
    first = setting.row.what.split("(")[0].split("--")[0].strip()
    assert f"{setting.name} : {'the title' if setting.name == 'title' else first}" in doc


@pytest.mark.parametrize(("name", "message"), [
    ("gains", 'unknown way to tell gains "x" (known: shares, order, none)'),
    ("types", 'unknown way to tell types "x"'),
])  # fmt: skip
def test_what_is_no_value_is_refused_with_those_there_are(name: str, message: str) -> None:
    wrong = {name: "x"}
    with pytest.raises(scorch2.UsageError) as caught:
        scorch2.errors([["a", "b"]], [["a", "b"]], **wrong)  # type: ignore[arg-type]  # no value
    assert str(caught.value).startswith(message)
