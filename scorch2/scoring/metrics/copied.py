"""Copied words: how much of the text a system copied, where it had to copy it.

Formula     R = gold words that the copy has, in order / gold words. It has no precision.
Units       words; 0..1. As many words as possible are counted, see `scorch2.scoring.matching.word_alignment`.
Edge cases  no word in gold: 0/0, undefined. Only with ``--align=text``.
Cost        that of the alignment, once for all metrics.
Source      scorch2.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorch2.model.score import Rate, Tally, finish
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.model.besides import Copying


def count_copied(copying: "Copying") -> Tally:
    """Count the words of gold, and those that were copied."""
    return Tally(copying.copied, copying.words, 0, 0)


def finish_rate(tallies: Sequence[Tally]) -> Rate:
    """Return the score of a metric of one part that has a recall only."""
    return Rate(finish(tallies).recall)


METRIC = Metric(
    "copied",
    "Copied words",
    {ONLY: count_copied},
    source="scorch2",
    finish=finish_rate,
    gives=Rate,
    evidence="scoring.evidence:find_copying",
)
