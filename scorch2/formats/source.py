"""From a path to bytes and text: the only module that reads inputs. Text is UTF-8 in every locale."""

import codecs
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO

from scorch2.formats import BEGINS, SUFFIXES, without_suffix
from scorch2.formats.table import row_of
from scorch2.model.document import Document, Found
from scorch2.model.errors import InputError, shown_path, unreadable

STDIN = "-"
_LEVEL = "_coref_level.xml"
_FIRST = {begin[:1] for begin in BEGINS}
_LONGER = (*SUFFIXES, _LEVEL)  # most names end otherwise, and are told at once
_BLOCK = 1 << 20
_HEAD = 1 << 12
_BEGIN = 1 << 16
_KEPT: dict[str, bytes] = {}
"""The content of streams whose beginning was looked at and which are still to be read."""
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_text(path: str) -> str:
    """Return the text in a file, a named pipe or, for ``-``, standard input, without a byte order mark."""
    return text_of(read_data(path), path)


def read_data(path: str) -> bytes:
    """Return the content of a file, a named pipe or, for ``-``, standard input."""
    # A compressed file is decompressed, whatever its name is.
    data = _KEPT.pop(path) if path in _KEPT else _read_raw(path)
    if not is_compressed(data):
        return data
    from scorch2.formats.compressed import decompressed

    return decompressed(data, path)


def is_compressed(data: bytes) -> bool:
    """Return whether data begin like a compressed file."""
    # Their first byte decides nearly always: to compare all 39 takes 1 % of a run over small files
    return data[:1] in _FIRST and data.startswith(BEGINS)


def _read_raw(path: str) -> bytes:
    if path == STDIN and sys.stdin is None:
        raise InputError(STDIN, "", "is closed")
    try:
        return sys.stdin.buffer.read() if path == STDIN else _read_bytes(path)
    except OSError as error:
        raise unreadable(path, error) from None
    except InputError:
        raise
    except ValueError as error:  # a path that no file can have
        raise InputError(path, "", str(error)) from None


def text_of(data: bytes, path: str) -> str:
    """Return UTF-8 text without a byte order mark."""
    return decoded(unmarked(data, path), path)


def unmarked(data: bytes, path: str) -> bytes:
    """Return the bytes of UTF-8 text without a byte order mark; an InputError for UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(path, "", "the file is UTF-16 (save it as UTF-8)")
    return data.removeprefix(codecs.BOM_UTF8)


_NO_TEXT = {b"PAR1": "Parquet", b"\x80": "a pickle of Python", b"ARROW1": "Arrow", b"SQLite format": "SQLite"}
"""How files begin that hold no text, with what they are."""


def decoded(data: bytes, path: str, line: int = 1) -> str:
    """Return the text of a part of a file that begins on a line; an InputError if it is not UTF-8 text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        kind = next((kind for begin, kind in _NO_TEXT.items() if data.startswith(begin)), "")
        how = (
            f"it is {kind}: write one of the formats, such as JSON lines"
            if kind
            else "save the file as UTF-8"
        )
        raise InputError(path, f"line {line}", f"not UTF-8 text ({how})") from None
    if "\0" in text:
        line += text.count("\n", 0, text.index("\0"))
        raise InputError(path, f"line {line}", "contains a NUL byte, so it is not a text file")
    return text


def begin_of(data: bytes) -> str:
    """Return how the text of a file begins, to see what it is."""
    return _text(data[:_BEGIN])


def line_blocks(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks of whole lines; only one block is held."""
    # The file is read, not mapped: one that is truncated meanwhile would end the process.
    waiting: list[bytes] = []
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                end = block.rfind(b"\n") + 1
                if end:
                    yield b"".join([*waiting, block[:end]])
                    waiting = []
                waiting.append(block[end:])
    except OSError as error:
        raise unreadable(path, error) from None
    if any(waiting):
        yield b"".join(waiting)


def is_stream(path: str) -> bool:
    """Return whether a path can be read only once: standard input, a pipe."""
    if path == STDIN:
        return True
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read_head(path: str) -> str:
    """Return how a file begins, to see what it is; nothing if it cannot be opened, or is a pipe."""
    return _text(read_start(path, _HEAD)) if size(path) else ""


def read_head_of_input(path: str) -> str:
    """Return how an input begins; a stream is read for that, and `read_data` then returns what it held."""
    if not is_stream(path):
        return read_head(path)
    data = _KEPT[path] = _read_raw(path)
    return _text(_start(io.BytesIO(data), data[:_HEAD], _HEAD))


def is_kept(path: str) -> bool:
    """Return whether a stream was read already and waits for `read_data` in this process."""
    return path in _KEPT


def _text(start: bytes) -> str:
    return start.decode("utf-8", "replace").removeprefix("\ufeff")


def read_start(path: str, most: int) -> bytes:
    """Return up to `most` bytes with which a file begins, decompressed as far as that is possible."""
    try:
        handle = os.open(path, _FLAGS)
        try:
            start = os.read(handle, most)
        finally:
            os.close(handle)
        if not is_compressed(start):
            return start
        with open(path, "rb") as file:
            return _start(file, start, most)
    except OSError as error:
        raise unreadable(path, error) from None


def judged(path: str, judge: Callable[[BinaryIO], Found]) -> Found:
    """Return what a function finds in the bytes of a file, as they are."""
    try:
        with open(path, "rb") as file:
            return judge(file)
    except OSError as error:
        raise unreadable(path, error) from None


def _start(file: IO[bytes], start: bytes, most: int) -> bytes:
    """Return what a file holds first, which begins with `start`: decompressed as far as that is possible."""
    if not is_compressed(start):
        return start
    from scorch2.formats.compressed import decompressed_start

    return decompressed_start(file, start, most)


def fingerprint(*paths: str) -> str:
    """Return eight hexadecimal digits that depend on the content of files, in this order."""
    import zlib

    checksum = 0
    for path in paths:
        if size(path):
            checksum = zlib.crc32(read_data(path), checksum)
    return f"{checksum:08x}"


def size(path: str) -> int:
    """Return the number of bytes of a file, or 0 if the path is not a file."""
    try:
        found = os.stat(path)
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def stamp(path: str) -> tuple[int, int]:
    """Return the time when a file was written and its size; zeros if there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return found.st_mtime_ns, found.st_size


def read_range(path: str, start: int, stop: int) -> bytes:
    """Return the bytes between two positions of a file, without a byte order mark."""
    try:
        with open(path, "rb") as file:
            file.seek(start)
            data = file.read(stop - start)
    except OSError as error:
        raise unreadable(path, error) from None
    return data if start else unmarked(data, path)


def stem(path: str) -> str:
    """Return the name of a document file: the base name without ``.gz`` and the like and its last suffix.

    The files of MMAX2 are called after what they hold, and the document is not.

    >>> stem("gold/doc1.v2.json"), stem("gold/doc1.conll.xz"), stem("-"), stem("doc1_coref_level.xml")
    ('doc1.v2', 'doc1', 'stdin', 'doc1')
    """
    if path == STDIN:
        return "stdin"
    plain = path if os.altsep is None else path.replace(os.altsep, os.sep)
    name = plain.rpartition(os.sep)[2]
    if name.endswith(_LONGER):
        name = without_suffix(name)
        if name.endswith(_LEVEL) and name != _LEVEL:
            return name.removesuffix(_LEVEL)
    head = name.rpartition(".")[0]
    return head if head.strip(".") else name  # a dot at the beginning begins no suffix


def text_beside(path: str, suffix: str) -> str | None:
    """Return the text of the file beside `path` with its stem and `suffix`; None if there is none."""
    text = path_beside(path, suffix)
    return read_text(text) if path not in {STDIN, text} and size(text) else None


def names_beside(path: str) -> list[str]:
    """Return the names of the files in the folder of `path`; none if there is no such folder."""
    try:
        return os.listdir(os.path.dirname(path) or ".")
    except OSError:
        return []


def path_beside(path: str, suffix: str) -> str:
    """Return the path of the file beside `path` with its stem and `suffix`.

    >>> path_beside("a/d.ann.gz", ".txt")
    'a/d.txt'
    """
    return os.path.join(os.path.dirname(path), stem(path) + suffix)


def _read_bytes(path: str) -> bytes:
    """Read with the functions of the operating system: twice as fast as ``open`` on many small files."""
    handle = os.open(path, _FLAGS)
    try:
        return _small_file(handle) or _any_file(handle, path)
    finally:
        os.close(handle)


def _small_file(handle: int) -> bytes:
    """Return the content of a small file; nothing of what is larger, empty, or no file."""
    # Without its status, which takes as long as all else: 1 % of a run over 348 documents
    try:
        length = os.lseek(handle, 0, os.SEEK_END)
        os.lseek(handle, 0, os.SEEK_SET)
        data = os.read(handle, length + 1) if 0 < length < _BLOCK else b""
    except OSError:  # a pipe, a terminal, a folder
        return b""
    return data if len(data) == length else b""


def _any_file(handle: int, path: str) -> bytes:
    status = os.fstat(handle)
    if stat.S_ISDIR(status.st_mode):
        raise InputError(path, "", "is a folder, and a file is needed here")
    if stat.S_ISREG(status.st_mode):
        os.lseek(handle, 0, os.SEEK_SET)
    elif not stat.S_ISFIFO(status.st_mode):
        raise InputError(path, "", "neither a file nor a pipe")
    data = os.read(handle, status.st_size + 1)
    if len(data) == status.st_size > 0:
        return data
    blocks = [data]
    while data:  # a pipe, a file that grows, or one too large for a single read
        data = os.read(handle, _BLOCK)
        blocks.append(data)
    return b"".join(blocks)


def lacking_text(document: Document) -> str:
    """Return what to do to give a document the text that belongs beside its file; empty if it lacks none."""
    suffix = row_of(document.format).text_beside
    if not suffix or document.text is not None or document.path in ("", STDIN):
        return ""
    return f"put its text beside it as {shown_path(os.path.basename(path_beside(document.path, suffix)))}"
