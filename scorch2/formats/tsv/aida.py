"""AIDA-CoNLL (YAGO) columns: token, B or I, mention, entity, more; ``-DOCSTART- (1 EU)`` begins a document.

A line of one cell is a token outside mentions, a blank line ends a sentence. ``--NME--`` is an entity that
the knowledge base lacks, and so is one without a fourth cell. Ids are those of the fourth column, as written.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.formats.tsv import annotations as annotations_tsv
from scorch2.model.annotation import Annotation, Candidate
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted

NO_ENTITY = "--NME--"
_START = re.compile(r"-DOCSTART- \((.+)\)\s*")
_BLANKS = " \t\r"
_CELLS = 4
"""Cells of a line up to the entity."""
_FEWEST = 3
"""Cells of a line inside a mention whose entity the knowledge base lacks."""


class _Row(NamedTuple):
    line: int
    cells: Sequence[str]
    """Empty at the end of a sentence."""


def read(text: str, stem: str, path: str) -> list[Document]:  # noqa: ARG001 - as every format of rows
    """Return the documents of a file; their mentions are spans of tokens.

    Raises
    ------
    InputError
        For a line that is not as described, with its number.
    """
    rows: dict[str, list[_Row]] = {}
    current: list[_Row] | None = None
    for number, written in enumerate(text.split("\n"), 1):
        line = written.removesuffix("\r")
        start = _START.fullmatch(line)
        if start:
            if start[1] in rows:
                raise InputError(path, f"line {number}", f"a second document is called {quoted(start[1])}")
            current = rows.setdefault(start[1], [])
        elif current is not None:
            current.append(_Row(number, line.split("\t") if line.strip(_BLANKS) else ()))
        elif line.strip(_BLANKS):
            raise InputError(path, f"line {number}", "text before the first -DOCSTART- (...) line")
    if not rows:
        raise InputError(path, "", "no -DOCSTART- (...) line in it, so no document")
    return [_document(ident, lines, path) for ident, lines in rows.items()]


def _document(ident: str, rows: Sequence[_Row], path: str) -> Document:
    sentences, tokens = [], []
    length = 0
    for row in [*rows, _Row(0, ())]:
        if row.cells:
            tokens.append(row.cells[0])
            length += 1
        elif length:
            sentences.append(length)
            length = 0
    found = annotations_tsv.document(ident, list(_annotations(rows, path)), path, "aida")
    return found._replace(sentences=sentences, unit="token", words=Words(list, tuple(tokens)))


def _annotations(rows: Sequence[_Row], path: str) -> Iterator[Annotation]:
    token = 0
    open_row: _Row | None = None
    start = 0
    for row in [*rows, _Row(0, ())]:
        tag = _tag(row, path) if row.cells else ""
        if tag == "I" and (open_row is None or row.cells[2:_CELLS] != open_row.cells[2:_CELLS]):
            raise InputError(path, f"line {row.line}", "I continues no mention: the line before has another")
        if open_row is not None and tag != "I":
            yield _annotation(open_row, start, token)
            open_row = None
        if tag == "B":
            open_row, start = row, token
        token += bool(row.cells)


def _tag(row: _Row, path: str) -> str:
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


def _annotation(row: _Row, start: int, end: int) -> Annotation:
    entity = row.cells[_CELLS - 1] if len(row.cells) >= _CELLS else NO_ENTITY
    return Annotation(start, end, () if entity == NO_ENTITY else (Candidate(entity),), row.line)
