"""Mentions inside another one of their cluster, found by one walk through the text."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from scorch2.model.document import Span


def without_nested(spans: Sequence[Span], keys: Sequence[Hashable], *, keep_single: bool) -> list[int]:
    """Return the places of the mentions of a cluster that lie in no other one.

    Mentions of one key are the same, and none lies in the other; a key goes with all of its mentions. A
    cluster of which one mention would be left stays whole or goes, as in coval. What would be left is counted
    as there, too: a mention in two others is taken away twice.

    Parameters
    ----------
    spans : sequence of (int, int)
        Where the mentions are.
    keys : sequence of hashable
        What each is called; mentions of one span have one key.
    keep_single : bool
        Whether a cluster of which one mention would be left stays.
    """
    outer = _around(spans)
    same: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        same[key].append(place)
    for places in same.values():
        if len(places) > 1:
            for place, number in zip(places, _around([spans[place] for place in places]), strict=True):
                outer[place] -= number
    every = list(range(len(spans)))
    if len(spans) > 1 and len(spans) - sum(outer) == 1:
        return every if keep_single else []
    nested = {keys[place] for place in every if outer[place]}
    return [place for place in every if keys[place] not in nested]


def _around(spans: Sequence[Span]) -> list[int]:
    """Return how many other spans hold each one."""
    found = [0] * len(spans)
    ends: list[int] = []
    equal: Counter[Span] = Counter()
    for place in sorted(range(len(spans)), key=lambda place: (spans[place][0], -spans[place][1])):
        span = spans[place]
        found[place] = len(ends) - bisect_left(ends, span[1]) - equal[span]
        insort(ends, span[1])
        equal[span] += 1
    return found
