"""Kinds of mentions: pronoun, name or nominal, by the tags of a document or guessed from English words."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from scorch2.analysis.heads import (
    NOUNS,
    head_by_tags,
    head_by_words,
    heads_of,
    sentence_starts,
    tags_of,
    tokens_of,
)
from scorch2.model.document import Document, Span

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
