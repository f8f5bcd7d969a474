"""B³_sys: B³ after the changes of Cai & Strube, which forgive spurious singletons. See `cai_strube`.

Formula     precision: twinless gold mentions become system singletons, twinless system singletons are
            dropped, the other twinless system mentions become gold singletons. Recall: twinless gold mentions
            become system singletons, twinless system mentions are removed. Then B³.
Units       as B³; 0..1.
Edge cases  no gold mention: recall is 0/0, undefined; nothing on either side after the changes: so is
            precision.
Cost        O(cells).
Source      Cai & Strube 2010, Evaluation metrics for end-to-end coreference resolution systems, SIGDIAL,
            pp. 28-36.
"""

from scorch2.model.tally import Tally, exact_sum
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.cai_strube import SOURCE, add, twinless
from scorch2.scoring.metrics.metric import ONLY, Metric


def count(table: Contingency) -> Tally:
    """Sum the credit of the mentions after the changes, in closed form."""
    alone_in = twinless(table)
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


METRIC = Metric(
    "b_cubed_sys",
    "B³_sys",
    {ONLY: count},
    aliases=("b3_sys", "bcub_sys", "cs_b_cubed"),
    source=SOURCE,
    table="none",
)
