"""The commands `confidence` and `significance`: neleval's layout, options, the same from stored reports."""

import gzip
import io
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from every import every

from scorch2.cli.main import main
from scorch2.version import __version__

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "reports"
GOLD, SYSTEM = str(EXAMPLE / "gold"), str(EXAMPLE / "sys")
SKIPPED = "Undefined (0/0), left out: MUC in 1 document."
"""In the third document there is no link, neither in gold nor in the system."""
WARNING = "scorch2: warning: trials over 3 documents are coarse (less than 10)\n"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    return (status, *capsys.readouterr())


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    for system, name in ((SYSTEM, "sys.json"), (GOLD, "gold.json")):
        assert main(["-f", "json", GOLD, system, name]) == 0
    return "sys.json", "gold.json"


@pytest.mark.parametrize("words", [["confidence", "sys.json"], ["significance", "sys.json", "gold.json"]])
def test_jobs_with_stored_reports_are_accepted_with_a_warning(
    words: list[str], stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert stored
    plain = run(capsys, *words, "-n", "20")
    status, out, err = run(capsys, *words, "-n", "20", "-j", "5")
    why = "scorch2: warning: --jobs changes nothing: stored reports are scored already\n"
    assert (status, out, err) == (plain[0], plain[1], why + plain[2])
    assert run(capsys, *words, "-n", "20", "-j", "5", "-q") == (*plain[:2], "")


def test_jobs_for_measures_of_linking_are_accepted_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("d\t1\t2\tE\n", encoding="utf-8")
    status, _, err = run(capsys, "confidence", "-n", "20", "-j", "5", "-g", str(path), str(path))
    assert status == 0
    assert "scorch2: warning: --jobs changes nothing: linking is scored by one process\n" in err


# Confidence


def test_columns_are_those_of_neleval(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "confidence", "-n", "50", "-g", GOLD, "-m", "muc", "-m", "conll", SYSTEM)
    assert (status, err) == (0, WARNING)
    head, *rows, note, last = out.splitlines()
    assert (note, last[:10]) == (f"# {SKIPPED}", "# scorch2 ")
    assert head == "measure\tmetric   \t99%(\t95%(\t90%(\tscore\t)90%\t)95%\t)99%"
    assert [row.split("\t")[:2] for row in rows] == [
        ["muc    ", "precision"],
        ["muc    ", "recall   "],
        ["muc    ", "fscore   "],
        ["conll  ", "fscore   "],
    ]
    for row in rows:
        numbers = row.split("\t")[2:]
        assert all(re.fullmatch(r"[01]\.\d{3}", number) for number in numbers)
        assert numbers == sorted(numbers)
    assert [row.split("\t")[5] for row in rows] == ["0.773", "0.500", "0.610", "0.610"]


def test_json_has_the_shape_of_neleval(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-n", "50", "-p", "95,50", "--metrics", "fscore,recall", "-f", "json", "-m", "muc"]
    (entry,) = json.loads(run(capsys, "confidence", *words, "-g", GOLD, SYSTEM)[1])
    assert (entry["measure"], set(entry["overall"])) == ("muc", {"fscore", "recall"})
    assert entry["overall"]["recall"] == 0.5
    assert set(entry["intervals"]["recall"]) == {"50", "95"}
    (low, high), (lower, higher) = entry["intervals"]["recall"]["50"], entry["intervals"]["recall"]["95"]
    assert lower <= low <= high <= higher


@pytest.mark.parametrize("form", ["tab", "table", "json", "markdown"])
def test_a_stored_report_gives_the_same(
    form: str, stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["confidence", "-n", "40", "-f", form, "--seed", "2"]
    assert run(capsys, *words, stored[0]) == run(capsys, *words, "-g", GOLD, SYSTEM)


def test_intervals_are_those_of_score(stored: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    scored = json.loads(run(capsys, "--confidence=90", "--trials=77", "-f", "json", GOLD, SYSTEM)[1])
    entries = json.loads(run(capsys, "confidence", "-n", "77", "-p", "90", "-f", "json", stored[0])[1])
    for entry in entries:
        of_score = scored["confidence"]["metrics"][entry["measure"]]
        assert entry["intervals"]["fscore"]["90"] == of_score["f1"]


def test_tables_are_for_reading(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["confidence", "-n", "50", "-p", "90", "-m", "muc", "-g", GOLD, SYSTEM]
    table = run(capsys, *words, "-f", "table")[1]
    assert re.search(r"^MUC     precision  77\.27  \[\d+\.\d\d, \d+\.\d\d\]$", table, re.MULTILINE)
    assert "Percent. Intervals over 50 bootstrap resamples of 3 documents, seed 0." in table
    assert "| MUC | precision | 77.27 | [" in run(capsys, *words, "-f", "markdown")[1]


def test_confidence_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["confidence", "-n", "50", "-g", GOLD, SYSTEM]
    out = run(capsys, *words)[1]
    assert run(capsys, *words, str(tmp_path / "out"))[1] == ""
    assert (tmp_path / "out").read_text("utf-8") == out


# Significance


def test_columns_of_differences_are_those_of_neleval(
    stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "significance", *stored, "-m", "muc", "-m", "conll")
    assert status == 0
    assert err.endswith(WARNING)  # behind one that gold equals gold
    head, muc, conll, *notes, last = out.splitlines()
    assert notes == [f"# sys.json: {SKIPPED}", f"# gold.json: {SKIPPED}"]
    assert last.startswith("# scorch2 ")
    assert head.split("\t") == [
        "sys1    ", "sys2     ", "measure",
        "Δ-precis", "p-precis", "Δ-recall", "p-recall", "Δ-fscore", "p-fscore",
    ]  # fmt: skip
    # recall, weighted by gold: (5·1/3 + 5·2/3 + 0)/12 against (5 + 5 + 0)/12; all 8 ways to swap are tried
    assert muc.split("\t")[:3] == ["sys.json", "gold.json", "muc    "]
    assert muc.split("\t")[5:7] == ["  -0.500", "   0.500"]
    assert conll.split("\t")[3:7] == ["        "] * 4


def test_outputs_and_stored_reports_give_the_same(
    stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    from_files = run(capsys, "significance", "-f", "json", "-g", GOLD, SYSTEM, GOLD)[1]
    from_reports = run(capsys, "significance", "-f", "json", *stored)[1]
    names = {SYSTEM: "sys.json", GOLD: "gold.json"}
    values = [
        {**one, "sys1": names[one["sys1"]], "sys2": names[one["sys2"]]} for one in json.loads(from_files)
    ]
    assert values == json.loads(from_reports)


def test_json_of_differences(stored: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["significance", "-f", "json", "-m", "muc", "--metrics", "recall", *stored]
    (entry,) = json.loads(run(capsys, *words)[1])
    assert set(entry) == {"sys1", "sys2", "measure", "stats", "skipped", "run"}
    assert entry["skipped"]["sys2"] == {"recall": 1, "precision": 1, "fscore": 1}
    assert set(entry["stats"]["recall"]) == {"diff", "p", "low", "high"}
    assert entry["stats"]["recall"]["p"] == 0.5
    (entry,) = json.loads(run(capsys, *words, "--one-sided", "--holm")[1])
    assert (entry["stats"]["recall"]["p"], entry["stats"]["recall"]["p_holm"]) == (0.25, 0.25)


def test_every_pair_of_three_systems(
    stored: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "third.json").write_text((tmp_path / "sys.json").read_text("utf-8"), encoding="utf-8")
    rows = run(capsys, "significance", *stored, "third.json", "-m", "muc")[1].splitlines()[1:-4]
    assert [[cell.strip() for cell in row.split("\t")[:2]] for row in rows] == [
        ["sys.json", "gold.json"],
        ["sys.json", "third.json"],
        ["gold.json", "third.json"],
    ]
    assert rows[1].split("\t")[3:5] == ["  +0.000", "   1.000"]


def test_reports_of_different_metrics_can_be_compared_in_those_they_share(
    stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-f", "json", "-m", "conll", "-m", "pairwise", GOLD, GOLD, "other.json"]) == 0
    one = run(capsys, "significance", "-m", "conll", stored[0], "other.json")
    other = run(capsys, "significance", "-m", "conll", *stored)
    assert one[1].splitlines()[1].split("\t")[3:] == other[1].splitlines()[1].split("\t")[3:]
    status, out, err = run(capsys, "significance", stored[0], "other.json")
    assert (status, out.splitlines()[1].split("\t")[3:]) == (0, one[1].splitlines()[1].split("\t")[3:])
    assert "not every report has muc, b_cubed, ceaf_m, ceaf_e, blanc, lea, pairwise: left out" in err


def test_tables_of_differences(stored: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["significance", *stored, "-m", "muc", "--metrics", "recall"]
    table = run(capsys, *words, "-f", "table", "--holm")[1]
    assert table.startswith("first   sys.json\nsecond  gold.json\n\nmetric ")
    assert re.search(
        r"\nMUC     recall      -50\.00  \[-\d.*\]  0\.5000    0\.5000\n\nsys\.json: Undefined", table
    )
    assert "| sys.json | gold.json | MUC | recall | -50.00 | [" in run(capsys, *words, "-f", "markdown")[1]


# 0/0: the third document alone has no link


@pytest.fixture
def without_link(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(EXAMPLE)
    return "gold/d3.json", "sys/d3.json"


def test_confidence_shows_what_is_undefined(
    without_link: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = without_link
    words = [
        "confidence",
        "-q",
        "-n",
        "20",
        "-p",
        "90",
        "-m",
        "muc",
        "--metrics",
        "recall",
        "-g",
        gold,
        system,
    ]
    assert run(capsys, *words)[1].splitlines()[1] == "muc    \trecall\t(0/0)\t(0/0)\t(0/0)"
    (entry,) = json.loads(run(capsys, *words, "-f", "json")[1])
    assert (entry["overall"], entry["intervals"]) == ({"recall": None}, {"recall": {"90": None}})
    table = run(capsys, *words, "-f", "table")[1].splitlines()
    assert table[2].split() == ["MUC", "recall", "0.00", "(0/0)"]
    assert "Percent. Intervals over 20 bootstrap resamples of 1 document, seed 0." in table
    assert "| MUC | recall | 0.00 (0/0) |  |" in run(capsys, *words, "-f", "markdown")[1]


def test_plots_read_what_is_undefined_and_what_was_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "muc\tfscore\t(0/0)\t(0/0)\t(0/0)\nlea\tfscore\t0.1\t0.2\t0.3\n"
    text = f"measure\tmetric\t90%(\tscore\t)90%\n{rows}# {SKIPPED}\n# scorch2 1.2.0 | seed=0\n"
    (tmp_path / "c.tab").write_text(text, encoding="utf-8")
    words = ["plot-systems", "-i", "confidence", "--ci=90", "--table", str(tmp_path / "c.tab")]
    status, out, _ = run(capsys, *words)
    values = [line.split("\t")[3] for line in out.splitlines()[1:]]
    assert (status, sorted(values)) == (0, ["0.2", "nan"])


def test_significance_does_not_compare_what_is_undefined(
    without_link: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = without_link
    words = ["significance", "-q", "-m", "muc", "--metrics", "recall", "-g", gold, gold, system]
    assert run(capsys, *words)[1].splitlines()[1].split() == [gold, system, "muc", "(0/0)", "(0/0)"]
    (entry,) = json.loads(run(capsys, *words, "-f", "json")[1])
    assert entry["stats"]["recall"] == dict.fromkeys(["diff", "p", "low", "high"])
    assert run(capsys, *words, "-f", "table", "--holm")[1].splitlines()[5].split() == [
        "MUC",
        "recall",
        "(0/0)",
    ]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("text", "MUC:\tR=0.0 (0/0)\tP=0.0 (0/0)\tF₁=0.0 (0/0)\n"),
        ("table", "MUC     0.00 (0/0)  0.00 (0/0)  0.00 (0/0)          0 / 0             0 / 0\n"),
        ("json", '"metrics": {"muc": {"recall": null, "precision": null, "f1": null}}'),
        ("jsonl", '"metrics": {"muc": {"recall": null, "precision": null, "f1": null}}'),
        ("tsv", "*\tmuc\t\t\t\t0\t0\t0\t0\t\t\t\t\t\t\n"),
        ("markdown", "| MUC | 0.00 (0/0) | 0.00 (0/0) | 0.00 (0/0) | 0 / 0 | 0 / 0 |\n"),
        ("junit", ">MUC:  R=0.0 (0/0)  P=0.0 (0/0)  F₁=0.0 (0/0)\n"),
        ("openmetrics", 'scorch2_score_bound{metric="muc",part="f1",end="high"} NaN\n'),
    ],
)
def test_an_undefined_score_has_no_interval_in_any_report(
    form: str, shown: str, without_link: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["-q", "--confidence=90", "--trials=20", "-m", "muc", "-f", form]
    assert shown in run(capsys, *words, *without_link)[1]


# How the figures were made


def said(out: str, form: str) -> dict[str, str]:
    """Return what an output says about how it was made, as text by name."""
    if form == "json":
        return {name: str(value) for name, value in json.loads(out)[0]["run"].items()}
    last = out.splitlines()[-1]
    program, *facts = last.removeprefix("# ").strip("`").split(" | ")
    assert last.startswith("# ") == (form == "tab"), "scripts look for rows by the names of measures"
    return {"version": program.removeprefix("scorch2 "), **dict(fact.split("=") for fact in facts)}


@pytest.mark.parametrize("form", ["tab", "table", "json", "markdown"])
def test_confidence_says_how_it_was_made(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-n", "50", "--seed", "3", "--average", "macro", "-m", "muc", "-f", form, "-g", GOLD, SYSTEM]
    assert said(run(capsys, "confidence", *words)[1], form) == {
        "version": __version__, "average": "macro", "documents": "3", "trials": "50", "seed": "3",
    }  # fmt: skip


@every("form", ["tab", "table", "json", "markdown"])
@every(
    ("words", "expected"),
    [
        ([], ("two-sided", "8", "yes")),
        (["--two-sided"], ("two-sided", "8", "yes")),
        (["--one-sided", "-n", "5"], ("one-sided", "5", "no")),
    ],
)
def test_significance_says_how_it_was_made(
    form: str, words: list[str], expected: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Three documents can be swapped in eight ways."""
    out = run(capsys, "significance", *words, "-m", "muc", "-f", form, "-g", GOLD, SYSTEM, GOLD)[1]
    side, permutations, exact = expected
    assert said(out, form) == {
        "version": __version__, "average": "mentions", "documents": "3", "side": side,
        "permutations": permutations, "exact": exact, "seed": "0",
    }  # fmt: skip


def test_two_sided_is_the_default_and_stays_accepted(
    stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    plain, two, one = (
        run(capsys, "significance", "-f", "json", "-m", "muc", *words, *stored)[1]
        for words in ([], ["--two-sided"], ["--one-sided"])
    )
    assert plain == two != one


def test_control_characters_in_names_are_escaped(
    stored: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "\x1b[2Jsys.json"
    (tmp_path / odd).write_text((tmp_path / stored[0]).read_text("utf-8"), encoding="utf-8")
    for form in ("tab", "table", "markdown"):
        out = run(capsys, "significance", "-m", "muc", "-f", form, odd, stored[1])[1]
        assert ("\x1b" in out, "\\x1b[2Jsys.json" in out.replace("\\\\", "\\")) == (False, True), form


# What makes no sense


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["significance", "sys.json"], "expected: scorch2 significance [options] [--] <sys> <sys>..."),
        (["significance", "sys.json", "sys.json"], "the system sys.json is given twice"),
        (["significance", "sys.json", "gold.json", "--bootstrap"], "--bootstrap: the test is a permutation"),
        (
            ["significance", "sys.json", "gold.json", "--one-sided", "--two-sided"],
            "--one-sided and --two-sided exclude each other",
        ),
        (["significance", "sys.json", "gold.json", "--holm"], "--holm is shown by --format=table"),
        (["significance", "-g", "-", "sys.json", "gold.json"], "gold cannot be standard input"),
        (["significance", "sys.json", "gold.json", "-f", "html"], 'unknown report format "html"'),
        (["significance", "sys.json", "gold.json", "--average", "macro"], "--average needs --gold"),
        (["confidence", "sys.json", "--profile", "conll"], "--profile needs --gold"),
        (["confidence", "sys.json", "--dask", "nowhere"], "--dask needs --gold"),
        (["significance", "sys.json", "gold.json", "--dask=local"], "--dask needs --gold"),
        (["confidence", "sys.json", "-n", "0"], "--trials is a whole number from 1"),
        (["confidence", "sys.json", "-p", "90,x"], "--percentiles is percent from 1 to below 100"),
        (["confidence", "sys.json", "-p", "90,100"], "--percentiles is percent from 1 to below 100"),
        (["confidence", "sys.json", "--metrics", "x"], 'unknown part of a score "x"'),
        (["confidence", "sys.json", "-m", "pairwise"], "holds no pairwise (there are muc, b_cubed"),
        (["confidence", GOLD], "reports/gold is a folder, which needs --gold to be scored"),
        (["confidence", str(EXAMPLE / "gold" / "d1.json")], "not a report of scorch2"),
        (["confidence", "sys.json", "-g", "sys.json"], "sys.json"),
    ],
)
def test_one_line_and_status_2(
    words: list[str], message: str, stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert stored
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_reports_that_were_made_differently(
    stored: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-f", "json", "--average=macro", GOLD, SYSTEM, "macro.json"]) == 0
    status, out, err = run(capsys, "significance", stored[0], "macro.json")
    assert (status, out) == (2, "")
    assert "sys.json and macro.json cannot be compared: average is mentions here and macro there" in err


@pytest.mark.parametrize("packed", [False, True])
def test_default_measures_do_not_depend_on_how_gold_comes(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"d{i}\t0\t2\tA\nd{i}\t4\t5\tB\n" for i in range(3)).encode()
    gold = tmp_path / "gold.tsv"
    gold.write_bytes(gzip.compress(rows) if packed else rows)
    words = ["confidence", "-q", "-n", "5", str(gold)]
    assert main([*words, "-g", str(gold)]) == 0
    of_file = capsys.readouterr().out
    assert "strong_all_match" in of_file
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gold.read_bytes())))
    assert main([*words, "-g", "-"]) == 0
    assert capsys.readouterr().out == of_file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
def test_gold_from_a_pipe_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system, pipe = tmp_path / "sys.tsv", tmp_path / "pipe"
    system.write_text("d\t0\t2\tA\n", encoding="utf-8")
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(pipe.write_bytes, system.read_bytes())
        assert main(["confidence", "-q", "-n", "5", "-g", str(pipe), str(system)]) == 0
        assert writing.result()
    assert "strong_all_match" in capsys.readouterr().out
