"""Heads and kinds of mentions: what a mention is by its words.

Heads are as files say them, by trees or by name, else by rules for English nouns. Kinds are pronoun, name or
nominal, by the tags of a document or guessed from English words.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias

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


TypeOf: TypeAlias = Callable[[Span], str]  # from a span of tokens to one of `scorch2.analysis.table.TYPES`

CONTENT = NOUNS | {"JJ", "ADJ", "CD", "NUM"}
"""The tags of words that two mentions can share: see the dimension ``text``."""
_IN_NAMES = frozenset(("NNP", "NNPS", "PROPN"))
_OF_PRONOUNS = frozenset(("PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT", "PRON", "DET"))
_ENGLISH = {
    "first and second person": "i me my mine myself we us our ours ourselves you your yours yourself "
    "yourselves ye thou thee thy thine thyself",
    "third person": "he him his himself she her hers herself it its itself they them their theirs "
    "themselves 'em one oneself",
    "relative and demonstrative": "who whom whose which that this these those what whoever whomever",
    "indefinite": "everyone everybody someone somebody anyone anybody nobody none everything something "
    "anything nothing each other another both all some",
}
_PRONOUNS = frozenset(" ".join(_ENGLISH.values()).split())


class Typing(NamedTuple):
    """The types of the mentions of a document."""

    how: str  # for the signature: ``tags`` or ``english``
    type_of: TypeOf
    is_pronoun: Callable[[Span], bool]


def typing_of(document: Document, how: str) -> Typing | None:
    """Return how the types of spans of a document are found, or None if they are not known."""
    if how == "none" or not document.has_tokens or document.words is None:
        return None
    if how == "english":
        words = document.words()

        def guessed(span: Span) -> str:
            return by_words(words[span[0] : span[1]])

        return Typing("english", guessed, lambda span: guessed(span) == "pronoun")
    tags = tags_of(document)
    return _by_tags_of(document, document.words(), tags) if tags else None


def _by_tags_of(document: Document, words: Sequence[str], tags: Sequence[str]) -> Typing:
    """Return what tells types by tags, and by heads where the file has them, read when one is asked for."""
    heads, starts = cache(lambda: heads_of(document)), sentence_starts(document)

    def type_of(span: Span) -> str:
        places, head_of = tokens_of(span, starts), heads()
        head = None if head_of is None else head_of(span)
        of_head = None if head is None else tags[head]
        return by_tags([words[place] for place in places], [tags[place] for place in places], of_head)

    def is_pronoun(span: Span) -> bool:
        return _is_pronoun([tags[place] for place in tokens_of(span, starts)])

    return Typing("tags", type_of, is_pronoun)


def _is_pronoun(tags: Sequence[str]) -> bool:
    return len(tags) == 1 and tags[0] in _OF_PRONOUNS


def by_tags(words: Sequence[str], tags: Sequence[str], of_head: str | None = None) -> str:
    """Return the type of a mention by the tags of its words; `of_head` is that of its head, if it is known.

    >>> by_tags(["Anne", "'s", "ship"], ["NNP", "POS", "NN"]), by_tags(["this"], ["DT"])
    ('nominal', 'pronoun')
    >>> by_tags(["the", "word", "Anne"], ["DET", "NOUN", "PROPN"], "NOUN")
    'nominal'
    """
    if _is_pronoun(tags):
        return "pronoun"
    if of_head is None:
        head = head_by_tags(words, tags)
        of_head = None if head is None else tags[head]
    if of_head is None or NOUNS.isdisjoint(tags):
        return "other"
    return "name" if of_head in _IN_NAMES else "nominal"


def by_words(words: Sequence[str]) -> str:
    """Return the type of an English mention, guessed from its words.

    >>> by_words(["the", "captain", "of", "the", "Sirius"]), by_words(["Mara", "Lind"]), by_words(["Its"])
    ('nominal', 'name', 'pronoun')
    """
    if not words:  # an empty node
        return "other"
    if len(words) == 1 and words[0].lower() in _PRONOUNS:
        return "pronoun"
    return "name" if words[head_by_words(words)][:1].isupper() else "nominal"
