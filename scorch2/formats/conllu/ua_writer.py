"""The exploded format of Universal Anaphora from documents with words, as its scorers read it."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, repeat
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from scorch2.formats.conllu import ua_lines
from scorch2.formats.conllu.shared import nodes_of, read_again, refused, sentences_of
from scorch2.formats.conllu.ua import DEIXIS_LAYER, word_at
from scorch2.formats.conllu.ua import documents as read
from scorch2.formats.fields import keeping, uncrossed
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Markable, Relations, SyntaxRow, Tree, Word, nodes_name

FORMAT = "UA"
_NAME = re.compile(rf"(?!.*{ua_lines.PSEUDO}\Z)[^\s()|=,@]+")
"""Names of entities that brackets can hold, and that refer to something."""
_VALUE = re.compile(r"[^\s()|@]*")
_KEY = re.compile(r"[^\s()|@=]+")
_CLOSES, _OPENS, _SINGLE = range(3)  # the order of the brackets of a row
Cells: TypeAlias = Mapping[tuple[Word, int], str]
"""The text of cells, by the word or zero of their row, and their column."""


class WrittenMarkable(NamedTuple):
    """A markable as it is written."""

    column: int
    entity: str  # as it is called in the file
    name: str
    source: str  # as its entity is called in the document; empty if it refers to nothing
    mention: Mention
    zero: Word | None
    pieces: Sequence[tuple[int, int]]
    """The first and last word of each piece, from 0 in the document; none if it is a zero."""
    values: Mapping[str, str]  # what its brackets say, but for entity and name


def written_markables(document: Document) -> Iterator[WrittenMarkable]:
    """Yield all markables of a document, numbered in both columns together."""
    # Those of a column come as they begin in the file, so that what is written of a file that was read has
    # the same numbers
    names = map("markable_{}".format, count(1))
    starts = [0, *accumulate(document.sentences or ())]
    for column, layer in layers_of(document):
        markables = _in_order(list(_unnumbered(document, layer, column, starts)), starts)
        sets = _sets(layer, markables)
        named = {markable.entity for markable in markables}
        pseudo = (name for name in map(f"{{}}{ua_lines.PSEUDO}".format, count(1)) if name not in named)
        for markable in markables:
            values = markable.values
            if labels := sets.pop(markable.source or markable.entity, ()):
                minimum = {key: value for key, value in values.items() if key == ua_lines.MINIMUM}
                values = {**minimum, ua_lines.ELEMENT_OF: ",".join(labels), **values}
            entity = markable.entity or next(pseudo)
            yield markable._replace(name=next(names), entity=entity, values=values)


def _unnumbered(
    document: Document, layer: Document, column: int, starts: Sequence[int]
) -> Iterator[WrittenMarkable]:
    """Yield the markables of a column without names, and without an entity if they refer to nothing."""
    # Of those that refer to nothing, entities in sets have their names, to say of which sets they are
    # elements
    labels = _labels(layer)
    known = layer.markables() if layer.markables is not None else {}
    for source, mentions in layer.clusters.items():
        markables: Sequence[Markable | None] = known.get(source) or [None] * len(mentions)
        for mention, markable in zip(mentions, markables, strict=True):
            zero, pieces = _place(mention, starts, document)
            values = {**_minimum(markable, starts), **_others(markable)}
            yield WrittenMarkable(column, labels[source], "", source, mention, zero, pieces, values)
    relations = layer.relations() if layer.relations is not None else Relations()
    others = list(relations.non_referring)
    for members in relations.no_clusters.values():
        others.remove(members[0])
    for entity, mentions in [*relations.no_clusters.items(), ("", others)]:
        for mention in mentions:
            zero, pieces = _place(mention, starts, document)
            yield WrittenMarkable(column, entity, "", "", mention, zero, pieces, {})


def _in_order(markables: Sequence[WrittenMarkable], starts: Sequence[int]) -> list[WrittenMarkable]:
    """Return markables as they begin in the file; of several in one place, as their entities do."""

    def place(markable: WrittenMarkable) -> tuple[Word, int, int]:
        if markable.zero:
            return markable.zero, _SINGLE, 0
        first, last = markable.pieces[0]
        kind = (_SINGLE, 0) if first == last else (_OPENS, -last)
        return word_at(first, starts), *kind

    by_place = sorted(markables, key=place)
    order: dict[str | int, int] = {}
    numbered = enumerate(by_place, 1)
    ranks = [order.setdefault(markable.source or -number, len(order)) for number, markable in numbered]
    every = sorted(zip(by_place, ranks, strict=True), key=lambda pair: (place(pair[0]), pair[1]))
    return [markable for markable, _ in every]


def _sets(layer: Document, markables: Iterable[WrittenMarkable]) -> dict[str, list[str]]:
    """Return how the sets are called that each entity is a member of, in the order in which sets begin."""
    every = layer.relations().sets if layer.relations is not None else {}
    sets_of: dict[str, list[str]] = defaultdict(list)
    for source, label in dict.fromkeys((markable.source, markable.entity) for markable in markables):
        for member in every.get(source or label, ()):
            sets_of[member].append(label)
    return sets_of


def layers_of(document: Document) -> Iterator[tuple[int, Document]]:
    """Yield the columns of a document, each with what it says."""
    yield ua_lines.IDENTITY, document
    if DEIXIS_LAYER in document.layers:
        yield ua_lines.DEIXIS, document.layers[DEIXIS_LAYER]


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
    ends = markable.minimum.first, markable.minimum.last
    first, last = (starts[word.sentence] + word.word for word in ends)
    return {ua_lines.MINIMUM: f"{first},{last}" if first < last else str(first)}


def _others(markable: Markable | None) -> Mapping[str, str]:
    values = ua_lines.values_of(markable.other) if markable else {}
    return {key: value for key, value in values.items() if _KEY.fullmatch(key) and _VALUE.fullmatch(value)}


def cross(mentions: Iterable[WrittenMarkable], column: int) -> bool:
    """Return whether a piece ends after one that opened before it: bare brackets would mix them up."""
    pieces = {piece for markable in mentions if markable.column == column for piece in markable.pieces}
    return len(uncrossed(pieces)) < len(pieces)


def bracket_cells(document: Document, mentions: Iterable[WrittenMarkable], *, named: bool) -> Cells:
    """Return the cells of both layers: what closes, what opens, the longer first, and what is one word."""
    starts = [0, *accumulate(document.sentences or ())]
    parts: dict[tuple[Word, int], list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for markable in mentions:
        values = {ua_lines.ENTITY: markable.entity, ua_lines.MARKABLE: markable.name, **markable.values}
        opening = f"({'|'.join(map('='.join, values.items()))}"
        if markable.zero:
            parts[markable.zero, markable.column].append(((_SINGLE, 0), f"{opening})"))
        for first, last in markable.pieces:
            begin, end = (word_at(token, starts) for token in (first, last))
            if first == last:
                parts[begin, markable.column].append(((_SINGLE, 0), f"{opening})"))
            else:
                parts[begin, markable.column].append(((_OPENS, -last), opening))
                parts[end, markable.column].append(((_CLOSES, -first), f"{markable.name})" if named else ")"))
    ordered = ((place, sorted(cell_parts, key=itemgetter(0))) for place, cell_parts in parts.items())
    return {place: "".join(text for _, text in cell_parts) for place, cell_parts in ordered}


def link_cells(document: Document, mentions: Iterable[WrittenMarkable]) -> Cells:
    """Return the cells of bridging; the antecedent of an entity that is not mentioned before is its first."""
    starts = [0, *accumulate(document.sentences or ())]
    own = (markable for markable in mentions if markable.column == ua_lines.IDENTITY)
    known = {(markable.source, markable.mention): markable for markable in own}
    first = {markable.source: markable for markable in reversed(known.values()) if markable.source}
    cells: dict[tuple[Word, int], str] = defaultdict(str)
    relations = document.relations() if document.relations is not None else Relations()
    for link in relations.bridging:
        ends = (link.anaphor_entity, link.anaphor), (link.antecedent_entity, link.antecedent)
        anaphor, antecedent = (known.get(end) or known.get(("", end[1])) for end in ends)
        antecedent = antecedent or first.get(link.antecedent_entity)
        if anaphor is None or antecedent is None:
            continue
        values = {ua_lines.MARKABLE: anaphor.name}
        if link.relation and _VALUE.fullmatch(link.relation):
            values[ua_lines.RELATION] = link.relation
        values[ua_lines.ANTECEDENT] = antecedent.name
        place = anaphor.zero or word_at(anaphor.pieces[0][0], starts)
        cells[place, ua_lines.BRIDGING] += f"({'|'.join(map('='.join, values.items()))})"
    return cells


_HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def write_file(documents: Sequence[Document]) -> str:
    """Return documents with words in the exploded format: their trees, if there are some, and mentions."""
    # Entities keep their names if brackets can hold those of their document; else they are called by numbers.
    # Brackets that close name their markable if one of the file crosses another one.
    trees = [sentences_of(document, FORMAT) for document in documents]
    every = [list(written_markables(document)) for document in documents]
    named = any(
        cross(mentions, column) for mentions in every for column in (ua_lines.IDENTITY, ua_lines.DEIXIS)
    )
    return _HEADER + "".join(map(_written, documents, trees, every, repeat(named)))


def fitting(document: Document) -> Document:
    """Return the document with mentions that hold an empty node beside others reduced to their words."""
    # Those that hold several empty nodes and no word are left out.
    if not document.has_discontinuous:
        return document
    document = keeping(
        document, lambda _, one: not isinstance(one, Discontinuous) or one.nodes.runs or one.nodes.size == 1
    )
    clusters = {name: list(map(_reduced, members)) for name, members in document.clusters.items()}
    relations = document.relations and OnDemand(_with_reduced, document.relations)
    return document._replace(clusters=clusters, relations=relations)


def _reduced(mention: Mention) -> Mention:
    if not isinstance(mention, Discontinuous) or mention.nodes.size == 1:
        return mention
    nodes, (start, end) = mention.nodes._replace(empty=()), mention
    return (start, end) if nodes.size == end - start else Discontinuous(start, end, nodes)


def _with_reduced(relations: Callable[[], Relations]) -> Relations:
    """Return relations whose bridging links are between mentions reduced to their words."""
    before = relations()
    bridging = [
        link._replace(
            anaphor=_reduced(link.anaphor), antecedent=link.antecedent and _reduced(link.antecedent)
        )
        for link in before.bridging
    ]
    return before._replace(bridging=bridging)


def _written(
    document: Document, trees: Sequence[Tree], mentions: Sequence[WrittenMarkable], named: bool
) -> str:
    cells = {**bracket_cells(document, mentions, named=named), **link_cells(document, mentions)}
    lines = [f"# newdoc id = {document.id}"]
    before = rank = 0
    for number, tree in enumerate(trees):
        lines += tree.comments
        for row in _rows(tree):
            word, dot, empty = row.id.partition(".")
            place = Word(number, int(word), int(empty) if dot else 0)
            before, rank = (before, rank + 1) if dot else (before + 1, 0)
            ident = f"{before}.{rank}" if dot else str(before)
            columns = [
                cells.get((place, column), "_")
                for column in (ua_lines.IDENTITY, ua_lines.BRIDGING, ua_lines.DEIXIS)
            ]
            lines.append("\t".join([*row._replace(id=ident), *columns, "_", "_"]))
        lines.append("")
    text = "".join(f"{line}\n" for line in lines)
    if unlike := _unlike(read_again(text, lines, document, read, FORMAT), trees, mentions):
        raise refused(document, FORMAT, unlike)
    return text


def _rows(tree: Tree) -> list[SyntaxRow]:
    """Return the words and empty nodes of a sentence: scorers count a token of several words as one more."""
    # They are in the order of their numbers, which need not be that of the lines of CorefUD.
    return sorted(
        [row for row in tree.rows if "-" not in row.id],
        key=lambda row: (int(row.id.partition(".")[0]), int(row.id.partition(".")[2] or 0)),
    )


def _unlike(copy: Document, trees: Sequence[Tree], mentions: Iterable[WrittenMarkable]) -> str:
    """Return in words what differs in a document that was read again; empty if nothing does."""
    if copy.trees is None or [list(map(_form, tree.rows)) for tree in copy.trees()] != [
        list(map(_form, _rows(tree))) for tree in trees
    ]:
        return "its words or sentences would be read in another way"
    sizes = Counter((markable.column, markable.entity) for markable in mentions if markable.source)
    for column, layer in layers_of(copy):
        for entity, members in layer.clusters.items():
            sizes[column, entity] -= len(members)
    return "mentions would be read in another way" if any(sizes.values()) else ""


def _form(row: SyntaxRow) -> SyntaxRow:
    """Return a row as it is compared: zeros are numbered anew."""
    word, dot, _ = row.id.partition(".")
    return row._replace(id=word + dot)
