"""Streams: standard output, other open descriptors, devices and pipes. They are written, never replaced."""

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

from scorch2.formats.target import Content, blocks
from scorch2.model.errors import OutputError, shown_path

STDOUT = "-"
STDOUT_NUMBER = 1
_STDERR_NUMBER = 2
_MOST_LINKS = 40
"""Links that are followed one after the other; as many as Linux follows."""
_FOLDER = r"/dev/fd|/proc/(\d+)(?:/task/\d+)?/fd"
"""The folders whose entries are open descriptors, with the number of the process that has them open."""
_PLAIN = dict(zip("Δ³₁₃₄─†", "d3134-+", strict=True)) | {"…": "...", "←": "<-", "↔": "<->"}


class _Entry(NamedTuple):
    """An entry of a folder of open descriptors."""

    process: str
    """The process that has it open; empty for this one."""
    number: int


def is_stream(path: str) -> bool:
    """Return whether a path names a stream: it is then written as it is, not renamed into place.

    Links are followed: ``/dev/stderr`` may lead to a file, which belongs to the one who opened the stream.
    """
    return path == STDOUT or _entry(path) is not None or _is_device(path)


def descriptor(path: str) -> int | None:
    """Return which descriptor of this process a path names, or None.

    >>> descriptor("-"), descriptor("report.txt")
    (1, None)
    """
    if path == STDOUT:
        return STDOUT_NUMBER
    entry = _entry(path)
    return None if entry is None or entry.process not in ("", _own_process()) else entry.number


def check(path: str) -> None:
    """Refuse a descriptor that is not open.

    Raises
    ------
    OutputError
        Before anything is read.
    """
    number = descriptor(path)
    if number is None or number == STDOUT_NUMBER:
        return
    try:
        os.fstat(number)
    except OSError:
        raise OutputError(f"{shown_path(path)}: is no open stream") from None


def write(path: str, content: Content) -> None:
    """Write text to a stream, whole or in parts: UTF-8, but on standard output in its encoding.

    Raises
    ------
    OutputError
        If it cannot be written in full. That nobody reads a pipe any more is no error.
    """
    number = descriptor(path)
    encoded = _in_encoding_of_stdout if number == STDOUT_NUMBER else _in_utf_8
    data = (block if isinstance(block, bytes) else encoded(block) for block in blocks(content))
    if number == STDOUT_NUMBER:
        _write_stdout(data)
        return
    try:
        if number is None:
            _write_device(path, data)
        else:
            _write_descriptor(number, data)
    except BrokenPipeError:  # the reader has seen enough: no error
        return
    except OSError as error:
        raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


def _entry(path: str) -> _Entry | None:
    """Follow links until one of them is an entry of a folder of descriptors; None if none is."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        with contextlib.suppress(OSError):  # a working folder that was deleted
            folder = os.path.realpath(folder)
        found = re.fullmatch(_FOLDER, folder)
        if found and name.isdecimal():
            return _Entry(found[1] or "", int(name))
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:  # no link, or nothing there
            return None
    return None


def _own_process() -> str:
    """Return the number of this process, as the folder of processes has it: a container may count anew."""
    try:
        return os.readlink("/proc/self")
    except OSError:
        return str(os.getpid())


def _is_device(path: str) -> bool:
    """Return whether there is a device or a pipe, links followed."""
    try:
        found = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(found) and not stat.S_ISDIR(found)


def _write_device(path: str, data: Iterable[bytes]) -> None:
    """Write to a device, a pipe, or a stream of another process, of which nothing may be cut off."""
    with open(os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)), "wb") as device:
        device.writelines(data)


def _write_descriptor(number: int, data: Iterable[bytes]) -> None:
    """Write where the descriptor stands: opening its path would start at the beginning of a file."""
    if number == _STDERR_NUMBER and sys.stderr is not None:
        sys.stderr.flush()
    for block in data:
        left = memoryview(block)
        while left:
            left = left[os.write(number, left) :]


def _in_utf_8(text: str) -> bytes:
    return text.encode("utf-8")


def _in_encoding_of_stdout(text: str) -> bytes:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    encoding = sys.stdout.encoding or "utf-8"
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        plain = "".join(_PLAIN.get(letter, letter) for letter in text)
        return plain.encode(encoding, "backslashreplace")


def _write_stdout(data: Iterable[bytes]) -> None:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    try:
        sys.stdout.flush()
        for block in data:
            if hasattr(sys.stdout, "buffer"):
                _write_whole(sys.stdout.buffer, block)
            else:  # replaced by a stream of text
                sys.stdout.write(block.decode(sys.stdout.encoding or "utf-8"))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough: no error
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: {error.strerror or error}") from None


def _write_whole(stream: BinaryIO, block: bytes) -> None:
    """Write all of a block: with PYTHONUNBUFFERED there is no buffer, and a write may stop anywhere."""
    left = memoryview(block)
    while left:
        written = stream.write(left)
        if not written:  # None: it would have to wait, and may not
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]


def _drop_stdout() -> None:
    """Keep the interpreter from flushing again at exit what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
