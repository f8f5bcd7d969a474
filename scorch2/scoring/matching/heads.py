"""Mentions of the same head, weighed by the share of the gold words that the system has."""

from collections import defaultdict
from collections.abc import Sequence

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching.best_pairs import Weights, refuse_many
from scorch2.scoring.matching.shared_words import shared_words


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs that have one head."""
    by_head: dict[Word, list[int]] = defaultdict(list)
    for number, mention in enumerate(system):
        by_head[mention.head].append(number)
    refuse_many(sum(len(by_head.get(mention.head, ())) for mention in gold), gold, system)
    pairs = [(row, column) for row, mention in enumerate(gold) for column in by_head.get(mention.head, ())]
    golds = {row: gold[row].nodes for row in {row for row, _ in pairs}}  # words of others are never found
    systems = {column: system[column].nodes for column in {column for _, column in pairs}}
    shared = shared_words(golds, systems, pairs)
    sizes = {row: nodes.size for row, nodes in golds.items()}
    return {pair: number / sizes[pair[0]] for pair, number in zip(pairs, shared, strict=True)}
