"""Metric, one row of the table: how a contingency table becomes tallies, and tallies a score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.score import AnyScore, MeanScore, Score, finish
from scorch2.model.tally import Tally

Count: TypeAlias = Callable[[Any], Tally]
"""From the evidence, a `Contingency` for metrics of coreference, to a tally."""
ONLY = ""
"""The name of the part of a metric that has one."""


class Metric(NamedTuple):
    """A metric of what two sides have in common: their partitions, mentions, links or pronouns."""

    name: str
    label: str
    """As reports print it."""
    parts: Mapping[str, Count]
    """What it counts, by the name of the part; most metrics have `ONLY` one."""
    source: str
    """The paper that defines it."""
    aliases: tuple[str, ...] = ()
    """What other scorers call it."""
    finish: Callable[[Sequence[Tally]], AnyScore] = finish
    """From its tallies, of one document or added up, to a score that has the parts of `gives`."""
    gives: type[AnyScore] = Score
    """The parts that its score has."""

    def tallies(self, evidence: Any) -> tuple[Tally, ...]:
        """Return one tally a part."""
        return tuple(count(evidence) for count in self.parts.values())


class Mean(NamedTuple):
    """A mean of the F1 of other metrics: it has an F1 and nothing else."""

    name: str
    label: str
    of: tuple[str, ...]
    source: str
    aliases: tuple[str, ...] = ()
    gives: type[AnyScore] = MeanScore


AnyMetric: TypeAlias = Metric | Mean


class Lookup(NamedTuple):
    """How the metrics of a task are found by name, when a stored report is read."""

    several: Callable[[Sequence[str]], Sequence[AnyMetric]]
    """From the names in a report to its rows; raises UsageError for a name that is none."""
    one: Callable[[str], AnyMetric]
    """From a name or an alias to its metric; raises UsageError if there is none."""
    facts: frozenset[str] = frozenset()
    """What its reports may say among their options, besides the options that all reports have."""
