"""Mutations of files in rows, by line and cell; the fixtures are the valid ones. Used by fuzz_rows.py."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from broken_bytes import bent
from broken_lines import delete_line, double_line, move_line
from dice import Dice

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "formats"
_GAPS = re.compile(r"([\t ;:]+)")
_MARKS = re.compile(r"([\s\"'<>{}\[\],=:/]+)")
MARKED = ("annotators", "sacr", "csv", "sgml", "xmi", "gate", "naf", "tei", "glozz", "columns")
"""Formats of markup, JSON and commas, whose parts lie between other signs."""
ODD = (
    "", "-1", "0", "1", "00", "7", "-", "_", "T1", "T2", "T9", "T", "E1", "R1", "*", "#1", "A1", "N1",
    "Equiv", "Coref", "COREF", "coreference", "MENTION", "APPOS", "COP", "Arg1:T1", "Arg2:E1", ":", ";", "é",
    "\u0663", "\u00b2", "1e3", "+1", " 1", "1 ", "0 4", "4 0", "0 1;2 3", "0 1;", "9" * 18, "9" * 19,
    "n" * 300,
    "\u00a0", "\u2028", "\x85", "\x0b", "\x1f", "\r", "\x1b[31m", "NIL", "NIL1", "text", '"',
)  # fmt: skip
GAPS = (
    '"', "<", ">", "/>", "{", "}", "[", "]", ",", "=", "\t", " ", "\t\t", "  ", " \t", "\t ", "", ";", ":",
    "\r", "\x0b", "\u3000",
)  # fmt: skip


@cache
def seeds(form: str) -> tuple[str, ...]:
    """Return the texts of the fixtures that hold one format."""
    twins = [*(FOLDER / form).glob("*.twin.json"), *(FOLDER / "valid").glob("*.twin.json")]
    names = [
        twin.with_name(twin.name.removesuffix(".twin.json"))
        for twin in sorted(twins)
        if json.loads(twin.read_text("utf-8"))["format"] == form
    ]
    return tuple(name.read_bytes().decode() for name in names)


def example(form: str, dice: Dice) -> bytes:
    """Return a valid file with a few mutations."""
    gaps = _MARKS if form in MARKED else _GAPS
    lines = [gaps.split(line) for line in dice.pick(seeds(form)).split("\n")]
    for _ in range(1 + dice.below(3)):
        dice.pick(_CHANGES)(lines, dice)
    data = "\n".join("".join(parts) for parts in lines).encode()
    return bent(data, dice) if dice.chance(0.1) else data


_Lines = list[list[str]]


def _some_cell(lines: _Lines, dice: Dice) -> str:
    return dice.pick(dice.pick(lines)[::2])


def _set_cell(lines: _Lines, dice: Dice) -> None:
    line = dice.pick(lines)
    line[2 * dice.below((len(line) + 1) // 2)] = (
        dice.pick(ODD) if dice.chance(0.5) else _some_cell(lines, dice)
    )


def _set_gap(lines: _Lines, dice: Dice) -> None:
    line = dice.pick(lines)
    if len(line) > 1:
        line[2 * dice.below(len(line) // 2) + 1] = dice.pick(GAPS)


def _drop_cells(lines: _Lines, dice: Dice) -> None:
    line = dice.pick(lines)
    place = 2 * dice.below((len(line) + 1) // 2)
    del line[place : place + (2 if dice.chance(0.7) else len(line))]
    line[:] = line or [""]


def _add_cell(lines: _Lines, dice: Dice) -> None:
    dice.pick(lines).extend([dice.pick(GAPS), dice.pick(ODD)])


_CHANGES: tuple[Callable[[_Lines, Dice], None], ...] = (
    _set_cell, _set_cell, _set_cell, _set_gap, _drop_cells, _add_cell, double_line, delete_line, move_line,
)  # fmt: skip
