"""Borders of the documents of a file: for chunks of a large one, and for the hash of each document.

Chunks are byte ranges between such borders, which are found without parsing. A chunk is
read like a file, so that workers can share a large one.

Hashes are SHA-256 of documents as they were read. A file of one document is hashed as it is, once
decompressed, and so is one whose documents are not told apart by lines: all of these have the same hash. In
other files of many a document has the lines from its first one up to the next document, without the line
ends at their end, so that a row may move; what stands before the first document belongs to it. The text
beside a file is hashed behind it.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import NamedTuple

from scorch2.formats import table
from scorch2.formats.json.dialects import has_several, read_lines
from scorch2.formats.json.strict import is_value, parse
from scorch2.formats.reading import format_module, stream_of, strictly
from scorch2.formats.source import (
    STDIN,
    begin_of,
    decoded,
    line_blocks,
    path_beside,
    read_data,
    read_range,
    size,
    stem,
)
from scorch2.formats.table import KEYED, Format, row_of
from scorch2.model.document import Document, with_hash
from scorch2.model.errors import InputError

_MARKED = [(row, row.cut) for row in reversed(tuple(table.FORMATS.values())) if row.cut]
"""The formats whose documents begin with a line that tells them; the last row is asked first."""
_FIRST_ROWS = {cut.begin: row.name for row, cut in _MARKED}
"""The first of the formats whose documents begin with the same line: the others are told by what follows."""
_LINES = table.format_names(lambda row: row.family == KEYED)  # the formats with one document on each line
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
            places = _borders(every, partial(_marked_starts, cut, lines))
            if not places or len(lines) > 1:
                return None
            is_first = all(line in read_range(path, *places[:2]) for line in lines)
            return Borders(row.name, [0, *places[1:]], *lines) if is_first else None
    if (format is None or format in _LINES) and _is_document(first.partition(b"\n")[0]):
        places = _borders(every, _line_starts)
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
        return list(format_module(row.reader).documents(content, stem(chunk.path), chunk.path))
    return list(read_lines(decoded(data, chunk.path), chunk.path, chunk.given, chunk.first, chunk.keys))


def _borders(blocks: Iterable[bytes], starts: Callable[[bytes], Iterator[int]]) -> list[int]:
    """Return where documents begin in the bytes of a file, and how many there are; none if it is not cut."""
    found, before = [], 0
    try:
        for block in blocks:
            found += [before + start for start in starts(block)]
            before += len(block)
    except ValueError:
        return []
    return [*found, before]


def _marked_starts(cut: table.Cut, carried: set[bytes], block: bytes) -> Iterator[int]:
    """Yield where documents begin; a ValueError tells that the file is not to be cut."""
    for at in _matching_lines(cut.carried, block, 0) if cut.carried else ():
        carried.add(block[at : block.index(b"\n", at) + 1])
    for at in _matching_lines(cut.forbidden, block, 0) if cut.forbidden else ():
        raise ValueError(at)
    yield from _matching_lines(cut.begin, block, 0)


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


def hashed_stream(
    path: str, format: str | None = None, keys: table.ClusterKeys = (), *, repair: bool = False
) -> Iterable[Document]:
    """Return the documents of a file as `scorch2.formats.reading.stream` does, each with its hash."""
    data = read_data(path)
    found = _with_hashes(stream_of(data, path, format, keys=keys), data, path)
    return found if repair else strictly(found)


def _with_hashes(found: Iterable[Document], data: bytes, path: str) -> Iterable[Document]:
    if type(found) is not list:
        return _in_turn(found, data, path)
    # What has lines comes in turn
    whole = _of_file(data, row_of(found[0].format), path) if found else b""
    return [with_hash(document, whole) for document in found]


def _in_turn(found: Iterable[Document], data: bytes, path: str) -> Iterator[Document]:
    documents = iter(found)
    first = list(islice(documents, 1))
    hashes: Sequence[bytes] = ()
    for row in (row_of(document.format) for document in first):
        hashes = line_hashes(data, row)
        hashes = hashes if len(hashes) > 1 else [_of_file(data, row, path)]
    del data
    for number, document in enumerate(chain(first, documents)):
        yield with_hash(document, hashes[min(number, len(hashes) - 1)])


def _of_file(data: bytes, row: Format, path: str) -> bytes:
    """Return the hash of a file, with the text that lies beside it."""
    whole = sha256(data)
    suffix = row.text_beside or row.reads_beside
    text = path_beside(path, suffix)
    if suffix and path not in {STDIN, text} and size(text):
        whole.update(read_data(text))
    return whole.digest()


def line_hashes(data: bytes, row: Format) -> Sequence[bytes]:
    """Return the hashes of the lines of each document, none where lines do not tell documents apart."""
    starts = _starts(data, row)
    places = [0, *starts[1:], len(data)]
    return [sha256(data[a:b].rstrip(b"\r\n")).digest() for a, b in pairwise(places)] if starts else []


def read_hashed_chunk(chunk: Chunk) -> list[Document]:
    """Return the documents of a chunk with their hashes."""
    documents = read_chunk(chunk)
    hashes = line_hashes(read_range(chunk.path, chunk.start, chunk.stop), row_of(chunk.format))
    if len(hashes) != len(documents):  # who asked reads the whole file instead
        raise InputError(chunk.path, "", "its documents do not begin where its lines say")
    return list(map(with_hash, documents, hashes))


def _starts(data: bytes, row: Format) -> list[int]:
    """Return where the lines of documents begin."""
    if row.family == KEYED or (row.has_marks and data[:1] == b"{"):
        return _borders([data], _line_starts)[:-1] if _is_document(data[: data.find(b"\n")]) else []
    begin = row.cut.begin if row.cut else row.begin
    if not begin:
        return []
    first = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    starts = list(_matching_lines(begin, data, first))
    before = data[first : starts[0]].split(b"\n") if begin[:1] == _COMMENT and starts else ()
    if any(line.strip() and not line.startswith(_COMMENT) for line in before):  # they are a document, too
        return [0, *starts]
    return starts


_COMMENT = b"#"
_SIGNS = (_COMMENT, b"-")  # with which lines that tell documents begin: to look for both is fast


def _matching_lines(begin: bytes, data: bytes, at: int) -> Iterator[int]:
    """Yield where the lines begin that match a pattern, the first of which is looked at at a place."""
    pattern, sign = re.compile(begin), b"\n" + (begin[:1] if begin[:1] in _SIGNS else b"")
    while at >= 0:
        if pattern.match(data, at):
            yield at
        at = data.find(sign, at) + 1 or -1
