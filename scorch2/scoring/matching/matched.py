"""The values of matching: a side while it is made comparable, and the matched mentions of both."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.model.markables import Markable
from scorch2.scoring.contingency import Partition


class Chains(NamedTuple):
    """The clusters that are scored, and the gold mentions that have a counterpart."""

    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    """Its mentions are as they were before each was renamed to its gold partner."""
    counterpart: Mapping[Mention, Mention]
    """The system mention that a gold mention is taken for."""
    documents: tuple[Document, Document]
    markable_of: tuple[Mapping[Mention, Markable], Mapping[Mention, Markable]]
    """All that the formats say about the mentions of each side; empty if that is no more than their words."""


def chains_of_partitions(
    sides: tuple[Document, Document],
    partitions: tuple[Partition, Partition],
    counterpart: Mapping[Mention, Mention],
) -> Chains:
    """Return the clusters of two partitions of documents, whose mentions compare."""
    gold, system = (_members(partition) for partition in partitions)
    return Chains(gold, system, counterpart, sides, (markable_of(sides[0]), markable_of(sides[1])))


def markable_of(document: Document) -> Mapping[Mention, Markable]:
    """Return what the format of a document says about each mention, where it is written first."""
    every = document.markables() if document.markables is not None else {}
    found: dict[Mention, Markable] = {}
    for name, members in every.items():
        for mention, markable in zip(document.clusters[name], members, strict=True):
            found.setdefault(mention, markable)
    return found


def _members(partition: Partition) -> list[list[Mention]]:
    members: list[list[Mention]] = [[] for _ in partition.sizes]
    for mention, number in partition.owner.items():
        members[number].append(mention)
    return members


class Side(NamedTuple):
    """A document whose mentions compare by equality."""

    document: Document
    written: Document
    """The same with its mentions as they were read, each in its place."""
    markable_of: Mapping[Mention, Markable] = {}
    """All that its format says about each mention; empty if no option looks at more than the words."""
