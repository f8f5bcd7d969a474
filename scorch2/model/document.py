"""Document, the value that every reader returns: an id and clusters of mentions, for any format."""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from scorch2.model.anaphora import Anaphora
    from scorch2.model.annotation import Annotation
    from scorch2.model.markables import Markable, Relations
    from scorch2.model.trees import Tree

Found = TypeVar("Found")
Mention: TypeAlias = Hashable
"""A string, an integer or a tuple of integers when it was read from a file; any hashable in the library.

In a document with tokens (see `Document.sentences`) it is a span ``(start, end)`` of tokens, counted from 0
through the whole document, half-open; a mention that no span can say is `Pieces`.
"""


class OnDemand(Generic[Found]):
    """A part of a document that is extracted when it is called; most runs never need it."""

    __slots__ = ("_find", "_source")

    def __init__(self, find: Callable[..., Found], *source: Any) -> None:
        self._find = find
        self._source = source

    def __call__(self) -> Found:
        """Return the part."""
        return self._find(*self._source)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OnDemand) and (self._find, self._source) == (other._find, other._source)

    def __hash__(self) -> int:
        return hash((self._find, self._source))


class Words(OnDemand[list[str]]):
    """The tokens of a document, or something that each token has."""

    __slots__ = ()


class Columns(Words, ABC):
    """The tokens of a document in columns, which also have speakers, parts of speech and more."""

    __slots__ = ()

    @abstractmethod
    def cells(self) -> list[list[str]]:
        """Return the cells of each token, without the one that says which mentions are there."""

    def tags(self) -> list[str]:
        """Return the part of speech of each token, empty where one lacks; nothing if no token has one."""
        return []


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
    """The format it was read from, a key of `scorch2.formats.table.FORMATS`."""
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
    annotations: "Sequence[Annotation]" = ()
    """The mentions with their candidates, in the order of the file, if the format links them to a knowledge
    base; their spans are then the mentions of `clusters`."""
    anaphora: "Anaphora | None" = None
    """The pronouns and their antecedents, if the format has them."""

    half_open: bool = False
    """Whether tuples are half-open spans of a text even without `sentences`; else they are only ids."""
    exclusive: bool = False
    """Whether the file writes the end of a span as what follows it, not as its last unit."""
    first: int = 0
    """The number that the file gives to the first unit."""
    unit_name: str = ""
    """What the file writes before the number of a unit, if anything."""
    text: str | None = None
    """The text whose characters the spans count, if the format has it."""
    types: Mapping[tuple[int, int], str | Mapping[str, Any]] | None = None
    """What the format says about the kind of a span besides coreference, as `Candidate.type`."""
    tags: Words | None = None
    """The part-of-speech tags of the tokens, if the format has them; none at all if the file has no tag."""
    markables: "OnDemand[Mapping[str, Sequence[Markable]]] | None" = None
    """All that the format says about the mentions of `clusters`, each in its place, if that is more than the
    words that they hold."""
    relations: "OnDemand[Relations] | None" = None
    """Sets of entities, bridging and types, if the format has them."""
    trees: "OnDemand[list[Tree]] | None" = None
    """The syntax of the sentences, if the format has it."""
    sentence_ids: "OnDemand[Sequence[str]] | None" = None
    """The ids of the sentences that have one, in order, if both sides must agree on them."""
    layers: Mapping[str, "Document"] = {}
    """Other annotations of the same text by name, if the format has them: ``deixis``."""

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
    def has_pieces(self) -> bool:
        """True if there is a mention that no span can say."""
        from scorch2.model.markables import Pieces

        return any(isinstance(one, Pieces) for one in chain.from_iterable(self.clusters.values()))


Span: TypeAlias = tuple[int, int]
"""A half-open span of a text: its first unit, and the one after its last."""
Clusters: TypeAlias = Document | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]
"""The forms in which Python callers give the clusters of a document. A mention is hashable, or a list or an
array of integers."""


def spans(members: Sequence[Mention]) -> Sequence[Span]:
    """Return the mentions of a document with `Document.sentences`, typed as spans."""
    return cast("Sequence[Span]", members)


def span_names(document: Document) -> dict[Span, str]:
    """Return the readable id of every token span: ``<sentence>.<first>-<last>``, all counted from 0.

    A span over a sentence break is ``<sentence>.<first>-<sentence>.<last>``.

    >>> span_names(Document("d", {"a": [(0, 1), (4, 6), (1, 5)]}, sentences=[4, 3]))
    {(0, 1): '0.0-0', (4, 6): '1.0-1', (1, 5): '0.1-1.0'}
    """
    from scorch2.model.markables import Pieces, pieces_name

    starts = [0, *accumulate(document.sentences or ())]
    names: dict[Span, str] = {}
    for span in chain.from_iterable(map(spans, document.clusters.values())):
        start, end = span
        if isinstance(span, Pieces):
            names[span] = pieces_name(span.nodes)
            continue
        first = bisect_right(starts, start) - 1
        begin = starts[first]
        if end <= starts[first + 1]:
            names[span] = f"{first}.{start - begin}-{end - 1 - begin}"
        else:
            last = bisect_left(starts, end) - 1
            names[span] = f"{first}.{start - begin}-{last}.{end - 1 - starts[last]}"
    return names


def named_clusters(document: Document) -> dict[str, list[Mention]]:
    """Return the clusters with token spans replaced by their names, as the converter writes them."""
    if not document.has_tokens:
        return {cluster: list(members) for cluster, members in document.clusters.items()}
    names = span_names(document)
    return {
        cluster: [names[span] for span in spans(members)] for cluster, members in document.clusters.items()
    }
