"""BLANC: the Rand index for coreference, the mean of how well links and non-links are found.

Formula     R = (R_c + R_n) / 2, P likewise, F = (F_c + F_n) / 2: F is not derived from R and P.
            Coreference links: right Σ c2(n) over the cells, gold Σ c2(|k|), c2(x) = x(x−1)/2. Other links:
            all pairs of mentions less these, right c2(N) − Σ c2(aᵢ) − Σ c2(bⱼ) + Σ c2(n), N shared mentions,
            aᵢ and bⱼ the row and column sums.
Units       links; 0..1.
Edge cases  a kind of link that gold lacks is left out. No link in gold: 1 if both sides are the one same
            mention, undefined if both are empty, else 0. The reference scorer: 0 if gold has no link. The
            CorefUD scorer: a kind is left out only if both sides lack it; undefined if no kind is left.
Cost        O(cells).
Source      Recasens & Hovy 2011, BLANC, Natural Language Engineering 17(4), pp. 485-510; for mentions that
            differ Luo et al. 2014, An extension of BLANC to system mentions, ACL, pp. 24-29.

Pairwise: the coreferent pairs of mentions that are found, the coreference half of BLANC.

Formula     R = Σ c2(n) over the cells / Σᵢ c2(|kᵢ|), c2(x) = x(x−1)/2. P: swap sides.
Units       pairs of mentions; 0..1; a cluster weighs the square of its size.
Edge cases  no pair on a side: 0/0, undefined.
Cost        O(cells).
Source      Recasens & Hovy 2011, section 3, as the links of BLANC; neleval's pairwise.
"""

from collections.abc import Sequence
from operator import mul

from scorch2.model.score import UNDEFINED, Tally, mean_of_two, ratios
from scorch2.scoring.contingency import Contingency, count_mentions
from scorch2.scoring.metrics.metric import ONLY, Metric


def coreference(table: Contingency) -> Tally:
    """Count the pairs of mentions inside one cluster."""
    right = _inside(table.shared)
    return Tally(right, _inside(table.gold_sizes), right, _inside(table.system_sizes))


def non_coreference(table: Contingency) -> Tally:
    """Count the pairs of mentions in two different clusters."""
    rows, columns = table.found
    shared = table.shared
    right = (sum(shared) ** 2 - _squares(rows) - _squares(columns) + _squares(shared)) // 2
    return Tally(right, _apart(table.gold_sizes), right, _apart(table.system_sizes))


def mean(tallies: Sequence[Tally]) -> Sequence[float]:
    """Average the two kinds of links after Recasens & Hovy (2011)."""
    links, others, counts = tallies
    if links.recall_den and others.recall_den:
        return mean_of_two(links, others)
    if links.recall_den or others.recall_den:
        return ratios(links if links.recall_den else others)
    if not (counts.recall_den or counts.precision_den):
        return [UNDEFINED] * 3
    return [float(counts.recall_num == counts.recall_den == counts.precision_den)] * 3


def mean_as_reference(tallies: Sequence[Tally]) -> Sequence[float]:
    """Average them as the reference scorer does: 0 where gold has no link."""
    links, others, _ = tallies
    found = mean(tallies)
    return found if links.recall_den or others.recall_den or found[0] is UNDEFINED else [0.0] * 3


def mean_as_both(tallies: Sequence[Tally]) -> Sequence[float]:
    """Average them as the CorefUD scorer does: a kind of link that either side has takes part."""
    there = [tally for tally in tallies[:2] if tally.recall_den or tally.precision_den]
    if len(there) == 1:
        return ratios(*there)
    return mean_of_two(*tallies[:2])


def _inside(sizes: Sequence[int]) -> int:
    return (_squares(sizes) - sum(sizes)) // 2


def _apart(sizes: Sequence[int]) -> int:
    return (sum(sizes) ** 2 - _squares(sizes)) // 2


def _squares(sizes: Sequence[int]) -> int:
    return sum(map(mul, sizes, sizes))


BLANC = Metric(
    "blanc",
    "BLANC",
    {"coref": coreference, "noncoref": non_coreference, "mentions": count_mentions},
    source="Recasens & Hovy 2011, Luo et al. 2014",
    papers=("recasens-hovy-2011", "luo-etal-2014"),
    divide=mean,
    rules={
        ("blanc", "reference"): {"divide": mean_as_reference},
        ("blanc", "both"): {"divide": mean_as_both},
    },
    table="recall",
    adds_up=False,
)


PAIRWISE = Metric(
    "pairwise",
    "Pairwise",
    {ONLY: coreference},
    source="Recasens & Hovy 2011",
    papers=("recasens-hovy-2011",),
    table="recall",
)
