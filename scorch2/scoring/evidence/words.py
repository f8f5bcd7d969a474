"""The words of the mentions that are scored, whatever mentions of the other side they match."""

from collections.abc import Hashable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Pieces, written
from scorch2.model.messages import quoted
from scorch2.scoring.evidence import Seen, chains_of


class Words(NamedTuple):
    """The words of the mentions of either side; a mention in two clusters is there twice."""

    gold: Sequence[Sequence[Hashable]]
    system: Sequence[Sequence[Hashable]]


def find(seen: Seen) -> Words:
    """Return the words of the mentions of a matched pair.

    Raises
    ------
    InputError
        If mentions are no spans of a text.
    """
    chains = chains_of(seen)
    for document in chains.documents:
        if any(document.clusters.values()) and not document.has_spans:
            why = f"the mentions of {quoted(document.id)} are no spans of a text"
            raise InputError(document.path or document.id, "", f"{why}, which mention_overlap needs")
    gold, system = chains.documents
    return Words(_words(chains.gold, gold), _words(chains.system, system))


def _words(clusters: Sequence[Sequence[Mention]], document: Document) -> list[Sequence[Hashable]]:
    """Return the units of each mention: the numbers of its words in the document, and its empty nodes."""
    starts = [0, *accumulate(document.sentences or ())]
    found: list[Sequence[Hashable]] = []
    for mention in map(written, chain.from_iterable(clusters)):
        if isinstance(mention, Pieces):
            units = [word if word.rank else starts[word.sentence] + word.word - 1 for word in mention.words]
            found.append(units)
        else:
            ((start, end),) = spans([mention])
            found.append(range(start, end))
    return found
