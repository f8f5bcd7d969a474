"""The lines of one document in the exploded format: its sentences, with the rows that are looked at.

Columns are separated by tabs, or by blanks if a row has too few tabs. The numbers in the first column only
tell words from zeros (``14.1``) and from tokens of several words (``3-4``): words are counted, as scorers do.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.formats.conllu.parts import BLANKS, Part, blocks
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Word

IDENTITY = 10
"""The column of mentions and entities, from 0."""
BRIDGING = 11
DEIXIS = 12
CONLLU = 10
"""Columns before that of identity."""
NOTHING = ("_", "")
"""Cells that say nothing."""
_ROW = re.compile(r"\n[0-9]+\t([^\t\n]*)\t" + r"[^\t\n]*\t" * (CONLLU - 2))
"""The row of a word up to the column of identity, with the form in a group."""
_ZERO = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_BLANKS = re.compile(r"[ \t]+")


class Node(NamedTuple):
    """The row of a word or of a zero that says something about coreference."""

    end: int
    """The number of words of the document up to it, a word included."""
    zero: Word | None
    """Its place if it is a zero."""
    line: int
    identity: str
    """The cell of identity; empty if it says nothing."""
    others: Sequence[str]
    """The cells after it; none if they say nothing."""


class Sentence(NamedTuple):
    """A sentence: its words, and the rows that say something about coreference."""

    words: Sequence[str]
    marked: Sequence[Node]
    columns: int
    """The number of columns of the longest row so far."""


def cells_of(row: str) -> list[str]:
    """Return the columns of a row."""
    if row.count("\t") < CONLLU:
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
    number = before = 0
    for line, block in blocks(part.data, part.line):
        for sentence in _in_block(block.decode(), line, path, number, before):
            yield sentence
            number, before = number + 1, before + len(sentence.words)


def _in_block(block: str, line: int, path: str, number: int, before: int) -> Iterator[Sentence]:
    """Yield the sentences of a block, before which there are `number` of them, with `before` words."""
    # One pattern takes the first ten columns of the rows of all words. What is left behind each of these are
    # the cells about coreference, most of which say nothing, and the lines up to the next such row. A look at
    # each line would add a third to a run.
    begins_with_comment = block[:1] == "#"
    texts = _ROW.split(block if begins_with_comment else f"\n{block}")
    texts[-1] = texts[-1].removesuffix("\n")
    forms, left = texts[1::2], texts[::2]
    columns = left[1].partition("\n")[0].count("\t") + 1 if forms else 0
    nothing = "\t".join(["_"] * columns)
    rows = _Rows(path, forms, columns, number, before)
    line -= not begins_with_comment  # that of a row, but for the rows of words before it
    for at, text in enumerate(left):
        if text != nothing:
            cells, newline, others = text.partition("\n")
            if at and cells != nothing:
                rows.take_cells(at, line + at, cells)
            if newline:
                yield from rows.take_others(at, line + at + 1, others)
                line += others.count("\n") + 1
    if rows.is_begun(len(forms)):
        yield rows.sentence(len(forms), line + len(forms))


class _Rows:
    """The rows of a block, while sentences are made of them."""

    def __init__(self, path: str, forms: Sequence[str], columns: int, number: int, before: int) -> None:
        self._path = path
        self._forms = forms
        """The words of the block, but for those in rows without enough tabs."""
        self._taken = 0
        """The number of `_forms` that are in `_words`, or in sentences before."""
        self._words: list[str] = []
        """The words of the sentence up to a row without enough tabs."""
        self._more = before
        """The number of words of the document so far that are not among `_forms`."""
        self._number, self._before = number, before
        """The number of the sentence, and of the words before it."""
        self._marked: list[Node] = []
        self._columns = CONLLU + columns
        self._nothing = "\t".join(["_"] * (columns - 1))
        """The cells after that of identity in most rows."""
        self._has_others = False
        """Whether the sentence has rows that are not among `_forms`."""

    def take_cells(self, at: int, line: int, written: str) -> None:
        """Take what the row of the last of `at` forms says about coreference."""
        identity, _, others = written.partition("\t")
        cells: Sequence[str] = ()
        if others != self._nothing or " " in identity or "\r" in identity:
            identity, *cells = [cell.strip(" ") for cell in written.rstrip(" \r").split("\t")]
            self._columns = max(self._columns, CONLLU + 1 + len(cells))
        self._marked.append(Node(at + self._more, None, line, "" if identity == "_" else identity, cells))

    def take_others(self, at: int, first: int, lines: str) -> Iterator[Sentence]:
        """Take lines that follow the last of `at` forms, and yield the sentences that end there."""
        rank = 0
        for line, row in enumerate(lines.split("\n"), first):
            if row[:1] == "#":
                continue
            if row.strip(BLANKS):
                rank = self._take_other(at, line, row, rank)
            elif self.is_begun(at):
                yield self.sentence(at, line)
                rank = 0

    def _take_other(self, at: int, line: int, row: str, rank: int) -> int:
        """Take a row after a zero of a rank, or after a word (0); return the rank for the next one."""
        cells = _checked(row, self._path, line)
        name = cells[0]
        self._has_others = True
        self._columns = max(self._columns, len(cells))
        if name.isdecimal():
            self._words += [*self._forms[self._taken : at], cells[1]]
            self._taken, self._more, rank = at, self._more + 1, 0
        elif is_zero(name):
            rank += 1
        end = at + self._more
        zero = Word(self._number, end - self._before, rank) if rank else None
        if any(cell not in NOTHING for cell in cells[IDENTITY : DEIXIS + 1]):
            if is_range(name):
                why = f"coreference on {name}, a token of several words (write it on one of them)"
                raise InputError(self._path, f"line {line}", why)
            identity = "" if cells[IDENTITY] == "_" else cells[IDENTITY]
            self._marked.append(Node(end, zero, line, identity, cells[IDENTITY + 1 :]))
        return rank

    def is_begun(self, at: int) -> bool:
        """Return whether there is a row since the last sentence, with `at` forms so far."""
        return at > self._taken or self._has_others

    def sentence(self, at: int, line: int) -> Sentence:
        """Return the sentence that ends on a line, with the last of `at` forms."""
        words = [*self._words, *self._forms[self._taken : at]]
        if not words:
            raise InputError(self._path, f"line {line}", "a sentence ends here that has no word")
        made = Sentence(words, self._marked, self._columns)
        self._number, self._before = self._number + 1, self._before + len(words)
        self._taken, self._words, self._marked, self._has_others = at, [], [], False
        return made


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
