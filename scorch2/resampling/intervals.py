"""Intervals of several levels for every score: neleval's columns and JSON, and tables for reading."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from scorch2.model.errors import counted, escaped
from scorch2.model.escaping import json_text, markdown_code
from scorch2.model.results import Confidence, Interval
from scorch2.model.score import COUNTS, Value
from scorch2.model.tables import WIDTH, Table, padded
from scorch2.reports.rows import skipped_note
from scorch2.resampling.provenance import Facts, comment, facts, line, remark
from scorch2.scoring.report import Report

NOTHING = "none"
"""The format that prints nothing; the exit status still tells whether there was an error."""
FORMATS = ("tab", "table", "json", "markdown", NOTHING)
NELEVAL = {"precision": "precision", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
"""neleval's names for the parts of a score, in its order."""
UNDEFINED = "(0/0)"
"""A score that is 0/0, and what would be computed from it."""


def render(report: Report, levels: Sequence[Confidence], parts: Sequence[str], form: str) -> str:
    """Return the scores of `report` between the ends of their intervals; each form but none says how.

    Parameters
    ----------
    report : Report
        With the observed scores.
    levels : sequence of Confidence
        One for each level, of the same trials.
    parts : sequence of str
        What is shown of every score, in this order.
    form : str
        One of `FORMATS`.
    """
    if form == NOTHING:
        return ""
    levels = sorted(levels, key=lambda confidence: confidence.level)
    made = made_by(report, levels)
    shown = _shown_scores(report, parts)
    skipped = skipped_note(report)
    if form == "tab":
        return _tab(levels, shown) + remark(skipped) + comment(made)
    if form == "json":
        return json_text(entries(report, levels, parts), 4, sort_keys=True) + "\n"
    drawn = f"{levels[0].trials} draws of {counted(len(report.documents), 'document')}"
    caption = f"Percent. Intervals over {drawn}, seed {levels[0].seed}. {skipped}".rstrip()
    if form == "markdown":
        return f"{table(report, levels, parts).markdown()}\n\n{caption}\n{markdown_code(line(made))}\n"
    return f"{table(report, levels, parts).fitted()}\n\n{fill(caption, WIDTH)}\n{line(made)}\n"


def made_by(report: Report, levels: Sequence[Confidence]) -> Facts:
    """Return how intervals were found."""
    return facts(report, trials=levels[0].trials, seed=levels[0].seed)


def _shown_scores(report: Report, parts: Sequence[str]) -> list[tuple[str, str, Value]]:
    """Return metric, part and score of all that is shown."""
    return [
        (row.name, part, getattr(report.scores[row.name], part))
        for row in report.rows
        for part in parts
        if part in row.gives._fields
    ]


def table(report: Report, levels: Sequence[Confidence], parts: Sequence[str]) -> Table:
    """Return scores and intervals in percent, one row per part of a score."""
    labels = {row.name: row.label for row in report.rows}
    head = ("metric", "", "score", *(f"{confidence.level:g} %" for confidence in levels))
    rows = [
        (
            labels[name],
            part,
            _shown(part, value) if value.defined else f"{_shown(part, value)} {UNDEFINED}",
            *(_between(part, one.intervals[name][part]) for one in levels),
        )
        for name, part, value in _shown_scores(report, parts)
    ]
    return Table(head, rows)


def _tab(levels: Sequence[Confidence], shown: Sequence[tuple[str, str, Value]]) -> str:
    """Lay out as neleval does: the widest interval outside, three decimals."""
    low = [f"{confidence.level:g}%(" for confidence in reversed(levels)]
    high = [f"){confidence.level:g}%" for confidence in levels]
    rows = [["measure", "metric", *low, "score", *high]]
    for name, part, value in shown:
        ends = [confidence.intervals[name][part] for confidence in levels]
        lows, highs = ([None if end is None else end[side] for end in ends] for side in (0, 1))
        numbers = [*reversed(lows), float(value) if value.defined else None, *highs]
        cells = (UNDEFINED if number is None else f"{number:.3f}" for number in numbers)
        rows.append([escaped(name), NELEVAL[part], *cells])
    return padded(rows, 2)


def entries(report: Report, levels: Sequence[Confidence], parts: Sequence[str]) -> list[dict[str, Any]]:
    """Return scores and intervals as JSON objects, one per metric."""
    made = made_by(report, levels)
    found: dict[str, dict[str, Any]] = {}
    for name, part, value in _shown_scores(report, parts):
        skipped = plain_skipped(report.skipped.get(name, {}))
        entry = found.setdefault(name, {"overall": {}, "intervals": {}, "skipped": skipped})
        entry["overall"][NELEVAL[part]] = float(value) if value.defined else None
        ends = {f"{one.level:g}": one.intervals[name][part] for one in levels}
        entry["intervals"][NELEVAL[part]] = {level: pair and list(pair) for level, pair in ends.items()}
    return [{"measure": name, **entry, "run": made} for name, entry in found.items()]


def plain_skipped(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return how many documents are 0/0 by neleval's names for parts; for a mean by the metrics it is of."""
    return {NELEVAL.get(part, part): number for part, number in numbers.items()}


def _between(part: str, bounds: Interval) -> str:
    return "" if bounds is None else f"[{_shown(part, bounds[0])}, {_shown(part, bounds[1])}]"


def _shown(part: str, value: float) -> str:
    """Return a count as it is, all else in percent."""
    return f"{value if part in COUNTS else 100 * value:.2f}"
