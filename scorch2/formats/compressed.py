"""Compressed files: gzip, xz, bzip2, zstd and a zip of one file, one row per kind.

A kind is known by how the data begin, whatever the file is called. What expands too much is refused.
"""

import importlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import IO, Any, NamedTuple

from scorch2.model.errors import InputError, OutputError, listed, printable, quoted, shown_path

_EXPANSION, _HEADROOM = 50, 1 << 24
"""A packed file may hold so many times its size, and so many bytes more."""
_BLOCK = 1 << 10
"""Bytes that are unpacked at once: they can expand to some 20 MB."""
_MOST_MEMORY = 1 << 28
"""Bytes that xz may use; its strongest setting needs 65 MB."""
_SHOWN = 8
"""Bytes that a message shows of what stands where nothing belongs."""
_READABLE = 0o644
"""The mode of a file in a zip that is written."""
_ENCRYPTED = 1
"""Bit in the flags of a file in a zip."""
_BROKEN: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, RuntimeError)
"""Errors that all modules raise for broken data; each has one of its own besides."""


class Compression(NamedTuple):
    """A way to pack a file."""

    name: str
    suffix: str
    begins: tuple[bytes, ...]
    """What the data begin with."""
    blocks: Callable[[IO[bytes], str], Iterator[bytes]]
    """From the packed file, and its path for messages, to the blocks of the file that it holds."""
    pack: Callable[[bytes, str], bytes]
    """From the data, and the name of their file, to packed data: the same bytes at any time."""
    errors: Callable[[], tuple[type[Exception], ...]]
    """The errors of its own for broken data. They are imported when one was raised."""


def compression_of(data: bytes) -> Compression | None:
    """Return how data that begin like this are packed; None if they are not."""
    if not data.startswith(_BEGINS):
        return None
    return next(kind for kind in COMPRESSIONS.values() if data.startswith(kind.begins))


def compression_called(path: str) -> Compression | None:
    """Return the kind that the suffix of a path names; None if it names none."""
    return next((kind for kind in COMPRESSIONS.values() if path.endswith(kind.suffix)), None)


def without_suffix(path: str) -> str:
    """Return a path without the suffix of a packed file.

    >>> without_suffix("doc1.conll.xz"), without_suffix("doc1.conll")
    ('doc1.conll', 'doc1.conll')
    """
    return path.rpartition(".")[0] if path.endswith(SUFFIXES) else path


def decompressed(data: bytes, kind: Compression, path: str) -> bytes:
    """Return what packed data hold."""
    try:
        return _joined(kind.blocks(io.BytesIO(data), path), _EXPANSION * len(data) + _HEADROOM, path)
    except InputError:
        raise
    except ImportError:
        raise InputError(path, "", f"{_lacking(kind)}, or decompress the file first") from None
    except _BROKEN + kind.errors() as error:
        said = printable(str(error)) or type(error).__name__
        raise InputError(path, "", f"broken {kind.name} data: {said}") from None


def _joined(blocks: Iterable[bytes], most: int, path: str) -> bytes:
    found = []
    for block in blocks:
        found.append(block)
        most -= len(block)
        if most < 0:
            why = f"decompresses to more than {_EXPANSION} times its size, refused for safety"
            raise InputError(path, "", f"{why} (decompress it first)")
    return b"".join(found)


def decompressed_start(file: IO[bytes], kind: Compression, most: int) -> bytes:
    """Return up to `most` bytes of what a packed file begins with; less if it cannot be unpacked."""
    found = b""
    try:
        for block in kind.blocks(file, ""):
            found += block
            if len(found) >= most:
                break
    except ImportError:
        pass
    except _BROKEN + kind.errors():  # the reader will say what is wrong
        pass
    return found[:most]


def compress(data: bytes, kind: Compression, path: str) -> bytes:
    """Return data packed as the content of the file `path`."""
    try:
        return kind.pack(data, without_suffix(os.path.basename(path)))
    except ImportError:
        raise OutputError(f"{shown_path(path)}: {_lacking(kind)}") from None


def _lacking(kind: Compression) -> str:
    newer = "use Python 3.14 or newer" if kind.name == "zstd" else "install Python with it"
    return f"this Python has no module for {kind.name} data: {newer}"


def _streams(file: IO[bytes], name: str, new: Callable[[], Any]) -> Iterator[bytes]:
    """Yield what the streams of a file hold; zeros may stand between them.

    `new` gives a decompressor for the next stream of the kind with this name.
    """
    stream, is_open, is_first, waiting = new(), False, True, b""
    while data := waiting or file.read(_BLOCK):
        waiting = b""
        if not is_open:
            data = data.lstrip(b"\0")
            if not data:
                continue
            if not is_first:
                data += file.read(_LONGEST_BEGIN - len(data)) if len(data) < _LONGEST_BEGIN else b""
                _refuse_other(data, COMPRESSIONS[name])
        yield stream.decompress(data)
        is_open, is_first = not stream.eof, False
        if stream.eof:
            waiting, stream = stream.unused_data, new()
    if is_open:
        raise EOFError("the file ends too early")


def _refuse_other(data: bytes, kind: Compression) -> None:
    """Raise a ValueError if what follows the end of a stream begins no other one."""
    if not data.startswith(kind.begins):
        shown = quoted(data[:_SHOWN].decode("latin-1"))
        raise ValueError(f"other data follow, which begin with {shown} (cut them off)")


def _gzip(file: IO[bytes], _: str) -> Iterator[bytes]:
    import zlib

    return _streams(file, "gzip", lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS))


def _pack_gzip(data: bytes, _: str) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def _gzip_errors() -> tuple[type[Exception], ...]:
    import zlib

    return (zlib.error,)


def _xz(file: IO[bytes], _: str) -> Iterator[bytes]:
    import lzma

    return _streams(file, "xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY))


def _pack_xz(data: bytes, _: str) -> bytes:
    import lzma

    return lzma.compress(data)


def _xz_errors() -> tuple[type[Exception], ...]:
    import lzma

    return (lzma.LZMAError,)


def _bzip2(file: IO[bytes], _: str) -> Iterator[bytes]:
    import bz2

    return _streams(file, "bzip2", bz2.BZ2Decompressor)


def _pack_bzip2(data: bytes, _: str) -> bytes:
    import bz2

    return bz2.compress(data)


def _zip(file: IO[bytes], path: str) -> Iterator[bytes]:
    """Yield the only file of a zip; folders and hidden files (macOS adds some) are passed over."""
    import zipfile

    archive = zipfile.ZipFile(file)
    files = [one for one in archive.infolist() if _is_visible_file(one.filename)]
    if len(files) != 1:
        what = f"{len(files)} files: {listed(one.filename for one in files)}" if files else "no file"
        raise InputError(path, "", f"the zip holds {what} (it must hold one; unpack it and give the folder)")
    if files[0].flag_bits & _ENCRYPTED:
        raise InputError(path, "", "the zip is encrypted (decrypt it first)")
    content = archive.open(files[0])
    while block := content.read(_BLOCK):
        yield block


def _is_visible_file(name: str) -> bool:
    base = name.rpartition("/")[2]
    return not base.startswith(".") and bool(base or not name)  # the name of a folder ends in a slash


def _pack_zip(data: bytes, name: str) -> bytes:
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)  # with the first date that a zip can have
        entry.external_attr = _READABLE << 16
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _zip_errors() -> tuple[type[Exception], ...]:
    import struct
    import zipfile
    import zlib

    return (zipfile.BadZipFile, zlib.error, struct.error, *_xz_errors())


def _zstd(file: IO[bytes], _: str) -> Iterator[bytes]:
    return _streams(file, "zstd", _zstd_module().ZstdDecompressor)


def _pack_zstd(data: bytes, _: str) -> bytes:
    return bytes(_zstd_module().compress(data))


def _zstd_errors() -> tuple[type[Exception], ...]:
    return (_zstd_module().ZstdError,)


def _zstd_module() -> Any:
    """Return the module that Python has since 3.14."""
    return importlib.import_module("compression.zstd")


_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
"""The beginnings of a block and of the end of the data; the letters before them alone could be text."""
_ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", *(b"%c*M\x18" % number for number in range(0x50, 0x60)))
"""The beginnings of a frame: one with data, or one of the sixteen kinds that hold something else."""
COMPRESSIONS: Mapping[str, Compression] = {
    row.name: row
    for row in (
        Compression("gzip", ".gz", (b"\x1f\x8b",), _gzip, _pack_gzip, _gzip_errors),
        Compression("xz", ".xz", (b"\xfd7zXZ\0",), _xz, _pack_xz, _xz_errors),
        Compression(
            "bzip2",
            ".bz2",
            tuple(b"BZh%d%b" % both for both in product(range(1, 10), _BZIP2_BLOCKS)),
            _bzip2,
            _pack_bzip2,
            tuple,
        ),
        Compression("zip", ".zip", (b"PK\3\4", b"PK\5\6"), _zip, _pack_zip, _zip_errors),
        Compression("zstd", ".zst", _ZSTD_FRAMES, _zstd, _pack_zstd, _zstd_errors),
    )
}
"""The kinds by name."""
SUFFIXES = tuple(kind.suffix for kind in COMPRESSIONS.values())
_BEGINS = tuple(begin for kind in COMPRESSIONS.values() for begin in kind.begins)
_LONGEST_BEGIN = max(map(len, _BEGINS))
