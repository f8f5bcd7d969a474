"""The lines of one document in the exploded format: its sentences, with the rows that are looked at.

Columns are separated by tabs, or by blanks if a row has too few tabs. The numbers in the first column only
tell words from zeros (``14.1``) and from tokens of several words (``3-4``): words are counted, as scorers do.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scorch2.formats.conllu.misc import without_coreference
from scorch2.formats.conllu.parts import BLANKS, Part, of_files
from scorch2.model.errors import InputError
from scorch2.model.markables import Row, Tree
from scorch2.model.messages import counted, quoted

IDENTITY = 10
"""The column of mentions and entities, from 0."""
BRIDGING = 11
DEIXIS = 12
_CONLLU = 10
"""Columns before that of identity."""
NOTHING = ("_", "")
"""Cells that say nothing."""
_UNMARKED = ["_"] * 3
"""The columns of coreference of most rows."""
_ZERO = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_BLANKS = re.compile(r"[ \t]+")


class Node(NamedTuple):
    """The row of a word or of a zero that says something about coreference."""

    word: int
    """The number of the word in its sentence, from 1; of the word before it for a zero."""
    rank: int
    """0 for a word, n for the n-th zero behind it."""
    line: int
    cells: list[str]


class Sentence(NamedTuple):
    """A sentence: how many words it has, and some of its rows."""

    number: int
    before: int
    """Words of the document before it."""
    length: int
    marked: list[Node]
    columns: int
    """The number of columns of its longest row."""


def cells_of(row: str) -> list[str]:
    """Return the columns of a row."""
    if row.count("\t") < _CONLLU:
        return _BLANKS.split(row.strip(BLANKS))
    if " " not in row and row[-1] != "\r":  # nearly every row
        return row.split("\t")
    cells = row.rstrip(" \r").split("\t")
    if " " in row:
        cells[IDENTITY:] = [cell.strip(" ") for cell in cells[IDENTITY:]]
    return cells


def is_zero(name: str) -> bool:
    """Return whether the first cell of a row says that it is a zero."""
    return bool(_ZERO.fullmatch(name))


def is_range(name: str) -> bool:
    """Return whether the first cell of a row says that it is a token of several words."""
    match = _RANGE.fullmatch(name)
    return match is not None and int(match[1]) < int(match[2])


def sentences(part: Part, path: str) -> Iterator[Sentence]:
    """Yield the sentences of a document, with the rows that say something about coreference.

    Raises
    ------
    InputError
        With the line: a row of too few columns or without a number, a sentence without a word.
    """
    number = before = words = rank = columns = 0
    is_begun = False
    marked: list[Node] = []
    line = part.line
    for line, row in part.lines():
        if row[:1] == "#":
            continue
        if row.strip(BLANKS):
            is_begun = True
            cells = _checked(row, path, line)
            name = cells[0]
            columns = max(columns, len(cells))
            is_word = name.isdecimal()
            if is_word:
                words, rank = words + 1, 0
            elif is_zero(name):
                rank += 1
            said = cells[IDENTITY : DEIXIS + 1]
            if said != _UNMARKED and any(cell not in NOTHING for cell in said):
                if not is_word and is_range(name):
                    why = f"coreference on {name}, a token of several words (write it on one of them)"
                    raise InputError(path, f"line {line}", why)
                marked.append(Node(words, rank, line, cells))
        elif is_begun:
            yield _ended(Sentence(number, before, words, marked, columns), path, line)
            number, before = number + 1, before + words
            words = rank = 0
            is_begun, marked = False, []
    if is_begun:
        yield _ended(Sentence(number, before, words, marked, columns), path, line)


def _checked(row: str, path: str, line: int) -> list[str]:
    """Return the columns of a row that can be read."""
    cells = cells_of(row)
    name = cells[0]
    if len(cells) > IDENTITY and name.isdecimal() and name.isascii():
        return cells
    if len(cells) <= IDENTITY:
        why = f"{counted(len(cells), 'column')} (the mentions are in the {IDENTITY + 1}th)"
    elif not is_zero(name) and not is_range(name):
        why = f"the row begins with {quoted(name)}, not with the number of a word"
    else:
        return cells
    raise InputError(path, f"line {line}", why)


def _ended(sentence: Sentence, path: str, line: int) -> Sentence:
    if not sentence.length:
        raise InputError(path, f"line {line}", "a sentence ends here that has no word")
    return sentence


def words(part: Part) -> list[str]:
    """Return the words of a document, without its zeros."""
    found = []
    for _, row in part.lines():
        if row[:1] != "#" and row.strip(BLANKS):
            cells = row.split("\t", 2) if row.count("\t") >= _CONLLU else cells_of(row)
            if cells[0].isdecimal():
                found.append(cells[1])
    return found


def tags(part: Part) -> list[str]:
    """Return the universal part-of-speech tags of the words, empty where there is none; [] without any."""
    rows = [cells_of(row) for _, row in part.lines() if row[:1] != "#" and row.strip(BLANKS)]
    found = ["" if cells[3] in NOTHING else cells[3] for cells in rows if cells[0].isdecimal()]
    return found if any(found) else []


def trees(part: Part) -> list[Tree]:
    """Return the sentences of a document with the columns of CoNLL-U; words count anew in each."""
    found: list[Tree] = []
    comments: list[str] = []
    rows: list[Row] = []
    word = rank = 0
    for _, line in [*part.lines(), (0, "")]:
        if line[:1] == "#":
            if not of_files(line):
                comments.append(line.rstrip(" \r"))
        elif line.strip(BLANKS):
            cells = cells_of(line)
            name = cells[0]
            if name.isdecimal():
                word, rank = word + 1, 0
                name = str(word)
            elif is_zero(name):
                rank += 1
                name = f"{word}.{rank}"
            else:
                first, last = map(int, name.split("-"))
                name = f"{word + 1}-{word + 1 + last - first}"
            misc = without_coreference(cells[_CONLLU - 1])
            rows.append(Row._make([name, *cells[1 : _CONLLU - 1], misc]))
        elif rows:
            found.append(Tree(comments, rows))
            comments, rows, word, rank = [], [], 0, 0
    return found
