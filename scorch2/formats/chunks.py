"""Chunks of a file of many documents: byte ranges that begin and end at document borders.

They are found without parsing. A chunk is read like a file, so that workers can share a large one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from scorch2.formats import table
from scorch2.formats.json.dialects import has_several, read_lines
from scorch2.formats.json.strict import is_value, parse
from scorch2.formats.source import begin_of, decoded, line_blocks, read_range, stem
from scorch2.model.document import Document

_MARKED = [(row, row.cut) for row in reversed(tuple(table.FORMATS.values())) if row.cut]
"""The formats whose documents begin with a line that tells them; the last row is asked first."""
_FIRST_ROWS = {cut.begin: row.name for row, cut in _MARKED}
"""The first of the formats whose documents begin with the same line: the others are told by what follows."""
_LINES = table.format_names(
    lambda row: row.family == table.KEYED
)  # the formats with one document on each line
BORDERS_OF_ONE = 2  # borders of a file of one document: its beginning and its end
_ON_ONE_LINE = re.compile(rb"\}[ \t\r]*\{")  # where one object may follow another on its line


class Chunk(NamedTuple):
    """Consecutive documents of a file."""

    path: str
    format: str
    start: int  # bytes from the beginning of the file, likewise `stop`
    stop: int
    first: int  # the number of the first document, from 1: what it is called if it has no name
    last: int  # the number of the last one, for messages
    given: str | None = None  # the format that was asked for
    keys: table.ClusterKeys = ()  # the keys that may hold the clusters
    carried: bytes = b""
    """A line of the first document of the file that all documents need, see `Cut.carried`."""


class Borders(NamedTuple):
    """The places in a file, in bytes, where its documents begin and where the last one ends."""

    format: str
    places: Sequence[int]
    carried: bytes = b""  # as in `Chunk`


def borders(path: str, format: str | None) -> Borders | None:
    """Return the format of a file and where its documents begin; None if none is seen."""
    # A file that looks odd in any way (compressed, another encoding, JSON over several lines) is left to the
    # reader.
    blocks = line_blocks(path)
    first = next(blocks, b"")
    every = chain([first], blocks)
    for row, cut in _MARKED:
        if format in (None, row.name) and _begins(row, cut, first, is_named=format is not None):
            lines: set[bytes] = set()
            try:
                places = _borders(every, partial(_marked_starts, cut, lines))
            except ValueError:
                return None
            if len(lines) > 1 or not all(line in read_range(path, *places[:2]) for line in lines):
                return None
            return Borders(row.name, [0, *places[1:]], *lines)
    if (format is None or format in _LINES) and _is_document(first.partition(b"\n")[0]):
        try:
            places = _borders(every, _line_starts)
        except ValueError:
            return None
        return Borders(format or _LINES[0], places) if len(places) > BORDERS_OF_ONE else None
    return None


def _begins(row: table.Format, cut: table.Cut, first: bytes, *, is_named: bool) -> bool:
    """Return whether a file begins with its first document, or with a line that may stand before it."""
    before = re.match(cut.preface, first)
    if not re.compile(cut.begin).match(first, before.end() if before else 0):
        return False
    return is_named or _FIRST_ROWS[cut.begin] == row.name or bool(row.begins(begin_of(first)))


def read_chunk(chunk: Chunk) -> list[Document]:
    """Return the documents of a chunk; in errors, lines count from its beginning."""
    data = read_range(chunk.path, chunk.start, chunk.stop)
    row = table.FORMATS[chunk.format]
    if row.cut:
        table.refuse_typed_key(chunk.keys, chunk.path, row.about)
        data = chunk.carried + data if chunk.first > 1 else data
        content = data if row.by_part else decoded(data, chunk.path)
        return list(table.format_module(row.reader).documents(content, stem(chunk.path), chunk.path))
    text = decoded(data, chunk.path)
    return list(read_lines(text, chunk.path, chunk.given, chunk.first, chunk.keys))


def _borders(blocks: Iterable[bytes], starts: Callable[[bytes], Iterator[int]]) -> list[int]:
    """Return where documents begin in the bytes of a file, and how many bytes there are."""
    found, before = [], 0
    for block in blocks:
        found += [before + start for start in starts(block)]
        before += len(block)
    return [*found, before]


def _marked_starts(cut: table.Cut, carried: set[bytes], block: bytes) -> Iterator[int]:
    """Yield where documents begin; a ValueError tells that the file is not to be cut."""
    begin, needed, forbidden = map(re.compile, (cut.begin, cut.carried, cut.forbidden))
    lines = b"\n" + block
    position = lines.find(b"\n#")
    while position >= 0:
        if cut.carried and (match := needed.match(lines, position + 1)):
            carried.add(match[0])
        if cut.forbidden and forbidden.match(lines, position + 1):
            raise ValueError(position)
        if begin.match(lines, position + 1):
            yield position
        position = lines.find(b"\n#", position + 1)


def _line_starts(block: bytes) -> Iterator[int]:
    """Yield where lines with text begin; a ValueError tells that one of them is no object, or may be two."""
    if _ON_ONE_LINE.search(block):
        raise ValueError(block[:80])
    position = 0
    while position < len(block):
        end = block.find(b"\n", position) + 1 or len(block)
        if block[position : position + 1] == b"{":
            yield position
        elif not block[position:end].isspace():
            raise ValueError(position)
        position = end


def row_starts(data: bytes) -> list[int]:
    """Return where the rows of JSON begin in the bytes of a file; none if these are not its documents."""
    if not _is_document(data[: data.find(b"\n")]):
        return []
    try:
        return list(_line_starts(data))
    except ValueError:
        return []


def _is_document(line: bytes) -> bool:
    if line[:1] != b"{":
        return False
    text = line.decode("utf-8", "replace")
    if not is_value(text):
        return False
    value = parse(text, "")
    return "type" not in value and not has_several(value)


def cuts(gold: Sequence[int], system: Sequence[int], size: int) -> list[int]:
    """Return the numbers of the documents at which chunks of about `size` bytes begin, then the total."""
    found = [0]
    for number, (left, right) in enumerate(zip(gold, system, strict=True)):
        if left + right - gold[found[-1]] - system[found[-1]] >= size:
            found.append(number)
    return found if found[-1] == len(gold) - 1 else [*found, len(gold) - 1]
