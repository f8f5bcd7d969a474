"""Breakdown, the counts of a corpus by classes of mentions: they add up to the pooled counts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.tally import Tally

METRICS = ("mentions", "muc", "b_cubed", "lea")
"""The metrics that are sums over mentions, so that a class has a score; others, as CEAF, are not."""


class ClassRow(NamedTuple):
    """The counts of one class of mentions."""

    name: str
    tallies: Mapping[str, Tally]
    """By metric, those of `METRICS`: recall from gold mentions, precision from system mentions."""
    links: Mapping[str, Mapping[str, int]]
    """Links of gold (``recall``) and of the system (``precision``) by status."""

    def total(self, side: str) -> int:
        """Return the number of links of a side of `links`."""
        return sum(self.links[side].values())

    def found(self, side: str) -> float | None:
        """Return the percentage of the links of a side that are found; None if there are no links."""
        total = self.total(side)
        return 100 * self.links[side]["found"] / total if total else None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        tallies = {name: tally._asdict() for name, tally in self.tallies.items()}
        return {"class": self.name, **tallies, "links": {side: dict(by) for side, by in self.links.items()}}


Breakdown: TypeAlias = Mapping[str, Sequence[ClassRow]]
"""The rows of each dimension, by its name."""
