"""The scores of ARE that are its own: success rate, overlap, and MUC over spans that need not be exact.

Formula     success rate = S / |T|; overlap R = S / |T|, P = S / attempted; S = Σ credit(p) over all p in T.
            For MUC see `alignment`, for credits `credit`.
Units       pronouns; 0..1. The success rate is a recall and has no other part.
Edge cases  no pronoun to resolve, or none attempted: 0/0, undefined.
Source      Mitkov 2001; ARE 2007 task description.
"""

from collections import defaultdict
from collections.abc import Sequence

from scorch2.anaphora import alignment
from scorch2.anaphora.credit import Credits
from scorch2.model.score import Rate, Tally, exact_sum, finish
from scorch2.scoring.metrics.metric import ONLY, Metric

_SOURCE = "Orăsan et al. 2008 (ARE 2007)"


def overlap(found: Credits) -> Tally:
    """Add up the credits, exactly; the same number serves recall and precision."""
    earned = _earned(found)
    return Tally(earned, len(found.pronouns), earned, found.attempted)


def success(found: Credits) -> Tally:
    """Add up the credits, exactly; there is no precision."""
    return Tally(_earned(found), len(found.pronouns), 0, 0)


def rate(tallies: Sequence[Tally]) -> Rate:
    """Return the recall as a Rate."""
    return Rate(finish(tallies).recall)


def _earned(found: Credits) -> float:
    numerators: defaultdict[int, int] = defaultdict(int)
    for credit in found.pronouns:
        numerators[credit.denominator] += credit.numerator
    return exact_sum(numerators)


SUCCESS_RATE = Metric("success_rate", "Success rate", {ONLY: success}, _SOURCE, finish=rate, gives=Rate)
OVERLAP = Metric("overlap", "Overlap", {ONLY: overlap}, _SOURCE)
OVERLAP_MUC = Metric("overlap_muc", "Overlap MUC", {ONLY: alignment.count}, _SOURCE)
