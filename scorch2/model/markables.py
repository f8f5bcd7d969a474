"""Mentions that are more than a span: words in several pieces, empty nodes, heads; and relations of them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, cast


class Word(NamedTuple):
    """The place of a word, or of an empty node, in a document; places sort in the order of the text."""

    sentence: int
    """The number of the sentence, from 0."""
    word: int
    """The number of the word in its sentence, from 1; 0 is the place before the first."""
    rank: int = 0
    """0 for a word, n for the n-th empty node behind it."""


class Pieces(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A mention that no span can say: it is in several pieces, or holds empty nodes.

    As a tuple it is the span ``(start, end)`` from its first to its last word, so that whatever sorts or
    shows spans can go on; that of an empty node alone has no tokens. It equals only a mention of the same
    words.

    >>> Pieces(2, 9, (Word(0, 3), Word(0, 9))) == (2, 9), sorted([Pieces(2, 9, ()), (0, 1)])[0]
    (False, (0, 1))
    """

    words: tuple[Word, ...]
    """Its words and empty nodes, in the order of the text."""

    def __new__(cls, start: int, end: int, words: tuple[Word, ...]) -> "Pieces":  # noqa: PYI034 - Python 3.10 has no Self
        """Make a mention of `words`, which lie in the span from `start` to `end`."""
        made = super().__new__(cls, (start, end))
        made.words = words
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pieces) and self.words == other.words

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.words)

    def __reduce__(self) -> tuple[type["Pieces"], tuple[int, int, tuple[Word, ...]]]:
        return Pieces, (self[0], self[1], self.words)

    def __repr__(self) -> str:
        return f"Pieces({pieces_name(self.words)})"


class Key(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A mention of a document with spans that equals others by something else; as a tuple it is the span.

    >>> Key((2, 9), "head 5") == Key((4, 7), "head 5"), Key((2, 9), "head 5") == (2, 9)
    (True, False)
    """

    mention: Hashable
    """The mention as its document has it."""
    what: Hashable
    """It equals the keys of the same."""

    def __new__(cls, mention: Hashable, what: Hashable) -> "Key":  # noqa: PYI034 - Python 3.10 has no Self
        """Make the key of a mention."""
        made = super().__new__(cls, cast("tuple[int, int]", mention))
        made.mention = mention
        made.what = what
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.what == other.what

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.what)

    def __reduce__(self) -> tuple[type["Key"], tuple[Hashable, ...]]:
        return Key, (self.mention, self.what)


def written(mention: Hashable) -> Hashable:
    """Return a mention as its document has it."""
    return mention.mention if isinstance(mention, Key) else mention


Edge: TypeAlias = tuple[str, str]
"""An enhanced dependency of an empty node: the governor, as the file writes it, and the relation."""


class Markable(Protocol):
    """All that a format says about a mention, for matching that looks at more than its words."""

    @property
    def words(self) -> tuple[Word, ...]:
        """Its words and empty nodes, in the order of the text."""

    @property
    def head(self) -> Word:
        """The first word if the format says nothing."""

    @property
    def minimum(self) -> frozenset[Word]:
        """The words that a partial match must hold; empty if nothing but the same words will do."""

    @property
    def chunks(self) -> tuple[tuple[Word, Word], ...]:
        """The first and the last word of each piece, as written."""

    @property
    def edges(self) -> frozenset[Edge]:
        """The dependencies of the head if that is an empty node."""

    @property
    def other(self) -> str:
        """All else that the file says about it, as the field ``other`` of CorefUD."""

    @property
    def is_zero(self) -> bool:
        """True if its head is an empty node."""

    @property
    def place(self) -> tuple[Word, Word, int]:
        """Its place in the order of mentions: first word, last word, number of words."""


class StoredMarkable(NamedTuple):
    """A `Markable` of which all is known."""

    words: tuple[Word, ...]
    head: Word
    minimum: frozenset[Word]
    chunks: tuple[tuple[Word, Word], ...]
    edges: frozenset[Edge] = frozenset()
    other: str = ""

    @property
    def is_zero(self) -> bool:
        """See `Markable`."""
        return self.head.rank > 0

    @property
    def place(self) -> tuple[Word, Word, int]:
        """See `Markable`."""
        return self.words[0], self.words[-1], len(self.words)


def zeros_in(mentions: Iterable[Hashable], markable_of: Mapping[Hashable, Markable]) -> list[Hashable]:
    """Return the mentions that are zeros; those with words are plain spans where no pieces compare."""
    return [one for one in mentions if markable_of[one].is_zero]


class Bridge(NamedTuple):
    """A bridging link, from an anaphor to what it is understood by."""

    anaphor: object
    """A mention, as in the clusters of the document."""
    anaphor_entity: str
    """The cluster that holds it."""
    antecedent: object
    """A mention likewise; None if the format names an entity that is not mentioned before."""
    antecedent_entity: str
    relation: str


class Relations(NamedTuple):
    """Annotation between and about entities."""

    sets: Mapping[str, Sequence[str]] = {}
    """The entities that an entity is made of (split antecedents), by its name."""
    bridging: Sequence[Bridge] = ()
    types: Mapping[str, str] = {}
    """The type of an entity, by its name, if it has one."""
    non_referring: Sequence[object] = ()
    """Mentions that refer to nothing: they are in no cluster."""


class Row(NamedTuple):
    """The line of a word in CoNLL-U: its ten columns, without the annotation of coreference in `misc`."""

    id: str
    """``4``, ``4-5`` for a token of two words, ``4.1`` for an empty node."""
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str


class Tree(NamedTuple):
    """A sentence with its syntax."""

    comments: Sequence[str]
    """The lines before it that begin with ``#``, but those about the file or the document."""
    rows: Sequence[Row]


def pieces_name(words: Sequence[Word]) -> str:
    """Return words as ``<sentence>.<pieces>``: ranges counted from 0, empty nodes as CoNLL-U names them.

    >>> pieces_name([Word(0, 1), Word(0, 2), Word(0, 4), Word(0, 4, 1)])
    '0.0-1+3-3+z4.1'
    """
    if words and words[0].sentence != words[-1].sentence:
        begin, end = words[0], words[-1]
        return f"{begin.sentence}.{begin.word - 1}-{end.sentence}.{end.word - 1}"
    parts: list[str] = []
    first = last = -1
    for _, word, rank in [*words, Word(0, 0, -1)]:
        if rank == 0 and word == last + 2 and first >= 0:
            last = word - 1
            continue
        if first >= 0:
            parts.append(f"{first}-{last}")
            first = -1
        if rank == 0:
            first = last = word - 1
        elif rank > 0:
            parts.append(f"z{word}.{rank}")
    return f"{words[0].sentence if words else 0}.{'+'.join(parts)}"
