"""Zeros, mentions whose head is an empty node, by the dependencies of that node: its place may differ."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from scorch2.model.markables import Markable
from scorch2.scoring.matching.best_pairs import Weights

_EDGES = 10
"""The weight of dependencies, beside which that of governors alone decides between equals."""


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of zeros of one sentence that share a governor."""
    by_sentence: dict[int, list[int]] = defaultdict(list)
    for column, mention in enumerate(system):
        by_sentence[mention.head.sentence].append(column)
    found = {}
    for row, mention in enumerate(gold):
        for column in by_sentence.get(mention.head.sentence, ()):
            weight = _weight(mention, system[column])
            if weight:
                found[row, column] = weight
    return found


def _weight(gold: Markable, system: Markable) -> float:
    governors = [{governor for governor, _ in side.edges} for side in (gold, system)]
    return _EDGES * _overlap(gold.edges, system.edges) + _overlap(*governors)


def _overlap(gold: Collection[object], system: Collection[object]) -> float:
    common = len(set(gold) & set(system))
    if not common:
        return 0.0
    recall, precision = common / len(gold), common / len(system)
    return 2 * precision * recall / (precision + recall)
