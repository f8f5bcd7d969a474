"""Span errors: pairs of a gold and a system mention that differ, and are taken for the same one.

Each way says which pairs are candidates. They are taken one to one: those with the highest Dice coefficient
first, then the smaller of the two spans, then the larger, so that swapping the sides gives the same pairs.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

from scorch2.analysis.heads import POSSESSIVES, sentence_starts, tokens_of
from scorch2.analysis.sides import SpanErrors
from scorch2.model.document import Document, Mention, Span, spans

MOST_LOOKS = 10_000_000  # a document that needs more comparisons of spans gets no span errors
MayPair: TypeAlias = Callable[[Span, Span], bool]
"""Whether a gold and a system span can be one mention, by what they are."""
KeyOf: TypeAlias = Callable[[Span], Hashable]
"""What two mentions must share to be candidates; None for a mention that cannot be in a pair."""
_DETERMINERS = frozenset(("the", "a", "an", "this", "that", "these", "those"))


class TooManyLooksError(Exception):
    """The spans of a document overlap too much to compare them in reasonable time."""

    def __str__(self) -> str:
        return f"more than {MOST_LOOKS} pairs of spans overlap: no span errors were looked for"


def by_overlap(gold: Sequence[Mention], system: Sequence[Mention], may_pair: MayPair) -> SpanErrors:
    """Return the places of spans that are paired: a Dice coefficient of one half or more.

    >>> by_overlap([(0, 3), (5, 6)], [(1, 3), (5, 9)], lambda g, s: True)
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
    candidates = (
        (i, j)
        for i, (before, after) in enumerate(windows)
        for j in range(before, after)
        if _half(lefts[i], rights[j]) and may_pair(lefts[i], rights[j])
    )
    return _one_to_one(lefts, rights, candidates)


def by_key(
    gold: Sequence[Mention], system: Sequence[Mention], key_of: KeyOf, may_pair: MayPair
) -> SpanErrors:
    """Return the places of mentions that are paired: those with the same key, which is not None.

    >>> by_key([(0, 3), (5, 6)], [(1, 3), (4, 9)], lambda span: span[1], lambda g, s: True)
    [(0, 0)]
    """
    lefts, rights = spans(gold), spans(system)
    groups: dict[Hashable, list[int]] = {}
    for j, mention in enumerate(rights):
        groups.setdefault(key_of(mention), []).append(j)
    groups.pop(None, None)
    looks = [(i, groups.get(key_of(mention), ())) for i, mention in enumerate(lefts)]
    if sum(len(places) for _, places in looks) > MOST_LOOKS:
        raise TooManyLooksError
    candidates = ((i, j) for i, places in looks for j in places if may_pair(lefts[i], rights[j]))
    return _one_to_one(lefts, rights, candidates)


def _half(one: Span, other: Span) -> bool:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common > 0 and 4 * common >= one[1] - one[0] + other[1] - other[0]


def _one_to_one(
    lefts: Sequence[Span], rights: Sequence[Span], candidates: Iterator[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return candidates that share no mention, the best ones first."""
    ranked: list[tuple[float, Span, Span, int, int]] = []
    for i, j in candidates:
        (start, end), (first, last) = lefts[i], rights[j]
        dice = (min(end, last) - max(start, first)) / (end - start + last - first or 1)
        smaller, larger = sorted((lefts[i], rights[j]))
        ranked.append((-dice, smaller, larger, i, j))
    taken: tuple[set[int], set[int]] = set(), set()
    pairs = []
    for *_, i, j in sorted(ranked):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((i, j))
    return pairs


def trimmed(gold: Document) -> KeyOf | None:
    """Return what trims mentions: leading determiners, a final 's, and punctuation at both ends."""
    if gold.words is None or not gold.has_tokens:
        return None
    words, starts = gold.words(), sentence_starts(gold)

    def inner(span: Span) -> Hashable:
        places = list(tokens_of(span, starts))
        first, last = 0, len(places)
        while first < last - 1 and _is_before(words[places[first]]):
            first += 1
        while first < last - 1 and _is_after(words[places[last - 1]]):
            last -= 1
        return tuple(places[first:last]) or None

    return inner


def _is_before(word: str) -> bool:
    return word.casefold() in _DETERMINERS or not any(map(str.isalnum, word))


def _is_after(word: str) -> bool:
    return word in POSSESSIVES or not any(map(str.isalnum, word))
