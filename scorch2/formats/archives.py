"""Archives of several files: a zip that was uploaded, unpacked into a folder of its own, and others made.

The number of members and what they hold are bounded; what is no file, or would lie elsewhere, is refused.
"""

import os
import stat
import struct
from typing import IO, TYPE_CHECKING, Any

from scorch2.formats.compressed import zipped
from scorch2.formats.source import judged, size
from scorch2.formats.target import write_files
from scorch2.model.errors import InputError, printable

if TYPE_CHECKING:
    from zipfile import ZipInfo

MOST_MEMBERS = 10_000
_EXPANSION, _HEADROOM = 50, 1 << 24
"""The members may hold so many times the bytes of the archive, and so many more."""
_MOST_LISTING = 1 << 22  # bytes of the list of members, which is read at once
_END, _END_SIZE, _COMMENT = b"PK\5\6", 22, 1 << 16
"""How the record at the end of a zip begins, its length, and the longest comment behind it."""
_BLOCK = 1 << 20
_ENCRYPTED = 1
_METHODS = (0, 8)  # stored, deflated


def unpacked(path: str, folder: str) -> None:
    """Write the files in a zip below a folder, or raise an InputError of one line."""
    judged(path, lambda file: _unpacked(file, path, folder))


def _unpacked(file: IO[bytes], path: str, folder: str) -> None:
    import zipfile
    import zlib

    _check_listing(file, path)
    try:
        with zipfile.ZipFile(file) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len({member.filename.casefold() for member in members}) < len(members):
                raise InputError(path, "", "the zip holds a file twice")
            if sum(member.file_size for member in members) > _EXPANSION * size(path) + _HEADROOM:
                raise InputError(path, "", "the zip expands to more than any text does")
            for member in members:
                if why := _refusal(member):
                    raise InputError(path, printable(member.filename), why)
                target = os.path.join(folder, *member.filename.split("/"))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.open(member) as content:
                    write_files({target: iter(lambda: content.read(_BLOCK), b"")})
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, OSError) as error:
        raise InputError(path, "", f"the zip is broken: {printable(str(error))}") from None


def _check_listing(file: IO[bytes], path: str) -> None:
    """Refuse an archive whose list of members is too long, before it is read."""
    file.seek(max(0, size(path) - _END_SIZE - _COMMENT))
    tail = file.read(_END_SIZE + _COMMENT)
    end = tail[tail.rfind(_END) :] if _END in tail else b""
    if len(end) < _END_SIZE:
        raise InputError(path, "", "is no zip: a submission is a folder, or a zip of one")
    number, listing = struct.unpack("<HL", end[10:16])
    if number > MOST_MEMBERS or listing > _MOST_LISTING:
        raise InputError(path, "", f"the zip holds more than {MOST_MEMBERS} files")


def _refusal(member: "ZipInfo") -> str:
    """Return why a member is not unpacked; nothing if it may be."""
    name, kind = member.filename, stat.S_IFMT(member.external_attr >> 16)
    if {"", ".", ".."} & {*name.split("/")} or "\\" in name or ":" in name or not name.isprintable():
        return "would lie outside of the submission, or has a name that not all systems have"
    if kind not in (0, stat.S_IFREG):
        return "is a link" if kind == stat.S_IFLNK else "is no file"
    if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
        return "is encrypted, or compressed in another way than by deflate"
    return ""


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
