"""Clustering measures: the coreference metrics of `scoring`, on keys that are clustered by their id.

Formula     that of the metric of the same kind, on the contingency table of the keys.
Units       those of the metric; 0..1.
Edge cases  one key in two clusters is refused, or resolved as the rules say. A mention without id is alone.
Cost        O(mentions) and that of the metric.
Source      that of the metric; over the whole corpus unless mentions are grouped.
"""

from collections.abc import Mapping
from functools import partial

from scorch2.linking.evidence import Aggregator, Linking
from scorch2.model.score import Tally
from scorch2.scoring.metrics import METRICS, blanc
from scorch2.scoring.metrics.metric import ONLY, Count, Metric


def count(counted: Count, linking: Linking, field: str, key: tuple[str, ...]) -> Tally:
    """Count the clusters of keys with a metric of coreference."""
    return counted(linking.contingency(field, key))


def _metric(name: str) -> Count:
    metric = METRICS[name]
    assert isinstance(metric, Metric)  # noqa: S101 - for the type checker: means are not counted
    return metric.parts[ONLY]


_COUNTS: Mapping[str, Count] = {
    "muc": _metric("muc"),
    "b_cubed": _metric("b_cubed"),
    "entity_ceaf": _metric("ceaf_e"),
    "mention_ceaf": _metric("ceaf_m"),
    "pairwise": _metric("pairwise"),
    "pairwise_negative": blanc.non_coreference,
    "lea": _metric("lea"),
}
AGGREGATORS: Mapping[str, Aggregator] = {name: partial(count, counted) for name, counted in _COUNTS.items()}
