"""Pieces of a file of many documents: byte ranges that begin and end at document borders.

They are found without parsing. A piece is read like a file, so that workers can share a large one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scorch2.formats.conll import reader as conll2012
from scorch2.formats.json import documents
from scorch2.formats.json.strict import is_value, parse
from scorch2.formats.source import line_blocks, read_range, stem
from scorch2.model.document import Document

_BEGIN = re.compile(rb"#\s*begin document\b")
_BORDERS_OF_ONE = 2
"""Borders of a file of one document: its beginning and its end."""


class Piece(NamedTuple):
    """Consecutive documents of a file."""

    path: str
    format: str
    start: int
    """Bytes from the beginning of the file, likewise `stop`."""
    stop: int
    first: int
    """The number of the first document, from 1: what it is called if it has no name."""
    last: int
    """The number of the last one, for messages."""
    given: str | None = None
    """The format that was asked for."""


def borders(path: str, format: str | None) -> tuple[str, Sequence[int]] | None:
    """Return the format of a file, and where its documents begin and the last one ends; None if none is seen.

    A file that looks odd in any way (compressed, another encoding, JSON over several lines) is left to the
    reader.
    """
    blocks = line_blocks(path)
    first = next(blocks, b"")
    every = chain([first], blocks)
    if format in (None, "conll") and _BEGIN.match(first):
        return "conll", _borders(every, _conll_starts)
    if format in (None, "jsonlines") and _is_document(first.partition(b"\n")[0]):
        try:
            found = _borders(every, _line_starts)
        except ValueError:
            return None
        return ("jsonlines", found) if len(found) > _BORDERS_OF_ONE else None
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
    return list(documents.read_lines(text, piece.path, piece.given, piece.first))


def _borders(blocks: Iterable[bytes], starts: Callable[[bytes], Iterator[int]]) -> list[int]:
    """Return where documents begin in the bytes of a file, and how many bytes there are."""
    found, before = [], 0
    for block in blocks:
        found += [before + start for start in starts(block)]
        before += len(block)
    return [*found, before]


def _conll_starts(block: bytes) -> Iterator[int]:
    lines = b"\n" + block
    position = lines.find(b"\n#")
    while position >= 0:
        if _BEGIN.match(lines, position + 1):
            yield position
        position = lines.find(b"\n#", position + 1)


def _line_starts(block: bytes) -> Iterator[int]:
    """Yield where lines with text begin; a ValueError tells that one of them is no object."""
    position = 0
    while position < len(block):
        end = block.find(b"\n", position) + 1 or len(block)
        if block[position : position + 1] == b"{":
            yield position
        elif not block[position:end].isspace():
            raise ValueError(position)
        position = end


def _is_document(line: bytes) -> bool:
    if line[:1] != b"{":
        return False
    text = line.decode("utf-8", "replace")
    return is_value(text) and "type" not in parse(text, "")
