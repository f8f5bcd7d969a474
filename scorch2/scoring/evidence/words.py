"""The words of the mentions that are scored, whatever mentions of the other side they match."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Pieces, written
from scorch2.model.messages import quoted
from scorch2.scoring.evidence import Seen, chains_of
from scorch2.scoring.matching.best_pairs import TooManyPairsError
from scorch2.scoring.matching.shared_words import overlaps


class WordCounts(NamedTuple):
    """The numbers of words of the mentions of both sides; a mention in two clusters is there twice."""

    gold: int
    system: int
    equal: int
    """Those of mentions that both sides have: a best alignment pairs each with its equal."""
    overlaps: Sequence[tuple[int, int, int]]
    """The pairs of other mentions that share words, by their numbers, and how many they share."""


def find(seen: Seen) -> WordCounts:
    """Return the words of the mentions of a matched pair.

    Raises
    ------
    InputError
        If mentions are no spans of a text, or so many overlap that there is no room for all pairs.
    """
    chains = chains_of(seen)
    for document in chains.documents:
        if any(document.clusters.values()) and not document.has_spans:
            why = f"the mentions of {quoted(document.id)} are no spans of a text"
            raise InputError(document.path or document.id, "", f"{why}, which mention_overlap needs")
    gold, system = (Counter(map(written, chain.from_iterable(side))) for side in (chains.gold, chains.system))
    both = gold & system  # equal mentions have the same words
    here, there = chains.documents
    rest = _words(gold - both, here), _words(system - both, there)
    try:
        found = overlaps(*rest)
    except TooManyPairsError:
        shown = quoted(seen.gold.id)
        why = f"so many mentions of {shown} overlap that all pairs are too many for mention_overlap"
        raise InputError(seen.gold.path or seen.gold.id, "", f"{why} (choose other metrics)") from None
    equal = sum(map(len, _words(both, here)))
    left = [sum(map(len, side)) for side in rest]
    return WordCounts(equal + left[0], equal + left[1], equal, found)


def _words(mentions: Counter[Mention], document: Document) -> list[Sequence[Hashable]]:
    """Return the units of each mention: the numbers of its words in the document, and its empty nodes."""
    starts = [0, *accumulate(document.sentences or ())]
    found: list[Sequence[Hashable]] = []
    for mention in mentions.elements():
        if isinstance(mention, Pieces):
            units = [word if word.rank else starts[word.sentence] + word.word - 1 for word in mention.words]
            found.append(units)
        else:
            ((start, end),) = spans([mention])
            found.append(range(start, end))
    return found
