"""CorefUD: CoNLL-U with mentions in the attribute Entity of MISC (https://ufal.mff.cuni.cz/corefud).

Documents begin at ``# newdoc`` lines, and ``# global.Entity`` names the fields of an opening bracket. A
mention may be in several pieces, and hold empty nodes; whatever stands between its brackets belongs to it. A
bracket may name the head. GUM's own files, whose brackets have other fields, are read, too.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from scorch2.formats.conllu.corefud_lines import (
    CorefUDSentence,
    EntityFields,
    EntityLink,
    EntityOpening,
    NodeId,
    NodeRow,
    attributes,
    brackets,
    entity_alone,
    entity_of,
    header_of,
    links,
    opening,
    other_fields,
    other_places,
    sentence_ids,
    sentences,
    tags,
    trees,
    unreadable,
    words,
)
from scorch2.formats.conllu.shared import CellError, Part, comments_with, parts
from scorch2.model.document import Discontinuous, Document, Label, OnDemand, Words
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Bridge, Edge, Markable, Nodes, Relations, Run, Word, joined_runs
from scorch2.model.memory import is_too_many

_place = attrgetter("place")  # of a row
_word = partial(tuple.__new__, Word)  # a third of the time of Word(...), and 2 % of a run


class BracketedMention:
    """A mention while it is read, and then a `Markable`, whose words are found when they are asked for."""

    # Most mentions equal one of the other side, and are asked for nothing but their head

    __slots__ = (
        "_header", "_written", "entity", "head", "head_number", "line", "mention", "of", "open_at", "places",
        "sentence",
    )  # fmt: skip

    def __init__(
        self, entity: str, of: int, bracket: EntityOpening, sentence: CorefUDSentence, node: NodeRow
    ) -> None:
        self.entity = entity
        self.of = of  # the number of its pieces; 0 if it is in one piece
        self.sentence = sentence
        self.line = node.line
        self._written = bracket.written
        """The first of its brackets; to keep all that was read of it would take 7 % more memory."""
        self._header = bracket.header
        self.head_number = bracket.head
        """The number of the head among its nodes, from 1; 0 if the last of its brackets says nothing."""
        self.places: list[tuple[NodeId, NodeId]] = []  # the first and the last node of each piece
        self.open_at: NodeId | None = node.place  # the beginning of the piece that is open
        self.mention: tuple[int, int]
        """As the document has it: a span of its words, or `Discontinuous` if no span can say it."""
        self.head: Word  # the first word if the file says nothing

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
        """Find the mention of the document that it is, and its head; all of it was read."""
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
        """The enhanced dependencies of the head if that is an empty node."""
        empty, head = self.sentence.empty, self.head
        node = empty[bisect_left(empty, (head.word, head.rank), key=_place)] if head.rank else None
        if node is None or node.deps in ("", "_"):
            return frozenset()
        parts = [edge.partition(":") for edge in node.deps.split("|")]
        for governor, _, _ in parts:
            if not _is_in(self.sentence, governor):
                why = f"the empty node {node.name} depends on {quoted(governor)}, which is not there"
                raise InputError(self.sentence.path, f"line {node.line}", why)
        return frozenset((governor, relation) for governor, _, relation in parts)


def _has_empty(sentence: CorefUDSentence, first: NodeId, last: NodeId) -> bool:
    """Return whether one of the nodes from first to last is empty; found without a look at each."""
    place = bisect_left(sentence.empty, first, key=_place)
    return place < len(sentence.empty) and sentence.empty[place].place <= last


def _is_in(sentence: CorefUDSentence, name: str) -> bool:
    """Return whether the node of a name is in a sentence, or is the root."""
    word, dot, rank = name.partition(".")
    if not all(part.isascii() and part.isdecimal() for part in (word, rank or "0")):
        return False
    if not dot:
        return int(word[:10]) <= sentence.length
    node = int(word[:10]), int(rank[:10] or 0)
    place = bisect_left(sentence.empty, node, key=_place)
    return place < len(sentence.empty) and sentence.empty[place].place == node


class CorefUDAnnotation(NamedTuple):
    """The annotation of a document, as read."""

    mentions: dict[str, list[BracketedMention]]
    """By entity, in the order in which they open; those that do not close are left out."""
    sentences: list[int]  # the number of words in each
    types: dict[str, str]
    bridging: list[tuple[EntityLink, BracketedMention]]  # links with the mention that has them
    sets: list[EntityLink]
    notes: list[str]
    type_notes: list[str]
    incomplete: list[BracketedMention]  # those that are left out
    has_empty: bool  # whether there are empty nodes


@lru_cache(maxsize=4)
def annotation(part: Part, header: EntityFields | None, path: str) -> CorefUDAnnotation:
    """Return the annotation of a document; `header` names the fields of its brackets, if that is known."""
    # The last ones are kept: a run reads the clusters of two documents of both sides, then asks for all that
    # is said about the mentions of one. To read each again takes half as long as the whole run.
    reading = _MentionReader(path, header, part.data.count(b"\n"))
    for sentence, marked in sentences(part, path):
        reading.begin(sentence)
        for node in marked:
            try:
                if cell := entity_alone(node.misc):
                    reading.take(cell, node, sentence)
                else:
                    reading.take_all(attributes(node.misc), node, sentence)
            except CellError as error:
                raise InputError(path, f"line {node.line}", str(error)) from None
    return reading.finished()


class _MentionReader:
    """The annotation of a document that is being read."""

    def __init__(self, path: str, header: EntityFields | None, lines: int) -> None:
        self._path = path
        self._header = header
        self._named_on = header.line if header else 0
        self._number_of_lines = lines
        self._lengths: list[int] = []
        self._has_empty = False
        self._inside = 0  # the number of empty nodes in all mentions so far, each counted in each mention
        self._mentions: dict[str, list[BracketedMention]] = defaultdict(list)
        self._open: dict[str, list[BracketedMention]] = defaultdict(list)
        self._waiting: dict[tuple[str, int, int], list[BracketedMention]] = defaultdict(list)
        """Mentions of which a later piece is to come, by entity, number of pieces so far, and of all."""
        self._types: dict[str, str] = {}
        self._other_types: dict[str, str] = {}
        self._bridging: list[tuple[EntityLink, BracketedMention]] = []
        self._sets: list[EntityLink] = []
        self._lines: list[tuple[EntityLink, str, int]] = []  # each link, with its attribute and line

    def begin(self, sentence: CorefUDSentence) -> None:
        self._lengths.append(sentence.length)
        self._has_empty = self._has_empty or bool(sentence.empty)

    def take_all(self, found: Mapping[str, str], node: NodeRow, sentence: CorefUDSentence) -> None:
        if "Entity" in found:
            self.take(found["Entity"], node, sentence)
        if len(found) > ("Entity" in found):
            self._take_links(found, node)

    def take(self, cell: str, node: NodeRow, sentence: CorefUDSentence) -> None:
        header = self._header
        if header is None or node.line <= self._named_on:
            wanted = "# global.Entity = eid-etype-head-other, which names its fields"
            raise CellError(f"Entity before a line {wanted}")
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

    def _take_links(self, values: Mapping[str, str], node: NodeRow) -> None:
        if "Bridge" in values:
            for link in links("Bridge", values["Bridge"]):
                mentions = self._mentions.get(link.entity)
                if not mentions:
                    why = f"Bridge from the entity {quoted(link.entity)}, of which no mention opened yet"
                    raise CellError(why)
                self._bridging.append((link, mentions[-1]))
                self._lines.append((link, "Bridge", node.line))
        if "SplitAnte" in values:
            for link in links("SplitAnte", values["SplitAnte"]):
                self._sets.append(link)
                self._lines.append((link, "SplitAnte", node.line))

    def finished(self) -> CorefUDAnnotation:
        for link, name, line in self._lines:
            for entity in (link.antecedent, link.entity):
                if entity not in self._mentions:
                    why = f"{name} names the entity {quoted(entity)}, which has no mention in the document"
                    raise InputError(self._path, f"line {line}", why)
        of_types = [
            f"entity {quoted(entity)} has the types {quoted(self._types[entity])} and {quoted(other)}:"
            " the first counts"
            for entity, other in self._other_types.items()
        ]
        is_whole = not (any(self._open.values()) or any(self._waiting.values()))
        every = chain.from_iterable(() if is_whole else self._mentions.values())
        left = [mention for mention in every if not mention.is_complete]
        notes = self._without(left) if left else []
        return CorefUDAnnotation(
            self._mentions, self._lengths, self._types, self._bridging, self._sets,
            notes, of_types, left, self._has_empty,
        )  # fmt: skip

    def _without(self, left: list[BracketedMention]) -> list[str]:
        """Leave out mentions that do not end, and return what to say about them."""
        for entity in {mention.entity for mention in left}:
            kept = [mention for mention in self._mentions[entity] if mention.is_complete]
            self._mentions[entity] = kept
            if not kept:
                del self._mentions[entity]
        gone = set(map(id, left))
        self._bridging = [pair for pair in self._bridging if id(pair[1]) not in gone]
        first = left[0]  # it is shown without its line: a file may be cut
        shown = f"{quoted(first.entity)} in sentence {first.sentence.number + 1}"
        more = f" ({counted(len(left), 'such mention')})" if len(left) > 1 else ""
        return [f"a mention of {shown} does not end and is left out{more}"]

    def _open_piece(
        self, bracket: EntityOpening, node: NodeRow, sentence: CorefUDSentence
    ) -> BracketedMention:
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

    def _continued(self, entity: str, piece: int, of: int, sentence: CorefUDSentence) -> BracketedMention:
        before = self._waiting.pop((entity, piece - 1, of), ())
        fitting = [mention for mention in before if mention.sentence is sentence]
        if len(fitting) != 1:
            shown = quoted(f"{entity}[{piece}/{of}]")
            what = "two mentions wait for it" if fitting else "the part before it is not in the sentence"
            raise CellError(f"{shown} begins here, but {what}")
        return fitting[0]

    def _close(self, written: str, node: NodeRow, sentence: CorefUDSentence) -> None:
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

    def _close_piece(self, mention: BracketedMention, node: NodeRow) -> None:
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
                raise CellError(f"{why}, too many to keep (many mentions hold the same nodes)")


def markables(part: Part, header: EntityFields | None, path: str) -> Mapping[str, Sequence[Markable]]:
    """Return all that is said about the mentions of a document, by entity."""
    found = annotation(part, header, path)
    for mention in chain.from_iterable(found.mentions.values()) if found.has_empty else ():
        _ = mention.edges  # raises an InputError if its head depends on what is not there
    return found.mentions


def relations(part: Part, header: EntityFields | None, path: str) -> Relations:
    """Return the bridging links and sets of a document."""
    # The antecedent of a bridging mention is the last mention of the entity named there that begins before it
    annotated = annotation(part, header, path)
    sets: dict[str, list[str]] = defaultdict(list)
    for link in annotated.sets:
        sets[link.entity].append(link.antecedent)
    bridging = []
    for link, anaphor in annotated.bridging:
        others = annotated.mentions.get(link.antecedent, [])
        place = bisect_left(others, _begin(anaphor), key=_begin)
        antecedent = others[place - 1].mention if place else None
        bridging.append(Bridge(anaphor.mention, link.entity, antecedent, link.antecedent, link.relation))
    return Relations(dict(sets), bridging)


def categories(part: Part, header: EntityFields | None, path: str) -> Mapping[str, Sequence[Label]]:
    """Return the category of each mention of a document: the type of its entity."""
    annotated = annotation(part, header, path)
    return {name: [kind] * len(annotated.mentions.get(name, ())) for name, kind in annotated.types.items()}


def _begin(found: BracketedMention) -> tuple[int, int, int]:
    return found.sentence.number, *found.places[0][0]


_HEADER = re.compile(r"#[ \t]*global\.Entity[ \t]*=[ \t]*(.*?)[ \t\r]*")


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order."""
    header = file_header(data, path)
    for part in parts(data, stem, path):
        yield _document(part, header, path)


def file_header(data: bytes, path: str) -> EntityFields | None:
    """Return the fields that a file names for its brackets; None if it names none."""
    header = None
    line, position = 1, 0
    for start, comment in comments_with(b"global.Entity", data):
        if match := _HEADER.fullmatch(comment):
            line += data.count(b"\n", position, start)
            position = start
            if header is None:
                header = _header(match[1], line, path)
            elif match[1] != header.written:
                why = f"the fields {quoted(match[1])}, but {quoted(header.written)} on line {header.line}"
                raise InputError(path, f"line {line}", f"{why} (write one order in a file)")
    return header


def _header(written: str, line: int, path: str) -> EntityFields:
    try:
        return header_of(written)._replace(line=line)
    except CellError as error:
        raise InputError(path, f"line {line}", str(error)) from None


def _document(part: Part, header: EntityFields | None, path: str) -> Document:
    source = part, header, path
    annotated = annotation(*source)
    clusters = {entity: [one.mention for one in members] for entity, members in annotated.mentions.items()}
    notes = annotated.notes
    if not clusters and b"coref_chains=" in part.data:
        notes = [*notes, "Stanza's coref_chains is not read (name the format stanza to read it)"]
    return Document(
        part.name, clusters, path, annotated.sentences, "corefud",
        notes=notes, category_notes=annotated.type_notes,
        words=Words(words, part), tags=Words(tags, part), trees=OnDemand(trees, part),
        markables=OnDemand(markables, *source), relations=OnDemand(relations, *source),
        categories=OnDemand(categories, *source) if annotated.types else None,
        sentence_ids=OnDemand(sentence_ids, part),
    )  # fmt: skip
