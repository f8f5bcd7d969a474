"""Pieces of a file of many documents: byte ranges that begin and end at document borders.

Nothing is parsed to find them. A piece reads like a file of its own, so workers can share a large one.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.formats.conll import reader as conll2012
from scorch2.formats.json import jsonlines
from scorch2.formats.json.strict import is_value, parse
from scorch2.formats.source import Bytes, read_range, stem, view
from scorch2.model.document import Document

_BEGIN = re.compile(rb"#\s*begin document\b")
_SPACE = re.compile(rb"\s*")


class Piece(NamedTuple):
    """Some documents of a file, one after the other."""

    path: str
    format: str
    start: int
    """Bytes from the beginning of the file, likewise `stop`."""
    stop: int
    first: int
    """The number of the first document, from 1: what it is called if it has no name."""
    last: int
    """The number of the last one, for messages."""


def borders(path: str, format: str | None) -> tuple[str, Sequence[int]] | None:
    """Return the format of a file, and where its documents begin and the last one ends; None if none is seen.

    What looks odd at all (packed, another encoding, JSON over several lines) is left to the reader.
    """
    with view(path) as data:
        if format in (None, "conll") and _BEGIN.match(data):
            starts = [0, *_conll_starts(data)]
            return "conll", [*starts, len(data)]
        if format in (None, "jsonlines") and data[:1] == b"{":
            starts = list(_line_starts(data))
            objects = all(data[start : start + 1] == b"{" for start in starts)
            if objects and len(starts) > 1 and _is_document(data[starts[0] : starts[1]]):
                return "jsonlines", [*starts, len(data)]
    return None


def read_piece(piece: Piece) -> list[Document]:
    """Return the documents of a piece.

    Raises
    ------
    InputError
        As the reader of the format; lines count from the beginning of the piece.
    """
    text = read_range(piece.path, piece.start, piece.stop)
    if piece.format == "conll":
        return conll2012.read(text, stem(piece.path), piece.path)
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    return [
        jsonlines.document(parse(line, piece.path), jsonlines.Place(piece.path, "$", str(number)))
        for number, line in enumerate(lines, piece.first)
    ]


def _conll_starts(data: Bytes) -> Iterator[int]:
    position = data.find(b"\n#")
    while position >= 0:
        if _BEGIN.match(data, position + 1):
            yield position + 1
        position = data.find(b"\n#", position + 1)


def _line_starts(data: Bytes) -> Iterator[int]:
    position = 0
    while 0 <= position < len(data):
        end = data.find(b"\n", position)
        blank = _SPACE.match(data, position)
        if blank is None or blank.end() < (end if end >= 0 else len(data)):
            yield position
        position = end + 1 if end >= 0 else -1


def _is_document(line: bytes) -> bool:
    text = line.decode("utf-8", "replace")
    return is_value(text) and "type" not in parse(text, "")
