"""Mentions that are looked up one by one instead of paired, as other scorers do: one may stand for several.

A mention may be in several clusters of its side. Each of them keeps it, and the last of them owns it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from scorch2.formats.table import FIRST_END, FIRST_MENTION, row_of
from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError, Notice, quoted
from scorch2.model.markables import Markable
from scorch2.model.options import Options
from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching import Matched, duplicates, kinds, lookup_notices, partners, split_antecedents
from scorch2.scoring.matching.best_pairs import TooManyPairsError, refuse_many
from scorch2.scoring.matching.chains import Chains
from scorch2.scoring.matching.counterparts import Counterparts, counterparts
from scorch2.scoring.matching.side import Side
from scorch2.scoring.matching.split_antecedents import SplitAntecedents


def matched(ident: str, sides: Sequence[Side], options: Options) -> Matched:
    """Do what `scorch2.scoring.matching.match` does, after the steps that make both sides comparable.

    Cluster sizes count a mention in each of its clusters; the last of them owns it.
    """
    with_zeros = [side.document for side in sides]
    sides = partners.keyed(sides, options)
    documents = sides[0].document, sides[1].document
    by_sets = options.split_antecedents != "drop"
    if by_sets:
        sides = list(map(partners.with_sets, sides))
    notices = [notice for side in sides for notice in _repeats(ident, side)]
    gold, system = (_clusters(side, options.singletons, is_set=by_sets) for side in sides)
    left, right, sets = _partition(gold), _partition(system), SplitAntecedents((), ())
    if by_sets:
        left, right, sets = split_antecedents.apart(left, right)
        gold, system = ([split_antecedents.mentions(one) for one in side] for side in (gold, system))
    if not (sides[0].markable_of or sides[1].markable_of):
        kinds.refuse_mixed(sides[0].written, left, sides[1].written, right)
    found = counterparts(ident, sides, left, right, options)
    notices += found.notices
    if options.lookup == "reference":
        notices += lookup_notices.without_zeros(ident, with_zeros, sides, options)
        notices += lookup_notices.of_blanc(sets, options)
    taken_for = dict(found.of_gold)
    if options.lookup == "reference":  # there an equal mention comes first
        taken_for |= {one: one for one in left.owner if one in right.owner}
    chains = Chains(gold, system, taken_for, documents, (sides[0].markable_of, sides[1].markable_of))
    try:
        tables = _tables(chains, found, (left, right))
    except TooManyPairsError:
        raise _too_many_pairs(ident, sides[0].written.path, options.lookup) from None
    if by_sets:
        sets = split_antecedents.renamed(sets, partners.names(left, right, found.of_gold))
    return Matched(
        left, right, tuple(notices), left, chains, tables, sets if by_sets else None, ways=found.ways
    )


def _repeats(ident: str, side: Side) -> Sequence[Notice]:
    done = duplicates.KEEP if row_of(side.document.format).repeats_count else duplicates.IN_EACH
    return duplicates.repeats(ident, side.document, done, side.written)


def _clusters(side: Side, singletons: str, *, is_set: bool) -> Sequence[Sequence[Mention]]:
    """Return the clusters that count, in the order in which the last one that holds a mention owns it."""
    every = side.document.clusters
    is_set = is_set or not row_of(side.document.format).repeats_count
    if is_set and len(set(chain.from_iterable(every.values()))) < sum(map(len, every.values())):
        every = {name: list(dict.fromkeys(members)) for name, members in every.items()}
    least = 1 if singletons == "keep" else 2
    kept = {name: members for name, members in every.items() if len(members) >= least}
    repeats = len(set(chain.from_iterable(kept.values()))) < sum(map(len, kept.values()))
    if row_of(side.document.format).entities_by == FIRST_MENTION and side.markable_of and repeats:
        order = sorted(kept, key=lambda name: _place(name, kept[name], side.markable_of))
        return [kept[name] for name in order]
    return list(kept.values())


def in_scorers_order(document: Document) -> Document:
    """Return a document with its clusters in the order of coval, whatever mentions are left out later."""
    if row_of(document.format).entities_by != FIRST_END:
        return document
    clusters = sorted(document.clusters.items(), key=lambda item: _first_end(item[1]))
    return document._replace(clusters=dict(clusters))


def _first_end(members: Sequence[Mention]) -> tuple[int, bool, int]:
    """Return where the first mention of a cluster ends, by which coval has them in order.

    Mentions of one token come first there, then those that opened last.
    """
    first, end = min(spans(members), key=lambda span: (span[1], span[0] < span[1] - 1, -span[0]))
    return end, first < end - 1, -first


def _place(
    name: str, members: Sequence[Mention], markable_of: Mapping[Mention, Markable]
) -> tuple[object, ...]:
    """Return what entities are sorted by: their first mention, and then their name."""
    places = [markable_of[one].place for one in split_antecedents.mentions(members)]
    return (*min((first, -size, last) for first, last, size in places), name)


def _partition(clusters: Sequence[Sequence[Mention]]) -> Partition:
    owner = {mention: number for number, members in enumerate(clusters) for mention in members}
    return Partition(owner, list(map(len, clusters)))


def _too_many_pairs(ident: str, path: str, lookup: str) -> InputError:
    why = f"mentions of {quoted(ident)} are in so many clusters of both sides"
    how = f"that all pairs are too many for --lookup={lookup} (use --lookup=pairs)"
    return InputError(path or ident, "", f"{why} {how}")


def _tables(chains: Chains, found: Counterparts, owners: tuple[Partition, Partition]) -> Lookups:
    """Return the overlaps of clusters by what mentions stand for.

    Raises
    ------
    TooManyPairsError
        If mentions are in so many clusters that there is no room for all pairs of these.
    """
    gold, system = owners
    holders: dict[Mention, list[int]] = {}
    for number, members in enumerate(chains.system):
        for mention in dict.fromkeys(members):
            holders.setdefault(mention, []).append(number)
    recall: Counter[tuple[int, int]] = Counter()
    membership: Counter[tuple[int, int]] = Counter()
    for number, members in enumerate(chains.gold):
        for mention in members:
            if mention in found.of_gold:
                recall[number, system.owner[found.of_gold[mention]]] += 1
                every = {one for other in found.all_of_gold[mention] for one in holders[other]}
                membership.update((number, one) for one in every)
                refuse_many(len(membership), gold.owner, system.owner)
    precision = Counter(
        (gold.owner[found.of_system[mention]], number)
        for number, members in enumerate(chains.system)
        for mention in members
        if mention in found.of_system
    )
    mentions = Tally(len(found.of_gold), len(gold.owner), len(found.of_system), len(system.owner))
    return Lookups(
        _table(recall, gold, system),
        _table(precision, gold, system),
        _table(membership, gold, system),
        mentions,
    )


def _table(cells: Mapping[tuple[int, int], int], gold: Partition, system: Partition) -> Contingency:
    return Contingency([(g, s, n) for (g, s), n in cells.items()], gold.sizes, system.sizes)
