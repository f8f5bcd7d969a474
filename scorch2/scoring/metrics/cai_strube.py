"""The changes of Cai & Strube (2010) to a pair of documents, before B³ or CEAF is counted.

Precision: twinless gold mentions become system singletons, twinless system singletons are dropped, the other
twinless system mentions become gold singletons. Recall: twinless gold mentions become system singletons,
twinless system mentions are removed.

The metrics forgive spurious singletons; they are for the numbers of papers from 2010 to 2012. They cannot see
spurious singletons and pay for silence: an empty response to {123}{4} has B³_sys P = 1, and one wrong mention
against one gold mention scores 1. Pradhan et al. (2014) argue against them; never gate on them.

Source      Cai & Strube 2010, Evaluation metrics for end-to-end coreference resolution systems, SIGDIAL,
            pp. 28-36.
"""

from typing import NamedTuple

from scorch2.scoring.contingency import Contingency

SOURCE = "Cai & Strube 2010"


class Twinless(NamedTuple):
    """Numbers of twinless mentions, and what is kept of the system clusters."""

    gold: list[int]
    """Mentions that the system lacks, by gold cluster."""
    system: list[int]
    """Mentions that gold lacks, by system cluster; 0 for a singleton, which is dropped."""
    kept: list[int]
    """Sizes of the system clusters, 0 for a dropped one."""


def twinless(table: Contingency) -> Twinless:
    """Count the twinless mentions of each cluster."""
    gold, system = list(table.gold_sizes), list(table.system_sizes)
    for g, s, n in table.cells:
        gold[g] -= n
        system[s] -= n
    dropped = [alone == 1 == size for alone, size in zip(system, table.system_sizes, strict=True)]
    return Twinless(
        gold,
        [0 if drop else alone for drop, alone in zip(dropped, system, strict=True)],
        [0 if drop else size for drop, size in zip(dropped, table.system_sizes, strict=True)],
    )


def add(numerators: dict[int, int], denominator: int, numerator: int) -> None:
    """Add a fraction to the sums of numerators by denominator."""
    numerators[denominator] = numerators.get(denominator, 0) + numerator
