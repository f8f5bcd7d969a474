"""Two documents of the same words whose sentences differ, for formats to which these mean nothing."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from scorch2.model.document import Document, Mention, OnDemand
from scorch2.model.markables import Discontinuous, Markable, Nodes, StoredMarkable, Word, joined_runs, runs_of


def broken_as(document: Document, lengths: Sequence[int]) -> Document:
    """Return a document with the places of all words as if its sentences had other lengths."""
    move = _Move([0, *accumulate(document.sentences or ())], [0, *accumulate(lengths)])
    clusters = {name: [_moved(one, move) for one in members] for name, members in document.clusters.items()}
    document = document._replace(clusters=clusters, sentences=lengths)
    if document.markables is None:
        return document
    return document._replace(markables=OnDemand(_markables, document.markables, move))


class _Move(NamedTuple):
    """The starts of sentences, as they were and as they become."""

    before: Sequence[int]
    after: Sequence[int]

    def word(self, word: Word) -> Word:
        number = self.before[word.sentence] + word.word
        sentence = max(bisect_left(self.after, number) - 1, 0)
        return Word(sentence, number - self.after[sentence], word.rank)

    def nodes(self, nodes: Nodes) -> Nodes:
        spans = ((self.before[at] + first - 1, self.before[at] + last) for at, first, last in nodes.runs)
        runs = joined_runs(run for start, end in spans for run in runs_of(start, end, self.after))
        return Nodes(runs, tuple(map(self.word, nodes.empty)))


def _moved(mention: Mention, move: _Move) -> Mention:
    if not isinstance(mention, Discontinuous):
        return mention
    return Discontinuous(mention[0], mention[1], move.nodes(mention.nodes))


def _markables(
    every: Callable[[], Mapping[str, Sequence[Markable]]], move: _Move
) -> Mapping[str, Sequence[Markable]]:
    return {
        name: [
            StoredMarkable(
                move.nodes(one.nodes),
                move.word(one.head),
                move.nodes(one.minimum),
                tuple((move.word(first), move.word(last)) for first, last in one.pieces),
                one.edges,
                one.other,
            )
            for one in members
        ]
        for name, members in every().items()
    }
