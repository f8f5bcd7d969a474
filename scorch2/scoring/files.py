"""The files of one side: a single one, or those of a folder and its sub-folders by the id they pair by.

The id of a file is its path below the folder, with ``/`` between the parts and without its suffix. Names that
begin with a dot are passed over, and so is the text beside a file of brat. Links are followed; each folder is
entered once, so that a link that leads back is refused and cannot go on for ever.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from scorch2.formats.keys import Keys
from scorch2.formats.packed import without_suffix
from scorch2.formats.source import STDIN, path_beside, stem
from scorch2.formats.table import FORMATS
from scorch2.model.errors import NOT_THERE, InputError, PairingError, UsageError, unreadable
from scorch2.model.messages import SHOWN, counted, listed, printable, shown_path

_ANY_FOLDERS = "**"
"""The part of a pattern that stands for any number of folders, none too."""


class Choice(NamedTuple):
    """A choice among the files of a folder."""

    glob: str | None = None
    """A pattern for paths below the folder; one without ``/`` is for names in any sub-folder."""
    option: str = ""
    """The option that it is given with, for messages; empty if the command has none."""


EVERY = Choice()


class Side(NamedTuple):
    """The files of one side, by the id they pair by."""

    path: str
    files: Mapping[str, str]
    """In the order of their ids."""
    is_folder: bool
    format: str | None
    keys: Keys = ()
    """The keys that may hold the clusters of this side, see `scorch2.formats.keys`."""


def is_folder(path: str) -> bool:
    """Return whether an input is a folder; an InputError tells that there is none."""
    if path == STDIN:
        return False
    if not os.path.lexists(path):
        raise InputError(path, "", NOT_THERE)
    return os.path.isdir(path)


def one_file(path: str, name: str, choice: Choice = EVERY) -> Side:
    """Return a side of one file; a UsageError tells that there is no choice among files."""
    refuse_odd_name(name, path)
    refuse_choice(path, choice)
    return Side(path, {name: path}, is_folder=False, format=None)


def listed_folder(path: str, choice: Choice = EVERY) -> Side:
    """List the chosen files of a folder and its sub-folders, sorted by id; one that is no file is refused.

    Raises
    ------
    InputError
        For a folder that cannot be read, two files of one id, a pipe, a device, a link to nothing.
    PairingError
        If no file is there, or none is chosen.
    """
    files: dict[str, str] = {}
    for above, entry in walked(path, choice.glob):
        ident = above + stem(entry.name)
        if ident in files:
            if _is_text_of(entry.path, [files[ident]]):
                continue
            raise InputError(path, "", _twins(path, choice))
        files[ident] = entry.path
    if not files:
        raise PairingError(f"{shown_path(path)}: {_nothing(path, choice)}")
    return Side(path, {ident: files[ident] for ident in sorted(files)}, is_folder=True, format=None)


def side_of(path: str, choice: Choice = EVERY) -> Side:
    """Return the chosen files of a folder, or a file by its stem; as `listed_folder` and `one_file`."""
    return listed_folder(path, choice) if is_folder(path) else one_file(path, stem(path), choice)


def folder_files(path: str, choice: Choice = EVERY) -> Mapping[str, str]:
    """Return the chosen files of a folder, path by id."""
    return listed_folder(path, choice).files


def walked(path: str, glob: str | None = None) -> "Iterator[tuple[str, os.DirEntry[str]]]":
    """Yield each chosen file behind what its path below the folder begins with: ``bc/cctv/``, or nothing."""
    chosen = None if glob is None else _matcher(glob)
    entered: dict[tuple[int, int], str] = {}
    waiting = [("", path)]
    while waiting:
        above, folder = waiting.pop()
        identity, entries = _opened(folder)
        other = entered.setdefault(identity, folder)
        if other != folder:
            why = f"is the folder {shown_path(other)} again, through a link (remove the link)"
            raise InputError(folder, "", why)
        folders = []
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            kind, below = _kind(entry), above + name
            if kind == "folder":
                folders.append((f"{below}/", entry.path))
            elif chosen is None or chosen(below):
                if kind != "file":
                    raise InputError(entry.path, "", kind)
                if not below.isascii():
                    refuse_odd_name(below, entry.path)
                yield above, entry
        waiting += reversed(folders)


def _is_text_of(name: str, others: Sequence[str]) -> bool:
    """Return whether a file is the text that one of the others is about, and so is no document.

    >>> _is_text_of("d.txt", ["d.ann"]), _is_text_of("d.txt", ["d.json"])
    (True, False)
    """
    return any(
        name == path_beside(other, row.text_beside) and without_suffix(other).endswith(row.suffixes)
        for row in FORMATS.values()
        if row.text_beside
        for other in others
    )


def refuse_choice(path: str, choice: Choice) -> None:
    """Raise a UsageError if there is a choice among the files of what is no folder."""
    if choice.glob is not None:
        raise UsageError(f"{choice.option} is for folders, and {shown_path(path)} is none")


def refuse_odd_name(name: str, path: str) -> None:
    """Raise an InputError for a file name that is no text."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(path, "", "the file name is not UTF-8") from None


def _opened(folder: str) -> "tuple[tuple[int, int], list[os.DirEntry[str]]]":
    """Return what tells a folder from all others, whatever its path, and its entries, sorted."""
    try:
        found = os.stat(folder)
        with os.scandir(folder) as listing:
            return (found.st_dev, found.st_ino), sorted(listing, key=attrgetter("name"))
    except OSError as error:
        raise unreadable(folder, error) from None


def _kind(entry: "os.DirEntry[str]") -> str:
    """Return whether an entry is a ``file`` or a ``folder``, links followed, or what else it is."""
    try:
        if entry.is_file():
            return "file"
        if entry.is_dir():
            return "folder"
    except OSError:  # a link to itself
        pass
    return "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"


def _matcher(glob: str) -> Callable[[str], bool]:
    """Return whether a path below a folder matches a pattern, as in ``.gitignore`` but for whole paths.

    ``*``, ``?`` and ``[...]`` stay inside a name; ``**`` stands for any number of folders.

    >>> [_matcher(glob)("bc/cctv/d.conll") for glob in ("*.conll", "bc/**", "bc/*.conll", "**/d.*")]
    [True, True, False, True]
    """
    from fnmatch import fnmatchcase

    pattern = glob.lstrip("/").split("/")
    if "/" not in glob:
        pattern.insert(0, _ANY_FOLDERS)

    def fits(names: Sequence[str], wanted: Sequence[str]) -> bool:
        if not wanted or not names:
            return not names and all(one == _ANY_FOLDERS for one in wanted)
        if wanted[0] == _ANY_FOLDERS:
            return fits(names, wanted[1:]) or fits(names[1:], wanted)
        return fnmatchcase(names[0], wanted[0]) and fits(names[1:], wanted[1:])

    return lambda path: fits(path.split("/"), pattern)


def _twins(path: str, choice: Choice) -> str:
    """Say which files have one id, and how to choose among them."""
    names: dict[str, list[str]] = {}
    for above, entry in walked(path, choice.glob):
        others = names.setdefault(above + stem(entry.name), [])
        if not _is_text_of(entry.name, others):
            others.append(entry.name)
    twins = {ident: names[ident] for ident in sorted(names) if len(names[ident]) > 1}
    shown = [f'"{shown_path(ident)}" ({listed(files)})' for ident, files in islice(twins.items(), SHOWN)]
    more = f" and {len(twins) - SHOWN} more" if len(twins) > SHOWN else ""
    first = next(iter(twins.values()))
    known = tuple(suffix for row in FORMATS.values() for suffix in row.suffixes)
    example = _suffix(next((name for name in first if name.endswith(known)), first[0]))
    hint = f'{choice.option}=<glob> chooses, such as {choice.option}="*{printable(example)}"'
    hint = hint if choice.option else "keep one of them there"
    return f"several files for one document: {', '.join(shown)}{more} ({hint})"


def _nothing(path: str, choice: Choice) -> str:
    """Say that no file is there, or what is there where none was chosen."""
    there = [above + entry.name for above, entry in walked(path)] if choice.glob is not None else []
    if not there:
        return "no documents in the folder"
    kinds = Counter(_suffix(below) or "no suffix" for below in sorted(there)).most_common()
    shown = ", ".join(f"{number} {printable(suffix)}" for suffix, number in islice(kinds, SHOWN))
    what = f"{choice.option}={printable(choice.glob or '')} chooses none of {counted(len(there), 'file')}"
    return f"{what} ({shown}; {printable(min(there))} for example)"


def _suffix(path: str) -> str:
    """Return the part of a file name that is not in its id."""
    name = path.rpartition("/")[2]
    return name.removeprefix(stem(name))
