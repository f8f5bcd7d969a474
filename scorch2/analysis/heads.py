"""Heads and kinds of mentions, what a mention is by its words, and simple systems made by rules about them.

Heads are as files say them, by trees or by name, else by rules for English nouns. Kinds are pronoun, name or
nominal, by the tags of a document or guessed from English words.

A simple system, to compare with, has the mentions of gold, put into clusters by a rule. The rule sees the
mentions, the words and the syntax of gold, and nothing else of its annotation.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain, count
from typing import Any, Literal, NamedTuple, TypeAlias

from scorch2.model.document import Columns, Discontinuous, Document, Mention, OnDemand, Span, spans
from scorch2.model.errors import Notice, counted, quoted
from scorch2.model.markables import StoredMarkable

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


def typing_of(document: Document, how: str, heads: Callable[[], HeadOf | None]) -> Typing | None:
    """Return how the types of spans of a document are found, or None if they are not known."""
    # What tells heads is made when a type is asked for
    if how == "none" or not document.has_tokens or document.words is None:
        return None
    if how == "english":
        words = document.words()

        @cache
        def guessed(span: Span) -> str:
            return by_words(words[span[0] : span[1]])

        return Typing("english", guessed, lambda span: guessed(span) == "pronoun")
    tags = tags_of(document)
    return _by_tags_of(heads, sentence_starts(document), document.words(), tags) if tags else None


def _by_tags_of(
    heads: Callable[[], HeadOf | None], starts: Sequence[int], words: Sequence[str], tags: Sequence[str]
) -> Typing:
    """Return what tells types by tags, and by heads where the file has them."""

    @cache  # a mention is asked for by classes, patterns, names of entities and span errors
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


RuleName: TypeAlias = Literal["same-head", "same-lemma", "singletons", "one-cluster"]
RULES: Mapping[str, str] = {
    "same-head": "mentions whose heads are the same word, in upper or lower case",
    "same-lemma": "mentions whose heads have the same lemma; a head without one is taken as it is",
    "singletons": "no mention with another one",
    "one-cluster": "all mentions",
}
"""The rules, and what each puts into one cluster."""
_ODD = re.compile(r"[^\w.:'-]")  # what the name of a cluster cannot have in one format or another


class Head(NamedTuple):
    """The head of a mention, in lower case."""

    word: str
    lemma: str  # empty if the file does not say it


class Resolver:
    """A rule, and the documents over which its clusters reach: a value of ``--documents``."""

    def __init__(self, rule: str, documents: str = "file", topics: str = "") -> None:
        self._rule, self._documents, self._topics = rule, documents, topics
        self._heads = self._without_lemma = 0

    def resolved(self, document: Document, ident: str) -> Document:
        """Return a document with the clusters of the rule; `ident` is what it is paired by.

        They are numbered in the order of the text; those that reach over documents are called by their topic
        and what their mentions share.
        """
        from scorch2.scoring.pairing.topics import topic_of

        reach = self._documents != "file"
        topic = topic_of(ident, self._documents, self._topics, document.path) if reach else ""
        key_of, alone = self._keys(document), count(1)
        clusters: dict[str, list[Mention]] = {}
        for mention in _in_order(document):
            key = key_of(mention)
            name = f"{ident}:{next(alone)}" if key is None else f"{topic}::{key}"
            clusters.setdefault(_ODD.sub(_escaped, name), []).append(mention)
        if not reach:
            clusters = dict(zip(map(str, count(1)), clusters.values(), strict=False))
        return _with_clusters(document, clusters)

    def notices(self) -> Sequence[Notice]:
        """Return a warning if lemmas were asked for and heads have none."""
        if not self._without_lemma:
            return []
        found = f"{self._without_lemma} of {counted(self._heads, 'head')} have no lemma in the file"
        return [Notice("lemmas", "", f"{found}: same-lemma takes the lower-cased word, as same-head does")]

    def _keys(self, document: Document) -> Callable[[Mention], str | None]:
        """Return what tells what a mention shares with those of its cluster; None if it is alone."""
        if self._rule == "singletons":
            return lambda _: None
        if self._rule == "one-cluster":
            return lambda _: ""
        head_of = _heads(document, self._rule)

        def key_of(mention: Mention) -> str | None:
            head = head_of(mention)
            if head is None or self._rule == "same-head":
                return None if head is None else head.word
            self._heads += 1
            self._without_lemma += not head.lemma
            return head.lemma or head.word

        return key_of


def _escaped(odd: "re.Match[str]") -> str:
    return f"%{ord(odd[0]):x}."


def _in_order(document: Document) -> Sequence[Mention]:
    """Return the mentions, each once, in the order of the text if that is known."""
    every = list(dict.fromkeys(chain.from_iterable(document.clusters.values())))
    return sorted(spans(every)) if document.has_spans else every


def _heads(document: Document, rule: str) -> Callable[[Any], Head | None]:
    """Return what finds the heads of mentions; None for those without words."""
    if document.has_tokens and document.words is not None:
        return _heads_of_tokens(document)
    if document.text is not None and document.has_spans:
        text = document.text
        return lambda span: _guessed(text[slice(*span)].split())
    why = f"{quoted(document.id)} has no words, which --rule={rule} needs"
    raise document.error(f"{why} (singletons and one-cluster need none)")


def _heads_of_tokens(document: Document) -> Callable[[Any], Head | None]:
    words, lemmas = document.words() if document.words is not None else [], _lemmas(document)
    guessed = heads_guessed(document, "" if tags_of(document) else "english")
    token_of = first_known([heads_of(document), guessed])

    def head_of(span: Any) -> Head | None:
        token = None if token_of is None else token_of(span)
        return None if token is None else Head(words[token].lower(), lemmas.get(token, ""))

    return head_of


def _guessed(words: Sequence[str]) -> Head | None:
    return Head(words[head_by_words(words)].lower(), "") if words else None


def _lemmas(document: Document) -> Mapping[int, str]:
    """Return the lemmas of tokens that have one."""
    trees = document.trees() if document.trees is not None else ()
    rows = [row for tree in trees for row in tree.rows if row.id.isdecimal()]
    return {place: row.lemma.lower() for place, row in enumerate(rows) if row.lemma not in ("", "_")}


def _with_clusters(document: Document, clusters: Mapping[str, Sequence[Mention]]) -> Document:
    """Return a document with other clusters of its mentions, without all else that gold says of these."""
    markables = document.markables
    return Document(
        document.id, clusters, document.path, document.sentences, document.format, document.written,
        document.unit, document.words, flat=document.flat, notes=document.notes, half_open=document.half_open,
        exclusive=document.exclusive, first=document.first, unit_name=document.unit_name,
        numbered=document.numbered, text=document.text,
        tags=document.tags, trees=document.trees, sentence_ids=document.sentence_ids,
        empty_nodes=document.empty_nodes,
        markables=markables and OnDemand(_moved, document.clusters, markables, clusters),
    )  # fmt: skip


def _moved(
    old: Mapping[str, Sequence[Mention]],
    markables: Callable[[], Mapping[str, Sequence[Any]]],
    new: Mapping[str, Sequence[Mention]],
) -> Mapping[str, Sequence[StoredMarkable]]:
    """Return the words and heads of mentions, each in its new place."""
    known = markables()
    found = {
        mention: StoredMarkable(
            markable.nodes, markable.head, markable.minimum, markable.pieces, markable.edges
        )
        for name, members in old.items()
        for mention, markable in zip(members, known[name], strict=True)
    }
    return {name: [found[mention] for mention in members] for name, members in new.items()}
