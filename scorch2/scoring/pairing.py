"""Step 2, two paths to pairs of documents: by exact name, every document accounted for.

Folders pair file by file: the stem (base name without its last suffix) is the document's id. A file of
several documents pairs by the names inside it; two files of one document each pair whatever their names.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import NamedTuple, TypeAlias

from scorch2.formats import stream
from scorch2.formats.source import STDIN, stem
from scorch2.formats.table import row_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, PairingError
from scorch2.model.messages import counted, listed, quoted, shown_path
from scorch2.model.options import Options
from scorch2.scoring.files import Side, is_folder, listed_folder, refuse_odd_name


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

    gold: Callable[[str, str | None], Iterable[Document]] = stream
    """From a path and the name of its format, if that was given."""
    system: Callable[[str, str | None, Sequence[Document]], Iterable[Document]] | None = None
    """The same, and the gold documents of the same stem; None reads the system as gold."""


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
    folders = is_folder(gold), is_folder(system)
    if folders[0] != folders[1]:
        file, folder = (system, gold) if folders[0] else (gold, system)
        raise PairingError(
            f"{shown_path(file)} is a file and {shown_path(folder)} a folder (compare like with like)"
        )
    if not folders[0]:
        name = stem(system if gold == STDIN else gold)
        refuse_odd_name(name, gold)
        sides = [Side(path, {name: path}, is_folder=False, format=None) for path in (gold, system)]
    else:
        sides = [listed_folder(path) for path in (gold, system)]
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

    Of a stem of several documents only two are held while both sides have the same ones in the same order.

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
        That, and what cannot be read, may follow pairs of the same stem.
    """
    for name in chosen.stems:
        try:
            yield from _stem_pairs(name, chosen, options, readers)
        except InputError as error:
            yield error


def _stem_pairs(name: str, chosen: Plan, options: Options, readers: Readers) -> Iterator[Pair | Notice]:
    gold, system = _sides(name, chosen, readers)
    golds, systems = list(islice(gold, 2)), list(islice(system, 2))
    if len(golds) == 1 and len(systems) == 1:
        yield Pair(name, golds[0], systems[0], _other_name(name, golds[0], systems[0], options))
        return
    alone = len(golds) + len(systems) == 1  # the only document of its stem is called like that
    prefix = chosen.prefix(name)
    gold, system = chain(golds, gold), chain(systems, system)
    met: list[str] = []
    for left, right in zip_longest(gold, system):
        if left is None or right is None or left.id != right.id:
            golds, systems = ([one for one in side if one] for side in ((left, *gold), (right, *system)))
            yield from _by_name(golds, systems, met, options, lambda ident: name if alone else prefix + ident)
            return
        met.append(left.id)
        yield Pair(prefix + left.id, left, right)


def _sides(name: str, chosen: Plan, readers: Readers) -> tuple[Iterator[Document], Iterator[Document]]:
    """Return the documents of both sides of a stem."""
    gold_path, system_path = chosen.gold.files.get(name), chosen.system.files.get(name)
    gold = readers.gold(gold_path, chosen.gold.format) if gold_path is not None else []
    if system_path is None:
        return iter(gold), iter(())
    if readers.system is not None:
        golds = list(gold)
        return iter(golds), iter(readers.system(system_path, chosen.system.format, golds))
    documents = iter(gold)
    return documents, _after_gold(documents, system_path, chosen.system.format, readers)


def _after_gold(
    gold: Iterator[Document], path: str, form: str | None, readers: Readers
) -> Iterator[Document]:
    """Yield the documents of the system; before an error among them, look for one in the rest of gold."""
    try:
        yield from readers.gold(path, form)
    except InputError:
        for _ in gold:
            pass
        raise


def _by_name(
    gold: Sequence[Document],
    system: Sequence[Document],
    met: Sequence[str],
    options: Options,
    called: Callable[[str], str],
) -> Iterator[Pair | Notice]:
    """Pair documents in any order by their names; those called as in `met` were paired before."""
    before = [Document(ident, {}) for ident in met]
    answering = answers([*before, *gold], [*before, *system])
    for ident in met:
        del answering[ident]
    if (gold or met) and (system or met):
        names = [[called(ident) for ident in side] for side in ([one.id for one in gold], answering)]
        _refuse_unpaired(names[0], names[1], options, "document")
    for document in gold:
        ident = called(document.id)
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
        yield Notice("extra", called(ident), "the system document has no gold and was skipped")


def _other_name(ident: str, gold: Document, system: Document, options: Options) -> tuple[Notice, ...]:
    """Warn of a pair that the reference scorer would not compare, where its numbers are asked for."""
    known = all(row_of(document.format).for_reference_scorer for document in (gold, system))
    if options.blanc != "reference" or not known or gold.id == system.id:
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
