"""The metrics written down a second time: slow, plain, in exact fractions, straight from the definitions.

No code is shared with scorch2. Links are sets of pairs, credit is given mention by mention, an alignment is
the best of all there are, and the changes of Cai & Strube are made on the sets themselves. What several
metrics ask of a pair is remembered.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, permutations
from math import lcm
from operator import getitem
from typing import NamedTuple, TypeAlias

Cluster: TypeAlias = frozenset[Hashable]
Clusters: TypeAlias = tuple[Cluster, ...]
Link: TypeAlias = frozenset[Hashable]
Share: TypeAlias = tuple[int, int]
"""Of how many; a fraction that is not made yet."""
Similarity: TypeAlias = Callable[[Cluster, Cluster], Share]
Side: TypeAlias = Callable[[Clusters, Clusters], tuple[Fraction, Fraction]]
"""Recall of clusters against others, or precision with the sides swapped: numerator and denominator."""


class Counts(NamedTuple):
    """Both ratios, not reduced."""

    recall_num: Fraction
    recall_den: Fraction
    precision_num: Fraction
    precision_den: Fraction


class Exact(NamedTuple):
    """The counts of a metric, by part, and its scores; None stands for 0/0."""

    parts: Mapping[str, Counts]
    recall: Fraction | None
    precision: Fraction | None
    f1: Fraction | None


def ratio(numerator: Fraction, denominator: Fraction) -> Fraction | None:
    if not denominator:
        return None
    return part(numerator.numerator * denominator.denominator, numerator.denominator * denominator.numerator)


def harmonic(recall: Fraction | None, precision: Fraction | None) -> Fraction | None:
    if recall is None and precision is None:
        return None
    if not recall or not precision:
        return Fraction(0)
    found, wanted = recall.numerator, recall.denominator
    right, given = precision.numerator, precision.denominator
    return part(2 * found * right, found * given + right * wanted)


def mean(values: Sequence[Fraction | None]) -> Fraction | None:
    """0/0 counts 0; the mean is undefined only if every value is."""
    if all(value is None for value in values):
        return None
    known = [value for value in values if value]
    common = lcm(*(value.denominator for value in known))
    return part(sum(value.numerator * (common // value.denominator) for value in known), common * len(values))


def finished(counts: Counts) -> Exact:
    recall = ratio(counts.recall_num, counts.recall_den)
    precision = ratio(counts.precision_num, counts.precision_den)
    return Exact({"": counts}, recall, precision, harmonic(recall, precision))


def both_sides(gold: Clusters, system: Clusters, recall: Side) -> Exact:
    """Precision is recall with the sides swapped."""
    return finished(Counts(*recall(gold, system), *recall(system, gold)))


@lru_cache
def mentions_of(clusters: Clusters) -> Cluster:
    return frozenset(mention for cluster in clusters for mention in cluster)


@lru_cache
def home(clusters: Clusters) -> Mapping[Hashable, Cluster]:
    return {mention: cluster for cluster in clusters for mention in cluster}


@lru_cache(1024)
def pairs_of(mentions: Cluster) -> frozenset[Link]:
    return frozenset(map(frozenset, combinations(mentions, 2)))


@lru_cache
def coreferent(clusters: Clusters) -> frozenset[Link]:
    return frozenset(link for cluster in clusters for link in pairs_of(cluster))


def total(values: Iterable[Share]) -> Fraction:
    """Return the sum over a common denominator: one fraction is made, not one for each term."""
    shares = list(values)
    common = lcm(*(whole for _, whole in shares))
    return part(sum(of * (common // whole) for of, whole in shares), common)


@cache
def part(of: int, whole: int = 1) -> Fraction:
    """Return a fraction; the same ones are asked for again and again, and to make one is slow."""
    return Fraction(of, whole)


def muc(gold: Clusters, system: Clusters) -> Exact:
    return both_sides(gold, system, _links_kept)


def _links_kept(gold: Clusters, system: Clusters) -> tuple[Fraction, Fraction]:
    kept = needed = 0
    for cluster in gold:
        pieces = [cluster & other for other in system if cluster & other]
        pieces += [frozenset([mention]) for mention in cluster - mentions_of(system)]
        kept += len(cluster) - len(pieces)
        needed += len(cluster) - 1
    return part(kept), part(needed)


def b_cubed(gold: Clusters, system: Clusters) -> Exact:
    return both_sides(gold, system, _credit)


def _credit(gold: Clusters, system: Clusters) -> tuple[Fraction, Fraction]:
    mine, theirs = home(gold), home(system)
    shares = (
        (len(cluster & theirs[mention]), len(cluster))
        for mention, cluster in mine.items()
        if mention in theirs
    )
    return total(shares), part(len(mine))


def b_cubed_e2e(gold: Clusters, system: Clusters) -> Exact:
    """The rule of metrics.py: clusters of one mention are passed over, and lend no credit to the others."""
    return both_sides(gold, system, _credit_of_linked)


def _credit_of_linked(gold: Clusters, system: Clusters) -> tuple[Fraction, Fraction]:
    counted = [cluster for cluster in gold if len(cluster) > 1]
    lenders = [cluster for cluster in system if len(cluster) > 1]
    shares = ((len(one & other) ** 2, len(one)) for one in counted for other in lenders)
    return total(shares), part(sum(map(len, counted)))


def ceaf_e_e2e(gold: Clusters, system: Clusters) -> Exact:
    """The rule of metrics.py: only the system loses its clusters of one mention."""
    return ceaf_e(gold, tuple(cluster for cluster in system if len(cluster) > 1))


def shared_mentions(one: Cluster, other: Cluster) -> Share:
    """φ₃ of Luo (2005)."""
    return len(one & other), 1


def dice(one: Cluster, other: Cluster) -> Share:
    """φ₄ of Luo (2005)."""
    return 2 * len(one & other), len(one) + len(other)


def ceaf_m(gold: Clusters, system: Clusters) -> Exact:
    return _ceaf(gold, system, shared_mentions)


def ceaf_e(gold: Clusters, system: Clusters) -> Exact:
    return _ceaf(gold, system, dice)


def _ceaf(gold: Clusters, system: Clusters, similarity: Similarity) -> Exact:
    best = aligned(gold, system, similarity)
    return finished(Counts(best, _with_itself(gold, similarity), best, _with_itself(system, similarity)))


def _with_itself(clusters: Clusters, similarity: Similarity) -> Fraction:
    return total(similarity(cluster, cluster) for cluster in clusters)


def aligned(gold: Clusters, system: Clusters, similarity: Similarity) -> Fraction:
    shares = [[similarity(one, other) for other in system] for one in gold]
    common = lcm(*{whole for row in shares for _, whole in row})
    best = best_alignment([[of * (common // whole) for of, whole in row] for row in shares])
    return part(best.numerator, common)


def best_alignment(weights: Sequence[Sequence[Fraction | int]]) -> Fraction:
    """Return the maximum over all one-to-one alignments, row by row over the sets of taken columns.

    Of two ways to take the same columns only the better one goes on; a column that no later row wants is
    forgotten. Aligning for nothing is the same as not aligning.
    """
    scale = lcm(*{weight.denominator for row in weights for weight in row})
    choices = [
        [
            (1 << column, weight.numerator * (scale // weight.denominator))
            for column, weight in enumerate(row)
            if weight
        ]
        for row in weights
    ]
    best = {0: 0}
    for number, row in enumerate(choices):
        wanted = sum({bit for later in choices[number + 1 :] for bit, _ in later})
        reached: dict[int, int] = {}
        for taken, value in best.items():
            for bit, weight in [(0, 0), *row]:
                if not taken & bit:
                    after = (taken | bit) & wanted
                    reached[after] = max(reached.get(after, 0), value + weight)
        best = reached
    return part(max(best.values()), scale)


def entity_alignment(gold: Clusters, system: Clusters, *, weighted: bool = False) -> list[int | None]:
    """Return the column of each row where most mentions are shared, and of these the sum of F1 is largest."""

    scale = lcm(*{len(one) + len(other) for one in gold for other in system})
    choices = [
        [
            (column, shared, 2 * shared * (scale // (len(one) + len(other))) * (len(one) if weighted else 1))
            for column, other in enumerate(system)
            if (shared := len(one & other))
        ]
        for one in gold
    ]

    @cache
    def most(row: int, taken: int) -> tuple[int, int, tuple[int | None, ...]]:
        """Return the mentions shared, the sum of F1 times `scale`, and the columns of this and later rows."""
        if row == len(gold):
            return 0, 0, ()
        total, value, rest = most(row + 1, taken)
        found = [(total, value, (None, *rest))]
        for column, shared, own in choices[row]:
            if not taken >> column & 1:
                total, value, rest = most(row + 1, taken | 1 << column)
                found.append((total + shared, value + own, (column, *rest)))
        return max(found, key=lambda one: one[:2])

    return list(most(0, 0)[2])


def entity_f1(gold: Clusters, system: Clusters) -> Exact:
    return _mean_of_entities(_f1_of_entities(gold, system), [1 for _ in gold])


def entity_f1_weighted(gold: Clusters, system: Clusters) -> Exact:
    values = _f1_of_entities(gold, system, weighted=True)
    return _mean_of_entities(values, [len(cluster) for cluster in gold])


def _f1_of_entities(gold: Clusters, system: Clusters, *, weighted: bool = False) -> list[Fraction]:
    """Return F1 of each entity: of its mentions, and those of the system entity that it is aligned with."""
    columns = entity_alignment(gold, system, weighted=weighted)
    found = []
    for one, column in zip(gold, columns, strict=True):
        other = frozenset() if column is None else system[column]
        recall = Fraction(len(one & other), len(one))
        precision = Fraction(len(one & other), len(other)) if other else Fraction(0)
        found.append(harmonic(recall, precision) or Fraction(0))
    return found


def _mean_of_entities(values: Sequence[Fraction], weights: Sequence[int]) -> Exact:
    total_weight = Fraction(sum(weights))
    weighed = sum((value * weight for value, weight in zip(values, weights, strict=True)), Fraction(0))
    counts = Counts(weighed, total_weight, Fraction(0), Fraction(0))
    return Exact({"": counts}, None, None, ratio(weighed, total_weight))


def best_by_enumeration(weights: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the same by trying every permutation of a square filled up with zeros: only for tiny tables."""
    size = max([len(weights), *map(len, weights)])
    square = [[*row, *[Fraction(0)] * (size - len(row))] for row in weights]
    scale = lcm(*(weight.denominator for row in square for weight in row))
    whole = [[int(weight * scale) for weight in row] for row in square]
    orders = permutations(range(size))
    return Fraction(max(sum(map(getitem, whole, order)) for order in orders), scale)


def lea(gold: Clusters, system: Clusters) -> Exact:
    return both_sides(gold, system, _resolved)


def _resolved(gold: Clusters, system: Clusters) -> tuple[Fraction, Fraction]:
    found = {link for cluster in system for link in _lea_links(cluster)}
    resolution = (
        (len(cluster) * len(_lea_links(cluster) & found), len(_lea_links(cluster))) for cluster in gold
    )
    return total(resolution), part(len(mentions_of(gold)))


def _lea_links(cluster: Cluster) -> frozenset[Link]:
    """A singleton has one link, to itself."""
    return pairs_of(cluster) if len(cluster) > 1 else frozenset([cluster])


def _common(gold: Cluster, system: Cluster) -> Counts:
    right = part(len(gold & system))
    return Counts(right, part(len(gold)), right, part(len(system)))


def lea_e2e(gold: Clusters, system: Clusters) -> Exact:
    """The rule of metrics.py: clusters of one mention are passed over."""
    return both_sides(gold, system, lambda one, other: _resolved(tuple(c for c in one if len(c) > 1), other))


def pairwise(gold: Clusters, system: Clusters) -> Exact:
    return finished(_common(coreferent(gold), coreferent(system)))


def mentions(gold: Clusters, system: Clusters) -> Exact:
    return finished(_common(mentions_of(gold), mentions_of(system)))


@lru_cache
def blanc(gold: Clusters, system: Clusters) -> Exact:
    """Recasens & Hovy (2011): a kind of link that gold lacks is left out."""
    parts = _blanc_parts(gold, system)
    kinds = [finished(parts[kind]) for kind in ("coref", "noncoref") if parts[kind].recall_den]
    if kinds:
        return Exact(parts, *(mean(values) for values in zip(*(kind[1:] for kind in kinds), strict=True)))
    if not mentions_of(gold) and not mentions_of(system):
        return Exact(parts, None, None, None)
    one = Fraction(len(mentions_of(gold)) == 1 and mentions_of(gold) == mentions_of(system))
    return Exact(parts, one, one, one)


def blanc_reference(gold: Clusters, system: Clusters) -> Exact:
    """The reference scorer's rule: 0 where gold has no link."""
    exact = blanc(gold, system)
    if len(mentions_of(gold)) > 1 or exact.f1 is None:
        return exact
    return Exact(exact.parts, Fraction(0), Fraction(0), Fraction(0))


def blanc_both(gold: Clusters, system: Clusters) -> Exact:
    """The CorefUD scorer's rule: a kind of link is left out only if neither side has one."""
    parts = _blanc_parts(gold, system)
    there = [parts[kind] for kind in ("coref", "noncoref")]
    kinds = [finished(part) for part in there if part.recall_den or part.precision_den]
    if not kinds:
        return Exact(parts, None, None, None)
    return Exact(parts, *(mean(values) for values in zip(*(kind[1:] for kind in kinds), strict=True)))


@lru_cache
def _blanc_parts(gold: Clusters, system: Clusters) -> Mapping[str, Counts]:
    gold_links, system_links = coreferent(gold), coreferent(system)
    return {
        "coref": _common(gold_links, system_links),
        "noncoref": _common(
            pairs_of(mentions_of(gold)) - gold_links, pairs_of(mentions_of(system)) - system_links
        ),
        "mentions": _common(mentions_of(gold), mentions_of(system)),
    }


def b_cubed_sys(gold: Clusters, system: Clusters) -> Exact:
    return _after_changes(gold, system, _credit)


def ceaf_m_sys(gold: Clusters, system: Clusters) -> Exact:
    return _after_changes(gold, system, partial(_aligned_of, shared_mentions))


def ceaf_e_sys(gold: Clusters, system: Clusters) -> Exact:
    return _after_changes(gold, system, partial(_aligned_of, dice))


def _aligned_of(similarity: Similarity, gold: Clusters, system: Clusters) -> tuple[Fraction, Fraction]:
    return aligned(gold, system, similarity), _with_itself(gold, similarity)


def _after_changes(gold: Clusters, system: Clusters, recall: Side) -> Exact:
    """Cai & Strube (2010) change the sets in one way for recall and in another for precision."""
    changed = _changed_for_precision(gold, system)
    return finished(Counts(*recall(*_changed_for_recall(gold, system)), *recall(*reversed(changed))))


@lru_cache
def _changed_for_recall(gold: Clusters, system: Clusters) -> tuple[Clusters, Clusters]:
    known = mentions_of(gold)
    return gold, (*(cluster & known for cluster in system if cluster & known), *_missed(gold, system))


@lru_cache
def _changed_for_precision(gold: Clusters, system: Clusters) -> tuple[Clusters, Clusters]:
    known = mentions_of(gold)
    kept = [cluster for cluster in system if len(cluster) > 1 or cluster & known]
    spurious = [frozenset([mention]) for cluster in kept for mention in cluster - known]
    return (*gold, *spurious), (*kept, *_missed(gold, system))


def _missed(gold: Clusters, system: Clusters) -> list[Cluster]:
    return [frozenset([mention]) for mention in mentions_of(gold) - mentions_of(system)]


MODELS: Mapping[str, Callable[[Clusters, Clusters], Exact]] = {
    "muc": muc,
    "b_cubed": b_cubed,
    "ceaf_m": ceaf_m,
    "ceaf_e": ceaf_e,
    "blanc": blanc,
    "blanc_reference": blanc_reference,
    "blanc_both": blanc_both,
    "lea": lea,
    "b_cubed_e2e": b_cubed_e2e,
    "ceaf_e_e2e": ceaf_e_e2e,
    "lea_e2e": lea_e2e,
    "pairwise": pairwise,
    "mentions": mentions,
    "b_cubed_sys": b_cubed_sys,
    "ceaf_m_sys": ceaf_m_sys,
    "ceaf_e_sys": ceaf_e_sys,
    "entity_f1": entity_f1,
    "entity_f1_weighted": entity_f1_weighted,
}


def conll(scores: Mapping[str, Exact]) -> Fraction | None:
    """Return the mean of those that are defined; None if none is."""
    f1s = [scores[name].f1 for name in ("muc", "b_cubed", "ceaf_e")]
    defined = [f1 for f1 in f1s if f1 is not None]
    return mean(defined) if defined else None
