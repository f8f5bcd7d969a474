"""Runs of words: what mentions of many words are kept and compared as."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Run: TypeAlias = tuple[int, int, int]
"""Words that follow each other: their sentence, the first and the last, from 1; the last is one of them."""


def joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Return sorted runs with those made one that share words or follow each other."""
    found: list[Run] = []
    for sentence, first, last in runs:
        if found and found[-1][0] == sentence and first <= found[-1][2] + 1:
            found[-1] = sentence, found[-1][1], max(last, found[-1][2])
        else:
            found.append((sentence, first, last))
    return tuple(found)


def runs_of(start: int, end: int, starts: Sequence[int]) -> Iterator[Run]:
    """Yield the runs of a span of tokens, one in each sentence; `starts` are theirs, and the end of all."""
    sentence = bisect_right(starts, start) - 1
    while start < end:
        before, stop = starts[sentence], min(end, starts[sentence + 1])
        if start < stop:
            yield sentence, start - before + 1, stop - before
        start, sentence = stop, sentence + 1


def shared(one: Sequence[Run], other: Sequence[Run]) -> int:
    """Return the number of words that two mentions share, each as runs in their order."""
    found = here = there = 0
    while here < len(one) and there < len(other):
        (sentence, first, last), (place, begin, end) = one[here], other[there]
        if sentence == place:
            found += max(0, min(last, end) - max(first, begin) + 1)
        if (sentence, last) < (place, end):
            here += 1
        else:
            there += 1
    return found
