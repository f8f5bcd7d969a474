"""Mention detection: the mentions that are found at all, whatever their cluster.

Formula     R = shared mentions / gold mentions. P: over system mentions.
Units       mentions; 0..1.
Edge cases  no mention on a side: 0/0, undefined. A mention that is looked up counts once, as in coval.
Cost        O(cells).
Source      Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL, pp. 30-35.
"""

from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.metric import ONLY, Metric


def count(table: Contingency) -> Tally:
    """Count the mentions on both sides."""
    shared = sum([n for _, _, n in table.cells])
    return Tally(shared, sum(table.gold_sizes), shared, sum(table.system_sizes))


METRIC = Metric(
    "mentions",
    "Mentions",
    {ONLY: count},
    aliases=("mention", "md", "mention_detection"),
    source="Pradhan et al. 2014",
    table="mentions",
)
