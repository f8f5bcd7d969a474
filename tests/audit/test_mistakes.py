"""Mistakes that give a number are hinted at if no setting does."""

from pathlib import Path
from typing import TypeAlias

import pytest

import scorch2
from scorch2.cli.main import main

Capture: TypeAlias = pytest.CaptureFixture[str]
FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
GOLD, SYSTEM = (str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys"))


@pytest.mark.parametrize(
    ("number", "mistake"),
    [
        ("B3 R=85.26 P=81.48", "recall and precision swapped"),
        ("CoNLL 80.86", "the mean of MUC, B³ and CEAF_m"),  # (80.00 + 83.3262 + 79.2453) / 3
    ],
)
def test_mistakes_are_hinted_at(number: str, mistake: str, capsys: Capture) -> None:
    assert main(["explain", "-q", "--average=pooled", number, GOLD, SYSTEM]) == 1
    assert f"A mistake would give it: {mistake}" in capsys.readouterr().out


def test_singletons_dropped_on_one_side_are_hinted_at() -> None:
    """Gold without its singleton: of four mentions of the system three are found, in clusters of 3 and 2."""
    gold, system = [["1", "2", "3"], ["4"]], [["1", "2", "3"], ["4"], ["5"]]
    assert scorch2.explain("B3 P=60.0", [["1", "2", "3"]], system, average="pooled")
    found = scorch2.explain("B3 R=100.0 P=60.0", gold, system, average="pooled")
    assert not found
    assert [said for said, _ in found.mistakes] == ["singletons dropped in gold alone"]


def test_what_was_not_looked_for_is_said(capsys: Capture) -> None:
    assert main(["explain", "-q", "12.34", GOLD, SYSTEM]) == 1
    assert "means over the folds of a cross-validation" in capsys.readouterr().out
