"""Metrics of clusters under ``--split-antecedents``, whose split antecedents are counted too, or alone.

Under ``keep`` a split antecedent is a mention that is right in part. Under ``only`` the counts of aligned
pairs are all that is scored.
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from scorch2.model.errors import UsageError
from scorch2.model.score import Score, finish, mean_of_two
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.evidence.sets import Sets
from scorch2.scoring.metrics import b_cubed, blanc, ceaf, lea, mentions, split_antecedents
from scorch2.scoring.metrics.metric import ONLY, Count, Metric

EVIDENCE = "sets"
"""The module of `scorch2.scoring.evidence`."""


class _Counts(NamedTuple):
    """The functions that count one part of a metric."""

    of_clusters: Callable[[Sets], Tally]
    """Counts clusters, in which a split antecedent is a mention that is right in part."""
    of_members: Count
    """What compares the members of two split antecedents."""


_COUNTS: Mapping[str, Mapping[str, _Counts]] = {
    "muc": {ONLY: _Counts(split_antecedents.count_muc, split_antecedents.muc_of_members)},
    "b_cubed": {ONLY: _Counts(split_antecedents.count_b_cubed, b_cubed.count)},
    "ceaf_m": {ONLY: _Counts(split_antecedents.count_ceaf_m, ceaf.count_mentions)},
    "ceaf_e": {ONLY: _Counts(split_antecedents.count_ceaf_e, ceaf.count_entities)},
    "blanc": {
        "coref": _Counts(split_antecedents.count_coreference, blanc.coreference),
        "noncoref": _Counts(split_antecedents.count_non_coreference, blanc.non_coreference),
        "mentions": _Counts(split_antecedents.count_mentions, mentions.count),
    },
    "lea": {ONLY: _Counts(split_antecedents.count_lea, lea.count)},
}
"""The metrics that know split antecedents, with their parts."""
_MENTIONS = "mentions"


def counted_with_sets(metric: Metric, choices: Mapping[str, object]) -> Metric:
    """Return a metric that counts as ``split_antecedents`` of `choices` says, which is not ``drop``.

    Raises
    ------
    UsageError
        For a metric that has no definition with split antecedents.
    """
    if metric.evidence:
        return metric
    if metric.name == _MENTIONS:
        return metric._replace(parts={ONLY: split_antecedents.count_mentions}, evidence=EVIDENCE)
    if metric.name not in _COUNTS:
        known = f"use --split-antecedents=drop, or metrics of {', '.join(_COUNTS)}"
        raise UsageError(f"{metric.name} is not defined with split antecedents ({known})")
    metric, counts = metric._replace(evidence=EVIDENCE), _COUNTS[metric.name]
    if choices["split_antecedents"] == "keep":
        return metric._replace(parts={part: one.of_clusters for part, one in counts.items()})
    parts = {part: _only(one.of_members) for part, one in counts.items()}
    if metric.name != blanc.METRIC.name:
        return metric._replace(parts=parts)
    parts["coref_of_clusters"] = lambda sets: blanc.coreference(sets.tables.recall)
    parts["noncoref_of_clusters"] = lambda sets: blanc.non_coreference(sets.tables.recall)
    return metric._replace(
        parts=parts, finish=_finish_of_both if choices["blanc"] == "both" else _finish_of_gold
    )


def _only(count: Count) -> Callable[[Sets], Tally]:
    """Return a function that counts what the aligned split antecedents share, of all."""

    def of_sets(sets: Sets) -> Tally:
        pairs = [pair.tally for pair in split_antecedents.aligned(sets, count)]
        gold = [count(Contingency([], sizes, [])).recall_den for sizes in sets.gold_members]
        system = [count(Contingency([], [], sizes)).precision_den for sizes in sets.system_members]
        return Tally(
            fsum(tally.recall_num for tally in pairs),
            fsum(gold),
            fsum(tally.precision_num for tally in pairs),
            fsum(system),
        )

    return of_sets


def _finish_of_gold(tallies: Sequence[Tally]) -> Score:
    """Average those kinds of links of BLANC of which gold has any."""
    return _mean(tallies, [bool(tally.recall_den) for tally in tallies[-2:]])


def _finish_of_both(tallies: Sequence[Tally]) -> Score:
    """Average those kinds of links of BLANC of which either side has any."""
    return _mean(tallies, [bool(tally.recall_den or tally.precision_den) for tally in tallies[-2:]])


def _mean(tallies: Sequence[Tally], there: Sequence[bool]) -> Score:
    links, others = tallies[:2]
    if there[0] == there[1]:
        return mean_of_two(links, others)
    return finish([links if there[0] else others])
