"""The mention of the other side that is nearest to a mention, of those that match it: CorefUD scorer 1.1."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching import heads, partial
from scorch2.scoring.matching.shared_words import shared_words


class Near(NamedTuple):
    """A gold and a system mention that match, by their numbers."""

    row: int
    column: int
    distance: float
    """The share of the words of both that only one of them has."""


def matching(gold: Sequence[Markable], system: Sequence[Markable], match: str) -> list[Near]:
    """Return the pairs of mentions that match."""
    candidates = heads.candidates if match == "head" else partial.candidates
    pairs = sorted(candidates(gold, system))
    golds = {row: gold[row].nodes for row in {row for row, _ in pairs}}
    systems = {column: system[column].nodes for column in {column for _, column in pairs}}
    found = []
    sizes, others = ({number: nodes.size for number, nodes in side.items()} for side in (golds, systems))
    for (row, column), shared in zip(pairs, shared_words(golds, systems, pairs), strict=True):
        both = sizes[row] + others[column]
        found.append(Near(row, column, (both - 2 * shared) / (both - shared)))
    return found


def nearest(mentions: Sequence[Markable], found: Iterable[tuple[int, float]]) -> int:
    """Return the number of the nearest of some mentions; of several the first one.

    That is the one that begins, then ends, then has its head first.
    """

    def order(one: tuple[int, float]) -> tuple[float, Word, Word, Word]:
        number, distance = one
        mention = mentions[number]
        first, last, _ = mention.place
        return distance, first, last, mention.head

    return min(found, key=order)[0]
