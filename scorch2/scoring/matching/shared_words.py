"""Numbers of words that mentions of two sides have in common: of pairs that are asked for, or of all."""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, TypeAlias

from scorch2.scoring.matching.best_pairs import refuse_many

_Words: TypeAlias = Sequence[Hashable]
"""The words of a mention: places, or numbers and the places of empty nodes."""
_Ranges: TypeAlias = Sequence[tuple[int, int]]
"""Half-open ranges, in order."""
_FEW = 8
"""Up to so many pairs for each mention it is faster to compare the words of each pair."""


def shared_words(
    gold: Mapping[int, _Words], system: Mapping[int, _Words], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the number of words that the mentions of each pair share, by their numbers.

    Of many pairs only the borders of mentions are compared: where mentions are inside each other, all words
    of all pairs would be too many.
    """
    if len(pairs) <= _FEW * (len(gold) + len(system)):
        known: dict[int, set[Hashable]] = {}
        for _, column in pairs:
            if column not in known:
                known[column] = set(system[column])
        return [len(known[column].intersection(gold[row])) for row, column in pairs]
    here, there = _in_common(gold.values(), system.values())
    rows, columns = dict(zip(gold, here, strict=True)), dict(zip(system, there, strict=True))
    return [_overlap(rows[row], columns[column]) for row, column in pairs]


def overlaps(gold: Sequence[_Words], system: Sequence[_Words]) -> list[tuple[int, int, int]]:
    """Return all pairs of mentions that share words, by their numbers, and how many they share.

    Raises
    ------
    TooManyPairsError
        If there is no room for all of them.
    """
    pieces = sorted(
        (start, stop, side, number)
        for side, mentions in enumerate(_in_common(gold, system))
        for number, ranges in enumerate(mentions)
        for start, stop in ranges
    )
    found: Counter[tuple[int, int]] = Counter()
    going_on: list[list[tuple[int, int]]] = [[], []]
    """For either side the pieces that may not have ended, by their ends."""
    for start, stop, side, number in pieces:
        others = [(end, other) for end, other in going_on[1 - side] if end > start]
        going_on[1 - side] = others
        going_on[side].append((stop, number))
        for end, other in others:
            found[(other, number) if side else (number, other)] += min(end, stop) - start
        refuse_many(len(found), gold, system)
    return [(row, column, shared) for (row, column), shared in found.items()]


def _in_common(gold: Collection[_Words], system: Collection[_Words]) -> Sequence[Sequence[_Ranges]]:
    """Return where the mentions of either side have words that the other side has, too."""
    spans = [[(words.start, words.stop)] for words in chain(gold, system) if isinstance(words, range)]
    if len(spans) == len(gold) + len(system):  # they need no look at each word
        return spans[: len(gold)], spans[len(gold) :]
    common: set[Any] = set(chain.from_iterable(gold)).intersection(chain.from_iterable(system))
    ordered = sorted(common, key=lambda word: (isinstance(word, tuple), word))  # numbers, then empty nodes
    places = {word: place for place, word in enumerate(ordered)}
    return [[_ranges(words, places) for words in side] for side in (gold, system)]


def _ranges(words: _Words, places: Mapping[Hashable, int]) -> _Ranges:
    """Return where the words of a mention are that have a place; mostly that is one range."""
    found = sorted(places[word] for word in words if word in places)
    if found and found[-1] - found[0] == len(found) - 1:
        return [(found[0], found[-1] + 1)]
    gaps = [(place, after) for place, after in pairwise(found) if place + 1 != after]
    begins = [*found[:1], *(after for _, after in gaps)]
    ends = [*(place for place, _ in gaps), *found[-1:]]
    return [(first, last + 1) for first, last in zip(begins, ends, strict=True)]


def _overlap(one: _Ranges, other: _Ranges) -> int:
    shared = here = there = 0
    while here < len(one) and there < len(other):
        (start, stop), (begin, end) = one[here], other[there]
        shared += max(0, min(stop, end) - max(start, begin))
        if stop < end:
            here += 1
        else:
            there += 1
    return shared
