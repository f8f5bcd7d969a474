"""Intervals and differences in neleval's columns, as JSON, and as tables for reading."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

from scorch2.model.errors import counted, escaped
from scorch2.model.escaping import json_text, markdown_code
from scorch2.model.results import Confidence, Difference, Interval
from scorch2.model.score import COUNTS, UNDEFINED_SHOWN, Value
from scorch2.model.tables import WIDTH, Table, padded
from scorch2.reports.rows import skipped_note
from scorch2.resampling.bootstrap import Facts, facts_comment, facts_line, merged_facts, remark, run_facts
from scorch2.resampling.permutation import ComparedPair
from scorch2.scoring.report import Report

FORMS = ("tab", "table", "json", "markdown", "none")
"""The forms of intervals and differences; none prints nothing, and leaves the exit status."""
NELEVAL = {"precision": "precision", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
"""neleval's names for the parts of a score, in its order."""


def render_intervals(report: Report, levels: Sequence[Confidence], parts: Sequence[str], form: str) -> str:
    """Return the scores of `report` between the ends of their intervals; each form but none says how.

    `levels` are of the same trials; `parts` is what is shown of every score, in this order.
    """
    if form == "none":
        return ""
    levels = sorted(levels, key=lambda confidence: confidence.level)
    made = made_by(report, levels)
    shown = _shown_scores(report, parts)
    skipped = skipped_note(report)
    if form == "tab":
        return _intervals_tab(levels, shown) + remark(skipped) + facts_comment(made)
    if form == "json":
        return json_text(interval_entries(report, levels, parts), 4, sort_keys=True) + "\n"
    drawn = f"{levels[0].trials} draws of {counted(len(report.documents), 'document')}"
    caption = f"Percent. Intervals over {drawn}, seed {levels[0].seed}. {skipped}".rstrip()
    table, signature = intervals_table(report, levels, parts), facts_line(made)
    if form == "markdown":
        return f"{table.markdown()}\n\n{caption}\n{markdown_code(signature)}\n"
    return f"{table.fitted()}\n\n{fill(caption, WIDTH)}\n{signature}\n"


def made_by(report: Report, levels: Sequence[Confidence]) -> Facts:
    """Return how intervals were found."""
    return run_facts(report, trials=levels[0].trials, seed=levels[0].seed)


def _shown_scores(report: Report, parts: Sequence[str]) -> list[tuple[str, str, Value]]:
    """Return metric, part and score of all that is shown."""
    return [
        (row.name, part, getattr(report.scores[row.name], part))
        for row in report.rows
        for part in parts
        if part in row.gives._fields
    ]


def intervals_table(report: Report, levels: Sequence[Confidence], parts: Sequence[str]) -> Table:
    """Return scores and intervals in percent, one row per part of a score."""
    labels = {row.name: row.label for row in report.rows}
    head = ("metric", "", "score", *(f"{confidence.level:g} %" for confidence in levels))
    rows = [
        (
            labels[name],
            part,
            _shown(part, value) if value.defined else f"{_shown(part, value)} {UNDEFINED_SHOWN}",
            *(_between(part, at_level.intervals[name][part]) for at_level in levels),
        )
        for name, part, value in _shown_scores(report, parts)
    ]
    return Table(head, rows)


def _intervals_tab(levels: Sequence[Confidence], shown: Sequence[tuple[str, str, Value]]) -> str:
    """Lay out as neleval does: the widest interval outside, three decimals."""
    low = [f"{confidence.level:g}%(" for confidence in reversed(levels)]
    high = [f"){confidence.level:g}%" for confidence in levels]
    rows = [["measure", "metric", *low, "score", *high]]
    for name, part, value in shown:
        ends = [confidence.intervals[name][part] for confidence in levels]
        lows, highs = ([None if end is None else end[side] for end in ends] for side in (0, 1))
        numbers = [*reversed(lows), float(value) if value.defined else None, *highs]
        cells = (UNDEFINED_SHOWN if number is None else f"{number:.3f}" for number in numbers)
        rows.append([escaped(name), NELEVAL[part], *cells])
    return padded(rows, 2)


def interval_entries(
    report: Report, levels: Sequence[Confidence], parts: Sequence[str]
) -> list[dict[str, Any]]:
    """Return scores and intervals as JSON objects, one per metric."""
    made = made_by(report, levels)
    by_metric: dict[str, dict[str, Any]] = {}
    for name, part, value in _shown_scores(report, parts):
        skipped = plain_skipped(report.skipped.get(name, {}))
        entry = by_metric.setdefault(name, {"overall": {}, "intervals": {}, "skipped": skipped})
        entry["overall"][NELEVAL[part]] = float(value) if value.defined else None
        ends = {f"{at_level.level:g}": at_level.intervals[name][part] for at_level in levels}
        entry["intervals"][NELEVAL[part]] = {level: pair and list(pair) for level, pair in ends.items()}
    return [{"measure": name, **entry, "run": made} for name, entry in by_metric.items()]


def plain_skipped(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return how many documents are 0/0 by neleval's names for parts; for a mean by the metrics it is of."""
    return {NELEVAL.get(part, part): number for part, number in numbers.items()}


def _between(part: str, bounds: Interval) -> str:
    return "" if bounds is None else f"[{_shown(part, bounds[0])}, {_shown(part, bounds[1])}]"


def _shown(part: str, value: float) -> str:
    """Return a count as it is, all else in percent."""
    return f"{value if part in COUNTS else 100 * value:.2f}"


_SHORT = {**NELEVAL, "precision": "precis"}
_WIDTH = len("p-precis")
_COLUMNS = ("metric", "", "difference", "interval", "p")


def render_differences(
    compared: Sequence[ComparedPair], reports: Mapping[str, Report], parts: Sequence[str], form: str
) -> str:
    """Return all pairs in one of `FORMS`; each but none says how the p-values were made.

    `reports` are those that were compared; `parts` is what is shown of every metric, in this order.
    """
    if form == "none":
        return ""
    if form == "json":
        return json_text(difference_entries(compared, reports, parts), 4, sort_keys=True) + "\n"
    made = facts_line(merged_facts([pair.facts for pair in compared]))
    skipped = {name: note for name, report in reports.items() if (note := skipped_note(report))}
    said = [f"{name}: {note}" for name, note in skipped.items()]
    if form == "tab":
        return _differences_tab(compared, parts) + "".join(map(remark, [*said, made]))
    if form == "markdown":
        notes = "".join(f"{markdown_code(name)}: {note}\n\n" for name, note in skipped.items())
        return f"{differences_table(compared, reports, parts).markdown()}\n\n{notes}{markdown_code(made)}\n"
    labels, corrected = _labels(reports), _is_corrected(compared)
    head = (*_COLUMNS, "p (Holm)") if corrected else _COLUMNS
    rows = [_pair_rows(pair, parts, labels, corrected=corrected) for pair in compared]
    tables = [_pair_table(pair, head, of_pair) for pair, of_pair in zip(compared, rows, strict=True)]
    return "\n".join([*tables, *(fill(escaped(note), WIDTH) for note in said), made]) + "\n"


def differences_table(
    compared: Sequence[ComparedPair], reports: Mapping[str, Report], parts: Sequence[str]
) -> Table:
    """Return all pairs in one table, differences in percent."""
    labels, corrected = _labels(reports), _is_corrected(compared)
    head = ["first", "second", *_COLUMNS, *(["p (Holm)"] if corrected else [])]
    rows = [
        [pair.one, pair.other, *row]
        for pair in compared
        for row in _pair_rows(pair, parts, labels, corrected=corrected)
    ]
    return Table(head, rows)


def _labels(reports: Mapping[str, Report]) -> dict[str, str]:
    return {row.name: row.label for report in reports.values() for row in report.rows}


def _differences_tab(compared: Sequence[ComparedPair], parts: Sequence[str]) -> str:
    rows = [["sys1", "sys2", "measure", *(f"{sign}-{_SHORT[part]}" for part in parts for sign in "Δp")]]
    for pair in compared:
        for name, differences in pair.differences.items():
            cells = [cell for part in parts for cell in _cells(differences.get(part))]
            names = map(escaped, (pair.one, pair.other, name))
            rows.append([*names, *(cell.rjust(_WIDTH) for cell in cells)])
    return padded(rows, 3)


def _cells(found: Difference | None) -> tuple[str, str]:
    """Return the cells of a part: empty if the metric has no such part."""
    if found is None:
        return "", ""
    if found.difference is None or found.p is None:
        return UNDEFINED_SHOWN, UNDEFINED_SHOWN
    return f"{found.difference:+.3f}", f"{found.p:.3f}"


def difference_entries(
    compared: Sequence[ComparedPair], reports: Mapping[str, Report], parts: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the differences as JSON objects, one per pair of systems and metric."""
    return [
        {
            "sys1": pair.one,
            "sys2": pair.other,
            "measure": name,
            "stats": {
                NELEVAL[part]: _plain_difference(differences[part]) for part in parts if part in differences
            },
            "skipped": {
                side: plain_skipped(reports[path].skipped.get(name, {}))
                for side, path in (("sys1", pair.one), ("sys2", pair.other))
            },
            "run": pair.facts,
        }
        for pair in compared
        for name, differences in pair.differences.items()
    ]


def _plain_difference(found: Difference) -> dict[str, Any]:
    low, high = found.interval or (None, None)
    plain = {"diff": found.difference, "p": found.p, "low": low, "high": high}
    return plain if found.corrected is None else {**plain, "p_holm": found.corrected}


def _pair_table(pair: ComparedPair, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return one pair: the paths of the systems, which can be long, and a table of its differences."""
    return f"first   {escaped(pair.one)}\nsecond  {escaped(pair.other)}\n\n{Table(head, rows).fitted()}\n"


def _is_corrected(compared: Sequence[ComparedPair]) -> bool:
    """Return whether there are corrected p-values."""
    return any(
        difference.corrected is not None
        for pair in compared
        for metric in pair.differences.values()
        for difference in metric.values()
    )


def _pair_rows(
    pair: ComparedPair, parts: Sequence[str], labels: Mapping[str, str], *, corrected: bool
) -> list[list[str]]:
    return [
        [labels[name], part, *_pair_row(values[part], part, corrected=corrected)]
        for name, values in pair.differences.items()
        for part in parts
        if part in values
    ]


def _pair_row(found: Difference, part: str, *, corrected: bool) -> list[str]:
    """Return the numbers of one row: counts as they are, all else in percent; no p without a difference."""
    scale = 1 if part in COUNTS else 100
    difference = UNDEFINED_SHOWN if found.difference is None else f"{scale * found.difference:+.2f}"
    interval = "[{:+.2f}, {:+.2f}]".format(*(scale * end for end in found.interval)) if found.interval else ""
    p_values = [found.p, found.corrected] if corrected else [found.p]
    return [difference, interval, *("" if p is None else f"{p:.4f}" for p in p_values)]


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
        return render_intervals(self.report, self.levels, self.parts, "table")

    def __repr__(self) -> str:
        levels = [one.level for one in self.levels]
        return f"ConfidenceReport({self.report!r}, levels={levels}, trials={self.levels[0].trials})"

    def _repr_html_(self) -> str:
        return intervals_table(self.report, self.levels, self.parts).html()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: under ``measures`` what ``scorch2 confidence -f json`` writes."""
        return {"measures": interval_entries(self.report, self.levels, self.parts)}

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

    pairs: Sequence[ComparedPair]
    reports: Mapping[str, Report]
    """The scores of each system, by its name."""
    parts: Sequence[str]
    """What is shown of each score."""

    def __str__(self) -> str:
        return render_differences(self.pairs, self.reports, self.parts, "table")

    def __repr__(self) -> str:
        return f"SignificanceReport(systems={[*self.reports]}, {len(self.pairs)} pairs)"

    def _repr_html_(self) -> str:
        return differences_table(self.pairs, self.reports, self.parts).html()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: under ``pairs`` what ``scorch2 significance -f json`` writes."""
        return {"pairs": difference_entries(self.pairs, self.reports, self.parts)}

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
