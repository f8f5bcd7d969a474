"""Pairwise: the coreferent pairs of mentions that are found, the coreference half of BLANC.

Formula     R = Σ c2(n) over the cells / Σᵢ c2(|kᵢ|), c2(x) = x(x−1)/2. P: swap sides.
Units       pairs of mentions; 0..1; a cluster weighs the square of its size.
Edge cases  no pair on a side: 0/0, undefined.
Cost        O(cells).
Source      Recasens & Hovy 2011, section 3, as the links of BLANC; neleval's pairwise.
"""

from scorch2.scoring.metrics.blanc import coreference
from scorch2.scoring.metrics.metric import ONLY, Metric

METRIC = Metric("pairwise", "Pairwise", {ONLY: coreference}, source="Recasens & Hovy 2011", table="recall")
