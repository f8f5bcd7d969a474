"""Zeros, mentions whose head is an empty node, by the dependencies of that node: its place may differ."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TypeAlias

from scorch2.model.markables import Edge, Markable
from scorch2.scoring.matching.best_pairs import Weights, refuse_many

_EDGES = 10
"""The weight of dependencies, beside which that of governors alone decides between equals."""
_Governor: TypeAlias = tuple[int, str]
"""Its sentence, and its name there."""


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of zeros of one sentence that share a governor."""
    golds, systems = ([(one.head.sentence, one.edges) for one in side] for side in (gold, system))
    by_governor: dict[_Governor, list[int]] = defaultdict(list)
    for column, (sentence, edges) in enumerate(systems):
        for governor in _governors(edges):
            by_governor[sentence, governor].append(column)
    found: dict[tuple[int, int], float] = {}
    for row, (sentence, own) in enumerate(golds):
        sharing = [column for one in _governors(own) for column in by_governor.get((sentence, one), ())]
        refuse_many(len(found) + len(sharing), gold, system)
        for column in sorted(set(sharing)):
            other = systems[column][1]
            found[row, column] = _EDGES * _overlap(own, other) + _overlap(_governors(own), _governors(other))
    return found


def _governors(edges: Collection[Edge]) -> set[str]:
    return {governor for governor, _ in edges}


def _overlap(gold: Collection[object], system: Collection[object]) -> float:
    common = len(set(gold) & set(system))
    if not common:
        return 0.0
    recall, precision = common / len(gold), common / len(system)
    return 2 * precision * recall / (precision + recall)
