"""Heads of mentions: the highest word by the tree of the sentence, or the word that the file names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeAlias

from scorch2.model.document import Document, Mention, Span
from scorch2.model.markables import Discontinuous, Word

HeadOf: TypeAlias = Callable[[Span], int | None]
"""From a mention to the token that is its head; None if nothing says it."""
_ROOT = "0"
"""What the column HEAD has at the root."""


def heads_of(document: Document) -> HeadOf | None:
    """Return what tells the heads of mentions in the text of a document, or None if nothing does.

    A mention of another document of the same text has a head by the tree, too.

    >>> heads_of(Document("d", {}, sentences=[4])) is None
    True
    """
    depths = _depths(document)
    named = {} if depths else _named(document)
    if not depths and not named:
        return None

    starts = starts_of(document)

    def head_of(mention: Span) -> int | None:
        known = [(depths[place], place) for place in tokens(mention, starts) if place in depths]
        return min(known)[1] if known else named.get(mention)

    return head_of


def starts_of(document: Document) -> Sequence[int]:
    """Return where the sentences of a document start, in tokens, and where the last one ends."""
    return [0, *accumulate(document.sentences or ())]


def tokens(mention: Span, starts: Sequence[int]) -> Sequence[int]:
    """Return the tokens of a mention, which may be in pieces; empty nodes are none.

    `starts` is what `starts_of` returns.
    """
    if not isinstance(mention, Discontinuous):
        return range(*mention)
    parts = [range(starts[at] + first - 1, starts[at] + last) for at, first, last in mention.nodes.runs]
    return list(chain.from_iterable(parts))


def _depths(document: Document) -> Mapping[int, int]:
    """Return how far below the root of its sentence each token is that hangs in a tree."""
    found: dict[int, int] = {}
    start = 0
    for tree in () if document.trees is None else document.trees():
        governors = [row.head.strip() for row in tree.rows if row.id.isdecimal()]
        found.update((start + place, depth) for place, depth in _depths_of(governors))
        start += len(governors)
    return found


def _depths_of(governors: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the words of a sentence and their depths, from the root down; no words of a cycle."""
    below: dict[str, list[int]] = {}
    for place, governor in enumerate(governors):
        below.setdefault(governor, []).append(place)
    level, depth = below.get(_ROOT, []), 0
    while level:
        yield from ((place, depth) for place in level)
        level = [place for governor in level for place in below.get(str(governor + 1), ())]
        depth += 1


def _named(document: Document) -> Mapping[Mention, int]:
    """Return the heads of mentions as the file names them.

    A reader gives the first word where a file names none: heads that are all first words are not told.
    """
    if document.markables is None:
        return {}
    starts, found, is_told = starts_of(document), {}, False
    markables = document.markables()
    for name, members in document.clusters.items():
        for mention, markable in zip(members, markables.get(name, ()), strict=False):
            if not markable.is_zero:
                found[mention] = _place(markable.head, starts)
                is_told = is_told or markable.head != markable.place[0]
    return found if is_told else {}


def _place(word: Word, starts: Sequence[int]) -> int:
    return starts[word.sentence] + word.word - 1
