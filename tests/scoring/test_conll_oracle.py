"""`--profile=conll` gives the numbers of the CoNLL reference scorer, to the last count."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.tasks.reference_scorer import reader

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "conll"
CASES: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("utf-8"))["cases"]
ON_ONE_TOKEN = {"c038": False, "c039": True, "c044": True, "c054": False}
"""Cases in which an entity closes a mention and opens one on a token, and whether the first is written first.
The reference scorer opens first whatever is written."""
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


@every("case", CASES)
def test_scores_are_those_of_the_reference_scorer(case: str) -> None:
    report = score(case)
    for metric in METRICS:
        expected = [float(Fraction(value)) for value in CASES[case]["scores"][metric]]
        assert list(report.scores[metric]) == pytest.approx(expected, abs=1e-12), metric


@every("case", CASES)
def test_pooled_counts_are_those_of_the_reference_scorer(case: str) -> None:
    report = score(case)
    for metric in METRICS:
        counts = CASES[case]["counts"][metric]
        for part, expected in (counts if metric == "blanc" else {"": counts}).items():
            exact = [float(Fraction(count)) for count in expected]
            assert list(report.tallies(metric)[part]) == pytest.approx(exact, rel=1e-12), (metric, part)


@every("case", CASES)
def test_mention_counts_are_those_of_the_reference_scorer(case: str) -> None:
    gold, system, shared = CASES[case]["mentions"]
    report = score(case)
    assert report.tallies("mentions")[""] == (shared, gold, shared, system)
    assert sum(document.gold_mentions for document in report.documents) == gold
    assert sum(document.system_mentions for document in report.documents) == system


def documents_as_there(path: Path) -> dict[str, list[list[tuple[int, int]]]]:
    """Return the clusters that the reference scorer reads, by document."""
    found = reader.read(path.read_text("utf-8"), path.name)
    return {document.name: [list(spans) for spans in document.entities] for document in found}


@pytest.mark.parametrize(("case", "differs"), ON_ONE_TOKEN.items())
def test_what_closes_and_then_opens_on_one_token_is_all_that_differs(case: str, differs: bool) -> None:
    """Read as there, the counts are those of the reference scorer; else a note says why they are not."""
    command = json.loads((FOLDER / "command.json").read_text("utf-8"))["cases"][case]["documents"]
    golds, systems = (documents_as_there(FOLDER / f"{case}.{side}") for side in ("key", "response"))
    scorer = scorch2.CorefScorer(["muc", "b_cubed"], profile="conll")
    for name, gold in golds.items():
        scorer.update(gold=gold, system=systems.get(name, []), id=name)
    report, other = scorer.compute(), score(case)
    for metric, there in (("muc", "muc"), ("b_cubed", "bcub")):
        columns = zip(*(one["counts"][there] for one in command.values()), strict=True)
        expected = [sum(column) for column in columns]
        assert list(report.tallies(metric)[""]) == pytest.approx(expected, rel=1e-12)
        assert (list(other.tallies(metric)[""]) != pytest.approx(expected, rel=1e-12)) == differs
    assert any(CLOSED_FIRST in one.message for one in other.notices) == differs
