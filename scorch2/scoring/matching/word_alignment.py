"""The words of a text that was copied with errors, and the words of the original that they stand for.

A shortest edit of words: as many equal words as possible keep their order. A run of replaced words stands for
as many words of the original one by one, for another number of words by their letters.
"""

from array import array
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, repeat
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.document import Span

Block: TypeAlias = tuple[int, int, int]
"""Equal words: the number of the first on both sides, and how many there are."""
_WINDOW = 6  # words that must follow each other for a place that is known to be the same on both sides
_AT_ONCE = 1 << 28  # pairs of words that are compared with all steps kept: a bit each
_MOST_PAIRS = 1 << 34
"""Pairs of words that are compared at all, after all that is cheap: some seconds of time."""
_STRETCH = 1 << 14  # words that have their bits in one number
_MOST_LETTERS = 1 << 24  # pairs of letters in a run of replaced words that are compared
_DEEPEST = 20  # how often the text between sure places is looked at for others


class TooDifferentError(ValueError):
    """Two texts that have so little in common that a shortest edit takes too long."""


class Alignment(NamedTuple):
    """The words that those of a copy stand for."""

    originals: Sequence[Span | None]
    """For each word of the copy the words of the original, from the first to the one after the last."""
    equal: Sequence[int]  # for each word of the original, 1 if it was copied; of a stretch from `begin` on
    changed: int  # words of the original that another word of the copy stands for
    deleted: int  # words of the original that nothing stands for
    inserted: int  # words of the copy that stand for nothing
    begin: int = 0  # the words of the original before the stretch in which the copy was looked for

    def is_copied(self, word: int) -> bool:
        """Return whether a word of the stretch was copied."""
        return bool(self.equal[word - self.begin])


def align_words(original: Sequence[str], copy: Sequence[str]) -> Alignment:
    """Return what the words of a copy stand for; TooDifferentError if that takes too long.

    >>> align_words("the old man sleeps".split(), "Sure the OLD man".split()).originals
    [None, (0, 1), (1, 2), (2, 3)]
    >>> align_words("New York City wins".split(), "NewYork City won .".split()).originals
    [(0, 2), (2, 3), (3, 4), None]
    """
    originals: list[Span | None] = [None] * len(copy)
    equal, changed = bytearray(len(original)), bytearray(len(original))
    first = start = 0
    for here, there, size in (*equal_blocks(original, copy), (len(original), len(copy), 0)):
        if first < here and start < there:
            originals[start:there] = _of_run(original[first:here], copy[start:there], first)
            for word in chain.from_iterable(range(*span) for span in originals[start:there] if span):
                changed[word] = True
        for step in range(size):
            originals[there + step] = here + step, here + step + 1
            equal[here + step] = True
        first, start = here + size, there + size
    kept, stood_for = sum(equal), sum(changed)
    return Alignment(originals, equal, stood_for, len(original) - kept - stood_for, originals.count(None))


def _of_run(original: Sequence[str], copy: Sequence[str], begin: int) -> Sequence[Span | None]:
    """Return what replaced words stand for: one by one if both are as many, else by their letters."""
    # The original words begin at the place `begin` of their text
    if len(original) == len(copy):
        return [(place, place + 1) for place in range(begin, begin + len(copy))]
    here, there = ([word.casefold() for word in words] for words in (original, copy))
    letters = "".join(here), "".join(there)
    if len(letters[0]) * len(letters[1]) > _MOST_LETTERS:
        return [None] * len(copy)
    words_here, words_there = _words_of_letters(here), _words_of_letters(there)
    shared: Counter[tuple[int, int]] = Counter()
    for first, start, size in equal_blocks(*letters):
        shared.update(zip(words_here[first : first + size], words_there[start : start + size], strict=True))
    words: list[list[int]] = [[] for _ in copy]
    for (word, place), number in shared.items():
        if 3 * number >= 2 * min(len(original[word]), len(copy[place])):  # two thirds of the shorter one
            words[place].append(word)
    return [(begin + min(found), begin + max(found) + 1) if found else None for found in words]


def _words_of_letters(words: Sequence[str]) -> list[int]:
    """Return for each letter of words the number of its word."""
    return list(chain.from_iterable(repeat(number, len(word)) for number, word in enumerate(words)))


def equal_blocks(original: Sequence[str], copy: Sequence[str]) -> list[Block]:
    """Return the equal words of a shortest edit, in order."""
    # In long texts, words in a row that both have once are taken for the same, where their order allows it:
    # it is then the shortest edit that keeps them. TooDifferentError if such places are too far apart.
    both = set(original).intersection(copy)
    numbers = {word: number for number, word in enumerate(both)}
    firsts = [place for place, word in enumerate(original) if word in both]
    starts = [place for place, word in enumerate(copy) if word in both]
    here = [numbers[original[place]] for place in firsts]
    found = _blocks(here, [numbers[copy[place]] for place in starts])
    blocks = _joined((firsts[i + k], starts[j + k], 1) for i, j, size in found for k in range(size))
    behind = _beside_longer(blocks, original, copy, before=False)
    return _joined(_beside_longer(behind, original, copy, before=True))


def _beside_longer(
    blocks: Sequence[Block], original: Sequence[str], copy: Sequence[str], *, before: bool
) -> list[Block]:
    """Return blocks with each as near behind (or before) a longer one as in the copy, if its words fit."""
    # Of several shortest edits this is one in which words that stand together in the copy stand together in
    # the original: the last full stop of a text that was cut is not that of the whole text
    moved: list[Block] = []
    for first, start, size in reversed(blocks) if before else blocks:
        here, there, length = moved[-1] if moved else (first, start, 0)
        place = here + start - there
        is_nearer = size < length and place > first if before else size <= length and place < first
        if not is_nearer or original[place : place + size] != copy[start : start + size]:
            moved.append((first, start, size))
        elif start in (there + length, there - size):  # one block now, which others stand beside
            moved[-1] = min(place, here), min(start, there), length + size
        else:
            moved.append((place, start, size))
    return moved[::-1] if before else moved


def _joined(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks with those made one that follow each other on both sides."""
    joined: list[Block] = []
    first = start = size = 0
    for here, there, more in blocks:
        if here == first + size and there == start + size:
            size += more
            continue
        if size:
            joined.append((first, start, size))
        first, start, size = here, there, more
    return [*joined, (first, start, size)] if size else joined


def _blocks(here: Sequence[int], there: Sequence[int], depth: int = 0) -> list[Block]:
    """Return the words that are equal at both ends, and those between."""
    head = _common(here, there)
    tail = min(_common(here[::-1], there[::-1]), len(here) - head, len(there) - head)
    stop, end = len(here) - tail, len(there) - tail
    inner = _between(here[head:stop], there[head:end], depth)
    return [(0, 0, head), *_behind(head, head, inner), (stop, end, tail)]


def _common(here: Sequence[int], there: Sequence[int], first: int = 0, start: int = 0) -> int:
    """Return how many words are equal from two places on."""
    most = min(len(here) - first, len(there) - start)  # by numbers: an iterator would walk to both places
    return next((n for n in range(most) if here[first + n] != there[start + n]), most)


def _behind(first: int, start: int, blocks: Iterable[Block]) -> list[Block]:
    return [(first + here, start + there, size) for here, there, size in blocks]


def _between(here: Sequence[int], there: Sequence[int], depth: int) -> list[Block]:
    """Return the equal words of texts that differ at both ends, of long ones around sure places."""
    pairs = len(here) * len(there)
    if pairs <= _AT_ONCE:
        return _longest(here, there)
    blocks: list[Block] = []
    first = start = 0
    for place, other in _sure_places(here, there) if depth < _DEEPEST else ():
        if place >= first and other >= start:
            blocks += _behind(first, start, _blocks(here[first:place], there[start:other], depth + 1))
            size = _common(here, there, place, other)
            blocks.append((place, other, size))
            first, start = place + size, other + size
    if blocks:
        return blocks + _behind(first, start, _blocks(here[first:], there[start:], depth + 1))
    if pairs > _MOST_PAIRS:
        raise TooDifferentError(pairs)
    return _in_halves(here, there)


def _sure_places(here: Sequence[int], there: Sequence[int]) -> list[tuple[int, int]]:
    """Return where windows begin that both sides have once: as many as can be in one order."""
    ours = _windows_met_once(here)
    theirs = _windows_met_once(there, ours)
    places = [(ours[window], other) for window, other in theirs.items() if window in ours]
    same = [
        (place, other)
        for place, other in sorted(places)
        if here[place : place + _WINDOW] == there[other : other + _WINDOW]
    ]
    return _rising(same)


def _windows_met_once(words: Sequence[int], among: Container[int] | None = None) -> dict[int, int]:
    """Return the place of each window that a text has once, by its hash; only of those `among` some."""
    places: dict[int, int] = {}
    again: set[int] = set()
    windows = zip(*(islice(words, step, None) for step in range(_WINDOW)), strict=False)
    for place, window in enumerate(map(hash, windows)):
        if (among is None or window in among) and places.setdefault(window, place) != place:
            again.add(window)
    for window in again:
        del places[window]
    return places


def _rising(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return as many places, sorted by the first number, as also rise in the second.

    >>> _rising([(0, 4), (1, 1), (2, 2), (5, 0)])
    [(1, 1), (2, 2)]
    """
    lowest: list[int] = []  # by length, the lowest second number with which a rising row of that length ends
    ends: list[int] = []  # the place with that number
    before: list[int] = []
    for number, (_, other) in enumerate(places):
        length = bisect_left(lowest, other)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [other]
        ends[length : length + 1] = [number]
    row = []
    at = ends[-1] if ends else -1
    while at >= 0:
        row.append(places[at])
        at = before[at]
    return row[::-1]


def _rows(here: Sequence[int], there: Sequence[int], carried: bytearray) -> Iterator[int]:
    """Yield after each word of the second side the bits of the first at which no more words are equal."""
    # By bits, as in Hyyrö, H. (2004), Bit-parallel LCS-length computation revisited: the bit of a word is 0
    # if a longest common sequence up to it is longer by one than up to the word before. What sums carry
    # beyond the first side goes on in what follows it: it is taken from `carried` and put there.
    size = len(here) // 8 + 1
    places: dict[int, Any] = {word: bytearray(size) for word in set(there).intersection(here)}
    for place, word in enumerate(here):
        if word in places:
            places[word][place >> 3] |= 1 << (place & 7)
    for word, bits in places.items():
        places[word] = int.from_bytes(bits, "little")
    every = row = (1 << len(here)) - 1
    for number, word in enumerate(there):
        equal = row & places.get(word, 0)
        if equal or carried[number]:
            total = row + equal + carried[number]
            row = (total | (row - equal)) & every
            carried[number] = total > every
        yield row


def _longest(here: Sequence[int], there: Sequence[int]) -> list[Block]:
    """Return the words of a longest common sequence, one by one."""
    rows = [(1 << len(here)) - 1, *_rows(here, there, bytearray(len(there)))]
    found: list[Block] = []
    place, other = len(here), len(there)
    while other:
        place = (~rows[other] & ((1 << place) - 1)).bit_length()  # the last word whose bit is 0
        if not place:
            break
        other -= 1
        if rows[other] & 1 << (place - 1):
            place -= 1
            found.append((place, other, 1))
    return found[::-1]


def _in_halves(here: Sequence[int], there: Sequence[int]) -> list[Block]:
    """Return the words of a longest common sequence of long texts, cut where those of two halves meet."""
    # Hirschberg, D. S. (1975), A linear space algorithm for computing maximal common subsequences.
    middle = len(there) // 2
    if not middle or len(here) * len(there) <= _AT_ONCE:
        return _longest(here, there)
    cut = _best_cut(here, there, middle)
    rest = _in_halves(here[cut:], there[middle:])
    return _in_halves(here[:cut], there[:middle]) + _behind(cut, middle, rest)


def _best_cut(here: Sequence[int], there: Sequence[int], middle: int) -> int:
    """Return where to cut the first side, so that as much as possible is equal before it and behind it."""
    before = _lengths(here, there[:middle])
    after = _lengths(here[::-1], there[middle:][::-1])
    after.reverse()
    return max(range(len(before)), key=lambda cut: before[cut] + after[cut])


def _lengths(here: Sequence[int], there: Sequence[int]) -> "array[int]":
    """Return how long a common sequence with all of the second side is, by the words of the first."""
    # In stretches of the first side: each word of it may be another one, and has the bits of a stretch
    carried, lengths = bytearray(len(there)), array("q", [0])
    for start in range(0, len(here), _STRETCH):
        part = here[start : start + _STRETCH]
        (row,) = deque(_rows(part, there, carried), maxlen=1)
        bits = f"{row:0{len(part)}b}"[::-1]
        lengths.extend(accumulate((bit == "0" for bit in bits), initial=lengths.pop()))
    return lengths
