"""LEA: the links of each cluster that are found, weighed by the size of the cluster.

Formula     R = Σᵢ |kᵢ| · res(kᵢ) / Σᵢ |kᵢ|, res(k) = Σ over its cells c2(n) / c2(|k|), c2(x) = x(x−1)/2.
            P: swap sides.
Units       mentions; 0..1.
Edge cases  a singleton has one link, to itself: res = 1 if its mention is a singleton on the other side too,
            else 0. No mention on a side: 0/0, undefined.
Cost        O(cells).
Source      Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, ACL, pp. 632-642.
"""

from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.contingency import Contingency, without_singletons
from scorch2.scoring.metrics.metric import ONLY, Metric


def count(table: Contingency) -> Tally:
    """Sum size × resolution over the clusters of either side."""
    # |k| · c2(n) / c2(|k|) is n(n−1) / (|k|−1): the numerators over each |k|−1, then their quotients
    gold_sizes, system_sizes = table.gold_sizes, table.system_sizes
    recalled, precise = {1: 0}, {1: 0}
    for g, s, n in table.cells:
        gold, system = gold_sizes[g], system_sizes[s]
        if n > 1:
            links = n * (n - 1)
            recalled[gold - 1] = recalled.get(gold - 1, 0) + links
            precise[system - 1] = precise.get(system - 1, 0) + links
        elif gold == system == 1:
            recalled[1] += 1
            precise[1] += 1
    recalled.pop(0, None)  # if mentions are looked up, two may find a singleton: not the side that is read
    precise.pop(0, None)
    return Tally(exact_sum(recalled), sum(gold_sizes), exact_sum(precise), sum(system_sizes))


def count_as_e2e(table: Contingency) -> Tally:
    """Leave out the singletons of either side, as the copies of metrics.py in e2e-coref do."""
    return count(without_singletons(table))


METRIC = Metric(
    "lea",
    "LEA",
    {ONLY: count},
    source="Moosavi & Strube 2016",
    papers=("moosavi-strube-2016",),
    rules={("singletons", "e2e"): {"parts": {ONLY: count_as_e2e}}},
)
