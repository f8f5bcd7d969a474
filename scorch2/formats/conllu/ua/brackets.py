"""The brackets of markables and the bridging links of each row of the exploded format, to write them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import NamedTuple, TypeAlias

from scorch2.formats.conllu.order import nodes_of
from scorch2.formats.conllu.ua.cells import (
    ANTECEDENT,
    ELEMENT_OF,
    ENTITY,
    MARKABLE,
    MINIMUM,
    PSEUDO,
    RELATION,
    values_of,
)
from scorch2.formats.conllu.ua.mentions import word_at
from scorch2.formats.conllu.ua.reader import DEIXIS_LAYER
from scorch2.formats.conllu.ua.rows import BRIDGING, DEIXIS, IDENTITY
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Markable, Relations, Word, nodes_name

FORMAT = "UA"
_NAME = re.compile(rf"(?!.*{PSEUDO}\Z)[^\s()|=,@]+")
"""Names of entities that brackets can hold, and that refer to something."""
_VALUE = re.compile(r"[^\s()|@]*")
_KEY = re.compile(r"[^\s()|@=]+")
_CLOSES, _OPENS, _SINGLE = range(3)
"""The order of the brackets of a row."""
Cells: TypeAlias = Mapping[tuple[Word, int], str]
"""The text of cells, by the word or zero of their row, and their column."""


class WrittenMarkable(NamedTuple):
    """A markable as it is written."""

    column: int
    entity: str
    """As it is called in the file."""
    name: str
    source: str
    """As its entity is called in the document; empty if it refers to nothing."""
    mention: Mention
    zero: Word | None
    pieces: Sequence[tuple[int, int]]
    """The first and last word of each piece, from 0 in the document; none if it is a zero."""
    values: Mapping[str, str]
    """What its brackets say, but for entity and name."""


def written_markables(document: Document) -> Iterator[WrittenMarkable]:
    """Yield all markables of a document, numbered in both columns together.

    Those of a column come as they begin in the file, so that what is written of a file that was read has the
    same numbers.
    """
    names = map("markable_{}".format, count(1))
    starts = [0, *accumulate(document.sentences or ())]
    for column, layer in layers_of(document):
        pseudo = count(1)
        markables = _in_order(list(_unnumbered(document, layer, column, starts)), starts)
        sets = _sets(layer, markables)
        for one in markables:
            values = one.values
            if labels := sets.pop(one.source, ()):
                minimum = {key: value for key, value in values.items() if key == MINIMUM}
                values = {**minimum, ELEMENT_OF: ",".join(labels), **values}
            entity = one.entity or f"{next(pseudo)}{PSEUDO}"
            yield one._replace(name=next(names), entity=entity, values=values)


def _unnumbered(
    document: Document, layer: Document, column: int, starts: Sequence[int]
) -> Iterator[WrittenMarkable]:
    """Yield the markables of a column without names, and without an entity if they refer to nothing."""
    labels = _labels(layer)
    known = layer.markables() if layer.markables is not None else {}
    for source, mentions in layer.clusters.items():
        markables: Sequence[Markable | None] = known.get(source) or [None] * len(mentions)
        for mention, markable in zip(mentions, markables, strict=True):
            zero, pieces = _place(mention, starts, document)
            values = {**_minimum(markable, starts), **_others(markable)}
            yield WrittenMarkable(column, labels[source], "", source, mention, zero, pieces, values)
    relations = layer.relations() if layer.relations is not None else Relations()
    for pseudo in relations.non_referring:
        zero, pieces = _place(pseudo, starts, document)
        yield WrittenMarkable(column, "", "", "", pseudo, zero, pieces, {})


def _in_order(markables: Sequence[WrittenMarkable], starts: Sequence[int]) -> list[WrittenMarkable]:
    """Return markables as they begin in the file; of several in one place, as their entities do."""

    def place(one: WrittenMarkable) -> tuple[Word, int, int]:
        if one.zero:
            return one.zero, _SINGLE, 0
        first, last = one.pieces[0]
        kind = (_SINGLE, 0) if first == last else (_OPENS, -last)
        return word_at(first, starts), *kind

    by_place = sorted(markables, key=place)
    order: dict[str | int, int] = {}
    ranks = [order.setdefault(one.source or -number, len(order)) for number, one in enumerate(by_place, 1)]
    every = sorted(zip(by_place, ranks, strict=True), key=lambda pair: (place(pair[0]), pair[1]))
    return [one for one, _ in every]


def _sets(layer: Document, markables: Iterable[WrittenMarkable]) -> dict[str, list[str]]:
    """Return how the sets are called that each entity is a member of, in the order in which sets begin."""
    every = layer.relations().sets if layer.relations is not None else {}
    found: dict[str, list[str]] = defaultdict(list)
    for source, label in dict.fromkeys((one.source, one.entity) for one in markables):
        for member in every.get(source, ()):
            found[member].append(label)
    return found


def layers_of(document: Document) -> Iterator[tuple[int, Document]]:
    """Yield the columns of a document, each with what it says."""
    yield IDENTITY, document
    if DEIXIS_LAYER in document.layers:
        yield DEIXIS, document.layers[DEIXIS_LAYER]


def _labels(document: Document) -> Mapping[str, str]:
    """Return how each entity that has a mention is called in the file."""
    own = [name for name, members in document.clusters.items() if members]
    if all(map(_NAME.fullmatch, own)):
        return {name: name for name in own}
    return {name: str(number) for number, name in enumerate(own, 1)}


def _place(
    mention: Mention, starts: Sequence[int], document: Document
) -> tuple[Word | None, Sequence[tuple[int, int]]]:
    """Return a mention as a zero or as pieces of words."""
    nodes = nodes_of(mention, starts)
    if nodes.empty and nodes.size == 1:
        return nodes.first, ()
    if nodes.empty:
        shown = f"mention {quoted(nodes_name(nodes))} of {quoted(document.id)}"
        why = f"{shown} holds an empty node beside others, which {FORMAT} cannot hold"
        raise InputError(document.path, "", f"{why} (--lossy keeps its words)")
    pieces: list[tuple[int, int]] = []
    for sentence, begin, end in nodes.runs:
        first, last = (starts[sentence] + word - 1 for word in (begin, end))
        if pieces and pieces[-1][1] == first - 1:
            pieces[-1] = pieces[-1][0], last
        else:
            pieces.append((first, last))
    return None, pieces


def _minimum(markable: Markable | None, starts: Sequence[int]) -> Mapping[str, str]:
    if markable is None or not markable.minimum.size or markable.minimum.empty:
        return {}
    first, last = (
        starts[word.sentence] + word.word for word in (markable.minimum.first, markable.minimum.last)
    )
    return {MINIMUM: f"{first},{last}" if first < last else str(first)}


def _others(markable: Markable | None) -> Mapping[str, str]:
    values = values_of(markable.other) if markable else {}
    return {key: value for key, value in values.items() if _KEY.fullmatch(key) and _VALUE.fullmatch(value)}


def cross(mentions: Iterable[WrittenMarkable], column: int) -> bool:
    """Return whether a piece ends after one that opened before it: bare brackets would mix them up."""
    pieces = [
        piece for one in mentions if one.column == column for piece in one.pieces if piece[0] < piece[1]
    ]
    open_until: list[int] = []
    for first, last in sorted(pieces, key=lambda piece: (piece[0], -piece[1])):
        while open_until and open_until[-1] <= first:
            open_until.pop()
        if open_until and open_until[-1] < last:
            return True
        open_until.append(last)
    return False


def bracket_cells(document: Document, mentions: Iterable[WrittenMarkable], *, named: bool) -> Cells:
    """Return the cells of both layers: what closes, what opens, the longer first, and what is one word."""
    starts = [0, *accumulate(document.sentences or ())]
    parts: dict[tuple[Word, int], list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for one in mentions:
        values = {ENTITY: one.entity, MARKABLE: one.name, **one.values}
        opening = "(" + "|".join(f"{key}={value}" for key, value in values.items())
        if one.zero:
            parts[one.zero, one.column].append(((_SINGLE, 0), f"{opening})"))
        for first, last in one.pieces:
            begin, end = (word_at(token, starts) for token in (first, last))
            if first == last:
                parts[begin, one.column].append(((_SINGLE, 0), f"{opening})"))
            else:
                parts[begin, one.column].append(((_OPENS, -last), opening))
                parts[end, one.column].append(((_CLOSES, -first), f"{one.name})" if named else ")"))
    return {
        place: "".join(text for _, text in sorted(found, key=lambda part: part[0]))
        for place, found in parts.items()
    }


def link_cells(document: Document, mentions: Iterable[WrittenMarkable]) -> Cells:
    """Return the cells of bridging; the antecedent of an entity that is not mentioned before is its first."""
    starts = [0, *accumulate(document.sentences or ())]
    known = {(one.source, one.mention): one for one in mentions if one.column == IDENTITY}
    first = {one.source: one for one in reversed(known.values()) if one.source}
    found: dict[tuple[Word, int], str] = defaultdict(str)
    relations = document.relations() if document.relations is not None else Relations()
    for link in relations.bridging:
        anaphor, antecedent = (
            known.get((entity, mention)) or known.get(("", mention))
            for entity, mention in (
                (link.anaphor_entity, link.anaphor),
                (link.antecedent_entity, link.antecedent),
            )
        )
        antecedent = antecedent or first.get(link.antecedent_entity)
        if anaphor is None or antecedent is None:
            continue
        values = {MARKABLE: anaphor.name}
        if link.relation and _VALUE.fullmatch(link.relation):
            values[RELATION] = link.relation
        values[ANTECEDENT] = antecedent.name
        place = anaphor.zero or word_at(anaphor.pieces[0][0], starts)
        found[place, BRIDGING] += "(" + "|".join(f"{key}={value}" for key, value in values.items()) + ")"
    return found
