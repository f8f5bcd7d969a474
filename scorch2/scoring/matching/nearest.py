"""The mention of the other side that is nearest to a mention, of those that match it: CorefUD scorer 1.1."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching import heads, partial


def matching(
    gold: Sequence[Markable], system: Sequence[Markable], match: str
) -> tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]]:
    """Return the mentions of the other side that match each mention of gold, and of the system."""
    candidates = heads.candidates if match == "head" else partial.candidates
    by_gold: dict[int, list[int]] = defaultdict(list)
    by_system: dict[int, list[int]] = defaultdict(list)
    for row, column in candidates(gold, system):
        by_gold[row].append(column)
        by_system[column].append(row)
    return by_gold, by_system


def nearest(mention: Markable, others: Sequence[Markable], found: Sequence[int]) -> int:
    """Return the number of the nearest of `others`; of several the one that begins, then ends first."""
    words = set(mention.words)

    def distance(number: int) -> tuple[float, Word, Word]:
        other = others[number].words
        either = words.union(other)
        return len(words.symmetric_difference(other)) / len(either), other[0], other[-1]

    return min(found, key=distance)
