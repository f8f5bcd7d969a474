"""The exploded format of Universal Anaphora: CoNLL-U with columns for what is coreferent.

The 11th column has the markables of identity, the 12th bridging links, the 13th those of discourse deixis,
which are a layer of the document. A markable holds words, in one piece or several, or is one zero.
https://github.com/UniversalAnaphora/UniversalAnaphora
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import NamedTuple

from scorch2.formats.conllu.shared import BLANKS, CellError, Part, comments_with, parts
from scorch2.formats.conllu.ua_lines import (
    ANTECEDENT,
    ANTECEDENT_ENTITY,
    BRIDGING,
    DEIXIS,
    IDENTITY,
    MARKABLE,
    NOTHING,
    PSEUDO,
    RELATION,
    Closing,
    MarkableOpening,
    MarkedRow,
    Others,
    brackets,
    brackets_of,
    minimum,
    others_of,
    required,
    sentences,
    tags,
    trees,
    unread,
)
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Words
from scorch2.model.errors import InputError, counted, enumerated, quoted
from scorch2.model.markables import (
    Bridge,
    Edge,
    Markable,
    Nodes,
    Relations,
    SyntaxRow,
    Word,
    joined_runs,
    runs_of,
)

NAMES = {IDENTITY: "IDENTITY", BRIDGING: "BRIDGING", DEIXIS: "DISCOURSE_DEIXIS"}

_SHOWN = 200  # characters of the names in a message


class BracketedMarkable:
    """A markable while it is read, and then a `Markable`, whose words are found when they are asked for."""

    # Most mentions equal one of the other side, and are asked for nothing, which saves a tenth of a run

    __slots__ = (
        "_starts",
        "entity",
        "line",
        "min_words",
        "name",
        "open_at",
        "other",
        "sets",
        "spans",
        "zero",
    )

    def __init__(self, opening: MarkableOpening, node: MarkedRow, starts: Sequence[int]) -> None:
        self._starts = starts  # the number of words before each sentence, and of all
        self.name = opening.markable
        self.entity = opening.entity
        self.min_words = None if opening.minimum is None else minimum(opening.minimum)
        """The first and last word of Min, counted from 1 in the document; None if there is none."""
        others = others_of(opening.others) or Others()
        self.sets = others.sets  # the entities that its entity is an element of
        self.other = others.other  # all else that its first bracket says, as the field ``other`` of CorefUD
        self.line = node.line
        self.zero: tuple[int, Word] | None = None
        """Its place if it is a zero: words of the document before it, and the zero."""
        self.spans: list[tuple[int, int]] = []
        """The first word of each piece, from 0 in the document, and the word after its last."""
        self.open_at = -1  # the first word of the piece that is open

    @property
    def begin(self) -> tuple[int, bool, int]:
        """Its place in the order of the text: words before it, zeros before the next word, by their rank."""
        if self.zero:
            return self.zero[0], False, self.zero[1].rank
        return self.spans[0][0], True, 0

    @property
    def is_pseudo(self) -> bool:
        """True if it refers to nothing."""
        return self.entity.endswith(PSEUDO)

    @property
    def mention(self) -> Mention:
        """As the document has it: a span of its words, or in pieces if no span can say it."""
        if self.zero:
            return Discontinuous(self.zero[0], self.zero[0], self.nodes)
        if len(self.spans) == 1:
            return self.spans[0]
        start, end = min(self.spans)[0], max(after for _, after in self.spans)
        nodes = self.nodes
        return (start, end) if nodes.size == end - start else Discontinuous(start, end, nodes)

    @property
    def nodes(self) -> Nodes:
        """Its words, or the zero that it is."""
        if self.zero:
            return Nodes((), (self.zero[1],))
        runs = (run for first, end in sorted(self.spans) for run in runs_of(first, end, self._starts))
        return Nodes(joined_runs(runs), ())

    @property
    def head(self) -> Word:
        """The first word of its minimum, as the format names no head; else its first word."""
        if self.zero:
            return self.zero[1]
        begin, end = self._minimum()
        inside = [max(first, begin) for first, after in self.spans if max(first, begin) < min(after, end)]
        return word_at(min(inside) if inside else min(self.spans)[0], self._starts)

    @property
    def minimum(self) -> Nodes:
        """The words of Min."""
        return Nodes(tuple(runs_of(*self._minimum(), self._starts)), ())

    def _minimum(self) -> tuple[int, int]:
        """Return the first word of Min, from 0 in the document, and the word after its last."""
        if self.zero or self.min_words is None:
            return 0, 0
        first, last = self.min_words
        return first - 1, last

    @property
    def pieces(self) -> tuple[tuple[Word, Word], ...]:
        """The first and the last word of each piece, as written."""
        if self.zero:
            return ((self.zero[1], self.zero[1]),)
        starts = self._starts
        return tuple([(word_at(first, starts), word_at(end - 1, starts)) for first, end in self.spans])

    @property
    def edges(self) -> frozenset[Edge]:
        """None: the format has no dependencies of zeros."""
        return frozenset()

    @property
    def is_zero(self) -> bool:
        """True if it is a zero."""
        return self.zero is not None

    @property
    def place(self) -> tuple[Word, Word, int]:
        """Its place in the order of mentions: first word, last word, number of words."""
        nodes = self.nodes
        return nodes.first, nodes.last, nodes.size


def word_at(token: int, starts: Sequence[int]) -> Word:
    """Return the place of a word by its number in the document, from 0; `starts` are those of sentences."""
    sentence = bisect_right(starts, token) - 1
    return Word(sentence, token - starts[sentence] + 1)


class MarkableLayer(NamedTuple):
    """The markables of one column, by name, in the order in which they open."""

    column: int
    markables: dict[str, BracketedMarkable]
    open: dict[str, BracketedMarkable]  # those that are open, the last one at the end
    reopened: list[str]  # those that name several entities, of which the last one counts
    entities: dict[str, list[BracketedMarkable]]
    """The markables by entity, after all are read; those that refer to nothing, too."""


class BridgingLink(NamedTuple):
    """A bridging link as written."""

    anaphor: str
    values: Mapping[str, str]
    line: int


class UAAnnotation(NamedTuple):
    """The annotation of a document, as read."""

    identity: MarkableLayer
    deixis: MarkableLayer | None  # None if there is no column for it
    links: Sequence[BridgingLink]  # those of which both ends are there, those of one markable together
    sentences: list[int]  # the number of words in each
    words: str
    """The words, with line feeds between them: a list of them takes 6 MB more for a document of 8 MB."""
    notes: list[str]
    empty_nodes: list[int]  # the number of words before each


@lru_cache(maxsize=4)
def annotation(part: Part, path: str) -> UAAnnotation:
    """Return the annotation of a document; the last ones are kept, as those of CorefUD are."""
    reading = _MarkableReader()
    for sentence in sentences(part, path):
        reading.lengths.append(len(sentence.words))
        reading.starts.append(reading.starts[-1] + len(sentence.words))
        reading.empty_nodes += sentence.empty_nodes
        reading.words.append("\n".join(sentence.words))
        reading.columns = max(reading.columns, sentence.columns)
        identity = brackets_of([node.identity for node in sentence.marked])
        for node, cell_brackets in zip(sentence.marked, identity, strict=True):
            try:
                reading.take_markables(cell_brackets, node, IDENTITY)
                if node.others:
                    reading.take_others(node)
            except CellError as error:
                raise InputError(path, f"line {node.line}", str(error)) from None
    return reading.finished(path)


class _MarkableReader:
    """The annotation of a document that is being read."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.starts = [0]  # words before each sentence, and of all
        self.words: list[str] = []  # those of each sentence, with line feeds between them
        self.columns = 0
        self.empty_nodes: list[int] = []
        self._layers = {column: MarkableLayer(column, {}, {}, [], {}) for column in (IDENTITY, DEIXIS)}
        self._links: list[BridgingLink] = []
        self._notes: list[str] = []

    def take_others(self, node: MarkedRow) -> None:
        bridging, deixis, *_ = *node.others, "", ""
        if deixis not in NOTHING:
            (cell_brackets,) = brackets_of([deixis])
            self.take_markables(cell_brackets, node, DEIXIS)
        if bridging not in NOTHING:
            self._take_links(bridging, node)

    def _take_links(self, cell: str, node: MarkedRow) -> None:
        for bracket in brackets(cell):
            if isinstance(bracket, Closing) or not bracket.is_closed:
                raise CellError(f"a bridging link is one bracket, not {quoted(cell)}")
            values = bracket.values
            if not (values.get(ANTECEDENT) or values.get(ANTECEDENT_ENTITY)):
                raise CellError(f"a bridging link without {ANTECEDENT} or {ANTECEDENT_ENTITY}")
            self._links.append(BridgingLink(required(values, MARKABLE), values, node.line))

    def take_markables(
        self, cell_brackets: Iterable[MarkableOpening | Closing], node: MarkedRow, column: int
    ) -> None:
        layer = self._layers[column]
        for bracket in cell_brackets:
            if isinstance(bracket, Closing):
                _close(bracket.markable, node, layer)
                continue
            if bracket.markable in layer.markables:
                mention = _open_again(bracket, node, layer)
            else:
                mention = layer.markables[bracket.markable] = BracketedMarkable(bracket, node, self.starts)
                if bracket.minimum and bracket.minimum.count(",") > 1:
                    name = quoted(mention.name)
                    self._notes.append(f"Min of {name} has more than two numbers: the first two count")
            if node.zero:
                if not bracket.closed:
                    name = quoted(mention.name)
                    raise CellError(f"{name} opens on a zero and goes on (a zero is alone)")
                mention.zero = node.end, node.zero
            elif bracket.closed:
                mention.spans.append((node.end - 1, node.end))
            else:
                mention.open_at = node.end - 1
                layer.open[mention.name] = mention

    def finished(self, path: str) -> UAAnnotation:
        for layer in self._layers.values():
            for markable in layer.markables.values():
                layer.entities.setdefault(markable.entity, []).append(markable)
            _check(layer, sum(self.lengths), path)
            self._notes += _notes(layer)
        identity = self._layers[IDENTITY]
        links = list(self._kept_links(identity))
        order = {name: place for place, name in enumerate(dict.fromkeys(link.anaphor for link in links))}
        links.sort(key=lambda link: order[link.anaphor])
        deixis = self._layers[DEIXIS] if self.columns > DEIXIS else None
        words = "\n".join(self.words)
        return UAAnnotation(identity, deixis, links, self.lengths, words, self._notes, self.empty_nodes)

    def _kept_links(self, layer: MarkableLayer) -> Iterator[BridgingLink]:
        """Yield the bridging links of which both ends are there, and note the others."""
        left = []
        for link in self._links:
            ante = link.values.get(ANTECEDENT)
            is_there = ante in layer.markables if ante else link.values[ANTECEDENT_ENTITY] in layer.entities
            if is_there and link.anaphor in layer.markables:
                yield link
            else:
                left.append(link.anaphor)
        if left:
            what = f"{counted(len(left), 'bridging link')} with an end that is not in {NAMES[IDENTITY]}"
            self._notes.append(f"{what} left out: of {enumerated(dict.fromkeys(left), _SHOWN)}")


def _open_again(bracket: MarkableOpening, node: MarkedRow, layer: MarkableLayer) -> BracketedMarkable:
    known = layer.markables[bracket.markable]
    if node.zero or known.zero:
        raise CellError(f"{quoted(known.name)} is a zero, and a zero is a markable of its own")
    if known.open_at >= 0:
        raise CellError(f"{quoted(known.name)} opens again before it ends (it opened on line {known.line})")
    if known.entity != bracket.entity:
        layer.reopened.append(known.name)
        known.entity = bracket.entity
    known.sets = (*known.sets, *(others_of(bracket.others) or Others()).sets)
    return known


def _close(name: str, node: MarkedRow, layer: MarkableLayer) -> None:
    """End the piece of a markable that is open, the last one if it has no name."""
    if node.zero:
        raise CellError("a markable ends on a zero (it ends on its last word)")
    if name:
        if name not in layer.open:
            raise CellError(f"{quoted(name)} ends here, but is not open")
        mention = layer.open.pop(name)
    elif layer.open:
        _, mention = layer.open.popitem()
    else:
        raise CellError("a bracket closes where no markable is open")
    mention.spans.append((mention.open_at, node.end))
    mention.open_at = -1


def _check(layer: MarkableLayer, words: int, path: str) -> None:
    """Raise an InputError for markables that cannot be as they are written."""
    for markable in layer.open.values():
        why = f"{quoted(markable.name)} opens here and does not end"
        raise InputError(path, f"line {markable.line}", why)
    for markable in layer.markables.values():
        if markable.min_words and markable.min_words[1] > words:
            why = f"names word {markable.min_words[1]} of {words} in the document"
            raise InputError(path, f"line {markable.line}", f"Min of {quoted(markable.name)} {why}")
    if sets := sets_in(layer):
        from graphlib import CycleError, TopologicalSorter

        try:
            TopologicalSorter(sets).prepare()
        except CycleError as error:
            circle = sorted(set(error.args[1]))
            line = layer.entities[circle[0]][0].line
            why = f"ElementOf makes entities elements of themselves: {enumerated(circle, _SHOWN)}"
            raise InputError(path, f"line {line}", why) from None


def sets_in(layer: MarkableLayer) -> dict[str, list[str]]:
    """Return the elements of each set of entities that has a markable of its own."""
    elements: dict[str, dict[str, None]] = {}
    for markable in layer.markables.values():
        for name in markable.sets:
            if name in layer.entities:
                elements.setdefault(name, {})[markable.entity] = None
    return {name: list(members) for name, members in elements.items()}


def _notes(layer: MarkableLayer) -> Iterator[str]:
    if layer.reopened:
        shown = enumerated(dict.fromkeys(layer.reopened), _SHOWN)
        yield f"the parts of a markable name two entities, and the last one counts: {shown}"
    for entity, members in layer.entities.items():
        if entity.endswith(PSEUDO) and len(members) > 1:
            yield f"entity {quoted(entity)} has {len(members)} markables: the first counts"
    sets = {name for markable in layer.markables.values() for name in markable.sets}
    if lacking := sets - layer.entities.keys():
        yield f"ElementOf names entities without a markable: {enumerated(sorted(lacking), _SHOWN)}"


_COLUMNS = re.compile(r"#[ \t]*global\.columns[ \t]*=[ \t]*(.*)")
_NAMES = (*map(str.upper, SyntaxRow._fields), *NAMES.values())  # how the columns are called, in their order
DEIXIS_LAYER = "deixis"
_MANY = 10_000  # words of a long document, in which it saves memory to keep equal ones once


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order."""
    _check_columns(data, path)
    for number, part in enumerate(parts(data, stem, path)):
        if not (number or part.is_last or part.has_newdoc):
            rows = (line for line, row in part.lines() if row.strip(BLANKS) and row[:1] != "#")
            why = "a row before the first # newdoc line (to which document does it belong?)"
            raise InputError(path, f"line {next(rows)}", why)
        yield _document(part, path)


def _check_columns(data: bytes, path: str) -> None:
    """Raise an InputError for columns that a file names in another order than scorers read."""
    for start, comment in comments_with(b"global.columns", data):
        if match := _COLUMNS.match(comment):
            for name, expected in zip(match[1].split(), _NAMES, strict=False):
                if name != expected:
                    line = data.count(b"\n", 0, start) + 1
                    why = f"the column {quoted(name)} where {expected} must be"
                    raise InputError(path, f"line {line}", why)
            return


def _document(part: Part, path: str) -> Document:
    annotated = annotation(part, path)
    document = Document(
        part.name, _clusters(annotated.identity), path, annotated.sentences, "ua",
        notes=annotated.notes, words=Words(words, part, path), tags=Words(tags, part),
        markables=OnDemand(markables, part, path, IDENTITY),
        relations=OnDemand(relations, part, path, IDENTITY), trees=OnDemand(trees, part),
        unread=OnDemand(unread, part),
        empty_nodes=annotated.empty_nodes,
    )  # fmt: skip
    if annotated.deixis is None:
        return document
    deixis = document._replace(
        clusters=_clusters(annotated.deixis),
        markables=OnDemand(markables, part, path, DEIXIS),
        relations=OnDemand(relations, part, path, DEIXIS),
    )
    return document._replace(layers={DEIXIS_LAYER: deixis})


def _clusters(layer: MarkableLayer) -> Mapping[str, Sequence[Mention]]:
    return {name: [one.mention for one in members] for name, members in _referring(layer).items()}


def _referring(layer: MarkableLayer) -> Mapping[str, Sequence[BracketedMarkable]]:
    """Return the markables of the entities that refer to something."""
    return {name: members for name, members in layer.entities.items() if not members[0].is_pseudo}


def _layer(found: UAAnnotation, column: int) -> MarkableLayer:
    return found.deixis if column == DEIXIS and found.deixis else found.identity


def words(part: Part, path: str) -> list[str]:
    """Return the words of a document, without its zeros; in long documents equal words are one string."""
    found = annotation(part, path)
    every = found.words.split("\n") if found.sentences else []
    return list(map(intern, every)) if len(every) > _MANY else every


def markables(part: Part, path: str, column: int) -> Mapping[str, Sequence[Markable]]:
    """Return all that a column says about the mentions of a document, by entity."""
    return _referring(_layer(annotation(part, path), column))


def relations(part: Part, path: str, column: int) -> Relations:
    """Return the sets, the bridging links, and the markables that refer to nothing, of one column."""
    # If a link names an entity alone, its antecedent is the last mention of it that begins before the
    # anaphor; else, of an entity that is no cluster, the first
    annotated = annotation(part, path)
    layer = _layer(annotated, column)
    entities, referring = layer.entities, _referring(layer)
    every = sets_in(layer)
    inside = dict.fromkeys(chain.from_iterable(every.values()))
    sets = {name: members for name, members in every.items() if name in referring or name in inside}
    no_clusters = {
        name: [markable.mention for markable in entities[name]] for name in inside if name not in referring
    }
    bridging = []
    for link in annotated.links if column == IDENTITY else ():
        anaphor = layer.markables[link.anaphor]
        if name := link.values.get(ANTECEDENT):
            antecedent: BracketedMarkable | None = layer.markables[name]
            entity = layer.markables[name].entity
        else:
            entity = link.values[ANTECEDENT_ENTITY]
            place = bisect_left(entities[entity], anaphor.begin, key=lambda markable: markable.begin)
            is_cluster = entity in referring
            antecedent = entities[entity][max(place - 1, 0)] if place or not is_cluster else None
        mention = antecedent.mention if antecedent else None
        relation = link.values.get(RELATION, "")
        bridging.append(Bridge(anaphor.mention, anaphor.entity, mention, entity, relation))
    pseudo = [members[0].mention for entity, members in entities.items() if entity not in referring]
    return Relations(sets, bridging, pseudo, no_clusters)
