"""The form of a report from the suffix of its file, where none is typed."""

import os
from pathlib import Path

import pytest
from every import every

from scorch2.cli.main import main
from scorch2.model.forms import NOT_WRITTEN, forms_of

REPORTS = forms_of("scores")

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
FOLDERS = [str(EXAMPLE / "gold"), str(EXAMPLE / "sys")]
LINKED = ["-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv")]
CONFIDENCE = ["confidence", "-n", "9", "-m", "muc", "-g", *FOLDERS]
SCORED = (["score", *FOLDERS], ["are", "--task=2", str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")])
pytestmark = pytest.mark.usefixtures("folder")


def written(words: list[str], target: str) -> bytes:
    """Return what a command writes to `target`, and only there."""
    assert main([*words, target]) == 0
    assert os.listdir() == [target]
    text = Path(target).read_bytes()
    Path(target).unlink()
    return text


@every("words", SCORED)
@every(
    ("suffix", "form"),
    [
        *((suffix, name) for name, form in REPORTS.items() for suffix in form.suffixes),
        (".JSON", "json"),
        (".v2.json", "json"),
        *((suffix, "text") for suffix in ("", ".out", ".scores", ".log", ".json.bak", ".json5", ".", ".1")),
    ],
)
def test_the_suffix_gives_the_form(words: list[str], suffix: str, form: str) -> None:
    found = written(words, f"report{suffix}")
    assert found == written([*words, f"--format={form}"], f"report{suffix}")
    assert form == "text" or found != written([*words, "--format=text"], f"report{suffix}")


@every("form", REPORTS)
@every("suffix", [".txt", ".json", ".md", ".html", ".csv"])
def test_a_form_that_is_typed_wins(form: str, suffix: str) -> None:
    words = [*SCORED[0], "-f", form]
    assert written(words, f"report{suffix}") == written(words, "report")


def test_no_suffix_is_that_of_two_forms() -> None:
    suffixes = [suffix for form in REPORTS.values() for suffix in form.suffixes] + list(NOT_WRITTEN)
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix.startswith(".") and suffix == suffix.casefold() for suffix in suffixes)


@every(
    ("words", "suffix", "form"),
    [
        *((["evaluate", *LINKED], suffix, "tab") for suffix in ("", ".tsv", ".txt", ".tab")),
        (["evaluate", *LINKED], ".json", "json"),
        *((["analyze", *LINKED], suffix, "tab") for suffix in ("", ".tsv", ".txt", ".tab")),
        (["analyze", *LINKED], ".json", "json"),
        *((CONFIDENCE, suffix, "tab") for suffix in ("", ".tsv", ".txt", ".tab")),
        (CONFIDENCE, ".json", "json"),
        (CONFIDENCE, ".md", "markdown"),
    ],
)
def test_commands_with_forms_of_their_own(words: list[str], suffix: str, form: str) -> None:
    assert written(words, f"out{suffix}") == written([*words, "-f", form], f"out{suffix}")


@every(
    ("words", "suffix"),
    [
        *((words, suffix) for words in SCORED for suffix in (".pdf", ".DOCX", ".rst")),
        *(
            (SCORED[0], suffix)
            for suffix in (".csv", ".CSV", ".yaml", ".yml", ".pdf", ".png", ".svg", ".xlsx")
        ),
        *((SCORED[0], suffix) for suffix in (".json.gz", ".zip", ".ndjson", ".v2.csv")),
        *((["evaluate", *LINKED], suffix) for suffix in (".html", ".md", ".xml", ".jsonl", ".prom")),
        *((["analyze", *LINKED], suffix) for suffix in (".rst", ".md")),
        *((CONFIDENCE, suffix) for suffix in (".html", ".xml")),
    ],
)
def test_a_suffix_whose_form_there_is_not(
    words: list[str], suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, f"out{suffix}"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    last = "." + suffix.casefold().rpartition(".")[2]
    assert err.startswith(f"scorch2: error: out{suffix}: no form of report for {last} (name the")
    assert err.count("\n") == 1
    assert os.listdir() == []


@pytest.mark.parametrize("words", [SCORED[0], ["errors", *FOLDERS]], ids=["score", "errors"])
def test_rows_for_a_spreadsheet_are_found(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "-o", "out.v2.csv"]) == 2
    assert capsys.readouterr().err.endswith("; rows for a spreadsheet: out.v2.tsv)\n")
    assert written([*words, "-o"], "out.v2.tsv").count(b"\t") > 9
