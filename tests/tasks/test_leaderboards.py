"""Results made from several reports of evaluate: ratios, leaderboards, agreement of measures."""

import json
import re
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st
from score_reports import FOLDER, HEAD, TEAMS, put, refused, run, scored

from scorch2.tasks.linking.leaderboards import Groups, Limits, ScoreTable, rank

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


# Leaderboards


class System(NamedTuple):
    """One row of the slow leaderboard."""

    name: str
    group: str
    score: int


def slow_leaderboard(
    systems: Sequence[System], of_groups: Limits, overall: Limits
) -> list[tuple[str, int, int]]:
    """Return (name, rank, group rank) by definition: every place is counted anew for every system."""

    def kept(among: Sequence[System], limits: Limits) -> list[System]:
        """Keep systems by their position among `among`, and by how many of these are better."""
        return [
            one
            for position, one in enumerate(among)
            if (limits.entries is None or position < limits.entries)
            and (limits.rank is None or sum(other.score > one.score for other in among) < limits.rank)
        ]

    def rank(one: System, among: Sequence[System]) -> int:
        return 1 + sum(other.score > one.score for other in among)

    order = sorted(systems, key=lambda one: -one.score)
    groups = {name: [one for one in order if one.group == name] for name in {one.group for one in order}}
    left = [one for one in order if one in kept(groups[one.group], of_groups)]
    return [(one.name, rank(one, left), rank(one, groups[one.group])) for one in kept(left, overall)]


limits = st.one_of(
    st.just(Limits()),
    st.integers(1, 4).map(lambda n: Limits(entries=n)),
    st.integers(1, 4).map(lambda n: Limits(rank=n)),
)


boards = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 5)), min_size=1, max_size=12)


@given(boards, limits, limits)
def test_groups_are_cut_first_and_what_is_left_is_counted(
    board: list[tuple[str, int]], of_groups: Limits, overall: Limits
) -> None:
    systems = [System(f"{group}{i}", group, score) for i, (group, score) in enumerate(board)]
    tables = [ScoreTable(one.name, {"m": ("1", "0", "1", "0", "1", "1", str(one.score))}) for one in systems]
    names = [one.name for one in systems]
    groups = Groups(re.compile("[ABC]"), of_groups)
    found = rank(tables, names, [("m", "fscore")], overall, groups)
    shown = [(one.system, one.rank, one.group_rank) for one in found]
    assert shown == slow_leaderboard(systems, of_groups, overall)


def test_the_best_of_each_team_then_the_first_two(capsys: pytest.CaptureFixture[str]) -> None:
    """One entry per team is left, and ranks count teams: what neleval prints, but for its swapped columns."""
    for name, score in (("A1", "0.9"), ("A2", "0.8"), ("B1", "0.7"), ("B2", "0.6"), ("C1", "0.5")):
        scored(name, x=score)
    words = ["--group-re=[ABC]", "--group-limit=1", "--limit=2", "A1", "A2", "B1", "B2", "C1"]
    rows = [line.split("\t") for line in run(capsys, "rank-systems", *words)[1].splitlines()[1:]]
    shown = [(row[2], row[3], row[5], row[6]) for row in rows]
    assert shown == [("1", "1", "A", "A1"), ("2", "1", "B", "B1")]


def test_control_characters_in_names_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [put(f"\x1b[31m{i}", f"{HEAD}1\t1\t1\t1\t1\t1\t0.{i}\tm\x1b]0;x\x07\n") for i in range(1, 4)]
    for words in (
        ["rank-systems", *paths],
        ["rank-systems", "--group-re=.*", *paths],
        ["plot-systems", "--table", *paths],
        ["compose-measures", "-r", "m\x1b]0;x\x07", "m\x1b]0;x\x07", paths[0]],
    ):
        status, out, _ = run(capsys, *words)
        assert (status, "\\x1b" in out) == (0, True), words
        assert all(line.replace("\t", "").isprintable() for line in out.splitlines()), words


# What makes no sense


@every(
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
        (["compose-measures", "-r", "a", "b", "no.tab"], "no.tab: no such file or folder"),
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
        (["rank-systems", "--group-re=(", "e.tab"], "is not a regular expression"),
        (["compare-measures", "e.tab"], "give either --gold=<path> for outputs, or -e"),
        (["compare-measures", "-e", "-g", "x", "e.tab"], "give either --gold=<path> for outputs, or -e"),
        (["compare-measures", "-e", "-f", "xml", "e.tab"], 'unknown report format "xml"'),
        (["compare-measures", "-e", "--cmap=x", "e.tab"], "only --format=plot has --cmap"),
        (
            ["compare-measures", "-e", "--sort-by", "name", "--out-fmt=json", "e.tab"],
            "only --format=plot has --out-fmt, --sort-by",
        ),
        (["compare-measures", "-e", "-s", "name", "e.tab"], "only --format=plot has --sort"),
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
