"""B³: for each mention, how much of its gold cluster is found in its system cluster.

Formula     R = Σ over cells n²/|k| / Σᵢ |kᵢ|. P: swap sides.
Units       mentions; 0..1; every mention weighs the same.
Edge cases  no mention on a side: 0/0, undefined. A twinless mention counts 0.
Cost        O(cells).
Source      Bagga & Baldwin 1998, Algorithms for scoring coreference chains, LREC workshop, pp. 563-566.
"""

from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.contingency import Contingency, without_singletons
from scorch2.scoring.metrics.metric import ONLY, Metric


def count(table: Contingency) -> Tally:
    """Sum the credit of the mentions on either side: the n² over each size |k|, then their quotients."""
    gold_sizes, system_sizes = table.gold_sizes, table.system_sizes
    recalled: dict[int, int] = {}
    precise: dict[int, int] = {}
    for g, s, n in table.cells:
        gold, system = gold_sizes[g], system_sizes[s]
        recalled[gold] = recalled.get(gold, 0) + n * n
        precise[system] = precise.get(system, 0) + n * n
    return Tally(exact_sum(recalled), sum(gold_sizes), exact_sum(precise), sum(system_sizes))


def count_as_e2e(table: Contingency) -> Tally:
    """Leave out the singletons of either side, as the copies of metrics.py in e2e-coref do."""
    return count(without_singletons(table))


METRIC = Metric(
    "b_cubed",
    "B³",
    {ONLY: count},
    aliases=("bcub", "b3", "b-cubed", "b³"),
    source="Bagga & Baldwin 1998",
    papers=("bagga-baldwin-1998",),
    rules={("singletons", "e2e"): {"parts": {ONLY: count_as_e2e}}},
)
