"""CorefUD from documents with words, as the validator of Universal Dependencies wants it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from scorch2.formats.conllu.corefud.brackets import NodePlace, written_attributes
from scorch2.formats.conllu.corefud.fitting import only_fitting
from scorch2.formats.conllu.corefud.reader import documents as read
from scorch2.formats.conllu.layout import sentences_of, written_mentions
from scorch2.formats.conllu.read_again import read_again, refused
from scorch2.model.document import Document
from scorch2.model.errors import quoted
from scorch2.model.markables import Relations, SyntaxRow, Tree

_FORMAT = "CorefUD"
_HEADER = "# global.Entity = eid-etype-head-other"
_NAME = re.compile(r"[^\s()\[\]|=,<:-]+")
"""Names of entities that brackets and links can hold."""


fitting = only_fitting


def write(document: Document) -> str:
    """Return a document with words as a file of its own; see `write_file`."""
    return write_file([document])


def write_file(documents: Sequence[Document]) -> str:
    """Return documents with words as CorefUD: their trees, if they have some, and what is known of mentions.

    Entities keep their names if brackets can hold those of their document and no document before has one of
    them; else they are called by numbers: ``e1``, ``e2`` ...

    Raises
    ------
    InputError
        If a document has no words, a mention leaves its sentence, two mentions have the same words, or two of
        one entity cross.
    """
    taken = {name for document in documents for name in document.clusters}
    free = (name for name in map("e{}".format, count(1)) if name not in taken)
    used: set[str] = set()
    found = []
    for document in documents:
        own = [name for name, members in document.clusters.items() if members]
        keep = used.isdisjoint(own) and all(map(_NAME.fullmatch, own))
        names = {name: name if keep else next(free) for name in own}
        used.update(names.values())
        found.append(_written(document, names))
    return "".join(found)


def _written(document: Document, names: Mapping[str, str]) -> str:
    trees = sentences_of(document, _FORMAT)
    relations = document.relations() if document.relations is not None else Relations()
    cells = written_attributes(list(written_mentions(document, trees, _FORMAT)), names, relations)
    lines = [f"# newdoc id = {document.id}", _HEADER]
    for number, tree in enumerate(trees):
        lines += tree.comments
        lines += [_row(row, number, cells) for row in tree.rows]
        lines.append("")
    text = "".join(f"{line}\n" for line in lines)
    found = read_again(text, lines, document, read, _FORMAT)
    if unlike := _unlike(found, document, trees, names):
        raise refused(document, _FORMAT, unlike)
    return text


def _row(row: SyntaxRow, sentence: int, found: Mapping[NodePlace, Mapping[str, str]]) -> str:
    """Return the line of a row, with its attributes of coreference among the others of MISC, by name."""
    word, dot, rank = row.id.partition(".")
    own = {} if "-" in row.id else found.get((sentence, int(word), int(rank) if dot else 0), {})
    if not own:
        return "\t".join(row)
    misc = [*(row.misc.split("|") if row.misc != "_" else ()), *map("=".join, own.items())]
    return "\t".join(row._replace(misc="|".join(sorted(misc, key=lambda one: one.partition("=")[0].lower()))))


def _unlike(found: Document, document: Document, trees: Sequence[Tree], names: Mapping[str, str]) -> str:
    """Return in words what differs in a document that was read again; empty if nothing does."""
    if found.trees is None or [tree.rows for tree in found.trees()] != [tree.rows for tree in trees]:
        return "its words or sentences would be read in another way"
    for name, label in names.items():
        if Counter(found.clusters.get(label, ())) != Counter(document.clusters[name]):
            odd = f"mentions of the entity {quoted(name)} would be read in another way"
            return f"{odd} (two of them cross; --lossy keeps one)"
    return ""
