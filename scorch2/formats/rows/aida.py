"""AIDA-CoNLL (YAGO) columns: token, B or I, mention, entity, more; ``-DOCSTART- (1 EU)`` begins a document.

A line of one cell is a token outside mentions, a blank line ends a sentence. ``--NME--`` is an entity that
the knowledge base lacks, and so is one without a fourth cell. Ids are those of the fourth column, as written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from scorch2.formats.rows.annotations import document
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Annotation, Candidate

NO_ENTITY = "--NME--"
_MARK = "-DOCSTART- ("
_START = re.compile(r"-DOCSTART- \((.+)\)\s*")
_BLANKS = " \t\r"
_CELLS = 4  # cells of a line up to the entity
_FEWEST = 3  # cells of a line inside a mention whose entity the knowledge base lacks


class _AidaRow(NamedTuple):
    line: int
    cells: Sequence[str]  # empty at the end of a sentence


class _Start(NamedTuple):
    """The line with which a document begins."""

    name: str
    line: int
    position: int  # in the text of the file


def documents(text: str, stem: str, path: str) -> Iterator[Document]:  # noqa: ARG001 - as every format of rows
    """Yield the documents of a file; their mentions are spans of tokens."""
    starts = list(_starts(text))
    _refuse_text(text[: starts[0].position] if starts else text, path)
    if not starts:
        raise InputError(path, "", "no -DOCSTART- (...) line in it, so no document")
    seen = set()
    for start in starts:
        if start.name in seen:
            raise InputError(path, f"line {start.line}", f"a second document is called {quoted(start.name)}")
        seen.add(start.name)
    for start, following in zip_longest(starts, starts[1:]):
        yield _document(start, text, following.position if following else len(text), path)


def _starts(text: str) -> Iterator[_Start]:
    number, counted = 1, 0
    position = text.find(_MARK)
    while position >= 0:
        if position == 0 or text[position - 1] == "\n":
            end = text.find("\n", position)
            if start := _START.fullmatch(text[position : end if end >= 0 else None]):
                number += text.count("\n", counted, position)
                counted = position
                yield _Start(start[1], number, position)
        position = text.find(_MARK, position + 1)


def _refuse_text(before: str, path: str) -> None:
    for number, line in enumerate(before.split("\n"), 1):
        if line.strip(_BLANKS):
            raise InputError(path, f"line {number}", "text before the first -DOCSTART- (...) line")


def _document(start: _Start, text: str, stop: int, path: str) -> Document:
    sentences = []
    length = 0
    for line in [*_lines(text, start.position, stop), ""]:
        if line.strip(_BLANKS):
            length += 1
        elif length:
            sentences.append(length)
            length = 0
    rows = _rows(_lines(text, start.position, stop), start.line + 1)
    read = document(start.name, list(_annotations(rows, path)), path, "aida")
    words = Words(_words, text, start.position, stop)
    return read._replace(
        sentences=sentences, unit="token", words=words, unread=OnDemand(_unread, text, start.position, stop)
    )


def _unread(text: str, position: int, stop: int) -> Mapping[str, int]:
    columns = max((len(row.cells) for row in _rows(_lines(text, position, stop), 1)), default=0)
    return {"other column": max(0, columns - _CELLS)}


def _lines(text: str, position: int, stop: int) -> list[str]:
    return text[position:stop].split("\n")[1:]


def _rows(lines: Iterable[str], first: int) -> Iterator[_AidaRow]:
    for number, line in enumerate(lines, first):
        yield _AidaRow(number, line.removesuffix("\r").split("\t") if line.strip(_BLANKS) else ())
    yield _AidaRow(0, ())


def _words(text: str, position: int, stop: int) -> list[str]:
    return [row.cells[0] for row in _rows(_lines(text, position, stop), 1) if row.cells]


def _annotations(rows: Iterable[_AidaRow], path: str) -> Iterator[Annotation]:
    token = 0
    open_row: _AidaRow | None = None
    start = 0
    for row in rows:
        tag = _tag(row, path) if row.cells else ""
        if tag == "I" and (open_row is None or row.cells[2:_CELLS] != open_row.cells[2:_CELLS]):
            raise InputError(path, f"line {row.line}", "I continues no mention: the line before has another")
        if open_row is not None and tag != "I":
            yield _annotation(open_row, start, token)
            open_row = None
        if tag == "B":
            open_row, start = row, token
        token += bool(row.cells)


def _tag(row: _AidaRow, path: str) -> str:
    """Return B, I, or nothing for a token outside mentions."""
    if len(row.cells) == 1:
        return ""
    if row.cells[1] not in ("B", "I"):
        raise InputError(path, f"line {row.line}", f"the second cell is {quoted(row.cells[1])}, not B or I")
    if len(row.cells) < _FEWEST:
        raise InputError(path, f"line {row.line}", "the mention, the third cell, is missing")
    if len(row.cells) >= _CELLS and not row.cells[_CELLS - 1]:
        raise InputError(path, f"line {row.line}", "the entity, the fourth cell, is empty")
    return row.cells[1]


def _annotation(row: _AidaRow, start: int, end: int) -> Annotation:
    entity = row.cells[_CELLS - 1] if len(row.cells) >= _CELLS else NO_ENTITY
    return Annotation(start, end, () if entity == NO_ENTITY else _candidates(entity), row.line)


@lru_cache(1 << 14)  # the mentions of an entity share one value
def _candidates(entity: str) -> tuple[Candidate, ...]:
    return (Candidate(entity),)
