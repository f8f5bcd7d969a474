"""BLANC: the Rand index for coreference, the mean of how well links and non-links are found.

Formula     R = (R_c + R_n) / 2, P likewise, F = (F_c + F_n) / 2: F is not derived from R and P.
            Coreference links: right Σ c2(n) over the cells, gold Σ c2(|k|), c2(x) = x(x−1)/2. Other links:
            all pairs of mentions less these, right c2(N) − Σ c2(aᵢ) − Σ c2(bⱼ) + Σ c2(n), N shared mentions,
            aᵢ and bⱼ the row and column sums.
Units       links; 0..1.
Edge cases  a kind of link that gold lacks is left out. No link in gold at all: 1 if both sides are the one
            same mention, undefined if both are empty, else 0; in the reference scorer 0 whenever gold has no
            link.
Cost        O(cells).
Source      Recasens & Hovy 2011, BLANC, Natural Language Engineering 17(4), pp. 485-510; for mentions that
            differ Luo et al. 2014, An extension of BLANC to system mentions, ACL, pp. 24-29.
"""

from collections.abc import Sequence

from scorch2.model.score import UNDEFINED, Column, Score, Value
from scorch2.model.score import finish_all as finish_all_links
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics import mentions
from scorch2.scoring.metrics.metric import Finish, Metric


def coreference(table: Contingency) -> Tally:
    """Count the pairs of mentions inside one cluster."""
    right = _pairs([n for _, _, n in table.cells])
    return Tally(right, _pairs(table.gold_sizes), right, _pairs(table.system_sizes))


def non_coreference(table: Contingency) -> Tally:
    """Count the pairs of mentions in two different clusters."""
    rows, columns = [0] * len(table.gold_sizes), [0] * len(table.system_sizes)
    inside = 0
    for g, s, n in table.cells:
        rows[g] += n
        columns[s] += n
        inside += n * (n - 1) // 2
    right = _pairs([sum(rows)]) - _pairs(rows) - _pairs(columns) + inside
    gold = _pairs([sum(table.gold_sizes)]) - _pairs(table.gold_sizes)
    system = _pairs([sum(table.system_sizes)]) - _pairs(table.system_sizes)
    return Tally(right, gold, right, system)


def finish(tallies: Sequence[Tally]) -> Score:
    """Combine the two kinds of links after Recasens & Hovy (2011)."""
    columns = finish_all([tallies])
    return Score(*[Value(column.values[0]) if column.defined else UNDEFINED for column in columns])


def finish_all(tallies: Sequence[Sequence[Tally]]) -> list[Column]:
    """Do so for one document or more, part by part.

    A kind of link that gold lacks is left out. Without any link the score is 1 where both sides are the one
    same mention, and undefined where they are empty.
    """
    links, others, counts = zip(*tallies, strict=True)
    kinds = [(one.recall_den > 0, other.recall_den > 0) for one, other in zip(links, others, strict=True)]
    alike = [float(0 < common == gold == system) for common, gold, _, system in counts]
    columns = []
    for of_links, of_others in zip(
        finish_all_links(list(zip(links, strict=True))),
        finish_all_links(list(zip(others, strict=True))),
        strict=True,
    ):
        rows = zip(kinds, of_links.values, of_others.values, alike, strict=True)
        columns.append([(a * x + b * y) / (a + b) if a or b else same for (a, b), x, y, same in rows])
    recalls, precisions, f1s = columns
    is_defined = any(
        a or b or gold or system for (a, b), (_, gold, _, system) in zip(kinds, counts, strict=True)
    )
    has_precision = any(
        (a and one.precision_den) or (b and other.precision_den) if a or b else gold or system
        for (a, b), one, other, (_, gold, _, system) in zip(kinds, links, others, counts, strict=True)
    )
    return [Column(recalls, is_defined), Column(precisions, has_precision), Column(f1s, is_defined)]


def finish_as_reference(tallies: Sequence[Tally]) -> Score:
    """Combine them as the reference scorer does: 0 where gold has no link."""
    score = finish(tallies)
    if any(tally.recall_den for tally in tallies[:2]) or not score.f1.defined:
        return score
    return Score(Value(0), Value(0), Value(0))


def _pairs(sizes: Sequence[int]) -> int:
    return sum([size * (size - 1) for size in sizes]) // 2


METRIC = Metric(
    "blanc",
    "BLANC",
    {"coref": coreference, "noncoref": non_coreference, "mentions": mentions.count},
    source="Recasens & Hovy 2011, Luo et al. 2014",
    finish=Finish(finish, finish_all),
)
