"""Document, the value that every reader returns: an id and clusters of mentions, for any format."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from scorch2.model.errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Self

    from scorch2.model.markables import Anaphora, Annotation, Markable, Nodes, Relations, Tree, Word
else:  # as strings they would be compiled when `Document` is made, which takes 6 % of a small run
    Anaphora = Annotation = Markable = Relations = Tree = object


Found = TypeVar("Found")
Mention: TypeAlias = Hashable
"""A string, an integer or a tuple of integers when it was read from a file; any hashable in the library.
In a document with tokens (see `Document.sentences`) it is a span ``(start, end)`` of tokens, counted from 0
through the whole document, half-open; a mention that no span can say is `Discontinuous`."""


Label: TypeAlias = str | Mapping[str, Any] | None
"""What a mention stands for: its category, such as ``PER``, or the members of a JSON object that has it as
``type``; None or an empty string if nothing is said."""


class OnDemand(Generic[Found]):
    """A part of a document that is extracted when it is called; most runs never need it."""

    __slots__ = ("_find", "_source")

    def __init__(self, find: Callable[..., Found], *source: Any) -> None:
        self._find = find
        self._source = source

    def __call__(self) -> Found:
        """Return the part."""
        return self._find(*self._source)

    def once(self) -> "Self":
        """Return the same, found by the first call and kept: for what is asked for again and again."""
        from copy import copy

        same, kept = copy(self), cache(self)
        same._find = lambda *_: kept()  # noqa: SLF001 - same class
        return same

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OnDemand) and (self._find, self._source) == (other._find, other._source)

    def __hash__(self) -> int:
        return hash((self._find, self._source))


class Words(OnDemand[list[str]]):
    """The tokens of a document, or something that each token has."""

    __slots__ = ()

    def are_surely(self, other: "Words") -> bool:
        """Return whether the tokens are the same ones, if that is found without extracting them."""
        return self == other


class Columns(Words, ABC):
    """The tokens of a document in columns, which also have speakers, parts of speech and more."""

    __slots__ = ()

    @abstractmethod
    def cells(self) -> list[list[str]]:
        """Return the cells of each token, without the one that says which mentions are there."""

    def tags(self) -> list[str]:
        """Return the part of speech of each token, empty where one lacks; nothing if no token has one."""
        return []

    def made(self, make: "Callable[[Columns], Found]") -> Found:
        """Return what a function makes of the columns, which may be kept and so given out again."""
        return make(self)


class Discontinuous(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A discontinuous mention, or one that holds empty nodes: no span can say it.

    As a tuple it is the span ``(start, end)`` from its first to its last word, so that what sorts or shows
    spans can go on; that of an empty node alone has no tokens. It equals only a mention of the same words.

    >>> from scorch2.model.markables import Word
    >>> Discontinuous(2, 9, (Word(0, 3), Word(0, 9))) == (2, 9), sorted([Discontinuous(2, 9, ()), (0, 1)])[0]
    (False, (0, 1))
    """

    nodes: "Nodes"

    def __new__(cls, start: int, end: int, nodes: "Nodes | Iterable[Word]") -> "Discontinuous":  # noqa: PYI034 - Python 3.10 has no Self
        """Make a mention of words and empty nodes, which lie in the span from `start` to `end`."""
        made = super().__new__(cls, (start, end))
        made.nodes = cast("Nodes", nodes) if hasattr(nodes, "runs") else _nodes_of(nodes)
        return made

    @property
    def name(self) -> str:
        """Its name in files and messages, see `scorch2.model.markables.nodes_name`."""
        from scorch2.model.markables import nodes_name

        return nodes_name(self.nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discontinuous) and self.nodes == other.nodes

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.nodes)

    def __reduce__(self) -> tuple[type["Discontinuous"], tuple[int, int, "Nodes"]]:
        return Discontinuous, (self[0], self[1], self.nodes)

    def __repr__(self) -> str:
        return f"Discontinuous({self.name})"


def _nodes_of(words: "Iterable[Word]") -> "Nodes":
    from scorch2.model.markables import Nodes

    return Nodes.of(words)


class Document(NamedTuple):
    """The coreference annotation of one text, exactly as written: with its repeats and empty clusters."""

    id: str
    """Its name, by which it is paired and reported."""
    clusters: Mapping[str, Sequence[Mention]]
    """Mentions by the name of their cluster, in the order of the file."""
    path: str = ""
    """The file it came from, for messages."""
    sentences: Sequence[int] | None = None
    """Units (tokens or characters) per sentence if the format has the text; the mentions are then spans."""
    format: str = ""
    """The format it was read from, such as ``conll``."""
    written: str = ""
    """A note on how the file writes mentions, for formats that allow several ways."""
    unit: str = "token"
    """What spans count: ``token``, ``character`` (of one text), or empty if the file does not say."""
    words: Words | None = None
    """The tokens, if the format has them; where spans count characters see `text`."""
    flat: bool = False
    """Whether there are tokens without known sentences; spans then have no readable names."""
    notes: Sequence[str] = ()
    """What the reader skipped, for warnings."""
    category_notes: Sequence[str] = ()
    """What the reader skipped of categories, for warnings where these count."""
    file_notes: Sequence[str] = ()
    """What the reader says about the whole file, for warnings that are given once."""
    key: str = ""
    """The key that its clusters stand under, in formats where it may be one of several."""
    refused: InputError | None = None
    """Why it could not be read, if it is known by its name only, to be left out."""
    annotations: Sequence[Annotation] = ()
    """The mentions with their candidates, in the order of the file, if the format links them to a knowledge
    base; their spans are then the mentions of `clusters`."""
    anaphora: Anaphora | None = None
    """The pronouns and their antecedents, if the format has them."""

    half_open: bool = False
    """Whether tuples are half-open spans of a text even without `sentences`; else they are only ids."""
    exclusive: bool = False
    """Whether the file writes the end of a span as what follows it, not as its last unit."""
    first: int = 0
    """The number that the file gives to the first unit."""
    unit_name: str = ""
    """What the file writes before the number of a unit, if anything."""
    numbered: bool = False
    """Whether the names of its clusters only number them, as their place in a list does."""
    text: str | None = None
    """The text whose characters the spans count, if the format has it."""
    categories: OnDemand[Mapping[str, Sequence[Label]]] | None = None
    """What the mentions of `clusters` stand for (person, place, event), each in its place, if the format says
    it; a cluster of which it says nothing may be absent. See `labels_of`."""
    tags: Words | None = None
    """The part-of-speech tags of the tokens, if the format has them; none at all if the file has no tag."""
    markables: OnDemand[Mapping[str, Sequence[Markable]]] | None = None
    """All that the format says about the mentions of `clusters`, each in its place, if that is more than the
    words that they hold."""
    relations: OnDemand[Relations] | None = None
    """Sets of entities and bridging, if the format has them."""
    trees: OnDemand[list[Tree]] | None = None
    """The syntax of the sentences, if the format has it."""
    sentence_ids: OnDemand[Sequence[str]] | None = None
    """The ids of the sentences that have one, in order, if both sides must agree on them."""
    empty_nodes: Sequence[int] = ()
    """The number of words before each empty node, if scorers may take its row for a word."""
    repairs: Sequence[InputError] = ()
    """What had to be repaired to read marks in a text; who reads strictly raises the first of them."""
    against: Callable[["Document", Sequence[str]], "Document"] | None = None
    """Reads a text with marks again, a copy of some words: brackets that these have are words, too."""
    windows: tuple["Document", ...] = ()
    """The parts of its text that a system got one after the other; the clusters are theirs."""
    layers: Mapping[str, "Document"] = {}
    """Other annotations of the same text by name, if the format has them: ``deixis``."""
    unread: OnDemand[Mapping[str, int]] | None = None
    """How many things of each kind the file has that no other field holds, by a noun; for conversion."""
    subtokens: Sequence[int] = ()
    """The token of each sub-token that its program counts, if the format says it."""
    sha256: bytes = b""
    """The SHA-256 of its bytes in its file, if that was asked for, see `scorch2.formats.chunks`."""

    def __repr__(self) -> str:
        mentions = sum(map(len, self.clusters.values()))
        made = f", format={self.format!r}" if self.format else ""
        return f"Document(id={self.id!r}, clusters={len(self.clusters)}, mentions={mentions}{made})"

    def error(self, why: str, where: str = "") -> InputError:
        """Return an error about the document."""
        return InputError(self.path or self.id, where, why)

    @property
    def has_mentions(self) -> bool:
        """True if a cluster holds one."""
        return any(self.clusters.values())

    @property
    def has_spans(self) -> bool:
        """True if the mentions are half-open spans of a text."""
        return self.half_open or self.sentences is not None

    @property
    def has_tokens(self) -> bool:
        """True if the mentions are spans of tokens."""
        return self.sentences is not None and self.unit == "token"

    def worded_sentences(self) -> list[list[str]] | None:
        """Return the tokens by sentence; None if they or the sentences are not known."""
        if self.words is None or self.sentences is None or not self.has_tokens:
            return None
        words = iter(self.words())
        return [list(islice(words, length)) for length in self.sentences]

    @property
    def has_discontinuous(self) -> bool:
        """True if there is a mention that no span can say."""
        return any(isinstance(one, Discontinuous) for one in chain.from_iterable(self.clusters.values()))


def with_hash(document: Document, sha256: bytes) -> Document:
    """Return a document with its last field, in a third of the time that `_replace` takes."""
    return Document._make((*document[:-1], sha256))


Span: TypeAlias = tuple[int, int]  # a half-open span of a text: its first unit, and the one after its last
Clusters: TypeAlias = Document | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]
"""The forms in which Python callers give the clusters of a document. A mention is hashable, or a list or an
array of integers."""


def with_only(document: Document, places: Mapping[str, Sequence[int]]) -> Document:
    """Return a document with the mentions at some places of each cluster, and what is known of those."""
    clusters = {name: [members[i] for i in places[name]] for name, members in document.clusters.items()}
    markables, categories = document.markables, document.categories
    return document._replace(
        clusters=clusters,
        markables=markables and OnDemand(_values_at, markables, places),
        categories=categories and OnDemand(_values_at, categories, places),
    )


def _values_at(
    every: OnDemand[Mapping[str, Sequence[Found]]], places: Mapping[str, Sequence[int]]
) -> Mapping[str, Sequence[Found]]:
    return {name: [members[i] for i in places[name]] for name, members in every().items()}


def spans(members: Sequence[Mention]) -> Sequence[Span]:
    """Return the mentions of a document with `Document.sentences`, typed as spans."""
    return cast("Sequence[Span]", members)


def are_strings(values: Iterable[Any]) -> bool:
    """Return whether all values are strings; to look at their types takes 1.5 % more of a run."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True
