"""The lines of CoNLL files: blocks of rows, the columns of a row, and which of them is the word."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.formats.conll.cells import BLANKS
from scorch2.formats.conll.parts_of_speech import parts_of_speech
from scorch2.model.document import Columns
from scorch2.model.errors import InputError

BEGIN = re.compile(r"#\s*begin document\b(.*)")
END = re.compile(r"#\s*end document\b")
_BLANK = re.compile("[ \r]+")
_WORD_COLUMN_2012, _WORD_COLUMN_2010 = 3, 1
_WORD_COLUMN = {1: None, 2: 0, 3: 1, 4: None}
"""The word's column by the number of columns: word, cell; number, word, cell (GUM); see `_word_column`."""


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the position and text of each begin line, end line or comment, and the rows that follow it.

    The text is empty for rows that follow none of them (at the top, or after a row that starts with ``#``).
    """
    start = 0
    while start >= 0:
        stop = _next_mark(text, start + 1)
        rows = text[start : stop if stop >= 0 else None]
        line, _, rest = rows.partition("\n")
        if _is_mark(line):
            yield start, line, rest
        else:
            yield start, "", rows
        start = stop


def _next_mark(text: str, position: int) -> int:
    """Return the position of the next line that starts with ``#``, or -1."""
    found = text.find("#", position)  # ten times as fast as to find two characters
    while found > 0 and text[found - 1] != "\n":
        found = text.find("#", found + 1)
    return found


def _is_mark(line: str) -> bool:
    """Return whether a line is no token: a token whose line starts with ``#`` holds a tab."""
    return line.startswith("#") and bool("\t" not in line or BEGIN.match(line) or END.match(line))


class Beginning(NamedTuple):
    """The begin line of a document in a file."""

    text: str
    """All of the file."""
    position: int
    line: int
    path: str


class Rows(Columns):
    """The tokens between two positions of a file, with the cells of their rows."""

    __slots__ = ()

    def cells(self) -> list[list[str]]:
        """Return the cells of each token, without the one that says which mentions are there."""
        text, start, stop, begin, _ = self._source
        return [_split(line.rstrip(" \r"))[:-1] for _, line in _rows(text[start:stop], begin)]

    def tags(self) -> list[str]:
        """Return the part of speech of each token, empty where one lacks; nothing if no token has one."""
        return parts_of_speech(self.cells, *self._source)


def words_of(text: str, start: int, stop: int, begin: int, path: str) -> list[str]:
    """Return the words between two positions of a file, the first of which is on line `begin`.

    The number of columns of a row tells which of them is the word.
    """
    words: list[str] = []
    many: int | None = None
    for number, line in _rows(text[start:stop], begin):
        columns = _split(line)
        many = _word_column(columns) if many is None else many
        column = _WORD_COLUMN.get(len(columns), many)
        if column is None:
            why = f"cannot tell which of the {len(columns)} columns is the word"
            raise InputError(path, f"line {number}", why)
        words.append(columns[column])
    return words


def word_on(wanted: int, begin: Beginning) -> str | None:
    """Return the word on the line `wanted` of a document; None if its column is not known."""
    many: int | None = None
    for number, line in _rows(begin.text[begin.position :], begin.line):
        columns = _split(line)
        many = _word_column(columns) if many is None else many
        if number == wanted:
            column = _WORD_COLUMN.get(len(columns), many)
            return None if column is None else columns[column]
    return None  # pragma: no cover - a line with brackets is a line of words


def _word_column(first: Sequence[str]) -> int:
    """Return where the word is if there are many columns, by the first row of a document.

    In SemEval-2010 a row begins with the number of the token, from 1, and the word. In CoNLL-2012 it begins
    with the name of the document and the part, then comes the number, from 0.
    """
    return _WORD_COLUMN_2010 if first[0] == "1" and first[2:3] != ["0"] else _WORD_COLUMN_2012


def _split(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else _BLANK.split(line.strip(BLANKS))


def _rows(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Yield the line number and the text of each row; the text begins on line `begin`."""
    number = begin - 1
    for _, mark, rows in blocks(text):
        number += bool(mark)
        for line in rows.split("\n")[:-1]:
            number += 1
            if line.strip(BLANKS):
                yield number, line
