"""Mentions of a document, and all that is said about them, from the markables of the exploded format."""

from bisect import bisect_right
from collections.abc import Sequence

from scorch2.formats.conllu.ua.annotation import BracketedMarkable
from scorch2.model.document import Mention
from scorch2.model.markables import Discontinuous, Edge, Nodes, Word, joined_runs, runs_of


def mention_of(one: BracketedMarkable, starts: Sequence[int]) -> Mention:
    """Return a markable as a span of the words of the document, or in pieces if no span can say it."""
    if one.zero:
        before, zero = one.zero
        return Discontinuous(before, before, Nodes((), (zero,)))
    if len(one.pieces) == 1:
        return one.pieces[0]
    start, end = min(one.pieces)[0], max(after for _, after in one.pieces)
    nodes = _nodes(one, starts)
    return (start, end) if nodes.size == end - start else Discontinuous(start, end, nodes)


def _nodes(one: BracketedMarkable, starts: Sequence[int]) -> Nodes:
    """Return the words of a markable that is no zero."""
    return Nodes(
        joined_runs(run for first, end in sorted(one.pieces) for run in runs_of(first, end, starts)), ()
    )


def word_at(token: int, starts: Sequence[int]) -> Word:
    """Return the place of a word by its number in the document, from 0; `starts` are those of sentences."""
    sentence = bisect_right(starts, token) - 1
    return Word(sentence, token - starts[sentence] + 1)


class FoundMarkable:
    """A `Markable` whose words are found when they are asked for.

    Most mentions equal one of the other side, and are asked for nothing, which saves a tenth of a run.
    """

    __slots__ = ("_read", "_starts")

    def __init__(self, read: BracketedMarkable, starts: Sequence[int]) -> None:
        self._read = read
        self._starts = starts
        """The number of words before each sentence."""

    @property
    def nodes(self) -> Nodes:
        """Its words, or the zero that it is."""
        return Nodes((), (self._read.zero[1],)) if self._read.zero else _nodes(self._read, self._starts)

    @property
    def head(self) -> Word:
        """The first word of its minimum, as the format names no head; else its first word."""
        if self._read.zero:
            return self._read.zero[1]
        begin, end = self._minimum()
        pieces = self._read.pieces
        inside = [max(first, begin) for first, after in pieces if max(first, begin) < min(after, end)]
        return word_at(min(inside) if inside else min(pieces)[0], self._starts)

    @property
    def minimum(self) -> Nodes:
        """The words of Min; a zero has none."""
        return Nodes(tuple(runs_of(*self._minimum(), self._starts)), ())

    def _minimum(self) -> tuple[int, int]:
        """Return the first word of Min, from 0 in the document, and the word after its last."""
        if self._read.zero or self._read.minimum is None:
            return 0, 0
        first, last = self._read.minimum
        return first - 1, last

    @property
    def pieces(self) -> tuple[tuple[Word, Word], ...]:
        """The first and the last word of each piece, as written."""
        if self._read.zero:
            return ((self._read.zero[1], self._read.zero[1]),)
        starts = self._starts
        return tuple([(word_at(first, starts), word_at(end - 1, starts)) for first, end in self._read.pieces])

    @property
    def edges(self) -> frozenset[Edge]:
        """None: the format has no dependencies of zeros."""
        return frozenset()

    @property
    def other(self) -> str:
        """All else that its first bracket says."""
        return self._read.other

    @property
    def is_zero(self) -> bool:
        """True if it is a zero."""
        return self._read.zero is not None

    @property
    def place(self) -> tuple[Word, Word, int]:
        """Its place in the order of mentions: first word, last word, number of words."""
        nodes = self.nodes
        return nodes.first, nodes.last, nodes.size
