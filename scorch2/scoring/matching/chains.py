"""The clusters mention by mention, for metrics that count more than overlaps; and split antecedents.

A split antecedent, such as *Ann* and *Bob* of *they*, is one more mention of the cluster of *they*. It equals
no other mention. What it is worth is up to the metrics, which compare the members of two sets.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.model.errors import listed, quoted
from scorch2.model.markables import Markable, Relations
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.matched import ComparedPair, Matched, PlacedAntecedent, match_equal

_MOST = 1_000_000
"""Members of all sets of a document, and mentions of them in all that differ; texts have far fewer."""


class Chains(NamedTuple):
    """The clusters that are scored, and the gold mentions that have a counterpart."""

    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    """Its mentions are as they were before each was renamed to its gold partner."""
    counterpart: Mapping[Mention, Mention]  # the system mention that a gold mention is taken for
    documents: tuple[Document, Document]
    markable_of: tuple[Mapping[Mention, Markable], Mapping[Mention, Markable]]
    """All that the formats say about the mentions of each side; empty if that is no more than their words."""


def chains_of(matched: Matched) -> Chains:
    """Return the clusters of both sides, mention by mention."""
    sides = matched.pair.gold, matched.pair.system
    documents = sides[0].document, sides[1].document
    if matched.clusters is not None:
        gold, system = (list(clusters.values()) for clusters in matched.clusters)
        markables = sides[0].markable_of, sides[1].markable_of
        return Chains(gold, system, matched.counterpart or {}, documents, markables)
    here, there, original_of = matched.gold_alone, matched.system, matched.original_of
    counterpart = matched.counterpart
    if counterpart is None:
        counterpart = {mention: mention for mention in there.owner if mention in here.owner}
    return Chains(
        _members(here),
        [[original_of.get(mention, mention) for mention in members] for members in _members(there)],
        counterpart,
        documents,
        (_markable_of(documents[0]), _markable_of(documents[1])),
    )


def _markable_of(document: Document) -> Mapping[Mention, Markable]:
    """Return what the format of a document says about each mention, where it is written first."""
    every = document.markables() if document.markables is not None else {}
    markable_of: dict[Mention, Markable] = {}
    for name, members in every.items():
        for mention, markable in zip(document.clusters[name], members, strict=True):
            markable_of.setdefault(mention, markable)
    return markable_of


def _members(partition: Partition) -> list[list[Mention]]:
    members: list[list[Mention]] = [[] for _ in partition.sizes]
    for mention, number in partition.owner.items():
        members[number].append(mention)
    return members


class SplitAntecedent:
    """A split antecedent, by the mentions of each of its members."""

    __slots__ = ("members",)

    def __init__(self, members: Sequence[Sequence[Mention]]) -> None:
        self.members = members


def with_split_antecedents(document: Document, written: Document) -> tuple[Document, Document]:
    """Return a document with a split antecedent in the cluster of each set; and the same as it was written.

    A set in a set counts as its members. Clusters that are sets of the same members are one.
    """
    relations = document.relations() if document.relations is not None else Relations()
    sets = relations.sets
    if not sets:
        return document, written
    atoms_of = _atoms(sets, document)
    clusters = {name: list(members) for name, members in document.clusters.items()}
    texts = {name: list(members) for name, members in written.clusters.items()}
    mentions = {**document.clusters, **relations.no_clusters}
    places = {name: place for place, name in enumerate(mentions)}
    alike: dict[tuple[Mention, ...], str] = {}  # the first entity with each list of mentions
    first = {
        entity: alike.setdefault(tuple(mentions[entity]), entity)
        for entity in set().union(*atoms_of.values())
        if mentions.get(entity)
    }
    homes: dict[frozenset[str], str] = {}
    mentions_of_sets = 0
    for name in [name for name in document.clusters if name in sets]:
        atoms = sorted(atoms_of[name] & first.keys(), key=places.__getitem__)
        apart = dict.fromkeys(first[entity] for entity in atoms)
        members = [mentions[entity] for entity in apart]
        home = homes.setdefault(frozenset(apart), name)
        if members and home == name:
            clusters[name].append(SplitAntecedent(members))
            mentions_of_sets += sum(map(len, members))
            _refuse_more(mentions_of_sets, document)
        elif members:
            clusters[home][-1:-1] = clusters.pop(name)  # the places of mentions stay those of `written`
            texts[home] += texts.pop(name)
    return document._replace(clusters=clusters), written._replace(clusters=texts)


def _atoms(sets: Mapping[str, Sequence[str]], document: Document) -> Mapping[str, set[str]]:
    """Return the entities that each set is made of and that are no sets; refuse sets that go round."""
    from graphlib import CycleError, TopologicalSorter

    atoms_of: dict[str, set[str]] = {}
    members_of_sets = 0
    try:
        for name in TopologicalSorter(sets).static_order():  # members come before their sets
            if name in sets:
                atoms_of[name] = set().union(*(atoms_of.get(member, {member}) for member in sets[name]))
                members_of_sets += len(atoms_of[name])
                _refuse_more(members_of_sets, document)
    except CycleError as error:
        names = listed(map(quoted, error.args[1]))
        why = f"split antecedents go round in a circle: {names}, each a member of the next or the one before"
        raise document.error(why) from None
    return atoms_of


def _refuse_more(number: int, document: Document) -> None:
    if number > _MOST:
        why = f"the split antecedents of {quoted(document.id)} have too many members"
        raise document.error(f"{why} (use --split-antecedents=drop)")


def without_split_antecedents(members: Sequence[Mention]) -> list[Mention]:
    """Return the members of a cluster without a split antecedent."""
    return [one for one in members if not isinstance(one, SplitAntecedent)]


def with_antecedents(pair: ComparedPair) -> ComparedPair:
    """Return both sides with their split antecedents as mentions."""
    gold, system = (
        side._replace(document=document, written=written)
        for side in (pair.gold, pair.system)
        for document, written in [with_split_antecedents(side.document, side.written)]
    )
    return pair._replace(gold=gold, system=system)


def match_with_antecedents(pair: ComparedPair, options: Options) -> Matched:
    """Match mentions that are equal, where split antecedents count; the sizes count them, no cell does."""
    return take_apart(match_equal(with_antecedents(pair), options))._replace(pair=pair)


def take_apart(matched: Matched) -> Matched:
    """Return both sides without their split antecedents, which the sizes still count; and these."""
    gold, system = _without_antecedents(matched.gold), _without_antecedents(matched.system)
    sets = _antecedents(matched.gold), _antecedents(matched.system)
    return matched._replace(gold=gold, gold_alone=gold, system=system, sets=sets)


def _without_antecedents(side: Partition) -> Partition:
    every = side.owner.items()
    return Partition(
        {one: number for one, number in every if not isinstance(one, SplitAntecedent)}, side.sizes
    )


def _antecedents(side: Partition) -> list[PlacedAntecedent]:
    return [(number, one.members) for one, number in side.owner.items() if isinstance(one, SplitAntecedent)]


def drop_singleton_antecedents(matched: Matched, _: Options) -> Matched:
    """Leave out the split antecedents of singletons, and number the others as these clusters will be."""
    gold, system = matched.sets or ((), ())
    left = _renumbered(gold, matched.gold.sizes), _renumbered(system, matched.system.sizes)
    return matched._replace(sets=left)


def _renumbered(antecedents: Sequence[PlacedAntecedent], sizes: Sequence[int]) -> list[PlacedAntecedent]:
    kept = [number for number, size in enumerate(sizes) if size > 1]
    new = {old: number for number, old in enumerate(kept)}
    return [(new[number], members) for number, members in antecedents if number in new]


def rename_antecedents(matched: Matched, names: Mapping[Mention, Mention]) -> Matched:
    """Return split antecedents with the mentions of the system called as they are after matching."""
    if matched.sets is None:
        return matched
    gold, system = matched.sets
    renamed = [
        (number, [[names.get(mention, mention) for mention in member] for member in members])
        for number, members in system
    ]
    return matched._replace(sets=(gold, renamed))
