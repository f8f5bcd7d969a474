"""Names of measures, facts and documents on standard output and standard error: none acts there."""

import json
import re
from pathlib import Path

import pytest
from every import every

from scorch2.cli.main import main
from scorch2.model.forms import forms_of

REPORTS = forms_of("scores")

COMMAND = re.compile(r"^\s*::|##\w*\[")
"""What GitHub and Azure take for a command in a line of a log."""
FIELD = "x\n\x1b[31m ##[error]<b>`@name` ![](x)"
GOLD = f"d\t0\t4\tE1\t1\t{json.dumps({FIELD: 'a'})}\n"
"""Annotations whose types are objects with a field of that name."""
MEASURE = f"sets::span+{FIELD}"
PREFIX = "N\n::error::pwn ##[error]x <b>`@name` ![](https://e.x)"


def acts(text: str) -> list[str]:
    """Return the lines of a log that a CI system would take for a command, or that control a terminal."""
    wild = [line for line in text.split("\n") if not all(cell.isprintable() for cell in line.split("\t"))]
    return [*wild, *(line for line in text.split("\n") if COMMAND.search(line))]


def outside_code(line: str) -> str:
    """Return a line of Markdown without its code spans."""
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)


@pytest.mark.parametrize("form", [name for name, form in REPORTS.items() if form.listing])
def test_a_document_cannot_begin_a_command(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"doc_key": "::error::pwn", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    (tmp_path / "g.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps({**row, 'doc_key': '##[error]'})}\n")
    words = ["-f", form, "--per-document", str(tmp_path / "g.jsonl"), str(tmp_path / "g.jsonl")]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert acts(out) == []
    assert r"\x3a:error::pwn" in out.replace(r"\textbackslash{}", "\\")


@pytest.fixture
def linked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Return annotations, and a stored report of them with hostile names of a measure and in a fact."""
    gold = tmp_path / "g.tsv"
    gold.write_text(GOLD, "utf-8")
    stored = tmp_path / "stored.json"
    words = ["-g", str(gold), "-f", "none", "-m", MEASURE, f"--nil={PREFIX}", f"--report=json:{stored}"]
    assert main(["evaluate", *words, str(gold)]) == 0
    capsys.readouterr()
    return str(gold), str(stored)


@every(
    "words",
    [
        ["evaluate", "-m", MEASURE, "-g", "GOLD", "GOLD"],
        ["evaluate", "-m", MEASURE, "-f", "table", "-g", "GOLD", "GOLD"],
        ["evaluate", "-m", MEASURE, "-f", "json", "-g", "GOLD", "GOLD"],
        *(
            ["gate", f"--fail-under={MEASURE}=0.5", f"--report={form}", "STORED"]
            for form in REPORTS
            if form != "github"
        ),
        ["gate", f"--fail-under={MEASURE}=0.5", "STORED"],
        *(["confidence", "-n", "50", "-f", form, "STORED"] for form in forms_of("confidence")),
        *(
            ["compare", "--reports", "--trials=50", "-f", form, "STORED", "OTHER"]
            for form in forms_of("systems")
        ),
        *(["significance", "-n", "50", "-f", form, "STORED", "OTHER"] for form in forms_of("significance")),
    ],
)
def test_no_measure_and_no_fact_acts_in_a_command(
    words: list[str], linked: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, stored = linked
    other = tmp_path / "other.json"
    other.write_text(Path(stored).read_text("utf-8"), "utf-8")
    paths = {"GOLD": gold, "STORED": stored, "OTHER": str(other)}
    assert main([paths.get(word, word) for word in words]) == 0
    found = capsys.readouterr()
    assert acts(found.out) == acts(found.err) == []
    if "markdown" in " ".join(words):
        assert all(not re.search(r"@name|<b>|!\[", outside_code(line)) for line in found.out.splitlines())
