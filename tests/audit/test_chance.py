"""Numbers that fit by chance are as many as is said."""

import random

import pytest
from every import every
from random_numbers import results

from scorch2.audit.printed import Other, Reading, expected_by_chance, read_printed


def test_what_is_expected_by_chance_is_what_random_numbers_give() -> None:
    """Scores that are evenly spread are printed as a number of them as often as is expected."""
    chooser = random.Random(3)  # noqa: S311 - numbers
    expected = met = 0.0
    for _ in range(400):
        scores = [(chooser.random(),) for _ in range(300)]
        (printed,) = read_printed(f"{20 + 60 * chooser.random():.1f}")
        (cell,) = printed.cells
        fitting = [row for row in scores if cell.holds(*row)]
        met += len(fitting)
        others = [
            Other([Reading("muc", "f1")], row, may_be_cut=False) for row in scores if row not in fitting
        ]
        expected += expected_by_chance([cell], others)
    assert met > 80  # 400 × 300 / 1000 are 120
    assert abs(met - expected) < 4 * met**0.5


@pytest.mark.parametrize(
    ("text", "named", "may_be_cut"),
    [
        ("71.2", ["f1"], False),
        ("71.23", ["f1"], True),
        ("R=70 P=73", ["recall", "precision"], False),
        ("R=70 P=73 F1=71", ["recall", "precision", "f1"], False),
        ("R=70.0 P=73.0 F1=71.5", ["recall", "precision", "f1"], False),
        ("R=70.11 P=73.04 F1=71.55", ["recall", "precision", "f1"], True),
    ],
)
def test_f1_follows_and_cut_numbers_stand_for_more(text: str, named: list[str], may_be_cut: bool) -> None:
    """Rows that are evenly spread around the numbers, whose F1 is that of recall and precision."""
    chooser = random.Random(5)  # noqa: S311 - numbers
    (printed,) = read_printed(text)
    cells = printed.cells
    wide = (40 if len(cells) == 1 else 10) * cells[0].unit  # few of those that are farther off are met
    readings = [Reading("muc", part) for part in named]
    met, others = 0, []
    for _ in range(8_000):
        recall, precision = (cell.value + wide * (chooser.random() - 0.5) for cell in [*cells, *cells][:2])
        score = {
            "recall": recall,
            "precision": precision,
            "f1": 2 * recall * precision / (recall + precision),
        }
        values = [score[part] if len(named) > 1 else recall for part in named]
        fits = all(cell.holds(value) for cell, value in zip(cells, values, strict=True))
        cut = all(cell.holds_cut(value) for cell, value in zip(cells, values, strict=True))
        if fits or (may_be_cut and cut):
            met += 1
        else:
            others.append(Other(readings, values, may_be_cut))
    window = max(0.05, 5 * cells[0].unit)
    free = len(named) - ("f1" in named and len(named) > 1)
    expected = expected_by_chance(cells, others) * max(1.0, window / wide) ** free
    assert met > 20
    assert 0.85 < expected / met < 1.15, f"{expected:.1f} for {met}"


@every("kind", ("one number, one digit", "recall, precision and F1, no digits"))
def test_numbers_from_nowhere_are_met_as_often_as_is_said(kind: str) -> None:
    """In all that is tried on the bundled example; the campaign looks more numbers up."""
    met = results(kind, 250, seed=11)
    found, expected = sum(one.found for one in met), sum(one.expected for one in met)
    assert found >= 15
    assert 0.7 < expected / found < 1.3, f"{expected:.1f} for {found}"
