"""Zero anaphora: the zeros that have an antecedent, and whether the system gives them one of the right chain.

Formula     R = TP / (TP + WL + FN), P = TP / (TP + WL + FP). Of the gold zeros that are not first in their
            chain: FN have no counterpart, or one that is first in its chain; TP have one in the chain of the
            counterpart of an earlier mention of their chain; WL (wrong link) are the others. FP: system zeros
            that are not first in their chain, and not counterpart of a gold zero counted here.
Units       zeros, mentions headed by an empty node; 0..1.
Edge cases  no such zero on a side: 0/0, undefined. Antecedents may be any mentions. Of several chains with
            one mention, as ``--lookup=reference`` leaves them, the last is its chain.
Cost        O(mentions × log mentions).
Source      Tuggener 2014, Coreference resolution evaluation for higher level applications, EACL, pp. 231-235;
            for zeros as the CorefUD scorer counts them.
"""

from typing import TYPE_CHECKING

from scorch2.model.tally import Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence.zeros import ZeroChains


def count(chains: "ZeroChains") -> Tally:
    """Count the zeros that are resolved, wrongly linked, missed and invented."""
    owner = {one: number for number, members in enumerate(chains.system) for one in members}
    firsts = {members[0] for members in chains.system}
    looked_at = set()
    right = wrong = missed = 0
    for members in chains.gold:
        before: set[int] = set()  # the system chains that hold counterparts of earlier mentions
        for place, mention in enumerate(members):
            counterpart = chains.counterpart.get(mention)
            if place and mention in chains.gold_zeros:
                looked_at.add(counterpart)
                if counterpart is None or counterpart in firsts:
                    missed += 1
                elif owner[counterpart] in before:
                    right += 1
                else:
                    wrong += 1
            if counterpart in owner:
                before.add(owner[counterpart])
    invented = sum(
        one in chains.system_zeros and one not in looked_at and one not in firsts
        for members in chains.system
        for one in members
    )
    return Tally(right, right + wrong + missed, right, right + wrong + invented)


METRIC = Metric(
    "zero_anaphora",
    "Zero anaphora",
    {ONLY: count},
    aliases=("zero",),
    source="Tuggener 2014",
    evidence="zeros",
)
