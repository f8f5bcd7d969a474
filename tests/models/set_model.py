"""Clusters with split antecedents, scored a second time: plain, in exact fractions, from the definitions.

No code is shared with scorch2. A cluster is a set of items: a mention, or a split antecedent, which is a set
of members, each a set of mentions. Every way to align split antecedents is tried. Several may be best, so
each metric has a list of possible counts.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import TypeAlias

from exact_model import (
    MODELS,
    Clusters,
    Counts,
    best_alignment,
    coreferent,
    harmonic,
    mentions_of,
    pairs_of,
    ratio,
)

Members: TypeAlias = frozenset[frozenset[Hashable]]
Item: TypeAlias = Hashable | Members
Cluster: TypeAlias = Collection[Item]
Worth: TypeAlias = Mapping[Item, tuple[Item, Fraction]]
"""The counterpart of an item on the other side and its weight."""


class Pair:
    """Two split antecedents, and what a metric says of their members."""

    def __init__(self, gold: Members, system: Members, counts: Counts) -> None:
        self.gold, self.system, self.counts = gold, system, counts
        self.recall = ratio(counts.recall_num, counts.recall_den) or Fraction(0)
        self.precision = ratio(counts.precision_num, counts.precision_den) or Fraction(0)
        self.f1 = harmonic(self.recall, self.precision) or Fraction(0)


def with_sets(
    clusters: Mapping[str, Collection[Hashable]], sets: Mapping[str, Collection[str]]
) -> list[set[Item]]:
    """Return the clusters with their split antecedents; those that share one are one cluster."""
    found: list[set[Item]] = []
    for name, mentions in clusters.items():
        new: set[Item] = set(mentions)
        members = frozenset(frozenset(clusters[atom]) for atom in atoms(name, sets)) - {frozenset()}
        if name in sets and members:
            new.add(members)
            for old in [one for one in found if members in one]:
                found.remove(old)
                new |= old
        found.append(new)
    return [one for one in found if one]


def atoms(name: str, sets: Mapping[str, Collection[str]]) -> set[str]:
    """Return the members of a set; a set among them is replaced by its own."""
    return {
        atom
        for member in sets.get(name, ())
        for atom in (atoms(member, sets) if member in sets else {member})
    }


def is_set(item: Item) -> bool:
    return isinstance(item, frozenset)


def sets_of(clusters: Sequence[Cluster]) -> list[Members]:
    return [item for cluster in clusters for item in cluster if isinstance(item, frozenset)]


def possible(name: str, part: str, gold: Sequence[Cluster], system: Sequence[Cluster]) -> list[Counts]:
    """Return the counts of a part of a metric under each best alignment."""
    return [COUNTS[name, part](gold, system, pairs) for pairs in alignments(name, part, gold, system)]


def possible_alone(name: str, part: str, gold: Sequence[Cluster], system: Sequence[Cluster]) -> list[Counts]:
    """Return the same if only the split antecedents are scored."""
    recall = sum((of_members(name, part, one, frozenset()).recall_den for one in sets_of(gold)), Fraction(0))
    precision = sum(
        (of_members(name, part, frozenset(), one).precision_den for one in sets_of(system)), Fraction(0)
    )
    return [
        Counts(
            sum((pair.counts.recall_num for pair in pairs), Fraction(0)),
            recall,
            sum((pair.counts.precision_num for pair in pairs), Fraction(0)),
            precision,
        )
        for pairs in alignments(name, part, gold, system)
    ]


def alignments(name: str, part: str, gold: Sequence[Cluster], system: Sequence[Cluster]) -> list[list[Pair]]:
    """Return all alignments whose sum of F1 is the largest, without pairs that are worth nothing."""
    golds, systems = sets_of(gold), sets_of(system)
    every = {
        (one, other): Pair(one, other, of_members(name, part, one, other))
        for one in golds
        for other in systems
    }
    tried = [[every[pair] for pair in pairs if every[pair].f1] for pairs in one_to_one(golds, systems)]
    best = max(sum(pair.f1 for pair in pairs) for pairs in tried)
    return [pairs for pairs in tried if sum(pair.f1 for pair in pairs) == best]


def one_to_one(
    golds: Sequence[Members], systems: Sequence[Members]
) -> Iterator[list[tuple[Members, Members]]]:
    if len(golds) <= len(systems):
        yield from (list(zip(golds, chosen, strict=True)) for chosen in permutations(systems, len(golds)))
    else:
        yield from (list(zip(chosen, systems, strict=True)) for chosen in permutations(golds, len(systems)))


def of_members(name: str, part: str, gold: Members, system: Members) -> Counts:
    """Compare members as clusters; MUC gives a member of one mention a link, to itself."""
    counts = MODELS[name](tuple(gold), tuple(system)).parts[part]
    if name != "muc":
        return counts
    alone = [{member for member in side if len(member) == 1} for side in (gold, system)]
    more = len(alone[0]), len(alone[1]), len(alone[0] & alone[1])
    return Counts(
        counts.recall_num + more[2],
        counts.recall_den + more[0],
        counts.precision_num + more[2],
        counts.precision_den + more[1],
    )


def worth(pairs: Sequence[Pair], part: str, clusters: Sequence[Cluster], *, of_gold: bool = True) -> Worth:
    """Return what the items of one side are worth; a mention is worth 1 if it is found."""
    found: dict[Item, tuple[Item, Fraction]] = {
        item: (item, Fraction(1)) for cluster in clusters for item in cluster if not is_set(item)
    }
    for pair in pairs:
        weight = getattr(pair, part)
        if of_gold:
            found[pair.gold] = pair.system, weight
        else:
            found[pair.system] = pair.gold, weight
    return found


def with_equal(found: Worth, others: Sequence[Cluster], pairs: Sequence[Pair]) -> Worth:
    """Add split antecedents that are equal to one of the other side, if neither is aligned."""
    taken = {pair.gold for pair in pairs} | {pair.system for pair in pairs}
    same: dict[Item, tuple[Item, Fraction]] = {
        one: (one, Fraction(1)) for one in sets_of(others) if one not in taken
    }
    return {**same, **found}


def shared(cluster: Cluster, other: Cluster, found: Worth) -> list[Fraction]:
    """Return the weights of the items of a cluster whose counterpart is in another one."""
    return [found[item][1] for item in cluster if item in found and found[item][0] in other]


def both(
    gold: Sequence[Cluster],
    system: Sequence[Cluster],
    pairs: Sequence[Pair],
    recall: Callable[[Sequence[Cluster], Sequence[Cluster], Worth], tuple[Fraction, Fraction]],
    *,
    equal: bool = False,
) -> Counts:
    there = worth(pairs, "recall", gold), worth(pairs, "precision", system, of_gold=False)
    if equal:
        there = with_equal(there[0], system, pairs), with_equal(there[1], gold, pairs)
    return Counts(*recall(gold, system, there[0]), *recall(system, gold, there[1]))


def muc(gold: Sequence[Cluster], system: Sequence[Cluster], found: Worth) -> tuple[Fraction, Fraction]:
    kept = Fraction(0)
    for cluster in gold:
        plain = [item for item in cluster if not is_set(item)]
        linked = [other for other in system if any(item in other for item in plain)]
        parts = Fraction(len(linked) + sum(all(item not in other for other in system) for item in plain))
        for item in sets_of([cluster]):
            is_linked = item in found and any(found[item][0] in other for other in linked)
            parts += 1 - found[item][1] if is_linked else 1
        kept += len(cluster) - parts
    return kept, Fraction(sum(len(cluster) - 1 for cluster in gold))


def b_cubed(gold: Sequence[Cluster], system: Sequence[Cluster], found: Worth) -> tuple[Fraction, Fraction]:
    credit = sum(
        (
            sum(shared(cluster, other, found), Fraction(0)) ** 2 / len(cluster)
            for cluster in gold
            for other in system
        ),
        Fraction(0),
    )
    return credit, Fraction(sum(map(len, gold)))


def lea(gold: Sequence[Cluster], system: Sequence[Cluster], found: Worth) -> tuple[Fraction, Fraction]:
    credit = Fraction(0)
    for cluster in gold:
        for other in system:
            weights = shared(cluster, other, found)
            if len(cluster) == 1:
                credit += sum(weights, Fraction(0)) * (len(other) == 1)
            else:
                right = sum((a * b for a, b in combinations(weights, 2)), Fraction(0))
                credit += len(cluster) * right / Fraction(len(list(combinations(cluster, 2))))
    return credit, Fraction(sum(map(len, gold)))


def ceaf(
    gold: Sequence[Cluster], system: Sequence[Cluster], pairs: Sequence[Pair], *, of_entities: bool
) -> Counts:
    found = worth(pairs, "f1", gold)
    overlaps = [[sum(shared(one, other, found), Fraction(0)) for other in system] for one in gold]
    if of_entities:
        overlaps = [
            [2 * n / (len(one) + len(other)) for n, other in zip(row, system, strict=True)]
            for row, one in zip(overlaps, gold, strict=True)
        ]
    best = best_alignment(overlaps) if gold else Fraction(0)
    sizes = [Fraction(len(side) if of_entities else sum(map(len, side))) for side in (gold, system)]
    return Counts(best, sizes[0], best, sizes[1])


def blanc(
    gold: Sequence[Cluster], system: Sequence[Cluster], pairs: Sequence[Pair], *, inside: bool
) -> Counts:
    found = with_equal(worth(pairs, "f1", gold), system, pairs)
    sides: list[Clusters] = [tuple(map(frozenset, side)) for side in (gold, system)]
    links = [coreferent(side) if inside else pairs_of(mentions_of(side)) - coreferent(side) for side in sides]
    right = Fraction(0)
    for one, other in map(tuple, links[0]):
        if one in found and other in found:
            ends = frozenset((found[one][0], found[other][0]))
            right += found[one][1] * found[other][1] * (ends in links[1])
    return Counts(right, Fraction(len(links[0])), right, Fraction(len(links[1])))


COUNTS: Mapping[tuple[str, str], Callable[[Sequence[Cluster], Sequence[Cluster], Sequence[Pair]], Counts]] = {
    ("muc", ""): lambda gold, system, pairs: both(gold, system, pairs, muc),
    ("b_cubed", ""): lambda gold, system, pairs: both(gold, system, pairs, b_cubed),
    ("ceaf_m", ""): lambda gold, system, pairs: ceaf(gold, system, pairs, of_entities=False),
    ("ceaf_e", ""): lambda gold, system, pairs: ceaf(gold, system, pairs, of_entities=True),
    ("blanc", "coref"): lambda gold, system, pairs: blanc(gold, system, pairs, inside=True),
    ("blanc", "noncoref"): lambda gold, system, pairs: blanc(gold, system, pairs, inside=False),
    ("lea", ""): lambda gold, system, pairs: both(gold, system, pairs, lea, equal=True),
}
