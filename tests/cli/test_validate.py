"""scorch2 validate: every bad file is named with its place, and the exit status says whether there is one.

`fixtures/validate/cases.json` holds files, the words of the command, the status, how each line of standard
output begins (`problems`), and all that standard error says (`warnings`, `said`).
"""

import io
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.formats.table import FORMATS
from scorch2.model.errors import InputError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
CASES = json.loads((FIXTURES / "validate" / "cases.json").read_text(encoding="utf-8"))
EXAMPLE = FIXTURES / "example"


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_files_are_validated(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in case["files"].items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case.get("stdin", "").encode())))
    status = main(["validate", *case["argv"]])
    out, err = capsys.readouterr()
    assert status == case["status"], f"0 no problem, 1 a problem, 2 an error; it said: {out}{err}"
    lines = out.splitlines()
    assert len(lines) == len(case["problems"]), f"one line per problem, not {lines}"
    for line, start in zip(lines, case["problems"], strict=True):
        assert line.startswith(start), f"the line must begin with the file and the place, {start!r}"
    said = [case["said"].replace("FORMATS", ", ".join(FORMATS))] if "said" in case else []
    assert err.splitlines() == [*case.get("warnings", ()), *said]


def test_the_example_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["gold", "sys", "gold.conll", "sys.conll", "gold.tsv", "sys.tsv"]
    assert main(["validate", *(str(EXAMPLE / name) for name in names)]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_text_beside_a_file_of_brat_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As pre-commit gives both, together or alone; a text without such a file is a problem."""
    monkeypatch.chdir(tmp_path)
    Path("d.ann").write_text("T1\tPerson 0 3\tAnn\n", "utf-8")
    Path("d.txt").write_text("Ann left.\n", "utf-8")
    Path("e.txt").write_text("Ann left.\n", "utf-8")
    for names in (["d.ann", "d.txt"], ["d.txt"]):
        assert main(["validate", *names]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["validate", "d.ann", "e.txt"]) == 1


def test_a_problem_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.json"
    path.write_text(CASES["a mention in two clusters"]["files"]["twice.json"], encoding="utf-8")
    assert main(["validate", str(path)]) == 1
    assert "--duplicates=" in capsys.readouterr().out, "the way to score such a file belongs into the message"


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["validate", "notes.txt"], "--format"),
        (["convert", "--to=conll", "notes.txt", "out.conll"], "--from"),
        (["validate-spans", "notes.txt"], "--from"),
        (["score", "notes.txt", "notes.txt"], "--gold-format or --sys-format"),
    ],
)
def test_an_unknown_format_is_named_with_the_option_that_the_command_has(
    command: list[str],
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("notes\n", encoding="utf-8")
    main(command)
    assert f"name it with {option})\n" in "".join(capsys.readouterr())


def test_validate_and_score_agree_about_every_fixture() -> None:
    """A file that scores without a warning is valid, and what cannot be scored is a problem."""
    clean = refused = 0
    texts = {file.with_suffix(".txt") for file in FIXTURES.rglob("*.ann")}  # these are no documents
    releases = {*FIXTURES.glob("versions/*")}  # folders of outputs, whose files are looked at one by one
    for path in map(str, sorted({*FIXTURES.rglob("*.*")} - texts - releases)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                report = scorch2.score(path, path, metrics="muc")
        except InputError:
            assert main(["validate", "-q", path]) == 1, path
            refused += 1
        else:
            if all(notice.code == "same" for notice in report.notices):
                assert main(["validate", path]) == 0, path
                clean += 1
    assert min(clean, refused) > 300


def test_what_validate_refuses_score_refuses_too(tmp_path: Path) -> None:
    """The promise of the command: a problem is what no run could score as it is written."""
    for number, case in enumerate(CASES.values()):
        files = [name for name in case["files"] if name in case["argv"]]
        if case["argv"] == files and case["status"] < 2 and len(files) == 1:
            path = tmp_path / f"{number}-{files[0]}"
            path.write_text(case["files"][files[0]], encoding="utf-8")
            assert main(["score", "--quiet", str(path), str(path)]) == 2 * case["status"], path.name
