"""The exploded format of Universal Anaphora: CoNLL-U with columns for what is coreferent.

The 11th column has the markables of identity, the 12th bridging links, the 13th those of discourse deixis,
which are a layer of the document. A markable holds words, in one piece or several, or is one zero.
https://github.com/UniversalAnaphora/UniversalAnaphora
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from sys import intern

from scorch2.formats.conllu.parts import BLANKS, Part, comments_with, parts
from scorch2.formats.conllu.ua.annotation import (
    NAMES,
    Annotation,
    BracketedMarkable,
    Layer,
    annotation,
    sets_in,
)
from scorch2.formats.conllu.ua.cells import ANTECEDENT, ANTECEDENT_ENTITY, RELATION
from scorch2.formats.conllu.ua.mentions import FoundMarkable, mention_of
from scorch2.formats.conllu.ua.rows import DEIXIS, IDENTITY
from scorch2.formats.conllu.ua.syntax import tags, trees
from scorch2.model.document import Document, Mention, OnDemand, Words
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Bridge, Markable, Relations, SyntaxRow

_COLUMNS = re.compile(r"#[ \t]*global\.columns[ \t]*=[ \t]*(.*)")
_NAMES = (*map(str.upper, SyntaxRow._fields), *NAMES.values())
"""How the columns are called, in their order."""
DEIXIS_LAYER = "deixis"
_MANY = 10_000
"""Words of a long document, in which it saves memory to keep equal ones once."""


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order.

    Raises
    ------
    InputError
        With the line: rows that are none, brackets that do not match, a markable without entity, a Min
        outside of the document, rows before the first of several documents.
    """
    _check_columns(data, path)
    found = False
    for part in parts(data, stem, path):
        if not (found or part.is_last or part.has_newdoc):
            rows = (line for line, row in part.lines() if row.strip(BLANKS) and row[:1] != "#")
            why = "a row before the first # newdoc line (to which document does it belong?)"
            raise InputError(path, f"line {next(rows)}", why)
        found = True
        yield _document(part, path)
    if not found:
        raise InputError(path, "", "no document in it (no word)")


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
    found = annotation(part, path)
    document = Document(
        part.name,
        _clusters(found.identity, found.sentences),
        path,
        found.sentences,
        "ua",
        words=Words(words, part, path),
        notes=found.notes,
        tags=Words(tags, part),
        markables=OnDemand(markables, part, path, IDENTITY),
        relations=OnDemand(relations, part, path, IDENTITY),
        trees=OnDemand(trees, part),
    )
    if found.deixis is None:
        return document
    deixis = document._replace(
        clusters=_clusters(found.deixis, found.sentences),
        markables=OnDemand(markables, part, path, DEIXIS),
        relations=OnDemand(relations, part, path, DEIXIS),
    )
    return document._replace(layers={DEIXIS_LAYER: deixis})


def _clusters(layer: Layer, lengths: Sequence[int]) -> Mapping[str, Sequence[Mention]]:
    starts = [0, *accumulate(lengths)]
    return {
        entity: [mention_of(one, starts) for one in members]
        for entity, members in layer.entities.items()
        if not members[0].is_pseudo
    }


def _layer(found: Annotation, column: int) -> Layer:
    return found.deixis if column == DEIXIS and found.deixis else found.identity


def words(part: Part, path: str) -> list[str]:
    """Return the words of a document, without its zeros; in long documents equal words are one string."""
    found = annotation(part, path)
    every = found.words.split("\n") if found.sentences else []
    return list(map(intern, every)) if len(every) > _MANY else every


def markables(part: Part, path: str, column: int) -> Mapping[str, Sequence[Markable]]:
    """Return all that a column says about the mentions of a document, by entity."""
    found = annotation(part, path)
    starts = [0, *accumulate(found.sentences)]
    return {
        entity: [FoundMarkable(one, starts) for one in members]
        for entity, members in _layer(found, column).entities.items()
        if not members[0].is_pseudo
    }


def relations(part: Part, path: str, column: int) -> Relations:
    """Return the sets, the bridging links, and the markables that refer to nothing, of one column.

    If a link names an entity alone, its antecedent is the last mention of it that begins before the anaphor;
    else, of an entity that is no cluster, the first.
    """
    found = annotation(part, path)
    layer = _layer(found, column)
    starts = [0, *accumulate(found.sentences)]
    entities = layer.entities
    referring = {entity for entity, members in entities.items() if not members[0].is_pseudo}
    sets = {
        entity: [member for member in members if member in referring]
        for entity, members in sets_in(layer).items()
        if entity in referring
    }
    bridging = []
    for link in found.links if column == IDENTITY else ():
        anaphor = layer.markables[link.anaphor]
        if name := link.values.get(ANTECEDENT):
            antecedent: BracketedMarkable | None = layer.markables[name]
            entity = layer.markables[name].entity
        else:
            entity = link.values[ANTECEDENT_ENTITY]
            place = bisect_left(entities[entity], anaphor.begin, key=lambda one: one.begin)
            is_cluster = entity in referring
            antecedent = entities[entity][max(place - 1, 0)] if place or not is_cluster else None
        mention = mention_of(antecedent, starts) if antecedent else None
        relation = link.values.get(RELATION, "")
        bridging.append(Bridge(mention_of(anaphor, starts), anaphor.entity, mention, entity, relation))
    pseudo = [
        mention_of(members[0], starts) for entity, members in entities.items() if entity not in referring
    ]
    return Relations({name: members for name, members in sets.items() if members}, bridging, {}, pseudo)
