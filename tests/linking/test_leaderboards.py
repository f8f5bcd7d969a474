"""What is made of several reports of evaluate: ratios, leaderboards, agreement of measures."""

import json
import re
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from score_reports import FOLDER, HEAD, TEAMS, put, refused, run, scored

RUNS: list[tuple[str, dict[str, Any]]] = [
    (path.parent.name, run)
    for path in sorted(FOLDER.glob("*/case.json"))
    for run in json.loads(path.read_text("utf-8"))["runs"]
]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("folder", "case"), RUNS, ids=[" ".join(case["argv"][:6]) for _, case in RUNS])
def test_a_report_command(
    folder: str, case: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / folder)
    assert run(capsys, *case["argv"]) == (0, case["text"], "")


def test_a_report_comes_on_standard_input_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(case for folder, case in RUNS if folder == "compose-01")
    source = TextIOWrapper(BytesIO((FOLDER / "compose-01" / "in.tab").read_bytes()), "utf-8")
    monkeypatch.setattr("sys.stdin", source)
    assert run(capsys, *case["argv"][:-1], "-") == (0, case["text"], "")


# Ratios


def test_an_older_ratio_is_replaced_and_nothing_divides_to_nan(capsys: pytest.CaptureFixture[str]) -> None:
    row = "4\t1\t4\t0\t0.800\t1.000\t0.889\ta\n2\t2\t2\t0\t0.500\t1.000\t0.667\tb\n0\t0\t0\t0\t0\t0\t0\ta/b\n"
    put("r", HEAD + row)
    out = run(capsys, "compose-measures", "-r", "a", "b", "r")[1]
    assert out.splitlines()[-1] == "2.000\t0.500\t2.000\tnan\t1.600\t1.000\t1.333\ta/b"
    assert out.count("a/b") == 1


def test_results_go_where_they_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + "4\t1\t4\t0\t0.800\t1.000\t0.889\ta\n"
    for name in ("one.tab", "two.tab"):
        put(name, text)
    assert (
        run(capsys, "compose-measures", "-r", "a", "a", "-o", "{dir}/{base}.new.{ext}", "one.tab", "two.tab")[
            0
        ]
        == 0
    )
    assert Path("two.new.tab").read_text().endswith("1.000\t1.000\t1.000\tnan\t1.000\t1.000\t1.000\ta/a\n")
    assert Path("one.tab").read_text() == text
    assert run(capsys, "compose-measures", "--in-place", "-r", "a", "a", "one.tab", "two.tab")[0] == 0
    assert Path("one.tab").read_text() == Path("one.new.tab").read_text()


def test_if_one_cannot_be_composed_none_is(capsys: pytest.CaptureFixture[str]) -> None:
    put("one.tab", HEAD + "4\t1\t4\t0\t0.800\t1.000\t0.889\ta\n")
    put("two.tab", HEAD)
    status, _, err = run(capsys, "compose-measures", "--in-place", "-r", "a", "a", "one.tab", "two.tab")
    assert (status, 'two.tab: unknown measure in this report "a"' in err) == (2, True)
    assert Path("one.tab").read_text().count("\n") == 2


# Agreement of measures


def test_agreement_from_outputs_is_that_from_their_reports(capsys: pytest.CaptureFixture[str]) -> None:
    linking = FOLDER.parent / "resampling" / "significance-01"
    systems = [str(linking / "sys1.tsv"), str(linking / "sys2.tsv"), str(linking / "gold.tsv")]
    words = ["-m", "strong_link_match", "-m", "muc"]
    found = json.loads(run(capsys, "compare-measures", "-f", "json", *words, "-g", systems[2], *systems)[1])
    for name in systems:
        put(f"{Path(name).stem}.tab", run(capsys, "evaluate", *words, "-g", systems[2], name)[1])
    reports = ["sys1.tab", "sys2.tab", "gold.tab"]
    (again,) = json.loads(run(capsys, "compare-measures", "-f", "json", "-e", *words, *reports)[1])
    assert found[0]["kendall_tau"] == again["kendall_tau"]
    assert found[0]["pearson_r"] == pytest.approx(again["pearson_r"], abs=1e-3)  # reports have three decimals


def test_measures_that_do_not_vary_agree_with_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for name, score in (("a", "0.1"), ("b", "0.2")):
        put(name, f"{HEAD}1\t1\t1\t1\t1\t1\t0.5\tm\n1\t1\t1\t1\t1\t1\t{score}\tn\n")
    (entry,) = json.loads(run(capsys, "compare-measures", "-e", "-f", "json", "a", "b")[1])
    assert (entry["pearson_r"], entry["kendall_tau"]) == (None, None)
    assert entry["median_diff"] == pytest.approx(0.35)
    assert entry["iqr_ratio"] == 0


def test_ratios_to_nothing_rank_last(capsys: pytest.CaptureFixture[str]) -> None:
    for name, score in (("a", "nan"), ("b", "0.2"), ("c", "nan"), ("d", "1.5")):
        scored(name, x=score)
    out = run(capsys, "rank-systems", "a", "b", "c", "d")[1]
    assert [line.split("\t")[2:] for line in out.splitlines()[1:]] == [
        ["1", "1.5", "d"], ["2", "0.2", "b"], ["3", "nan", "a"], ["3", "nan", "c"],
    ]  # fmt: skip


def test_a_measure_without_a_score_agrees_with_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for name, score in (("a", "nan"), ("b", "0.2"), ("c", "0.3")):
        scored(name, x=score, y=score.replace("nan", "0.1"))
    (entry,) = json.loads(run(capsys, "compare-measures", "-e", "-f", "json", "a", "b", "c")[1])
    assert [value for name, value in entry.items() if not name.startswith("measure")] == [None] * 5


# What makes no sense


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compose-measures", "-r", "a", "b", "e.tab"], 'e.tab: unknown measure in this report "a"'),
        (["compose-measures", "e.tab"], "nothing to add: give -r M1 M2"),
        (["compose-measures", "-r", "a"], "-r needs two measures"),
        (["compose-measures", "-ra", "b"], "-r is followed by two words"),
        (["compose-measures", "-r", "a", "b", "--in-place", "-o", "x", "e.tab"], "exclude each other"),
        (
            ["compose-measures", "-r", "a", "b", "-o", "{x}", "e.tab"],
            "--output may hold {dir}, {base} and {ext}",
        ),
        (["compose-measures", "-r", "a", "b", "e.tab", "f.tab"], "several results go to one place"),
        (["compose-measures", "-r", "a", "b", "no.tab"], "no.tab: No such file"),
        (["rank-systems", "bad.tab"], "bad.tab: line 1: not the head of a report of evaluate"),
        (["rank-systems", "short.tab"], "short.tab: line 2: 2 columns instead of 8"),
        (["rank-systems", "words.tab"], 'words.tab: line 2: "x" is not a number'),
        (["rank-systems", "twice.tab"], 'twice.tab: line 3: a second row of "m"'),
        (["rank-systems", "empty.tab"], "empty.tab: the file is empty"),
        (["rank-systems", "-m", "nope", "e.tab"], 'unknown measure in this report "nope"'),
        (["rank-systems", "--metric=f", "e.tab"], 'unknown metric "f"'),
        (["rank-systems", "--limit=2", "--max=1", "e.tab"], "--limit and --max exclude each other"),
        (["rank-systems", "--limit=0", "e.tab"], "--limit is a whole number from 1"),
        (["rank-systems", "--group-limit=2", "e.tab"], "--group-limit and --group-max need --group-re"),
        (["rank-systems", "--group-re=(", "e.tab"], "is no regular expression"),
        (["compare-measures", "e.tab"], "give either --gold=<path> for outputs, or -e"),
        (["compare-measures", "-e", "-g", "x", "e.tab"], "give either --gold=<path> for outputs, or -e"),
        (["compare-measures", "-e", "-f", "xml", "e.tab"], 'unknown report format "xml"'),
        (["compare-measures", "-e", "--cmap=x", "e.tab"], "are for --format=plot"),
        (["rank-systems", "endless.tab"], 'endless.tab: line 2: "inf" is not a number'),
        (["rank-systems", "e.tab"], "the reports have no measure in common"),
        (
            ["rank-systems", "-m", "tac14", TEAMS[0], "e.tab"],
            'the reports have no measure of the group "tac14" in common',
        ),
        (
            ["compose-measures", "-r", "a", "b", "-o", "{dir.x}", "e.tab"],
            "--output may hold {dir}, {base} and {ext}",
        ),
        (["compose-measures", "-r", "a", "b", "-o", "no/{base}", "e.tab"], "no/e: no such folder: no"),
        (
            ["compose-measures", "-r", "a", "b", "-o", "./e.{ext}", "e.tab"],
            "is an input and would be overwritten",
        ),
        (["compare-measures", "-e", "-m", "muc", TEAMS[0]], 'only "muc" is there: it takes two measures'),
        (["compare-measures", "-g", "no.tsv", "-m", "nope", "e.tab"], '"nope"'),
    ],
)
def test_one_line_and_status_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(words, message, capsys)


def test_group_labels_come_from_the_path(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "rank-systems", "-m", "muc", "--group-re=nothing", *TEAMS)[1]
    assert {line.split("\t")[5] for line in out.splitlines()[1:]} == {""}
    assert re.match(r"measure\tmetric\trank\tgroup rank\t", out)
