"""From paths to the mentions of both sides: a file of several documents, or a folder of files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.reading import FORMAT_OPTIONS, read
from scorch2.formats.source import STDIN, read_text
from scorch2.formats.table import GOLD_KEYS, SYSTEM_KEYS, ClusterKeys, row_of
from scorch2.model.document import Document
from scorch2.model.errors import EmptyFileError, InputError, Notice, PairingError, counted, quoted, shown_path
from scorch2.model.markables import Annotation
from scorch2.model.names import annotations
from scorch2.model.values import finite_number
from scorch2.scoring.matching.mention_kinds import refuse_other_unit
from scorch2.scoring.pairing.by_name import advice, answers, documents_inside
from scorch2.scoring.pairing.files import EVERY_FILE, FileChoice, Pair, origin_of, side_of
from scorch2.scoring.pairing.words import words_notices
from scorch2.scoring.remarks import Provenance
from scorch2.tasks.linking.evidence import Mentions, Nil, Rows


class Corpus(NamedTuple):
    """The mentions of both sides."""

    gold: Mentions
    system: Mentions
    notices: tuple[Notice, ...] = ()
    pair: str = "name"


class Sources(NamedTuple):
    """The inputs of a comparison, and how to read them."""

    gold: str  # a file or folder in any format that says where mentions are; or ``-``, for one of the inputs
    system: str
    restrict: str | None = None
    """A file or folder: only mentions whose document, start and end stand in it count."""
    nil: Nil = Nil()  # the rule for entities that the knowledge base does not have
    gold_format: str | None = None  # the format of gold and `restrict`; detected from the content if absent
    sys_format: str | None = None
    gold_files: str | None = None  # a pattern for the files of a gold folder; all if absent
    sys_files: str | None = None
    pair: str = "name"


def read_corpus(sources: Sources) -> Corpus:
    """Read both sides; documents are paired by id, or as `Sources.pair` says."""
    if [sources.gold, sources.system, sources.restrict].count(STDIN) > 1:
        raise PairingError("only one input can be standard input (-)")
    golds = _side(
        sources.gold, sources.gold_format, FileChoice(sources.gold_files, "--gold-files"), keys=GOLD_KEYS
    )
    systems = _side(
        sources.system, sources.sys_format, FileChoice(sources.sys_files, "--sys-files"), keys=SYSTEM_KEYS
    )
    only = None
    if sources.restrict is not None:
        only = _spans(_named(_side(sources.restrict, sources.gold_format, keys=GOLD_KEYS)))
    return _corpus(golds, systems, sources, only)


def read_corpora(gold: str, systems: Sequence[str]) -> Iterator[Corpus]:
    """Yield what `read_corpus` returns for each of several systems; gold is read once."""
    golds = _side(gold, keys=GOLD_KEYS)
    for system in systems:
        yield _corpus(golds, _side(system, keys=SYSTEM_KEYS), Sources(gold, system))


def _corpus(
    gold: "_Side", system: "_Side", sources: Sources, only: set[tuple[str, int, int]] | None = None
) -> Corpus:
    golds, systems = _paired(gold, system, sources.pair)
    nil = sources.nil
    there = {document.id: document for document in golds}
    seen, of_words = Provenance(), []
    for document in systems:
        twin = there.get(document.id)
        if twin is not None:
            refuse_other_unit(twin, document)
            of_words += words_notices(document.id, twin, document)
        is_equal = twin is not None and len(golds) == len(systems) and placed(twin) == placed(document)
        seen.see(document.id, origin_of(Pair("", twin or document, document)), is_equal)
    notices = [notice for document in golds for notice in _remarks(document, nil, "gold")]
    notices += [notice for document in systems for notice in _remarks(document, nil, "system")]
    for path, documents in ((sources.gold, golds), (sources.system, systems)):
        notices += [] if documents else [Notice("empty", path, "no mention in it")]
    sides = [_mentions(documents, only, nil) for documents in (golds, systems)]
    notices += _unpaired(golds, systems, sources.pair)
    paths, files = (sources.gold, sources.system), (sources.gold_files, sources.sys_files)
    notices += seen.same(paths, files, len(sides[0].rows.annotations)) + of_words
    return Corpus(sides[0], sides[1], tuple(dict.fromkeys(notices)), sources.pair)


class _Side(NamedTuple):
    """The documents of a side, file by file."""

    files: Mapping[str, Sequence[Document]]
    is_folder: bool


def _side(
    path: str,
    form: str | None = None,
    choice: FileChoice = EVERY_FILE,
    option: str = FORMAT_OPTIONS,
    keys: ClusterKeys = (),
) -> _Side:
    """Read a file or a folder; an empty file of annotations has no document."""
    side = side_of(path, choice)
    return _Side({name: _read(file, form, option, keys) for name, file in side.files.items()}, side.is_folder)


def _read(path: str, form: str | None, option: str, keys: ClusterKeys) -> list[Document]:
    try:
        return read(path, form, option, keys)
    except EmptyFileError:
        return []


def read_documents(
    path: str, form: str | None = None, option: str = FORMAT_OPTIONS, choice: FileChoice = EVERY_FILE
) -> list[Document]:
    """Return the documents of a file or a folder; in a folder they are called like the files."""
    # A file of several documents in a folder gives ``<file>/<id>``; annotations keep the ids in their lines,
    # and an empty file of them has no document.
    return _named(_side(path, form, choice, option))


def _named(side: _Side) -> list[Document]:
    if not side.is_folder:
        return [document for documents in side.files.values() for document in documents]
    renamed = []
    for name, documents in side.files.items():
        for document in documents:
            ident = name if len(documents) == 1 else f"{name}/{document.id}"
            renamed.append(document if _rows_have_ids([document]) else document._replace(id=ident))
    return _distinct(renamed)


def _distinct(documents: Sequence[Document]) -> list[Document]:
    by_id: dict[str, Document] = {}
    for document in documents:
        other = by_id.setdefault(document.id, document)
        if other is not document:
            why = f"the document {quoted(document.id)} is in {shown_path(other.path)}, too"
            raise InputError(document.path, "", why)
    return list(by_id.values())


def _paired(gold: _Side, system: _Side, rule: str) -> tuple[list[Document], list[Document]]:
    """Return both sides, system documents with the ids of the gold documents that they are paired with."""
    # Two files of one document each are paired whatever their names, unless both have the id in every line
    if gold.is_folder != system.is_folder:
        golds, systems = _named_inside(gold, system), _named_inside(system, gold)
    else:
        golds, systems = _named(gold), _named(system)
        if gold.is_folder and {one.id for one in golds}.isdisjoint(one.id for one in systems):
            golds, systems = _named_inside(gold, system), _named_inside(system, gold)
        if len(golds) == len(systems) == 1 and not _rows_have_ids([*golds, *systems]):
            return golds, [systems[0]._replace(id=golds[0].id)]
    answering = answers(golds, systems, rule)
    return golds, [document._replace(id=ident) for ident, document in answering.items()]


def _rows_have_ids(documents: Iterable[Document]) -> bool:
    return all(row_of(document.format).rows_have_ids for document in documents)


def _named_inside(side: _Side, other: _Side) -> list[Document]:
    """Return the documents of a side by the names inside its files; `other` tells which are names."""
    if not side.is_folder:
        return _named(side)
    names = {document.id for documents in other.files.values() for document in documents}
    named = []
    for name, documents in side.files.items():
        for inside in documents_inside(name, documents):
            in_lines = {inside.also} if _rows_have_ids([inside.document]) else set()
            named.append(inside.known_as(names | in_lines))
    return _distinct(named)


def _unpaired(gold: Sequence[Document], system: Sequence[Document], rule: str) -> list[Notice]:
    """Warn of documents that the other side lacks; a warning is enough, since their mentions count."""
    # A PairingError tells that nothing pairs
    ids = [{document.id: document for document in side} for side in (gold, system)]
    if gold and system and ids[0].keys().isdisjoint(ids[1]):
        shown = f"{shown_path(system[0].path)} (first {quoted(system[0].id)})"
        why = f"no document of {shown} has the id of a gold document (first {quoted(gold[0].id)})"
        why += ": nothing is compared"
        other_rule = advice(ids[0], ids[1], rule)
        why += f" ({other_rule})" if other_rule else ""
        raise PairingError(why)
    notices = []
    for kind, here, there, whose in (
        ("missing", gold, ids[1], "gold document has no system output: its mentions count as missed"),
        ("extra", system, ids[0], "system document has no gold: its mentions count as spurious"),
    ):
        if not _rows_have_ids([*gold, *system]):
            notices += [Notice(kind, one.id, f"the {whose}") for one in here if one.id not in there]
    return notices


def placed(document: Document) -> Sequence[Annotation]:
    """Return the mentions of a document with their places; an InputError tells that it has none."""
    found = annotations(document)
    if found is None:
        why = f"{quoted(document.id)} does not say where its mentions are, which linking measures need"
        raise document.error(why)
    return found


def _spans(documents: Iterable[Document]) -> set[tuple[str, int, int]]:
    return {(document.id, one.start, one.end) for document in documents for one in placed(document)}


def _mentions(documents: Iterable[Document], only: set[tuple[str, int, int]] | None, nil: Nil) -> Mentions:
    docids: list[str] = []
    every: list[Annotation] = []
    paths = {}
    for document in documents:
        paths[document.id] = document.path
        found_here = placed(document)
        if only is not None:
            found_here = [
                mention for mention in found_here if (document.id, mention.start, mention.end) in only
            ]
        docids += [document.id] * len(found_here)
        every += found_here
    return Mentions(Rows(docids, every, nil), paths)


def _remarks(document: Document, nil: Nil, side: str) -> list[Notice]:
    has_ids = nil.split and row_of(document.format).rows_have_ids
    notes = () if has_ids else (*document.notes, *document.category_notes)
    return [Notice("reader", document.id, f"{side}: {shown_path(document.path)}: {note}") for note in notes]


_WEIGHT_CELLS = 3


def read_type_weights(path: str) -> Mapping[tuple[object, object], float]:
    """Return the weight of each pair of a gold and a system type; the largest of several."""
    # Lines are ``gold type, system type, weight``, tab-separated
    weights: dict[tuple[object, object], float] = {}
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != _WEIGHT_CELLS:
            why = f"{counted(len(cells), 'cell')}, but gold type, system type and weight are wanted"
            raise InputError(path, f"line {number}", why)
        gold, system, written = cells
        weight = finite_number(written)
        if weight is None or weight < 0:
            raise InputError(
                path, f"line {number}", f"the weight {quoted(written)} is not a number from 0 on"
            )
        weights[gold, system] = max(weight, weights.get((gold, system), 0.0))
    return weights
