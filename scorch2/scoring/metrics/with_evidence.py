"""Tallies of metrics where one table of overlaps is not enough: evidence of their own, or `Lookups`."""

from collections.abc import Callable, Sequence

from scorch2.model.errors import UsageError
from scorch2.model.options import Options
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency, Lookups
from scorch2.scoring.evidence import Seen, find
from scorch2.scoring.matching import Matched
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.pair import Pair


def of_document(
    metrics: Sequence[Metric],
) -> Callable[[Pair, Matched, Contingency | Lookups, Options], tuple[tuple[Tally, ...], ...]]:
    """Return a function that finds each kind of evidence once, and counts all metrics."""
    kinds = dict.fromkeys(metric.evidence for metric in metrics if metric.evidence)

    def tallies(
        pair: Pair, matched: Matched, tables: Contingency | Lookups, options: Options
    ) -> tuple[tuple[Tally, ...], ...]:
        seen = Seen(pair.gold, pair.system, matched, tables, options)
        found = {kind: find(kind, seen) for kind in kinds}
        return tuple(
            [
                metric.tallies(found[metric.evidence]) if metric.evidence else counted(metric, tables)
                for metric in metrics
            ]
        )

    return tallies


def counted(metric: Metric, tables: Lookups | Contingency) -> tuple[Tally, ...]:
    """Return one tally per part; numbers of recall and of precision may come from two tables.

    Raises
    ------
    UsageError
        For a metric that needs mentions in pairs.
    """
    if isinstance(tables, Contingency):
        return metric.tallies(tables)
    if metric.table == "none":
        why = f"{metric.name} is not defined for mentions that are looked up"
        raise UsageError(f"{why} (name other metrics, or use --lookup=pairs)")
    if metric.table == "mentions":
        return (tables.mentions,)
    if metric.table != "each side":
        return metric.tallies(tables.recall if metric.table == "recall" else tables.membership)
    both = zip(metric.tallies(tables.recall), metric.tallies(tables.precision), strict=True)
    return tuple(
        [
            Tally(one.recall_num, one.recall_den, other.precision_num, other.precision_den)
            for one, other in both
        ]
    )
