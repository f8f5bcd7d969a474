"""B³: for each mention, how much of its gold cluster is found in its system cluster.

Formula     R = Σ over cells n²/|k| / Σᵢ |kᵢ|. P: swap sides.
Units       mentions; 0..1; every mention weighs the same.
Edge cases  no mention on a side: 0/0, undefined. A twinless mention counts 0.
Cost        O(cells).
Source      Bagga & Baldwin 1998, Algorithms for scoring coreference chains, LREC workshop, pp. 563-566.
"""

from scorch2.contingency import Contingency
from scorch2.metrics.metric import ONLY, Metric
from scorch2.tally import Tally, exact_sum


def count(table: Contingency) -> Tally:
    """Sum the credit of the mentions on either side."""
    return Tally(_credit(table), sum(table.gold_sizes), _credit(table.flip()), sum(table.system_sizes))


def _credit(table: Contingency) -> float:
    squares: dict[int, int] = {}
    for g, _, shared in table.cells:
        size = table.gold_sizes[g]
        squares[size] = squares.get(size, 0) + shared * shared
    return exact_sum(squares)


METRIC = Metric(
    "b_cubed", "B³", {ONLY: count}, aliases=("bcub", "b3", "b-cubed", "b³"), source="Bagga & Baldwin 1998"
)
