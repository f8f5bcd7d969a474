"""LEA: the links of each cluster that are found, weighed by the size of the cluster.

Formula     R = Σᵢ |kᵢ| · res(kᵢ) / Σᵢ |kᵢ|, res(k) = Σ over its cells c2(n) / c2(|k|), c2(x) = x(x−1)/2.
            P: swap sides.
Units       mentions; 0..1.
Edge cases  a singleton has one link, to itself: res = 1 if its mention is a singleton on the other side too,
            else 0. No mention on a side: 0/0, undefined.
Cost        O(cells).
Source      Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, ACL, pp. 632-642.
"""

from scorch2.contingency import Contingency
from scorch2.metrics.metric import ONLY, Metric
from scorch2.tally import Tally, exact_sum


def count(table: Contingency) -> Tally:
    """Sum size × resolution over the clusters of either side."""
    return Tally(_resolved(table), sum(table.gold_sizes), _resolved(table.flip()), sum(table.system_sizes))


def _resolved(table: Contingency) -> float:
    """|k| · c2(n) / c2(|k|) is n(n−1) / (|k|−1): sum the numerators over each |k|−1."""
    links = {1: 0}
    for g, s, n in table.cells:
        size = table.gold_sizes[g]
        if size > 1:
            links[size - 1] = links.get(size - 1, 0) + n * (n - 1)
        elif table.system_sizes[s] == 1:
            links[1] += 1
    return exact_sum(links)


METRIC = Metric("lea", "LEA", {ONLY: count}, source="Moosavi & Strube 2016")
