"""Mentions that are looked up one by one instead of paired, as other scorers do: one may stand for several.

A mention may be in several clusters of its side. Each of them keeps it, and the last of them owns it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError, Notice
from scorch2.model.markables import Markable
from scorch2.model.messages import counted, quoted
from scorch2.model.options import Options
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching import antecedents, duplicates, kinds, nearest, partners
from scorch2.scoring.matching.antecedents import Sides
from scorch2.scoring.matching.best_pairs import TooManyPairsError, refuse_many
from scorch2.scoring.matching.chains import Chains
from scorch2.scoring.matching.partners import Keyed

_REPEATS_COUNT = frozenset({"conll", "ua"})
"""Formats whose scorers count a mention as often as its cluster has it."""


class LookedUp(NamedTuple):
    """A pair of documents whose mentions were looked up."""

    gold: Partition
    system: Partition
    """Cluster sizes count a mention in each of its clusters, the owner is the last of them."""
    chains: Chains
    tables: Lookups
    notices: Sequence[Notice]
    sets: Sides | None
    """The split antecedents, if they are scored."""
    ways: Mapping[str, int]
    """The number of pairs by what made them."""


class Counterparts(NamedTuple):
    """The mentions of the other side that mentions stand for."""

    of_gold: Mapping[Mention, Mention]
    of_system: Mapping[Mention, Mention]
    all_of_gold: Mapping[Mention, Collection[Mention]]
    """Every system mention that a gold mention could stand for."""


def looked_up(
    ident: str, written: tuple[Document, Document], sides: tuple[Document, Document], options: Options
) -> LookedUp:
    """Look up the mentions of both sides of the document `ident`.

    Parameters
    ----------
    ident : str
        The name of the document, for messages.
    written : tuple of Document
        Gold and system as they were read.
    sides : tuple of Document
        Both with mentions that compare by equality.
    options : Options
        How mentions match, and what is left out.
    """
    keyed = _keyed(sides, options)
    documents = keyed[0].document, keyed[1].document
    by_sets = options.split_antecedents != "drop"
    if by_sets:
        keyed = list(map(partners.with_sets, keyed))
    notices = list(chain.from_iterable(_repeats(ident, side) for side in keyed))
    every = [_clusters(side, options.singletons, is_set=by_sets) for side in keyed]
    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    gold, system = every
    left, right, sets = _partition(gold), _partition(system), Sides((), ())
    if by_sets:
        left, right, sets = antecedents.apart(left, right)
        gold, system = ([antecedents.mentions(one) for one in side] for side in every)
    if not (keyed[0].markable_of or keyed[1].markable_of):
        kinds.refuse_mixed(written[0], left, written[1], right)
    ways: Mapping[str, int] = {}
    if options.lookup == "nearest":
        found = _nearest(keyed, left, right, options.match)
    else:
        pairs = partners.paired(keyed, left, right, options)
        notices += [*pairs.notices(ident), *_mixed_up(ident, pairs)]
        notices += [*_without_zeros(ident, sides, keyed, options), *_of_blanc(sets, options)]
        found = _images(pairs, left, right)
        ways = pairs.ways(options.match)
    counterpart = found.of_gold
    if options.lookup == "reference":  # here a mention that is equal comes first
        counterpart = {**found.of_gold, **{one: one for one in left.owner if one in right.owner}}
    chains = Chains(gold, system, counterpart, documents, (keyed[0].markable_of, keyed[1].markable_of))
    try:
        tables = _tables(chains, found, (left, right))
    except TooManyPairsError:
        raise _too_many_pairs(ident, written[0].path, options.lookup) from None
    if by_sets:
        sets = antecedents.renamed(sets, partners.names(left, right, found.of_gold))
    return LookedUp(left, right, chains, tables, notices, sets if by_sets else None, ways)


def _keyed(sides: tuple[Document, Document], options: Options) -> list[Keyed]:
    """Return both sides with mentions that compare as the options of matching ask.

    The CorefUD scorer 1.1 tells mentions of gold by their heads in partial matching, too.
    """
    is_head, is_partial = options.match == "head", options.match == "partial"
    by_head = is_head or (is_partial and options.lookup == "nearest"), is_head
    heads: partners.Heads = {}
    return [
        partners.keyed(side, options.match, options.zeros, heads if is_by_head else None)
        for side, is_by_head in zip(sides, by_head, strict=True)
    ]


def _repeats(ident: str, side: Keyed) -> Sequence[Notice]:
    policy = duplicates.KEEP if side.document.format in _REPEATS_COUNT else duplicates.IN_EACH
    return duplicates.resolve(ident, side.document, policy, side.written)[1]


def _clusters(side: Keyed, singletons: str, *, is_set: bool) -> list[Sequence[Mention]]:
    """Return the clusters that count, in the order in which the last one that holds a mention owns it."""
    every = side.document.clusters
    is_set = is_set or side.document.format not in _REPEATS_COUNT
    if is_set and len(set(chain.from_iterable(every.values()))) < sum(map(len, every.values())):
        every = {name: list(dict.fromkeys(members)) for name, members in every.items()}
    least = 1 if singletons == "keep" else 2
    kept = {name: members for name, members in every.items() if len(members) >= least}
    repeats = len(set(chain.from_iterable(kept.values()))) < sum(map(len, kept.values()))
    if side.document.format == "corefud" and side.markable_of and repeats:
        order = sorted(kept, key=lambda name: _place(name, kept[name], side.markable_of))
        return [kept[name] for name in order]
    return list(kept.values())


def as_closed(document: Document) -> Document:
    """Return a document with its clusters in the order of coval, whatever mentions are left out later."""
    if document.format != "conll":
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
    places = [markable_of[one].place for one in antecedents.mentions(members)]
    return (*min((first, -size, last) for first, last, size in places), name)


def _partition(clusters: Sequence[Sequence[Mention]]) -> Partition:
    owner = {mention: number for number, members in enumerate(clusters) for mention in members}
    return Partition(owner, list(map(len, clusters)))


def _images(pairs: partners.Pairs, gold: Partition, system: Partition) -> Counterparts:
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


def _mixed_up(ident: str, pairs: partners.Pairs) -> Sequence[Notice]:
    """Return a warning if scores are not those of the pairs."""
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    number = len({one for one, _ in unequal} & {other for _, other in unequal})
    if not number:
        return ()
    where = f"at {counted(number, 'place')} both sides have a mention, each with a partner elsewhere"
    why = "lookup=reference mixes them up as the CorefUD scorer does; lookup=pairs counts each pair once"
    return [Notice("lookup", ident, f"{where}: {why}")]


def _without_zeros(
    ident: str, sides: Sequence[Document], keyed: Sequence[Keyed], options: Options
) -> Sequence[Notice]:
    """Return a warning about entities that the Universal Anaphora scorer keeps, which drops zeros last."""
    least = 1 if options.singletons == "keep" else 2
    numbers = [0, 0]
    for number, (side, left) in enumerate(zip(sides, keyed, strict=True)):
        for name, members in left.document.clusters.items() if options.zeros == "drop" else ():
            zeros = len(side.clusters[name]) - len(antecedents.mentions(members))
            numbers[number] += len(members) < least <= len(members) + zeros
    if not any(numbers):
        return ()
    most = "no mention" if least == 1 else "at most one mention"
    why = f"{partners.of_sides(numbers, 'cluster')} left out, with {most} besides zeros"
    peer = "the Universal Anaphora scorer 2.0 keeps such clusters, or ends with an error"
    return [Notice("lookup", ident, f"{why} ({peer})")]


def _of_blanc(sets: Sides, options: Options) -> Sequence[Notice]:
    """Return one warning for all documents: other scorers count links of split antecedents wrongly."""
    metrics = [name.lower() for name in options.metrics or ("blanc",)]
    if options.split_antecedents != "keep" or "blanc" not in metrics or not (sets.gold and sets.system):
        return ()
    why = "a link of a split antecedent is worth what both its ends are worth"
    peer = "in the Universal Anaphora scorers it depends on the order of mentions"
    return [Notice("lookup", "", f"blanc: {why}; {peer} (in version 1.0 also for lea)")]


def _nearest(sides: Sequence[Keyed], gold: Partition, system: Partition, match: str) -> Counterparts:
    """Return what mentions stand for if each finds the nearest that matches it."""
    golds, systems = list(gold.owner), list(system.owner)
    if match == "exact":
        of_gold = {one: one for one in golds if one in system.owner}
        return Counterparts(of_gold, of_gold, {one: (one,) for one in of_gold})
    left, right = [sides[0].markable_of[one] for one in golds], [sides[1].markable_of[one] for one in systems]
    try:
        found = nearest.matching(left, right, match)
    except TooManyPairsError:
        raise partners.too_many_pairs(sides[0].document) from None
    by_gold: dict[int, list[tuple[int, float]]] = defaultdict(list)
    by_system: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for row, column, distance in found:
        by_gold[row].append((column, distance))
        by_system[column].append((row, distance))
    return Counterparts(
        {golds[row]: systems[nearest.nearest(right, near)] for row, near in by_gold.items()},
        {systems[column]: golds[nearest.nearest(left, near)] for column, near in by_system.items()},
        {golds[row]: [systems[column] for column, _ in near] for row, near in by_gold.items()},
    )


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
