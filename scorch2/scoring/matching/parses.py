"""Phrases of the parse column of CoNLL-2012, cut to a mention, as coval reads them.

Words that follow each other without a bracket between them are one leaf. A mention that begins inside a
phrase gives several trees, or a leaf that the phrases after it hang below.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

_LABEL_OF_MANY = "NP"
"""The label of a node above several trees."""


class Token(NamedTuple):
    """A row of the columns."""

    word: str
    tag: str
    """Its part of speech."""
    parse: str
    """``(NP*``: what opens before the word, and closes after it."""


class Phrase:
    """A node of a tree."""

    __slots__ = ("children", "label", "place", "tags", "words")

    def __init__(
        self, label: str, words: Sequence[str] = (), tags: Sequence[str] = (), place: int = 0
    ) -> None:
        self.label = label
        """That of a leaf is its words."""
        self.words = words
        self.tags = tags
        self.place = place
        """The number in the sentence of the token at whose bracket a leaf ends."""
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
        self._push(Phrase(label))

    def end(self) -> None:
        """Close the phrase that opened last."""
        if self.open:
            closed = self.open.pop()
            if not self.open:
                self.roots.append(closed)

    def end_leaf(self, place: int, *, before_phrase: bool) -> None:
        """Make a leaf of the words since the last bracket; of signs alone only if no phrase follows."""
        words, tags = self._words, self._tags
        self._words, self._tags = [], []
        is_kept = words and (not before_phrase or any(word.isalpha() or word.isdigit() for word in words))
        if is_kept:
            leaf = Phrase(" ".join(words), words, tags, place)
            if self.open:
                self.open[-1].children.append(leaf)
            else:
                self.open.append(leaf)

    def _push(self, phrase: Phrase) -> None:
        if self.open:
            self.open[-1].children.append(phrase)
        self.open.append(phrase)


def phrase_of(tokens: Iterable[Token], first: int) -> Phrase | None:
    """Return the tree of consecutive tokens, of which `first` is the number in the sentence of the first.

    None if there is no parse.
    """
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
