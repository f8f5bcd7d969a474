"""A mention between the brackets of CorefUD: its words, its head, and what else its brackets say."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import partial

from scorch2.formats.conllu.corefud.cells import Opening, other_fields, other_places
from scorch2.formats.conllu.corefud.rows import Node, Place, Sentence
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Discontinuous, Edge, Nodes, Run, Word, joined_runs

_word = partial(tuple.__new__, Word)  # a third of the time of Word(...), and 2 % of a run


class BracketedMention:
    """A mention while it is read, and then a `Markable`, whose words are found when they are asked for.

    Most mentions equal one of the other side, and are asked for nothing but their head.
    """

    __slots__ = (
        "_header",
        "_written",
        "entity",
        "head",
        "head_number",
        "line",
        "mention",
        "of",
        "open_at",
        "places",
        "sentence",
    )

    def __init__(self, entity: str, of: int, bracket: Opening, sentence: Sentence, node: Node) -> None:
        self.entity = entity
        self.of = of
        """The number of its pieces; 0 if it is in one piece."""
        self.sentence = sentence
        self.line = node.line
        self._written = bracket.written
        """The first of its brackets; to keep all that was read of it would take 7 % more memory."""
        self._header = bracket.header
        self.head_number = bracket.head
        """The number of the head among its nodes, from 1; 0 if the last of its brackets says nothing."""
        self.places: list[tuple[Place, Place]] = []
        """The first and the last node of each piece."""
        self.open_at: Place | None = node.place
        """The beginning of the piece that is open."""
        self.mention: tuple[int, int]
        """As the document has it: a span of its words, or `Pieces` if no span can say it."""
        self.head: Word
        """The first word if the file says nothing."""

    @property
    def is_complete(self) -> bool:
        """True if all of it was read."""
        return self.open_at is None and len(self.places) >= self.of

    @property
    def nodes(self) -> Nodes:
        """Its words and empty nodes."""
        number, places = self.sentence.number, self.sentence.empty
        runs: list[Run] = []
        empty: dict[Word, None] = {}  # pieces may share one
        for (first, rank), last in self.places:
            begin = first + (rank > 0)
            if begin <= last[0]:
                runs.append((number, begin, last[0]))
            if places:
                start = bisect_left(places, (first, rank), key=_place)
                inside = places[start : bisect_right(places, last, key=_place)]
                empty.update([(_word((number, *node.place)), None) for node in inside])
        return Nodes(joined_runs(runs), tuple(empty))

    def complete(self) -> int:
        """Find the mention of the document that it is, and its head; all of it was read.

        Returns
        -------
        int
            The number of empty nodes in it.
        """
        sentence = self.sentence
        (first, rank), last = self.places[0]
        number = self.head_number or 1
        if not (self.of or (sentence.empty and _has_empty(sentence, (first, rank), last))):
            self.mention = sentence.before + first - 1, sentence.before + last[0]
            head = first + number - 1
            self.head = _word((sentence.number, min(last[0], head), 0))
            return 0
        nodes = self.nodes
        self.head = nodes.at(min(number, nodes.size))
        words = nodes.runs
        start = sentence.before + (words[0][1] - 1 if words else first)
        end = sentence.before + (words[-1][2] if words else first)
        is_span = len(words) == 1 and not nodes.empty
        self.mention = (start, end) if is_span else Discontinuous(start, end, nodes)
        return len(nodes.empty)

    @property
    def minimum(self) -> Nodes:
        """Its head alone."""
        return Nodes.of([self.head])

    @property
    def pieces(self) -> tuple[tuple[Word, Word], ...]:
        """The first and the last node of each piece, as written."""
        number = self.sentence.number
        return tuple([(Word(number, *first), Word(number, *last)) for first, last in self.places])

    @property
    def other(self) -> str:
        """The fields of its first bracket besides entity, type and head."""
        return other_fields(self._written.split("-"), other_places(self._header))

    @property
    def is_zero(self) -> bool:
        """True if its head is an empty node."""
        return self.head.rank > 0

    @property
    def place(self) -> tuple[Word, Word, int]:
        """Its place in the order of mentions: first word, last word, number of words."""
        if isinstance(self.mention, Discontinuous):
            nodes = self.mention.nodes
            return nodes.first, nodes.last, nodes.size
        start, end = self.mention
        number, before = self.sentence.number, self.sentence.before
        return _word((number, start - before + 1, 0)), _word((number, end - before, 0)), end - start

    @property
    def edges(self) -> frozenset[Edge]:
        """The enhanced dependencies of the head if that is an empty node.

        Raises
        ------
        InputError
            If it depends on what is not there.
        """
        empty, head = self.sentence.empty, self.head
        node = empty[bisect_left(empty, (head.word, head.rank), key=_place)] if head.rank else None
        if node is None or node.deps in ("", "_"):
            return frozenset()
        parts = [one.partition(":") for one in node.deps.split("|")]
        for governor, _, _ in parts:
            if not _is_in(self.sentence, governor):
                why = f"the empty node {node.name} depends on {quoted(governor)}, which is not there"
                raise InputError(self.sentence.path, f"line {node.line}", why)
        return frozenset((governor, relation) for governor, _, relation in parts)


def check_governors(mentions: Iterable[BracketedMention]) -> None:
    """Raise an InputError if an empty node that heads a mention depends on what is not there."""
    for mention in mentions:
        _ = mention.edges  # which raises it


def _place(node: Node) -> Place:
    return node.place


def _has_empty(sentence: Sentence, first: Place, last: Place) -> bool:
    """Return whether one of the nodes from first to last is empty; found without a look at each."""
    place = bisect_left(sentence.empty, first, key=_place)
    return place < len(sentence.empty) and sentence.empty[place].place <= last


def _is_in(sentence: Sentence, name: str) -> bool:
    """Return whether the node of a name is in a sentence, or is the root."""
    word, dot, rank = name.partition(".")
    if not all(part.isascii() and part.isdecimal() for part in (word, rank or "0")):
        return False
    if not dot:
        return int(word[:10]) <= sentence.length
    node = int(word[:10]), int(rank[:10] or 0)
    found = bisect_left(sentence.empty, node, key=_place)
    return found < len(sentence.empty) and sentence.empty[found].place == node
