"""The intervals and differences that Python callers get, with all that they were computed from."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.model.results import Confidence, Interval
from scorch2.resampling import differences, intervals
from scorch2.resampling.comparison import Compared
from scorch2.scoring.report import Report


class ConfidenceReport(NamedTuple):
    """The scores of a system, and how far they vary over documents. ``str()`` is a table in percent."""

    report: Report
    levels: Sequence[Confidence]
    """The intervals of each level, the lowest first, all from the same trials."""
    parts: Sequence[str]
    """What is shown of each score: ``recall``, ``precision``, ``f1``."""

    def interval(self, metric: str, part: str = "f1", level: float | None = None) -> Interval:
        """Return the ends of an interval in 0..1, by default of the highest level; None without a score.

        Raises
        ------
        KeyError
            For a metric, part or level that there is not.
        """
        names = {alias: row.name for row in self.report.rows for alias in (row.name, *row.aliases)}
        by_level = {one.level: one for one in self.levels}
        chosen = self.levels[-1] if level is None else by_level[level]
        return chosen.intervals[names[metric.casefold()]][part]

    def __str__(self) -> str:
        return intervals.render(self.report, self.levels, self.parts, "table")

    def __repr__(self) -> str:
        levels = [one.level for one in self.levels]
        return f"ConfidenceReport({self.report!r}, levels={levels}, trials={self.levels[0].trials})"

    def _repr_html_(self) -> str:
        return intervals.table(self.report, self.levels, self.parts).html()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: under ``measures`` what ``scorch2 confidence -f json`` writes."""
        return {"measures": intervals.entries(self.report, self.levels, self.parts)}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dict for every metric, part and level, for data frames; what is undefined is None."""
        return [
            {
                "metric": row.name,
                "part": part,
                "score": float(value) if value.defined else None,
                "level": one.level,
                "low": ends and ends[0],
                "high": ends and ends[1],
            }
            for row in self.report.rows
            for part in self.parts
            if part in row.gives._fields
            for value in [getattr(self.report.scores[row.name], part)]
            for one in self.levels
            for ends in [one.intervals[row.name][part]]
        ]


class SignificanceReport(NamedTuple):
    """The differences of every pair of systems, and whether chance makes them. ``str()`` is a table."""

    pairs: Sequence[Compared]
    reports: Mapping[str, Report]
    """The scores of each system, by its name."""
    parts: Sequence[str]
    """What is shown of each score."""

    def __str__(self) -> str:
        return differences.render(self.pairs, self.reports, self.parts, "table")

    def __repr__(self) -> str:
        return f"SignificanceReport(systems={[*self.reports]}, {len(self.pairs)} pairs)"

    def _repr_html_(self) -> str:
        return differences.table(self.pairs, self.reports, self.parts).html()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: under ``pairs`` what ``scorch2 significance -f json`` writes."""
        return {"pairs": differences.entries(self.pairs, self.reports, self.parts)}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dict for every pair of systems, metric and part, for data frames.

        Differences are in -1..1, the first system less the second; ``low`` and ``high`` are the ends of their
        95 % interval; ``p_holm`` is None unless it was asked for.
        """
        return [
            {
                "first": pair.one,
                "second": pair.other,
                "metric": name,
                "part": part,
                "difference": found[part].difference,
                "low": ends and ends[0],
                "high": ends and ends[1],
                "p": found[part].p,
                "p_holm": found[part].corrected,
            }
            for pair in self.pairs
            for name, found in pair.differences.items()
            for part in self.parts
            if part in found
            for ends in [found[part].interval]
        ]
