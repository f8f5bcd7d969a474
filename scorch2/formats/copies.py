"""Documents as the content of a file in any format, which is read again to be sure, and what it lacks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, zip_longest
from typing import NamedTuple, Protocol

from scorch2.formats.reading import holds_spans_only, stream_of, write
from scorch2.formats.table import FORMATS, format_module, row_of
from scorch2.model.document import NIL, Columns, Document, Mention, OnDemand, nil_id
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Discontinuous, Markable, Relations, Tree

_PLAIN_COLUMNS = 4
"""Columns that say nothing else: name, part, number in the sentence, word."""
_COLUMN = "other column"
_INSIDE = "enclosed empty node"


class Held(NamedTuple):
    """The things in a document, for a comparison with its copy."""

    id: str
    things: Counter[str]
    names: AbstractSet[str]
    """The names of clusters; numbers are none, and ids of a knowledge base are counted as such."""
    columns: int
    """Of the text, if it has columns."""


def held(document: Document) -> Held:
    """Return what a document holds."""
    words = document.words
    columns = max(map(len, words.cells()), default=0) if isinstance(words, Columns) else 0
    return Held(document.id, _things(document), _names(document), columns)


def lost(original: Held, copy: Document) -> Counter[str]:
    """Return how many things of each kind the copy of a document lacks.

    >>> lost(held(Document("d", {"a": ["m", "n"], "b": []})), Document("d", {"a": ["m"]}))
    Counter({'mention': 1, 'empty cluster': 1})
    """
    found = original.things - _things(copy)
    if not row_of(copy.format).pieces:
        del found[_INSIDE]  # the whole mention is lost
    kept = copy.clusters.keys()
    renamed = sum(name not in kept and nil_id(name, original.id) not in kept for name in original.names)
    found += Counter({"cluster name": renamed - found["cluster"]})
    if not isinstance(copy.words, Columns):
        found += Counter({_COLUMN: original.columns - _PLAIN_COLUMNS})
    return found


def _names(document: Document) -> AbstractSet[str]:
    """Return the names of the clusters of a document that mean something."""
    if row_of(document.format).names_are_positions:
        return frozenset()
    ids = {one.id for annotation in document.annotations for one in annotation.candidates}
    return {
        name
        for name, members in document.clusters.items()
        if members and not name.isdecimal() and (name not in ids or name.startswith(NIL))
    }


def _things(document: Document) -> Counter[str]:
    """Return how many things of each kind a document has; their names are nouns."""
    members = document.clusters.values()
    candidates = [candidate for one in document.annotations for candidate in one.candidates]
    tokens = document.sentences if document.words is not None and document.has_tokens else None
    relations = document.relations() if document.relations is not None else Relations()
    trees = document.trees() if document.trees is not None else ()
    return Counter({
        "mention": sum(len(set(mentions)) for mentions in members),
        "cluster": sum(map(bool, members)),
        "empty cluster": len(members) - sum(map(bool, members)),
        "token": sum(tokens or ()),
        "character of the text": len(document.text or ""),
        "knowledge base id": sum(not (one.id or NIL).startswith(NIL) for one in candidates),
        "type": len(document.types or ()) or sum(one.type is not None for one in candidates),
        "score": sum(one.score is not None for one in candidates),
        "head": sum(map(len, document.clusters.values())) if document.markables is not None else 0,
        "bridging link": len(relations.bridging),
        "split antecedent": sum(map(len, relations.sets.values())),
        "entity type": len(relations.types),
        "non-referring mention": len(relations.non_referring),
        _INSIDE: sum(map(_empty_nodes, chain.from_iterable(members))),
        "deixis mention": sum(
            map(len, chain.from_iterable(layer.clusters.values() for layer in document.layers.values()))
        ),
        "syntax tree": sum(map(_is_tree, trees)),
        "multiword token": sum("-" in row.id for tree in trees for row in tree.rows),
        "pronoun": len(document.anaphora.answers) if document.anaphora else 0,
    })  # fmt: skip


def _empty_nodes(mention: Mention) -> int:
    """Return how many empty nodes a mention has beside other words."""
    if not isinstance(mention, Discontinuous):
        return 0
    return len(mention.nodes.empty) if mention.nodes.size > 1 else 0


def _is_tree(tree: Tree) -> bool:
    return any(row.head not in ("0", "_") for row in tree.rows)


def together(every: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Return the losses of several documents; columns of all stand beside each other and count once."""
    total: Counter[str] = Counter()
    for one in every:
        columns = max(total[_COLUMN], one.get(_COLUMN, 0))
        total.update(one)
        total[_COLUMN] = columns
    return +total


def in_words(things: Mapping[str, int]) -> str:
    """Return losses as a list.

    >>> in_words({"token": 120, "other column": 1})
    '120 tokens, 1 other column'
    """
    return ", ".join(
        counted(number, what) if what != "character of the text" else f"the text ({number} characters)"
        for what, number in things.items()
    )


def with_only(document: Document, places: Mapping[str, Sequence[int]]) -> Document:
    """Return a document with the mentions at some places of each cluster, and what is known of those."""
    clusters = {name: [members[i] for i in places[name]] for name, members in document.clusters.items()}
    if document.markables is None:
        return document._replace(clusters=clusters)
    return document._replace(clusters=clusters, markables=OnDemand(_markables_at, document.markables, places))


def _markables_at(
    every: Callable[[], Mapping[str, Sequence[Markable]]], places: Mapping[str, Sequence[int]]
) -> Mapping[str, Sequence[Markable]]:
    return {name: [members[i] for i in places[name]] for name, members in every().items()}


def without_pieces(document: Document) -> Document:
    """Return a document without the mentions that no span can say, and the clusters that have no others."""
    if not document.has_pieces:
        return document
    every = document.clusters.items()
    places = {
        name: [i for i, one in enumerate(members) if not isinstance(one, Discontinuous)]
        for name, members in every
    }
    kept = {name: members for name, members in every if places[name] or not members}
    return with_only(document._replace(clusters=kept), places)


def first_only(document: Document) -> Document:
    """Return a document without the mentions that an earlier cluster has: for formats that hold each once."""
    seen: set[Mention] = set()
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        clusters[name] = [mention for mention in dict.fromkeys(members) if mention not in seen]
        seen.update(members)
    return document._replace(clusters=clusters)


class _FileWriter(Protocol):
    def write_file(self, documents: Sequence[Document]) -> str: ...


class Written(NamedTuple):
    """The content of a file, and what it could not hold."""

    text: str
    lost: Mapping[str, int]
    """How many things of each kind the documents have that the file has not, see `scorch2.formats.copies`."""
    text_beside: str | None = None
    """The content of the file with the text beside it, see `scorch2.formats.table.Format.text_beside`."""


class _Wanted(NamedTuple):
    """The part of a written document that is compared: far less than the document."""

    id: str
    path: str
    gist: tuple[str, list[int]]
    held: Held


class Unchecked(NamedTuple):
    """The content of a file that was not read again yet, and what it must hold."""

    text: str
    text_beside: str | None
    format: str
    wanted: Sequence[_Wanted]


def write_file(written: Sequence[Document], format: str, *, lossy: bool = False) -> Written:
    """Return documents as the content of one file, which was read again to be sure.

    `lossy` allows it to leave out mentions that the format cannot hold.

    Raises
    ------
    InputError
        As `write`, and if the file would not be read as these documents.
    """
    return checked(unchecked(written, format, lossy=lossy))


def unchecked(written: Sequence[Document], format: str, *, lossy: bool = False) -> Unchecked:
    """Return documents as the content of one file, which `checked` reads again; as `write_file`.

    Between the two, large documents can be dropped: they need not be held beside their copies.
    """
    fitting = getattr(format_module(FORMATS[format].writer), "fitting", None) if lossy else None
    left: Sequence[Document] = written
    row = FORMATS[format]
    if lossy and holds_spans_only(row):
        left = [without_pieces(document) for document in left]
    left = [fitting(document) for document in left] if fitting else left
    whole: _FileWriter = format_module(row.writer)
    if hasattr(whole, "write_file"):
        text = whole.write_file(left)
    else:
        text = "".join(write(document, format) for document in left)
    beside = format_module(row.writer).plain_text(left[0]) if row.text_beside else None
    named = not row.named_by_file
    wanted = [
        _Wanted(document.id, document.path, _gist(document, named=named), held(original))
        for original, document in zip(written, left, strict=True)
    ]
    return Unchecked(text, beside, format, wanted)


def checked(file: Unchecked) -> Written:
    """Return a file if it is read as the documents that were written, with what it lacks of them.

    Raises
    ------
    InputError
        If it would be read differently.
    """
    named = not FORMATS[file.format].named_by_file
    losses = []
    for one, found in zip_longest(file.wanted, _read_again(file)):
        if one is None or found is None or one.gist != _gist(found, named=named):
            odd = one or file.wanted[-1]
            why = f"{quoted(odd.id)} cannot be written as {file.format}: it would be read differently"
            raise InputError(odd.path, "", f"{why} (is its name or a mention unusual?)")
        beside = found.text if file.text_beside is None else file.text_beside
        losses.append(lost(one.held, found._replace(text=beside)))
    return Written(file.text, together(losses), file.text_beside)


def _read_again(file: Unchecked) -> list[Document]:
    try:
        return list(stream_of(file.text.encode(), "", file.format))
    except (InputError, UnicodeEncodeError):
        return []


def _gist(document: Document, *, named: bool) -> tuple[str, list[int]]:
    """Return what every format keeps of a document: the sizes of its clusters and, if `named`, its name."""
    sizes = (len(set(members)) for members in document.clusters.values())
    return document.id if named else "", sorted(size for size in sizes if size)
