"""Matching by the phrases of mentions, as coval does it: minimum spans, verb phrases, nested mentions.

The parse of gold counts for both sides. The order is that of coval: singletons, verb phrases, minimum spans,
nested mentions.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Columns, Document, Mention, Span, spans, with_only
from scorch2.model.errors import quoted
from scorch2.model.markables import MentionKey
from scorch2.model.memory import is_too_many
from scorch2.model.options import Options
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide

_LABEL_OF_MANY = "NP"  # the label of a node above several trees


class Token(NamedTuple):
    """A row of the columns."""

    word: str
    tag: str  # its part of speech
    parse: str  # ``(NP*``: what opens before the word, and closes after it


class Phrase:
    """A node of a tree."""

    __slots__ = ("children", "label", "place", "tags", "words")

    def __init__(
        self, label: str, words: Sequence[str] = (), tags: Sequence[str] = (), place: int = 0
    ) -> None:
        self.label = label  # that of a leaf is its words
        self.words = words
        self.tags = tags
        self.place = place  # the number in the sentence of the token at whose bracket a leaf ends
        self.children: list[Phrase] = []

    @property
    def is_leaf(self) -> bool:
        """True if it has words."""
        return bool(self.words)


class _TreeReader:
    """Builds trees while the parse is read sign by sign."""

    def __init__(self) -> None:
        self.roots: list[Phrase] = []
        self.open: list[Phrase] = []
        self._words: list[str] = []
        self._tags: list[str] = []

    def add(self, token: Token) -> None:
        self._words.append(token.word)
        self._tags.append(token.tag)

    def begin(self, label: str) -> None:
        phrase = Phrase(label)
        if self.open:
            self.open[-1].children.append(phrase)
        self.open.append(phrase)

    def end(self) -> None:
        if self.open:
            closed = self.open.pop()
            if not self.open:
                self.roots.append(closed)

    def end_leaf(self, place: int, *, before_phrase: bool) -> None:
        """Make a leaf of the words since the last bracket; of signs alone only if no phrase follows."""
        words, tags = self._words, self._tags
        self._words, self._tags = [], []
        if words and (not before_phrase or any(word.isalpha() or word.isdigit() for word in words)):
            leaf = Phrase(" ".join(words), words, tags, place)
            (self.open[-1].children if self.open else self.open).append(leaf)


def phrase_of(tokens: Iterable[Token], first: int) -> Phrase | None:
    """Return the tree of consecutive tokens, of which `first` is the number in the sentence of the first."""
    # None if there is no parse
    trees = _TreeReader()
    place = first
    label: list[str] | None = None
    for place, token in enumerate(tokens, first):
        for sign in token.parse:
            if label is not None and sign in "(*":
                trees.begin("".join(label))
                label = None
            if sign == "(":
                trees.end_leaf(place, before_phrase=True)
                label = []
            elif sign == "*":
                trees.add(token)
            elif sign == ")":
                trees.end_leaf(place, before_phrase=False)
                trees.end()
                label = None
            elif label is not None and sign.isalpha():
                label.append(sign)
    trees.end_leaf(place, before_phrase=False)
    while trees.open:
        trees.end()
    if len(trees.roots) < 2:  # noqa: PLR2004 - several trees need a node above them
        return trees.roots[0] if trees.roots else None
    above = Phrase(_LABEL_OF_MANY)
    above.children += trees.roots
    return above


Minimum: TypeAlias = frozenset[tuple[str, int]]  # leaves, each with its place in the sentence
_NOMINAL, _VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
_NOUN_PHRASES = _NOMINAL[:2]
_NO_CORE = ("CC", "DT", "IN")  # parts of speech of words that are no core
_BRACKETS = ("-LRB-", "-RRB-")


def minimum_span(root: Phrase, words: Sequence[str]) -> Minimum:
    """Return the minimum span of a mention with `words`, of which `root` is the tree."""
    # It is a leaf alone; else the leaves directly below the root; else the highest leaves of each phrase
    # below it of the kind that counts; else the highest leaves of all. If there are none, it is all words.
    if root.is_leaf and _has_core(root):
        return frozenset([(root.label, root.place)])
    leaves = {(leaf.label, leaf.place) for leaf in root.children if leaf.is_leaf and _has_core(leaf)}
    if not leaves:
        kinds = _kinds(root)
        phrases = [phrase for phrase in root.children if phrase.children and phrase.label[:2] in kinds]
        for phrase in phrases:
            leaves |= _highest(phrase, kinds)
        if not phrases:
            leaves = _highest(root, ())
    return frozenset(leaves or ((word, number) for number, word in enumerate(words)))


def _has_core(leaf: Phrase) -> bool:
    """Return whether one of the words of a leaf may be the core of a mention."""
    return any(
        (word == "%" or any(sign.isalpha() or sign.isdigit() for sign in word))
        and word not in _BRACKETS
        and tag not in _NO_CORE
        for word, tag in zip(leaf.words, leaf.tags, strict=True)
    )


def _kinds(root: Phrase) -> Sequence[str]:
    """Return the labels of phrases, by their first two letters, in which the core of a mention may be."""
    own = _kinds_of(root.label)
    if own:
        return own
    below = [child.label[:2] for child in root.children]
    return _VERBAL if "VP" in below and not set(below) & set(_NOUN_PHRASES) else _NOMINAL


def _kinds_of(label: str) -> Sequence[str]:
    if label[:2] in _NOUN_PHRASES:
        return _NOMINAL
    return _VERBAL if label[:2] == "VP" else ()


def _highest(start: Phrase, kinds: Collection[str]) -> set[tuple[str, int]]:
    """Return the leaves with a core that are highest below `start`, reached through phrases of some kinds."""
    # Without kinds, the first noun or verb phrase on the way tells them. Leaves count only in such phrases.
    leaves: set[tuple[str, int]] = set()
    highest = inf
    waiting = deque([(start, 0)])
    while waiting:
        phrase, depth = waiting.popleft()
        kinds = kinds or _kinds_of(phrase.label)
        if phrase.is_leaf and depth <= highest:
            if _has_core(phrase):
                leaves.add((phrase.label, phrase.place))
                highest = depth
        elif depth < highest and (not kinds or phrase.label[:2] in kinds):
            is_kind = phrase.label[:2] in kinds
            waiting += [(child, depth + 1) for child in phrase.children if is_kind or not child.is_leaf]
    return leaves


def without_nested(spans: Sequence[Span], keys: Sequence[Hashable], *, keep_single: bool) -> list[int]:
    """Return the places of the mentions of a cluster that lie in no other one."""
    # Mentions of one key are the same, and none lies in the other; a key goes with all of its mentions. A
    # cluster of which one mention would be left stays whole or goes, as in coval. What would be left is
    # counted as there, too: a mention in two others is taken away twice.
    outer = _around(spans)
    same: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        same[key].append(place)
    for places in same.values():
        if len(places) > 1:
            for place, number in zip(places, _around([spans[place] for place in places]), strict=True):
                outer[place] -= number
    every = list(range(len(spans)))
    if len(spans) > 1 and len(spans) - sum(outer) == 1:
        return every if keep_single else []
    nested = {keys[place] for place in every if outer[place]}
    return [place for place in every if keys[place] not in nested]


def _around(spans: Sequence[Span]) -> list[int]:
    outer = [0] * len(spans)
    ends: list[int] = []
    for place in sorted(range(len(spans)), key=lambda place: (spans[place][0], -spans[place][1])):
        end = spans[place][1]
        outer[place] = len(ends) - bisect_left(ends, end)  # an equal span has the same key, see above
        insort(ends, end)
    return outer


_WORD, _TAG, _PARSE = 3, 4, 5  # columns of CoNLL-2012
_NO_PARSE = ("-", "_")
"""What stands in the column where no parser was at work; coval takes ``_`` for a parse without phrases."""
_BY_MINIMUM = "--match=mina"
_SINGLETON = 1  # mentions of a cluster that has no link


def require_spans(pair: ComparedPair, options: Options) -> ComparedPair:
    """Refuse mentions that are not spans of a text: they have no phrases."""
    for document in pair.documents:
        if document.has_mentions and not document.has_spans:
            changed = options.changed()
            asked = next(
                f"--{name}={changed[name]}" for name in ("match", "phrases", "nested") if name in changed
            )
            why = f"mentions of {quoted(document.id)} are not spans of a text, which {asked} needs"
            how = "give both sides as files with tokens"
            raise document.error(f"{why} ({how})")
    return pair


def drop_singletons_first(pair: ComparedPair, options: Options) -> ComparedPair:
    """Leave singletons out before phrases are looked at; a parse is needed even if nothing is left."""
    kept = _keep(pair, lambda members: range(len(members) if len(members) > _SINGLETON else 0))
    if _has_mentions(pair) and not _has_mentions(kept) and _asked(options):
        _known(pair.gold.document, _asked(options))
    return kept


def read_phrases(pair: ComparedPair, options: Options) -> ComparedPair:
    """Leave out verb phrases, and compare mentions by their minimum spans, as is asked for."""
    if not _has_mentions(pair):
        return pair
    trees = _Parses(pair.gold.document, _asked(options))
    for side in (pair.gold, pair.system):
        _refuse_many_words(side.document, len(trees.tokens))
    if options.choices["phrases"] == "np":
        pair = _keep(pair, trees.without_verb_phrases)
    if options.choices["match"] != "mina":
        return pair
    gold, system = (
        side.document._replace(
            clusters={name: list(map(trees.key, members)) for name, members in side.document.clusters.items()}
        )
        for side in (pair.gold, pair.system)
    )
    return pair.compared_as(gold, system)


def drop_nested(pair: ComparedPair, options: Options) -> ComparedPair:
    """Leave out mentions inside another one of their cluster."""
    keep_single = options.choices["singletons"] != "drop"
    return _keep(pair, lambda members: without_nested(spans(members), members, keep_single=keep_single))


def _asked(options: Options) -> str:
    """Return the option that looks at the parse of gold; empty if none does."""
    if options.choices["match"] == "mina":
        return _BY_MINIMUM
    return "--phrases=np" if options.choices["phrases"] == "np" else ""


def _has_mentions(pair: ComparedPair) -> bool:
    return any(document.has_mentions for document in pair.documents)


def _refuse_many_words(document: Document, size: int) -> None:
    """Raise an InputError if the mentions of a side are so long that there is no time to read each."""
    # Only mentions that are all inside each other are so many and so long
    every = {span for members in document.clusters.values() for span in spans(members)}
    words = sum(end - start for start, end in every)
    if is_too_many(words, len(every) + size):
        why = f"the mentions of {quoted(document.id)} have {words} words in all"
        how = "too many to read the phrase of each (use --match=exact and --phrases=all)"
        raise document.error(f"{why}, {how}")


def _keep(pair: ComparedPair, choose: Callable[[Sequence[Mention]], Sequence[int]]) -> ComparedPair:
    """Return a pair with the mentions of each cluster at the places that are chosen, itself if all are."""
    sides = pair.gold, pair.system
    places = [{name: choose(own) for name, own in side.document.clusters.items()} for side in sides]
    if all(
        len(kept[name]) == len(own)
        for side, kept in zip(sides, places, strict=True)
        for name, own in side.document.clusters.items()
    ):
        return pair
    gold, system = (
        ComparedSide(with_only(side.document, kept), with_only(side.written, kept))
        for side, kept in zip(sides, places, strict=True)
    )
    return pair._replace(gold=gold, system=system)


class _Read(NamedTuple):
    """A span by its tree, which is not kept: where mentions are inside each other, trees take much room."""

    sentence: int
    label: str | None  # None if the span leaves its sentence
    minimum: Minimum | None  # None likewise, or if nothing asks for it


class _Known:
    """The tokens and phrases of columns, which may be kept with them."""

    def __init__(self, words: Columns) -> None:
        rows = words.cells()
        has_parse = rows and all(len(row) > _PARSE for row in rows) and rows[0][_PARSE] not in _NO_PARSE
        self.tokens = [Token(row[_WORD], row[_TAG], row[_PARSE]) for row in rows] if has_parse else []
        self.spans: defaultdict[str, dict[Span, _Read]] = defaultdict(dict)  # by the option that asks
        self.keys: dict[Mention, Mention] = {}


class _Parses:
    """The trees of spans, by the columns of gold; each is read once."""

    def __init__(self, gold: Document, asked: str) -> None:
        self._asked = asked
        known = _known(gold, asked)
        self.tokens, self._known, self._keys = known.tokens, known.spans[asked], known.keys
        self._starts = [0, *accumulate(gold.sentences or ())]

    def without_verb_phrases(self, members: Sequence[Mention]) -> list[int]:
        """Return the places of mentions that are no verb phrases; none if a single one would be left."""
        kept = []
        for place, (start, end) in enumerate(spans(members)):
            if self._read((start, end)).label != "VP":
                kept.append(place)
        return [] if len(kept) < len(members) and len(kept) <= _SINGLETON else kept

    def key(self, mention: Mention) -> Mention:
        """Return a mention as it compares; without a tree it equals mentions of its span alone."""
        if mention not in self._keys:
            ((start, end),) = spans([mention])
            read = self._read((start, end))
            alone = -1, frozenset([(str(start), end)])
            what = alone if read.minimum is None else (read.sentence, read.minimum)
            self._keys[mention] = MentionKey(mention, what)
        return self._keys[mention]

    def _read(self, span: Span) -> _Read:
        if span not in self._known:
            start, end = span
            sentence = bisect_right(self._starts, start) - 1
            self._known[span] = _Read(sentence, None, None)
            if end <= self._starts[sentence + 1]:
                self._known[span] = self._in_sentence(span, sentence)
        return self._known[span]

    def _in_sentence(self, span: Span, sentence: int) -> _Read:
        start, end = span
        tokens = self.tokens[start:end]
        tree = phrase_of(tokens, start - self._starts[sentence])
        if tree is None:
            return _Read(sentence, None, None)
        words = [token.word for token in tokens]
        return _Read(sentence, tree.label, minimum_span(tree, words) if self._asked == _BY_MINIMUM else None)


def _known(gold: Document, asked: str) -> _Known:
    known = gold.words.made(_Known) if isinstance(gold.words, Columns) and gold.has_tokens else None
    if known is None or not known.tokens:
        why = f"{quoted(gold.id)} has no parse in a 6th column, which {asked} needs (CoNLL-2012 has one)"
        raise gold.error(why)
    return known
