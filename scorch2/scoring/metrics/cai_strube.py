"""B³_sys and CEAF_sys: B³ and CEAF after the changes of Cai & Strube (2010) to a pair of documents.

Precision: twinless gold mentions become system singletons, twinless system singletons are dropped, the other
twinless system mentions become gold singletons. Recall: twinless gold mentions become system singletons,
twinless system mentions are removed.

The metrics forgive spurious singletons; they are for the numbers of papers from 2010 to 2012. They cannot see
spurious singletons and pay for silence: an empty response to {123}{4} has B³_sys P = 1, and one wrong mention
against one gold mention scores 1. Pradhan et al. (2014) argue against them; never gate on them.

Formula     B³_sys: B³ after the changes. CEAF_sys: CEAF (φ₃ and φ₄) after them, with an alignment of its own
            for recall and for precision.
Units       as B³ and CEAF; 0..1.
Edge cases  no gold mention: recall is 0/0, undefined; nothing on either side after the changes: so is
            precision.
Cost        B³_sys: O(cells); CEAF_sys: as CEAF. The added singletons need no cluster of their own: all that
            can matter to an alignment is one private partner for each cluster with twinless mentions.
Source      Cai & Strube 2010, Evaluation metrics for end-to-end coreference resolution systems, SIGDIAL,
            pp. 28-36.
"""

from collections.abc import Callable

from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.metric import ONLY, Count, Metric


class Twinless:
    """Numbers of twinless mentions, and what is kept of the system clusters."""

    def __init__(self, table: Contingency) -> None:
        self.gold = list(table.gold_sizes)  # mentions that the system lacks, by gold cluster
        system = list(table.system_sizes)
        for g, s, n in table.cells:
            self.gold[g] -= n
            system[s] -= n
        dropped = [alone == 1 == size for alone, size in zip(system, table.system_sizes, strict=True)]
        self.system = [0 if drop else alone for drop, alone in zip(dropped, system, strict=True)]
        """Mentions that gold lacks, by system cluster; 0 for a singleton, which is dropped."""
        self.kept = [0 if drop else size for drop, size in zip(dropped, table.system_sizes, strict=True)]
        """Sizes of the system clusters, 0 for a dropped one."""


def add(numerators: dict[int, int], denominator: int, numerator: int) -> None:
    """Add a fraction to the sums of numerators by denominator."""
    numerators[denominator] = numerators.get(denominator, 0) + numerator


def count_b_cubed(table: Contingency) -> Tally:
    """Sum the credit of the mentions after the changes, in closed form."""
    alone_in = Twinless(table)
    recall: dict[int, int] = {1: 0}
    precision: dict[int, int] = {1: sum(alone_in.gold)}
    for g, s, n in table.cells:
        add(recall, table.gold_sizes[g], n * n)
        add(precision, table.system_sizes[s], n * n)
    for size, alone in zip(table.gold_sizes, alone_in.gold, strict=True):
        add(recall, size, alone)
    for size, alone in zip(table.system_sizes, alone_in.system, strict=True):
        add(precision, size, alone)
    return Tally(
        exact_sum(recall),
        sum(table.gold_sizes),
        exact_sum(precision),
        sum(alone_in.kept) + sum(alone_in.gold),
    )


def count_mentions(table: Contingency) -> Tally:
    """Align by shared mentions."""
    alone = Twinless(table)
    recall, precision = _alignments(table, alone, lambda shared, _: (shared, 1))
    return Tally(recall, sum(table.gold_sizes), precision, sum(alone.kept) + sum(alone.gold))


def count_entities(table: Contingency) -> Tally:
    """Align by the Dice coefficient of the clusters."""
    alone = Twinless(table)
    recall, precision = _alignments(table, alone, lambda shared, sizes: (2 * shared, sizes))
    clusters = sum(size > 0 for size in alone.kept)
    return Tally(recall, len(table.gold_sizes), precision, clusters + sum(alone.gold))


def _alignments(
    table: Contingency, alone: Twinless, similarity: Callable[[int, int], tuple[int, int]]
) -> tuple[float, float]:
    gold, system = table.gold_sizes, table.system_sizes
    with_twin = [size - number for size, number in zip(system, alone.system, strict=True)]
    shared = [(g, s, similarity(n, gold[g] + with_twin[s])) for g, s, n in table.cells]
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


def _metric(name: str, label: str, count: Count, *aliases: str) -> Metric:
    source, papers = "Cai & Strube 2010", ("cai-strube-2010",)
    return Metric(name, label, {ONLY: count}, source, aliases=aliases, papers=papers, table="none")


B_CUBED_SYS = _metric("b_cubed_sys", "B³_sys", count_b_cubed, "b3_sys", "bcub_sys", "cs_b_cubed")
CEAF_M_SYS = _metric("ceaf_m_sys", "CEAF_m_sys", count_mentions, "ceafm_sys", "mention_cs_ceaf")
CEAF_E_SYS = _metric("ceaf_e_sys", "CEAF_e_sys", count_entities, "ceafe_sys", "entity_cs_ceaf")
