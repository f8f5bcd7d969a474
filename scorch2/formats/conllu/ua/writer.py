"""The exploded format of Universal Anaphora from documents with words, as its scorers read it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from scorch2.formats.conllu.layout import sentences_of
from scorch2.formats.conllu.read_again import read_again, refused
from scorch2.formats.conllu.ua.brackets import (
    FORMAT,
    WrittenMarkable,
    bracket_cells,
    cross,
    layers_of,
    link_cells,
    written_markables,
)
from scorch2.formats.conllu.ua.reader import documents as read
from scorch2.formats.conllu.ua.rows import BRIDGING, DEIXIS, IDENTITY
from scorch2.formats.losses import with_only
from scorch2.model.document import Document, Mention, OnDemand
from scorch2.model.markables import Discontinuous, Relations, SyntaxRow, Tree, Word

_HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def write(document: Document) -> str:
    """Return a document with words as a file of its own; see `write_file`."""
    return write_file([document])


def write_file(documents: Sequence[Document]) -> str:
    """Return documents with words in the exploded format: their trees, if they have some, and all mentions.

    Entities keep their names if brackets can hold those of their document; else they are called by numbers.
    Brackets that close name their markable if one of the file crosses another one.

    Raises
    ------
    InputError
        If a document has no words, or a mention holds an empty node beside others.
    """
    trees = [sentences_of(document, FORMAT) for document in documents]
    every = [list(written_markables(document)) for document in documents]
    named = any(cross(mentions, column) for mentions in every for column in (IDENTITY, DEIXIS))
    found = map(_written, documents, trees, every, repeat(named))
    return _HEADER + "".join(found)


def fitting(document: Document) -> Document:
    """Return the document with mentions that hold an empty node beside others reduced to their words.

    Those that hold several empty nodes and no word are left out.
    """
    if not document.has_pieces:
        return document
    places: dict[str, list[int]] = {}
    for name, members in document.clusters.items():
        kept = enumerate(members)
        places[name] = [
            i for i, one in kept if not isinstance(one, Discontinuous) or _is_one_zero(one) or one.nodes.runs
        ]
    document = with_only(document, places)
    clusters = {name: list(map(_reduced, members)) for name, members in document.clusters.items()}
    relations = document.relations and OnDemand(_with_reduced, document.relations)
    return document._replace(clusters=clusters, relations=relations)


def _is_one_zero(mention: Discontinuous) -> bool:
    return mention.nodes.size == 1


def _reduced(mention: Mention) -> Mention:
    if not isinstance(mention, Discontinuous) or _is_one_zero(mention):
        return mention
    nodes, (start, end) = mention.nodes._replace(empty=()), mention
    return (start, end) if nodes.size == end - start else Discontinuous(start, end, nodes)


def _with_reduced(relations: Callable[[], Relations]) -> Relations:
    """Return relations whose bridging links are between mentions reduced to their words."""
    found = relations()
    bridging = [
        one._replace(anaphor=_reduced(one.anaphor), antecedent=one.antecedent and _reduced(one.antecedent))
        for one in found.bridging
    ]
    return found._replace(bridging=bridging)


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
            columns = [cells.get((place, column), "_") for column in (IDENTITY, BRIDGING, DEIXIS)]
            lines.append("\t".join([*row._replace(id=ident), *columns, "_", "_"]))
        lines.append("")
    text = "".join(f"{line}\n" for line in lines)
    if unlike := _unlike(read_again(text, lines, document, read, FORMAT), trees, mentions):
        raise refused(document, FORMAT, unlike)
    return text


def _rows(tree: Tree) -> list[SyntaxRow]:
    """Return the words and empty nodes of a sentence: scorers count a token of several words as one more.

    They are in the order of their numbers, which need not be that of the lines of CorefUD.
    """
    return sorted([row for row in tree.rows if "-" not in row.id], key=_number)


def _number(row: SyntaxRow) -> tuple[int, int]:
    word, _, rank = row.id.partition(".")
    return int(word), int(rank or 0)


def _unlike(found: Document, trees: Sequence[Tree], mentions: Iterable[WrittenMarkable]) -> str:
    """Return in words what differs in a document that was read again; empty if nothing does."""
    if found.trees is None or [list(map(_form, tree.rows)) for tree in found.trees()] != [
        list(map(_form, _rows(tree))) for tree in trees
    ]:
        return "its words or sentences would be read in another way"
    sizes = Counter((one.column, one.entity) for one in mentions if one.source)
    for column, layer in layers_of(found):
        for entity, members in layer.clusters.items():
            sizes[column, entity] -= len(members)
    return "mentions would be read in another way" if any(sizes.values()) else ""


def _form(row: SyntaxRow) -> SyntaxRow:
    """Return a row as it is compared: zeros are numbered anew."""
    word, dot, _ = row.id.partition(".")
    return row._replace(id=word + dot)
