"""Span errors: a gold and a system mention that the other side lacks, and that overlap by half or more."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

from scorch2.analysis.sides import SpanErrors
from scorch2.model.document import Mention, Span, spans

MOST_LOOKS = 10_000_000
"""A document that needs more comparisons of spans gets no span errors."""
MayPair: TypeAlias = Callable[[Span, Span], bool]
"""Whether a gold and a system span can be one mention, by what they are."""


class TooManyLooksError(Exception):
    """The spans of a document overlap too much to compare them in reasonable time."""


def span_errors(gold: Sequence[Mention], system: Sequence[Mention], may_pair: MayPair) -> SpanErrors:
    """Return the places of spans that are paired, each at most once: those with the highest overlap first.

    Parameters
    ----------
    gold, system : sequence of (start, end)
        The spans that the other side lacks, in order.
    may_pair : callable
        Is asked about spans that overlap enough.

    Raises
    ------
    TooManyLooksError
        If more than `MOST_LOOKS` comparisons are needed.

    >>> span_errors([(0, 3), (5, 6)], [(1, 3), (5, 9)], lambda g, s: True)
    [(0, 0)]
    """
    lefts, rights = spans(gold), spans(system)
    starts = [start for start, _ in rights]
    longest = [0, *accumulate((end - start for start, end in rights), max)]
    windows = []
    for start, end in lefts:
        after = bisect_left(starts, end)
        windows.append((bisect_right(starts, start - longest[after], 0, after), after))
    if sum(after - before for before, after in windows) > MOST_LOOKS:
        raise TooManyLooksError
    candidates = []
    for i, ((start, end), (before, after)) in enumerate(zip(lefts, windows, strict=True)):
        for j in range(before, after):
            first, last = rights[j]
            common = min(end, last) - max(start, first)
            both = end - start + last - first
            if common > 0 and 4 * common >= both and may_pair(lefts[i], rights[j]):
                smaller, larger = sorted((lefts[i], rights[j]))
                candidates.append((-common / both, smaller, larger, i, j))
    taken: tuple[set[int], set[int]] = set(), set()
    pairs = []
    for *_, i, j in sorted(candidates):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((i, j))
    return pairs
