"""Step 4 beside the contingency table: what else metrics read, one function for each kind.

Each is called once for a document, if the row of a metric names it as its `evidence`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias

from scorch2.model.besides import Copying
from scorch2.model.document import Discontinuous, Document, Mention, spans
from scorch2.model.errors import UsageError, quoted
from scorch2.model.markables import Run, Word, as_written, zeros_in
from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching.matched import Matched, Seen
from scorch2.scoring.matching.partners import (
    chains_of,
    markables_of,
    numbers_of_empty,
    overlaps,
    runs_of_empty,
)
from scorch2.scoring.matching.steps import Matcher


def compared_exactly(
    seen: Seen, gold: Sequence[Mention], system: Sequence[Mention]
) -> tuple[Sequence[Mention], Sequence[Mention]]:
    """Return some mentions of both sides as matching compares those of clusters, exactly."""
    # Whatever ``--match`` says, they are the same only if they are equal
    sides = (seen.pair.gold._replace(clusters={"": gold}), seen.pair.system._replace(clusters={"": system}))
    if seen.options.only_category:
        why = "bridging links and non-referring mentions have no category that --only-category could keep"
        raise UsageError(f"{why} (name other metrics, with -m)")
    compared = Matcher(seen.options).compared("", *sides)
    return compared.gold.document.clusters[""], compared.system.document.clusters[""]


class WordCounts(NamedTuple):
    """The numbers of words of the mentions of both sides; a mention in two clusters is there twice."""

    gold: int
    system: int
    equal: int  # those of mentions that both sides have: a best alignment pairs each with its equal
    overlaps: Sequence[tuple[int, int, int]]
    """The pairs of other mentions that share words, by their numbers, and how many they share."""


class MentionWords(NamedTuple):
    """The mentions of both sides as they were read, each with how often it is there."""

    gold: Mapping[Mention, int]
    system: Mapping[Mention, int]
    sentences: tuple[Sequence[int], Sequence[int]]  # the number of words in each, for either side

    def counts(self) -> WordCounts:
        """Return the numbers of words; a TooManyPairsError tells of too many mentions that overlap."""
        gold, system = self.gold, self.system
        here = {one: n - system.get(one, 0) for one, n in gold.items() if n > system.get(one, 0)}
        there = {one: n - gold.get(one, 0) for one, n in system.items() if n > gold.get(one, 0)}
        both = {one: min(n, system[one]) for one, n in gold.items() if one in system}  # of the same words
        of_nodes = [one.nodes for side in (gold, system) for one in side if isinstance(one, Discontinuous)]
        numbers = numbers_of_empty(of_nodes)
        golds = _runs_of_mentions(here, self.sentences[0], numbers)
        systems = _runs_of_mentions(there, self.sentences[1], numbers)
        equal = _size(_runs_of_mentions(both, self.sentences[0], numbers))
        return WordCounts(equal + _size(golds), equal + _size(systems), equal, overlaps(golds, systems))


def find_words(seen: Seen) -> MentionWords:
    """Return the mentions of a matched pair as they were read, whose words are counted."""
    # An InputError tells of mentions that are no spans
    chains = chains_of(seen.matched)
    for document in chains.documents:
        if document.has_mentions and not document.has_spans:
            why = f"the mentions of {quoted(document.id)} are not spans of a text"
            raise document.error(f"{why}, which mention_overlap needs")
    gold, system = (
        dict(Counter([as_written(mention) for members in side for mention in members]))
        for side in (chains.gold, chains.system)
    )
    here, there = (document.sentences or () for document in chains.documents)
    return MentionWords(gold, system, (here, there))


def _runs_of_mentions(
    mentions: Mapping[Mention, int], sentences: Sequence[int], numbers: Mapping[Word, int]
) -> list[Sequence[Run]]:
    """Return each mention as runs of the words of the document, as if they were those of one sentence."""
    starts = [0, *accumulate(sentences)]
    every: list[Sequence[Run]] = []
    for mention, times in mentions.items():
        if isinstance(mention, Discontinuous):
            nodes = mention.nodes
            words = [(0, starts[at] + first - 1, starts[at] + last - 1) for at, first, last in nodes.runs]
            every += [[*runs_of_empty(nodes, numbers), *words]] * times
        else:
            ((start, end),) = spans([mention])
            every += [[(0, start, end - 1)]] * times
    return every


def _size(mentions: Sequence[Sequence[Run]]) -> int:
    return sum(last - first + 1 for runs in mentions for _, first, last in runs)


class ZeroChains(NamedTuple):
    """The chains of both sides, each in the order of the text."""

    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    gold_zeros: frozenset[Mention]
    system_zeros: frozenset[Mention]
    counterpart: Mapping[Mention, Mention]  # the system mention that a gold mention is taken for


def find_zeros(seen: Seen) -> ZeroChains:
    """Return the chains of a matched pair; none if it has no zero."""
    # An InputError tells of a format without empty nodes
    for document in (seen.matched.pair.gold.document, seen.matched.pair.system.document):
        if document.markables is None and document.has_mentions:
            raise document.error(f"{quoted(document.id)} has no empty nodes, which zero_anaphora needs")
    markables = markables_of(seen.matched)
    zeros = [
        frozenset(mention for mention, markable in side.items() if markable.place[0].rank)
        if begins_with_one
        else frozenset(zeros_in(side, side))
        for side, begins_with_one in zip(markables, _by_first(seen), strict=True)
    ]
    if not any(zeros):
        return ZeroChains((), (), zeros[0], zeros[1], {})
    chains = chains_of(seen.matched)
    gold, system = (
        [sorted(members, key=lambda mention: markable_of[mention].place) for members in clusters]
        for clusters, markable_of in zip((chains.gold, chains.system), markables, strict=True)
    )
    return ZeroChains(gold, system, zeros[0], zeros[1], chains.counterpart)


def _by_first(seen: Seen) -> tuple[bool, bool]:
    """Return for either side whether a zero begins with an empty node, not: is headed by one."""
    # The CorefUD scorer 1.1 knows no heads where it does not match by them
    is_nearest, match = seen.options.lookup == "nearest", seen.options.match
    return is_nearest and match == "exact", is_nearest and match != "head"


class NonReferring(NamedTuple):
    """The non-referring mentions of both sides."""

    gold: AbstractSet[Mention]
    system: AbstractSet[Mention]


def find_non_referring(seen: Seen) -> NonReferring:
    """Return the non-referring mentions of a pair of documents."""
    sides = _non_referring(seen.pair.gold), _non_referring(seen.pair.system)
    return NonReferring(*map(frozenset, compared_exactly(seen, *sides) if any(sides) else sides))


def _non_referring(document: Document) -> list[Mention]:
    return list(document.relations().non_referring) if document.relations is not None else []


class Bridging(NamedTuple):
    """The bridging links of both sides, by anaphor: each has one antecedent."""

    gold: Mapping[Mention, Mention]
    system: Mapping[Mention, Mention]
    owner: Mapping[Mention, int]  # the gold cluster of each mention that is in one


def find_bridging(seen: Seen) -> Bridging:
    """Return the links of a pair of documents; of several links of an anaphor, the last one counts."""
    links = _links(seen.pair.gold), _links(seen.pair.system)
    if not any(links):
        return Bridging({}, {}, {})
    anaphors = compared_exactly(seen, *([anaphor for anaphor, _ in side] for side in links))
    antecedents = compared_exactly(seen, *([antecedent for _, antecedent in side] for side in links))
    gold, system = (dict(zip(*side, strict=True)) for side in zip(anaphors, antecedents, strict=True))
    owner = {as_written(mention): cluster for mention, cluster in seen.matched.gold_alone.owner.items()}
    return Bridging(gold, system, owner)


def _links(document: Document) -> list[tuple[Mention, Mention]]:
    """Return anaphors and antecedents: the first mention of an entity that is not mentioned before."""
    # A link to an entity of which no mention was read is left out
    if document.relations is None:
        return []
    links = []
    for link in document.relations().bridging:
        first = document.clusters.get(link.antecedent_entity, [None])[0]
        antecedent = first if link.antecedent is None else link.antecedent
        if antecedent is not None:
            links.append((link.anaphor, antecedent))
    return links


_MOST_SET_PAIRS = 100_000  # pairs of split antecedents that share a mention; texts have a few hundred at most


class Sets(NamedTuple):
    """The overlaps of clusters and of the members of sets."""

    # The sizes of clusters count a split antecedent as a mention; no cell does

    tables: Lookups  # the overlaps of clusters: all three are the same if mentions are in pairs
    gold: Sequence[int]  # the cluster that holds each split antecedent, in order
    system: Sequence[int]
    gold_members: Sequence[Sequence[int]]  # the sizes of the members of each split antecedent
    system_members: Sequence[Sequence[int]]
    pairs: Mapping[tuple[int, int], Contingency]
    """The overlaps of members, by the numbers of two split antecedents that share a mention."""
    equal: frozenset[tuple[int, int]]  # the numbers of split antecedents with the same members


def find_sets(seen: Seen) -> Sets:
    """Return the overlaps of a pair that was matched with its split antecedents."""
    # An InputError tells of too many
    gold, system = seen.matched.sets or ((), ())
    entities: tuple[_Entities, _Entities] = ({}, {})
    golds = [_members(members, entities[0]) for _, members in gold]
    systems = [_members(members, entities[1]) for _, members in system]
    pairs = _overlaps_of_sets(golds, systems, _shared(*entities))
    if pairs is None:
        why = f"too many pairs of split antecedents of {quoted(seen.pair.gold.id)} share a mention"
        raise seen.pair.gold.error(f"{why}: more than {_MOST_SET_PAIRS} (use --split-antecedents=drop)")
    return Sets(
        seen.matched.tables or _in_pairs(seen.matched),
        [cluster for cluster, _ in gold],
        [cluster for cluster, _ in system],
        [one.sizes for one in golds],
        [one.sizes for one in systems],
        pairs,
        frozenset(pair for pair, table in pairs.items() if _are_equal(table)),
    )


_Entities: TypeAlias = dict[frozenset[Mention], int]  # the entities of a side that are in sets, numbered


class _Members(NamedTuple):
    sizes: tuple[int, ...]
    entities: Sequence[int]  # the number of each; without mentions that a later member has, too


def _members(antecedent: Sequence[Sequence[Mention]], entities: _Entities) -> _Members:
    members = [frozenset(member) for member in antecedent]
    sizes = tuple(map(len, members))
    if len(frozenset().union(*members)) < sum(sizes):
        owner = {mention: number for number, member in enumerate(members) for mention in member}
        members = [
            frozenset(mention for mention in member if owner[mention] == number)
            for number, member in enumerate(members)
        ]
    return _Members(sizes, [entities.setdefault(member, len(entities)) for member in members])


def _shared(golds: _Entities, systems: _Entities) -> Sequence[Mapping[int, int]]:
    """Return, for each gold entity, how many mentions system entities share with it."""
    holders: dict[Mention, list[int]] = {}
    for entity, number in systems.items():
        for mention in entity:
            holders.setdefault(mention, []).append(number)
    return [
        Counter(chain.from_iterable(holders[mention] for mention in entity if mention in holders))
        for entity in golds
    ]


def _overlaps_of_sets(
    golds: Sequence[_Members], systems: Sequence[_Members], shared: Sequence[Mapping[int, int]]
) -> Mapping[tuple[int, int], Contingency] | None:
    """Return the overlaps of the pairs of sets that share a mention; None if there are too many."""
    # Overlaps of entities are counted once, not for each pair: 300 sets with one member of 1 500 mentions
    # took 30 s. Equal tables are one.
    homes: dict[int, list[tuple[int, int]]] = {}
    for column, members in enumerate(systems):
        for s, entity in enumerate(members.entities):
            homes.setdefault(entity, []).append((column, s))
    tables: dict[Contingency, Contingency] = {}
    pairs: dict[tuple[int, int], Contingency] = {}
    cells_of_all = 0
    for row, members in enumerate(golds):
        cells: dict[int, list[tuple[int, int, int]]] = {}
        for g, entity in enumerate(members.entities):
            for other, number in shared[entity].items():
                for column, s in homes[other]:
                    cells.setdefault(column, []).append((g, s, number))
        cells_of_all += sum(map(len, cells.values()))
        if cells_of_all > _MOST_SET_PAIRS:
            return None
        for column, of_pair in cells.items():
            table = Contingency(tuple(of_pair), members.sizes, systems[column].sizes)
            pairs[row, column] = tables.setdefault(table, table)
    return pairs


def _in_pairs(matched: Matched) -> Lookups:
    """Count the overlaps of clusters, which may be without a mention if they are sets."""
    gold, system = matched.gold, matched.system
    shared = Counter(
        (gold.owner[mention], number) for mention, number in system.owner.items() if mention in gold.owner
    )
    table = Contingency([(g, s, n) for (g, s), n in shared.items()], gold.sizes, system.sizes)
    number = sum(shared.values())
    return Lookups(table, table, table, Tally(number, len(gold.owner), number, len(system.owner)))


def _are_equal(table: Contingency) -> bool:
    gold, system = table.gold_sizes, table.system_sizes
    same = all(n == gold[g] == system[s] for g, s, n in table.cells)
    return same and len(gold) == len(table.cells) == len(system)


def find_copying(seen: Seen) -> Copying:
    """Return what became of the text of a pair; an InputError tells that it was not compared."""
    copying: Copying | None = seen.matched.pair.noted.get("copying")
    if copying is None:
        raise seen.pair.system.error("the metric copied needs --align=text, which compares the texts")
    return copying


class SameNames(NamedTuple):
    """The overlaps of entities, and the positions of the cells whose two entities have one name."""

    table: Contingency
    cells: Sequence[int]


def find_names(seen: Seen) -> SameNames:
    """Return the entities of both sides that have the same name; an InputError tells of a format without."""
    matched, table = seen.matched, seen.matched.tables or seen.table
    if not isinstance(table, Contingency) or matched.sets is not None:
        needed = "--lookup=pairs and --split-antecedents=drop"
        raise UsageError(f"--entities=names is only defined with {needed}")
    for document in (seen.pair.gold, seen.pair.system):
        refuse_numbers(document)
    gold = _names(matched.gold, matched.pair.gold.document, {})
    system = _names(matched.system, matched.pair.system.document, matched.original_of)
    same = [p for p, (g, s, _) in enumerate(table.cells) if g in gold and gold[g] == system.get(s)]
    return SameNames(table, same)


def refuse_numbers(document: Document) -> None:
    """Raise an InputError if the clusters of a document have no names, but numbers."""
    if document.numbered:
        why = f"--entities=names needs named entities, and {document.format} only numbers its clusters"
        raise document.error(f"{why} (use --entities=aligned)")


def _names(
    partition: Partition, document: Document, original_of: Mapping[Mention, Mention]
) -> Mapping[int, str]:
    """Return the name of each cluster: that of the first cluster in the file with a mention of it."""
    names: dict[int, str] = {}
    owner = {as_written(original_of.get(mention, mention)): home for mention, home in partition.owner.items()}
    for name, members in document.clusters.items():
        for mention in map(as_written, members):
            if mention in owner:
                names.setdefault(owner[mention], name)
    return names
