"""The coreference cell of a CoNLL row: the mentions that open, close or stand alone on its token."""

import re
from functools import lru_cache
from typing import TypeAlias

from scorch2.model.errors import InputError, printable, quoted

_TAG = re.compile(r"\(([^()|\s]+)(\)?)|([^()|\s]+)\)|\|")
BLANKS = " \t\r"
"""The blank characters: no others separate columns, or may stand on a line that ends a sentence."""
DISCARDED = re.compile(r"\(\d+\+\d\)")
"""A mention with two antecedents in an old format; the reference scorer skips it."""
_OTHER_COLUMN = re.compile(r"\([^()|\s]+\*(?=[()|]|$)|^\*\)")
"""Brackets of roles, names and phrases, such as ``(ARG0*)``, ``(PERSON*``, ``*)`` and ``(S(NP*``."""
CLOSE, SINGLE, OPEN, REOPEN = range(4)
"""The actions of tags, in their order on one token; an open after a close of the same entity is a reopen."""
Tags: TypeAlias = tuple[tuple[int, str], ...]


def cell_of(line: str, number: int, path: str) -> str:
    """Return the last column; it may be empty unless the one before it holds brackets."""
    if "\t" not in line:
        return line.rstrip(BLANKS).rpartition(" ")[2]
    before, _, cell = line.rstrip(" \r").rpartition("\t")
    if not cell and set("()") & set(before.rpartition("\t")[2]):
        why = "the last column is empty and brackets stand before it (write - there, or drop the last tab)"
        raise InputError(path, f"line {number}", why)
    return cell.strip(BLANKS)


def tags_of(cell: str, number: int, path: str) -> Tags:
    """Return the tags of a cell, closing ones first: a mention ends before the next one begins."""
    if cell in ("", "-", "_", "*"):
        return ()
    tags, end = _first_tags(cell)
    if end != len(cell) or not tags:
        why = f"the coreference cell {quoted(cell)} cannot be read at {quoted(printable(cell[end:]))}"
        raise InputError(path, f"line {number}", why)
    return tags


def refuse_other_column(cell: str, number: int, path: str) -> None:
    """Raise an InputError if a cell is of the columns that stand before the one of coreference."""
    if "*" in cell and _OTHER_COLUMN.search(cell):
        why = f"no coreference column: {quoted(cell)} in the last column marks roles, names or phrases"
        raise InputError(path, f"line {number}", f"{why} (the last column must hold tags such as (1), or -)")


@lru_cache(1 << 14)  # the same cells stand in many files: half the time of small ones
def _first_tags(cell: str) -> tuple[Tags, int]:
    """Return the tags at the beginning of a cell, and the position of the first text that is no tag."""
    closing, single, opening = [], [], []
    position = 0
    while match := _TAG.match(cell, position):  # never searched: that would try every letter of a long word
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed:
            closing.append(closed)
        elif closed_at_once:
            single.append(opened)
        elif opened:
            opening.append(opened)
    closed_here = set(closing)
    tags = (
        *[(CLOSE, entity) for entity in closing],
        *[(SINGLE, entity) for entity in single],
        *[(REOPEN if entity in closed_here else OPEN, entity) for entity in opening],
    )
    return tags, position


def plain_tags(cell: str) -> list[tuple[str, str]]:
    """Return the sorted tags of a cell: "close", "open" or "single" and entity; none if unreadable."""
    try:
        tags = tags_of(cell, 0, "")
    except InputError:
        return []
    return sorted((("close", "single", "open", "open")[action], entity) for action, entity in tags)
