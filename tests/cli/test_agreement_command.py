"""The command agreement: what it takes and prints, what it refuses, and that Python gives the same."""

import json
import shutil
from functools import partial
from pathlib import Path

import command_runs
import pytest
from command_runs import EXAMPLES

import scorch2
from scorch2.analysis.agreement import COEFFICIENTS
from scorch2.cli.main import main
from scorch2.model.forms import forms_of

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
ANN, BOB, CLEO = (str(FIXTURES / "agreement" / f"{name}.conll") for name in ("ann", "bob", "cleo"))
pytestmark = pytest.mark.usefixtures("folder")


printed = partial(command_runs.printed, "agreement")
refused = partial(command_runs.refused, "agreement")


def test_python_gives_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "-q",
        "-f",
        "json",
        "--confidence=90",
        "--trials=40",
        "--seed=3",
        "--units=all",
        "--average=pooled",
    ]
    with pytest.warns(scorch2.ScorchWarning, match="coarse"):
        found = scorch2.agreement(EXAMPLES, confidence=90, trials=40, seed=3, units="all", average="pooled")
    assert json.loads(printed([*words, *EXAMPLES], capsys)) == json.loads(found.to_json())


def test_workers_give_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(["-j", "2", *EXAMPLES], capsys) == printed(EXAMPLES, capsys)


def test_f1_is_that_of_score_whoever_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(["-f", "json", *EXAMPLES], capsys))
    for pair in found["pairs"]:
        for paths in (pair["annotators"], pair["annotators"][::-1]):
            metrics = ",".join(name for name in pair["scores"] if name not in COEFFICIENTS)
            assert main(["-q", "-f", "json", "-m", metrics, *paths]) == 0
            scores = json.loads(capsys.readouterr().out)["scores"]
            assert {name: scores[name]["f1"] for name in scores} == {
                name: pair["scores"][name] for name in scores
            }


@pytest.mark.parametrize("form", forms_of("annotators"))
def test_the_report_goes_to_the_file_that_is_named(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-f", form, "-m", "muc,alpha", ANN, BOB, CLEO]
    shown = printed(words, capsys)
    assert printed([*words, "-o", "out"], capsys) == ""
    assert Path("out").read_text("utf-8") == shown


def test_two_annotators_have_a_page_with_their_texts(capsys: pytest.CaptureFixture[str]) -> None:
    printed([ANN, BOB, "-o", "page.html", "--name=ann", "--name=bob", "-q"], capsys)
    page = Path("page.html").read_text("utf-8")
    assert "<title>ann and bob</title>" in page
    assert "A is ann, B is bob." in page
    printed([ANN, BOB, "-o", "page.html", "--title=Visit"], capsys)
    assert "<title>Visit</title>" in Path("page.html").read_text("utf-8")
    printed([ANN, BOB, CLEO, "-o", "page.html"], capsys)
    assert "<title>Agreement of annotators</title>" in Path("page.html").read_text("utf-8")


def test_documents_are_listed_lowest_first(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--no-signature", "-m", "muc,kappa", "--per-document", "--sort=muc", "--worst=2", *EXAMPLES[:2]]
    *_, last = printed(words, capsys).split("\n\n")
    assert [line.split()[0] for line in last.splitlines()[2:]] == ["harbour-000", "bridge-000"]


def test_options_of_one_side_hold_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    for number, path in enumerate((ANN, BOB, CLEO)):
        Path(f"{number}").mkdir()
        shutil.copy(path, f"{number}/d.conll")
        Path(f"{number}/notes.json").write_text("no annotation", "utf-8")
    expected = printed([ANN, BOB, CLEO, "--name=0", "--name=1", "--name=2", "--no-signature"], capsys)
    for option in ("--gold-files=*.conll", "--sys-files=*.conll"):
        assert printed(["0", "1", "2", option, "--no-signature"], capsys) == expected
    assert refused(["0", "1", "2", "--gold-files=*.conll", "--sys-files=d*"], capsys) == (
        "--gold-files and --sys-files differ: of several annotators all are read alike (give one of them)"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([ANN], "expected: scorch2 agreement [options] [--] <annotator> <annotator>... (see --help)"),
        ([ANN, ANN], "is given twice"),
        ([ANN, "nobody"], "nobody: no such file or folder"),
        (
            [ANN, BOB, "out.md"],
            "out.md: no such file or folder (each path is an annotator; -o names the report)",
        ),
        ([ANN, BOB, "--name=x"], "1 name for 2 annotators: give --name once for each, in their order"),
        ([ANN, BOB, "--name=x", "--name=x"], "two annotators are called x"),
        ([ANN, BOB, "--units=most"], 'unknown value of --units "most" (known: shared, all)'),
        ([ANN, BOB, "-m", "alfa"], 'unknown metric "alfa", did you mean alpha?'),
        ([ANN, BOB, "--sort=muc"], "--sort is for rows of documents: it needs --per-document"),
        ([ANN, BOB, "--per-document", "--sort=lea", "-m", "muc"], 'unknown column "lea" (known: muc)'),
        ([ANN, BOB, "--per-document", "--worst=0"], "--worst is a whole number from 1"),
        ([ANN, BOB, "--seed=1"], "--seed needs --confidence"),
        ([ANN, BOB, "--title=x"], "--title is about the page: it needs -f html"),
        ([ANN, BOB, CLEO, "-f", "html", "--title=x"], "--title is about the page of two annotators, not 3"),
        (
            [ANN, "-", BOB],
            "an annotator is read for every pair: of three or more none can be standard input (-)",
        ),
        (["-", "-"], "only one input can be standard input (-)"),
        (
            [ANN, BOB, "--twinless=singletons"],
            "--twinless=singletons changes one annotator of a pair and not the other",
        ),
        (
            [ANN, BOB, "--profile=scorch"],
            "--twinless=singletons changes one annotator of a pair and not the other",
        ),
        ([ANN, BOB, "-o", ANN], "is an input and would be overwritten"),
        ([ANN, BOB, "-f", "csv"], 'unknown report format "csv"'),
    ],
)
def test_wrong_words_are_refused(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in refused(words, capsys)


def test_a_missing_document_is_told_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLES[0], "ann")
    shutil.copytree(EXAMPLES[1], "bob")
    Path("bob/letter-000.json").unlink()
    assert refused(["ann", "bob"], capsys).startswith("no file of bob for 1 file of ann: letter-000")
    assert refused(["bob", "ann", "--missing=skip"], capsys).startswith(
        "no file of bob for 1 file of ann: letter-000"
    )
    assert main(["agreement", "ann", "bob", "--missing=skip"]) == 0
    warning = "scorch2: warning: letter-000: the document of ann has no output of bob and was skipped\n"
    assert capsys.readouterr().err == warning
    assert main(["agreement", "ann", "bob", "--missing=skip", "--strict"]) == 2


def test_equal_annotators_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ANN, "copy.conll")
    assert main(["agreement", ANN, "copy.conll", "--name=ann", "--name=copy"]) == 0
    out, err = capsys.readouterr()
    assert err == "scorch2: warning: ann and copy agree to the last mention: is one of them a copy?\n"
    assert out.splitlines()[2].split()[3:] == ["100.00"] * 6 + ["1.0000"] * 3
