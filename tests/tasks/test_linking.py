"""Commands of entity linking: neleval's figures and text where it is right, else those of the definitions."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorch2.cli.main import main

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "linking"
CASES: dict[str, dict[str, Any]] = {
    path.parent.name: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*/case.json"))
}
ERRORS: dict[str, dict[str, Any]] = json.loads((FOLDER / "errors-01" / "cases.json").read_text("utf-8"))
ACCEPTED = {"empty_score", "confidence_clustering_only", "group_mixed_none", "weights_on_clustering"}
"""What the peer refuses though it makes sense."""


def of(command: str) -> list[str]:
    return [name for name, case in CASES.items() if case["command"] == command]


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main([*words]) == status
    return capsys.readouterr().out


def rows(text: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


# evaluate


def as_the_peer(argv: list[str]) -> list[str]:
    """Count scores that are 0/0 in a group as 0, as neleval does."""
    grouped = any(word.startswith(("-b", "--by-", "--group-by")) for word in argv)
    return [*(["--undefined=zero"] if grouped else []), *argv]


@pytest.mark.parametrize("name", [name for name in of("evaluate") if "rows" in CASES[name]])
def test_evaluate_gives_the_expected_counts_and_scores(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    found = rows(run(capsys, "evaluate", "-f", "json", *as_the_peer(CASES[name]["argv"])))
    expected = CASES[name]["rows"]
    assert found.keys() == expected.keys()
    for row, numbers in expected.items():
        assert found[row] == pytest.approx(numbers, abs=1e-9), row


@pytest.mark.parametrize("name", [path.parent.name for path in sorted(FOLDER.glob("*/expected.tab"))])
def test_evaluate_prints_the_text_of_the_peer(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    expected = (FOLDER / name / "expected.tab").read_text("utf-8")
    tie = CASES[name].get("rounding_ties", {"peer": "", "exact": ""})
    assert tie["peer"] in expected
    expected = expected.replace(tie["peer"], tie["exact"])
    assert run(capsys, "evaluate", *as_the_peer(CASES[name]["argv"])) == expected


def test_one_span_in_two_clusters_is_refused_with_both_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / "quirk-twoclusters-01")
    words = CASES["quirk-twoclusters-01"]["argv"]
    assert main(["evaluate", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        "scorch2: error: gold.tsv: line 8: the span of this mention is already in a cluster"
    )
    assert "on line 1 (" in err
    for policy in ("first", "merge"):
        assert main(["evaluate", f"--duplicates={policy}", *words]) == 0
        assert "scorch2: warning: gold.tsv: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ERRORS)
def test_what_the_peer_refuses(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = ERRORS[name]
    monkeypatch.chdir(tmp_path)
    for path, text in case["files"].items():
        Path(path).write_text(text, encoding="utf-8")
    status = main(case["argv"])
    out, err = capsys.readouterr()
    if name in ACCEPTED:
        assert (status, out == "") == (0, False)
    else:
        assert (status, out) == (2, "")
        assert err.startswith("scorch2: error: ")
        assert err.count("\n") == 1


# analyze


def as_of_the_peer(text: str) -> list[str]:
    """Return lines without offsets, and without the types that the peer does not look at."""
    lines = [line.split("\t") for line in text.splitlines()]
    assert all(len(line) == 6 for line in lines)
    return sorted("\t".join(line[:4]) for line in lines if line[0] != "wrong-type")


@pytest.mark.parametrize(("words", "key"), [([], "full"), (["-u"], "unique")])
@pytest.mark.parametrize("name", of("analyze"))
def test_analyze_names_the_errors_of_the_peer(
    name: str, words: list[str], key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    expected = sorted(CASES[name][key])
    argv = CASES[name]["argv"]
    assert as_of_the_peer(run(capsys, "analyze", "-c", *words, *argv)) == expected
    wrong = [line for line in expected if not line.startswith("correct ")]
    assert as_of_the_peer(run(capsys, "analyze", *words, *argv)) == wrong


@pytest.mark.parametrize(("words", "key"), [([], "summary"), (["-u"], "summary_unique")])
@pytest.mark.parametrize("name", of("analyze"))
def test_analyze_counts_the_errors_of_the_peer(
    name: str, words: list[str], key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    lines = run(capsys, "analyze", "-s", "-c", *words, *CASES[name]["argv"]).splitlines()
    assert sorted(line for line in lines if "wrong-type" not in line) == sorted(CASES[name][key])
    numbers = [int(line.split("\t")[0]) for line in lines]
    assert numbers == sorted(numbers, reverse=True)


# validate-spans


@pytest.mark.parametrize("name", of("validate-spans"))
def test_validate_spans_finds_every_pair(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    words = ["--duplicate=warn", "--crossing=warn", "--nested=warn", "in.tsv"]
    found: dict[str, list[Any]] = {"duplicate": [], "crossing": [], "nested": []}
    for problem in json.loads(run(capsys, "validate-spans", "-f", "json", *words)):
        ends = [[problem[one]["start"], problem[one]["end"]] for one in ("first", "second")]
        found[problem["kind"]].append([problem["document"], *ends])
    expected = CASES[name]["pairs_recommended"]
    assert {kind: sorted(pairs) for kind, pairs in found.items()} == {
        kind: sorted(pairs) for kind, pairs in expected.items()
    }
    assert len(run(capsys, "validate-spans", *words).splitlines()) == sum(map(len, expected.values()))


@pytest.mark.parametrize("levels", ["default", "all_warn", "all_error"])
@pytest.mark.parametrize("name", of("validate-spans"))
def test_validate_spans_ends_like_the_peer(
    name: str, levels: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER / name)
    case = CASES[name][levels]
    run(capsys, "validate-spans", *case["argv"], status=case["rc"])
