"""What is made of several reports of evaluate: ratios, leaderboards, agreement of measures, plots."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from scorch2.cli import main
from scorch2.comparing.plots import Figure, Point, Series

FOLDER = Path(__file__).parent.parent / "fixtures" / "comparing"
RUNS: list[tuple[str, dict[str, Any]]] = [
    (path.parent.name, run)
    for path in sorted(FOLDER.glob("*/case.json"))
    for run in json.loads(path.read_text("utf-8"))["runs"]
]
TEAMS = [
    str(FOLDER / "rank-01" / f"{name}.tab")
    for name in ("teamA_run0", "teamA_run2", "teamB_run1", "teamB_run3")
]
HEAD = "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure\n"
CONFIDENCE = (
    "measure\tmetric   \t95%(\tscore\t)95%\n"
    "muc    \tprecision\t0.400\t0.500\t0.600\n"
    "muc    \tfscore   \t0.300\t0.450\t0.700\n"
)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    return (main(list(words)), *capsys.readouterr())


def put(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize(("folder", "case"), RUNS, ids=[" ".join(case["argv"][:6]) for _, case in RUNS])
def test_a_report_command(
    folder: str, case: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / folder)
    assert run(capsys, *case["argv"]) == (0, case["text"], "")


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


# Plots


def svg(path: str) -> str:
    return Path(path).read_text("utf-8")


def test_five_images_of_agreement(capsys: pytest.CaptureFixture[str]) -> None:
    put("names", '{"b_cubed": "B cubed!"}')
    words = [
        "-e",
        "-f",
        "plot",
        "-s",
        "mds",
        "-o",
        "{}.svg",
        "--label-map",
        "names",
        "-m",
        "muc",
        "-m",
        "b_cubed",
    ]
    status, out, err = run(capsys, "compare-measures", *words, *TEAMS)
    assert (status, out, err.count("saved")) == (0, "", 5)
    assert "B cubed!" in svg("pearson.svg")
    assert {path.stem for path in Path().glob("*.svg")} == {
        "pearson", "spearman", "kendall", "median_difference", "iqr_ratio",
    }  # fmt: skip


@pytest.mark.parametrize("style", ["--columns", "--rows", "--scatter", "--lines"])
def test_a_figure_holds_its_systems(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plot-systems", "-m", "muc", "--pr", style, "-o", "./{}.svg", *TEAMS]
    assert run(capsys, *words)[0] == 0
    drawn = svg("muc.svg")
    assert all(
        f">{label}<" in drawn for label in ("A_run0", "A_run2", "B_run1", "B_run3", "precision", "recall")
    )


@pytest.mark.parametrize(("suffix", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_images_by_their_suffix(suffix: str, magic: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plot-systems", "-m", "muc", "-o", f"x.{suffix}", "--single-plot", "--heatmap", *TEAMS]
    assert run(capsys, *words) == (0, "", f"scorch2: saved x.{suffix}\n")
    first = Path(f"x.{suffix}").read_bytes()
    assert first.startswith(magic)
    assert run(capsys, *words)[0] == 0
    assert Path(f"x.{suffix}").read_bytes() == first


def rows(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()[1:]]


def test_the_numbers_behind_a_plot(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    table = ["plot-systems", "--table", "-m", "b_cubed", "-m", "muc"]
    found = rows(run(capsys, *table, *TEAMS)[1])
    assert [row[:4] for row in found[:4]] == [
        ["b_cubed", "fscore", "A_run0", "0.688"],
        ["b_cubed", "fscore", "A_run2", "0.419"],
        ["b_cubed", "fscore", "B_run1", "0.516"],
        ["b_cubed", "fscore", "B_run3", "0.386"],
    ]
    assert [row[2] for row in rows(run(capsys, *table, "--sort=score", *TEAMS)[1])[:4]] == [
        "A_run0", "B_run1", "A_run2", "B_run3",
    ]  # fmt: skip
    best = ["--group-re=team[AB]", "--best-in-group=b_cubed"]
    words = ["plot-systems", "--table", "-m", "b_cubed", *best, "--sort", "name"]
    assert [row[2] for row in rows(run(capsys, *words, *TEAMS)[1])] == ["A_run0", "B_run1"]
    assert [row[0] for row in rows(run(capsys, *table, "--by-system", "--anon", *TEAMS)[1])[:3]] == [
        "system 1", "system 1", "system 2",
    ]  # fmt: skip
    assert [row[1] for row in rows(run(capsys, *table, "--single-plot", "--at-most=1", *TEAMS)[1])] == [
        "b_cubed", "muc",
    ]  # fmt: skip


def test_intervals_are_drawn_as_bars_of_error(capsys: pytest.CaptureFixture[str]) -> None:
    put("c", CONFIDENCE)
    words = ["plot-systems", "-i", "confidence", "--ci=95"]
    assert rows(run(capsys, *words, "--table", "c")[1]) == [["muc", "fscore", "c", "0.45", "0.3", "0.7"]]
    assert run(capsys, *words, "-o", "{}.svg", "c")[0] == 0
    assert "LineCollection" in svg("muc.svg")


def test_without_matplotlib_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run(capsys, "plot-systems", *TEAMS)
    assert (status, out) == (2, "")
    assert "pip install 'scorch2[plot]' (plot-systems --table prints what is drawn)" in err
    assert list(Path().iterdir()) == []


def test_figures_are_values() -> None:
    figure = Figure("f", [Series("s", [Point("a", 0.5)])])
    assert hash(figure._replace(series=())) == hash(Figure("f", ()))


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
        (["compare-measures", "-e", "-f", "xml", "e.tab"], 'unknown format "xml"'),
        (["compare-measures", "-e", "--cmap=x", "e.tab"], "are for --format=plot"),
        (["compare-measures", "-e", "-f", "plot", "-s", "x", "e.tab"], 'unknown order "x"'),
        (
            ["compare-measures", "-e", "-f", "plot", "-o", "x.gif", "e.tab"],
            "--output ends with .png, .pdf, .svg",
        ),
        (["compare-measures", "-e", "-f", "plot", "-o", "x.png", TEAMS[0]], "several figures go to one file"),
        (["compare-measures", "-e", "-f", "plot", "--cmap=x", TEAMS[0]], "matplotlib"),
        (["plot-systems", "--rows", "--scatter", "e.tab"], "--rows and --scatter exclude each other"),
        (["plot-systems", "--by-system", "--single-plot", "e.tab"], "exclude each other"),
        (["plot-systems", "--pr", "--prf", "e.tab"], "--pr and --prf exclude each other"),
        (["plot-systems", "--heatmap", "--pr", "e.tab"], "--heatmap shows one score"),
        (["plot-systems", "--lines", "--heatmap", "e.tab"], "--lines cannot join"),
        (["plot-systems", "--figsize=8", "e.tab"], "--figsize is two numbers"),
        (["plot-systems", "--figsize=8,-1", "e.tab"], "--figsize is two numbers"),
        (["plot-systems", "-o", "{x}.pdf", "e.tab"], "no other braces"),
        (["plot-systems", "--ci=95", "e.tab"], "--ci=<level> goes with --input=confidence"),
        (["plot-systems", "-i", "x", "e.tab"], 'unknown input "x"'),
        (["plot-systems", "-i", "confidence", "--ci=90", "c"], 'unknown level in this report "90"'),
        (["plot-systems", "-i", "confidence", "--ci=95", "e.tab"], "not the head of a report of confidence"),
        (
            ["plot-systems", "-i", "confidence", "--ci=95", "-m", "x", "c"],
            'unknown measure in this report "x"',
        ),
        (["plot-systems", "-i", "confidence", "--ci=95", "cut"], "cut: line 2: 2 columns instead of 5"),
        (["plot-systems", "e.tab"], "the reports have no measure in common"),
        (["plot-systems", "--group-re=x", TEAMS[0]], "--group-re and --best-in-group go together"),
        (["plot-systems", "--group-re=(", "--best-in-group=muc", TEAMS[0]], "is no regular expression"),
        (["plot-systems", "--sort=nope", TEAMS[0]], 'unknown measure among those that are shown "nope"'),
        (["plot-systems", "--label-map=list", TEAMS[0]], "list: $: should be an object"),
        (["plot-systems", "--style-map=list", TEAMS[0]], "list: $: should be an object"),
    ],
)
def test_one_line_and_status_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "e.tab": HEAD, "f.tab": HEAD, "bad.tab": "a\n", "empty.tab": "", "list": "[]", "c": CONFIDENCE,
        "short.tab": f"{HEAD}1\t2\n", "words.tab": f"{HEAD}x\t1\t1\t1\t1\t1\t1\tm\n",
        "twice.tab": HEAD + "1\t1\t1\t1\t1\t1\t1\tm\n" * 2, "cut": f"{CONFIDENCE.splitlines()[0]}\nmuc\tx\n",
    }  # fmt: skip
    for name, text in files.items():
        put(name, text)
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert {path.name for path in Path().iterdir()} == set(files)


def test_group_labels_come_from_the_path(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "rank-systems", "-m", "muc", "--group-re=nothing", *TEAMS)[1]
    assert {line.split("\t")[5] for line in out.splitlines()[1:]} == {""}
    assert re.match(r"measure\tmetric\trank\tgroup rank\t", out)
