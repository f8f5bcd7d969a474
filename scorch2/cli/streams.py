"""Writing to streams: standard output in its encoding, descriptors, devices and pipes."""

import errno
import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from scorch2.cli.console import STDOUT_NUMBER, drop, is_left
from scorch2.formats.target import Content, blocks
from scorch2.model.errors import OutputError, shown_path

_STDERR_NUMBER = 2
_PLAIN = dict(zip("Δ³₁₃₄─▲▼“”", 'd3134-^v""', strict=True))
_PLAIN |= {"≤": "<=", "…": "...", "←": "<-", "→": "->", "↔": "<->"}


def write_stream(path: str, number: int | None, content: Content) -> None:
    """Write text to a stream, whole or in parts: UTF-8, but on standard output in its encoding."""
    # `number` is that of its descriptor, if it is one of this process
    encoded = _in_encoding_of_stdout if number == STDOUT_NUMBER else str.encode
    data = (block if isinstance(block, bytes) else encoded(block) for block in blocks(content))
    if number == STDOUT_NUMBER:
        _write_stdout(data)
        return
    try:
        if number is None:
            _write_device(path, data)
        else:
            _write_descriptor(number, data)
    except OSError as error:
        if not is_left(error):
            raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


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
    except OSError as error:
        drop(sys.stdout)
        if not is_left(error):
            raise OutputError(f"standard output: {error.strerror or error}") from None


def _write_whole(stream: BinaryIO, block: bytes) -> None:
    """Write all of a block: with PYTHONUNBUFFERED there is no buffer, and a write may stop anywhere."""
    left = memoryview(block)
    while left:
        written = stream.write(left)
        if not written:  # None: it would have to wait, and may not
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]
