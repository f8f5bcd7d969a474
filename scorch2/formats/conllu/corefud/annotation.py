"""The coreference annotation in one document of CorefUD: its mentions and links, read bracket by bracket."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from scorch2.formats.conllu.corefud.cells import (
    Header,
    Link,
    Opening,
    attributes,
    brackets,
    entity_alone,
    entity_of,
    links,
    opening,
    unreadable,
)
from scorch2.formats.conllu.corefud.mentions import BracketedMention
from scorch2.formats.conllu.corefud.rows import Node, Sentence, sentences
from scorch2.formats.conllu.misc import CellError
from scorch2.formats.conllu.parts import Part
from scorch2.model.errors import InputError, counted, is_too_many, quoted


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
    has_empty: bool
    """Whether there are empty nodes."""


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
    reading = _Reading(path, part.data.count(b"\n"))
    for sentence, marked in sentences(part, path):
        reading.begin(sentence)
        for node in marked:
            known = header if header_line < node.line else None
            try:
                if cell := entity_alone(node.misc):
                    reading.take(cell, node, sentence, known)
                else:
                    reading.take_all(attributes(node.misc), node, sentence, known)
            except CellError as error:
                raise InputError(path, f"line {node.line}", str(error)) from None
    return reading.finished()


class _Reading:
    """The annotation of a document that is being read."""

    def __init__(self, path: str, lines: int) -> None:
        self._path = path
        self._number_of_lines = lines
        self._lengths: list[int] = []
        self._has_empty = False
        self._inside = 0
        """The number of empty nodes in all mentions so far, each counted in each mention."""
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

    def begin(self, sentence: Sentence) -> None:
        """Begin a sentence."""
        self._lengths.append(sentence.length)
        self._has_empty = self._has_empty or bool(sentence.empty)

    def take_all(
        self, found: Mapping[str, str], node: Node, sentence: Sentence, header: Header | None
    ) -> None:
        """Read the attributes Entity, Bridge and SplitAnte."""
        if "Entity" in found:
            self.take(found["Entity"], node, sentence, header)
        if len(found) > ("Entity" in found):
            self._take_links(found, node)

    def take(self, cell: str, node: Node, sentence: Sentence, header: Header | None) -> None:
        """Read an Entity attribute."""
        if header is None:
            wanted = "# global.Entity = eid-etype-head-other"
            raise CellError(f"Entity before a line {wanted}, which names its fields")
        for begin, written, end in brackets(cell):
            if begin:
                mention = self._open_piece(opening(written, header), node, sentence)
                if end:
                    self._close_piece(mention, node)
                else:
                    self._open[mention.entity].append(mention)
            elif end:
                self._close(written, node, sentence)
            else:
                raise unreadable(cell)

    def _take_links(self, found: Mapping[str, str], node: Node) -> None:
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
        return Annotation(
            self._mentions,
            self._lengths,
            self._types,
            self._bridging,
            self._sets,
            notes,
            left,
            self._has_empty,
        )

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

    def _open_piece(self, bracket: Opening, node: Node, sentence: Sentence) -> BracketedMention:
        entity, piece, of = entity_of(bracket.entity)
        if piece > 1:
            mention = self._continued(entity, piece, of, sentence)
            mention.head_number = bracket.head
            mention.open_at = node.place
        else:
            known = self._mentions[entity]
            entity = known[0].entity if known else entity  # one string: 4 % less memory
            mention = BracketedMention(entity, of, bracket, sentence, node)
            known.append(mention)
        if bracket.type and self._types.setdefault(entity, bracket.type) != bracket.type:
            self._other_types.setdefault(entity, bracket.type)
        return mention

    def _continued(self, entity: str, piece: int, of: int, sentence: Sentence) -> BracketedMention:
        """Return the mention that the piece which opens belongs to."""
        before = self._waiting.pop((entity, piece - 1, of), ())
        fitting = [mention for mention in before if mention.sentence is sentence]
        if len(fitting) != 1:
            shown = quoted(f"{entity}[{piece}/{of}]")
            what = "two mentions wait for it" if fitting else "the piece before it is not in the sentence"
            raise CellError(f"{shown} begins here, but {what}")
        return fitting[0]

    def _close(self, written: str, node: Node, sentence: Sentence) -> None:
        entity, piece, of = entity_of(written)
        opened = self._open.get(entity)
        if not opened:
            raise CellError(f"entity {quoted(entity)} ends on a word where none of its mentions is open")
        mention = opened.pop()
        if mention.sentence is not sentence:
            why = f"a mention of {quoted(entity)} ends here that begins on line {mention.line}"
            raise CellError(f"{why} (a mention must end in its sentence)")
        if piece and (piece, of) != (len(mention.places) + 1, mention.of):
            shown = quoted(f"{entity}[{piece}/{of}]")
            raise CellError(f"{shown} ends here, but is not what is open of this entity")
        self._close_piece(mention, node)

    def _close_piece(self, mention: BracketedMention, node: Node) -> None:
        first, last = mention.open_at or node.place, node.place
        mention.places.append((first, last))
        mention.open_at = None
        if len(mention.places) < mention.of:
            self._waiting[mention.entity, len(mention.places), mention.of].append(mention)
            return
        head = mention.head_number
        if head > 1 and (mention.of or head > last[0] - first[0] + (not first[1])):
            size = mention.nodes.size
            if 1 < size < head:  # the head of a single word goes without saying
                raise CellError(f"the head of a mention of {size} words is {head}")
        if inside := mention.complete():
            self._inside += inside
            if is_too_many(self._inside, self._number_of_lines):
                why = f"the mentions up to here hold {self._inside} empty nodes in all"
                raise CellError(f"{why}, too many to keep (so many are around the same ones)")
