"""All that formats say of mentions besides clusters: words and heads, relations, links, pronouns, syntax."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

Run: TypeAlias = tuple[int, int, int]
"""Words that follow each other: their sentence, the first and the last, from 1; the last is one of them."""


def joined_runs(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Return sorted runs with those made one that share words or follow each other."""
    merged: list[Run] = []
    for sentence, first, last in runs:
        if merged and merged[-1][0] == sentence and first <= merged[-1][2] + 1:
            merged[-1] = sentence, merged[-1][1], max(last, merged[-1][2])
        else:
            merged.append((sentence, first, last))
    return tuple(merged)


def runs_of(start: int, end: int, starts: Sequence[int]) -> Iterator[Run]:
    """Yield the runs of a span of tokens, one in each sentence; `starts` are theirs, and the end of all."""
    sentence = bisect_right(starts, start) - 1
    while start < end:
        before, stop = starts[sentence], min(end, starts[sentence + 1])
        if start < stop:
            yield sentence, start - before + 1, stop - before
        start, sentence = stop, sentence + 1


def common_words(one: Sequence[Run], other: Sequence[Run]) -> int:
    """Return the number of words that two mentions share, each as runs in their order."""
    number = here = there = 0
    while here < len(one) and there < len(other):
        (sentence, first, last), (place, begin, end) = one[here], other[there]
        if sentence == place:
            number += max(0, min(last, end) - max(first, begin) + 1)
        if (sentence, last) < (place, end):
            here += 1
        else:
            there += 1
    return number


class Word(NamedTuple):
    """The place of a word, or of an empty node, in a document; places sort in the order of the text."""

    sentence: int  # the number of the sentence, from 0
    word: int  # the number of the word in its sentence, from 1; 0 is the place before the first
    rank: int = 0  # 0 for a word, n for the n-th empty node behind it


class Nodes(NamedTuple):
    """Words and empty nodes, in the order of the text; many words take no more room than one.

    >>> found = Nodes.of([Word(0, 1), Word(0, 2), Word(0, 2, 1), Word(0, 3), Word(0, 5)])
    >>> found.runs, found.size, found.at(3)
    (((0, 1, 3), (0, 5, 5)), 5, Word(sentence=0, word=2, rank=1))
    """

    runs: tuple[Run, ...]  # its words, in as few runs as possible: the same words are the same runs
    empty: tuple[Word, ...]  # its empty nodes

    @classmethod
    def of(cls, words: Iterable[Word]) -> "Nodes":
        """Return some words and empty nodes."""
        every = sorted(words)
        runs = [(sentence, word, word) for sentence, word, rank in every if not rank]
        return cls(joined_runs(runs), tuple([node for node in every if node.rank]))

    @property
    def size(self) -> int:
        """Their number."""
        return sum([last - first + 1 for _, first, last in self.runs]) + len(self.empty)

    @property
    def first(self) -> Word:
        """The first of them."""
        if not self.runs:
            return self.empty[0]
        sentence, word, _ = self.runs[0]
        begin = Word(sentence, word)
        return min(begin, self.empty[0]) if self.empty else begin

    @property
    def last(self) -> Word:
        """The last of them."""
        if not self.runs:
            return self.empty[-1]
        sentence, _, word = self.runs[-1]
        end = Word(sentence, word)
        return max(end, self.empty[-1]) if self.empty else end

    def parts(self) -> Iterator[tuple[Word, int]]:
        """Yield the first word and the number of words of each stretch that no empty node here interrupts."""
        # Each of these nodes comes in its place, with the number 1
        at = 0
        for sentence, begin, last in self.runs:
            first = begin
            while at < len(self.empty) and self.empty[at] < (sentence, last):
                node = self.empty[at]
                if node > (sentence, first):
                    yield Word(sentence, first), node.word - first + 1
                    first = node.word + 1
                yield node, 1
                at += 1
            yield Word(sentence, first), last - first + 1
        yield from ((node, 1) for node in self.empty[at:])

    def at(self, number: int) -> Word:
        """Return the node at a position, from 1; IndexError if there is none."""
        for first, size in self.parts():
            if number <= size:
                return Word(first.sentence, first.word + number - 1, first.rank) if size > 1 else first
            number -= size
        raise IndexError(number)

    def between(self, first: Word, last: Word) -> "Nodes":
        """Return those from one place to another, both included.

        >>> Nodes.of([Word(0, 1), Word(0, 2), Word(0, 2, 1), Word(0, 3)]).between(Word(0, 2), Word(0, 2, 1))
        Nodes(runs=((0, 2, 2),), empty=(Word(sentence=0, word=2, rank=1),))
        """
        runs = []
        for sentence, begin, end in self.runs:
            start = first.word + (first.rank > 0) if sentence == first.sentence else begin
            stop = last.word if sentence == last.sentence else end
            if first.sentence <= sentence <= last.sentence and max(begin, start) <= min(end, stop):
                runs.append((sentence, max(begin, start), min(end, stop)))
        return Nodes(tuple(runs), tuple([node for node in self.empty if first <= node <= last]))

    def crosses(self, other: "Nodes") -> bool:
        """Return whether these and others share some, and neither hold all of the other."""
        number = common_words(self.runs, other.runs) + len(set(self.empty).intersection(other.empty))
        return 0 < number < min(self.size, other.size)

    def number_of(self, node: Word) -> int:
        """Return the number of one of them, from 1."""
        before = 0
        for first, size in self.parts():
            if first <= node <= (first.sentence, first.word + size - 1, first.rank):
                return before + node.word - first.word + 1
            before += size
        raise ValueError(node)


Edge: TypeAlias = tuple[str, str]
"""An enhanced dependency of an empty node: the governor, as the file writes it, and the relation."""


class Markable(Protocol):
    """All that a format says about a mention, for matching that looks at more than its words."""

    @property
    def nodes(self) -> Nodes:
        """Its words and empty nodes."""

    @property
    def head(self) -> Word:
        """The first word if the format says nothing."""

    @property
    def minimum(self) -> Nodes:
        """Those that a partial match must hold; none if nothing but the same words will do."""

    @property
    def pieces(self) -> tuple[tuple[Word, Word], ...]:
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

    nodes: Nodes
    head: Word
    minimum: Nodes
    pieces: tuple[tuple[Word, Word], ...]
    edges: frozenset[Edge] = frozenset()
    other: str = ""

    @property
    def is_zero(self) -> bool:
        """See `Markable`."""
        return self.head.rank > 0

    @property
    def place(self) -> tuple[Word, Word, int]:
        """See `Markable`."""
        return self.nodes.first, self.nodes.last, self.nodes.size


def moved(one: Markable, nodes: Callable[[Nodes], Nodes], word: Callable[[Word], Word]) -> StoredMarkable:
    """Return all that is known of a mention whose words and empty nodes have other places."""
    pieces = tuple([(word(first), word(last)) for first, last in one.pieces])
    return StoredMarkable(nodes(one.nodes), word(one.head), nodes(one.minimum), pieces, one.edges, one.other)


def zeros_in(mentions: Iterable[Hashable], markable_of: Mapping[Hashable, Markable]) -> list[Hashable]:
    """Return the mentions whose head is an empty node, as their format says."""
    # The mention itself may be a plain span by now, where pieces do not compare
    return [mention for mention in mentions if markable_of[mention].is_zero]


class Bridge(NamedTuple):
    """A bridging link, from an anaphor to what it is understood by."""

    anaphor: object  # a mention, as in the clusters of the document
    anaphor_entity: str  # the cluster that holds it
    antecedent: object  # a mention likewise; None if the format names an entity that is not mentioned before
    antecedent_entity: str
    relation: str


class Relations(NamedTuple):
    """Annotation between and about entities."""

    sets: Mapping[str, Sequence[str]] = {}
    """The entities that an entity is made of (split antecedents), by its name."""
    bridging: Sequence[Bridge] = ()
    non_referring: Sequence[object] = ()  # mentions that refer to nothing: they are in no cluster
    no_clusters: Mapping[str, Sequence[object]] = {}
    """The mentions of entities that refer to nothing and are in sets, by name."""


def nodes_name(nodes: Nodes) -> str:
    """Return nodes as ``<sentence>.<pieces>``: ranges counted from 0, empty nodes as CoNLL-U names them.

    >>> nodes_name(Nodes.of([Word(0, 1), Word(0, 2), Word(0, 4), Word(0, 4, 1)]))
    '0.0-1+3-3+z4.1'
    """
    if not (nodes.runs or nodes.empty):
        return "0."
    begin, end = nodes.first, nodes.last
    if begin.sentence != end.sentence:
        return f"{begin.sentence}.{begin.word - 1}-{end.sentence}.{end.word - 1}"
    parts = [
        f"z{node.word}.{node.rank}" if node.rank else f"{node.word - 1}-{node.word + size - 2}"
        for node, size in nodes.parts()
    ]
    return f"{begin.sentence}.{'+'.join(parts)}"


class MentionKey(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A mention of a document with spans that equals others by something else; as a tuple it is the span.

    >>> MentionKey((2, 9), "head 5") == MentionKey((4, 7), "head 5"), MentionKey((2, 9), "head 5") == (2, 9)
    (True, False)
    """

    mention: Hashable  # the mention as its document has it
    what: Hashable  # it equals the keys of the same

    def __new__(cls, mention: Hashable, what: Hashable) -> "MentionKey":  # noqa: PYI034 - Python 3.10 has no Self
        """Make the key of a mention."""
        made = super().__new__(cls, cast("tuple[int, int]", mention))
        made.mention = mention
        made.what = what
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MentionKey) and self.what == other.what

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.what)

    def __reduce__(self) -> tuple[type["MentionKey"], tuple[Hashable, ...]]:
        return MentionKey, (self.mention, self.what)


def as_written(mention: Hashable) -> Hashable:
    """Return a mention as its document has it."""
    return mention.mention if isinstance(mention, MentionKey) else mention


class SyntaxRow(NamedTuple):
    """The line of a word in CoNLL-U: its ten columns, without the annotation of coreference in `misc`."""

    id: str  # ``4``, ``4-5`` for a token of two words, ``4.1`` for an empty node
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
    rows: Sequence[SyntaxRow]

    @property
    def sent_id(self) -> str:
        """Its id; empty if no comment gives one."""
        return next(filter(None, map(sent_id_in, self.comments)), "")


def sent_id_in(comment: str) -> str:
    """Return the id that a comment gives to its sentence; empty if it gives none.

    >>> sent_id_in("# sent_id = news-1"), sent_id_in("# text = sent_id")
    ('news-1', '')
    """
    name, _, value = comment[1:].partition("=")
    return value.strip() if name.strip() == "sent_id" else ""


def highest_nodes(low: int, high: int) -> Iterator[int]:
    """Yield the highest nodes that hold together the nodes of places from `low` up to `high`, and no others.

    There are at most two on each level of the tree.

    >>> sorted(highest_nodes(5, 8))
    [3, 5]
    """
    while low < high:
        if low % 2:
            yield low
            low += 1
        if high % 2:
            high -= 1
            yield high
        low, high = low // 2, high // 2


class Candidate(NamedTuple):
    """An entity that a mention may denote."""

    id: str | None = None
    """An id of the knowledge base, or one outside it, which begins with `NIL`; None is neither."""
    score: float | None = None  # used only to order the candidates, never in a measure; not NaN
    type: str | Mapping[str, Any] | None = None
    """A label, or the members of a JSON object, each a field of the mention."""


class Annotation(NamedTuple):
    """A mention with its candidates, in the order of the file."""

    start: int
    end: int  # Half-open: ``end`` is after the last unit. Readers and writers convert.
    candidates: tuple[Candidate, ...] = ()
    line: int = 0  # its line in the file, for messages; 0 if unknown

    @property
    def top(self) -> Candidate:
        """The candidate with the highest score, the first of equal ones; an empty one if there is none."""
        # A candidate without a score ranks last
        if len(self.candidates) == 1:
            return self.candidates[0]
        lowest = float("-inf")
        return max(
            self.candidates, key=lambda one: lowest if one.score is None else one.score, default=Candidate()
        )


_NOTHING: Mapping[Hashable, Any] = {}


class Anaphora(NamedTuple):
    """Pronouns and their antecedents on one side of a document; the chains are the document's clusters."""

    answers: Mapping[Hashable, Hashable | None] = _NOTHING
    """The antecedent of each pronoun that has a pair, in the order of the file; None if none is given."""
    pronouns: frozenset[Hashable] = frozenset()  # the mentions that the annotation declares to be pronouns
    entities: tuple[Hashable, ...] | None = None
    """All mentions, if the annotation lists them; no others may occur then."""
    text: str | None = None  # the text to which spans of characters refer, if it is known
    lines: Mapping[Hashable, int] = _NOTHING  # the line of each pronoun's pair in the file, for messages

    @property
    def pronominal(self) -> frozenset[Hashable]:
        """The mentions that are pronouns: declared as such, or with a pair."""
        return self.pronouns.union(self.answers)
