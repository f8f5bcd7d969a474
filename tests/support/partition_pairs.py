"""Pairs of partitions for property tests: drawn by hypothesis, written as words, changed by one step."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Clusters: TypeAlias = tuple[frozenset[Hashable], ...]
Pair: TypeAlias = tuple[Clusters, Clusters]

Labels: TypeAlias = Sequence[int | None]
PLACED: Labels = [0, 1, 2, 3, 4]
"""The cluster of a mention."""
MAYBE: Labels = [0, 0, 1, 1, 2, 2, 3, 4, None]
"""Or None: it is not found."""


def mentions_of(clusters: Clusters) -> frozenset[Hashable]:
    return frozenset().union(*clusters)


def pair_of(text: str) -> Pair:
    """``ab c | abc``: gold | system, a word a cluster, a letter a mention."""
    gold, system = text.split("|")
    return tuple(map(frozenset, gold.split())), tuple(map(frozenset, system.split()))


def text_of(gold: Clusters, system: Clusters) -> str:
    """Return a pair as `pair_of` takes it; mentions without a letter of their own are written out."""

    def word(cluster: frozenset[Hashable]) -> str:
        return "".join(sorted(chr(97 + m) if isinstance(m, int) and m < 26 else f"<{m}>" for m in cluster))

    return " | ".join(" ".join(map(word, clusters)) for clusters in (gold, system)).strip()


def drawn(gold: Labels, system: Labels, most: int = 8) -> SearchStrategy[Pair]:
    """Draw a byte for each mention, which is many times faster than to draw both of its labels."""
    both = list(product(gold, system))

    def pair(mentions: bytes) -> Pair:
        labels = [both[byte % len(both)] for byte in mentions]
        return _clusters([label for label, _ in labels]), _clusters([label for _, label in labels])

    return st.binary(max_size=most).map(pair)


def _clusters(labels: Labels) -> Clusters:
    clusters: dict[int, list[Hashable]] = {}
    for mention, label in enumerate(labels):
        if label is not None:
            clusters.setdefault(label, []).append(mention)
    return tuple(map(frozenset, clusters.values()))


def _apart(pair: Pair) -> Pair:
    return pair[0], tuple(frozenset({mention}) for mention in mentions_of(pair[1]))


def _in_one(pair: Pair) -> Pair:
    everything = mentions_of(pair[0] + pair[1])
    return pair[0], (everything,) if everything else ()


ANY = drawn(MAYBE, MAYBE)
LONGER = drawn(MAYBE, MAYBE, most=40)
SAME_MENTIONS = drawn(PLACED, PLACED)
IDENTICAL = ANY.map(lambda pair: (pair[0], pair[0])).filter(any)
DISJOINT = ANY.map(lambda pair: (pair[0], elsewhere(pair[1])))
ALL_IN_ONE = ANY.map(_in_one)
SINGLETONS_OF_GOLD = drawn(PLACED, MAYBE).map(_apart).filter(lambda pair: bool(pair[1]))


def elsewhere(clusters: Clusters) -> Clusters:
    """The same clusters in another text."""
    return tuple(frozenset(("elsewhere", mention) for mention in cluster) for cluster in clusters)


def disguised(pair: Pair, random: Random) -> Pair:
    """The same clusters in another order and with other names."""
    mentions = sorted(mentions_of(pair[0] + pair[1]), key=str)
    names = dict(zip(mentions, random.sample(range(1000), len(mentions)), strict=True))
    gold, system = (random.sample(clusters, len(clusters)) for clusters in pair)
    return _renamed(gold, names), _renamed(system, names)


def _renamed(clusters: Sequence[frozenset[Hashable]], names: Mapping[Hashable, Hashable]) -> Clusters:
    return tuple(frozenset(names[mention] for mention in cluster) for cluster in clusters)


def merges(clusters: Clusters) -> Iterator[Clusters]:
    for one, other in combinations(clusters, 2):
        yield (*(cluster for cluster in clusters if cluster not in (one, other)), one | other)


def splits(clusters: Clusters) -> Iterator[Clusters]:
    """Cut one cluster in two, at every place of one order of its mentions."""
    for cluster in clusters:
        mentions = sorted(cluster, key=str)
        for cut in range(1, len(mentions)):
            halves = frozenset(mentions[:cut]), frozenset(mentions[cut:])
            yield (*(other for other in clusters if other != cluster), *halves)


def removals(clusters: Clusters) -> Iterator[Clusters]:
    """Leave out one mention."""
    for mention in mentions_of(clusters):
        yield tuple(cluster - {mention} for cluster in clusters if cluster != {mention})
