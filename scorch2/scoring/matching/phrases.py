"""Matching by the phrases of mentions, as coval does it: minimum spans, verb phrases, nested mentions.

The parse of gold counts for both sides. The order is that of coval: singletons, verb phrases, minimum spans,
nested mentions.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from scorch2.formats.losses import with_only
from scorch2.model.document import Columns, Document, Mention, Span, spans
from scorch2.model.errors import InputError, is_too_many, quoted
from scorch2.model.markables import MentionKey
from scorch2.model.options import Choices, Options
from scorch2.scoring.matching.mina import Minimum, minimum_span
from scorch2.scoring.matching.nested import without_nested
from scorch2.scoring.matching.parses import Token, phrase_of
from scorch2.scoring.matching.side import Side

_WORD, _TAG, _PARSE = 3, 4, 5
"""Columns of CoNLL-2012."""
_NO_PARSE = ("-", "_")
"""What stands in the column where no parser was at work; coval takes ``_`` for a parse without phrases."""
_BY_MINIMUM = "--match=mina"
_SINGLETON = 1
"""Mentions of a cluster that has no link."""


def prepared(sides: Sequence[Side], options: Options) -> Sequence[Side]:
    """Return both sides, gold first, with the mentions that count, as they compare.

    Raises
    ------
    InputError
        If gold has no parse that an option needs, or mentions are no spans.
    """
    choices = options.choices
    if not any(any(side.document.clusters.values()) for side in sides):
        return sides
    for side in sides:
        _refuse_names(side.document, options)
    if choices["singletons"] == "drop":
        sides = [
            _kept(side, lambda members: _all(members) if len(members) > _SINGLETON else []) for side in sides
        ]
    if choices["match"] == "mina" or choices["phrases"] == "np":
        sides = _by_trees(sides, choices)
    if choices["nested"] == "drop":
        outermost = partial(_outermost, keep_single=choices["singletons"] == "keep")
        sides = [_kept(side, outermost) for side in sides]
    return sides


def _by_trees(sides: Sequence[Side], choices: Choices) -> Sequence[Side]:
    """Return both sides without verb phrases, with minimum spans, as is asked for."""
    asked = _BY_MINIMUM if choices["match"] == "mina" else "--phrases=np"
    trees = _Parses(sides[0].document, asked)
    for side in sides:
        _refuse_many_words(side.document, trees.size)
    if choices["phrases"] == "np":
        sides = [_kept(side, trees.without_verb_phrases) for side in sides]
    if choices["match"] == "mina":
        sides = [_replaced(side, trees.key) for side in sides]
    return sides


def _refuse_names(document: Document, options: Options) -> None:
    if any(document.clusters.values()) and not document.has_spans:
        changed = options.changed()
        asked = next(
            f"--{name}={changed[name]}" for name in ("match", "phrases", "nested") if name in changed
        )
        why = f"mentions of {quoted(document.id)} are no spans of a text, which {asked} needs"
        raise InputError(document.path or document.id, "", f"{why} (give both sides as files with tokens)")


def _refuse_many_words(document: Document, size: int) -> None:
    """Raise an InputError if the mentions of a side are so long that there is no time to read each.

    Only mentions that are all inside each other are so many and so long.
    """
    found = {span for members in document.clusters.values() for span in spans(members)}
    words = sum(end - start for start, end in found)
    if is_too_many(words, len(found) + size):
        why = f"the mentions of {quoted(document.id)} have {words} words in all"
        how = "too many to read the phrase of each (use --match=exact and --phrases=all)"
        raise InputError(document.path or document.id, "", f"{why}, {how}")


def _all(members: Sequence[Mention]) -> list[int]:
    return list(range(len(members)))


def _outermost(members: Sequence[Mention], *, keep_single: bool) -> list[int]:
    return without_nested(spans(members), members, keep_single=keep_single)


def _kept(side: Side, choose: Callable[[Sequence[Mention]], Sequence[int]]) -> Side:
    """Return a side with the mentions of each cluster at the places that are chosen."""
    places = {name: choose(members) for name, members in side.document.clusters.items()}
    return side._replace(document=with_only(side.document, places), written=with_only(side.written, places))


def _replaced(side: Side, new: Callable[[Mention], Mention]) -> Side:
    clusters = {name: list(map(new, members)) for name, members in side.document.clusters.items()}
    return side._replace(document=side.document._replace(clusters=clusters))


class _Read(NamedTuple):
    """A span by its tree, which is not kept: where mentions are inside each other, trees take much room."""

    sentence: int
    label: str | None
    """None if the span leaves its sentence."""
    minimum: Minimum | None
    """None likewise, or if nothing asks for it."""


class _Parses:
    """The trees of spans, by the columns of gold; each is read once."""

    def __init__(self, gold: Document, asked: str) -> None:
        self._asked = asked
        self._tokens = _tokens(gold, asked)
        self._starts = [0, *accumulate(gold.sentences or ())]
        self._known: dict[Span, _Read] = {}

    @property
    def size(self) -> int:
        """The number of words of the document."""
        return len(self._tokens)

    def without_verb_phrases(self, members: Sequence[Mention]) -> list[int]:
        """Return the places of mentions that are no verb phrases; none if a single one would be left."""
        kept = []
        for place, (start, end) in enumerate(spans(members)):
            if self._read((start, end)).label != "VP":
                kept.append(place)
        return [] if len(kept) < len(members) and len(kept) <= _SINGLETON else kept

    def key(self, mention: Mention) -> Mention:
        """Return a mention as it compares; without a tree it equals mentions of its span alone."""
        ((start, end),) = spans([mention])
        read = self._read((start, end))
        if read.minimum is None:
            return MentionKey(mention, (-1, frozenset([(str(start), end)])))
        return MentionKey(mention, (read.sentence, read.minimum))

    def _read(self, span: Span) -> _Read:
        if span not in self._known:
            start, end = span
            sentence = bisect_right(self._starts, start) - 1
            self._known[span] = _Read(sentence, None, None)
            if end <= self._starts[sentence + 1]:
                self._known[span] = self._in_sentence(span, sentence)
        return self._known[span]

    def _in_sentence(self, span: Span, sentence: int) -> _Read:
        """Read a span that does not leave its sentence."""
        start, end = span
        tokens = self._tokens[start:end]
        tree = phrase_of(tokens, start - self._starts[sentence])
        if tree is None:
            return _Read(sentence, None, None)
        words = [token.word for token in tokens]
        return _Read(sentence, tree.label, minimum_span(tree, words) if self._asked == _BY_MINIMUM else None)


def _tokens(gold: Document, asked: str) -> list[Token]:
    """Return the columns of gold that are looked at.

    Raises
    ------
    InputError
        If it has none, or no parse on its first token, as where no parser was at work.
    """
    rows = gold.words.cells() if isinstance(gold.words, Columns) else []
    has_parse = rows and all(len(row) > _PARSE for row in rows) and rows[0][_PARSE] not in _NO_PARSE
    if not has_parse or not gold.has_tokens:
        why = f"{quoted(gold.id)} has no parse in a 6th column, which {asked} needs (CoNLL-2012 has one)"
        raise InputError(gold.path or gold.id, "", why)
    return [Token(row[_WORD], row[_TAG], row[_PARSE]) for row in rows]
