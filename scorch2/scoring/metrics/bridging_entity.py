"""Bridging to entities: anaphors that are linked to the same entity of gold.

Formula     R = anaphors with the same antecedent, or with two of one gold cluster / gold anaphors. P: over
            system anaphors.
Units       anaphors; 0..1. Mentions are the same only if they are equal, whatever ``--match`` says.
Edge cases  no anaphor on a side, or a format that has none: 0/0, undefined. Of several antecedents of an
            anaphor, the last one counts. The clusters are those that are scored: a singleton that is dropped
            is no entity.
Cost        O(anaphors + gold mentions).
Source      Yu et al. 2022, The Universal Anaphora scorer, LREC, pp. 4873-4883.
"""

from typing import TYPE_CHECKING

from scorch2.model.tally import Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence.bridging import Bridging


def count(links: "Bridging") -> Tally:
    """Count the anaphors whose antecedents are equal, or mentions of one gold cluster."""
    owner, system = links.owner, links.system
    found = sum(
        [
            antecedent == system[anaphor]
            or (antecedent in owner and owner[antecedent] == owner.get(system[anaphor]))
            for anaphor, antecedent in links.gold.items()
            if anaphor in system
        ]
    )
    return Tally(found, len(links.gold), found, len(links.system))


METRIC = Metric(
    "bridging_entity",
    "Bridging links to entities",
    {ONLY: count},
    source="Yu et al. 2022",
    evidence="bridging",
)
