"""The files of one side: a single one, or those of a folder and its sub-folders by the id they pair by.

The id of a file is its path below the folder, with ``/`` between the parts and without its suffix. Names that
begin with a dot are passed over, and so is the text beside a file of brat. Links are followed; each folder is
entered once, so that a link that leads back is refused and cannot go on for ever.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from scorch2.formats import without_suffix
from scorch2.formats.reading import stream
from scorch2.formats.source import STDIN, path_beside, stem
from scorch2.formats.table import FORMATS, ClusterKeys, row_of
from scorch2.model.document import Document
from scorch2.model.errors import (
    NOT_THERE,
    SHOWN,
    InputError,
    Notice,
    PairingError,
    UsageError,
    counted,
    listed,
    printable,
    quoted,
    shown_path,
    unreadable,
)
from scorch2.model.options import Options

_ANY_FOLDERS = "**"  # the part of a pattern that stands for any number of folders, none too


class FileChoice(NamedTuple):
    """A choice among the files of a folder."""

    glob: str | None = None
    """A pattern for paths below the folder; one without ``/`` is for names, and ``!`` before it excludes."""
    option: str = ""  # the option that it is given with, for messages; empty if the command has none


EVERY_FILE = FileChoice()


class SideFiles(NamedTuple):
    """The files of one side, by the id they pair by."""

    path: str
    files: Mapping[str, str]  # in the order of their ids
    is_folder: bool
    format: str | None
    keys: ClusterKeys = ()  # the keys that may hold the clusters of this side, see `scorch2.formats.table`
    windows: Mapping[str, Sequence[str]] = {}
    """By the path of a file of `files`, those with more windows of its document, for ``--join-windows``."""


def keys_of(typed: str | None, usual: ClusterKeys) -> ClusterKeys:
    """Return the keys to look for on a side: the one that is typed, or else the usual ones."""
    return usual if typed is None else (typed,)


def is_folder(path: str) -> bool:
    """Return whether an input is a folder; an InputError tells that there is none."""
    if path == STDIN:
        return False
    if not os.path.lexists(path):
        raise InputError(path, "", NOT_THERE)
    return os.path.isdir(path)


def are_one(one: str, other: str) -> bool:
    """Return whether two paths lead to the same file or folder."""
    try:
        return STDIN not in (one, other) and os.path.samefile(one, other)
    except (OSError, ValueError):  # what is no path
        return False


def one_file(path: str, name: str, choice: FileChoice = EVERY_FILE) -> SideFiles:
    """Return a side of one file; a UsageError tells that there is no choice among files."""
    refuse_odd_name(name, path)
    refuse_choice(path, choice)
    return SideFiles(path, {name: path}, is_folder=False, format=None)


def listed_folder(path: str, choice: FileChoice = EVERY_FILE) -> SideFiles:
    """List the chosen files of a folder and its sub-folders, sorted by id."""
    # An InputError tells of a folder that cannot be read, two files of one id, or what is no file; a
    # PairingError of no file.
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
    idents = sorted(files)
    if idents != list(files):  # a dot sorts before letters, and after others
        files = {ident: files[ident] for ident in idents}
    return SideFiles(path, files, is_folder=True, format=None)


def side_of(path: str, choice: FileChoice = EVERY_FILE) -> SideFiles:
    """Return the chosen files of a folder, or a file by its stem; as `listed_folder` and `one_file`."""
    return listed_folder(path, choice) if is_folder(path) else one_file(path, stem(path), choice)


def folder_files(path: str, choice: FileChoice = EVERY_FILE) -> Mapping[str, str]:
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


def refuse_choice(path: str, choice: FileChoice) -> None:
    """Raise a UsageError if there is a choice among the files of what is no folder."""
    if choice.glob is not None:
        raise UsageError(f"{choice.option} is for folders, and {shown_path(path)} is not one")


def refuse_odd_name(name: str, path: str) -> None:
    """Raise an InputError for a file name that is no text."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(path, "", "the file name is not UTF-8") from None


def _opened(folder: str) -> "tuple[tuple[int, int], list[os.DirEntry[str]]]":
    """Return what tells a folder from all others, whatever its path, and its entries, sorted."""
    try:
        status = os.stat(folder)
        with os.scandir(folder) as listing:
            return (status.st_dev, status.st_ino), sorted(listing, key=attrgetter("name"))
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
    nothing = entry.is_symlink() and not os.path.exists(entry.path)
    return "a link to nothing" if nothing else "neither a file nor a folder"


def _matcher(glob: str) -> Callable[[str], bool]:
    """Return whether a path below a folder matches a pattern, as in ``.gitignore`` but for whole paths.

    ``*``, ``?`` and ``[...]`` stay inside a name; ``**`` stands for any number of folders. ``!`` before a
    pattern chooses what does not match it.

    >>> [_matcher(glob)("bc/cctv/d.conll") for glob in ("*.conll", "bc/**", "bc/*.conll", "!**/d.*")]
    [True, True, False, False]
    """
    from fnmatch import fnmatchcase

    if glob.startswith("!"):
        excluded = _matcher(glob[1:])
        return lambda path: not excluded(path)
    pattern = glob.lstrip("/").split("/")
    if "/" not in glob:
        pattern.insert(0, _ANY_FOLDERS)

    def fits(names: Sequence[str], wanted: Sequence[str]) -> bool:
        if not wanted or not names:
            return not names and all(part == _ANY_FOLDERS for part in wanted)
        if wanted[0] == _ANY_FOLDERS:
            return fits(names, wanted[1:]) or fits(names[1:], wanted)
        return fnmatchcase(names[0], wanted[0]) and fits(names[1:], wanted[1:])

    return lambda path: fits(path.split("/"), pattern)


def _twins(path: str, choice: FileChoice) -> str:
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


def _nothing(path: str, choice: FileChoice) -> str:
    """Say that no file is there, or what is there where none was chosen."""
    there = [above + entry.name for above, entry in walked(path)] if choice.glob is not None else []
    if not there:
        return "no documents in the folder"
    kinds = Counter(_suffix(below) or "no suffix" for below in sorted(there)).most_common()
    shown = ", ".join(f"{number} {printable(suffix)}" for suffix, number in islice(kinds, SHOWN))
    what = f"{choice.option}={printable(choice.glob or '')} chooses none of {counted(len(there), 'file')}"
    return f"{what} ({shown}; {printable(min(there))} for example)"


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.removeprefix(stem(name))


class ReadPair(NamedTuple):
    """The names of a pair of documents as they were read, and their hashes, empty where there is none."""

    id: str
    gold: str
    system: str
    gold_sha256: bytes
    system_sha256: bytes


Origin: TypeAlias = tuple[str, str, str, str]
"""How gold and the system write a document, and the keys that their clusters stand under; empty for none."""


class Pair(NamedTuple):
    """A gold and a system document that are to be compared."""

    id: str
    gold: Document
    system: Document
    notices: tuple[Notice, ...] = ()
    file: str = ""  # the name of its pair of files, if that is asked for
    read: tuple[ReadPair, ...] = ()  # what it was read as, if asked for: several where they are joined

    def with_category_notes(self) -> "Pair":
        """Return the pair whose sides also tell what readers say about categories."""
        gold, system = (
            side._replace(notes=[*side.notes, *side.category_notes], category_notes=())
            for side in (self.gold, self.system)
        )
        return self._replace(gold=gold, system=gold if self.system is self.gold else system)


Item: TypeAlias = Pair | Notice | InputError
"""A pair to compare, a document that was skipped, or one that cannot be read."""


class Readers(NamedTuple):
    """Functions that read the files of either side."""

    gold: Callable[[str, str | None, ClusterKeys], Iterable[Document]] = stream
    """From a path, the name of its format, if that was given, and the keys that may hold the clusters."""
    system: Callable[[str, str | None, Sequence[Document]], Iterable[Document]] | None = None
    """The same, and the gold documents that it may answer to; None reads the system as gold."""


def readers_of(options: Options) -> Readers:
    """Return what reads the files of both sides as `options` say."""
    repair = options.marks != "strict"
    if options.hashes:
        from scorch2.formats.chunks import hashed_stream

        return Readers(partial(hashed_stream, repair=repair))
    return Readers(partial(stream, repair=repair)) if repair else Readers()


def read_as(pair: Pair) -> tuple[ReadPair, ...]:
    """Return what a pair was read as."""
    gold, system = pair.gold, pair.system
    return pair.read or (ReadPair(pair.id, gold.id, system.id, gold.sha256, system.sha256),)


def origin_of(pair: Pair) -> Origin:
    """Return how both sides of a pair were written."""
    gold, system = pair.gold, pair.system
    return _written(gold), _written(system), gold.key, system.key


def _written(document: Document) -> str:
    return f"{document.format} ({document.written})" if document.written else document.format


def unanswered(ident: str, gold: Document, options: Options) -> Pair | Notice:
    """Return what becomes of a gold document that the system lacks."""
    if options.missing != "empty":
        return Notice("missing", ident, "the gold document has no system output and was skipped")
    why = "the gold document has no system output and was scored against an empty one"
    empty = Document(gold.id, {}, sentences=gold.sentences, unit=gold.unit)
    return Pair(ident, gold, empty, (Notice("missing", ident, why),))


def unasked(ident: str) -> Notice:
    """Return the warning about a system document that gold lacks."""
    return Notice("extra", ident, "the system document has no gold and was skipped")


def invalid_notice(ident: str, error: InputError) -> Notice:
    """Return the warning about a document that cannot be scored."""
    return Notice("invalid", ident, f"left out: {error}")


def other_name(ident: str, gold: Document, system: Document, options: Options) -> tuple[Notice, ...]:
    """Warn of a pair that the reference scorer would not compare, where its numbers are asked for."""
    if gold.id == system.id or options.blanc != "reference":
        return ()
    if not all(row_of(document.format).for_reference_scorer for document in (gold, system)):
        return ()
    why = (
        f"the documents are called {quoted(gold.id)} and {quoted(system.id)}: they are compared as the only "
        "ones of their files, but the reference scorer takes them for two and finds nothing in common"
    )
    return (Notice("names", ident, why),)


class Plan(NamedTuple):
    """The files of both sides, by the stems under which they belong together."""

    gold: SideFiles
    system: SideFiles
    stems: Sequence[str]
    """The stems of both sides, sorted by code point; those of the folder if the other side is a file."""
    notices: tuple[Notice, ...] = ()  # warnings about the names of the files
    inside: bool = False  # whether documents pair by what is inside the files, whatever these are called
    otherwise: str = ""  # the error if nothing pairs so

    @property
    def by_documents(self) -> bool:
        """True if documents pair, and not files: of a folder against a file, or if `inside` says so."""
        return self.inside or self.gold.is_folder != self.system.is_folder

    def part(self, stems: Sequence[str]) -> "Plan":
        """Return the plan of some of the stems: what another process has to know."""
        gold, system = (
            side._replace(files={name: side.files[name] for name in stems if name in side.files})
            for side in (self.gold, self.system)
        )
        return Plan(gold, system, stems)

    def prefix(self, stem: str) -> str:
        """Return how the ids of several documents of one stem begin."""
        return f"{stem}/" if self.gold.is_folder else ""
