"""Non-referring mentions: those that refer to nothing and are found as such.

Formula     R = mentions that both sides call non-referring / those of gold. P: over those of the system.
Units       mentions; 0..1. They are the same only if they are equal, whatever ``--match`` says.
Edge cases  no such mention on a side, or a format that has none: 0/0, undefined.
Cost        O(non-referring mentions).
Source      Yu et al. 2022, The Universal Anaphora scorer, LREC, pp. 4873-4883.
"""

from typing import TYPE_CHECKING

from scorch2.model.tally import Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence.non_referring import NonReferring


def count(mentions: "NonReferring") -> Tally:
    """Count the mentions that are non-referring on both sides."""
    found = len(mentions.gold & mentions.system)
    return Tally(found, len(mentions.gold), found, len(mentions.system))


METRIC = Metric(
    "non_referring",
    "Non-referring",
    {ONLY: count},
    aliases=("non-referring",),
    source="Yu et al. 2022",
    evidence="non_referring",
)
