"""Metrics of single anaphors: zeros and bridging.

Zero anaphora: the zeros that have an antecedent, and whether the system gives them one of the right chain.

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

Bridging: anaphors that are understood by something else, their antecedent.

Formula     R = found / gold anaphors. P: over system anaphors. Found are anaphors on both sides, whatever
            they are linked to (``bridging_anaphor``); with the same antecedent (``bridging_mention``); with
            the same one, or with two of one gold cluster (``bridging_entity``).
Units       anaphors; 0..1. Mentions are the same only if they are equal, whatever ``--match`` says.
Edge cases  no anaphor on a side, or a format that has none: 0/0, undefined. Of several antecedents of an
            anaphor, the last one counts. The clusters are those that are scored: a singleton that is dropped
            is no entity.
Cost        O(anaphors), of entities O(anaphors + gold mentions).
Source      Yu et al. 2022, The Universal Anaphora scorer, LREC, pp. 4873-4883.
"""

from typing import TYPE_CHECKING

from scorch2.model.score import Tally
from scorch2.scoring.metrics.metric import ONLY, Count, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence import Bridging, ZeroChains


def count_zeros(chains: "ZeroChains") -> Tally:
    """Count the zeros that are resolved, wrongly linked, missed and invented."""
    owner = {mention: number for number, members in enumerate(chains.system) for mention in members}
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
        mention in chains.system_zeros and mention not in looked_at and mention not in firsts
        for members in chains.system
        for mention in members
    )
    return Tally(right, right + wrong + missed, right, right + wrong + invented)


ZERO_ANAPHORA = Metric(
    "zero_anaphora",
    "Zero anaphora",
    {ONLY: count_zeros},
    aliases=("zero",),
    source="Tuggener 2014",
    papers=("tuggener-2014",),
    evidence="scoring.evidence:find_zeros",
)


def count_anaphors(links: "Bridging") -> Tally:
    """Count the anaphors on both sides."""
    found = len(links.gold.keys() & links.system.keys())
    return Tally(found, len(links.gold), found, len(links.system))


def count_links_to_mentions(links: "Bridging") -> Tally:
    """Count the links on both sides."""
    found = len(links.gold.items() & links.system.items())
    return Tally(found, len(links.gold), found, len(links.system))


def count_links_to_entities(links: "Bridging") -> Tally:
    """Count the anaphors whose antecedents are equal, or mentions of one gold cluster."""
    owner, system = links.owner, links.system
    shared = sum(
        [
            antecedent == system[anaphor]
            or (antecedent in owner and owner[antecedent] == owner.get(system[anaphor]))
            for anaphor, antecedent in links.gold.items()
            if anaphor in system
        ]
    )
    return Tally(shared, len(links.gold), shared, len(links.system))


def _of_bridging(name: str, label: str, count: Count) -> Metric:
    evidence = "scoring.evidence:find_bridging"
    return Metric(
        name, label, {ONLY: count}, source="Yu et al. 2022", papers=("yu-etal-2022",), evidence=evidence
    )


BRIDGING_ANAPHOR = _of_bridging("bridging_anaphor", "Bridging anaphors", count_anaphors)
BRIDGING_MENTION = _of_bridging("bridging_mention", "Bridging links to mentions", count_links_to_mentions)
BRIDGING_ENTITY = _of_bridging("bridging_entity", "Bridging links to entities", count_links_to_entities)
