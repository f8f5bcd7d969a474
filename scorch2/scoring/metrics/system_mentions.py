"""B³_sys and CEAF_sys: they forgive spurious singletons; for the numbers of papers from 2010 to 2012.

They cannot see spurious singletons and pay for silence: an empty response to {123}{4} has B³_sys P = 1, and
one wrong mention against one gold mention scores 1. Pradhan et al. (2014) argue against them; never gate on
them.

Formula     precision: twinless gold mentions become system singletons, twinless system singletons are
            dropped, the other twinless system mentions become gold singletons. Recall: twinless gold mentions
            become system singletons, twinless system mentions are removed. Then B³ or CEAF (φ₃ and φ₄).
Units       as B³ and CEAF; 0..1.
Edge cases  no gold mention: recall is 0/0, undefined; nothing on either side after the changes: so is
            precision.
Cost        as B³ and CEAF. The added singletons need no cluster of their own: all that can matter to an
            alignment is one private partner for each cluster with twinless mentions.
Source      Cai & Strube 2010, Evaluation metrics for end-to-end coreference resolution systems, SIGDIAL,
            pp. 28-36.
"""

from collections.abc import Callable
from typing import NamedTuple

from scorch2.model.tally import Tally, exact_sum
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.assignment import best_alignment
from scorch2.scoring.metrics.metric import ONLY, Metric


class _Twinless(NamedTuple):
    gold: list[int]
    """Mentions that the system lacks, by gold cluster."""
    system: list[int]
    """Mentions that gold lacks, by system cluster; 0 for a singleton, which is dropped."""
    kept: list[int]
    """Sizes of the system clusters, 0 for what is dropped."""


def b_cubed(table: Contingency) -> Tally:
    """B³ after the changes, in closed form."""
    twinless = _twinless(table)
    recall: dict[int, int] = {1: 0}
    precision: dict[int, int] = {1: sum(twinless.gold)}
    for g, s, n in table.cells:
        _add(recall, table.gold_sizes[g], n * n)
        _add(precision, table.system_sizes[s], n * n)
    for size, alone in zip(table.gold_sizes, twinless.gold, strict=True):
        _add(recall, size, alone)
    for size, alone in zip(table.system_sizes, twinless.system, strict=True):
        _add(precision, size, alone)
    return Tally(
        exact_sum(recall),
        sum(table.gold_sizes),
        exact_sum(precision),
        sum(twinless.kept) + sum(twinless.gold),
    )


def ceaf_m(table: Contingency) -> Tally:
    """CEAF_m after the changes: an alignment of its own for recall and for precision."""
    twinless = _twinless(table)
    recall, precision = _alignments(table, twinless, lambda shared, _: (shared, 1))
    return Tally(recall, sum(table.gold_sizes), precision, sum(twinless.kept) + sum(twinless.gold))


def ceaf_e(table: Contingency) -> Tally:
    """CEAF_e after the changes."""
    twinless = _twinless(table)
    recall, precision = _alignments(table, twinless, lambda shared, sizes: (2 * shared, sizes))
    clusters = len([size for size in twinless.kept if size])
    return Tally(recall, len(table.gold_sizes), precision, clusters + sum(twinless.gold))


def _twinless(table: Contingency) -> _Twinless:
    gold, system = list(table.gold_sizes), list(table.system_sizes)
    for g, s, n in table.cells:
        gold[g] -= n
        system[s] -= n
    dropped = [alone == 1 == size for alone, size in zip(system, table.system_sizes, strict=True)]
    return _Twinless(
        gold,
        [0 if drop else alone for drop, alone in zip(dropped, system, strict=True)],
        [0 if drop else size for drop, size in zip(dropped, table.system_sizes, strict=True)],
    )


def _alignments(
    table: Contingency, twinless: _Twinless, similarity: Callable[[int, int], tuple[int, int]]
) -> tuple[float, float]:
    """Return the values of the best alignments for recall and for precision."""
    gold, system = table.gold_sizes, table.system_sizes
    found = [size - alone for size, alone in zip(system, twinless.system, strict=True)]
    shared = [(g, s, similarity(n, gold[g] + found[s])) for g, s, n in table.cells]
    partners = [
        (g, len(system) + g, similarity(1, 1 + gold[g])) for g, alone in enumerate(twinless.gold) if alone
    ]
    recall = _value(shared + partners)
    shared = [(g, s, similarity(n, gold[g] + system[s])) for g, s, n in table.cells]
    others = [
        (len(gold) + s, s, similarity(1, 1 + system[s])) for s, alone in enumerate(twinless.system) if alone
    ]
    return recall, _value(shared + partners + others)


def _value(cells: list[tuple[int, int, tuple[int, int]]]) -> float:
    numerators: dict[int, int] = {1: 0}
    for position in best_alignment([(row, column, n / of) for row, column, (n, of) in cells]):
        numerator, denominator = cells[position][2]
        _add(numerators, denominator, numerator)
    return exact_sum(numerators)


def _add(numerators: dict[int, int], denominator: int, numerator: int) -> None:
    numerators[denominator] = numerators.get(denominator, 0) + numerator


_SOURCE = "Cai & Strube 2010"
B_CUBED = Metric(
    "b_cubed_sys", "B³_sys", {ONLY: b_cubed}, aliases=("b3_sys", "bcub_sys", "cs_b_cubed"), source=_SOURCE
)
CEAF_M = Metric(
    "ceaf_m_sys", "CEAF_m_sys", {ONLY: ceaf_m}, aliases=("ceafm_sys", "mention_cs_ceaf"), source=_SOURCE
)
CEAF_E = Metric(
    "ceaf_e_sys", "CEAF_e_sys", {ONLY: ceaf_e}, aliases=("ceafe_sys", "entity_cs_ceaf"), source=_SOURCE
)
