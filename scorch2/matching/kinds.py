"""Mentions of both sides must be of one kind: ``1`` against ``"1"`` would silently score near 0.

Two sides with tokens compare by token span, whatever the words are; else spans get the names that the
converter gives them.
"""

from scorch2.document import Document, span_names
from scorch2.errors import InputError, printable, quoted
from scorch2.partition import Partition

_NAMES = {str: "strings", int: "integers", tuple: "lists of integers"}


def comparable(gold: Document, system: Document) -> tuple[Document, Document]:
    """Return both documents with token spans on both sides or on neither.

    Raises
    ------
    InputError
        If both sides have tokens and their numbers differ: spans would then mean different text.
    """
    if gold.sentences is not None and system.sentences is not None:
        counts = sum(gold.sentences), sum(system.sentences)
        if counts[0] != counts[1]:
            why = (
                f"{counts[1]} tokens in {quoted(system.id)}, but {counts[0]} in gold ({printable(gold.path)})"
            )
            raise InputError(system.path, "", f"{why}: the two sides must have the same tokens")
        return gold, system
    return _by_name(gold), _by_name(system)


def _by_name(document: Document) -> Document:
    if document.sentences is None:
        return document
    names = span_names(document)
    clusters = {
        cluster: [names[span] for span in members]  # type: ignore[index]  # spans: the document has sentences
        for cluster, members in document.clusters.items()
    }
    return document._replace(clusters=clusters, sentences=None)


def refuse_mixed(gold: Document, left: Partition, system: Document, right: Partition) -> None:
    """Raise an InputError unless all mentions from files are of one kind; a side without any has none."""
    types = {*map(type, left.owner), *map(type, right.owner)}
    if len(types) < 2 or not (gold.path and system.path):  # noqa: PLR2004 - two kinds are too many
        return
    for document, partition in ((gold, left), (system, right)):
        examples = {type(mention): mention for mention in reversed(partition.owner)}
        if len(examples) > 1:
            shown = " and ".join(quoted(mention) for mention in examples.values())
            raise InputError(document.path, "", f"mention ids of different kinds: {shown}")
    one, other = (next(iter(side.owner)) for side in (left, right))
    why = (
        f"mention ids are {_NAMES[type(other)]} such as {quoted(other)}, "
        f"but in gold {_NAMES[type(one)]} such as {quoted(one)}"
    )
    raise InputError(system.path, "", why)
