"""The order of the words and empty nodes of a sentence, and the nodes of mentions in it."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from scorch2.model.document import Mention, spans
from scorch2.model.markables import Discontinuous, Nodes, Tree, Word, runs_of


class Order:
    """The order of the words and empty nodes of a sentence; a token of several words is none."""

    def __init__(self, words: int, empty: Iterable[tuple[int, int]]) -> None:
        self._words = words
        self._empty = sorted(empty)
        self._known = frozenset(self._empty)

    def holds(self, nodes: Nodes) -> bool:
        """Return whether nodes of the sentence are all there."""
        is_inside = all(first > 0 and last <= self._words for _, first, last in nodes.runs)
        return is_inside and all(node[1:] in self._known for node in nodes.empty)

    def place(self, node: Word) -> int:
        """Return the number of a node among all."""
        return node.word + bisect_left(self._empty, node[1:]) + (node.rank > 0)

    def pieces(self, nodes: Nodes) -> list[tuple[Word, Word]]:
        """Return the first and the last of nodes that follow each other."""
        found: list[tuple[Word, Word]] = []
        for first, last in self._stretches(nodes):
            if found and self.place(found[-1][1]) + 1 == self.place(first):
                found[-1] = found[-1][0], last
            else:
                found.append((first, last))
        return found

    def _stretches(self, nodes: Nodes) -> Iterator[tuple[Word, Word]]:
        """Yield the first and last node of each stretch without an empty node of the sentence in it."""
        for (sentence, word, rank), size in nodes.parts():
            begin, last = word, word + size - 1
            inside = slice(*(bisect_left(self._empty, (border, 0)) for border in (begin, last)))
            for cut in dict.fromkeys(before for before, _ in self._empty[inside]) if not rank else ():
                yield Word(sentence, begin), Word(sentence, cut)
                begin = cut + 1
            yield Word(sentence, begin, rank), Word(sentence, last, rank)


def order_of(tree: Tree) -> Order:
    """Return the order of the nodes of a tree."""
    ids = [row.id.partition(".") for row in tree.rows if "-" not in row.id]
    return Order(
        sum(not dot for _, dot, _ in ids), [(int(word), int(rank)) for word, dot, rank in ids if dot]
    )


def nodes_of(mention: Mention, starts: Sequence[int]) -> Nodes:
    """Return the words and empty nodes of a mention: of its pieces, or of its span."""
    if isinstance(mention, Discontinuous):
        return mention.nodes
    ((start, end),) = spans([mention])
    return Nodes(tuple(runs_of(start, end, starts)), ())
