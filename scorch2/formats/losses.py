"""Things that a document holds and its copy in another format does not, for the warning of a conversion."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from scorch2.formats.table import row_of
from scorch2.model.annotation import NIL, nil_id
from scorch2.model.document import Columns, Document, Mention, OnDemand
from scorch2.model.markables import Markable, Pieces, Relations, Tree
from scorch2.model.messages import counted

_PLAIN_COLUMNS = 4
"""Columns that say nothing else: name, part, number in the sentence, word."""
_COLUMN = "other column"
_INSIDE = "enclosed empty node"


def lost(document: Document, copy: Document) -> Counter[str]:
    """Return how many things of each kind a document has more than its copy.

    >>> lost(Document("d", {"a": ["m", "n"], "b": []}), Document("d", {"a": ["m"]}))
    Counter({'mention': 1, 'empty cluster': 1})
    """
    found = _things(document) - _things(copy)
    if not row_of(copy.format).pieces:
        del found[_INSIDE]  # the whole mention is lost
    found += Counter({"cluster name": _names_lost(document, copy) - found["cluster"]})
    if isinstance(document.words, Columns) and not isinstance(copy.words, Columns):
        more = max(map(len, document.words.cells()), default=0) - _PLAIN_COLUMNS
        found += Counter({_COLUMN: more})
    return found


def _names_lost(document: Document, copy: Document) -> int:
    """Return how many clusters have a name in a document and another one, or none, in its copy.

    Numbers are no names: formats number clusters anew. Ids of a knowledge base are counted as such.
    """
    if row_of(document.format).names_are_positions:
        return 0
    ids = {one.id for annotation in document.annotations for one in annotation.candidates}
    linked = {name for name in ids if name is not None and not name.startswith(NIL)}
    named = {name for name, members in document.clusters.items() if members} - linked
    kept = copy.clusters.keys()
    return sum(not (name.isdecimal() or name in kept or nil_id(name, document.id) in kept) for name in named)


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
    words = mention.words if isinstance(mention, Pieces) else ()
    return sum(word.rank > 0 for word in words) if len(words) > 1 else 0


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
    """Return a document without the mentions that no span can say."""
    if not document.has_pieces:
        return document
    every = document.clusters.items()
    places = {
        name: [i for i, one in enumerate(members) if not isinstance(one, Pieces)] for name, members in every
    }
    return with_only(document, places)


def first_only(document: Document) -> Document:
    """Return a document without the mentions that an earlier cluster has: for formats that hold each once."""
    seen: set[Mention] = set()
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        clusters[name] = [mention for mention in dict.fromkeys(members) if mention not in seen]
        seen.update(members)
    return document._replace(clusters=clusters)
