"""Clusters with split antecedents: what the members of a set in gold and of one in the system share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.errors import InputError
from scorch2.model.messages import quoted
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition, count_overlaps
from scorch2.scoring.evidence import Seen
from scorch2.scoring.matching import Matched
from scorch2.scoring.matching.split_antecedents import PlacedAntecedent, SplitAntecedents

if TYPE_CHECKING:
    from scorch2.model.document import Mention

_MOST = 100_000
"""Pairs of split antecedents that share a mention; texts have a few hundred at most."""


class Sets(NamedTuple):
    """The overlaps of clusters and of the members of sets.

    The sizes of clusters count a split antecedent as a mention; no cell does.
    """

    tables: Lookups
    """The overlaps of clusters: all three are the same if mentions are in pairs."""
    gold: Sequence[int]
    """The cluster that holds each split antecedent, in order."""
    system: Sequence[int]
    gold_members: Sequence[Sequence[int]]
    """The sizes of the members of each split antecedent."""
    system_members: Sequence[Sequence[int]]
    pairs: Mapping[tuple[int, int], Contingency]
    """The overlaps of members, by the numbers of two split antecedents that share a mention."""
    equal: frozenset[tuple[int, int]]
    """The numbers of split antecedents with the same members."""


def find(seen: Seen) -> Sets:
    """Return the overlaps of a pair of documents that were matched with their split antecedents.

    Raises
    ------
    InputError
        If so many share a mention that there is no room for all pairs.
    """
    sides = seen.matched.sets or SplitAntecedents((), ())
    golds, systems = ([_members(one) for one in side] for side in sides)
    holders: dict[Mention, list[int]] = {}
    for number, members in enumerate(systems):
        for mention in members.owner:
            holders.setdefault(mention, []).append(number)
    near: dict[tuple[int, int], None] = {}
    for row, members in enumerate(golds):
        near.update(((row, column), None) for one in members.owner for column in holders.get(one, ()))
        if len(near) > _MOST:
            why = f"split antecedents of {quoted(seen.gold.id)} share mentions with so many others"
            how = "that all pairs are too many to align (use --split-antecedents=drop)"
            raise InputError(seen.gold.path or seen.gold.id, "", f"{why} {how}")
    pairs = {(row, column): count_overlaps(golds[row], systems[column]) for row, column in near}
    return Sets(
        seen.matched.tables or _in_pairs(seen.matched),
        [one.cluster for one in sides.gold],
        [one.cluster for one in sides.system],
        [one.sizes for one in golds],
        [one.sizes for one in systems],
        pairs,
        frozenset(pair for pair, table in pairs.items() if _are_equal(table)),
    )


def _in_pairs(matched: Matched) -> Lookups:
    """Count the overlaps of clusters, which may be without a mention if they are sets."""
    gold, system = matched.gold, matched.system
    shared = Counter(
        (gold.owner[mention], number) for mention, number in system.owner.items() if mention in gold.owner
    )
    table = Contingency([(g, s, n) for (g, s), n in shared.items()], gold.sizes, system.sizes)
    found = sum(shared.values())
    return Lookups(table, table, table, Tally(found, len(gold.owner), found, len(system.owner)))


def _members(antecedent: PlacedAntecedent) -> Partition:
    members = [frozenset(member) for member in antecedent.members]
    owner = {mention: number for number, member in enumerate(members) for mention in member}
    return Partition(owner, list(map(len, members)))


def _are_equal(table: Contingency) -> bool:
    """Return whether both sides of a table have the same clusters."""
    gold, system = table.gold_sizes, table.system_sizes
    same = all(n == gold[g] == system[s] for g, s, n in table.cells)
    return same and len(gold) == len(table.cells) == len(system)
