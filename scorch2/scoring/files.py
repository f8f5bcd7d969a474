"""The files of one side: a single one, or the documents of a folder by the stem they pair by."""

import os
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from scorch2.formats.source import STDIN, stem
from scorch2.model.errors import InputError, Notice, PairingError
from scorch2.model.messages import listed, quoted, shown_path


class Side(NamedTuple):
    """The files of one side, by the stem they pair by."""

    path: str
    files: Mapping[str, str]
    is_folder: bool
    format: str | None
    notices: tuple[Notice, ...] = ()


def is_folder(path: str) -> bool:
    """Return whether an input is a folder; an InputError tells that there is none."""
    if path == STDIN:
        return False
    if not os.path.lexists(path):
        raise InputError(path, "", "no such file or folder")
    return os.path.isdir(path)


def listed_folder(path: str) -> Side:
    """List the documents of a folder, sorted; what cannot be a document is refused or named."""
    files: dict[str, str] = {}
    notices = []
    twins: dict[str, list[str]] = {}
    try:
        with os.scandir(path) as listing:
            entries = sorted((entry for entry in listing if entry.name[0] != "."), key=attrgetter("name"))
    except OSError as error:
        raise InputError(path, "", error.strerror or str(error)) from None
    for entry in entries:
        if _kind(entry) == "folder":
            notices.append(Notice("folder", entry.path, "sub-folders are not entered"))
            continue
        name = stem(entry.name)
        if name in files:
            twins.setdefault(name, [os.path.basename(files[name])]).append(entry.name)
        files[name] = entry.path
    if twins:
        shown = listed(f"{quoted(name)} ({', '.join(names)})" for name, names in twins.items())
        raise InputError(path, "", f"several files for one document: {shown}")
    if not files:
        raise PairingError(f"{shown_path(path)}: no documents in the folder")
    return Side(path, files, is_folder=True, format=None, notices=tuple(notices))


def folder_files(path: str) -> tuple[Mapping[str, str], Sequence[Notice]]:
    """Return the documents of a folder, path by stem, and warnings about what is none."""
    side = listed_folder(path)
    return side.files, side.notices


def refuse_odd_name(name: str, path: str) -> None:
    """Raise an InputError for a file name that is no text."""
    if name.isascii():
        return
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(path, "", "the file name is not UTF-8") from None


def _kind(entry: "os.DirEntry[str]") -> str:
    """Return whether an entry is a "folder" or a "file", links followed."""
    refuse_odd_name(entry.name, entry.path)
    try:
        if entry.is_file():
            return "file"
        if entry.is_dir():
            return "folder"
    except OSError:  # a link to itself
        pass
    what = "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"
    raise InputError(entry.path, "", what)
