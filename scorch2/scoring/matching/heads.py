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
    words = [set(mention.words) for mention in system]
    return {
        (row, column): len(words[column].intersection(mention.words)) / len(mention.words)
        for row, mention in enumerate(gold)
        for column in by_head.get(mention.head, ())
    }
