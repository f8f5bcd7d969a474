"""Counts of a document whose metrics read more than one table of overlaps."""

from collections.abc import Callable, Sequence

from scorch2.model.errors import UsageError
from scorch2.model.forms import function_at
from scorch2.model.score import Tallies, Tally
from scorch2.scoring.contingency import Contingency, Lookups
from scorch2.scoring.matching.matched import Seen
from scorch2.scoring.metrics.metric import Metric


def counter_of(metrics: Sequence[Metric]) -> Callable[[Seen], Tallies]:
    """Return what counts a document for metrics that have evidence, or whose mentions are looked up."""
    finds = {metric.evidence: function_at(metric.evidence) for metric in metrics if metric.evidence}

    def tallies(seen: Seen) -> Tallies:
        tables = seen.matched.tables or seen.table
        evidence = {place: find(seen) for place, find in finds.items()}
        return tuple(
            [
                metric.tallies(evidence[metric.evidence])
                if metric.evidence
                else tallies_of_tables(metric, tables)
                for metric in metrics
            ]
        )

    return tallies


def tallies_of_tables(metric: Metric, tables: Lookups | Contingency) -> tuple[Tally, ...]:
    """Return one tally per part; numbers of recall and of precision may come from two tables."""
    # A UsageError tells of a metric that needs mentions in pairs
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
