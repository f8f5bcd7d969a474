"""Tallies of the metrics if mentions are looked up, and one may stand for several: see `Lookups`."""

from scorch2.model.errors import UsageError
from scorch2.model.tally import Tally
from scorch2.scoring.contingency import Contingency, Lookups
from scorch2.scoring.metrics.metric import Metric


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
        raise UsageError(f"{metric.name} is not defined for mentions that are looked up (use --lookup=pairs)")
    if metric.table != "each side":
        return metric.tallies(tables.recall if metric.table == "recall" else tables.membership)
    both = zip(metric.tallies(tables.recall), metric.tallies(tables.precision), strict=True)
    return tuple(
        [
            Tally(one.recall_num, one.recall_den, other.precision_num, other.precision_den)
            for one, other in both
        ]
    )
