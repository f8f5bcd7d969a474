"""CEAF_sys: CEAF after the changes of Cai & Strube, which forgive spurious singletons. See `cai_strube`.

Formula     precision: twinless gold mentions become system singletons, twinless system singletons are
            dropped, the other twinless system mentions become gold singletons. Recall: twinless gold mentions
            become system singletons, twinless system mentions are removed. Then CEAF (φ₃ and φ₄), with an
            alignment of its own for recall and for precision.
Units       as CEAF; 0..1.
Edge cases  no gold mention: recall is 0/0, undefined; nothing on either side after the changes: so is
            precision.
Cost        as CEAF. The added singletons need no cluster of their own: all that can matter to an alignment is
            one private partner for each cluster with twinless mentions.
Source      Cai & Strube 2010, Evaluation metrics for end-to-end coreference resolution systems, SIGDIAL,
            pp. 28-36.
"""

from collections.abc import Callable

from scorch2.model.tally import Tally, exact_sum
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.cai_strube import SOURCE, Twinless, add, twinless
from scorch2.scoring.metrics.metric import ONLY, Metric


def count_mentions(table: Contingency) -> Tally:
    """Align by shared mentions."""
    alone = twinless(table)
    recall, precision = _alignments(table, alone, lambda shared, _: (shared, 1))
    return Tally(recall, sum(table.gold_sizes), precision, sum(alone.kept) + sum(alone.gold))


def count_entities(table: Contingency) -> Tally:
    """Align by the Dice coefficient of the clusters."""
    alone = twinless(table)
    recall, precision = _alignments(table, alone, lambda shared, sizes: (2 * shared, sizes))
    clusters = sum(size > 0 for size in alone.kept)
    return Tally(recall, len(table.gold_sizes), precision, clusters + sum(alone.gold))


def _alignments(
    table: Contingency, alone: Twinless, similarity: Callable[[int, int], tuple[int, int]]
) -> tuple[float, float]:
    """Return the values of the best alignments for recall and for precision."""
    gold, system = table.gold_sizes, table.system_sizes
    found = [size - number for size, number in zip(system, alone.system, strict=True)]
    shared = [(g, s, similarity(n, gold[g] + found[s])) for g, s, n in table.cells]
    of_gold = [
        (g, len(system) + g, similarity(1, 1 + gold[g])) for g, number in enumerate(alone.gold) if number
    ]
    recall = _value(shared + of_gold)
    shared = [(g, s, similarity(n, gold[g] + system[s])) for g, s, n in table.cells]
    of_system = [
        (len(gold) + s, s, similarity(1, 1 + system[s])) for s, number in enumerate(alone.system) if number
    ]
    return recall, _value(shared + of_gold + of_system)


def _value(cells: list[tuple[int, int, tuple[int, int]]]) -> float:
    numerators: dict[int, int] = {1: 0}
    for position in best_alignment([(row, column, n / of) for row, column, (n, of) in cells]):
        numerator, denominator = cells[position][2]
        add(numerators, denominator, numerator)
    return exact_sum(numerators)


CEAF_M = Metric(
    "ceaf_m_sys",
    "CEAF_m_sys",
    {ONLY: count_mentions},
    aliases=("ceafm_sys", "mention_cs_ceaf"),
    source=SOURCE,
    table="none",
)
CEAF_E = Metric(
    "ceaf_e_sys",
    "CEAF_e_sys",
    {ONLY: count_entities},
    aliases=("ceafe_sys", "entity_cs_ceaf"),
    source=SOURCE,
    table="none",
)
