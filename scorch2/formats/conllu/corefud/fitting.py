"""The mentions that CorefUD can hold, of documents that it cannot hold as they are."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from scorch2.formats.conllu.layout import Order, nodes_of
from scorch2.formats.losses import with_only
from scorch2.model.document import Document, Mention
from scorch2.model.markables import Nodes, Pieces
from scorch2.model.segment_tree import highest


def only_fitting(document: Document) -> Document:
    """Return the document without the mentions that CorefUD cannot hold.

    They leave their sentence, have the words of an earlier one, or cross an earlier one of their cluster: the
    two share words, and neither holds the other.
    """
    lengths = document.sentences or ()
    starts = [0, *accumulate(lengths)]
    empty: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for members in document.clusters.values():
        for node in (node for one in members if isinstance(one, Pieces) for node in one.nodes.empty):
            empty[node.sentence].add(node[1:])
    orders = [Order(length, empty.get(number, ())) for number, length in enumerate(lengths)]
    seen: set[Mention] = set()
    places: dict[str, list[int]] = {}
    for name, members in document.clusters.items():
        placed = [_placed(nodes_of(mention, starts), orders) for mention in members]
        kept = _Kept([one for one in placed if one is not None])
        places[name] = []
        for i, (mention, own) in enumerate(zip(members, placed, strict=True)):
            if own is not None and mention not in seen and not kept.crosses(own):
                places[name].append(i)
                kept.add(own)
            seen.add(mention)
    return with_only(document, places)


class _Placed(NamedTuple):
    """A mention inside a sentence."""

    first: tuple[int, int]
    """Its first node: the sentence, and the place there."""
    last: tuple[int, int]
    is_whole: bool
    """Whether it has all nodes between these."""
    nodes: Nodes


def _placed(nodes: Nodes, orders: Sequence[Order]) -> _Placed | None:
    """Return a mention by its places; None if it has no words or leaves its sentence."""
    if not nodes.size or nodes.first.sentence != nodes.last.sentence:
        return None
    sentence = nodes.first.sentence
    first, last = (orders[sentence].place(node) for node in (nodes.first, nodes.last))
    return _Placed((sentence, first), (sentence, last), last - first + 1 == nodes.size, nodes)


class _Kept:
    """Mentions of a cluster that do not cross."""

    def __init__(self, mentions: Sequence[_Placed]) -> None:
        """Make room for some of `mentions`."""
        borders = sorted({border for one in mentions for border in (one.first, one.last)})
        self._number = {border: number for number, border in enumerate(borders, 1)}
        self._ends = _Largest(len(borders) + 1)
        """For each number, the last end of those that begin there."""
        self._begins = _Largest(len(borders) + 1)
        """For each number, the first begin of those that end there; it is counted from the end."""
        self._of_sentence: dict[int, list[Nodes]] = defaultdict(list)
        self._torn: dict[int, list[Nodes]] = defaultdict(list)

    def crosses(self, one: _Placed) -> bool:
        """Return whether a mention crosses one of these."""
        sentence, (first, last) = one.first[0], self._borders(one)
        if not one.is_whole:
            return any(one.nodes.crosses(other) for other in self._of_sentence[sentence])
        return (
            self._ends.among(first + 1, last + 1) > last
            or self._begins.among(first, last) > len(self._number) - first
            or any(one.nodes.crosses(other) for other in self._torn[sentence])
        )

    def add(self, one: _Placed) -> None:
        sentence, (first, last) = one.first[0], self._borders(one)
        self._of_sentence[sentence].append(one.nodes)
        if one.is_whole:
            self._ends.put(first, last)
            self._begins.put(last, len(self._number) - first)
        else:
            self._torn[sentence].append(one.nodes)

    def _borders(self, one: _Placed) -> tuple[int, int]:
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
        nodes = highest(start + self._size, stop + self._size)
        return max((self._nodes[node] for node in nodes), default=-1)
