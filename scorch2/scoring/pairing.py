"""Step 2, two paths to pairs of documents: by exact name, every document accounted for.

Folders pair file by file: the stem (base name without its last suffix) is the document's id. A file of
several documents pairs by the names inside it; two files of one document each pair whatever their names.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from scorch2.formats import read
from scorch2.formats.source import STDIN, stem
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, PairingError
from scorch2.model.messages import counted, listed, quoted, shown_path
from scorch2.model.options import Options


class Side(NamedTuple):
    """The files of one side, by the stem they pair by."""

    path: str
    files: Mapping[str, str]
    is_folder: bool
    format: str | None
    notices: tuple[Notice, ...] = ()


class Plan(NamedTuple):
    """The files of both sides that belong together."""

    gold: Side
    system: Side
    stems: Sequence[str]
    """The stems of both sides, sorted by code point."""

    def part(self, stems: Sequence[str]) -> "Plan":
        """Return the plan of some of the stems: what another process has to know."""
        sides = [
            side._replace(files={name: side.files[name] for name in stems if name in side.files}, notices=())
            for side in (self.gold, self.system)
        ]
        return Plan(sides[0], sides[1], stems)

    def prefix(self, stem: str) -> str:
        """Return how the ids of several documents of one stem begin."""
        return f"{stem}/" if self.gold.is_folder else ""


class Pair(NamedTuple):
    """A gold and a system document that are to be compared."""

    id: str
    gold: Document
    system: Document
    notices: tuple[Notice, ...] = ()


class Readers(NamedTuple):
    """Functions that read the files of either side."""

    gold: Callable[[str, str | None], list[Document]] = read
    """From a path and the name of its format, if that was given."""
    system: Callable[[str, str | None, Sequence[Document]], list[Document]] = lambda path, form, _: read(
        path, form
    )
    """The same, and the gold documents of the same stem."""


ALIKE = Readers()


Item: TypeAlias = Pair | Notice | InputError
"""A pair to compare, a document that was skipped, or one that cannot be read."""


def plan(gold: str, system: str, options: Options) -> Plan:
    """Match up two folders, or two files or streams, before anything is read.

    Raises
    ------
    PairingError
        For files on one side only (unless the options allow for them), a file against a folder, nothing to
        score.
    InputError
        For a path that does not exist; a folder with two files of one stem, a pipe, a device, a dead link.
    """
    if gold == system == STDIN:
        raise PairingError("only one side can be standard input (-)")
    folders = _is_folder(gold), _is_folder(system)
    if folders[0] != folders[1]:
        file, folder = (system, gold) if folders[0] else (gold, system)
        raise PairingError(
            f"{shown_path(file)} is a file and {shown_path(folder)} a folder (compare like with like)"
        )
    if not folders[0]:
        name = stem(system if gold == STDIN else gold)
        _refuse_odd_name(name, gold)
        sides = [Side(path, {name: path}, is_folder=False, format=None) for path in (gold, system)]
    else:
        sides = [_folder(path) for path in (gold, system)]
        _refuse_unpaired(sides[0].files, sides[1].files, options, "file")
        if options.missing == "skip" and sides[0].files.keys().isdisjoint(sides[1].files):
            raise PairingError("no gold file has a system file: nothing is left to score")
    return Plan(
        sides[0]._replace(format=options.gold_format),
        sides[1]._replace(format=options.sys_format),
        sorted({**sides[0].files, **sides[1].files}),  # both are nearly sorted: a dict keeps that
    )


def pairs(chosen: Plan, options: Options, readers: Readers = ALIKE) -> Iterator[Item]:
    """Read and pair one stem after the other; only the current one is held.

    Yields
    ------
    Pair
        In the order of stems and, inside a stem, of the gold file.
    Notice
        For what the options allow to skip.
    InputError
        For a stem that cannot be scored; the next ones are still tried.

    Raises
    ------
    PairingError
        For a document inside a file of several that the other side lacks, unless the options allow for it.
    """
    for name in chosen.stems:
        try:
            yield from _stem_pairs(name, chosen, options, readers)
        except InputError as error:
            yield error


def _stem_pairs(name: str, chosen: Plan, options: Options, readers: Readers) -> Iterator[Pair | Notice]:
    gold_path, system_path = chosen.gold.files.get(name), chosen.system.files.get(name)
    gold = readers.gold(gold_path, chosen.gold.format) if gold_path is not None else []
    system = readers.system(system_path, chosen.system.format, gold) if system_path is not None else []
    if len(gold) == 1 and len(system) == 1:
        yield Pair(name, gold[0], system[0], _other_name(name, gold[0], system[0], options))
        return
    alone = len(gold) + len(system) == 1  # the only document of its stem is called like that
    prefix = chosen.prefix(name)
    answering = answers(gold, system)
    if gold and system:
        names = [[prefix + ident for ident in side] for side in ([one.id for one in gold], answering)]
        _refuse_unpaired(names[0], names[1], options, "document")
    for document in gold:
        ident = name if alone else prefix + document.id
        answer = answering.pop(document.id, None)
        if answer is not None:
            yield Pair(ident, document, answer)
        elif options.missing == "empty":
            why = "the gold document has no system output and was scored against an empty one"
            empty = Document(document.id, {}, sentences=document.sentences, unit=document.unit)
            yield Pair(ident, document, empty, (Notice("missing", ident, why),))
        else:
            yield Notice("missing", ident, "the gold document has no system output and was skipped")
    for ident in answering:
        yield Notice(
            "extra", name if alone else prefix + ident, "the system document has no gold and was skipped"
        )


def _other_name(ident: str, gold: Document, system: Document, options: Options) -> tuple[Notice, ...]:
    """Warn of a pair that the reference scorer would not compare, where its numbers are asked for."""
    asked = options.blanc == "reference" and gold.format == system.format == "conll"
    if not asked or gold.id == system.id:
        return ()
    why = (
        f"the documents are called {quoted(gold.id)} and {quoted(system.id)}: they are compared as the only "
        "ones of their files, but the reference scorer takes them for two and finds nothing in common"
    )
    return (Notice("names", ident, why),)


def in_step(gold: Sequence[Document], system: Sequence[Document], prefix: str) -> list[Pair] | None:
    """Return the pairs of two sequences of documents if each answers to the one at its place, else None."""
    if list(answers(gold, system)) != [document.id for document in gold]:
        return None
    return [Pair(prefix + left.id, left, right) for left, right in zip(gold, system, strict=True)]


def answers(gold: Sequence[Document], system: Sequence[Document]) -> dict[str, Document]:
    """Return the system documents by the gold id that they answer to, or by their own if there is none.

    CoNLL's ``<name>-<part>`` and the ``<name>_<part>`` of e2e systems, without leading zeros, are one name.

    Raises
    ------
    InputError
        If two answer to one.
    """
    gold_ids = {doc_key(document.id): document.id for document in gold}
    gold_ids |= {document.id: document.id for document in gold}
    found: dict[str, Document] = {}
    for document in system:
        name = gold_ids.get(document.id) or gold_ids.get(doc_key(document.id), document.id)
        if name in found:
            both = f"{quoted(found[name].id)} and {quoted(document.id)} both answer to {quoted(name)}"
            raise InputError(document.path, "", f"the documents {both}")
        found[name] = document
    return found


def doc_key(ident: str) -> str:
    """Return how e2e systems write a CoNLL name and part.

    >>> doc_key("bc/cctv_0000-012"), doc_key("letter")
    ('bc/cctv_0000_12', 'letter')
    """
    name, _, part = ident.rpartition("-")
    return f"{name}_{part.lstrip('0') or 0}" if name and part.isascii() and part.isdecimal() else ident


def _refuse_unpaired(gold: Iterable[str], system: Iterable[str], options: Options, what: str) -> None:
    """Say which documents are on one side only, unless the options say what to do with them."""
    golds, systems = set(gold), set(system)
    missing, extra = sorted(golds - systems), sorted(systems - golds)
    complaints = []
    if missing and options.missing == "error":
        complaints.append(
            f"no system {what} for {_counted(missing, f'gold {what}')} "
            "(--missing=empty scores them as unanswered, --missing=skip leaves them out)"
        )
    if extra and options.extra == "error":
        complaints.append(
            f"no gold {what} for {_counted(extra, f'system {what}')} (--extra=skip leaves them out)"
        )
    if complaints:
        raise PairingError("; ".join(complaints))


def _counted(names: Sequence[str], what: str) -> str:
    return f"{counted(len(names), what)}: {listed(names)}"


def _is_folder(path: str) -> bool:
    if path == STDIN:
        return False
    if not os.path.lexists(path):
        raise InputError(path, "", "no such file or folder")
    return os.path.isdir(path)


def _folder(path: str) -> Side:
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
    side = _folder(path)
    return side.files, side.notices


def _refuse_odd_name(name: str, path: str) -> None:
    if name.isascii():
        return
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(path, "", "the file name is not UTF-8") from None


def _kind(entry: "os.DirEntry[str]") -> str:
    """Return whether an entry is a "folder" or a "file", links followed."""
    _refuse_odd_name(entry.name, entry.path)
    try:
        if entry.is_file():
            return "file"
        if entry.is_dir():
            return "folder"
    except OSError:  # a link to itself
        pass
    what = "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"
    raise InputError(entry.path, "", what)
