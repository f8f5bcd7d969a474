"""The words of the mentions that are scored, whatever mentions of the other side they match."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.keys import written
from scorch2.model.markables import Pieces, Word
from scorch2.model.messages import quoted
from scorch2.model.runs import Run
from scorch2.scoring.evidence import Seen, chains_of
from scorch2.scoring.matching.best_pairs import TooManyPairsError
from scorch2.scoring.matching.shared_words import numbers_of_empty, overlaps, runs_of_empty


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
    numbers = numbers_of_empty(one.nodes for one in {**gold, **system} if isinstance(one, Pieces))
    here, there = chains.documents
    rest = _runs(gold - both, here, numbers), _runs(system - both, there, numbers)
    try:
        found = overlaps(*rest)
    except TooManyPairsError:
        shown = quoted(seen.gold.id)
        why = f"so many mentions of {shown} overlap that all pairs are too many for mention_overlap"
        raise InputError(seen.gold.path or seen.gold.id, "", f"{why} (choose other metrics)") from None
    equal = _size(_runs(both, here, numbers))
    left = [_size(side) for side in rest]
    return WordCounts(equal + left[0], equal + left[1], equal, found)


def _runs(mentions: Counter[Mention], document: Document, numbers: Mapping[Word, int]) -> list[Sequence[Run]]:
    """Return each mention as runs of the words of the document, as if they were those of one sentence."""
    starts = [0, *accumulate(document.sentences or ())]
    found: list[Sequence[Run]] = []
    for mention in mentions.elements():
        if isinstance(mention, Pieces):
            nodes = mention.nodes
            words = [(0, starts[at] + first - 1, starts[at] + last - 1) for at, first, last in nodes.runs]
            found.append([*runs_of_empty(nodes, numbers), *words])
        else:
            ((start, end),) = spans([mention])
            found.append([(0, start, end - 1)])
    return found


def _size(mentions: Sequence[Sequence[Run]]) -> int:
    return sum(last - first + 1 for runs in mentions for _, first, last in runs)
