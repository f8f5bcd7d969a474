"""A document as sentences of rows, to write it: those that it was read with, or made from its words."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Markable, Pieces, Row, Tree, Word, pieces_name
from scorch2.model.messages import quoted

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
    order = [{node: place for place, node in enumerate(_nodes(tree))} for tree in trees]
    for entity, members in document.clusters.items():
        known: Sequence[Markable | None] = markables.get(entity) or [None] * len(members)
        for mention, markable in zip(members, known, strict=True):
            words = markable.words if markable else words_of(mention, starts)
            sentence = words[0].sentence
            places = [order[sentence].get(word[1:], -1) for word in words if word.sentence == sentence]
            if len(places) < len(words) or min(places) < 0 or mention in seen:
                odd = "stands there twice" if mention in seen else "leaves its sentence"
                why = f"mention {quoted(pieces_name(words))} of {quoted(document.id)} {odd}"
                raise InputError(
                    document.path, "", f"{why}, which {what} cannot hold (--lossy leaves it out)"
                )
            seen.add(mention)
            head = words.index(markable.head) + 1 if markable else 1
            yield WrittenMention(entity, mention, tuple(_runs(words, places)), len(words), head, markable)


def _nodes(tree: Tree) -> list[tuple[int, int]]:
    """Return word and rank of the rows of a sentence, in their order; a token of several words has none."""
    found = []
    for row in tree.rows:
        word, dot, rank = row.id.partition(".")
        if "-" not in row.id:
            found.append((int(word), int(rank) if dot else 0))
    return sorted(found)


def words_of(mention: Mention, starts: Sequence[int]) -> Sequence[Word]:
    """Return the nodes of a mention: its pieces, or the words of its span."""
    if isinstance(mention, Pieces):
        return mention.words
    ((start, end),) = spans([mention])
    found = []
    for token in range(start, end):
        sentence = bisect_right(starts, token) - 1
        found.append(Word(sentence, token - starts[sentence] + 1))
    return found


def _runs(words: Sequence[Word], places: Iterable[int]) -> Iterator[tuple[Word, Word]]:
    """Yield the first and last of nodes that follow each other in the sentence."""
    first = last = words[0]
    before = -1
    for word, place in zip(words, places, strict=True):
        if before >= 0 and place != before + 1:
            yield first, last
            first = word
        last, before = word, place
    yield first, last


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
