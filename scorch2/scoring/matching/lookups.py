"""Mentions that are the same though not equal: in pairs, or looked up one by one, as other scorers do.

Pairs: by heads, parts or dependencies of zeros. Each step takes the mentions that the one before left: zeros
by dependency, equal mentions, then the rest. What comes out are partitions whose mentions compare by
equality: a system mention is called as its partner.

Looked up, one mention may stand for several, and be in several clusters of its side. Each of them keeps it,
and the last of them owns it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from scorch2.formats.table import FIRST_END, FIRST_MENTION, row_of
from scorch2.model.document import Discontinuous, Document, Mention, spans, with_only
from scorch2.model.errors import InputError, Notice, counted, quoted
from scorch2.model.markables import Markable, MentionKey, Word, as_written, zeros_in
from scorch2.model.options import Options
from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching import partners
from scorch2.scoring.matching.matched import (
    KEEP,
    KEEP_IN_EACH,
    ComparedPair,
    ComparedSide,
    Matched,
    repeat_notices,
)
from scorch2.scoring.matching.steps import looks_at_phrases

_Left: TypeAlias = tuple[Collection[Mention], Collection[Mention]]
"""The mentions of gold and of the system that have no partner yet."""
_Candidates = Callable[[Sequence[Markable], Sequence[Markable]], partners.Weights]
_REST: Mapping[str, _Candidates] = {
    "head": partners.head_candidates,
    "partial": partners.part_candidates,
    "craft": partners.craft_candidates,
}
_PairOfMentions: TypeAlias = tuple[Mention, Mention]
_FirstHeads: TypeAlias = dict[Mention, Word]
"""The head with which each mention was seen first, on either side."""
_UNPAIRED = "unpaired"
"""The first part of the key of a system mention that equals a gold mention, and is not paired with it."""


def compare_markables(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return both sides with mentions as they compare by what formats say, without zeros if asked for."""
    # The CorefUD scorer 1.1 tells mentions of gold by their heads in partial matching, too
    by_head = options.match == "head"
    gold_by_head = by_head or (options.match == "partial" and options.lookup == "nearest")
    first: _FirstHeads = {}
    gold = _with_markables(pair.gold, options, first if gold_by_head else None)
    system = _with_markables(pair.system, options, first if by_head else None)
    return pair._replace(gold=gold, system=system)


def _with_markables(side: ComparedSide, options: Options, first: _FirstHeads | None) -> ComparedSide:
    """Return a side with all that its format says about each mention; one without zeros has none to drop."""
    # Mentions of the same words and another head are two if there are `first` heads
    is_empty = not side.document.has_mentions
    is_plain = options.match in ("exact", "mina") and options.zeros != "dependency"  # mina is equality, too
    if side.document.markables is None and (is_plain or is_empty):
        return _without_zeros(side, None) if options.zeros == "drop" else side
    if not is_empty:
        _refuse_lacking(side.document, options.match, options.zeros)
    every = _markables(side)
    if options.zeros == "drop":
        side = _without_zeros(side, every)
        every = _markables(side)
    clusters = side.document.clusters
    if first is not None:
        clusters = {name: _keys(members, every[name], first) for name, members in clusters.items()}
    mentions = list(chain.from_iterable(clusters.values()))
    markables = list(chain.from_iterable([every[name] for name in clusters]))
    markable_of = dict(zip(reversed(mentions), reversed(markables), strict=True))  # first ones win
    return side._replace(document=side.document._replace(clusters=clusters), markable_of=markable_of)


def _markables(side: ComparedSide) -> Mapping[str, Sequence[Markable]]:
    return side.document.markables() if side.document.markables is not None else {}


def _without_zeros(side: ComparedSide, every: Mapping[str, Sequence[Markable]] | None) -> ComparedSide:
    """Return a side without zeros; where the format names no heads, a zero is a mention without a word."""
    clusters = side.document.clusters
    are_zeros = {
        name: list(map(_has_no_word, members)) if every is None else [one.is_zero for one in every[name]]
        for name, members in clusters.items()
    }
    if not any(map(any, are_zeros.values())):
        return side
    places = {name: [i for i, is_zero in enumerate(own) if not is_zero] for name, own in are_zeros.items()}
    documents = with_only(side.document, places), with_only(side.written, places)
    return ComparedSide(*documents, zeros_dropped={name: sum(own) for name, own in are_zeros.items()})


def has_zeros(document: Document) -> bool:
    """Return whether a mention is an empty node, as far as the format says it."""
    if document.markables is None:
        return any(map(_has_no_word, chain.from_iterable(document.clusters.values())))
    return any(one.is_zero for one in chain.from_iterable(document.markables().values()))


def _has_no_word(mention: Mention) -> bool:
    return isinstance(mention, Discontinuous) and not mention.nodes.runs


def _keys(members: Sequence[Mention], markables: Sequence[Markable], first: _FirstHeads) -> Sequence[Mention]:
    named = zip(members, [mention.head for mention in markables], strict=True)
    return [
        mention if first.setdefault(mention, head) == head else MentionKey(mention, (mention, head))
        for mention, head in named
    ]


def _refuse_lacking(document: Document, match: str, zeros_option: str) -> None:
    """Raise an InputError if the format of a document lacks what the options look at."""
    needs_heads = match == "head" or zeros_option == "dependency"
    if document.markables is None:
        lacking = "neither heads nor empty nodes"
    elif needs_heads and not row_of(document.format).heads:
        lacking = "neither heads nor dependencies"
    else:
        return
    by_match = match == "head" or (match != "exact" and zeros_option != "dependency")
    asked = f"--match={match}" if by_match else f"--zeros={zeros_option}"
    instead = "--match=exact" if by_match else "--zeros=place"
    raise document.error(f"{quoted(document.id)} has {lacking}, which {asked} needs (use {instead})")


class Pairs(NamedTuple):
    """The pairs of a gold and a system mention, by the step that made them."""

    zeros: Sequence[_PairOfMentions]
    equal: Sequence[_PairOfMentions]
    rest: Sequence[_PairOfMentions]
    by_groups: bool
    """Whether a choice between pairs that are as good could not be made as other scorers make it."""
    bare: tuple[int, int]  # how many zeros of either side have no dependency, where these are compared

    def partner(self) -> dict[Mention, Mention]:
        """Return the system mention of each gold mention that has one."""
        return dict([*self.zeros, *self.equal, *self.rest])

    def ways(self, match: str) -> dict[str, int]:
        """Return the number of pairs by what made them."""
        by_way = {"equal": self.equal, f"by match={match}": self.rest, "by zeros=dependency": self.zeros}
        return {way: len(pairs) for way, pairs in by_way.items() if pairs}

    def notices(self, ident: str) -> tuple[Notice, ...]:
        """Return a warning about a choice that other scorers may make otherwise."""
        notices = []
        if self.by_groups:
            why = "several choices of pairs are best, and the document is too large to choose as others do"
            notices.append(Notice("ties", ident, why))
        if any(self.bare):
            which = of_sides(self.bare, "zero")
            notices.append(Notice("zeros", ident, f"{which} without DEPS can have no partner by dependency"))
        return tuple(notices)


def of_sides(numbers: Sequence[int], what: str) -> str:
    """Return the number of things of gold and of the system, without a side that has none.

    >>> of_sides([1, 2], "zero"), of_sides([0, 1], "zero")
    ('1 zero of gold and 2 zeros of the system', '1 zero of the system')
    """
    sides = zip(numbers, ("gold", "the system"), strict=True)
    return " and ".join(f"{counted(number, what)} of {side}" for number, side in sides if number)


def find_pairs(matched: Matched, options: Options) -> Pairs:
    """Return the pairs of the mentions of two partitions."""
    left: _Left = matched.gold.owner, matched.system.owner
    gold, system = matched.pair.gold.markable_of, matched.pair.system.markable_of
    of_zeros: Sequence[_PairOfMentions] = ()
    rest: Sequence[_PairOfMentions] = ()
    bare, by_groups = (0, 0), [False, False]
    if options.zeros == "dependency":
        zeros = zeros_in(left[0], gold), zeros_in(left[1], system)
        bare = sum(not gold[one].edges for one in zeros[0]), sum(not system[one].edges for one in zeros[1])
        of_zeros, by_groups[0] = _best(partners.zero_candidates, matched, zeros)
        left = _without(left, of_zeros)
    equal = [(mention, mention) for mention in left[1] if mention in left[0]]
    if options.match in _REST:
        rest, by_groups[1] = _best(_REST[options.match], matched, _without(left, equal))
    return Pairs(of_zeros, equal, rest, any(by_groups), bare)


def _best(candidates: _Candidates, matched: Matched, left: _Left) -> tuple[Sequence[_PairOfMentions], bool]:
    """Return the best pairs of the mentions that are left of both sides, and whether groups decided."""
    markables = matched.pair.gold.markable_of, matched.pair.system.markable_of
    (golds, here), (systems, there) = map(_in_order, left, markables)
    try:
        weights = candidates(here, there)
    except partners.TooManyPairsError:
        raise too_many_pairs(matched.pair.gold.document) from None
    best = partners.best_pairs(weights, len(golds), len(systems))
    return [(golds[row], systems[column]) for row, column in best.pairs], best.by_groups


def _in_order(
    mentions: Collection[Mention], markable_of: Mapping[Mention, Markable]
) -> tuple[list[Mention], list[Markable]]:
    ordered = sorted(mentions, key=lambda mention: markable_of[mention].place)
    return ordered, [markable_of[mention] for mention in ordered]


def _without(left: _Left, pairs: Sequence[_PairOfMentions]) -> _Left:
    """Return the mentions that are left of both sides, without those of some pairs."""
    if not pairs:
        return left
    golds, systems = dict(pairs), {other for _, other in pairs}
    return (
        dict.fromkeys([mention for mention in left[0] if mention not in golds]),
        dict.fromkeys([mention for mention in left[1] if mention not in systems]),
    )


def too_many_pairs(document: Document) -> InputError:
    """Return the error about a document whose mentions are too many to choose pairs."""
    why = f"too many pairs of mentions of {quoted(document.id)} could be partners"
    return document.error(f"{why} (use --match=exact and --zeros=place)")


def partner_names(
    gold: Partition, system: Partition, partner: Mapping[Mention, Mention]
) -> Mapping[Mention, Mention]:
    """Return what each system mention is called: as its partner, or as no gold mention is."""
    names = {other: mention for mention, other in partner.items()}
    for mention in system.owner:
        if mention not in names:
            is_taken = mention in gold.owner
            names[mention] = MentionKey(as_written(mention), (_UNPAIRED, mention)) if is_taken else mention
    return names


def match_pairs(matched: Matched, options: Options) -> Matched:
    """Pair mentions that may be the same though they are not equal; those of the system get new names."""
    gold, system = matched.gold, matched.system
    pairs = find_pairs(matched, options)
    partner = pairs.partner()
    names = partner_names(gold, system, partner)
    renamed = {names[mention]: number for mention, number in system.owner.items()}
    return partners.rename_antecedents(matched, names)._replace(
        system=Partition(renamed, system.sizes),
        notices=(*matched.notices, *pairs.notices(matched.pair.id)),
        counterpart=partner,
        original_of={name: mention for mention, name in names.items() if name is not mention},
        ways=pairs.ways(options.match),
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
        return _zeros_of_sets(pair, options)
    most = "no mention" if least == 1 else "at most one mention"
    why = f"{of_sides(numbers, 'cluster')} left out, with {most} besides zeros"
    peer = "the Universal Anaphora scorer 2.0 keeps such clusters, or ends with an error"
    return [Notice("lookup", pair.id, f"{why} ({peer})")]


def _zeros_of_sets(pair: ComparedPair, options: Options) -> Sequence[Notice]:
    """Return a warning about zeros in parts of split antecedents, which that scorer keeps."""
    if options.split_antecedents != "keep":
        return ()
    numbers = []
    for side in (pair.gold, pair.system):
        relations = side.written.relations if side.written is not None else None
        parts = {*chain.from_iterable(relations().sets.values())} if relations is not None else set[str]()
        numbers.append(sum(side.zeros_dropped.get(name, 0) for name in parts))
    if not any(numbers):
        return ()
    why = f"{of_sides(numbers, 'zero')} left out, in entities that are parts of split antecedents"
    return [Notice("lookup", pair.id, f"{why} (the Universal Anaphora scorer 2.0 keeps such zeros)")]


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
    candidates = partners.head_candidates if match == "head" else partners.part_candidates
    try:
        pairs = sorted(candidates(left, right))
    except partners.TooManyPairsError:
        raise too_many_pairs(matched.pair.gold.document) from None
    words = partners.words_of(left, right, pairs)
    sizes, others = ({number: nodes.size for number, nodes in side.items()} for side in words)
    by_gold: dict[int, list[_Distance]] = defaultdict(list)
    by_system: dict[int, list[_Distance]] = defaultdict(list)
    for (row, column), shared in zip(pairs, partners.shared_words(*words, pairs), strict=True):
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
    return pair.read_as(*map(_in_order_of_coval, pair.documents))


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
        pair = partners.with_antecedents(pair)
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
        {name: partners.without_split_antecedents(members) for name, members in clusters.items()}
        for clusters in (gold, system)
    )
    return partners.take_apart(owned)._replace(clusters=(gold, system))


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
        equal = (mention for mention in gold.owner if mention in system.owner)  # comes first
        counterpart |= {mention: mention for mention in equal}
    try:
        tables = _tables(matched, counterparts)
    except partners.TooManyPairsError:
        why = f"too many pairs of clusters of {quoted(matched.pair.id)} share a mention"
        how = f"for --lookup={options.lookup} (use --lookup=pairs)"
        raise matched.pair.gold.written.error(f"{why} {how}") from None
    names = partner_names(gold, system, counterparts.of_gold) if matched.sets else {}
    return partners.rename_antecedents(matched, names)._replace(
        notices=tuple(notices), tables=tables, counterpart=counterpart, ways=counterparts.ways
    )


def _place(
    name: str, members: Sequence[Mention], markable_of: Mapping[Mention, Markable]
) -> tuple[object, ...]:
    """Return what entities are sorted by: their first mention, and then their name."""
    places = [markable_of[mention].place for mention in partners.without_split_antecedents(members)]
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
                for cluster in every:
                    membership[number, cluster] += 1
                partners.refuse_many(len(membership), gold.owner, system.owner)
    precision = Counter(
        (gold.owner[counterparts.of_system[mention]], number)
        for number, members in enumerate(systems)
        for mention in members
        if mention in counterparts.of_system
    )
    found = len(counterparts.of_gold), len(counterparts.of_system)
    mentions = Tally(found[0], len(gold.owner), found[1], len(system.owner))
    by_gold, by_system, by_holders = (
        Contingency([(g, s, n) for (g, s), n in cells.items()], gold.sizes, system.sizes)
        for cells in (recall, precision, membership)
    )
    return Lookups(by_gold, by_system, by_holders, mentions)
