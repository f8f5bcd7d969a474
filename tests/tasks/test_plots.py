"""Plots of reports: images, and the numbers behind them."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from every import every
from score_reports import CONFIDENCE, TEAMS, put, refused, run, scored

from scorch2.tasks.linking.figures import Chart, Point, Series

pytestmark = pytest.mark.usefixtures("light_fonts")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


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


def test_a_report_of_confidence_is_read_with_its_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).parent.parent.parent / "fixtures" / "example"
    words = ["-n", "20", "-g", str(example / "gold.tsv"), str(example / "sys.tsv"), "c"]
    assert run(capsys, "confidence", *words)[0] == 0
    assert Path("c").read_text("utf-8").splitlines()[-1].startswith("# scorch2 ")
    status, out, _ = run(capsys, "plot-systems", "--table", "-i", "confidence", "--ci=95", "c")
    assert (status, out.splitlines()[1].split("\t")[0]) == (0, "strong_all_match")
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize("style", ["--columns", "--rows", "--scatter", "--lines"])
def test_a_figure_holds_its_systems(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plot-systems", "-m", "muc", "--pr", style, "-o", "./{}.svg", *TEAMS]
    assert run(capsys, *words)[0] == 0
    drawn = svg("muc.svg")
    assert all(
        f">{label}<" in drawn
        for label in ("teamA_run0", "teamA_run2", "teamB_run1", "teamB_run3", "precision", "recall")
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
        ["b_cubed", "fscore", "teamA_run0", "0.688"],
        ["b_cubed", "fscore", "teamA_run2", "0.419"],
        ["b_cubed", "fscore", "teamB_run1", "0.516"],
        ["b_cubed", "fscore", "teamB_run3", "0.386"],
    ]
    assert [row[2] for row in rows(run(capsys, *table, "--sort=score", *TEAMS)[1])[:4]] == [
        "teamA_run0", "teamB_run1", "teamA_run2", "teamB_run3",
    ]  # fmt: skip
    best = ["--group-re=team[AB]", "--best-in-group=b_cubed"]
    words = ["plot-systems", "--table", "-m", "b_cubed", *best, "--sort", "name"]
    assert [row[2] for row in rows(run(capsys, *words, *TEAMS)[1])] == ["teamA_run0", "teamB_run1"]
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


@pytest.mark.parametrize("style", ["--columns", "--rows"])
def test_an_interval_is_drawn_from_end_to_end(
    style: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 0.3 to 0.7: 0.2 to either side of 0.5, wherever the score, 0.45, lies."""
    from matplotlib.axes import Axes

    drawn: list[Any] = []
    really = Axes.errorbar

    def watching(axes: Any, x: Any, y: Any, **look: Any) -> Any:
        drawn.append((x, look.get("xerr")) if style == "--rows" else (y, look.get("yerr")))
        return really(axes, x, y, **look)

    monkeypatch.setattr(Axes, "errorbar", watching)
    put("c", CONFIDENCE)
    assert run(capsys, "plot-systems", style, "-i", "confidence", "--ci=95", "c")[0] == 0
    assert drawn == [([pytest.approx(0.5)], [pytest.approx(0.2)])]


def test_without_matplotlib_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run(capsys, "plot-systems", *TEAMS)
    assert (status, out) == (2, "")
    assert "pip install matplotlib (plot-systems --table prints what is drawn)" in err
    assert list(Path().iterdir()) == []


def bars(path: str) -> int:
    """Return the number of patches in an image: bars, four sides, two grounds, and the legend's."""
    return svg(path).count('<g id="patch_')


@pytest.mark.parametrize("style", ["--columns", "--rows"])
def test_every_score_is_a_bar(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    for count in (2, 4):
        words = ["plot-systems", "-m", "muc", "--prf", style, "-o", f"{{}}{count}.svg", *TEAMS[:count]]
        assert run(capsys, *words)[0] == 0
    assert bars("muc4.svg") - bars("muc2.svg") == 2 * 3


def test_a_ratio_to_nothing_is_no_bar_and_a_high_one_is_not_cut_off(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, score in (("a", "0.5"), ("b", "1.5"), ("c", "nan")):
        scored(name, m=score)
    for words in (["a", "b"], ["a", "b", "c"]):
        assert run(capsys, "plot-systems", "-o", f"{{}}{len(words)}.svg", *words)[0] == 0
    assert bars("m2.svg") == bars("m3.svg")
    assert ">1.4<" in svg("m3.svg")
    assert run(capsys, "plot-systems", "--limits=0,1", "-o", "{}.svg", "a", "b")[0] == 0
    assert ">1.4<" not in svg("m.svg")
    assert run(capsys, "plot-systems", "--heatmap", "-o", "heat.svg", "--single-plot", "b", "c")[0] == 0
    assert ">1.50<" in svg("heat.svg")
    assert "nan" not in svg("heat.svg")


def test_names_are_drawn_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    scored("a", **{"$\\frac$": "0.5", "_k\x07": "0.4", "\u4e2d": "0.3"})
    assert run(capsys, "plot-systems", "--single-plot", "-o", "x.svg", "a") == (
        0,
        "",
        "scorch2: saved x.svg\n",
    )
    drawn = svg("x.svg")
    assert all(f">{name}<" in drawn for name in ("$\\frac$", "_k\\x07", "\u4e2d"))


def test_labels_and_colours_are_mapped(capsys: pytest.CaptureFixture[str]) -> None:
    put("labels", '{"muc": "MUC!", "recall": "found", "teamA_run0": "ours"}')
    put("styles", '{"recall": "#012345"}')
    words = ["plot-systems", "-m", "muc", "--pr", "--label-map=labels", *TEAMS]
    assert run(capsys, *words, "--style-map=styles", "-o", "{}.svg")[0] == 0
    drawn = svg("muc.svg")
    assert all(f">{name}<" in drawn for name in ("MUC!", "found", "ours", "precision"))
    assert drawn.count("#012345") == 4 + 1  # systems, and the legend
    assert rows(run(capsys, *words, "--table")[1])[4][:3] == ["MUC!", "found", "ours"]


def test_an_interval_is_drawn_though_the_score_is_outside(capsys: pytest.CaptureFixture[str]) -> None:
    put("c", CONFIDENCE.replace("0.300", "0.500"))
    words = ["plot-systems", "-i", "confidence", "--ci=95", "c"]
    for style in ("--rows", "--lines", "--columns"):
        assert run(capsys, *words, style, "-o", "{}.svg")[0] == 0
        assert "LineCollection" in svg("muc.svg")
    assert run(capsys, "plot-systems", "-i", "confidence", "-o", "{}.svg", "c")[0] == 0
    assert "LineCollection" not in svg("muc.svg")


def test_groups_of_measures_and_the_best_of_a_group_with_nan(capsys: pytest.CaptureFixture[str]) -> None:
    put("c", CONFIDENCE)
    words = ["plot-systems", "-i", "confidence", "--table", "-m", "all"]
    assert [row[0] for row in rows(run(capsys, *words, "c")[1])] == ["muc"]
    for name, score in (("g1", "nan"), ("g2", "0.2"), ("h1", "0.1")):
        scored(name, m=score)
    words = ["plot-systems", "--table", "--group-re=^.", "--best-in-group=m", "g1", "g2", "h1"]
    assert [row[2] for row in rows(run(capsys, *words)[1])] == ["g2", "h1"]


def test_many_series_have_colours_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    scored("a", **{f"m{number}": "0.5" for number in range(15)})
    assert run(capsys, "plot-systems", "--single-plot", "-o", "x.svg", "a")[0] == 0
    drawn = svg("x.svg")
    assert len(set(re.findall(r"fill: (#\w+)", drawn))) >= 15


def test_settings_of_matplotlib_start_no_other_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "text.usetex", True)  # noqa: FBT003 - its signature
    monkeypatch.setattr("subprocess.check_output", lambda *_, **__: pytest.fail("a program is started"))
    assert run(capsys, "plot-systems", "-m", "muc", "-o", "{}.svg", *TEAMS)[0] == 0


def test_figures_are_values() -> None:
    figure = Chart("f", [Series("s", [Point("a", 0.5)])])
    assert hash(figure._replace(series=())) == hash(Chart("f", ()))


@every(
    ("words", "message"),
    [
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
        (["plot-systems", "--figsize=8,-1", "e.tab"], "--figsize is above 0"),
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
        (["plot-systems", "--group-re=(", "--best-in-group=muc", TEAMS[0]], "is not a regular expression"),
        (["plot-systems", "--sort=nope", TEAMS[0]], 'unknown measure among those that are shown "nope"'),
        (["plot-systems", "--label-map=list", TEAMS[0]], "list: $: should be an object"),
        (["plot-systems", "--style-map=list", TEAMS[0]], "list: $: should be an object"),
        (["plot-systems", "--figsize=0,8", "no"], "--figsize is above 0 and at most 50 inches"),
        (["plot-systems", "--figsize=51,8", "no"], "--figsize is above 0 and at most 50 inches"),
        (["plot-systems", "--limits=1,1", "no"], "--limits is a low and a high end"),
        (["plot-systems", "--limits=nan,1", "no"], "--limits is a low and a high end"),
        (["plot-systems", "--limits=loose", "no"], "--limits is two numbers with a comma"),
        (["plot-systems", "--at-most=0", "no"], "--at-most is a whole number from 1"),
        (["plot-systems", "--group-re=x", "no"], "--group-re and --best-in-group go together"),
        (["plot-systems", "--group-re=(", "--best-in-group=muc", "no"], "is not a regular expression"),
        (["plot-systems", "--table", "-o", "x.png", "no"], "--table prints numbers"),
        *(
            (["plot-systems", "--table", option, "no"], "--table prints numbers, --")
            for option in (
                *("--columns", "--rows", "--scatter", "--heatmap", "--lines", "--cmap=x", "--limits=0,1"),
                *("--figsize=3,4", "--legend-ncol=2", "--style-map={}"),
            )
        ),
        (
            ["plot-systems", "-i", "confidence", "--ci=95", "--heatmap", "no"],
            "--heatmap cannot show intervals",
        ),
        (
            ["plot-systems", "-i", "confidence", "--ci=95", "again"],
            'again: line 4: a second row of "muc", "fscore"',
        ),
        (
            ["plot-systems", "-i", "confidence", "--ci=95", "back"],
            "back: line 3: the interval ends before it begins",
        ),
        (["plot-systems", "-i", "confidence", "--ci=95", "open"], "open: line 1: an interval lacks its end"),
        (["plot-systems", "-o", "{}.svg", "m.svg"], "m.svg: is an input and would be overwritten"),
        (["plot-systems", "-o", "no/{}.svg", "m.svg"], "no/m.svg: no such folder: no"),
        (["plot-systems", "--run-code=1", "m.svg"], "--run-code: no code is run"),
        (
            ["plot-systems", "-m", "m", "-m", "nope", "m.svg"],
            'm.svg: unknown measure in this report "nope" (known: m)',
        ),
        (["plot-systems", "--style-map=list", "no"], "list: $: should be an object"),
    ],
)
def test_one_line_and_status_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(words, message, capsys)
