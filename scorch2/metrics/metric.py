"""Metric, one row of the table: how a contingency table becomes tallies, and tallies a score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.tally import AnyScore, MeanScore, Score, Tally, finish

Count: TypeAlias = Callable[[Any], Tally]
"""From the evidence of one document: a `Contingency`, or what anaphora resolution has beside it."""
Finish: TypeAlias = Callable[[Sequence[Tally]], AnyScore]
ONLY = ""
"""The name of the part of a metric that has one."""


class Metric(NamedTuple):
    """A metric of recall, precision and F1 over partitions."""

    name: str
    label: str
    """As reports print it."""
    parts: Mapping[str, Count]
    """What it counts, by the name of the part; most metrics have `ONLY` one."""
    source: str
    """The paper that defines it."""
    aliases: tuple[str, ...] = ()
    """What other scorers call it."""
    finish: Finish = finish
    """From its tallies, of one document or pooled, to its score."""
    gives: type[AnyScore] = Score
    """The parts that its score has."""

    def tallies(self, table: Any) -> tuple[Tally, ...]:
        """Return one tally a part."""
        return tuple([count(table) for count in self.parts.values()])


class Mean(NamedTuple):
    """A mean of the F1 of other metrics: it has an F1 and nothing else."""

    name: str
    label: str
    of: tuple[str, ...]
    source: str
    aliases: tuple[str, ...] = ()
    gives: type[AnyScore] = MeanScore


AnyMetric: TypeAlias = Metric | Mean
