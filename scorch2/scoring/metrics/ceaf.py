"""CEAF: the best one-to-one alignment of clusters, in mentions (CEAF_m) or in clusters (CEAF_e).

Formula     R = max over one-to-one alignments of Σ φ(kᵢ, rⱼ) over the aligned pairs / Σᵢ φ(kᵢ, kᵢ). P: same
            numerator. CEAF_m: φ = n, the shared mentions (φ₃). CEAF_e: φ = 2n / (|kᵢ| + |rⱼ|) (φ₄).
Units       mentions or clusters; 0..1. CEAF_e weighs every cluster alike.
Edge cases  no mention on a side: 0/0, undefined. The optimum is unique, the alignment may not be.
Cost        near-linear in the cells for real data, see `scorch2.scoring.assignment`.
Source      Luo 2005, On coreference resolution performance metrics, EMNLP, pp. 25-32.
"""

from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import Contingency, without_singletons
from scorch2.scoring.metrics.metric import ONLY, Metric


def count_mentions(table: Contingency) -> Tally:
    """Align by shared mentions."""
    cells = list(map(table.cells.__getitem__, table.competing))
    lost = sum([n for _, _, n in cells]) - sum([cells[position][2] for position in best_alignment(cells)])
    common = sum(table.shared) - lost
    return Tally(common, sum(table.gold_sizes), common, sum(table.system_sizes))


def count_entities(table: Contingency) -> Tally:
    """Align by the Dice coefficient of the clusters."""
    cells, gold, system = table.cells, table.gold_sizes, table.system_sizes
    competing = table.competing
    aligned = best_alignment(
        [(g, s, 2 * n / (gold[g] + system[s])) for g, s, n in map(cells.__getitem__, competing)]
    )
    left = {*competing}.difference([competing[position] for position in aligned])
    shared: dict[int, int] = {}  # twice the shared mentions of the aligned clusters, by their sizes together
    for position, (g, s, n) in enumerate(cells):
        if position not in left:
            sizes = gold[g] + system[s]
            shared[sizes] = shared.get(sizes, 0) + 2 * n
    similarity = exact_sum(shared)
    return Tally(similarity, len(gold), similarity, len(system))


def count_entities_as_e2e(table: Contingency) -> Tally:
    """Leave out the singletons of the system but not of gold, as the copies of metrics.py in e2e-coref do."""
    return count_entities(without_singletons(table, gold=False))


CEAF_M = Metric(
    "ceaf_m",
    "CEAF_m",
    {ONLY: count_mentions},
    aliases=("ceafm", "mention_ceaf", "ceaf-m", "ceaf_phi3"),
    source="Luo 2005 (φ₃)",
    papers=("luo-2005",),
    table="membership",
)
CEAF_E = Metric(
    "ceaf_e",
    "CEAF_e",
    {ONLY: count_entities},
    aliases=("ceafe", "entity_ceaf", "ceaf-e", "ceaf_phi4"),
    source="Luo 2005 (φ₄)",
    papers=("luo-2005",),
    rules={("singletons", "e2e"): {"parts": {ONLY: count_entities_as_e2e}}},
    table="membership",
)
