"""Compressed files: gzip, xz, bzip2, zstd and a zip of one file, one row per kind.

A kind is known by how the data begin, whatever the file is called. What expands too much is refused.
"""

import importlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import IO, Any, NamedTuple

from scorch2.formats import BEGINS, COMPRESSED, without_suffix
from scorch2.model.errors import InputError, OutputError, listed, printable, quoted, shown_path

_EXPANSION, _HEADROOM = 50, 1 << 24
"""A compressed file may hold so many times its size, and so many bytes more."""
_BLOCK = 1 << 10  # bytes that are decompressed at once: they can expand to some 20 MB
_MOST_MEMORY = 1 << 28  # bytes that xz may use; its strongest setting needs 65 MB
_GZIP, _XZ = 31, 1  # ``16 + zlib.MAX_WBITS``, ``lzma.FORMAT_XZ``
_SHOWN = 8  # bytes that a message shows of what stands where nothing belongs
_READABLE = 0o644  # the mode of a file in a zip that is written
_ENCRYPTED = 1  # bit in the flags of a file in a zip
_BROKEN: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, RuntimeError)
"""Errors that all modules raise for broken data; each has one of its own besides."""


class Compression(NamedTuple):
    """A kind of compressed file; what Python has for it is imported on use."""

    name: str
    blocks: Callable[[IO[bytes], str], Iterator[bytes]]
    """From the compressed file, and its path for messages, to the blocks of the file that it holds."""
    compress: Callable[[bytes, str], bytes]
    """From the data, and the name of their file, to compressed data: the same bytes at any time."""
    errors: tuple[str, ...] = ()  # the errors of its own for broken data

    def broken(self) -> tuple[type[Exception], ...]:
        """Return the errors that tell of broken data."""
        return (*_BROKEN, *map(_of_python, self.errors))


def _of_python(name: str) -> Any:
    """Return what a module of Python holds, such as ``zlib.error``."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def _compression_of(data: bytes) -> Compression:
    """Return how data that begin with one of `BEGINS` are compressed."""
    return next(COMPRESSIONS[name] for name, (_, begins) in COMPRESSED.items() if data.startswith(begins))


def decompressed(data: bytes, path: str) -> bytes:
    """Return what compressed data hold."""
    kind = _compression_of(data)
    try:
        return _joined(kind.blocks(io.BytesIO(data), path), _EXPANSION * len(data) + _HEADROOM, path)
    except InputError:
        raise
    except ImportError:
        raise InputError(path, "", f"{_lacking(kind)}, or decompress the file first") from None
    except kind.broken() as error:
        said = printable(str(error)) or type(error).__name__
        raise InputError(path, "", f"broken {kind.name} data: {said}") from None


def _joined(blocks: Iterable[bytes], most: int, path: str) -> bytes:
    parts = []
    for block in blocks:
        parts.append(block)
        most -= len(block)
        if most < 0:
            why = f"decompresses to more than {_EXPANSION} times its size, refused for safety"
            raise InputError(path, "", f"{why} (decompress it first)")
    return b"".join(parts)


def decompressed_start(file: IO[bytes], begin: bytes, most: int) -> bytes:
    """Return up to `most` bytes of what a compressed file holds first; less if it is broken."""
    # `begin` is what its data begin with
    kind, start = _compression_of(begin), b""
    try:
        for block in kind.blocks(file, ""):
            start += block
            if len(start) >= most:
                break
    except ImportError:
        pass
    except kind.broken():  # the reader will say what is wrong
        pass
    return start[:most]


def compress(data: bytes, path: str) -> bytes:
    """Return data compressed as the content of the file `path`, whose suffix names the kind."""
    kind = next(COMPRESSIONS[name] for name, (suffix, _) in COMPRESSED.items() if path.endswith(suffix))
    try:
        return kind.compress(data, without_suffix(os.path.basename(path)))
    except ImportError:
        raise OutputError(f"{shown_path(path)}: {_lacking(kind)}") from None


def _lacking(kind: Compression) -> str:
    newer = "use Python 3.14 or newer" if kind.name == "zstd" else "install Python with it"
    return f"this Python has no module for {kind.name} data: {newer}"


def _in_streams(
    name: str, decompressor: str, *arguments: int, **options: int
) -> Callable[[IO[bytes], str], Iterator[bytes]]:
    """Return `Compression.blocks` of a kind whose files are streams, each read by one decompressor."""

    def blocks(file: IO[bytes], _: str) -> Iterator[bytes]:
        new = partial(_of_python(decompressor), *arguments, **options)
        stream, is_open, is_first, waiting = new(), False, True, b""
        while data := waiting or file.read(_BLOCK):
            waiting = b""
            if not is_open:
                data = data.lstrip(b"\0")  # zeros may stand between streams
                if not data:
                    continue
                if not is_first:
                    data += file.read(_LONGEST_BEGIN - len(data)) if len(data) < _LONGEST_BEGIN else b""
                    _refuse_other(data, COMPRESSED[name][1])
            yield stream.decompress(data)
            is_open, is_first = not stream.eof, False
            if stream.eof:
                waiting, stream = stream.unused_data, new()
        if is_open:
            raise EOFError("the file ends too early")

    return blocks


def _refuse_other(data: bytes, begins: tuple[bytes, ...]) -> None:
    """Raise a ValueError if what follows the end of a stream begins no other one."""
    if not data.startswith(begins):
        shown = quoted(data[:_SHOWN].decode("latin-1"))
        raise ValueError(f"other data follow, which begin with {shown} (cut them off)")


def _zip(file: IO[bytes], path: str) -> Iterator[bytes]:
    """Yield the only file of a zip; folders and hidden files (macOS adds some) are passed over."""
    import zipfile

    archive = zipfile.ZipFile(file)
    files = [entry for entry in archive.infolist() if _is_visible_file(entry.filename)]
    if len(files) != 1:
        what = f"{len(files)} files: {listed(entry.filename for entry in files)}" if files else "no file"
        how = "it must hold one; unzip it and give the folder"
        if any(entry.filename == "[Content_Types].xml" for entry in files):
            how = "it is a file of Office: save its table as CSV or its text as plain text"
        raise InputError(path, "", f"the zip holds {what} ({how})")
    if files[0].flag_bits & _ENCRYPTED:
        raise InputError(path, "", "the zip is encrypted (decrypt it first)")
    content = archive.open(files[0])
    while block := content.read(_BLOCK):
        yield block


def _is_visible_file(name: str) -> bool:
    base = name.rpartition("/")[2]
    return not base.startswith(".") and bool(base or not name)  # the name of a folder ends in a slash


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by their paths: the same bytes at any time."""
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # with the first date that a zip can have
            entry.external_attr = _READABLE << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


COMPRESSIONS: Mapping[str, Compression] = {
    row.name: row
    for row in (
        Compression(
            "gzip",
            _in_streams("gzip", "zlib.decompressobj", wbits=_GZIP),
            lambda data, _: _of_python("gzip.compress")(data, mtime=0), ("zlib.error",),
        ),
        Compression(
            "xz",
            _in_streams("xz", "lzma.LZMADecompressor", _XZ, memlimit=_MOST_MEMORY),
            lambda data, _: _of_python("lzma.compress")(data), ("lzma.LZMAError",),
        ),
        Compression(
            "bzip2",
            _in_streams("bzip2", "bz2.BZ2Decompressor"),
            lambda data, _: _of_python("bz2.compress")(data),
        ),
        Compression(
            "zip", _zip, lambda data, name: zipped({name: data}),
            ("zipfile.BadZipFile", "zlib.error", "struct.error", "lzma.LZMAError"),
        ),
        Compression(
            "zstd",
            _in_streams("zstd", "compression.zstd.ZstdDecompressor"),
            lambda data, _: bytes(_of_python("compression.zstd.compress")(data)),
            ("compression.zstd.ZstdError",),
        ),
    )
}  # fmt: skip
"""What the kinds of `scorch2.formats.COMPRESSED` are read and written with, by name."""
_LONGEST_BEGIN = max(map(len, BEGINS))
