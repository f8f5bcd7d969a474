"""Archives of several files: a zip or tar that was uploaded, unpacked into a folder of its own.

The number of members and what they hold are bounded; what is no file, or would lie elsewhere, is refused.
"""

import io
import os
import stat
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from scorch2.formats.compressed import zipped
from scorch2.formats.source import judged, read_data, size
from scorch2.formats.target import write_files
from scorch2.model.errors import InputError, printable

if TYPE_CHECKING:
    from tarfile import TarFile
    from zipfile import ZipFile

MOST_MEMBERS = 10_000
_EXPANSION, _HEADROOM = 50, 1 << 24
"""The members may hold so many times the bytes of the archive, and so many more."""
_MOST_LISTING = 1 << 22  # bytes of the list of members, which is read at once
_END, _END_SIZE, _COMMENT = b"PK\5\6", 22, 1 << 16
"""How the record at the end of a zip begins, its length, and the longest comment behind it."""
_BLOCK = 1 << 20
_ENCRYPTED = 1
_METHODS = (0, 8)  # stored, deflated
_BEGINS = (b"PK\3\4", _END)
_LINK, _NO_FILE = "is a link", "is no file"


class Member(NamedTuple):
    """A file in an archive, or what else it holds."""

    name: str
    size: int
    is_folder: bool
    refused: str  # why it is not unpacked; nothing if it may be
    open: Callable[[], Any]


def unpacked(path: str, folder: str) -> None:
    """Write the files in a zip or tar below a folder, or raise an InputError of one line."""
    judged(path, lambda file: _unpacked(file, path, folder))


def _unpacked(file: IO[bytes], path: str, folder: str) -> None:
    import tarfile
    import zipfile
    import zlib

    is_zip = file.read(4) in _BEGINS
    broken = zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error
    try:
        if is_zip:
            _check_listing(file, path)
            with zipfile.ZipFile(file) as archive:
                _write_all(_of_zip(archive), path, folder)
        else:
            with tarfile.open(fileobj=io.BytesIO(read_data(path))) as archive_of_tape:
                _write_all(_of_tar(archive_of_tape), path, folder)
    except (*broken, EOFError, NotImplementedError, RecursionError, ValueError, OSError) as error:
        if isinstance(error, InputError):
            raise
        said = printable(str(error))
        why = f"the zip is broken: {said}" if is_zip else f"is no zip or tar, or a broken one: {said}"
        raise InputError(path, "", why) from None


def _write_all(members: Iterable[Member], path: str, folder: str) -> None:
    room, seen = _EXPANSION * size(path) + _HEADROOM, set()
    for number, member in enumerate(members):
        names, room = member.name.split("/"), room - max(member.size, 0)
        if number == MOST_MEMBERS:
            raise InputError(path, "", f"the archive holds more than {MOST_MEMBERS} files")
        if room < 0:
            raise InputError(path, "", "the archive expands to more than any text does")
        if member.is_folder:
            continue
        why = member.refused
        if (
            {"", ".", ".."} & {*names}
            or "\\" in member.name
            or ":" in member.name
            or not member.name.isprintable()
        ):
            why = "would lie outside of the submission, or has a name that not all systems have"
        if why:
            raise InputError(path, printable(member.name), why)
        if member.name.casefold() in seen:
            raise InputError(path, "", "the archive holds a file twice")
        seen.add(member.name.casefold())
        target = os.path.join(folder, *names)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with member.open() as content:
            write_files({target: iter(partial(content.read, _BLOCK), b"")})


def _of_zip(archive: "ZipFile") -> Iterator[Member]:
    for info in archive.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        why = "" if kind in (0, stat.S_IFREG) else _LINK if kind == stat.S_IFLNK else _NO_FILE
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
            why = "is encrypted, or compressed in another way than by deflate"
        yield Member(info.filename, info.file_size, info.is_dir(), why, partial(archive.open, info))


def _of_tar(archive: "TarFile") -> Iterator[Member]:
    for info in archive:
        why = "" if info.isreg() else _LINK if info.issym() or info.islnk() else _NO_FILE
        name = info.name.removeprefix("./")
        yield Member(name, info.size, info.isdir(), why, partial(archive.extractfile, info))


def _check_listing(file: IO[bytes], path: str) -> None:
    """Refuse a zip whose list of members is too long, before it is read."""
    file.seek(max(0, size(path) - _END_SIZE - _COMMENT))
    tail = file.read(_END_SIZE + _COMMENT)
    end = tail[tail.rfind(_END) :] if _END in tail else b""
    if len(end) < _END_SIZE:
        raise InputError(path, "", "the zip is broken: it has no end")
    number, listing = struct.unpack("<HL", end[10:16])
    if number > MOST_MEMBERS or listing > _MOST_LISTING:
        raise InputError(path, "", f"the archive holds more than {MOST_MEMBERS} files")


def program() -> bytes:
    """Return scorch2 with all that it needs, as one file that Python runs."""
    from importlib.resources import files

    found = {"__main__.py": b"from scorch2.cli.main import main\nraise SystemExit(main())\n"}

    def add(folder: Any, above: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda entry: str(entry.name)):
            if entry.is_dir():
                add(entry, f"{above}/{entry.name}")
            elif not entry.name.endswith(".pyc"):
                found[f"{above}/{entry.name}"] = entry.read_bytes()

    for package in ("docopt", "scorch2"):
        add(files(package), package)
    return zipped(found)
