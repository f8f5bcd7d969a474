"""Widths: what commands print for reading fits a line of a terminal."""

import re

import pytest
from every import every

from scorch2.cli.commands import COMMANDS
from scorch2.cli.main import main
from scorch2.scoring.layout.tables import WIDTH

EXAMPLE = "fixtures/example"
SIDES = (f"{EXAMPLE}/gold.conll", f"{EXAMPLE}/sys.conll")
IDS = (f"{EXAMPLE}/gold", f"{EXAMPLE}/sys")
LINKS = ("-g", f"{EXAMPLE}/gold.tsv", f"{EXAMPLE}/sys.tsv")
LIMITS = {"errors": 110}
"""Its tables hold two gains, or four scores of a class, side by side."""
DRAWN = ("--confidence=99.9", "--trials=200")
REPORTS = ((), ("-m", "all"), ("-m", "all", *DRAWN), ("--per-document",), ("--per-document", *DRAWN))
BROKEN_DOWN = ("--types=english", "--by=type,distance")
PRINTED = (
    *(("score", "--format=text", *more, *SIDES) for more in REPORTS),
    *(("score", "--format=table", *more, *SIDES) for more in REPORTS),
    ("score", "--format=table", *BROKEN_DOWN, *SIDES),
    *(("errors", *more, *SIDES)
      for more in ((), DRAWN, ("-m", "all"), ("-m", "all", *DRAWN), ("--window=20", "-m", "all"), BROKEN_DOWN,
                   ("--list=entities",), ("--list=errors",))),
    ("errors", f"--other={EXAMPLE}/other", "--list=links", *IDS),
    ("confidence", "-f", "table", "-n", "200", "-m", "all", "-g", *SIDES),
    ("significance", "-f", "table", "-n", "200", "-m", "all", "-g", *IDS, f"{EXAMPLE}/other"),
    ("compare", "-m", "all", "--parts=all", *IDS, f"{EXAMPLE}/other"),
    ("evaluate", "-f", "table", *LINKS),
    ("evaluate", "-f", "table", "--by-doc", "-m", "all", *LINKS),
    ("list-measures",),
    ("are", "--task=3", f"{EXAMPLE}/are/gold", f"{EXAMPLE}/are/sys"),
    ("are", "--task=3", "--format=table", "--per-document", f"{EXAMPLE}/are/gold", f"{EXAMPLE}/are/sys"),
)  # fmt: skip


@every("words", PRINTED)
def test_what_is_printed_for_reading_fits(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words]) == 0
    lines = [line.expandtabs() for line in capsys.readouterr().out.splitlines()]
    limit = LIMITS.get(words[0], WIDTH)
    assert [line for line in lines if len(line) > limit and not re.match(r"scorch2 \d", line)] == []


@every("command", COMMANDS)
def test_usage_fits(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > WIDTH] == []
