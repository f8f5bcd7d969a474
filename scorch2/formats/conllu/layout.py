"""A document as sentences of rows, to write it: those that it was read with, or made from its words."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from scorch2.formats.conllu.order import nodes_of, order_of
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Markable, SyntaxRow, Tree, Word, nodes_name

NO_HEAD = "0"
"""The HEAD of words without syntax: readers of CoNLL-U take no other value without a complaint."""


def sentences_of(document: Document, what: str) -> list[Tree]:
    """Return the sentences of a document with all their rows.

    Raises
    ------
    InputError
        If it has no tokens, which `what` must hold.
    """
    if document.trees is not None:
        return document.trees()
    if document.words is None or document.sentences is None:
        raise InputError(document.path, "", f"{quoted(document.id)} has no tokens, which {what} must hold")
    words = iter(document.words())
    return [
        Tree(
            [f"# sent_id = {document.id}-{number}"],
            [
                SyntaxRow(str(place), next(words), "_", "_", "_", "_", NO_HEAD, "_", "_", "_")
                for place in range(1, length + 1)
            ],
        )
        for number, length in enumerate(document.sentences, 1)
    ]


class WrittenMention(NamedTuple):
    """A mention as it is written: its pieces, and where its head is."""

    entity: str
    """The cluster that holds it."""
    mention: Mention
    """As the cluster has it."""
    pieces: tuple[tuple[Word, Word], ...]
    """The first and last node of each."""
    size: int
    """The number of nodes."""
    head: int
    """The number of the head among its nodes, from 1."""
    markable: Markable | None


def written_mentions(document: Document, trees: Sequence[Tree], what: str) -> Iterator[WrittenMention]:
    """Yield the mentions of a document, cluster by cluster.

    Raises
    ------
    InputError
        For a mention that leaves its sentence, or has the words of another, which `what` cannot hold.
    """
    seen: set[Mention] = set()
    markables = document.markables() if document.markables is not None else {}
    lengths = document.sentences or ()
    starts = [0, *accumulate(lengths)]
    orders = list(map(order_of, trees))
    for entity, members in document.clusters.items():
        known: Sequence[Markable | None] = markables.get(entity) or [None] * len(members)
        for mention, markable in zip(members, known, strict=True):
            nodes = markable.nodes if markable else nodes_of(mention, starts)
            first, last = nodes.first, nodes.last
            order = orders[first.sentence]
            if first.sentence != last.sentence or not order.holds(nodes) or mention in seen:
                odd = "stands there twice" if mention in seen else "leaves its sentence"
                why = f"mention {quoted(nodes_name(nodes))} of {quoted(document.id)} {odd}"
                raise InputError(
                    document.path, "", f"{why}, which {what} cannot hold (--lossy leaves it out)"
                )
            seen.add(mention)
            head = nodes.number_of(markable.head) if markable else 1
            yield WrittenMention(entity, mention, tuple(order.pieces(nodes)), nodes.size, head, markable)
