"""A row is written as a named tuple is, and is no tuple."""

import pickle

import pytest

from scorch2.model.rows import Row
from scorch2.model.score import AVERAGES


class Step(Row):
    """A class as tables have it."""

    name: str
    function: object = len
    notes: tuple[str, ...] = ()


def test_fields_are_given_in_their_order_or_by_name_and_have_defaults() -> None:
    step = Step("first", notes=("a",))
    assert (step.name, step.function, step.notes) == ("first", len, ("a",))
    assert repr(step) == "Step(name='first', function=<built-in function len>, notes=('a',))"


def test_a_field_without_default_is_needed() -> None:
    with pytest.raises(KeyError, match="name"):
        Step()  # type: ignore[call-arg]  # what is tested


def test_a_function_is_a_value_and_no_method() -> None:
    def weigh(what: str) -> str:
        return what

    assert Step("first", weigh).function is weigh


def test_rows_with_the_same_values_are_equal() -> None:
    assert Step("first") == Step("first", len)
    assert len({Step("first"), Step("first", len), Step("second")}) == 2
    assert Step("first") != ("first", len, ())


def test_no_field_changes_but_in_a_copy() -> None:
    step = Step("first")
    with pytest.raises(AttributeError, match=r"Step\.name cannot be changed"):
        step.name = "second"  # type: ignore[misc]  # what is tested
    assert step.with_changes(name="second") == Step("second")
    assert step == Step("first")


def test_rows_go_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(AVERAGES["files"])) == AVERAGES["files"]  # noqa: S301 - made here
