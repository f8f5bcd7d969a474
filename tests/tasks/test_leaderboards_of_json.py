"""Leaderboards, plots and agreement of JSON reports of score and errors."""

import json
from pathlib import Path

import pytest
from score_reports import TEAMS, put, run

from scorch2.cli.main import main

GOLD = {"a": ["m1", "m2", "m3"]}
SYSTEMS = {
    "whole": {"a": ["m1", "m2", "m3"]},
    "parts": {"a": ["m1", "m2"], "b": ["m3"]},
    "none": {"a": ["m1"], "b": ["m2"], "c": ["m3"]},
}
"""By hand, MUC F1 is 1, 2/3 (recall 1/2, precision 1) and 0/0 in precision."""


@pytest.fixture(autouse=True)
def _reports_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a report of score for two systems, and one of errors for the third."""
    monkeypatch.chdir(tmp_path)
    for name, clusters in {"gold": GOLD, **SYSTEMS}.items():
        put(f"{name}.clusters", json.dumps({"type": "clusters", "clusters": clusters}))
    for name, command in (("whole", []), ("parts", ["errors"]), ("none", [])):
        words = [*command, "-q", "-m", "muc,b_cubed,ceaf_e,conll", "-o", f"{name}.json"]
        assert main([*words, "gold.clusters", f"{name}.clusters"]) == 0


def rows(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()[1:]]


def test_systems_are_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rank-systems", "-m", "muc", "--short-names", "--metric=recall,fscore"]
    status, out, _ = run(capsys, *words, "parts.json", "whole.json")
    assert status == 0
    assert [(row[0], row[1], row[2], float(row[3]), row[4]) for row in rows(out)] == [
        ("muc", "fscore", "1", 1.0, "whole"),
        ("muc", "fscore", "2", pytest.approx(2 / 3), "parts"),
        ("muc", "recall", "1", 1.0, "whole"),
        ("muc", "recall", "2", 0.5, "parts"),
    ]


def test_what_is_undefined_comes_last_and_a_mean_has_no_recall(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rank-systems", "--metric=precision", "none.json", "parts.json"]
    status, out, _ = run(capsys, *words)
    assert status == 0
    assert "conll" not in {row[0] for row in rows(out)}
    assert [(row[3], row[4]) for row in rows(out) if row[0] == "muc"] == [
        ("1.0", "parts.json"),
        ("nan", "none.json"),
    ]
    status, out, err = run(capsys, *words, "-m", "conll")
    assert (status, out) == (2, "")
    assert err == 'scorch2: error: none.json: "conll" has no precision\n'


def test_text_of_evaluate_goes_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rank-systems", "-m", "muc", "whole.json", *TEAMS)
    assert status == 0
    assert rows(out)[0][4] == "whole.json"
    assert len(rows(out)) == 5


def test_systems_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plot-systems", "--table", "--prf", "parts.json", "whole.json"]
    status, out, _ = run(capsys, *words)
    assert status == 0
    found = {(row[0], row[1], row[2]): float(row[3]) for row in rows(out)}
    assert found["muc", "recall", "parts"] == 0.5
    assert found["muc", "precision", "parts"] == 1
    assert {figure for figure, _, _ in found} == {"muc", "b_cubed", "ceaf_e"}
    assert "conll" in run(capsys, "plot-systems", "--table", "parts.json", "whole.json")[1]
    assert run(capsys, "plot-systems", "--single-plot", "-o", "x.svg", "parts.json", "whole.json")[0] == 0
    assert ">conll<" in Path("x.svg").read_text("utf-8")


def test_measures_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Both order the two systems alike, so they agree."""
    words = ["compare-measures", "-e", "-f", "json", "-m", "muc,b_cubed"]
    status, out, _ = run(capsys, *words, "parts.json", "whole.json")
    assert status == 0
    assert "muc" in out
    assert run(capsys, "compare-measures", "-e", "parts.json", "whole.json")[1].count("1.000") >= 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "$: not a report of scorch2"),
        ('{"schema": 1, "scores": {}}', 'no "options"'),
        ("{", "x.json: line 1"),
        ("[]", "nor a JSON report"),
    ],
)
def test_what_is_no_report_is_refused(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("x.json", text)
    for words in (["rank-systems"], ["plot-systems", "--table"], ["compare-measures", "-e"]):
        status, out, err = run(capsys, *words, "x.json")
        assert (status, out) == (2, "")
        assert message in err


def test_a_changed_score_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(Path("parts.json").read_text("utf-8"))
    value["scores"]["muc"]["recall"] = 0.9
    put("x.json", json.dumps(value))
    assert "the report was changed" in run(capsys, "rank-systems", "x.json")[2]


def test_ratios_are_of_text_alone(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "compose-measures", "-r", "muc", "b_cubed", "parts.json")
    assert status == 2
    assert "not the head of a report of evaluate" in err
