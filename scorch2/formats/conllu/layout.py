"""A document as sentences of rows, to write it: those that it was read with, or made from its words."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Markable, Nodes, Pieces, Word, pieces_name
from scorch2.model.messages import quoted
from scorch2.model.runs import runs_of
from scorch2.model.trees import Row, Tree

Read: TypeAlias = Callable[[bytes, str, str], Iterator[Document]]
"""A reader of a format, from text, stem and path."""
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
                Row(str(place), next(words), "_", "_", "_", "_", NO_HEAD, "_", "_", "_")
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
    orders = list(map(_order_of, trees))
    for entity, members in document.clusters.items():
        known: Sequence[Markable | None] = markables.get(entity) or [None] * len(members)
        for mention, markable in zip(members, known, strict=True):
            nodes = markable.nodes if markable else nodes_of(mention, starts)
            first, last = nodes.first, nodes.last
            order = orders[first.sentence]
            if first.sentence != last.sentence or not order.holds(nodes) or mention in seen:
                odd = "stands there twice" if mention in seen else "leaves its sentence"
                why = f"mention {quoted(pieces_name(nodes))} of {quoted(document.id)} {odd}"
                raise InputError(
                    document.path, "", f"{why}, which {what} cannot hold (--lossy leaves it out)"
                )
            seen.add(mention)
            head = nodes.number_of(markable.head) if markable else 1
            yield WrittenMention(entity, mention, tuple(order.pieces(nodes)), nodes.size, head, markable)


class Order:
    """The order of the words and empty nodes of a sentence; a token of several words is none."""

    def __init__(self, words: int, empty: Iterable[tuple[int, int]]) -> None:
        self._words = words
        self._empty = sorted(empty)
        self._known = frozenset(self._empty)

    def holds(self, nodes: Nodes) -> bool:
        """Return whether nodes of the sentence are all there."""
        is_inside = all(first > 0 and last <= self._words for _, first, last in nodes.runs)
        return is_inside and all(node[1:] in self._known for node in nodes.empty)

    def place(self, node: Word) -> int:
        """Return the number of a node among all."""
        return node.word + bisect_left(self._empty, node[1:]) + (node.rank > 0)

    def pieces(self, nodes: Nodes) -> list[tuple[Word, Word]]:
        """Return the first and the last of nodes that follow each other."""
        found: list[tuple[Word, Word]] = []
        for first, last in self._stretches(nodes):
            if found and self.place(found[-1][1]) + 1 == self.place(first):
                found[-1] = found[-1][0], last
            else:
                found.append((first, last))
        return found

    def _stretches(self, nodes: Nodes) -> Iterator[tuple[Word, Word]]:
        """Yield the same, but begin anew around each empty node."""
        for (sentence, word, rank), size in nodes.parts():
            begin, last = word, word + size - 1
            inside = slice(*(bisect_left(self._empty, (border, 0)) for border in (begin, last)))
            for cut in dict.fromkeys(before for before, _ in self._empty[inside]) if not rank else ():
                yield Word(sentence, begin), Word(sentence, cut)
                begin = cut + 1
            yield Word(sentence, begin, rank), Word(sentence, last, rank)


def _order_of(tree: Tree) -> Order:
    ids = [row.id.partition(".") for row in tree.rows if "-" not in row.id]
    return Order(
        sum(not dot for _, dot, _ in ids), [(int(word), int(rank)) for word, dot, rank in ids if dot]
    )


def nodes_of(mention: Mention, starts: Sequence[int]) -> Nodes:
    """Return the words and empty nodes of a mention: of its pieces, or of its span."""
    if isinstance(mention, Pieces):
        return mention.nodes
    ((start, end),) = spans([mention])
    return Nodes(tuple(runs_of(start, end, starts)), ())


def refused(document: Document, what: str, why: str) -> InputError:
    """Return the error about a document that `what` cannot hold."""
    return InputError(document.path, "", f"{quoted(document.id)} cannot be written as {what}: {why}")


def read_again(text: str, lines: Iterable[str], document: Document, read: Read, what: str) -> Document:
    """Return the document that is read from the `text` that was written for one, to be compared with it.

    Raises
    ------
    InputError
        If there is none, or one of another name: a name or a word broke the `lines`.
    """
    if any("\n" in line or "\0" in line or line.endswith("\r") for line in lines):
        broken = "its name or a word would break the lines (a line break or a tab in it, say)"
        raise refused(document, what, broken)
    try:
        data = text.encode("utf-8", "surrogatepass")
        (found,) = read(data, "\0", document.path)  # no document is called like that
    except InputError as error:
        raise refused(document, what, f"it could not be read ({error.why})") from None
    if found.id != document.id:
        raise refused(document, what, "its name would be read in another way (is it empty?)")
    return found
