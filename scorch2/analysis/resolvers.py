"""Simple systems to compare with: the mentions of gold, put into clusters by a rule.

A rule sees the mentions, the words and the syntax of gold, and nothing else of its annotation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from typing import Any, Literal, NamedTuple, TypeAlias

from scorch2.analysis.heads import first_known, head_by_words, heads_guessed, heads_of, tags_of
from scorch2.model.document import Document, Mention, OnDemand, spans
from scorch2.model.errors import Notice, counted, quoted
from scorch2.model.markables import StoredMarkable
from scorch2.scoring.pairing.topics import topic_of

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
