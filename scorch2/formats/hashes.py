"""SHA-256 of documents as they were read: of the bytes of their file, or of their own lines in it.

A file of one document is hashed as it is, once decompressed, and so is one whose documents are not told
apart by lines: all of these have the same hash. In other files of many a document has the lines from its
first one up to the next document, without the line ends at their end, so that a row may move; what stands
before the first document belongs to it. The text beside a file is hashed behind it.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

from scorch2.formats.source import STDIN, path_beside, read_data, read_range, size
from scorch2.formats.table import KEYED, Format, row_of
from scorch2.model.document import Document, with_hash
from scorch2.model.errors import InputError

if TYPE_CHECKING:
    from scorch2.formats.chunks import Chunk


def with_hashes(found: Iterable[Document], data: bytes, path: str) -> Iterable[Document]:
    """Return the documents that were read from the bytes of a file, each with its hash."""
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
    if suffix and path != STDIN:
        text = path_beside(path, suffix)
        whole.update(read_data(text) if size(text) else b"")
    return whole.digest()


def line_hashes(data: bytes, row: Format) -> Sequence[bytes]:
    """Return the hashes of the lines of each document, none where lines do not tell documents apart."""
    starts = _starts(data, row)
    places = [0, *starts[1:], len(data)]
    return [sha256(data[a:b].rstrip(b"\r\n")).digest() for a, b in pairwise(places)] if starts else []


def read_chunk(chunk: "Chunk") -> list[Document]:
    """Return the documents of a chunk with their hashes, as `scorch2.formats.chunks` reads them."""
    from scorch2.formats import chunks

    documents = chunks.read_chunk(chunk)
    hashes = line_hashes(read_range(chunk.path, chunk.start, chunk.stop), row_of(chunk.format))
    if len(hashes) != len(documents):  # who asked reads the whole file instead
        raise InputError(chunk.path, "", "its documents do not begin where its lines say")
    return list(map(with_hash, documents, hashes))


def _starts(data: bytes, row: Format) -> list[int]:
    """Return where the lines of documents begin."""
    if row.family == KEYED or (row.has_marks and data[:1] == b"{"):
        from scorch2.formats.chunks import row_starts

        return row_starts(data)
    begin = row.cut.begin if row.cut else row.begin
    if not begin:
        return []
    first = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    starts = list(_matching_lines(begin, data, first))
    if begin[:1] == _COMMENT and starts and _has_words(data[first : starts[0]]):
        return [0, *starts]  # lines before the first document are one, too
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


def _has_words(lines: bytes) -> bool:
    """Return whether a line is neither blank nor a comment."""
    return any(line.strip() and not line.startswith(_COMMENT) for line in lines.split(b"\n"))
