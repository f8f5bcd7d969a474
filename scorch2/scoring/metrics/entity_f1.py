"""Entity F1: how well the mentions of each gold entity are found in one system entity.

Formula     Σᵢ F1(kᵢ) / number of gold entities; weighted: Σᵢ |kᵢ| F1(kᵢ) / Σᵢ |kᵢ|. F1(k) = 2n / (|k| + |r|)
            with the system entity r that CEAF_m aligns k with, 0 without one. Of several best alignments
            of CEAF_m the one counts that gives the largest sum, so that no order of files, entities or
            mentions matters.
Units       entities, weighted: mentions; 0..1. It has neither recall nor precision.
Edge cases  no mention in gold: 0/0, undefined. System entities that are not aligned count for nothing. With
            ``--entities=names`` the entity of the same name is meant, if it shares a mention.
Cost        that of CEAF_m, in Python for up to 16 000 cells of a component.
Source      Manikantan et al. 2024, Major entity identification, EMNLP (arXiv 2406.14654): macro and micro F1.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scorch2.model.score import MeanScore, Tally, exact_sum, recall_of
from scorch2.scoring.assignment import best_of_ties
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence import SameNames


def count(table: Contingency, *, weighted: bool = False) -> Tally:
    """Sum F1 over the gold entities, or over the mentions of gold."""
    return _sum(table, best_entities(table, weighted=weighted), weighted=weighted)


def count_named(entities: "SameNames", *, weighted: bool = False) -> Tally:
    """Sum F1 likewise, with the system entity of the same name."""
    return _sum(entities.table, entities.cells, weighted=weighted)


def best_entities(table: Contingency, *, weighted: bool = False) -> list[int]:
    """Return the positions of the cells of the entities that are compared."""
    gold, system = table.gold_sizes, table.system_sizes
    ties = [2 * n * _FINE // (gold[g] + system[s]) * (gold[g] if weighted else 1) for g, s, n in table.cells]
    return best_of_ties(table.cells, ties)


_FINE = 1 << 64  # an F1 of 1, as an integer: sums of integers are the same in any order


def _sum(table: Contingency, aligned: Sequence[int], *, weighted: bool = False) -> Tally:
    gold, system = table.gold_sizes, table.system_sizes
    shared = {1: 0}  # twice the shared mentions of aligned entities, by their sizes together
    for g, s, n in map(table.cells.__getitem__, aligned):
        sizes = gold[g] + system[s]
        shared[sizes] = shared.get(sizes, 0) + 2 * n * (gold[g] if weighted else 1)
    return Tally(exact_sum(shared), sum(gold) if weighted else len(gold), 0, 0)


# Functions, and no partial ones: a copy of a report has the same metrics
def count_weighted(table: Contingency) -> Tally:
    """Sum F1 over the mentions of gold."""
    return count(table, weighted=True)


def count_named_weighted(entities: "SameNames") -> Tally:
    """Sum F1 over the mentions of gold, with the system entity of the same name."""
    return count_named(entities, weighted=True)


def _metric(name: str, label: str, aliases: tuple[str, ...], *, weighted: bool) -> Metric:
    named = {ONLY: count_named_weighted if weighted else count_named}
    return Metric(
        name,
        label,
        {ONLY: count_weighted if weighted else count},
        aliases=aliases,
        source="Manikantan et al. 2024",
        papers=("manikantan-etal-2024",),
        divide=recall_of,
        gives=MeanScore,
        rules={("entities", "names"): {"parts": named, "evidence": "scoring.evidence:find_names"}},
        table="none",
    )


ENTITY_F1 = _metric("entity_f1", "Entities", ("entity_f1_macro", "mei_macro"), weighted=False)
ENTITY_F1_WEIGHTED = _metric(
    "entity_f1_weighted", "Entities, weighted", ("entity_f1_micro", "mei_micro"), weighted=True
)
