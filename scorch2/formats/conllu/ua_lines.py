"""The lines of the exploded format: sentences, rows, brackets of markables and bridging links.

Columns are separated by tabs, or by blanks if a row has too few tabs. The numbers in the first column only
tell words from zeros (``14.1``) and from tokens of several words (``3-4``): words are counted, as scorers do.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple

from scorch2.formats.conllu.shared import BLANKS, CellError, Part, blocks, sentence_lines, without_coreference
from scorch2.formats.fields import value_of
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import SyntaxRow, Tree, Word

IDENTITY = 10  # the column of mentions and entities, from 0
BRIDGING = 11
DEIXIS = 12
_NOT_READ = {13: "REFERENCE", 14: "NOM_SEM"}
CONLLU = 10  # columns before that of identity
NOTHING = ("_", "")  # cells that say nothing
_ROW = re.compile(r"\n[0-9]+\t([^\t\n]*)\t" + r"[^\t\n]*\t" * (CONLLU - 2))
"""The row of a word up to the column of identity, with the form in a group."""
_ZERO = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_BLANKS = re.compile(r"[ \t]+")


class MarkedRow(NamedTuple):
    """The row of a word or of a zero that says something about coreference."""

    end: int  # the number of words of the document up to it, a word included
    zero: Word | None  # its place if it is a zero
    line: int
    identity: str  # the cell of identity; empty if it says nothing
    others: Sequence[str]  # the cells after it; none if they say nothing


class UASentence(NamedTuple):
    """A sentence: its words, and the rows that say something about coreference."""

    words: Sequence[str]
    marked: Sequence[MarkedRow]
    columns: int  # the number of columns of the longest row so far
    empty_nodes: Sequence[int]  # the number of words of the document before each


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


def sentences(part: Part, path: str) -> Iterator[UASentence]:
    """Yield the sentences of a document, with the rows that say something about coreference."""
    number = before = 0
    for line, block in blocks(part.data, part.line):
        for sentence in _in_block(block.decode(), line, path, number, before):
            yield sentence
            number, before = number + 1, before + len(sentence.words)


def _in_block(block: str, line: int, path: str, number: int, before: int) -> Iterator[UASentence]:
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
    rows = _BlockRows(path, forms, columns, number, before)
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


class _BlockRows:
    """The rows of a block, while sentences are made of them."""

    def __init__(self, path: str, forms: Sequence[str], columns: int, number: int, before: int) -> None:
        self._path = path
        self._forms = forms  # the words of the block, but for those in rows without enough tabs
        self._taken = 0  # the number of `_forms` that are in `_words`, or in sentences before
        self._words: list[str] = []  # the words of the sentence up to a row without enough tabs
        self._more = before  # the number of words of the document so far that are not among `_forms`
        self._number, self._before = number, before  # the number of the sentence, and of the words before it
        self._marked: list[MarkedRow] = []
        self._empty_nodes: list[int] = []
        self._columns = CONLLU + columns
        self._nothing = "\t".join(["_"] * (columns - 1))  # the cells after that of identity in most rows
        self._has_others = False  # whether the sentence has rows that are not among `_forms`

    def take_cells(self, at: int, line: int, written: str) -> None:
        """Take what the row of the last of `at` forms says about coreference."""
        identity, _, others = written.partition("\t")
        cells: Sequence[str] = ()
        if others != self._nothing or " " in identity or "\r" in identity:
            identity, *cells = [cell.strip(" ") for cell in written.rstrip(" \r").split("\t")]
            self._check_columns(CONLLU + 1 + len(cells), line)
        said = "" if identity == "_" else identity
        self._marked.append(MarkedRow(at + self._more, None, line, said, cells))

    def take_others(self, at: int, first: int, lines: str) -> Iterator[UASentence]:
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
        self._check_columns(len(cells), line)
        if name.isdecimal():
            self._words += [*self._forms[self._taken : at], cells[1]]
            self._taken, self._more, rank = at, self._more + 1, 0
        elif is_zero(name):
            rank += 1
            self._empty_nodes.append(at + self._more)
        end = at + self._more
        zero = Word(self._number, end - self._before, rank) if rank else None
        if any(cell not in NOTHING for cell in cells[IDENTITY : DEIXIS + 1]):
            if is_range(name):
                why = f"coreference on {name}, a token of several words (write it on one of them)"
                raise InputError(self._path, f"line {line}", why)
            identity = "" if cells[IDENTITY] == "_" else cells[IDENTITY]
            self._marked.append(MarkedRow(end, zero, line, identity, cells[IDENTITY + 1 :]))
        return rank

    def _check_columns(self, columns: int, line: int) -> None:
        """Refuse a row that has not as many columns as others: its mentions may stand in a wrong one."""
        if columns != self._columns > CONLLU:
            why = f"{counted(columns, 'column')}, but rows before have {self._columns}"
            raise InputError(self._path, f"line {line}", f"{why} (write _ into those that say nothing)")
        self._columns = columns

    def is_begun(self, at: int) -> bool:
        """Return whether there is a row since the last sentence, with `at` forms so far."""
        return at > self._taken or self._has_others

    def sentence(self, at: int, line: int) -> UASentence:
        """Return the sentence that ends on a line, with the last of `at` forms."""
        words = [*self._words, *self._forms[self._taken : at]]
        if not words:
            raise InputError(self._path, f"line {line}", "a sentence ends here that has no word")
        made = UASentence(words, self._marked, self._columns, self._empty_nodes)
        self._number, self._before = self._number + 1, self._before + len(words)
        self._taken, self._words, self._marked, self._has_others = at, [], [], False
        self._empty_nodes = []
        return made


def _checked(row: str, path: str, line: int) -> list[str]:
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


def tags(part: Part) -> list[str]:
    """Return the universal part-of-speech tags of the words, empty where there is none; [] without any."""
    rows = [cells_of(row) for _, row in part.lines() if row[:1] != "#" and row.strip(BLANKS)]
    found = ["" if cells[3] in NOTHING else cells[3] for cells in rows if cells[0].isdecimal()]
    return found if any(found) else []


def trees(part: Part) -> list[Tree]:
    """Return the sentences of a document with the columns of CoNLL-U; words count anew in each."""
    return [Tree(comments, list(_rows(lines))) for comments, lines in sentence_lines(part)]


def unread(part: Part) -> Mapping[str, int]:
    """Return how many values stand in columns that are not read."""
    rows = [cells_of(row) for _, row in part.lines() if row[:1] != "#" and row.strip(BLANKS)]
    return Counter(
        value_of(_NOT_READ.get(column, f"column {column + 1}"))
        for cells in rows
        for column, cell in enumerate(cells[DEIXIS + 1 :], DEIXIS + 1)
        if cell not in NOTHING
    )


def _rows(lines: Iterable[str]) -> Iterator[SyntaxRow]:
    word = rank = 0
    for cells in map(cells_of, lines):
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
        yield SyntaxRow._make([name, *cells[1 : CONLLU - 1], without_coreference(cells[CONLLU - 1])])


ENTITY, MARKABLE, MINIMUM, ELEMENT_OF = "EntityID", "MarkableID", "Min", "ElementOf"
_BEFORE_OTHERS = {ENTITY, MARKABLE, MINIMUM}
KEYS = (ENTITY, MARKABLE, MINIMUM, ELEMENT_OF)
"""The keys of a markable that mean something; what others say is kept as it is."""
ANTECEDENT, ANTECEDENT_ENTITY, RELATION = "MentionAnchor", "EntityAnchor", "Rel"
PSEUDO = "-Pseudo"  # how the names of entities end whose markables refer to nothing
_BRACKET = re.compile(r"@*(?:\(([^()]*)(\))?|([^()@]*)\))@*")
_USUAL = re.compile(
    r"\(EntityID=([^()|@\n]+)\|MarkableID=([^()|@\n]+)(?:\|Min=([0-9,]+))?(\|[^()@\n]*)?(\))?"
)
"""A bracket as nearly all are written; the groups are the fields of `MarkableOpening`."""
_STEP = _USUAL.groups + 1  # from one bracket to the next among what `_USUAL.split` finds
_MINIMUM = re.compile(r"([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8})(?:,.*)?)?")
_ESCAPES = {"%": "%25", ",": "%2C", "-": "%2D"}
"""How the field ``other`` of CorefUD writes what would end a value."""
_ESCAPED = str.maketrans(_ESCAPES)


class BracketValues(NamedTuple):
    """A bracket that opens, with what it says."""

    values: Mapping[str, str]
    is_closed: bool  # whether it closes on the same word


class Others(NamedTuple):
    """The values of a bracket besides entity, markable and Min."""

    sets: Sequence[str] = ()  # the entities that its entity is an element of
    other: str = ""  # all that means nothing here, as the field ``other`` of CorefUD


class MarkableOpening(NamedTuple):
    """A bracket that opens a markable, or a later piece of one."""

    entity: str
    markable: str
    minimum: str | None  # Min as written, if there is one
    others: str | None  # what else it says, as written: ``|<key>=<value>...``
    closed: str | None  # the bracket that closes it on the same word, if there is one


_opening = partial(tuple.__new__, MarkableOpening)  # a third of the time of Opening(...), and 1 % of a run


class Closing(NamedTuple):
    """A bracket that closes a markable, or a piece of one."""

    markable: str  # empty if it closes the one that opened last


_CLOSING = Closing("")


def brackets_of(cells: Sequence[str]) -> Iterable[Iterable[MarkableOpening | Closing]]:
    """Return the brackets of markables in each cell; `CellError`, when it is reached, for anything else."""
    # One pattern finds the brackets of all cells at once, if they are all written as usual; to read each in
    # turn adds a quarter to a run.
    if not cells:
        return ()
    groups = _USUAL.split("\n".join(cells))
    between, others = groups[::_STEP], groups[_STEP - 2 :: _STEP]
    if "".join(between).strip(")\n") or None in map(others_of, others):
        return map(_one_by_one, cells)
    openings = map(_opening, zip(*(groups[field::_STEP] for field in range(1, _STEP)), strict=True))
    by_cell: list[list[MarkableOpening | Closing]] = [[]]
    for text, opening in zip_longest(between, openings):
        for letter in text:
            if letter == "\n":
                by_cell.append([])
            else:
                by_cell[-1].append(_CLOSING)
        if opening:
            by_cell[-1].append(opening)
    return by_cell


def _one_by_one(cell: str) -> Iterator[MarkableOpening | Closing]:
    for bracket in brackets(cell):
        if isinstance(bracket, Closing):
            yield bracket
        else:
            values = bracket.values
            entity, name = required(values, ENTITY), required(values, MARKABLE)
            others = [f"|{key}={value}" for key, value in values.items() if key not in _BEFORE_OTHERS]
            closed = ")" if bracket.is_closed else None
            yield MarkableOpening(entity, name, values.get(MINIMUM), "".join(others), closed)


@lru_cache(maxsize=4096)
def others_of(written: str | None) -> Others | None:
    """Return the values in `MarkableOpening.others`; None if unreadable, or with entity, markable or Min."""
    # The last answers are kept: in GUM, where many markables say the same, that saves a sixth of a run.
    try:
        values = _values(written[1:]) if written else {}
    except CellError:
        return None
    sets = [name for name in values.get(ELEMENT_OF, "").split(",") if name]
    return None if values.keys() & _BEFORE_OTHERS else Others(tuple(sets), other_of(values))


def brackets(cell: str) -> Iterator[BracketValues | Closing]:
    """Yield the brackets of a cell in their order; `CellError` if there is anything else."""
    position = 0
    while position < len(cell):
        match = _BRACKET.match(cell, position)
        if match is None:
            raise CellError(f"{quoted(cell)} cannot be read at {quoted(cell[position:])}")
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed is not None:
            yield Closing(closed)
        else:
            written = opened if closed_at_once else opened.rstrip("@")
            yield BracketValues(_values(written), closed_at_once is not None)


def _values(written: str) -> Mapping[str, str]:
    values: dict[str, str] = {}
    for pair in written.split("|"):
        key, equals, value = pair.partition("=")
        if not equals:
            raise CellError(f"{quoted(pair)} is not <key>=<value> in the bracket {quoted('(' + written)}")
        if key in values:
            raise CellError(f"a second {key} in the bracket {quoted('(' + written)}")
        values[key] = value
    return values


def required(values: Mapping[str, str], key: str) -> str:
    """Return the value of a key; `CellError` if it is not there or empty."""
    if values.get(key):
        return values[key]
    like = [other for other in values if other.replace("_", "").lower() == key.lower() and other != key]
    how = f"write it for {quoted(like[0])}" if like else "each markable needs one"
    raise CellError(f"a bracket without {key} ({how})")


@lru_cache(maxsize=4096)
def minimum(written: str) -> tuple[int, int]:
    """Return the first and last word of Min, counted from 1 in the document."""
    # The last answers are kept: both sides have most in common, which saves 4 % of a run.
    match = _MINIMUM.fullmatch(written)
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 0 < first <= last:
        raise CellError(f"Min={quoted(written)} is neither <word> nor <first>,<last>")
    return first, last


def other_of(values: Mapping[str, str]) -> str:
    """Return all other values as the field ``other`` of CorefUD.

    >>> other_of({"EntityID": "1", "SemType": "dn", "gender": "a,b"})
    'SemType:dn,gender:a%2Cb'
    """
    fields = []
    for key, value in values.items():
        if key not in KEYS:
            written = value.translate(_ESCAPED)
            fields.append(f"{key}:{written}" if written else key)
    return ",".join(fields)


def values_of(other: str) -> Mapping[str, str]:
    """Return what the field ``other`` of CorefUD says as values of a bracket, without those of `KEYS`."""
    values: dict[str, str] = {}
    for item in other.split(",") if other else ():
        key, _, value = item.partition(":")
        for letter, written in reversed(_ESCAPES.items()):
            value = value.replace(written, letter)
        if key not in KEYS:
            values.setdefault(key, value)
    return values
