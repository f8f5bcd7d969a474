"""The coreference annotation in one document of the exploded format, read bracket by bracket."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from scorch2.formats.conllu.misc import CellError
from scorch2.formats.conllu.parts import Part
from scorch2.formats.conllu.ua.cells import (
    ANTECEDENT,
    ANTECEDENT_ENTITY,
    MARKABLE,
    PSEUDO,
    Closing,
    Opening,
    Others,
    brackets,
    brackets_of,
    minimum,
    others_of,
    required,
)
from scorch2.formats.conllu.ua.rows import BRIDGING, DEIXIS, IDENTITY, NOTHING, Node, sentences
from scorch2.model.errors import InputError, counted, enumerated, quoted

if TYPE_CHECKING:
    from scorch2.model.markables import Word

NAMES = {IDENTITY: "IDENTITY", BRIDGING: "BRIDGING", DEIXIS: "DISCOURSE_DEIXIS"}

_SHOWN = 200
"""Characters of the names in a message."""


class BracketedMarkable:
    """A markable while it is read, and after."""

    __slots__ = ("entity", "line", "minimum", "name", "open_at", "other", "pieces", "sets", "zero")

    def __init__(self, opening: Opening, node: Node) -> None:
        self.name = opening.markable
        self.entity = opening.entity
        self.minimum = None if opening.minimum is None else minimum(opening.minimum)
        """The first and last word of Min, counted from 1 in the document; None if there is none."""
        others = others_of(opening.others) or Others()
        self.sets = others.sets
        """The entities that its entity is an element of."""
        self.other = others.other
        """All else that its first bracket says, as the field ``other`` of CorefUD."""
        self.line = node.line
        self.zero: tuple[int, Word] | None = None
        """Its place if it is a zero: words of the document before it, and the zero."""
        self.pieces: list[tuple[int, int]] = []
        """The first word of each piece, from 0 in the document, and the word after its last."""
        self.open_at = -1
        """The first word of the piece that is open."""

    @property
    def begin(self) -> tuple[int, bool, int]:
        """Its place in the order of the text: words before it, zeros before the next word, by their rank."""
        if self.zero:
            return self.zero[0], False, self.zero[1].rank
        return self.pieces[0][0], True, 0

    @property
    def is_pseudo(self) -> bool:
        """True if it refers to nothing."""
        return self.entity.endswith(PSEUDO)


class Layer(NamedTuple):
    """The markables of one column, by name, in the order in which they open."""

    column: int
    markables: dict[str, BracketedMarkable]
    open: dict[str, BracketedMarkable]
    """Those that are open, the last one at the end."""
    reopened: list[str]
    """Those that name several entities, of which the last one counts."""
    entities: dict[str, list[BracketedMarkable]]
    """The markables by entity, after all are read; those that refer to nothing, too."""


class Link(NamedTuple):
    """A bridging link as written."""

    anaphor: str
    values: Mapping[str, str]
    line: int


class Annotation(NamedTuple):
    """The annotation of a document, as read."""

    identity: Layer
    deixis: Layer | None
    """None if there is no column for it."""
    links: Sequence[Link]
    """Those of which both ends are there, those of one markable together."""
    sentences: list[int]
    """The number of words in each."""
    words: str
    """The words, with line feeds between them: a list of them takes 6 MB more for a document of 8 MB."""
    notes: list[str]


@lru_cache(maxsize=4)
def annotation(part: Part, path: str) -> Annotation:
    """Return the annotation of a document; the last ones are kept, as those of CorefUD are.

    Raises
    ------
    InputError
        With the line of what cannot be read.
    """
    reading = _Reading()
    for sentence in sentences(part, path):
        reading.lengths.append(len(sentence.words))
        reading.words.append("\n".join(sentence.words))
        reading.columns = max(reading.columns, sentence.columns)
        identity = brackets_of([node.identity for node in sentence.marked])
        for node, found in zip(sentence.marked, identity, strict=True):
            try:
                reading.take_markables(found, node, IDENTITY)
                if node.others:
                    reading.take_others(node)
            except CellError as error:
                raise InputError(path, f"line {node.line}", str(error)) from None
    return reading.finished(path)


class _Reading:
    """The annotation of a document that is being read."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.words: list[str] = []
        """Those of each sentence, with line feeds between them."""
        self.columns = 0
        self._layers = {column: Layer(column, {}, {}, [], {}) for column in (IDENTITY, DEIXIS)}
        self._links: list[Link] = []
        self._notes: list[str] = []

    def take_others(self, node: Node) -> None:
        """Read the cells of a row but for that of identity."""
        bridging, deixis, *_ = *node.others, "", ""
        if deixis not in NOTHING:
            (found,) = brackets_of([deixis])
            self.take_markables(found, node, DEIXIS)
        if bridging not in NOTHING:
            self._take_links(bridging, node)

    def _take_links(self, cell: str, node: Node) -> None:
        for bracket in brackets(cell):
            if isinstance(bracket, Closing) or not bracket.is_closed:
                raise CellError(f"a bridging link is one bracket, not {quoted(cell)}")
            values = bracket.values
            if not (values.get(ANTECEDENT) or values.get(ANTECEDENT_ENTITY)):
                raise CellError(f"a bridging link without {ANTECEDENT} or {ANTECEDENT_ENTITY}")
            self._links.append(Link(required(values, MARKABLE), values, node.line))

    def take_markables(self, found: Iterable[Opening | Closing], node: Node, column: int) -> None:
        """Open and close markables by the brackets of a cell."""
        layer = self._layers[column]
        for bracket in found:
            if isinstance(bracket, Closing):
                _close(bracket.markable, node, layer)
                continue
            if bracket.markable in layer.markables:
                mention = _open_again(bracket, node, layer)
            else:
                mention = layer.markables[bracket.markable] = BracketedMarkable(bracket, node)
                if bracket.minimum and bracket.minimum.count(",") > 1:
                    name = quoted(mention.name)
                    self._notes.append(f"Min of {name} has more than two numbers: the first two count")
            if node.zero:
                if not bracket.closed:
                    name = quoted(mention.name)
                    raise CellError(f"{name} opens on a zero and goes on (a zero is alone)")
                mention.zero = node.end, node.zero
            elif bracket.closed:
                mention.pieces.append((node.end - 1, node.end))
            else:
                mention.open_at = node.end - 1
                layer.open[mention.name] = mention

    def finished(self, path: str) -> Annotation:
        """Return the annotation, at the end of the document."""
        for layer in self._layers.values():
            for one in layer.markables.values():
                layer.entities.setdefault(one.entity, []).append(one)
            _check(layer, sum(self.lengths), path)
            self._notes += _notes(layer)
        identity = self._layers[IDENTITY]
        links = list(self._kept_links(identity))
        order = {name: place for place, name in enumerate(dict.fromkeys(link.anaphor for link in links))}
        links.sort(key=lambda link: order[link.anaphor])
        deixis = self._layers[DEIXIS] if self.columns > DEIXIS else None
        return Annotation(identity, deixis, links, self.lengths, "\n".join(self.words), self._notes)

    def _kept_links(self, layer: Layer) -> Iterator[Link]:
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


def _open_again(bracket: Opening, node: Node, layer: Layer) -> BracketedMarkable:
    """Return a markable of which another piece begins."""
    known = layer.markables[bracket.markable]
    if node.zero or known.zero:
        raise CellError(f"{quoted(known.name)} is a zero, and a zero is a markable of its own")
    if known.open_at >= 0:
        raise CellError(f"{quoted(known.name)} opens again before it ends (it opened on line {known.line})")
    if known.entity != bracket.entity:
        layer.reopened.append(known.name)
        known.entity = bracket.entity
    others = others_of(bracket.others) or Others()
    known.sets = (*known.sets, *others.sets)
    return known


def _close(name: str, node: Node, layer: Layer) -> None:
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
    mention.pieces.append((mention.open_at, node.end))
    mention.open_at = -1


def _check(layer: Layer, words: int, path: str) -> None:
    """Raise an InputError for markables that cannot be as they are written."""
    for one in layer.open.values():
        raise InputError(path, f"line {one.line}", f"{quoted(one.name)} opens here and does not end")
    for one in layer.markables.values():
        if one.minimum and one.minimum[1] > words:
            why = f"Min of {quoted(one.name)} names word {one.minimum[1]} of {words} in the document"
            raise InputError(path, f"line {one.line}", why)
    if sets := sets_in(layer):
        from graphlib import CycleError, TopologicalSorter

        try:
            TopologicalSorter(sets).prepare()
        except CycleError as error:
            circle = sorted(set(error.args[1]))
            line = layer.entities[circle[0]][0].line
            why = f"ElementOf makes entities elements of themselves: {enumerated(circle, _SHOWN)}"
            raise InputError(path, f"line {line}", why) from None


def sets_in(layer: Layer) -> dict[str, list[str]]:
    """Return the elements of each set of entities that has a markable of its own."""
    found: dict[str, dict[str, None]] = {}
    for one in layer.markables.values():
        for name in one.sets:
            if name in layer.entities:
                found.setdefault(name, {})[one.entity] = None
    return {name: list(members) for name, members in found.items()}


def _notes(layer: Layer) -> Iterator[str]:
    """Yield what is worth a warning about the markables of a column."""
    if layer.reopened:
        shown = enumerated(dict.fromkeys(layer.reopened), _SHOWN)
        yield f"the pieces of a markable name two entities, and the last one counts: {shown}"
    for entity, members in layer.entities.items():
        if entity.endswith(PSEUDO) and len(members) > 1:
            yield f"entity {quoted(entity)} has {len(members)} markables: the first counts"
    lacking = {name for one in layer.markables.values() for name in one.sets} - layer.entities.keys()
    if lacking:
        yield f"ElementOf names entities without a markable: {enumerated(sorted(lacking), _SHOWN)}"
