"""The lines of one document in CoNLL-U: its sentences, with the rows that are looked at."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, repeat
from typing import NamedTuple, TypeAlias

from scorch2.formats.conllu.misc import COLUMNS
from scorch2.formats.conllu.parts import BLANKS, Part
from scorch2.model.errors import InputError, quoted

_MISC, _DEPS = 9, 8
_EMPTY_NODE = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_LONGEST = 256
"""Sentences of more words are read row by row."""
_BEGINS = [f"{number}\t" for number in range(1, _LONGEST + 1)]
"""How the rows of words begin."""
_TABS = repeat("\t")


Place: TypeAlias = tuple[int, int]
"""The number of a word in its sentence, and 0; for the empty node ``<word>.n`` n."""
_PLACES: Sequence[Place] = [(number, 0) for number in range(_LONGEST + 1)]
"""The places of words, by their number; made once, they are shared by all sentences."""


class Node(NamedTuple):
    """The row of a word or of an empty node."""

    place: Place
    line: int
    misc: str
    """Its last column, MISC; empty if there is none."""
    deps: str = ""
    """The column DEPS of an empty node; empty if there is none."""

    @property
    def name(self) -> str:
        """Its name if it is an empty node."""
        return f"{self.place[0]}.{self.place[1]}"


_node = partial(tuple.__new__, Node)  # a third of the time of Node(...), and 2 % of a run


def is_marked(row: str) -> bool:
    """Return whether a row may say something about coreference; a pattern takes three times as long."""
    return "Entity=" in row or "Bridge=" in row or "Split" in row


class Sentence:
    """A sentence of a document: how many words it has, and its empty nodes.

    No tuple, since the fields of one take four times as long to read: 3 % of a run.
    """

    __slots__ = ("before", "empty", "length", "number", "path")

    def __init__(self, path: str, number: int, before: int, length: int, empty: list[Node]) -> None:
        self.path = path
        self.number = number
        self.before = before
        """Words of the document before it."""
        self.length = length
        self.empty = empty
        """Its empty nodes, in their order."""


MarkedRows: TypeAlias = tuple[Sentence, list[Node]]
"""A sentence, and its rows, of words and of empty nodes, that are marked; in their order.

The rows are no part of the sentence, which mentions keep: a run on mentions of one word would take a sixth
more memory.
"""


def _column(row: str, number: int) -> str:
    """Return a column of a row, without blanks at the end of the row; empty if it is not there."""
    cells = row.rstrip(" \r").split("\t")
    return cells[number] if number < len(cells) else ""


class _Rows:
    """The rows of a sentence that has not ended."""

    def __init__(self, path: str) -> None:
        self.words = 0
        self.is_begun = False
        self.empty: list[Node] = []
        self.marked: list[Node] = []
        self._path = path

    def error(self, line: int, why: str) -> InputError:
        return InputError(self._path, f"line {line}", why)

    def take_word(self, line: int, row: str, rest: str) -> None:
        """Take the row of the next word; `rest` is what follows its number."""
        self.is_begun = True
        self.words += 1
        if rest.count("\t") >= COLUMNS - 1:
            raise self.error(line, f"more than {COLUMNS} columns")
        if is_marked(rest):
            self.marked.append(Node((self.words, 0), line, _column(row, _MISC)))

    def take_other(self, line: int, row: str) -> None:
        """Take a row that is not the next word."""
        self.is_begun = True
        name = row.partition("\t")[0]
        if row.count("\t") >= COLUMNS:
            raise self.error(line, f"more than {COLUMNS} columns")
        if match := _EMPTY_NODE.fullmatch(name):
            misc, deps = _column(row, _MISC), _column(row, _DEPS)
            node = Node((int(match[1]), int(match[2])), line, misc, deps)
            self.empty.append(node)
            if is_marked(row):
                self.marked.append(node)
        elif match := _RANGE.fullmatch(name):
            if int(match[1]) != self.words + 1 or int(match[2]) <= self.words + 1:
                why = (
                    f"the range {name} must begin with the next word, {self.words + 1}, and hold two or more"
                )
                raise self.error(line, why)
        else:
            why = f"{quoted(name)} where word {self.words + 1} should be (number and tab)"
            raise self.error(line, why)

    def sentence(self, number: int, before: int, line: int, *, is_ended: bool) -> MarkedRows:
        """Return the sentence with its marked rows, after which `line` follows; it must have ended there."""
        if not is_ended:
            raise self.error(line, "a comment inside a sentence (write an empty line before it)")
        if not self.words:
            raise self.error(line, "a sentence ends here that has no word")
        if self.empty:
            self.empty.sort()
            self.marked.sort()
            last = self.empty[-1]
            if last.place[0] > self.words:
                why = f"the empty node {last.name} follows no word of its sentence"
                raise self.error(last.line, why)
            for one, other in pairwise(self.empty):
                if one.place == other.place:
                    raise self.error(other.line, f"a second empty node {one.name}")
        return Sentence(self._path, number, before, self.words, self.empty), self.marked


def sentences(part: Part, path: str) -> Iterator[MarkedRows]:
    """Yield the sentences of a document, with the rows that are marked.

    Lines up to an empty one are looked at together, and one by one if they are not simply the words of a
    sentence after its comments: that takes a third of the time.

    Raises
    ------
    InputError
        With the line: words that are not numbered 1, 2, 3, a row that is none, more than ten columns.
    """
    number = before = start = 0
    line = part.line
    while (end := part.data.find(b"\n\n", start)) >= 0:
        block = part.data[start:end].decode()
        start = end + 2
        if simple := _simple(block, line):
            words, marked = simple
            found: Iterable[MarkedRows] = ((Sentence(path, number, before, words, []), marked),)
        else:
            found = _row_by_row(enumerate(block.split("\n"), line), number, before, path)
        for sentence, marked in found:
            yield sentence, marked
            number, before = number + 1, before + sentence.length
        line += block.count("\n") + 2
    lines = enumerate(part.data[start:].decode().removesuffix("\n").split("\n"), line)
    yield from _row_by_row(lines, number, before, path, is_ended=part.is_last)


def _simple(block: str, line: int) -> tuple[int, list[Node]] | None:
    """Return the number of words, and those that are marked, of a sentence that is comments, then words.

    None if there is anything else in the block.
    """
    comments = block.count("\n#") + block.startswith("#")
    rows = block.split("\n")[comments:]
    if not (0 < len(rows) <= len(_BEGINS) and all(map(str.startswith, rows, _BEGINS))):
        return None
    if set(map(str.count, rows, _TABS)) != {COLUMNS - 1}:
        return None
    first = line + comments - 1
    has_links = "Bridge=" in block or "Split" in block
    marked = [
        _node((_PLACES[word], first + word, row.rpartition("\t")[2], ""))
        for word, row in enumerate(rows, 1)
        if "Entity=" in row or (has_links and is_marked(row))
    ]
    return len(rows), marked


def _row_by_row(
    lines: Iterable[tuple[int, str]], number: int, before: int, path: str, *, is_ended: bool = True
) -> Iterator[MarkedRows]:
    """Yield the sentences of some lines; `is_ended` says whether a sentence may end after the last one."""
    rows = _Rows(path)
    at = 0
    for at, row in lines:
        name, tab, rest = row.partition("\t")
        if tab and name == str(rows.words + 1):
            rows.take_word(at, row, rest)
        elif row[:1] != "#" and row.strip(BLANKS):
            rows.take_other(at, row)
        elif rows.is_begun:
            yield rows.sentence(number, before, at, is_ended=row[:1] != "#")
            number, before = number + 1, before + rows.words
            rows = _Rows(path)
    if rows.is_begun:
        yield rows.sentence(number, before, at + 1, is_ended=is_ended)
