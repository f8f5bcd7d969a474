"""Two documents of the same words whose sentences differ, for formats to which these mean nothing."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from scorch2.model.document import Document, Mention, OnDemand
from scorch2.model.markables import Markable, Pieces, StoredMarkable, Word


def broken_as(document: Document, lengths: Sequence[int]) -> Document:
    """Return a document with the places of all words as if its sentences had other lengths."""
    move = _mover(document.sentences or (), lengths)
    clusters = {name: [_moved(one, move) for one in members] for name, members in document.clusters.items()}
    document = document._replace(clusters=clusters, sentences=lengths)
    if document.markables is None:
        return document
    return document._replace(markables=OnDemand(_markables, document.markables, move))


def _mover(before: Sequence[int], after: Sequence[int]) -> Callable[[Word], Word]:
    old, new = [0, *accumulate(before)], [0, *accumulate(after)]

    def move(word: Word) -> Word:
        number = old[word.sentence] + word.word
        sentence = max(bisect_left(new, number) - 1, 0)
        return Word(sentence, number - new[sentence], word.rank)

    return move


def _moved(mention: Mention, move: Callable[[Word], Word]) -> Mention:
    if not isinstance(mention, Pieces):
        return mention
    return Pieces(mention[0], mention[1], tuple(map(move, mention.words)))


def _markables(
    every: Callable[[], Mapping[str, Sequence[Markable]]], move: Callable[[Word], Word]
) -> Mapping[str, Sequence[Markable]]:
    return {
        name: [
            StoredMarkable(
                tuple(map(move, one.words)),
                move(one.head),
                frozenset(map(move, one.minimum)),
                tuple((move(first), move(last)) for first, last in one.chunks),
                one.edges,
                one.other,
            )
            for one in members
        ]
        for name, members in every().items()
    }
