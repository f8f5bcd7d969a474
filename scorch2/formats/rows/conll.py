"""Columns of CoNLL-2011/2012 and SemEval-2010: the last one says which mentions open and close on a token.

Read strictly and from left to right. The coreference cell is ``-``, ``_``, ``*`` or empty where nothing
happens, else tags with or without pipes: ``(7`` opens a mention of entity 7, ``7)`` closes the last one
opened, ``(7)`` is a mention of one token, and so is ``(7|7)``. Any identifier without brackets, pipes and
blanks is allowed. On one token mentions close before others open. Columns end at tabs if a line holds one, at
blanks otherwise. A line that starts with ``#`` and holds no tab is a comment.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.model.document import Columns, Document, Words
from scorch2.model.errors import InputError, counted, printable, quoted

if TYPE_CHECKING:
    from typing_extensions import Self

_TAG = re.compile(r"\(([^()|\s]+)(\)?)|([^()|\s]+)\)|\|")
BLANKS = " \t\r"
"""The blank characters: no others separate columns, or may stand on a line that ends a sentence."""
DISCARDED = re.compile(r"\(\d+\+\d\)")
"""A mention with two antecedents in an old format; the reference scorer skips it."""
_OTHER_COLUMN = re.compile(r"\([^()|\s]+\*(?=[()|]|$)|^\*\)")
"""Brackets of roles, names and phrases, such as ``(ARG0*)``, ``(PERSON*``, ``*)`` and ``(S(NP*``."""
CLOSE, SINGLE, OPEN, REOPEN = range(4)
"""The actions of tags, in their order on one token; an open after a close of the same entity is a reopen."""
CLOSED_FIRST = "a mention closed before the next of its entity opened"
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
    closing, single = [], []
    opening: dict[str, int] = {}  # the number of mentions by entity
    position = 0
    while match := _TAG.match(cell, position):  # never searched: that would try every letter of a long word
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed and opening.get(closed):
            opening[closed] -= 1
            single.append(closed)
        elif closed:
            closing.append(closed)
        elif closed_at_once:
            single.append(opened)
        elif opened:
            opening[opened] = opening.get(opened, 0) + 1
    closed_here = set(closing)
    tags = (
        *[(CLOSE, entity) for entity in closing],
        *[(SINGLE, entity) for entity in single],
        *[
            (REOPEN if entity in closed_here else OPEN, entity)
            for entity, number in opening.items()
            for _ in range(number)
        ],
    )
    return tags, position


def plain_tags(cell: str) -> list[tuple[str, str]]:
    """Return the sorted tags of a cell: "close", "open" or "single" and entity; none if unreadable."""
    try:
        tags = tags_of(cell, 0, "")
    except InputError:
        return []
    return sorted((("close", "single", "open", "open")[action], entity) for action, entity in tags)


_COLUMN = 4
_NO_TAG = ("", "-", "_", "*")


BEGIN = re.compile(r"#\s*begin document\b(.*)")
END = re.compile(r"#\s*end document\b")
_BLANK = re.compile("[ \r]+")
_WORD_COLUMN_2012, _WORD_COLUMN_2010 = 3, 1
_WORD_COLUMN = {1: None, 2: 0, 3: 1, 4: None}
"""The word's column by the number of columns: word, cell; number, word, cell (GUM); see `_word_column`."""


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the position and text of each begin line, end line or comment, and the rows that follow it."""
    # The text is empty for rows that follow none of them (at the top, or after a row that starts with ``#``).
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

    text: str  # all of the file
    position: int
    line: int
    path: str


class ConllRows(Columns):
    """The tokens between two positions of a file, with the cells of their rows."""

    __slots__ = ("kept", "plain")

    kept: Callable[[], list[list[str]]]  # finds the cells once, if they are asked for again and again
    plain: tuple[str, Sequence[str], str]
    """What separates columns, the text before each cell that holds tags, and the text after the last one."""

    def are_surely(self, other: Words) -> bool:
        """Return whether the rows are the same ones, but for the column of mentions."""
        return isinstance(other, ConllRows) and self._untagged() == other._untagged()  # noqa: SLF001 - same class

    def _untagged(self) -> str:
        """Return the rows with the cell of those without tags in place of all tags."""
        separator, before, rest = self.plain
        untagged = next((text for text in (*before, rest) if "\n" in text.lstrip("\n")), "").lstrip("\n")
        cell = untagged.partition("\n")[0].rpartition(separator)[2]
        return f"{separator}{cell}\n".join([*before, rest])

    def once(self) -> "Self":
        """Return the same rows, which are split once for words, tags and speakers."""
        same, source = super().once(), self._source
        same.kept = kept = cache(self.cells)
        found = cache(
            lambda: _words_in(kept(), *source)
        )  # with `same` in it, nothing would let go of the cells
        same._find = lambda *_: found()  # noqa: SLF001 - same class
        return same

    def cells(self) -> list[list[str]]:
        """Return the cells of each token, without the one that says which mentions are there."""
        if hasattr(self, "kept"):
            return self.kept()
        text, start, stop, begin, _ = self._source
        return [_split(line.rstrip(" \r"))[:-1] for _, line in _rows(text[start:stop], begin)]

    def tags(self) -> list[str]:
        """Return the part of speech of each token, empty where one lacks; nothing if no token has one."""
        tags = [row[_COLUMN] if len(row) > _COLUMN else "" for row in self.cells()]
        found = ["" if tag in _NO_TAG else tag for tag in tags]
        return found if any(found) else []


def _words_in(rows: Sequence[Sequence[str]], *source: Any) -> list[str]:
    """Return the words among cells; where a row has few of them, as the file is read."""
    if not all(len(row) > _WORD_COLUMN_2012 for row in rows):
        return words_of(*source)
    column = _word_column(rows[0]) if rows else 0
    return [row[column] for row in rows]


def words_of(text: str, start: int, stop: int, begin: int, path: str) -> list[str]:
    """Return the words between two positions of a file, the first of which is on line `begin`."""
    # The number of columns of a row tells which of them is the word.
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
    """Return where the word is if there are many columns, by the first row of a document."""
    # In SemEval-2010 a row begins with the number of the token, from 1, and the word. In CoNLL-2012 it begins
    # with the name of the document and the part, then comes the number, from 0.
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


_SHOWN = 40  # characters of a word that a message shows
_NAME = re.compile(r"\((.*)\);?(?:\s*part\s+(\S+))?")

ENDS = {"\t": ("\t-\n", "\t_\n", "\t*\n", "\t-\t\n"), " ": (" -\n", " _\n", " *\n")}
"""Per separator: the ends of lines without a tag."""


@cache
def other_lines(end: str) -> re.Pattern[str]:
    """Return a pattern that matches the end of all lines that do not end so."""
    return re.compile(rf"\n(?<!{re.escape(end)})")


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order, with token spans as mentions."""
    # A document is called ``<name>-<part>`` or, without a part, ``<name>``; one without a name is called
    # `stem`.
    current: _ConllReader | None = None
    cells: dict[str, Tags] = {}
    begun: dict[str, int] = {}
    text = text.replace("\r\n", "\n") if "\r" in text else text
    text = text if text.endswith("\n") else f"{text}\n"
    number = 0
    for start, mark, rows in blocks(text):
        number += bool(mark)
        if begin := BEGIN.match(mark):
            name = document_name(begin[1], stem)
            _refuse_begin(name, number, current, begun, path)
            current = _ConllReader(name, Beginning(text, start, number, path), cells)
            begun[name] = number
        elif END.match(mark):
            yield _ended(current, text, start, number, path)
            current = None
        elif mark and current:
            current.comments += 1
        if current:
            number = current.take(rows, number)
        else:
            _refuse_tokens(rows, number, path)
            number += rows.count("\n")
    if current:
        why = f"the document {quoted(current.name)} has no #end document line"
        raise InputError(path, f"line {current.begin.line}", why)
    if not begun:
        raise InputError(path, "", "no document in it (no #begin document line)")


def _refuse_begin(
    name: str, number: int, current: "_ConllReader | None", begun: Mapping[str, int], path: str
) -> None:
    if current:
        why = f"a document begins inside {quoted(current.name)}, which has no #end document line"
        raise InputError(path, f"line {number}", why)
    if name in begun:
        why = f"a second document is called {quoted(name)}, as on line {begun[name]}"
        raise InputError(path, f"line {number}", why)


def _ended(current: "_ConllReader | None", text: str, stop: int, number: int, path: str) -> Document:
    if not current:
        raise InputError(path, f"line {number}", "a document ends here that never began")
    return current.document(ConllRows(words_of, text, current.begin.position, stop, current.begin.line, path))


def _refuse_tokens(rows: str, before: int, path: str) -> None:
    for number, line in enumerate(rows.split("\n"), before + 1):
        if line.strip(BLANKS):
            why = "a token outside a document (no #begin document line before it)"
            raise InputError(path, f"line {number}", why)


def document_name(written: str, stem: str = "") -> str:
    """Return the name in the rest of a begin line, with `stem` where it is empty.

    >>> document_name(" (bc/cctv_0000); part 000"), document_name(" GUM_news_afghan"), document_name(" ", "x")
    ('bc/cctv_0000-000', 'GUM_news_afghan', 'x')
    """
    match = _NAME.fullmatch(written.strip())
    name, part = match.groups() if match else (written.strip(), None)
    return "-".join(word for word in (name or stem, part) if word)


class _ConllReader:
    """A document whose end line was not reached yet."""

    def __init__(self, name: str, begin: Beginning, cells: dict[str, Tags]) -> None:
        self.name = name
        self.begin = begin
        self.comments = 0
        self._discarded = ""  # a tag that the reference scorer skips, if there is one
        self._touching = 0  # tokens on which an entity ends one mention and begins another
        self._path = begin.path
        self._cells = cells  # the cells of the file that were read before
        self._separator = "\t"
        self._before: list[str] = []  # the text before each cell that holds tags, and
        self._rest = ""  # the text after the last one
        self._tokens = 0
        self._breaks = [0]  # tokens before each blank line
        self._spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._unclosed: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """First token and line of the mentions that are open, by entity."""

    def take(self, rows: str, before: int) -> int:
        """Read rows and blank lines that follow line `before` of the file; return the line of the last."""
        separator = self._separator = "\t" if "\t" in rows else " "
        rows_before, waiting = self._before, self._rest
        cells, spans, unclosed = self._cells, self._spans, self._unclosed
        token, shift = self._tokens - 1, before + 1 - self._tokens  # a token is on the line token + shift
        end = next((end for end in ENDS[separator] if end in rows), ENDS[separator][0])
        parts = other_lines(end).split(rows)
        rest = parts.pop()
        for part in parts:  # lines without a tag, then one that may hold some
            token += part.count(end) + 1  # half the instructions of counting line breaks alone
            text, _, cell = part.rpartition(separator)
            tags = cells.get(cell)
            if tags is None:
                line = part.rpartition("\n")[2]
                if not line.strip(BLANKS):
                    self._breaks.append(token)
                    token, shift = token - 1, shift + 1
                    waiting += f"{part}\n"
                    continue
                tags = self._read_cell(line, token + shift)
            rows_before.append(waiting + text)
            waiting = ""
            for action, entity in tags:
                members = spans[entity]
                if action == OPEN:
                    unclosed[entity].append((token, token + shift))
                elif action == SINGLE:
                    members.append((token, token + 1))
                elif action == REOPEN:
                    unclosed[entity].append((token, token + shift))
                    self._touching += 1
                elif opened := unclosed[entity]:
                    members.append((opened.pop()[0], token + 1))
                else:
                    raise self._unopened(entity, token + shift)
        token += rest.count("\n")
        self._rest = waiting + rest
        self._tokens = token + 1
        return token + shift

    def document(self, words: ConllRows) -> Document:
        words.plain = self._separator, self._before, self._rest
        for entity in self._spans:
            if left := self._unclosed.get(entity):
                line = left[-1][1]
                shown = f"begins here{self._word_on(line)} and does not end in the document"
                raise InputError(self._path, f"line {line}", f"a mention of entity {quoted(entity)} {shown}")
        sentences = [end - start for start, end in pairwise([*self._breaks, self._tokens]) if end > start]
        notes = []
        if self.comments:
            what = counted(self.comments, "comment line")
            notes.append(f"{what} inside the document, not counted as tokens")
        if self._discarded:
            notes.append(f"tags such as {self._discarded} name an entity; the reference scorer discards them")
        if self._touching:
            where = counted(self._touching, "token")
            notes.append(f"on {where} {CLOSED_FIRST}")
        return Document(
            self.name, dict(self._spans), self._path, sentences, "conll", words=words, notes=notes
        )

    def _unopened(self, entity: str, line: int) -> InputError:
        shown = f"a token{self._word_on(line)} where none of its mentions is open"
        return InputError(self._path, f"line {line}", f"entity {quoted(entity)} ends on {shown}")

    def _word_on(self, line: int) -> str:
        """Return the word on a line for a message; nothing if its column is not known."""
        word = word_on(line, self.begin)
        return "" if word is None else f" ({quoted(word, _SHOWN)})"

    def _read_cell(self, line: str, number: int) -> Tags:
        cell = cell_of(line, number, self._path)
        refuse_other_column(cell, number, self._path)
        tags = tags_of(cell, number, self._path)
        if discarded := DISCARDED.search(cell):
            self._discarded = discarded[0]
        elif cell:  # whether an empty one is right depends on its line
            self._cells[cell] = tags
        return tags
