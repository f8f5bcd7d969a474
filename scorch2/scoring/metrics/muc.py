"""MUC: how many links must be added to rebuild each gold cluster.

Formula     R = Σᵢ (|kᵢ| − pᵢ) / Σᵢ (|kᵢ| − 1), pᵢ = pieces of kᵢ: its non-empty cells + its twinless
            mentions. P: swap sides.
Units       links; 0..1; a singleton weighs nothing.
Edge cases  no link on a side: 0/0, undefined.
Cost        O(cells).
Source      Vilain et al. 1995, A model-theoretic coreference scoring scheme, MUC-6, pp. 45-52.
"""

from scorch2.model.score import Tally
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.metric import ONLY, Metric


def count(table: Contingency) -> Tally:
    """Count the links kept; the same number serves recall and precision."""
    kept = sum(table.shared) - len(table.cells)
    return Tally(
        kept,
        sum(table.gold_sizes) - len(table.gold_sizes),
        kept,
        sum(table.system_sizes) - len(table.system_sizes),
    )


METRIC = Metric("muc", "MUC", {ONLY: count}, source="Vilain et al. 1995", papers=("vilain-etal-1995",))
