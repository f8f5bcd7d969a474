"""Mentions that are looked up one by one instead of paired, as other scorers do: one may stand for several.

A mention may be in several clusters of its side. Each of them keeps it, and the last of them owns it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from scorch2.formats.table import FIRST_END, FIRST_MENTION, row_of
from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import Notice, counted, quoted
from scorch2.model.markables import Markable, Word
from scorch2.model.options import Options
from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching.chains import (
    rename_antecedents,
    take_apart,
    with_antecedents,
    without_split_antecedents,
)
from scorch2.scoring.matching.matched import (
    KEEP,
    KEEP_IN_EACH,
    ComparedPair,
    ComparedSide,
    Matched,
    looks_at_phrases,
    repeat_notices,
)
from scorch2.scoring.matching.partners import (
    TooManyPairsError,
    head_candidates,
    part_candidates,
    refuse_many,
    shared_words,
    words_of,
)
from scorch2.scoring.matching.unequal_pairs import (
    Pairs,
    find_pairs,
    of_sides,
    partner_names,
    too_many_pairs,
)

_Distance: TypeAlias = tuple[float, int]
"""The share of the words of two mentions that only one of them has, and the number of the other one."""


def mixed_up_notice(ident: str, pairs: Pairs) -> Sequence[Notice]:
    """Return a warning if scores are not those of the pairs."""
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    number = len({one for one, _ in unequal} & {other for _, other in unequal})
    if not number:
        return ()
    where = f"at {counted(number, 'place')} both sides have a mention, each with a partner elsewhere"
    why = "lookup=reference mixes them up as the CorefUD scorer does; lookup=pairs counts each pair once"
    return [Notice("lookup", ident, f"{where}: {why}")]


def zeros_notice(pair: ComparedPair, options: Options) -> Sequence[Notice]:
    """Return a warning about entities that the Universal Anaphora scorer keeps, which drops zeros last."""
    least = 2 if options.singletons == "drop" and not looks_at_phrases(options) else 1
    numbers = [
        sum(
            len(members) < least <= len(members) + side.zeros_dropped.get(name, 0)
            for name, members in side.document.clusters.items()
        )
        for side in (pair.gold, pair.system)
    ]
    if not any(numbers):
        return ()
    most = "no mention" if least == 1 else "at most one mention"
    why = f"{of_sides(numbers, 'cluster')} left out, with {most} besides zeros"
    peer = "the Universal Anaphora scorer 2.0 keeps such clusters, or ends with an error"
    return [Notice("lookup", pair.id, f"{why} ({peer})")]


def blanc_notice(matched: Matched, options: Options) -> Sequence[Notice]:
    """Return one warning for all documents: other scorers count links of split antecedents wrongly."""
    metrics = [name.lower() for name in options.metrics or ("blanc",)]
    if options.split_antecedents != "keep" or "blanc" not in metrics or not all(matched.sets or ((), ())):
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
    ways: Mapping[str, int] = {}  # the number of pairs by what made them, if there are pairs


def find_counterparts(matched: Matched, options: Options) -> Counterparts:
    """Return what the mentions of two partitions stand for, as ``--lookup`` asks."""
    if options.lookup == "nearest":
        return _nearest(matched, options.match)
    pairs = find_pairs(matched, options)
    notices = [*pairs.notices(matched.pair.id), *mixed_up_notice(matched.pair.id, pairs)]
    images = _images(pairs, matched.gold, matched.system)
    return images._replace(notices=notices, ways=pairs.ways(options.match))


def _images(pairs: Pairs, gold: Partition, system: Partition) -> Counterparts:
    """Return what mentions stand for if pairs that are not equal are kept in one table for both sides."""
    # So the entries of a gold and a system mention that are equal overwrite each other
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    table = dict(unequal)
    table.update((other, mention) for mention, other in unequal)
    of_gold, of_system = (
        {mention: image for mention in here if (image := table.get(mention, mention)) in there}
        for here, there in ((gold.owner, system.owner), (system.owner, gold.owner))
    )
    return Counterparts(of_gold, of_system, {mention: (image,) for mention, image in of_gold.items()})


def _nearest(matched: Matched, match: str) -> Counterparts:
    """Return what mentions stand for if each finds the nearest that matches it: CorefUD scorer 1.1."""
    gold, system = list(matched.gold.owner), list(matched.system.owner)
    if match == "exact":
        of_gold = {mention: mention for mention in gold if mention in matched.system.owner}
        return Counterparts(of_gold, of_gold, {mention: (mention,) for mention in of_gold})
    left = [matched.pair.gold.markable_of[mention] for mention in gold]
    right = [matched.pair.system.markable_of[mention] for mention in system]
    candidates = head_candidates if match == "head" else part_candidates
    try:
        pairs = sorted(candidates(left, right))
    except TooManyPairsError:
        raise too_many_pairs(matched.pair.gold.document) from None
    words = words_of(left, right, pairs)
    sizes, others = ({number: nodes.size for number, nodes in side.items()} for side in words)
    by_gold: dict[int, list[_Distance]] = defaultdict(list)
    by_system: dict[int, list[_Distance]] = defaultdict(list)
    for (row, column), shared in zip(pairs, shared_words(*words, pairs), strict=True):
        both = sizes[row] + others[column]
        distance = (both - 2 * shared) / (both - shared)
        by_gold[row].append((distance, column))
        by_system[column].append((distance, row))
    return Counterparts(
        {gold[row]: system[_first_nearest(right, near)] for row, near in by_gold.items()},
        {system[column]: gold[_first_nearest(left, near)] for column, near in by_system.items()},
        {gold[row]: [system[column] for _, column in near] for row, near in by_gold.items()},
    )


def _first_nearest(mentions: Sequence[Markable], near: Sequence[_Distance]) -> int:
    """Return the number of the nearest mention; of several that which begins, ends, has its head first."""

    def order(mention: _Distance) -> tuple[float, Word, Word, Word]:
        distance, number = mention
        first, last, _ = mentions[number].place
        return distance, first, last, mentions[number].head

    return min(near, key=order)[1]


def order_as_coval(pair: ComparedPair, _: Options) -> ComparedPair:
    """Return CoNLL documents with clusters in the order of coval, whatever mentions are left out later."""
    return pair.read_as(_in_order_of_coval(pair.gold.document), _in_order_of_coval(pair.system.document))


def _in_order_of_coval(document: Document) -> Document:
    if row_of(document.format).entities_by != FIRST_END:
        return document
    clusters = sorted(document.clusters.items(), key=lambda item: _first_end(item[1]))
    return document._replace(clusters=dict(clusters))


def _first_end(members: Sequence[Mention]) -> tuple[int, bool, int]:
    """Return where the first mention of a cluster ends, by which coval has them in order."""
    # Mentions of one token come first there, then those that opened last
    first, end = min(spans(members), key=lambda span: (span[1], span[0] < span[1] - 1, -span[0]))
    return end, first < end - 1, -first


def look_at_all_clusters(pair: ComparedPair, options: Options) -> Matched:
    """Return the clusters with each mention in all that hold it, and notices about these."""
    notices = list(pair.notices)
    by_sets = options.split_antecedents != "drop"
    if by_sets:
        pair = with_antecedents(pair)
    clusters = []
    for side in (pair.gold, pair.system):
        repeats_count = row_of(side.document.format).repeats_count
        done = KEEP if repeats_count else KEEP_IN_EACH
        notices += repeat_notices(pair.id, side.document, done, side.written)
        every = side.document.clusters
        if (by_sets or not repeats_count) and _has_repeats(every):
            every = {name: list(dict.fromkeys(members)) for name, members in every.items()}
        clusters.append({name: members for name, members in every.items() if members})
    none = Partition({}, ())
    return Matched(none, none, tuple(notices), none, pair, (clusters[0], clusters[1]))


def give_to_last_cluster(matched: Matched, options: Options) -> Matched:
    """Give each mention to the last cluster that holds it; sizes count it in each of its clusters."""
    every, sides = matched.clusters or ({}, {}), (matched.pair.gold, matched.pair.system)
    gold, system = (_in_order_of_owners(*both) for both in zip(every, sides, strict=True))
    left = _partition(gold)
    owned = matched._replace(gold=left, system=_partition(system), gold_alone=left, clusters=(gold, system))
    if options.split_antecedents == "drop":
        return owned
    gold, system = (
        {name: without_split_antecedents(members) for name, members in clusters.items()}
        for clusters in (gold, system)
    )
    return take_apart(owned)._replace(clusters=(gold, system))


def _has_repeats(clusters: Mapping[str, Sequence[Mention]]) -> bool:
    return len(set(chain.from_iterable(clusters.values()))) < sum(map(len, clusters.values()))


def _in_order_of_owners(
    clusters: Mapping[str, Sequence[Mention]], side: ComparedSide
) -> Mapping[str, Sequence[Mention]]:
    """Return clusters in the order in which the last one that holds a mention owns it."""
    by_first = row_of(side.document.format).entities_by == FIRST_MENTION
    if not (by_first and side.markable_of and _has_repeats(clusters)):
        return clusters
    order = sorted(clusters, key=lambda name: _place(name, clusters[name], side.markable_of))
    return {name: clusters[name] for name in order}


def look_up(matched: Matched, options: Options) -> Matched:
    """Find the mention that each mention stands for, and count the overlaps of clusters by these."""
    gold, system = matched.gold, matched.system
    counterparts = find_counterparts(matched, options)
    notices = [*matched.notices, *counterparts.notices]
    counterpart = dict(counterparts.of_gold)
    if options.lookup == "reference":
        notices += zeros_notice(matched.pair, options)
        notices += blanc_notice(matched, options)
        counterpart |= {
            mention: mention for mention in gold.owner if mention in system.owner
        }  # an equal one comes first
    try:
        tables = _tables(matched, counterparts)
    except TooManyPairsError:
        why = f"too many pairs of clusters of {quoted(matched.pair.id)} share a mention"
        how = f"for --lookup={options.lookup} (use --lookup=pairs)"
        raise matched.pair.gold.written.error(f"{why} {how}") from None
    names = partner_names(gold, system, counterparts.of_gold) if matched.sets else {}
    return rename_antecedents(matched, names)._replace(
        notices=tuple(notices), tables=tables, counterpart=counterpart, ways=counterparts.ways
    )


def _place(
    name: str, members: Sequence[Mention], markable_of: Mapping[Mention, Markable]
) -> tuple[object, ...]:
    """Return what entities are sorted by: their first mention, and then their name."""
    places = [markable_of[mention].place for mention in without_split_antecedents(members)]
    return (*min((first, -size, last) for first, last, size in places), name)


def _partition(clusters: Mapping[str, Sequence[Mention]]) -> Partition:
    owner = {mention: number for number, members in enumerate(clusters.values()) for mention in members}
    return Partition(owner, list(map(len, clusters.values())))


def _tables(matched: Matched, counterparts: Counterparts) -> Lookups:
    """Return the overlaps of clusters by what mentions stand for, if there is room for all pairs of these."""
    gold, system = matched.gold, matched.system
    golds, systems = (list(clusters.values()) for clusters in matched.clusters or ({}, {}))
    holders: dict[Mention, list[int]] = {}
    for number, members in enumerate(systems):
        for mention in dict.fromkeys(members):
            holders.setdefault(mention, []).append(number)
    recall: Counter[tuple[int, int]] = Counter()
    membership: Counter[tuple[int, int]] = Counter()
    for number, members in enumerate(golds):
        for mention in members:
            if mention in counterparts.of_gold:
                recall[number, system.owner[counterparts.of_gold[mention]]] += 1
                every = {cluster for other in counterparts.all_of_gold[mention] for cluster in holders[other]}
                membership.update((number, cluster) for cluster in every)
                refuse_many(len(membership), gold.owner, system.owner)
    precision = Counter(
        (gold.owner[counterparts.of_system[mention]], number)
        for number, members in enumerate(systems)
        for mention in members
        if mention in counterparts.of_system
    )
    mentions = Tally(
        len(counterparts.of_gold), len(gold.owner), len(counterparts.of_system), len(system.owner)
    )
    tables = [_table(cells, gold, system) for cells in (recall, precision, membership)]
    return Lookups(tables[0], tables[1], tables[2], mentions)


def _table(cells: Mapping[tuple[int, int], int], gold: Partition, system: Partition) -> Contingency:
    return Contingency([(g, s, n) for (g, s), n in cells.items()], gold.sizes, system.sizes)
