"""Scores of CorefUD files are those of the CorefUD scorer, on all its runs that exact matching settles.

These are the runs with exact matching in which empty nodes are compared by their place, or there are none.
"""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

import scorch2

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"
METRICS = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "ceafm": "ceaf_m", "lea": "lea"}
NO_PARTITION = "corefud-14-span-in-two-entities"
"""A mention in two entities, which is an error by default."""


def runs() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for path in sorted(FOLDER.glob("corefud-*/expected.json")):
        every = json.loads(path.read_text("utf-8"))["runs"]
        every = [run for run in every if run["peer"] == "corefud-scorer 1.2" and "error" not in run]
        has_zeros = any("linear" in run["args"] for run in every)
        zeros = "linear" if has_zeros else "dependent"
        found += [
            (path.parent.name, run)
            for run in every
            if {"exact", zeros} <= set(run["args"]) and "scores" in run
        ]
    return [(case, run) for case, run in found if case != NO_PARTITION]


def test_most_cases_are_settled() -> None:
    assert len(runs()) == 50
    assert len({case for case, _ in runs()}) == 25


@pytest.mark.parametrize(
    ("case", "run"), runs(), ids=lambda one: one if isinstance(one, str) else "-s" in one["args"]
)
def test_scores_are_those_of_the_corefud_scorer(case: str, run: dict[str, Any]) -> None:
    if case == "corefud-23-missing-last-sentence":
        with pytest.raises(scorch2.InputError, match=r"5 tokens in .* but 10 in gold"):
            score(case, run)
        return
    report = score(case, run)
    expected = {**run["scores"], **run.get("by_alignment", {})}
    for theirs, ours in METRICS.items():
        wanted = [expected[theirs][part] for part in "rpf"]
        assert list(report.scores[ours]) == pytest.approx(wanted, abs=1e-9), ours


def score(case: str, run: dict[str, Any]) -> scorch2.Report:
    singletons: Literal["keep", "drop"] = "keep" if "-s" in run["args"] else "drop"
    gold, system = (FOLDER / case / f"{side}.conllu" for side in ("key", "sys"))
    return scorch2.score(
        gold,
        system,
        average="pooled",
        undefined="zero",
        singletons=singletons,
        metrics=list(METRICS.values()),
    )


@pytest.mark.parametrize("side", ["key", "sys"])
def test_a_file_without_newdoc_is_scored(side: str) -> None:
    """The peer ends in a TypeError."""
    case = FOLDER / "corefud-19-error-no-newdoc"
    path = str(case / f"{side}.conllu")
    assert scorch2.score(path, path).conll.f1 == 1
