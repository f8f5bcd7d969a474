"""The command compare: what it takes, what it refuses, and that stored reports give the same table."""

import html
import json
import os
import re
import shutil
from functools import partial
from pathlib import Path

import command_runs
import pytest
from command_runs import EXAMPLES
from every import every

from scorch2.analysis.systems import DEFAULT
from scorch2.cli.main import main
from scorch2.model.forms import forms_of

GOLD, SYSTEM, OTHER = EXAMPLES
FEW = ["--trials=50", "-q"]
pytestmark = pytest.mark.usefixtures("folder")


printed = partial(command_runs.printed, "compare")
refused = partial(command_runs.refused, "compare")


def test_scores_are_those_of_score_and_p_those_of_significance(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(["-q", "-f", "json", "--parts=all", GOLD, SYSTEM, OTHER], capsys))
    for system in found["systems"]:
        assert main(["-f", "json", "-m", ",".join(system["scores"]), GOLD, system["system"]]) == 0
        assert system["scores"] == json.loads(capsys.readouterr().out)["scores"]
    words = ["-q", "-f", "json", "-n", "10000", "--holm", "-m", ",".join(DEFAULT), "-g", GOLD]
    assert main(["significance", *words, OTHER, SYSTEM]) == 0
    names = {"recall": "recall", "precision": "precision", "f1": "fscore"}
    tests = found["systems"][1]["tests"]
    for entry in json.loads(capsys.readouterr().out):
        for part, name in names.items():
            if name in entry["stats"]:
                test, other = tests[entry["measure"]][part], entry["stats"][name]
                assert (test["p"], test["p_holm"]) == (other["p"], other["p_holm"])
                assert test["difference"] == pytest.approx(other["diff"], abs=1e-15)


@pytest.mark.parametrize("gold", [["-g", GOLD], [f"--gold={GOLD}"]])
def test_gold_is_the_first_path_or_named(gold: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    expected = printed([*FEW, GOLD, SYSTEM, OTHER], capsys)
    assert printed([*FEW, *gold, SYSTEM, OTHER], capsys) == expected
    assert printed([*FEW, SYSTEM, OTHER, *gold], capsys) == expected
    assert printed([*gold, SYSTEM], capsys) == printed([GOLD, SYSTEM], capsys)
    assert main(["compare", *gold, "--reports", SYSTEM]) == 2
    assert "--gold does not go with --reports" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["errors", "-g", GOLD, SYSTEM], 'unknown option "-g": gold is the first path'),
        (["score", f"--gold={GOLD}", SYSTEM], 'unknown option "--gold": gold is the first path'),
        (["confidence", GOLD, SYSTEM], "gold is named with -g: scorch2 confidence -g <gold> <sys>"),
    ],
)
def test_other_commands_say_how_gold_is_named(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert why in capsys.readouterr().err


def test_stored_reports_give_the_same_table(capsys: pytest.CaptureFixture[str]) -> None:
    for system, name in ((SYSTEM, "one.json"), (OTHER, "two.json")):
        assert main(["-q", "-m", "muc,b3,ceafe,lea,conll", GOLD, system, "-o", name]) == 0
    scored = printed([*FEW, "--name=a", "--name=b", GOLD, SYSTEM, OTHER], capsys)
    stored = printed([*FEW, "--name=a", "--name=b", "--reports", "one.json", "two.json"], capsys)
    assert stored == scored
    narrow = printed([*FEW, "-m", "lea", "--reports", "one.json", "two.json"], capsys)
    assert narrow.split()[:2] == ["system", "LEA"]


def test_reports_of_score_and_of_errors_are_compared_in_the_metrics_of_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["-q", GOLD, SYSTEM, "-o", "one.json"]) == 0
    assert main(["errors", "-q", GOLD, OTHER, "-o", "two.json"]) == 0
    assert main(["compare", "-f", "csv", "--trials=50", "--reports", "one.json", "two.json"]) == 0
    out, err = capsys.readouterr()
    assert out == printed(
        [*FEW, "-f", "csv", "--name=one.json", "--name=two.json", GOLD, SYSTEM, OTHER], capsys
    )
    first, second = err.splitlines()
    assert first == "scorch2: warning: not every report has ceaf_m, blanc: left out"
    assert "are coarse" in second
    for words in (["-m", "muc"], ["-q"]):
        assert main(["compare", *words, "--against=none", "--reports", "one.json", "two.json"]) == 0
        assert capsys.readouterr().err == ""
    assert main(["compare", "-m", "muc,blanc", "--reports", "one.json", "two.json"]) == 2
    message = "two.json: $.scores: holds no blanc (there are muc, b_cubed, ceaf_e, lea, conll)"
    assert capsys.readouterr().err == f"scorch2: error: {message}\n"


@pytest.mark.parametrize("form", forms_of("systems"))
def test_the_report_goes_to_the_file_that_is_named(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*FEW, "-f", form, "-m", "muc", GOLD, SYSTEM, OTHER]
    shown = printed(words, capsys)
    assert printed([*words, "-o", "out"], capsys) == ""
    assert Path("out").read_text(encoding="utf-8") == shown


@pytest.mark.parametrize(
    ("suffix", "form"),
    [
        *((".csv", "csv"), (".html", "html"), (".HTM", "html"), (".tex", "latex"), (".md", "markdown")),
        *((".json", "json"), (".tsv", "tsv"), (".txt", "table"), ("", "table")),
    ],
)
def test_the_suffix_gives_the_form(suffix: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*FEW, "-m", "muc", GOLD, SYSTEM, OTHER]
    assert printed([*words, "-o", f"out{suffix}"], capsys) == ""
    assert Path(f"out{suffix}").read_text(encoding="utf-8") == printed([*words, "-f", form], capsys)


def test_a_third_path_is_a_system_and_is_never_written(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(OTHER, "third")
    before = {path: path.read_bytes() for path in Path("third").iterdir()}
    assert len(printed([*FEW, "-m", "muc", GOLD, SYSTEM, "third"], capsys).split("\n\n")[0].splitlines()) == 4
    assert {path: path.read_bytes() for path in Path("third").iterdir()} == before


def test_the_profile_chooses_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*FEW, "--profile=scorch", "--name=one", "--name=other", GOLD, SYSTEM, OTHER]
    head = printed(words, capsys).splitlines()[0]
    assert head.split() == ["system", "MUC", "B³", "CEAF_m", "CEAF_e", "BLANC", "CoNLL"]


def test_one_system_is_shown_without_marks(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(["-q", "--no-signature", "-m", "muc", "--name=ours", GOLD, SYSTEM], capsys)
    assert out.splitlines()[2:] == ["ours    80.08", "", out.splitlines()[-1]]
    assert out.splitlines()[-1] == "Scores in percent: mean over documents, weighted by their mentions."


def test_few_documents_are_warned_about_only_if_they_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "-m", "muc", GOLD, SYSTEM, OTHER]
    for more, warned in (
        ([], True),
        (["--against=none"], False),
        (["--against=none", "--confidence=90"], True),
    ):
        assert main([*words, *more]) == 0
        assert ("over 3 documents are coarse" in capsys.readouterr().err) is warned


@every(
    ("words", "message"),
    [
        ([GOLD, SYSTEM, SYSTEM], "is given twice"),
        ([GOLD, SYSTEM, OTHER, "out.html"], "out.html: no such file or folder (each path after gold is a"),
        ([GOLD, SYSTEM, "out.html.d"], "out.html.d: no such file or folder"),
        (["--name=a", GOLD, SYSTEM, OTHER], "1 name for 2 systems: give --name once for each"),
        (["--name=a", "--name=a", GOLD, SYSTEM, OTHER], "two systems are called a"),
        (["-", SYSTEM, OTHER], "gold cannot be standard input: it is read for every system"),
        (["--against=bst", GOLD, SYSTEM], 'unknown system to test against "bst", did you mean best?'),
        (["--against=none", "--alpha=0.1", GOLD, SYSTEM], "--alpha is for tests"),
        (["--against=none", "--seed=1", GOLD, SYSTEM], "--seed is for tests and intervals"),
        (["--alpha=much", GOLD, SYSTEM], "--alpha"),
        (["--alpha=1", GOLD, SYSTEM], '--alpha: "1" could be 1 % or 100 %: write 1%'),
        (["--parts=x", GOLD, SYSTEM], 'unknown value of --parts "x"'),
        (["-o", "out.pdf", GOLD, SYSTEM], "out.pdf: no form of report for .pdf"),
        (["-f", "junit", GOLD, SYSTEM], 'unknown report format "junit"'),
        (["-m", "mucc", GOLD, SYSTEM], 'unknown metric "mucc", did you mean muc?'),
        (["--reports", "--average=macro", "a.json", "b.json"], "--average does not go with --reports"),
        (["--reports", "--jobs=2", "a.json", "b.json"], "--jobs does not go with --reports"),
        (["-o", OTHER, GOLD, SYSTEM], "other"),
        ([GOLD], "expected: scorch2 compare [options] [--] <gold> <sys>..."),
        (
            ["--letters", "--against=best", GOLD, SYSTEM, OTHER],
            "--letters tests all pairs of systems: leave out",
        ),
        (["--against=none", "--test=bootstrap", GOLD, SYSTEM], "--test is for tests: it does not go with"),
        (["--pages=p", GOLD, SYSTEM], "--pages are pages of errors: it needs --errors"),
        (["--errors", "--letters", GOLD, SYSTEM], "--letters is about scores: it does not go with --errors"),
        (["--errors", "--reports", "a.json", "b.json"], "--reports is about scores: it does not go with"),
        (["--test=t", GOLD, SYSTEM, OTHER], 'unknown test "t" (known: permutation, bootstrap)'),
    ],
)
def test_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--average=pooled"], "cannot be compared: average is mentions here and pooled there"),
        (["-m", "lea"], "cannot be compared: one has muc, the other lea"),
    ],
)
def test_systems_that_cannot_be_compared(
    more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-q", "-m", "muc", GOLD, SYSTEM, "-o", "one.json"]) == 0
    both = more if "-m" in more else ["-m", "muc", *more]
    assert main(["-q", *both, GOLD, OTHER, "-o", "two.json"]) == 0
    assert main(["compare", "--reports", "one.json", "two.json"]) == 2
    assert message in capsys.readouterr().err


def test_systems_of_other_documents_cannot_be_compared(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(OTHER, "short")
    lost = min(Path("short").iterdir())
    lost.unlink()
    assert main(["compare", "--missing=skip", GOLD, SYSTEM, "short"]) == 2
    err = capsys.readouterr().err
    assert f'document "{lost.stem}" is only here' in err
    assert "--missing=empty" in err


def test_letters_have_a_column_and_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    """Three documents have 8 permutations: no p is below 1/4, so all systems share a letter."""
    words = ["-q", "--letters", "-m", "muc", "--name=one", "--name=two", GOLD, SYSTEM, OTHER]
    head, one, two = printed([*words, "-f", "csv"], capsys).splitlines()
    assert head == "system,muc.f1,muc.f1.letters"
    assert (one.rpartition(",")[2], two.rpartition(",")[2]) == ("a", "a")
    found = json.loads(printed([*words, "-f", "json"], capsys))
    assert [system["letters"] for system in found["systems"]] == [{"muc": {"f1": "a"}}] * 2
    (pair,) = found["pairs"]
    assert pair["systems"] == ["one", "two"]
    assert pair["tests"]["muc"]["f1"]["p_holm"] == pair["tests"]["muc"]["f1"]["p"] >= 1 / 4
    assert "<sup>a</sup>" in printed([*words, "-f", "html"], capsys)
    assert r"\textsuperscript{a}" in printed([*words, "-f", "latex"], capsys)


def test_errors_are_those_of_the_command_errors(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed([*FEW, "--errors", "-f", "json", GOLD, SYSTEM, OTHER], capsys))
    for system in found["systems"]:
        assert main(["errors", "-q", "-f", "json", GOLD, system["system"]]) == 0
        alone = json.loads(capsys.readouterr().out)
        for kind, counts in alone["errors"].items():
            share = alone["shares"][kind]["conll"]
            expected = {"errors": counts["errors"], "share": pytest.approx(share, abs=1e-12)}
            assert system["errors"][kind] == expected


def test_the_signature_says_how_errors_were_found(capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = f"{GOLD}.conll", f"{SYSTEM}.conll"
    words = [*FEW, "--errors", gold, system, gold]
    named = ["--name=one", "--name=two"]
    assert " | average=mentions | spans=overlap | documents=3 | " in printed([*words, *named], capsys)
    assert "spans=" not in printed([*FEW, *words[-3:], *named], capsys)


def test_pages_of_pairs_are_written_and_linked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names, pairs = ["one", "<two>", "th:ree"], ["1-2", "1-3", "2-1", "2-3", "3-1", "3-2"]
    words = [*FEW, "--errors", *(f"--name={name}" for name in names), GOLD, SYSTEM, OTHER, GOLD]
    (folder / "tables").mkdir()
    assert not printed(["--pages=a b", "-o", "tables/t.html", *words], capsys)
    assert sorted(os.listdir(folder / "a b")) == [f"{pair}.html" for pair in pairs]
    table = (folder / "tables" / "t.html").read_text("utf-8")
    links = re.findall('<a [^>]*href="([^#"]+)"', table)
    assert links == [f"../a%20b/{pair}.html" for pair in pairs]
    for pair, said in zip(pairs, re.findall('<a [^>]*aria-label="(errors of [^"]+)"', table), strict=True):
        one, other = (names[int(number) - 1] for number in pair.split("-"))
        assert html.unescape(said) == f"errors of {one}, compared with {other}"
        title = re.findall("<title>(.*)</title>", (folder / "a b" / f"{pair}.html").read_text("utf-8"))[0]
        assert html.unescape(title) == f"{one} against {GOLD}, compared with {other}"
    assert "<bdi>&lt;two&gt;</bdi>" in table
    shown = json.loads(printed(["--pages=p", "-f", "json", *words], capsys))
    assert shown["pages"][3] == {"systems": ["<two>", "th:ree"], "page": "p/2-3.html"}


def test_names_of_systems_are_never_cut_to_the_same_text(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"runs-of-spring/system-{number:02}/output/scored_name.json" for number in (1, 2)]
    words = [*FEW, "-m", "muc", *(f"--name={name}" for name in names), GOLD, SYSTEM, OTHER]
    latex = printed(["-f", "latex", "--plot=scores:s.svg", *words], capsys)
    assert [line.split(" & ")[0] for line in latex.splitlines() if "." in line and "&" in line] == [
        "system-01",
        "system-02",
    ]
    assert all(f">system-0{number}</text>" in Path("s.svg").read_text("utf-8") for number in (1, 2))
