"""Mentions of the same head, weighed by the share of the gold words that the system has."""

from collections import defaultdict
from collections.abc import Sequence

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching.best_pairs import Weights


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs that have one head."""
    by_head: dict[Word, list[int]] = defaultdict(list)
    for number, mention in enumerate(system):
        by_head[mention.head].append(number)
    rows = [(row, columns) for row, one in enumerate(gold) if (columns := by_head.get(one.head))]
    words = {column: set(system[column].words) for _, columns in rows for column in columns}
    found = {}
    for row, columns in rows:
        own = gold[row].words
        for column in columns:
            found[row, column] = len(words[column].intersection(own)) / len(own)
    return found
