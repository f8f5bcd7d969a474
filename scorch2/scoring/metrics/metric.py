"""A metric: functions from a contingency table to tallies, and from tallies to a score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from scorch2.model.score import AnyScore, MeanScore, Score, Tally, ratios_of

Divide: TypeAlias = Callable[[Sequence[Tally]], Sequence[float]]
"""From the tallies of a metric, of one document or added up, to the parts of a score as plain numbers."""
Count: TypeAlias = Callable[[Any], Tally]
"""A function from the evidence (a `Contingency` for metrics of coreference) to a tally."""
ONLY = ""  # the name of the part of a metric that has only one


Changes: TypeAlias = Mapping[str, Any]  # the fields of a row that have other values


class Metric(NamedTuple):
    """A metric of what two sides have in common: their partitions, mentions, links or pronouns."""

    name: str
    label: str  # the name in reports for reading
    parts: Mapping[str, Count]
    """The functions that count, by the name of the part. Most metrics have one part, called `ONLY`."""
    source: str  # the paper that defines it
    aliases: tuple[str, ...] = ()  # names in other scorers
    papers: tuple[str, ...] = ()  # the papers to cite: keys of `scorch2.audit.cite.PAPERS`
    divide: Divide = ratios_of
    """The function from its tallies to the parts of a score of the type `gives`."""
    gives: type[AnyScore] = Score  # the type of its score, which names the parts
    rules: Mapping[tuple[str, str], Changes] = {}
    """What differs under a choice, by the name of the option and its value."""
    table: Literal["each side", "recall", "membership", "mentions", "none"] = "each side"
    """What of `Lookups` it counts: for each side its own table, one of them, mentions, or nothing will do."""
    adds_up: bool = True  # whether the tallies of two texts add up to those of both in one document
    evidence: str = ""
    """The ``module:function`` below this package that finds what it counts; empty for overlaps of clusters.
    It is imported when the metric is asked for, and called once for a document with a `Seen`."""

    def tallies(self, evidence: Any) -> tuple[Tally, ...]:
        """Return one tally per part."""
        return tuple([count(evidence) for count in self.parts.values()])

    def finish(self, tallies: Sequence[Tally]) -> AnyScore:
        """Return the score of tallies, of one document or added up."""
        return self.gives(*self.divide(tallies))


class Mean(NamedTuple):
    """A mean of the F1 of other metrics, and of their other parts if it `gives` them."""

    name: str
    label: str
    of: tuple[str, ...]
    source: str
    aliases: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()  # besides those of its metrics
    gives: type[MeanScore | Score] = MeanScore
    rules: Mapping[tuple[str, str], Changes] = {}  # as of a metric


AnyMetric: TypeAlias = Metric | Mean


class MetricTable(NamedTuple):
    """The needs of stored reports of a task: which metrics it has."""

    several: Callable[[Sequence[str]], Sequence[AnyMetric]]
    """Returns the rows of a report from their names; raises UsageError for an unknown name."""
    one: Callable[[str], AnyMetric]  # from a name or an alias; raises UsageError if there is none
    facts: frozenset[str] = frozenset()  # names of options that only reports of this task have
