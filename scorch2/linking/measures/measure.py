"""Measure, one row of the table: how the evidence of linking becomes a tally."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.linking.evidence import Aggregator, Linking
from scorch2.linking.measures import clustering, overlap, sets
from scorch2.model.score import Tally
from scorch2.scoring.metrics.metric import ONLY, Metric

AGGREGATORS: Mapping[str, Aggregator] = {**sets.AGGREGATORS, **overlap.AGGREGATORS, **clustering.AGGREGATORS}
"""Functions that count keys, by the name that measures use."""


class Measure(NamedTuple):
    """A measure of recall, precision and F1 over mentions."""

    name: str
    aggregator: str
    """A key of `AGGREGATORS`."""
    field: str
    """The filter: mentions for which this field is true count; all if it is empty."""
    key: tuple[str, ...]
    """The fields in which mentions are compared."""
    groups: tuple[str, ...] = ()
    """Groups that include this measure."""
    aliases: tuple[str, ...] = ()
    equals: str = ""
    """The equivalent measure in other tools, or how it differs."""

    def tally(self, linking: Linking) -> Tally:
        """Return the counts on the mentions of both sides."""
        return AGGREGATORS[self.aggregator](linking, self.field, self.key)

    def metric(self) -> Metric:
        """Return the row that a report of tallies needs; it counts linking, not contingencies."""
        return Metric(self.name, self.name, {ONLY: self.tally}, self.equals)
