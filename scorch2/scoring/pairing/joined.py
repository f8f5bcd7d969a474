"""Several documents as one, on both sides alike.

The units of each document follow those of the one before. Clusters of one name are one cluster, where a name
means the same in all documents.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from scorch2.formats.table import row_of
from scorch2.model.document import (
    Columns,
    Discontinuous,
    Document,
    Label,
    Mention,
    OnDemand,
    Words,
)
from scorch2.model.errors import InputError, Notice, counted, quoted, shown_path
from scorch2.model.forms import function_at
from scorch2.model.markables import Bridge, Markable, Nodes, Relations, Word, moved
from scorch2.model.names import counting_of, labels_of, named_clusters
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Pair, read_as


def refuse_other_length(pair: Pair) -> None:
    """Refuse sides of different lengths: mentions of documents joined behind them would be shifted."""
    expected, found = length_of(pair.gold), length_of(pair.system)
    if expected is not None and found is not None:
        refuse = function_at("scoring.matching.mention_kinds:refuse_other_length")
        refuse(pair.gold, expected, pair.system, found)


def length_of(document: Document) -> int | None:
    """Return the number of units of a document that has its text."""
    if document.sentences is not None:
        return sum(document.sentences)
    return None if document.text is None else len(document.text)


def joined_pair(name: str, group: Sequence[Pair], options: Options) -> Pair:
    """Return the pairs of a group as one, with the notices of all."""
    sides = [[pair.gold for pair in group], [pair.system for pair in group]]
    notices = [notice for pair in group for notice in pair.notices]
    for side, documents, offsets in zip(
        ("gold", "system"), sides, (options.gold_offsets, options.sys_offsets), strict=True
    ):
        _refuse_mixed(documents, offsets)
        notices += [
            Notice("reader", document.id, f"{side}: {shown_path(document.path)}: {note}")
            for document in documents
            for note in document.notes
        ]
        names = [document.clusters.keys() for document in documents if document.clusters]
        if options.ids != "document" and len(names) > 1 and len(set().union(*names)) == sum(map(len, names)):
            why = "no cluster has a name in two of the documents, so none reaches across documents"
            notices.append(Notice("documents", name, f"{side}: {why}"))
    if any(map(_has_names, chain(*sides))):
        sides = [list(map(_with_names, documents)) for documents in sides]
    gold, system = (
        _joined(name, documents, others, [pair.id for pair in group], options)
        for documents, others in (sides, sides[::-1])
    )
    read = chain.from_iterable(map(read_as, group)) if options.hashes else ()
    return Pair(name, gold, system, tuple(notices), read=tuple(read))


def _refuse_mixed(documents: Sequence[Document], offsets: str | None) -> None:
    """Refuse documents of one side whose spans cannot be counted through."""
    if offsets is not None and len(set(map(counting_of, documents))) > 1:
        why = "the files of one side count their spans in several ways, which no option can overrule"
        raise InputError(documents[0].path, "", f"{why} together (convert them to one format)")
    units = {
        document.unit: document for document in documents if document.has_mentions and document.has_spans
    }
    if len(units) > 1:
        one, other = (
            f"{unit or 'unknown unit'}s in {shown_path(units[unit].path)}" for unit in sorted(units)[:2]
        )
        raise InputError(documents[0].path, "", f"the files of one side count several units: {one}, {other}")


def _has_names(document: Document) -> bool:
    """Return whether mentions are texts."""
    return isinstance(next(chain.from_iterable(document.clusters.values()), None), str)


def _with_names(document: Document) -> Document:
    """Return a document whose mentions have names if it has tokens: the other side knows no more."""
    if not document.has_tokens:
        return document
    if document.flat and document.has_mentions:
        why = f"{quoted(document.id)} has tokens but no sentences: its mentions have no names to compare by"
        raise InputError(document.path, "", why)
    names = {} if document.flat else named_clusters(document)
    return document._replace(clusters=names, sentences=None, words=None, markables=None, relations=None)


# Names of clusters


def _names_of_clusters(
    document: Document, known: dict[str, Document], options: Options
) -> Callable[[str], str]:
    """Return what names the clusters of a document in the joined one; `known` are the names before it."""
    # An InputError tells that a name stands in two documents, and that nobody knows what it means there
    if row_of(document.format).names_reach:
        known |= dict.fromkeys(document.clusters, document)
        return str
    if options.ids == "document":
        return partial("{}:{}".format, document.id)
    if options.ids == "shared" and not document.numbered:
        return str
    for name in document.clusters:
        other = known.setdefault(name, document)
        if other is not document:
            why = _unclear(name, document, other)
            raise InputError(document.path, "", f"--documents={options.documents}: {why}")
    return str


def _unclear(name: str, document: Document, other: Document) -> str:
    """Say why nobody knows whether two clusters of one name are one entity, and what to do."""
    apart = "--ids=document says that each document has its own"
    if document.numbered:
        why = f"clusters of {document.format} have numbers, which mean nothing in another document"
        other_format = "a format that names its entities, such as ECB+, CoNLL or clusters JSON with sentences"
        return f"{why} (use {other_format}; {apart})"
    both = f"the cluster {quoted(name)} is in {quoted(other.id)} and in {quoted(document.id)}"
    return f"{both}, and may be two entities (--ids=shared says that one id is one entity, {apart})"


# Documents as one


class _Place(NamedTuple):
    """The place of a document in the joined one."""

    document: Document
    name: str  # what stands before mentions that are texts
    called: Callable[[str], str]  # names its clusters
    units: int  # tokens or characters before it
    sentences: int  # sentences before it

    def mention(self, mention: Any) -> Mention:
        if isinstance(mention, Discontinuous):
            start, end = mention[0] + self.units, mention[1] + self.units
            return Discontinuous(start, end, self.nodes(mention.nodes))
        if isinstance(mention, tuple):
            return tuple([number + self.units for number in mention])
        if isinstance(mention, str):
            return f"{self.name}/{mention}"
        return mention + self.units if isinstance(mention, int) else (self.name, mention)

    def nodes(self, nodes: Nodes) -> Nodes:
        runs = [(sentence + self.sentences, first, last) for sentence, first, last in nodes.runs]
        return Nodes(tuple(runs), tuple(map(self.word, nodes.empty)))

    def word(self, word: Word) -> Word:
        return word._replace(sentence=word.sentence + self.sentences)

    def bridge(self, link: Bridge) -> Bridge:
        antecedent = None if link.antecedent is None else self.mention(link.antecedent)
        entities = self.called(link.anaphor_entity), self.called(link.antecedent_entity)
        return Bridge(self.mention(link.anaphor), entities[0], antecedent, entities[1], link.relation)


def _joined(
    name: str,
    documents: Sequence[Document],
    others: Sequence[Document],
    names: Sequence[str],
    options: Options,
) -> Document:
    """Return documents as one, each of which takes as much room as its twin among `others` does."""
    known: dict[str, Document] = {}
    places = []
    units = sentences = 0
    for document, other, ident in zip(documents, others, names, strict=True):
        called = _names_of_clusters(document, known, options)
        places.append(_Place(document, ident, called, units, sentences))
        units += _room(document, other)
        sentences += len(document.sentences or ())
    first = next((document for document in documents if document.has_mentions), documents[0])
    lengths = [document.sentences for document in documents if document.sentences is not None]
    have_all = len(lengths) == len(documents)
    return _with_parts(first, documents, places)._replace(
        id=name,
        clusters=_clusters(places),
        path=os.path.dirname(documents[0].path) or documents[0].path,
        sentences=list(chain.from_iterable(lengths)) if have_all else None,
        flat=any(document.flat for document in documents),
        notes=(),
        category_notes=[note for document in documents for note in document.category_notes],
        file_notes=list(dict.fromkeys(chain.from_iterable(document.file_notes for document in documents))),
        empty_nodes=[before + place.units for place in places for before in place.document.empty_nodes],
        repairs=[error for document in documents for error in document.repairs],
    )


def _with_parts(first: Document, documents: Sequence[Document], places: Sequence[_Place]) -> Document:
    """Return a document with what all documents have, and nothing that only some have."""

    def parts(field: str, among: Sequence[Document] = documents) -> list[Any]:
        found = [getattr(document, field) for document in among]
        return found if all(part is not None for part in found) else []

    filled = [document for document in documents if document.has_mentions]
    words, texts, trees, ids = map(parts, ("words", "text", "trees", "sentence_ids"))
    are_columns = all(isinstance(part, Columns) for part in words)
    return first._replace(
        words=(_JoinedColumns if are_columns else Words)(_concatenated, *words) if words else None,
        text="".join(texts) if texts else None,
        tags=Words(_tags, *documents) if parts("tags") else None,
        markables=OnDemand(_markables, places) if parts("markables", filled) else None,
        relations=OnDemand(_relations, places) if parts("relations", filled) else None,
        trees=OnDemand(_concatenated, *trees) if trees else None,
        sentence_ids=OnDemand(_concatenated, *ids) if ids else None,
        categories=OnDemand(_labels, places) if any(document.categories for document in documents) else None,
        annotations=(), anaphora=None, layers={}, unread=None, against=None, sha256=b"",
    )  # fmt: skip


def _room(document: Document, other: Document) -> int:
    """Return how many units a document takes in the joined one: as many as its twin on the other side."""
    length, expected = length_of(document), length_of(other)
    if length is not None or _has_names(document):  # texts need no room
        return length or 0
    end = _end(document)
    if expected is None:
        return max(end, _end(other)) + 1
    if end > expected:
        there = f"the {counted(expected, other.unit or 'unit')} in {shown_path(other.path or other.id)}"
        raise document.error(
            f"a mention ends at {end}, behind {there} (does it count {other.unit or 'unit'}s?)"
        )
    return expected


def _end(document: Document) -> int:
    """Return the largest number in the mentions of a document; 0 if there is none."""
    every = chain.from_iterable(document.clusters.values())
    numbers = chain.from_iterable(one if isinstance(one, tuple) else (one,) for one in every)
    return max((number for number in numbers if isinstance(number, int)), default=0)


class _JoinedColumns(Columns):
    __slots__ = ()

    def cells(self) -> list[list[str]]:
        return [row for part in self._source for row in part.cells()]

    def tags(self) -> list[str]:
        """Return the part of speech of each token; nothing if a document has none."""
        found = [part.tags() for part in self._source]
        return list(chain.from_iterable(found)) if all(found) else []


Element = TypeVar("Element")


def _concatenated(*parts: OnDemand[Sequence[Element]]) -> list[Element]:
    return list(chain.from_iterable(part() for part in parts))


def _tags(*documents: Document) -> list[str]:
    found = [document.tags() if document.tags is not None else [] for document in documents]
    return list(chain.from_iterable(found)) if all(found) else []


def _clusters(places: Sequence[_Place]) -> Mapping[str, list[Mention]]:
    clusters: dict[str, list[Mention]] = {}
    for place in places:
        for name, members in place.document.clusters.items():
            clusters.setdefault(place.called(name), []).extend(map(place.mention, members))
    return clusters


def _markables(places: Sequence[_Place]) -> Mapping[str, list[Markable]]:
    markables: dict[str, list[Markable]] = {}
    for place in places:
        known = place.document.markables() if place.document.markables is not None else {}
        for cluster, members in known.items():
            own = (moved(one, place.nodes, place.word) for one in members)
            markables.setdefault(place.called(cluster), []).extend(own)
    return markables


def _labels(places: Sequence[_Place]) -> Mapping[str, list[Label]]:
    labels: dict[str, list[Label]] = {}
    for place in places:
        for cluster, own in labels_of(place.document).items():
            labels.setdefault(place.called(cluster), []).extend(own)
    return labels


def _relations(places: Sequence[_Place]) -> Relations:
    sets: dict[str, list[str]] = {}
    no_clusters: dict[str, list[object]] = {}
    bridging: list[Bridge] = []
    non_referring: list[object] = []
    for place in places:
        known = place.document.relations() if place.document.relations is not None else Relations()
        for name, entities in known.sets.items():
            of_set = sets.setdefault(place.called(name), [])
            of_set += [entity for entity in map(place.called, entities) if entity not in of_set]
        for name, members in known.no_clusters.items():
            no_clusters.setdefault(place.called(name), []).extend(map(place.mention, members))
        bridging += map(place.bridge, known.bridging)
        non_referring += map(place.mention, known.non_referring)
    return Relations(sets, bridging, non_referring=non_referring, no_clusters=no_clusters)
