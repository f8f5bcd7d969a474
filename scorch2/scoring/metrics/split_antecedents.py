"""Split antecedents in the metrics of clusters: each is worth what its members share with those of another.

Those of gold and those of the system are aligned one to one, for each metric by itself: the metric compares
the members of two sets as if these were clusters, and the largest sum of F1 wins. Then a split antecedent is
a mention that is right in part: by the R of its pair for recall, by the P for precision; by the F1 in CEAF
and BLANC.

Under ``--split-antecedents=only`` the counts of aligned pairs are all that is scored.

Source      Paun, Yu, Moosavi & Poesio 2022, Scoring coreference chains with split-antecedent anaphors.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import fsum
from typing import NamedTuple, TypeAlias

from scorch2.model.errors import UsageError
from scorch2.model.score import Score, Tally, finish, mean_of_two, ratios
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.contingency import count_mentions as count_equal_mentions
from scorch2.scoring.evidence import Sets
from scorch2.scoring.matching.partners import best_pairs
from scorch2.scoring.metrics import b_cubed, blanc, ceaf, lea, muc
from scorch2.scoring.metrics.metric import ONLY, Count, Metric

RECALL, PRECISION, F1 = Score._fields


class AlignedPair(NamedTuple):
    """Two split antecedents that are aligned, and what comparing their members counts."""

    row: int
    column: int
    tally: Tally
    score: Score


class Shared(NamedTuple):
    """The mentions and split antecedents that a gold and a system cluster share."""

    mentions: int
    weights: Sequence[float]  # those of split antecedents

    @property
    def total(self) -> float:
        """The number of mentions; a split antecedent counts its weight."""
        return fsum([self.mentions, *self.weights])

    @property
    def links(self) -> float:
        """The number of pairs of mentions; one counts the product of the weights."""
        squares = fsum(weight * weight for weight in self.weights)
        return (self.total**2 - self.mentions - squares) / 2


Cells: TypeAlias = Mapping[tuple[int, int], Shared]


def aligned(sets: Sets, count: Count) -> list[AlignedPair]:
    """Return the pairs of split antecedents that are worth something, aligned for one metric."""
    of_table = {id(table): count(table) for table in {id(one): one for one in sets.pairs.values()}.values()}
    scores_of_table = {place: finish([tally]) for place, tally in of_table.items()}
    tallies = {pair: of_table[id(table)] for pair, table in sets.pairs.items()}
    scores = {pair: scores_of_table[id(table)] for pair, table in sets.pairs.items()}
    weights = {pair: float(score.f1) for pair, score in scores.items() if score.f1}
    best = best_pairs(weights, len(sets.gold), len(sets.system)).pairs
    return [AlignedPair(row, column, tallies[row, column], scores[row, column]) for row, column in best]


def _shared_cells(
    sets: Sets, table: Contingency, pairs: Sequence[AlignedPair], part: str, *, equal_count: bool = False
) -> Cells:
    """Return what clusters share, with the weights of aligned pairs: a part of their score."""
    # If `equal_count`, split antecedents that are equal and not aligned have the weight 1
    weights: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        cell = sets.gold[pair.row], sets.system[pair.column]
        weights.setdefault(cell, []).append(float(getattr(pair.score, part)))
    if equal_count:
        rows, columns = {pair.row for pair in pairs}, {pair.column for pair in pairs}
        for row, column in sorted(sets.equal):
            if row not in rows and column not in columns:
                weights.setdefault((sets.gold[row], sets.system[column]), []).append(1.0)
    shared = {(g, s): n for g, s, n in table.cells}
    return {cell: Shared(shared.get(cell, 0), weights.get(cell, ())) for cell in {**shared, **weights}}


def _both(
    sets: Sets,
    pairs: Sequence[AlignedPair],
    credit: Callable[[Cells, Sequence[int], Sequence[int]], float],
    *,
    equal_count: bool = False,
) -> Tally:
    """Return a tally of mentions: `credit` adds up that of one side, whose clusters come first in cells."""
    gold, system = sets.tables.recall.gold_sizes, sets.tables.recall.system_sizes
    recall = _shared_cells(sets, sets.tables.recall, pairs, RECALL, equal_count=equal_count)
    precision = _shared_cells(sets, sets.tables.precision, pairs, PRECISION, equal_count=equal_count)
    flipped = {(s, g): cell for (g, s), cell in precision.items()}
    return Tally(credit(recall, gold, system), sum(gold), credit(flipped, system, gold), sum(system))


def count_muc(sets: Sets) -> Tally:
    """Add the weights of those whose clusters are linked by other mentions."""
    pairs = aligned(sets, muc_of_members)

    def more(table: Contingency, part: str) -> float:
        cells = _shared_cells(sets, table, pairs, part).values()
        return fsum(weight for cell in cells if cell.mentions for weight in cell.weights)

    recall, precision = muc.count(sets.tables.recall), muc.count(sets.tables.precision)
    return Tally(
        recall.recall_num + more(sets.tables.recall, RECALL),
        recall.recall_den,
        precision.precision_num + more(sets.tables.precision, PRECISION),
        precision.precision_den,
    )


def muc_of_members(table: Contingency) -> Tally:
    """Count links of members, of which one of a single mention has a link, to itself."""
    gold, system = table.gold_sizes, table.system_sizes
    tally = muc.count(table)
    found = tally.recall_num + sum(gold[g] == 1 == system[s] for g, s, _ in table.cells)
    alone = list(gold).count(1), list(system).count(1)
    return Tally(found, tally.recall_den + alone[0], found, tally.precision_den + alone[1])


def count_b_cubed(sets: Sets) -> Tally:
    """Add the weights to the mentions that clusters share, before these are squared."""

    def credit(cells: Cells, sizes: Sequence[int], _: Sequence[int]) -> float:
        return fsum(cell.total**2 / sizes[cluster] for (cluster, _), cell in cells.items())

    return _both(sets, aligned(sets, b_cubed.count), credit)


def count_ceaf_m(sets: Sets) -> Tally:
    """Align clusters by the mentions they share and the weights."""
    table = sets.tables.membership
    cells = _shared_cells(sets, table, aligned(sets, ceaf.count_mentions), F1)
    common = _best([(g, s, cell.total) for (g, s), cell in cells.items()])
    return Tally(common, sum(table.gold_sizes), common, sum(table.system_sizes))


def count_ceaf_e(sets: Sets) -> Tally:
    """Align clusters by their Dice coefficient, with the weights."""
    table = sets.tables.membership
    cells = _shared_cells(sets, table, aligned(sets, ceaf.count_entities), F1)
    gold, system = table.gold_sizes, table.system_sizes
    common = _best([(g, s, 2 * cell.total / (gold[g] + system[s])) for (g, s), cell in cells.items()])
    return Tally(common, len(gold), common, len(system))


def _best(cells: Sequence[tuple[int, int, float]]) -> float:
    return fsum(cells[position][2] for position in best_alignment(cells))


def count_lea(sets: Sets) -> Tally:
    """Count a link of a split antecedent by the product of the weights of its ends."""

    def credit(cells: Cells, sizes: Sequence[int], others: Sequence[int]) -> float:
        return fsum(
            2 * cell.links / (sizes[cluster] - 1) if sizes[cluster] > 1 else cell.total * (others[other] == 1)
            for (cluster, other), cell in cells.items()
        )

    return _both(sets, aligned(sets, lea.count), credit, equal_count=True)


def count_coreference(sets: Sets) -> Tally:
    """Count the pairs of mentions inside one cluster, by the product of their weights."""
    tally = blanc.coreference(sets.tables.recall)
    cells = _shared_cells(sets, sets.tables.recall, aligned(sets, blanc.coreference), F1, equal_count=True)
    found = fsum(cell.links for cell in cells.values())
    return tally._replace(recall_num=found, precision_num=found)


def count_non_coreference(sets: Sets) -> Tally:
    """Count the pairs of mentions in two different clusters likewise."""
    tally = blanc.non_coreference(sets.tables.recall)
    cells = _shared_cells(
        sets, sets.tables.recall, aligned(sets, blanc.non_coreference), F1, equal_count=True
    )
    rows: dict[int, list[float]] = {}
    columns: dict[int, list[float]] = {}
    for (g, s), cell in cells.items():
        rows.setdefault(g, []).append(cell.total)
        columns.setdefault(s, []).append(cell.total)
    every = fsum(cell.total for cell in cells.values())
    squares = [fsum(cell.total**2 for cell in cells.values())]
    squares += [-fsum(fsum(totals) ** 2 for totals in side.values()) for side in (rows, columns)]
    shared = fsum([every**2, *squares]) / 2
    return tally._replace(recall_num=shared, precision_num=shared)


def count_mentions(sets: Sets) -> Tally:
    """Count mentions alone."""
    recall, precision = map(count_equal_mentions, (sets.tables.recall, sets.tables.precision))
    return Tally(
        recall.recall_num,
        recall.recall_den - len(sets.gold),
        precision.precision_num,
        precision.precision_den - len(sets.system),
    )


EVIDENCE = "scoring.evidence:find_sets"


class _Counts(NamedTuple):
    of_clusters: Callable[[Sets], Tally]
    """Counts clusters, in which a split antecedent is a mention that is right in part."""
    of_members: Count  # what compares the members of two split antecedents


_COUNTS: Mapping[str, Mapping[str, _Counts]] = {
    "muc": {ONLY: _Counts(count_muc, muc_of_members)},
    "b_cubed": {ONLY: _Counts(count_b_cubed, b_cubed.count)},
    "ceaf_m": {ONLY: _Counts(count_ceaf_m, ceaf.count_mentions)},
    "ceaf_e": {ONLY: _Counts(count_ceaf_e, ceaf.count_entities)},
    "blanc": {
        "coref": _Counts(count_coreference, blanc.coreference),
        "noncoref": _Counts(count_non_coreference, blanc.non_coreference),
        "mentions": _Counts(count_mentions, count_equal_mentions),
    },
    "lea": {ONLY: _Counts(count_lea, lea.count)},
}
"""The metrics that know split antecedents, with their parts."""
_MENTIONS = "mentions"


def counted_with_sets(metric: Metric, choices: Mapping[str, object]) -> Metric:
    """Return a metric that counts as ``split_antecedents`` of `choices` says, which is not ``drop``."""
    # A UsageError tells of a metric that has no definition with split antecedents
    if metric.evidence:
        return metric
    if metric.name == _MENTIONS:
        return metric._replace(parts={ONLY: count_mentions}, evidence=EVIDENCE)
    if metric.name not in _COUNTS:
        known = f"use --split-antecedents=drop, or metrics of {', '.join(_COUNTS)}"
        raise UsageError(f"{metric.name} is not defined with split antecedents ({known})")
    metric, counts = metric._replace(evidence=EVIDENCE), _COUNTS[metric.name]
    if choices["split_antecedents"] == "keep":
        return metric._replace(parts={part: count.of_clusters for part, count in counts.items()})
    parts = {part: _only(count.of_members) for part, count in counts.items()}
    if metric.name != blanc.BLANC.name:
        return metric._replace(parts=parts)
    parts["coref_of_clusters"] = lambda sets: blanc.coreference(sets.tables.recall)
    parts["noncoref_of_clusters"] = lambda sets: blanc.non_coreference(sets.tables.recall)
    return metric._replace(parts=parts, divide=partial(_mean, choices["blanc"] == "both"))


def _only(count: Count) -> Callable[[Sets], Tally]:
    """Return a function that counts what the aligned split antecedents share, of all."""

    def of_sets(sets: Sets) -> Tally:
        pairs = [pair.tally for pair in aligned(sets, count)]
        gold = [count(Contingency([], sizes, [])).recall_den for sizes in sets.gold_members]
        system = [count(Contingency([], [], sizes)).precision_den for sizes in sets.system_members]
        return Tally(
            fsum(tally.recall_num for tally in pairs),
            fsum(gold),
            fsum(tally.precision_num for tally in pairs),
            fsum(system),
        )

    return of_sets


def _mean(of_both: bool, tallies: Sequence[Tally]) -> Sequence[float]:
    """Return the mean of the kinds of links that gold has, or either side."""
    links, others = tallies[:2]
    there = [bool(tally.recall_den or (of_both and tally.precision_den)) for tally in tallies[-2:]]
    if there[0] == there[1]:
        return mean_of_two(links, others)
    return ratios(links if there[0] else others)
