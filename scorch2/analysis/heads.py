"""Heads of mentions: as the files say them, by trees or by name, else by rules for English nouns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeAlias

from scorch2.model.document import Columns, Discontinuous, Document, Mention, Span

HeadOf: TypeAlias = Callable[[Span], int | None]
"""From a mention to the token that is its head; None if nothing says it."""
NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN"))
_INSIDE = frozenset(("CD", "NUM", "HYPH", "SYM"))
POSSESSIVES = frozenset(("'s", "’s", "'", "’"))  # noqa: RUF001 - both apostrophes are in use
_BREAK_WORDS = "of in on at to with from for by who whom which that whose and or , ( - -- ; :"
_BREAKS = frozenset(_BREAK_WORDS.split())
_ROOT = "0"  # what the column HEAD has at the root


def heads_of(document: Document) -> HeadOf | None:
    """Return what tells the heads of mentions in the text of a document, or None if nothing does.

    A mention of another document of the same text has a head by the tree, too.

    >>> heads_of(Document("d", {}, sentences=[4])) is None
    True
    """
    depths = _depths(document)
    named = {} if depths else _named_heads(document)
    if not depths and not named:
        return None

    starts = sentence_starts(document)

    def head_of(mention: Span) -> int | None:
        known = [(depths[place], place) for place in tokens_of(mention, starts) if place in depths]
        return min(known)[1] if known else named.get(mention)

    return head_of


def first_known(finders: Sequence[HeadOf | None]) -> HeadOf | None:
    """Return what asks several for the head of a mention, one after the other; None if there are none."""
    known = [head_of for head_of in finders if head_of is not None]
    if not known:
        return None
    return lambda span: next((head for head_of in known if (head := head_of(span)) is not None), None)


def heads_guessed(document: Document, types: str) -> HeadOf | None:
    """Return what finds the heads of English mentions by rule: by tags, or with `types` ``english`` by words.

    That of a mention without a noun is its last word. None without tags and words.
    """
    tags = tags_of(document)
    words = document.words() if document.words is not None and document.has_tokens else ()
    if not words or not (tags or types == "english"):
        return None
    starts = sentence_starts(document)

    def guessed(span: Span) -> int | None:
        places = tokens_of(span, starts)
        texts = [words[place] for place in places]
        if not texts:  # an empty node
            return None
        if types == "english":
            return places[head_by_words(texts)]
        head = head_by_tags(texts, [tags[place] for place in places])
        return places[-1 if head is None else head]

    return guessed


def sentence_starts(document: Document) -> Sequence[int]:
    """Return where the sentences of a document start, in tokens, and where the last one ends."""
    return [0, *accumulate(document.sentences or ())]


def tokens_of(mention: Span, starts: Sequence[int]) -> Sequence[int]:
    """Return the tokens of a mention, which may be in pieces; empty nodes are none.

    A mention that stands behind the text, since it matches nothing in it, has none.
    """
    if not isinstance(mention, Discontinuous):
        return range(mention[0], min(mention[1], starts[-1]))
    parts = [range(starts[at] + first - 1, starts[at] + last) for at, first, last in mention.nodes.runs]
    return list(chain.from_iterable(parts))


def _depths(document: Document) -> Mapping[int, int]:
    """Return how far below the root of its sentence each token is that hangs in a tree."""
    depths: dict[int, int] = {}
    start = 0
    for tree in () if document.trees is None else document.trees():
        governors = [row.head.strip() for row in tree.rows if row.id.isdecimal()]
        depths.update((start + place, depth) for place, depth in _depths_of(governors))
        start += len(governors)
    return depths


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


def _named_heads(document: Document) -> Mapping[Mention, int]:
    """Return the heads of mentions as the file names them."""
    # A reader gives the first word where a file names none: heads that are all first words are not told
    if document.markables is None:
        return {}
    starts, heads, is_told = sentence_starts(document), {}, False
    markables = document.markables()
    for name, members in document.clusters.items():
        for mention, markable in zip(members, markables.get(name, ()), strict=False):
            if not markable.is_zero:
                heads[mention] = starts[markable.head.sentence] + markable.head.word - 1
                is_told = is_told or markable.head != markable.place[0]
    return heads if is_told else {}


def tags_of(document: Document) -> Sequence[str]:
    """Return the tag of each token, or nothing if the document has none."""
    if not document.has_tokens:
        return ()
    if document.tags is not None:
        return document.tags()
    return document.words.tags() if isinstance(document.words, Columns) else ()


def head_by_tags(words: Sequence[str], tags: Sequence[str]) -> int | None:
    """Return the last noun of the first run of nouns that is no possessor, or of the last run."""
    head = None
    inside = False
    for place, tag in enumerate(tags):
        if tag in NOUNS:
            head, inside = place, True
        elif inside and tag not in _INSIDE:
            follows = place - 1 == head and (tag == "POS" or words[place] in POSSESSIVES)
            if not follows:
                return head
            inside = False
    return head


def head_by_words(words: Sequence[str]) -> int:
    """Return the last word before the first break, which does not stand in first place."""
    head = 0
    for place, word in enumerate(words[1:], 1):
        if word.lower() in _BREAKS:
            break
        if word not in POSSESSIVES:
            head = place
    return head
