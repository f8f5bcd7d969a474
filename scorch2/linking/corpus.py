"""From paths to the mentions of both sides: a file of several documents, or a folder of files."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scorch2.formats import SIDES, read
from scorch2.formats.source import STDIN
from scorch2.formats.table import row_of
from scorch2.linking.fields import Nil, Rows
from scorch2.linking.mentions import Mentions
from scorch2.model.annotation import Annotation
from scorch2.model.document import Document, annotations
from scorch2.model.errors import EmptyFileError, InputError, Notice, PairingError
from scorch2.model.messages import quoted, shown_path
from scorch2.scoring.files import folder_files
from scorch2.scoring.matching.kinds import refuse_other_unit
from scorch2.scoring.pairing import answers


class Corpus(NamedTuple):
    """The mentions of both sides."""

    gold: Mentions
    system: Mentions
    notices: tuple[Notice, ...] = ()


class Sources(NamedTuple):
    """The inputs of a comparison, and how to read them."""

    gold: str
    """A file or folder in any format that says where mentions are; or ``-``, for one of the inputs."""
    system: str
    restrict: str | None = None
    """A file or folder: only mentions whose document, start and end stand in it count."""
    nil: Nil = Nil()
    """The rule for entities that the knowledge base does not have."""
    gold_format: str | None = None
    """The format of gold and `restrict`; detected from the content if absent."""
    sys_format: str | None = None


def read_corpus(sources: Sources) -> Corpus:
    """Read both sides; documents are paired by id.

    Returns
    -------
    Corpus
        Each document with its mentions in the order of the file.

    Raises
    ------
    InputError
        For what cannot be read, and documents whose mentions have no places.
    PairingError
        If two inputs are standard input.
    """
    if [sources.gold, sources.system, sources.restrict].count(STDIN) > 1:
        raise PairingError("only one input can be standard input (-)")
    golds = read_documents(sources.gold, sources.gold_format)
    systems = read_documents(sources.system, sources.sys_format)
    only = None
    if sources.restrict is not None:
        only = _spans(read_documents(sources.restrict, sources.gold_format))
    return _corpus(golds, systems, only, sources.nil, (sources.gold, sources.system))


def read_corpora(gold: str, systems: Sequence[str]) -> Iterator[Corpus]:
    """Yield what `read_corpus` returns for each of several systems; gold is read once.

    Raises
    ------
    InputError
        As `read_corpus`.
    """
    golds = read_documents(gold)
    for system in systems:
        yield _corpus(golds, read_documents(system), None, Nil(), (gold, system))


def _corpus(
    golds: Sequence[Document],
    found: Sequence[Document],
    only: set[tuple[str, int, int]] | None,
    nil: Nil,
    paths: tuple[str, str],
) -> Corpus:
    systems = _paired(golds, found)
    there = {document.id: document for document in golds}
    for document in systems:
        if document.id in there:
            refuse_other_unit(there[document.id], document)
    notices = [notice for document in golds for notice in _remarks(document, nil, "gold")]
    notices += [notice for document in systems for notice in _remarks(document, nil, "system")]
    for path, documents in zip(paths, (golds, systems), strict=True):
        notices += [] if documents else [Notice("empty", path, "no mention in it")]
    notices += _unpaired(golds, systems)
    sides = [_mentions(documents, only, nil) for documents in (golds, systems)]
    return Corpus(sides[0], sides[1], tuple(dict.fromkeys(notices)))


def read_documents(path: str, form: str | None = None, option: str = SIDES) -> list[Document]:
    """Return the documents of a file or a folder; in a folder they are called like the files.

    A file of several documents in a folder gives ``<stem>/<id>``; annotations keep the ids in their lines,
    and an empty file of them has no document.

    Raises
    ------
    InputError
        As the readers, and for a document of a folder that stands in two files.
    """
    if path == STDIN or not os.path.isdir(path):
        return _read(path, form, option)
    found: dict[str, Document] = {}
    for name, file in folder_files(path)[0].items():
        documents = _read(file, form, option)
        for document in documents:
            ident = name if len(documents) == 1 else f"{name}/{document.id}"
            ident = document.id if row_of(document.format).rows_have_ids else ident
            if ident in found:
                why = f"the document {quoted(ident)} is in {shown_path(found[ident].path)}, too"
                raise InputError(file, "", why)
            found[ident] = document._replace(id=ident)
    return list(found.values())


def _read(path: str, form: str | None, option: str) -> list[Document]:
    try:
        return read(path, form, option)
    except EmptyFileError:
        return []


def _paired(gold: Sequence[Document], system: Sequence[Document]) -> list[Document]:
    """Give system documents the ids of the gold documents that they are paired with.

    Two files of one document each are paired whatever their names, unless both have the id in every line.
    """
    if len(gold) == len(system) == 1 and not _rows_have_ids([*gold, *system]):
        return [system[0]._replace(id=gold[0].id)]
    return [document._replace(id=ident) for ident, document in answers(gold, system).items()]


def _rows_have_ids(documents: Iterable[Document]) -> bool:
    return all(row_of(document.format).rows_have_ids for document in documents)


def _unpaired(gold: Sequence[Document], system: Sequence[Document]) -> list[Notice]:
    """Warn of documents that the other side lacks; TSV has no line for a document without mentions.

    It is only a warning: the mentions of such a document count, since measures add up those of a corpus.
    """
    ids = [{document.id: document for document in side} for side in (gold, system)]
    if gold and system and ids[0].keys().isdisjoint(ids[1]):
        shown = f"{shown_path(system[0].path)} (first {quoted(system[0].id)})"
        why = f"no document of {shown} has the id of a gold document (first {quoted(gold[0].id)})"
        why += ": nothing is compared"
        return [Notice("documents", "", why)]
    found = []
    for kind, here, there, whose in (
        ("missing", gold, ids[1], "gold document has no system output: its mentions count as missed"),
        ("extra", system, ids[0], "system document has no gold: its mentions count as spurious"),
    ):
        if not _rows_have_ids([*gold, *system]):
            found += [Notice(kind, one.id, f"the {whose}") for one in here if one.id not in there]
    return found


def placed(document: Document) -> Sequence[Annotation]:
    """Return the mentions of a document with their places; an InputError tells that it has none."""
    found = annotations(document)
    if found is None:
        why = f"{quoted(document.id)} does not say where its mentions are, which linking measures need"
        raise InputError(document.path or document.id, "", why)
    return found


def _spans(documents: Iterable[Document]) -> set[tuple[str, int, int]]:
    return {(document.id, one.start, one.end) for document in documents for one in placed(document)}


def _mentions(documents: Iterable[Document], only: set[tuple[str, int, int]] | None, nil: Nil) -> Mentions:
    docids: list[str] = []
    found: list[Annotation] = []
    paths = {}
    for document in documents:
        paths[document.id] = document.path
        found_here = placed(document)
        if only is not None:
            found_here = [one for one in found_here if (document.id, one.start, one.end) in only]
        docids += [document.id] * len(found_here)
        found += found_here
    return Mentions(Rows(docids, found, nil), paths)


def _remarks(document: Document, nil: Nil, side: str) -> list[Notice]:
    notes = () if nil.split and row_of(document.format).rows_have_ids else document.notes
    return [Notice("reader", document.id, f"{side}: {shown_path(document.path)}: {note}") for note in notes]
