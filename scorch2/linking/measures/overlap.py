"""Measures of overlap: how much of each mention is covered by mentions of the other side.

Formula     R = Σ covered units of x / units of x, over gold mentions x, / number of gold mentions. P: swap
            sides. Partners of x are mentions of the other side in the same document that equal it in the rest
            of the key; max takes the one that covers most of x, sum their union. The first word is recall's.
Units       mentions; 0..1. Every line counts.
Edge cases  no mention on a side: 0/0. Without span in the key documents still do not mix.
Cost        O(n log n) for n mentions of one document and key, nested or not.
Source      neleval's overlap measures for LoReHLT 2016, by their definition.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import TypeAlias

from scorch2.linking.evidence import Linking
from scorch2.linking.mentions import Mentions
from scorch2.model.score import Tally

InclusiveSpan: TypeAlias = tuple[int, int]
"""First and last unit."""
Cover: TypeAlias = Callable[[Sequence[InclusiveSpan], Sequence[InclusiveSpan]], Iterable[int]]


def count(recall: Cover, precision: Cover, linking: Linking, field: str, key: tuple[str, ...]) -> Tally:
    """Sum the covered shares of the mentions on either side."""
    rest = ("docid", *(name for name in key if name not in ("span", "docid")))
    gold, system = linking.gold.kept(field), linking.system.kept(field)
    golds, systems = _spans(gold, rest), _spans(system, rest)
    return Tally(
        _covered(golds, systems, recall), len(gold), _covered(systems, golds, precision), len(system)
    )


def _spans(side: Mentions, rest: tuple[str, ...]) -> dict[tuple[object, ...], list[InclusiveSpan]]:
    starts, lasts = side.column("start"), side.column("end")
    found: dict[tuple[object, ...], list[InclusiveSpan]] = {}
    for value, start, last in zip(side.keys(rest), starts, lasts, strict=True):
        found.setdefault(value, []).append((start, last + 1))
    return found


def _covered(
    mine: dict[tuple[object, ...], list[InclusiveSpan]],
    others: dict[tuple[object, ...], list[InclusiveSpan]],
    cover: Cover,
) -> float:
    shares: list[float] = []
    for value, spans in mine.items():
        if value in others:
            partners = sorted(set(others[value]))
            units = cover(spans, partners)
            shares += [n / (end - start) for n, (start, end) in zip(units, spans, strict=True)]
    return math.fsum(shares)


def union(spans: Sequence[InclusiveSpan], partners: Sequence[InclusiveSpan]) -> list[int]:
    """Return how many units of each span any of the sorted `partners` covers."""
    merged: list[list[int]] = []
    for start, end in partners:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    starts = [start for start, _ in merged]
    before = list(accumulate((end - start for start, end in merged), initial=0))

    def covered(limit: int) -> int:
        """Return the units below `limit` that are covered."""
        i = bisect_left(starts, limit)
        return before[i] - max(0, merged[i - 1][1] - limit) if i else 0

    return [covered(end) - covered(start) for start, end in spans]


def largest(spans: Sequence[InclusiveSpan], partners: Sequence[InclusiveSpan]) -> list[int]:
    """Return how many units of each span the best of the sorted `partners` covers.

    A partner that begins no later is judged by its end, one that ends no earlier by its start; the longest of
    those inside is found in a tree of maxima by start, filled in the order of ends.
    """
    starts = [start for start, _ in partners]
    furthest = list(accumulate((end for _, end in partners), max))
    by_end = sorted(partners, key=lambda span: span[1])
    ends = [end for _, end in by_end]
    nearest = list(accumulate((start for start, _ in reversed(by_end)), min))[::-1]
    tree = [0] * (len(partners) + 1)
    found = [0] * len(spans)
    done = 0
    for i in sorted(range(len(spans)), key=lambda i: spans[i][1]):
        start, end = spans[i]
        while done < len(by_end) and ends[done] <= end:
            _insert(tree, len(starts) - bisect_left(starts, by_end[done][0]), by_end[done])
            done += 1
        earlier = bisect_right(starts, start)
        best = min(furthest[earlier - 1], end) - start if earlier else 0
        later = bisect_left(ends, end)
        if later < len(ends):
            best = max(best, end - max(nearest[later], start))
        found[i] = max(best, _longest(tree, len(starts) - bisect_left(starts, start)))
    return found


def _insert(tree: list[int], rank: int, span: InclusiveSpan) -> None:
    length = span[1] - span[0]
    while rank < len(tree):
        tree[rank] = max(tree[rank], length)
        rank += rank & -rank


def _longest(tree: Sequence[int], rank: int) -> int:
    best = 0
    while rank:
        best = max(best, tree[rank])
        rank -= rank & -rank
    return best


AGGREGATORS = {
    "overlap-maxmax": partial(count, largest, largest),
    "overlap-maxsum": partial(count, largest, union),
    "overlap-summax": partial(count, union, largest),
    "overlap-sumsum": partial(count, union, union),
}
