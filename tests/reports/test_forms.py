"""A report form is one file and one row of the table: help texts, errors and commands follow."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from imports import PACKAGE

from scorch2.cli.dispatch import Command
from scorch2.cli.usage import WIDTH
from scorch2.model.forms import forms_of

REPORTS = forms_of("scores")

ROOT = Path(__file__).parent.parent.parent
ROW = '    "haiku": Form("seventeen syllables", {"scores": "reports.haiku"}),\n'
FORM = '''"""The haiku report."""


def scores_haiku(report, documents):
    """Return a line."""
    return f"{len(report.scores)} scores in the mist\\n"
'''


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with one more form."""
    folder = tmp_path_factory.mktemp("extended")
    shutil.copytree(PACKAGE, folder / "scorch2", ignore=shutil.ignore_patterns("__pycache__"))
    table = folder / "scorch2" / "model" / "forms.py"
    text = table.read_text("utf-8")
    last = f'    "{[*REPORTS][-1]}":'
    assert text.count(last) == 1
    table.write_text(text.replace(last, f"{ROW}{last}"), "utf-8")
    (folder / "scorch2" / "reports" / "haiku.py").write_text(FORM, "utf-8")
    return folder


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "scorch2", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "option"),
    [("score", "--help=all"), ("gate", "--help"), ("evaluate", "--help"), ("are", "--help")],
    ids=["score", "gate", "evaluate", "are"],
)
def test_a_new_form_is_in_the_help(command: str, option: str, extended: Path) -> None:
    """That of `score` has one screen, on which not all forms have a place."""
    status, out, _ = run(extended, command, option)
    assert status == 0
    found = [line for line in out.splitlines() if "haiku" in line]
    assert found
    assert max(map(len, found)) <= WIDTH


def test_a_new_form_can_be_asked_for(extended: Path) -> None:
    pair = [str(ROOT / "fixtures" / "example" / side) for side in ("gold", "sys")]
    assert run(extended, "-f", "haiku", *pair)[:2] == (0, "7 scores in the mist\n")
    assert run(extended, "--report=haiku:h.txt", *pair)[0] == 0
    assert (extended / "h.txt").read_text("utf-8") == "7 scores in the mist\n"


def test_a_new_form_is_among_those_that_an_error_lists(extended: Path) -> None:
    status, _, err = run(extended, "-f", "haikus", "g", "s")
    assert (status, "did you mean haiku?" in err, f"haiku, {[*REPORTS][-1]}" in err) == (2, True, True)


@pytest.mark.parametrize("usage", [Command(name).usage for name in ("score", "gate", "evaluate", "are")])
def test_help_texts_list_every_form_in_the_order_of_the_table(usage: str) -> None:
    words = " ".join(usage.split())
    assert ", ".join(REPORTS).removeprefix("text, ") in words
    assert "text" in words
