"""Mentions that cross: they share words, and neither holds the other."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from scorch2.formats.conllu.corefud.mentions import BracketedMention
from scorch2.model.markables import Nodes, highest_nodes


class Placed(NamedTuple):
    """A mention inside a sentence."""

    first: tuple[int, int]
    """Its first node: the sentence, and the place there."""
    last: tuple[int, int]
    is_whole: bool
    """Whether it has all nodes between these."""
    nodes: Nodes


class NotCrossing:
    """Some mentions of a cluster, which do not cross."""

    def __init__(self, mentions: Sequence[Placed]) -> None:
        """Begin with none of `mentions`, which may be added."""
        borders = sorted({border for one in mentions for border in (one.first, one.last)})
        self._number = {border: number for number, border in enumerate(borders, 1)}
        self._ends = _Largest(len(borders) + 1)
        """For each number, the last end of those that begin there."""
        self._begins = _Largest(len(borders) + 1)
        """For each number, the first begin of those that end there; it is counted from the end."""
        self._of_sentence: dict[int, list[Nodes]] = defaultdict(list)
        self._torn: dict[int, list[Nodes]] = defaultdict(list)

    def crosses(self, one: Placed) -> bool:
        """Return whether a mention crosses one of these."""
        sentence, (first, last) = one.first[0], self._borders(one)
        if not one.is_whole:
            return any(one.nodes.crosses(other) for other in self._of_sentence[sentence])
        return (
            self._ends.among(first + 1, last + 1) > last
            or self._begins.among(first, last) > len(self._number) - first
            or any(one.nodes.crosses(other) for other in self._torn[sentence])
        )

    def add(self, one: Placed) -> None:
        """Add a mention that crosses none of these."""
        sentence, (first, last) = one.first[0], self._borders(one)
        self._of_sentence[sentence].append(one.nodes)
        if one.is_whole:
            self._ends.put(first, last)
            self._begins.put(last, len(self._number) - first)
        else:
            self._torn[sentence].append(one.nodes)

    def _borders(self, one: Placed) -> tuple[int, int]:
        return self._number[one.first], self._number[one.last]


class _Largest:
    """The largest of the values at some places, which a segment tree has for many places at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._nodes = [-1] * (2 * size)

    def put(self, place: int, value: int) -> None:
        node = place + self._size
        while node and self._nodes[node] < value:
            self._nodes[node] = value
            node //= 2

    def among(self, start: int, stop: int) -> int:
        """Return the largest value from one place up to another, or -1."""
        nodes = highest_nodes(start + self._size, stop + self._size)
        return max((self._nodes[node] for node in nodes), default=-1)


def that_cross(mentions: Sequence[BracketedMention]) -> Mapping[BracketedMention, bool]:
    """Return the mentions that cross one before them, and whether one of these is of another entity."""
    found: dict[BracketedMention, bool] = {}
    every = sorted(mentions, key=lambda mention: (mention.sentence.number, mention.places[0][0]))
    for one, is_other in chain(_whole_that_cross(every), _torn_that_cross(every)):
        found[one] = is_other or found.get(one, False)
    return found


def _whole_that_cross(mentions: Sequence[BracketedMention]) -> Iterator[tuple[BracketedMention, bool]]:
    """Yield mentions in one piece in which another one ends that begins before them."""
    whole = (one for one in mentions if len(one.places) == 1)
    for _, inside in groupby(whole, key=lambda one: one.sentence.number):
        ends: list[tuple[int, int]] = []
        ends_of: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for first, begun in groupby(inside, key=lambda one: one.places[0][0]):
            together = [(one, one.places[0][1]) for one in begun]
            for one, last in together:
                crossed, own = (
                    bisect_left(side, last) - bisect_left(side, first) for side in (ends, ends_of[one.entity])
                )
                if crossed:
                    yield one, crossed > own
            for one, last in together:
                insort(ends, last)
                insort(ends_of[one.entity], last)


def _torn_that_cross(mentions: Sequence[BracketedMention]) -> Iterator[tuple[BracketedMention, bool]]:
    """Yield mentions that cross others before them, if either is in pieces.

    Only mentions that overlap are compared, and each with the ones that are open where it begins.
    """
    sentences_of_torn = {one.sentence.number for one in mentions if len(one.places) > 1}
    opened: list[tuple[BracketedMention, Nodes]] = []
    for one in mentions:
        if one.sentence.number not in sentences_of_torn:
            continue
        nodes = one.nodes
        first = nodes.first
        opened = [(other, its) for other, its in opened if its.last >= first]
        crossed = [
            other
            for other, its in opened
            if len(one.places) + len(other.places) > 2  # noqa: PLR2004 - one piece each is no business of this
            and nodes.crosses(its)
        ]
        if crossed:
            yield one, any(other.entity != one.entity for other in crossed)
        opened.append((one, nodes))
