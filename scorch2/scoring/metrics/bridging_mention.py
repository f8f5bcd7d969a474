"""Bridging links: anaphors that are linked to the same mention.

Formula     R = anaphors with the same antecedent / gold anaphors. P: over system anaphors.
Units       anaphors; 0..1. Mentions are the same only if they are equal, whatever ``--match`` says.
Edge cases  no anaphor on a side, or a format that has none: 0/0, undefined. Of several antecedents of an
            anaphor, the last one counts.
Cost        O(anaphors).
Source      Yu et al. 2022, The Universal Anaphora scorer, LREC, pp. 4873-4883.
"""

from typing import TYPE_CHECKING

from scorch2.model.tally import Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence.bridging import Bridging


def count(links: "Bridging") -> Tally:
    """Count the links on both sides."""
    found = len(links.gold.items() & links.system.items())
    return Tally(found, len(links.gold), found, len(links.system))


METRIC = Metric(
    "bridging_mention",
    "Bridging links to mentions",
    {ONLY: count},
    source="Yu et al. 2022",
    evidence="bridging",
)
