"""`--profile=conll` gives the numbers of the CoNLL reference scorer, to the last count."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import scorch2

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "conll"
CASES: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("utf-8"))["cases"]
METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")


def score(case: str) -> scorch2.Report:
    metrics = (*METRICS, "mentions")
    return scorch2.score(
        FOLDER / f"{case}.key", FOLDER / f"{case}.response", profile="conll", metrics=metrics
    )


def test_all_cases_are_there() -> None:
    assert len(CASES) == 42
    for suffix in ("key", "response"):
        assert set(CASES) <= {path.stem for path in FOLDER.glob(f"*.{suffix}")}


@pytest.mark.parametrize("case", CASES)
def test_scores_are_those_of_the_reference_scorer(case: str) -> None:
    report = score(case)
    for metric in METRICS:
        expected = [float(Fraction(value)) for value in CASES[case]["scores"][metric]]
        assert list(report.scores[metric]) == pytest.approx(expected, abs=1e-12), metric


@pytest.mark.parametrize("case", CASES)
def test_pooled_counts_are_those_of_the_reference_scorer(case: str) -> None:
    report = score(case)
    for metric in METRICS:
        counts = CASES[case]["counts"][metric]
        for part, expected in (counts if metric == "blanc" else {"": counts}).items():
            exact = [float(Fraction(count)) for count in expected]
            assert list(report.tallies(metric)[part]) == pytest.approx(exact, rel=1e-12), (metric, part)


@pytest.mark.parametrize("case", CASES)
def test_mention_counts_are_those_of_the_reference_scorer(case: str) -> None:
    gold, system, shared = CASES[case]["mentions"]
    report = score(case)
    assert report.tallies("mentions")[""] == (shared, gold, shared, system)
    assert sum(document.gold_mentions for document in report.documents) == gold
    assert sum(document.system_mentions for document in report.documents) == system
