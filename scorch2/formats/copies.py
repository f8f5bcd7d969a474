"""Documents as the content of a file in any format, which is read again to be sure, and what it lacks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, zip_longest
from typing import NamedTuple

from scorch2.formats.fields import check_tokens, value_of
from scorch2.formats.reading import format_module, stream_of
from scorch2.formats.recognition import recognised_in
from scorch2.formats.table import FORMATS, Format, row_of
from scorch2.model.document import Columns, Discontinuous, Document, Label
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Relations, nodes_name
from scorch2.model.names import NIL, category_of, labels_of, nil_id

_PLAIN_COLUMNS = 4  # columns that say nothing else: name, part, number in the sentence, word
_COLUMN = "other column"
_EMPTY = ("_", "-", "*", "")  # cells that say nothing
_INSIDE = "enclosed empty node"
_HEAD = "head"
_CATEGORY = "category "  # followed by the category
_LOOKED_AT = 1 << 16  # characters of a file by which its format is told


class Held(NamedTuple):
    """The things in a document, for a comparison with its copy."""

    id: str
    things: Counter[str]
    names: AbstractSet[str]
    """The names of clusters; numbers are none, and ids of a knowledge base are counted as such."""


def held(document: Document) -> Held:
    """Return what a document holds."""
    return Held(document.id, _things(document), _names(document))


def lost(original: Held, copy: Document) -> Counter[str]:
    """Return how many things of each kind the copy of a document lacks.

    >>> lost(held(Document("d", {"a": ["m", "n"], "b": []})), Document("d", {"a": ["m"]}))
    Counter({'mention': 1, 'empty cluster': 1})
    """
    lacking: Counter[str] = Counter()
    for what, number in (original.things - _things(copy)).items():
        lacking["category" if what.startswith(_CATEGORY) else what] += number
    row = row_of(copy.format)
    if not row.discontinuous:
        del lacking[_INSIDE]  # the whole mention is lost
    if row.text_beside:
        del lacking["token"]  # the text has them; where each ends nobody needs
    kept = copy.clusters.keys()
    renamed = sum(name not in kept and nil_id(name, original.id) not in kept for name in original.names)
    lacking += Counter({"cluster name": renamed - lacking["cluster"]})
    return lacking


def _names(document: Document) -> AbstractSet[str]:
    """Return the names of the clusters of a document that mean something."""
    if document.numbered:
        return frozenset()
    ids = {candidate.id for annotation in document.annotations for candidate in annotation.candidates}
    return {
        name
        for name, members in document.clusters.items()
        if members and not name.isdecimal() and (name not in ids or name.startswith(NIL))
    }


def _in_clusters(document: Document) -> Mapping[str, int]:
    members = document.clusters.values()
    may_enclose = row_of(document.format).discontinuous or not document.format
    discontinuous = [
        mention.nodes
        for mention in (chain.from_iterable(members) if may_enclose else ())
        if isinstance(mention, Discontinuous)
    ]
    return {
        "mention": sum(len(set(mentions)) for mentions in members),
        "cluster": sum(map(bool, members)),
        "empty cluster": len(members) - sum(map(bool, members)),
        _INSIDE: sum(len(nodes.empty) for nodes in discontinuous if nodes.size > 1),
    }


def _in_words(document: Document) -> Mapping[str, int]:
    tokens = document.sentences if document.words is not None and document.has_tokens else None
    cells = document.words.cells() if isinstance(document.words, Columns) else ()
    filled = {place for row in cells for place, cell in enumerate(row[_PLAIN_COLUMNS:]) if cell not in _EMPTY}
    return {"token": sum(tokens or ()), _COLUMN: len(filled)}


def _in_annotations(document: Document) -> Mapping[str, int]:
    candidates = [candidate for annotation in document.annotations for candidate in annotation.candidates]
    return {
        "knowledge base id": sum(not (candidate.id or NIL).startswith(NIL) for candidate in candidates),
        "score": sum(candidate.score is not None for candidate in candidates),
    }


def _in_categories(document: Document) -> Mapping[str, int]:
    """Count each category by itself: a copy may hold as many and other ones."""
    if document.annotations:  # of an entity, each candidate may say what it is
        every = chain.from_iterable(annotation.candidates for annotation in document.annotations)
        labels: Iterable[Label] = [candidate.type for candidate in every]
    else:
        labels = chain.from_iterable(labels_of(document).values())
    return Counter(f"{_CATEGORY}{category_of(label)}" for label in labels if label)


def _in_markables(document: Document) -> Counter[str]:
    things: Counter[str] = Counter()
    every = document.markables() if document.markables is not None else {}
    for markable in chain.from_iterable(every.values()):
        minimum = markable.minimum
        things[_HEAD] += minimum.size > 0 and not (markable.is_zero and markable.nodes.size == 1)
        things["minimal span"] += minimum.size > 1
        for value in markable.other.split(",") if markable.other else ():
            things[value_of(value.partition(":")[0])] += 1
    return things


def _in_relations(document: Document) -> Mapping[str, int]:
    relations = document.relations() if document.relations is not None else Relations()
    return {
        "bridging link": len(relations.bridging),
        "bridging type": sum(bool(link.relation) for link in relations.bridging),
        "split antecedent": sum(map(len, relations.sets.values())),
        "non-referring mention": len(relations.non_referring)
        + sum(max(0, len(mentions) - 1) for mentions in relations.no_clusters.values()),
    }


def _in_trees(document: Document) -> Mapping[str, int]:
    trees = document.trees() if document.trees is not None else ()
    rows = [row for tree in trees for row in tree.rows]
    columns = {name for name in _OF_WORDS if any(getattr(row, name) not in ("_", "") for row in rows)}
    return {
        "syntax tree": sum(any(row.head not in ("0", "_") for row in tree.rows) for tree in trees),
        "multiword token": sum("-" in row.id for row in rows),
        "empty node": sum("." in row.id for row in rows),
        "comment": sum(len(tree.comments) for tree in trees),
        _COLUMN: len(columns),
    }


_OF_WORDS = ("lemma", "upos", "xpos", "feats", "deps", "misc")  # columns of CoNLL-U that say more of a word
THINGS: Mapping[str, Callable[[Document], Mapping[str, int]]] = {
    "clusters": _in_clusters,
    "words": _in_words,
    "text": lambda document: {"character of the text": len(document.text or "")},
    "annotations": _in_annotations,
    "categories": _in_categories,
    "markables": _in_markables,
    "relations": _in_relations,
    "layers": lambda document: {
        "deixis mention": sum(
            map(len, chain.from_iterable(layer.clusters.values() for layer in document.layers.values()))
        )
    },
    "trees": _in_trees,
    "anaphora": lambda document: {"pronoun": len(document.anaphora.answers) if document.anaphora else 0},
    "unread": lambda document: document.unread() if document.unread is not None else {},
}
"""What each field of a document holds that a copy may lack: how many things by a noun. The nouns of all
formats are the same, and what a reader does not take is in the last field, so nothing is lost untold."""


def _things(document: Document) -> Counter[str]:
    """Return how many things of each kind a document has; their names are nouns."""
    things: Counter[str] = Counter()
    for count in THINGS.values():
        things.update(count(document))
    return things


def together(every: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Return the losses of several documents; columns of all stand beside each other and count once."""
    total: Counter[str] = Counter()
    for losses in every:
        columns = max(total[_COLUMN], losses.get(_COLUMN, 0))
        total.update(losses)
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


class Written(NamedTuple):
    """The content of a file, and what it could not hold."""

    text: str
    lost: Mapping[str, int]
    """How many things of each kind the documents have that the file has not, see `THINGS`."""
    text_beside: str | None = None
    """The content of the file with the text beside it, see `scorch2.formats.table.Format.text_beside`."""
    heads: int = 0  # the heads in it that the documents do not name: first words


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
    """Return documents as the content of one file, which was read again to be sure."""
    # `lossy` allows it to leave out mentions that the format cannot hold
    return checked(unchecked(written, format, lossy=lossy))


def unchecked(written: Sequence[Document], format: str, *, lossy: bool = False) -> Unchecked:
    """Return documents as the content of one file, which `checked` reads again; as `write_file`."""
    # Between the two, large documents can be dropped: they need not be held beside their copies.
    row = FORMATS[format]
    writer = format_module(row.writer)
    for document in written if row.needs_tokens else ():
        check_tokens(document, row.about)
    left = [writer.fitting(document) for document in written] if lossy else written
    if row.written_together:
        text = writer.write_file(left)
    else:
        text = "".join(write(document, format) for document in left)
    beside = writer.plain_text(left[0]) if row.text_beside else None
    pairs = zip(left, written, strict=True)
    wanted = [_Wanted(one.id, one.path, _gist(one, row), held(original)) for one, original in pairs]
    return Unchecked(text, beside, format, wanted)


def checked(file: Unchecked) -> Written:
    """Return a file if it is read as the documents that were written, with what it lacks of them."""
    row = FORMATS[file.format]
    losses = []
    heads = 0
    copies, refused = _read_again(file)
    for wanted, copy in zip_longest(file.wanted, copies):
        if wanted is None or copy is None or wanted.gist != _gist(copy, row):
            odd = wanted or file.wanted[-1]
            why = f"{quoted(odd.id)} cannot be written as {file.format}: it would be read differently"
            hint = refused or "is its name, a word or a mention unusual?"
            raise InputError(odd.path, "", f"{why} ({hint})")
        beside = copy.text if file.text_beside is None else file.text_beside
        losses.append(lost(wanted.held, copy._replace(text=beside)))
        heads += max(0, _in_markables(copy)[_HEAD] - wanted.held.things[_HEAD]) if row.heads else 0
    return Written(file.text, together(losses), file.text_beside, heads)


def _read_again(file: Unchecked) -> tuple[list[Document], str]:
    """Return the documents in the content of a file, and what its reader refuses."""
    try:
        other = recognised_in(file.text[:_LOOKED_AT].encode())
        if other not in (None, file.format):
            return [], f"it would be taken for {other}"
        return list(stream_of(file.text.encode(), "", file.format)), ""
    except InputError as error:
        return [], f"{error.where}: {error.why}" if error.where else error.why
    except UnicodeEncodeError:
        return [], ""


def _gist(document: Document, row: Format) -> tuple[str, list[int]]:
    """Return what every format keeps of a document: its name if inside, and sizes, those of clusters last."""
    sizes = (len(set(members)) for members in document.clusters.values())
    words = sum(document.sentences or ()) if row.needs_tokens else 0
    name = "" if row.named_by_file else document.id
    return name, [words, len(document.repairs), *sorted(size for size in sizes if size)]


def write(document: Document, format: str) -> str:
    """Return a document in a format, as text that ends with a line feed; what no reader takes is refused."""
    row = FORMATS[format]
    if row.holds_spans_only:
        _refuse_discontinuous(document, format)
    writer = format_module(row.writer)
    text = writer.write_file([document]) if row.written_together else writer.write(document)
    if "\0" in text:
        why = f"{quoted(document.id)} cannot be written as {format}: it holds a NUL byte"
        raise InputError(document.path, "", why)
    return text


def _refuse_discontinuous(document: Document, format: str) -> None:
    """Raise an InputError for a mention that is no span; formats in which mentions are names can hold it."""
    for name, members in document.clusters.items():
        for mention in members:
            if isinstance(mention, Discontinuous):
                shown = f"mention {quoted(nodes_name(mention.nodes))} of the entity {quoted(name)}"
                why = f"{shown} is not a span of words, and {format} holds only these (--lossy leaves it out)"
                raise InputError(document.path, "", f"{quoted(document.id)}: {why}")
