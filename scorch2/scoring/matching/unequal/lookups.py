"""Mentions that are looked up one by one instead of paired, as other scorers do: one may stand for several.

A mention may be in several clusters of its side. Each of them keeps it, and the last of them owns it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from scorch2.formats.table import FIRST_END, FIRST_MENTION, row_of
from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError, Notice, counted, quoted
from scorch2.model.markables import Markable, Word
from scorch2.model.options import Options
from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching.antecedents import (
    SplitAntecedents,
    renamed_antecedents,
    take_apart,
    without_split_antecedents,
)
from scorch2.scoring.matching.clusters import KEEP, KEEP_IN_EACH, repeat_notices
from scorch2.scoring.matching.kinds import refuse_mixed
from scorch2.scoring.matching.matched import Chains, Side
from scorch2.scoring.matching.steps import Matched
from scorch2.scoring.matching.unequal.best import TooManyPairsError, refuse_many
from scorch2.scoring.matching.unequal.candidates import head_candidates, part_candidates, shared_words
from scorch2.scoring.matching.unequal.pairs import (
    Pairs,
    keyed,
    of_sides,
    paired,
    partner_names,
    too_many_pairs,
    with_sets,
)


class Near(NamedTuple):
    """A gold and a system mention that match, by their numbers."""

    row: int
    column: int
    distance: float
    """The share of the words of both that only one of them has."""


def near_mentions(gold: Sequence[Markable], system: Sequence[Markable], match: str) -> list[Near]:
    """Return the pairs of mentions that match."""
    candidates = head_candidates if match == "head" else part_candidates
    pairs = sorted(candidates(gold, system))
    golds = {row: gold[row].nodes for row in {row for row, _ in pairs}}
    systems = {column: system[column].nodes for column in {column for _, column in pairs}}
    found = []
    sizes, others = ({number: nodes.size for number, nodes in side.items()} for side in (golds, systems))
    for (row, column), shared in zip(pairs, shared_words(golds, systems, pairs), strict=True):
        both = sizes[row] + others[column]
        found.append(Near(row, column, (both - 2 * shared) / (both - shared)))
    return found


def nearest_mention(mentions: Sequence[Markable], found: Iterable[tuple[int, float]]) -> int:
    """Return the number of the nearest of some mentions; of several the first one.

    That is the one that begins, then ends, then has its head first.
    """

    def order(one: tuple[int, float]) -> tuple[float, Word, Word, Word]:
        number, distance = one
        mention = mentions[number]
        first, last, _ = mention.place
        return distance, first, last, mention.head

    return min(found, key=order)[0]


def mixed_up_notice(ident: str, pairs: Pairs) -> Sequence[Notice]:
    """Return a warning if scores are not those of the pairs."""
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    number = len({one for one, _ in unequal} & {other for _, other in unequal})
    if not number:
        return ()
    where = f"at {counted(number, 'place')} both sides have a mention, each with a partner elsewhere"
    why = "lookup=reference mixes them up as the CorefUD scorer does; lookup=pairs counts each pair once"
    return [Notice("lookup", ident, f"{where}: {why}")]


def zeros_notice(
    ident: str, documents: Sequence[Document], sides: Sequence[Side], options: Options
) -> Sequence[Notice]:
    """Return a warning about entities that the Universal Anaphora scorer keeps, which drops zeros last."""
    least = 1 if options.singletons == "keep" else 2
    numbers = [0, 0]
    for number, (with_zeros, side) in enumerate(zip(documents, sides, strict=True)):
        for name, members in side.document.clusters.items() if options.zeros == "drop" else ():
            zeros = len(with_zeros.clusters[name]) - len(without_split_antecedents(members))
            numbers[number] += len(members) < least <= len(members) + zeros
    if not any(numbers):
        return ()
    most = "no mention" if least == 1 else "at most one mention"
    why = f"{of_sides(numbers, 'cluster')} left out, with {most} besides zeros"
    peer = "the Universal Anaphora scorer 2.0 keeps such clusters, or ends with an error"
    return [Notice("lookup", ident, f"{why} ({peer})")]


def blanc_notice(sets: SplitAntecedents, options: Options) -> Sequence[Notice]:
    """Return one warning for all documents: other scorers count links of split antecedents wrongly."""
    metrics = [name.lower() for name in options.metrics or ("blanc",)]
    if options.split_antecedents != "keep" or "blanc" not in metrics or not (sets.gold and sets.system):
        return ()
    why = "a link of a split antecedent is worth what both its ends are worth"
    peer = "in the Universal Anaphora scorers it depends on the order of mentions"
    return [Notice("lookup", "", f"blanc: {why}; {peer} (in version 1.0 also for lea)")]


class Counterparts(NamedTuple):
    """The mentions of the other side that mentions stand for."""

    of_gold: Mapping[Mention, Mention]
    of_system: Mapping[Mention, Mention]
    all_of_gold: Mapping[Mention, Collection[Mention]]
    """Every system mention that a gold mention could stand for."""
    notices: Sequence[Notice] = ()
    ways: Mapping[str, int] = {}
    """The number of pairs by what made them, if there are pairs."""


def find_counterparts(
    ident: str, sides: Sequence[Side], gold: Partition, system: Partition, options: Options
) -> Counterparts:
    """Return what the mentions of two partitions stand for, as ``--lookup`` asks."""
    if options.lookup == "nearest":
        return _nearest(sides, gold, system, options.match)
    pairs = paired(sides, gold, system, options)
    notices = [*pairs.notices(ident), *mixed_up_notice(ident, pairs)]
    return _images(pairs, gold, system)._replace(notices=notices, ways=pairs.ways(options.match))


def _images(pairs: Pairs, gold: Partition, system: Partition) -> Counterparts:
    """Return what mentions stand for if pairs that are not equal are kept in one table for both sides.

    So the entries of a gold and a system mention that are equal overwrite each other.
    """
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    table = dict(unequal)
    table.update((other, one) for one, other in unequal)
    of_gold, of_system = (
        {one: image for one in here if (image := table.get(one, one)) in there}
        for here, there in ((gold.owner, system.owner), (system.owner, gold.owner))
    )
    return Counterparts(of_gold, of_system, {one: (image,) for one, image in of_gold.items()})


def _nearest(sides: Sequence[Side], gold: Partition, system: Partition, match: str) -> Counterparts:
    """Return what mentions stand for if each finds the nearest that matches it."""
    golds, systems = list(gold.owner), list(system.owner)
    if match == "exact":
        of_gold = {one: one for one in golds if one in system.owner}
        return Counterparts(of_gold, of_gold, {one: (one,) for one in of_gold})
    left, right = [sides[0].markable_of[one] for one in golds], [sides[1].markable_of[one] for one in systems]
    try:
        found = near_mentions(left, right, match)
    except TooManyPairsError:
        raise too_many_pairs(sides[0].document) from None
    by_gold: dict[int, list[tuple[int, float]]] = defaultdict(list)
    by_system: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for row, column, distance in found:
        by_gold[row].append((column, distance))
        by_system[column].append((row, distance))
    return Counterparts(
        {golds[row]: systems[nearest_mention(right, near)] for row, near in by_gold.items()},
        {systems[column]: golds[nearest_mention(left, near)] for column, near in by_system.items()},
        {golds[row]: [systems[column] for column, _ in near] for row, near in by_gold.items()},
    )


def look_up_mentions(ident: str, sides: Sequence[Side], options: Options) -> Matched:
    """Do what `scorch2.scoring.matching.steps.match` does, after the steps that make both sides comparable.

    Cluster sizes count a mention in each of its clusters; the last of them owns it.
    """
    with_zeros = [side.document for side in sides]
    sides = keyed(sides, options)
    documents = sides[0].document, sides[1].document
    by_sets = options.split_antecedents != "drop"
    if by_sets:
        sides = list(map(with_sets, sides))
    notices = [notice for side in sides for notice in _notices_of_repeats(ident, side)]
    gold, system = (_clusters(side, options.singletons, is_set=by_sets) for side in sides)
    left, right, sets = _partition(gold), _partition(system), SplitAntecedents((), ())
    if by_sets:
        left, right, sets = take_apart(left, right)
        gold, system = ([without_split_antecedents(one) for one in side] for side in (gold, system))
    if not (sides[0].markable_of or sides[1].markable_of):
        refuse_mixed(sides[0].written, left, sides[1].written, right)
    found = find_counterparts(ident, sides, left, right, options)
    notices += found.notices
    if options.lookup == "reference":
        notices += zeros_notice(ident, with_zeros, sides, options)
        notices += blanc_notice(sets, options)
    taken_for = dict(found.of_gold)
    if options.lookup == "reference":  # there an equal mention comes first
        taken_for |= {one: one for one in left.owner if one in right.owner}
    chains = Chains(gold, system, taken_for, documents, (sides[0].markable_of, sides[1].markable_of))
    try:
        tables = _tables(chains, found, (left, right))
    except TooManyPairsError:
        raise _too_many_pairs(ident, sides[0].written.path, options.lookup) from None
    if by_sets:
        sets = renamed_antecedents(sets, partner_names(left, right, found.of_gold))
    return Matched(
        left, right, tuple(notices), left, chains, tables, sets if by_sets else None, ways=found.ways
    )


def _notices_of_repeats(ident: str, side: Side) -> Sequence[Notice]:
    done = KEEP if row_of(side.document.format).repeats_count else KEEP_IN_EACH
    return repeat_notices(ident, side.document, done, side.written)


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
    places = [markable_of[one].place for one in without_split_antecedents(members)]
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
