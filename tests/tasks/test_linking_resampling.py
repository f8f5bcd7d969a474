"""Gates, intervals and tests of linking measures: against neleval's figures, and what only documents have."""

import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from score_reports import run

ROOT = Path(__file__).parent.parent.parent / "fixtures"
FIGURES = ROOT / "resampling"
EXAMPLE = (str(ROOT / "example" / "gold.tsv"), str(ROOT / "example" / "sys.tsv"))


def case(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((FIGURES / name / "case.json").read_text("utf-8"))
    return value


@pytest.mark.parametrize("name", ["confidence-01", "confidence-02"])
def test_intervals_are_those_of_neleval(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores exactly, bounds within what two runs of neleval differ by."""
    monkeypatch.chdir(FIGURES / name)
    expected = case(name)
    status, out, _ = run(capsys, "confidence", *expected["argv"], "-f", "json")
    found = {entry["measure"]: entry for entry in json.loads(out)}
    assert (status, list(found)) == (0, [entry["measure"] for entry in expected["results"]])
    for entry in expected["results"]:
        assert found[entry["measure"]]["overall"] == pytest.approx(entry["overall"], abs=1e-12)
        for metric, levels in entry["intervals"].items():
            for level, bounds in levels.items():
                there = found[entry["measure"]]["intervals"][metric][level]
                assert there == pytest.approx(bounds, abs=expected["tolerance"]), (metric, level)


@pytest.mark.parametrize("name", ["significance-01", "significance-02"])
@pytest.mark.parametrize("trials", ["10000", "400"])
def test_p_values_are_those_of_all_swaps(
    name: str, trials: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more trials than ways to swap p is exact; with fewer it comes close."""
    monkeypatch.chdir(FIGURES / name)
    expected = case(name)
    words = [trials if word == "10000" else word for word in expected["argv"]]
    status, out, _ = run(capsys, "significance", "--one-sided", *words, "-f", "json")
    assert status == 0
    for entry in json.loads(out):
        for metric, there in expected["exact"][entry["measure"]].items():
            found, p = entry["stats"][metric], there["p_exact"]
            assert found["diff"] == pytest.approx(there["diff"], abs=1e-9)
            close = 0 if trials == "10000" else 4 * math.sqrt(p * (1 - p) / 400) + 2 / 400
            assert found["p"] == pytest.approx(p, abs=close or 1e-12)
    assert run(capsys, "significance", *words)[1].splitlines()[0] == expected["head"]


def test_clustering_measures_have_intervals_too(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "confidence", "-m", "b_cubed_plus", "-m", "muc", "-g", *EXAMPLE)
    assert status == 0
    assert [line.split("\t")[0].strip() for line in out.splitlines()[1:-1:3]] == ["b_cubed_plus", "muc"]


def test_the_default_follows_gold(capsys: pytest.CaptureFixture[str]) -> None:
    assert "strong_all_match" in run(capsys, "confidence", "-n", "9", "-g", *EXAMPLE)[1]
    out = run(capsys, "confidence", "-n", "9", "-m", "conll", "-g", *EXAMPLE)[1]
    assert [line.split("\t")[0] for line in out.splitlines() if line[0] != "#"] == ["measure", "conll  "]
    folders = [str(ROOT / "example" / side) for side in ("gold", "sys")]
    assert "strong" not in run(capsys, "confidence", "-n", "9", "-g", *folders)[1]


def test_the_default_follows_the_first_file_of_a_folder_packed_or_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.tsv.gz").write_bytes(gzip.compress(b"d\t0\t1\tE\n"))
    (tmp_path / "a.tsv").touch()
    assert "strong_all_match" in run(capsys, "confidence", "-n", "9", "-g", *[str(tmp_path)] * 2)[1]


def test_resampling_says_what_evaluate_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = str(tmp_path / "gold.tsv")
    Path(gold).write_text("d\t0\t4\tE\nd\t0\t4\tF\n", encoding="utf-8")
    words = ["-m", "typed_mention_ceaf", "--duplicates=first", "-g", gold, gold]
    said = run(capsys, "evaluate", *words)[2].splitlines()
    again = run(capsys, "confidence", *words)[2].splitlines()
    assert said
    assert set(said) <= set(again)


def test_counts_have_intervals_and_differences(capsys: pytest.CaptureFixture[str]) -> None:
    """The totals are those of evaluate."""
    name = "strong_link_match"
    head, row = (line.split() for line in run(capsys, "evaluate", "-m", name, "-g", *EXAMPLE)[1].splitlines())
    counted = dict(zip(head[:4], map(float, row), strict=False))
    words = ["--metrics=ptp,fp,rtp,fn", "-n", "99", "-m", name, "-g", *EXAMPLE]
    (entry,) = json.loads(run(capsys, "confidence", "-f", "json", *words)[1])
    assert entry["overall"] == counted
    for part, (low, high) in ((part, found["95"]) for part, found in entry["intervals"].items()):
        assert 0 <= low <= counted[part] <= high
    assert re.search(r"ptp +2\.00 +\[\d\.\d\d, ", run(capsys, "confidence", "-f", "table", *words)[1])
    other = str(ROOT / "example" / "gold.tsv")
    (entry,) = json.loads(run(capsys, "significance", "-f", "json", *words, other)[1])
    assert entry["stats"]["ptp"]["diff"] == counted["ptp"] - 3  # gold finds all three links of gold
    assert re.search(r"ptp +-1\.00 +\[", run(capsys, "significance", "-f", "table", *words, other)[1])


@pytest.mark.parametrize("command", ["evaluate", "confidence"])
def test_a_format_shows_nothing(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, command, "-f", "none", "-m", "strong_link_match", "-g", *EXAMPLE)[:2] == (0, "")


def test_type_weights_count_in_trials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "weights").write_text("PER\tORG\t0.25\n", encoding="utf-8")
    words = ["-m", "strong_typed_mention_match", "-f", "json", "-n", "9", "-g", *EXAMPLE]
    plain = json.loads(run(capsys, "confidence", *words)[1])[0]["overall"]["recall"]
    weighted = ["--type-weights", str(tmp_path / "weights"), *words]
    # one of five mentions has PER in gold and ORG in the system
    assert plain == 3 / 5
    assert json.loads(run(capsys, "confidence", *weighted)[1])[0]["overall"]["recall"] == 3.25 / 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--gold-offsets=inclusive", "-m", "strong_link_match"], "--gold-offsets is for coreference"),
        (["--sys-key=clusters", "-m", "strong_link_match"], "--sys-key is for coreference metrics"),
        (["--average=macro", "-m", "strong_link_match"], "--average is for coreference metrics"),
        (["--type-weights=x", "-m", "conll"], "--type-weights is for measures of entity linking"),
        (["-m", "strong_lynk_match"], 'unknown metric "strong_lynk_match", did you mean strong_link_match?'),
        (
            ["-m", "strong_link_match", "-m", "lea"],
            '"lea" is of coreference and "strong_link_match" of linking',
        ),
        (
            ["-m", "lea", "-m", "strong_link_match"],
            '"lea" is of coreference and "strong_link_match" of linking',
        ),
        (["-m", "sets::nope"], "nope"),
        (["-m", "lea", "--metrics=ptp"], "ptp is for measures of linking that are scored against --gold"),
    ],
)
def test_what_makes_no_sense(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "confidence", *words, "-g", *EXAMPLE)
    assert (status, out) == (2, "")
    assert message in err


# The gate


def test_a_gate_on_a_measure(capsys: pytest.CaptureFixture[str]) -> None:
    table = run(capsys, "evaluate", "-m", "muc", "-g", *EXAMPLE)[1]
    words = ["evaluate", "-m", "muc", "--fail-under=strong_link_match=0.8", "-g", *EXAMPLE]
    status, out, err = run(capsys, *words)
    assert (status, out) == (1, table)
    assert "strong_link_match.f1 at least 0.8 (80 %)  0.5714  0.8000  -0.2286  FAILED" in err
    assert run(capsys, *words, "--exit-zero")[0] == 0
    assert run(capsys, "evaluate", "--fail-under=strong_link_match.r=66%", "-g", *EXAMPLE)[0] == 0


def test_clusters_are_gated_inside_documents(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "-m", "muc", "--fail-under=muc=0.6", "-g", *EXAMPLE]
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert err == "scorch2: error: muc is counted over the whole corpus: gate it with --by-doc\n"
    assert run(capsys, *words, "--by-doc")[0] == 0  # 1 link found of 2, 1 of 1: 2/3, as muc;docid=<micro>


def test_stored_reports_of_linking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["evaluate", "-m", "strong_link_match", "-m", "entity_match", "-g", *EXAMPLE]
    base = ["--baseline=base.json", "--max-drop=entity_match=0", "--update-baseline"]
    assert run(capsys, *words, *base, "--report=json:new.json", "--confidence=90")[0] == 0
    assert json.loads(Path("new.json").read_text("utf-8"))["signature"].split(" | ")[1] == "task=linking"
    assert run(capsys, "gate", "--fail-under=strong_link_match=0.6", "new.json")[0] == 1
    assert run(capsys, "gate", "--fail-under=strong_link_match=0.5", "new.json")[0] == 0
    assert run(capsys, "gate", "--fail-under=muc=0.5", "new.json")[0] == 2
    status, out, _ = run(capsys, "significance", "-m", "entity_match", "base.json", "new.json")
    assert (status, out.splitlines()[1].split("\t")[2].strip()) == (0, "entity_match")
    assert run(capsys, "confidence", "base.json")[0] == 0


def test_what_changes_numbers_makes_reports_incomparable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weights").write_text("PER\tORG\t0.5\n", encoding="utf-8")
    words = ["evaluate", "-m", "strong_typed_mention_match", "-g", *EXAMPLE]
    assert run(capsys, *words, "--type-weights=weights", "--report=json:base.json")[0] == 0
    status, _, err = run(capsys, *words, "--baseline=base.json", "--max-drop=strong_typed_mention_match=0")
    assert (status, "not comparable: type-weights is not said here and " in err) == (2, True)
    assert run(capsys, "gate", "--fail-under=tac09=0.1", "base.json")[2].endswith(
        '"tac09" is a group of measures: name one of them\n'
    )


def test_two_reports_cannot_share_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "evaluate", "-g", *EXAMPLE, "--report=json")
    assert (status, out, err) == (2, "", "scorch2: error: two reports go to standard output\n")
