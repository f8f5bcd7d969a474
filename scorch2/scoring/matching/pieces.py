"""Mentions in several pieces as their last piece alone, as the Universal Anaphora scorer 1.0 reads them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from scorch2.model.document import Document, Mention, OnDemand
from scorch2.model.errors import counted
from scorch2.model.markables import Discontinuous, Markable, Nodes, Relations, StoredMarkable


def last_only(document: Document) -> Document:
    """Return a document whose mentions are in one piece, with a note about those that were in several."""
    if document.markables is None or document.sentences is None:
        return document
    every = document.markables()
    starts = [0, *accumulate(document.sentences)]
    number = sum(len(one.pieces) > 1 for members in every.values() for one in members)
    what = f"{counted(number, 'mention')} in several pieces taken for the last piece"
    notes = [f"{what}, as --pieces=last asks (all takes all words)"] if number else []
    lasts = {name: [_last(one) for one in members] for name, members in every.items()}
    clusters = {
        name: [
            mention if whole is last else _mention(last.nodes, starts)
            for mention, whole, last in zip(members, every[name], lasts[name], strict=True)
        ]
        for name, members in document.clusters.items()
    }
    called = {
        mention: last
        for name, members in document.clusters.items()
        for mention, last in zip(members, clusters[name], strict=True)
        if mention is not last
    }
    return document._replace(
        clusters=clusters,
        markables=OnDemand(dict, lasts),
        relations=document.relations and OnDemand(_relations, document.relations, called, starts),
        notes=[*document.notes, *notes],
    )


def _last(markable: Markable) -> Markable:
    """Return a markable without its pieces but the last one; its head is the first word if it lost it."""
    if len(markable.pieces) == 1:
        return markable
    first, last = markable.pieces[-1]
    nodes = markable.nodes.between(first, last)
    is_there = first <= markable.head <= last
    head, edges = (markable.head, markable.edges) if is_there else (nodes.first, frozenset())
    return StoredMarkable(nodes, head, markable.minimum, markable.pieces[-1:], edges, markable.other)


def _mention(nodes: Nodes, starts: Sequence[int]) -> Mention:
    """Return words that follow each other as a span, or as `Pieces` if an empty node is among them."""
    first, last = nodes.first, nodes.last
    span = starts[first.sentence] + first.word - (not first.rank), starts[last.sentence] + last.word
    return Discontinuous(*span, nodes) if nodes.empty else span


def _last_stretch(nodes: Nodes, starts: Sequence[int]) -> Nodes:
    """Return the nodes behind the last place where a word of the text is missing."""
    begin, end = nodes.first, 0
    for first, size in nodes.parts():
        token = starts[first.sentence] + first.word
        if token > end + 1:
            begin = first
        end = token + size - 1
    return nodes.between(begin, nodes.last)


def _relations(
    relations: Callable[[], Relations], called: Mapping[Mention, Mention], starts: Sequence[int]
) -> Relations:
    """Return relations of mentions in one piece; one in no cluster is in pieces where words lack."""

    def last(mention: object) -> object:
        if mention in called or not isinstance(mention, Discontinuous):
            return called.get(mention, mention)
        return _mention(_last_stretch(mention.nodes, starts), starts)

    found = relations()
    bridging = [
        link._replace(anaphor=last(link.anaphor), antecedent=last(link.antecedent)) for link in found.bridging
    ]
    return found._replace(bridging=bridging, non_referring=[last(one) for one in found.non_referring])
