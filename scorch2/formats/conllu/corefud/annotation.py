"""The coreference annotation in one document of CorefUD: its mentions and links, read bracket by bracket."""

from bisect import bisect_left
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from scorch2.formats.conllu.corefud.cells import (
    Header,
    Link,
    Opening,
    attributes,
    chunks,
    entity_of,
    links,
    opening,
)
from scorch2.formats.conllu.corefud.rows import Node, Sentence, sentences
from scorch2.formats.conllu.misc import CellError
from scorch2.formats.conllu.parts import Part
from scorch2.model.errors import InputError
from scorch2.model.messages import counted, quoted


class BracketedMention:
    """A mention while it is read, and after: its pieces, each with its first and its last node."""

    __slots__ = ("entity", "fields", "head", "line", "of", "open_at", "pieces", "sentence")

    def __init__(self, entity: str, of: int, bracket: Opening, sentence: Sentence, node: Node) -> None:
        self.entity = entity
        self.of = of
        """The number of its pieces; 0 if it is in one piece."""
        self.sentence = sentence
        self.line = node.line
        self.fields = bracket.fields
        """The fields of its first bracket, as written."""
        self.head = bracket.head
        """The number of the head among its nodes, from 1; 0 if the file says nothing."""
        self.pieces: list[tuple[Node, Node]] = []
        self.open_at: Node | None = node
        """The beginning of the piece that is open."""

    @property
    def is_complete(self) -> bool:
        """True if all of it was read."""
        return self.open_at is None and len(self.pieces) >= self.of

    def nodes(self) -> list[tuple[int, int]]:
        """Return word and rank of each of its nodes, in the order of the text."""
        empty = self.sentence.empty
        found: set[tuple[int, int]] = set()
        for first, last in self.pieces:
            found.update((word, 0) for word in range(first.word + (first.rank > 0), last.word + 1))
            if empty:
                inside = empty[bisect_left(empty, first[:2]) : bisect_left(empty, (last.word, last.rank + 1))]
                found.update((node.word, node.rank) for node in inside)
        return sorted(found)


class Annotation(NamedTuple):
    """The annotation of a document, as read."""

    mentions: dict[str, list[BracketedMention]]
    """By entity, in the order in which they open; those that do not close are left out."""
    sentences: list[int]
    """The number of words in each."""
    types: dict[str, str]
    bridging: list[tuple[Link, BracketedMention]]
    """Links with the mention that has them."""
    sets: list[Link]
    notes: list[str]
    incomplete: list[BracketedMention]
    """Those that are left out."""


@lru_cache(maxsize=4)
def annotation(part: Part, header: Header | None, header_line: int, path: str) -> Annotation:
    """Return the annotation of a document; the fields of brackets are known from `header_line` on.

    The last ones are kept: a run reads the clusters of two documents of both sides, then asks for all that is
    said about the mentions of one. To read each again takes half as long as the whole run.

    Raises
    ------
    InputError
        With the line of what cannot be read.
    """
    reading = _Reading(path)
    for sentence in sentences(part, path):
        reading.lengths.append(sentence.length)
        for node in sentence.marked:
            try:
                found = attributes(node.misc)
                if "Entity" in found:
                    reading.take(found["Entity"], node, sentence, header if header_line < node.line else None)
                if len(found) > ("Entity" in found):
                    reading.take_links(found, node)
            except CellError as error:
                raise InputError(path, f"line {node.line}", str(error)) from None
    return reading.finished()


class _Reading:
    """The annotation of a document that is being read."""

    def __init__(self, path: str) -> None:
        self.lengths: list[int] = []
        self._path = path
        self._mentions: dict[str, list[BracketedMention]] = defaultdict(list)
        self._open: dict[str, list[BracketedMention]] = defaultdict(list)
        self._waiting: dict[tuple[str, int, int], list[BracketedMention]] = defaultdict(list)
        """Mentions of which a later piece is to come, by entity, number of pieces so far, and of all."""
        self._types: dict[str, str] = {}
        self._other_types: dict[str, str] = {}
        self._bridging: list[tuple[Link, BracketedMention]] = []
        self._sets: list[Link] = []
        self._lines: list[tuple[Link, str, int]] = []
        """Each link, with its attribute and line."""

    def take(self, cell: str, node: Node, sentence: Sentence, header: Header | None) -> None:
        """Read an Entity attribute."""
        if header is None:
            wanted = "# global.Entity = eid-etype-head-other"
            raise CellError(f"Entity before a line {wanted}, which names its fields")
        for begin, written, end in chunks(cell):
            if begin:
                mention = self._begin(opening(written, header), node, sentence)
                if end:
                    self._close_piece(mention, node)
                else:
                    self._open[mention.entity].append(mention)
            else:
                self._close(written, node, sentence)

    def take_links(self, found: dict[str, str], node: Node) -> None:
        """Read Bridge and SplitAnte."""
        if "Bridge" in found:
            for link in links("Bridge", found["Bridge"]):
                mentions = self._mentions.get(link.entity)
                if not mentions:
                    why = f"Bridge from the entity {quoted(link.entity)}, of which no mention opened yet"
                    raise CellError(why)
                self._bridging.append((link, mentions[-1]))
                self._lines.append((link, "Bridge", node.line))
        if "SplitAnte" in found:
            for link in links("SplitAnte", found["SplitAnte"]):
                self._sets.append(link)
                self._lines.append((link, "SplitAnte", node.line))

    def finished(self) -> Annotation:
        """Return the annotation, at the end of the document."""
        for link, name, line in self._lines:
            for entity in (link.antecedent, link.entity):
                if entity not in self._mentions:
                    why = f"{name} names the entity {quoted(entity)}, which has no mention in the document"
                    raise InputError(self._path, f"line {line}", why)
        notes = []
        for entity, other in self._other_types.items():
            first = quoted(self._types[entity])
            notes.append(
                f"entity {quoted(entity)} has the types {first} and {quoted(other)}: the first counts"
            )
        left = self._incomplete()
        notes += self._without(left) if left else []
        return Annotation(self._mentions, self.lengths, self._types, self._bridging, self._sets, notes, left)

    def _incomplete(self) -> list[BracketedMention]:
        """Return the mentions that do not end; each is open, or waits for another piece."""
        if not (any(self._open.values()) or any(self._waiting.values())):
            return []
        return [m for members in self._mentions.values() for m in members if not m.is_complete]

    def _without(self, left: list[BracketedMention]) -> list[str]:
        """Leave out mentions that do not end, and return what to say about them."""
        for entity in {mention.entity for mention in left}:
            kept = [mention for mention in self._mentions[entity] if mention.is_complete]
            self._mentions[entity] = kept
            if not kept:
                del self._mentions[entity]
        gone = set(map(id, left))
        self._bridging = [pair for pair in self._bridging if id(pair[1]) not in gone]
        first = left[0]
        shown = (
            f"{quoted(first.entity)} in sentence {first.sentence.number + 1}"  # no line: a file may be cut
        )
        more = f" ({counted(len(left), 'such mention')})" if len(left) > 1 else ""
        return [f"a mention of {shown} does not end and is left out{more}"]

    def _begin(self, bracket: Opening, node: Node, sentence: Sentence) -> BracketedMention:
        entity, part, of = entity_of(bracket.entity)
        if part > 1:
            mention = self._continued(entity, part, of, sentence)
            mention.head = bracket.head
            mention.open_at = node
        else:
            mention = BracketedMention(entity, of, bracket, sentence, node)
            self._mentions[entity].append(mention)
        if bracket.type and self._types.setdefault(entity, bracket.type) != bracket.type:
            self._other_types.setdefault(entity, bracket.type)
        return mention

    def _continued(self, entity: str, part: int, of: int, sentence: Sentence) -> BracketedMention:
        """Return the mention that the piece which opens belongs to."""
        before = self._waiting.pop((entity, part - 1, of), ())
        fitting = [mention for mention in before if mention.sentence is sentence]
        if len(fitting) != 1:
            shown = quoted(f"{entity}[{part}/{of}]")
            what = "two mentions wait for it" if fitting else "the piece before it is not in the sentence"
            raise CellError(f"{shown} begins here, but {what}")
        return fitting[0]

    def _close(self, written: str, node: Node, sentence: Sentence) -> None:
        entity, part, of = entity_of(written)
        opened = self._open.get(entity)
        if not opened:
            raise CellError(f"entity {quoted(entity)} ends on a word where none of its mentions is open")
        mention = opened.pop()
        if mention.sentence is not sentence:
            why = f"a mention of {quoted(entity)} ends here that begins on line {mention.line}"
            raise CellError(f"{why} (a mention must end in its sentence)")
        if part and (part, of) != (len(mention.pieces) + 1, mention.of):
            shown = quoted(f"{entity}[{part}/{of}]")
            raise CellError(f"{shown} ends here, but is not what is open of this entity")
        self._close_piece(mention, node)

    def _close_piece(self, mention: BracketedMention, node: Node) -> None:
        first = mention.open_at or node
        mention.pieces.append((first, node))
        mention.open_at = None
        if len(mention.pieces) < mention.of:
            self._waiting[mention.entity, len(mention.pieces), mention.of].append(mention)
        elif mention.head > 1 and (mention.of or mention.head > node.word - first.word + (not first.rank)):
            size = len(mention.nodes())
            if 1 < size < mention.head:  # the head of a single word goes without saying
                raise CellError(f"the head of a mention of {size} words is {mention.head}")
