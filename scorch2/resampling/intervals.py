"""Intervals of several levels for every score: neleval's columns and JSON, and tables for reading."""

from collections.abc import Sequence

from scorch2.model.confidence import Confidence
from scorch2.model.escaping import code, json_text
from scorch2.model.messages import escaped
from scorch2.model.score import COUNTS, Value
from scorch2.model.tables import Table, padded
from scorch2.resampling.provenance import Facts, comment, facts, line
from scorch2.scoring.report import Report

NOTHING = "none"
"""The format that prints nothing; the exit status still tells whether there was an error."""
FORMATS = ("tab", "table", "json", "markdown", NOTHING)
NELEVAL = {"precision": "precision", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
"""neleval's names for the parts of a score, in its order."""


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
    made = facts(report, trials=levels[0].trials, seed=levels[0].seed)
    shown = [
        (row.name, part, getattr(report.scores[row.name], part))
        for row in report.rows
        for part in parts
        if part in row.gives._fields
    ]
    if form == "tab":
        return _tab(levels, shown) + comment(made)
    if form == "json":
        return _json(levels, shown, made)
    table = _table(report, levels, shown)
    drawn = f"{levels[0].trials} draws of {len(report.documents)} documents, seed {levels[0].seed}"
    caption = f"Percent. Intervals over {drawn}."
    if form == "markdown":
        return f"{table.markdown()}\n\n{caption}\n{code(line(made))}\n"
    return f"{table}\n\n{caption}\n{line(made)}\n"


def _table(report: Report, levels: Sequence[Confidence], shown: Sequence[tuple[str, str, Value]]) -> Table:
    labels = {row.name: row.label for row in report.rows}
    head = ("metric", "", "score", *(f"{confidence.level:g} %" for confidence in levels))
    rows = [
        (
            labels[name],
            part,
            *_shown(part, value),
            *(_between(part, one.intervals[name][part]) for one in levels),
        )
        for name, part, value in shown
    ]
    return Table(head, rows)


def _tab(levels: Sequence[Confidence], shown: Sequence[tuple[str, str, Value]]) -> str:
    """Lay out as neleval does: the widest interval outside, three decimals."""
    low = [f"{confidence.level:g}%(" for confidence in reversed(levels)]
    high = [f"){confidence.level:g}%" for confidence in levels]
    rows = [["measure", "metric", *low, "score", *high]]
    for name, part, value in shown:
        ends = [confidence.intervals[name][part] for confidence in levels]
        numbers = [*(end[0] for end in reversed(ends)), float(value), *(end[1] for end in ends)]
        rows.append([escaped(name), NELEVAL[part], *(f"{number:.3f}" for number in numbers)])
    return padded(rows, 2)


def _json(levels: Sequence[Confidence], shown: Sequence[tuple[str, str, Value]], made: Facts) -> str:
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name, part, value in shown:
        entry = found.setdefault(name, {"overall": {}, "intervals": {}})
        entry["overall"][NELEVAL[part]] = float(value)
        entry["intervals"][NELEVAL[part]] = {
            f"{confidence.level:g}": list(confidence.intervals[name][part]) for confidence in levels
        }
    entries = [{"measure": name, **entry, "run": made} for name, entry in found.items()]
    return json_text(entries, 4, sort_keys=True) + "\n"


def _between(part: str, bounds: tuple[float, float]) -> str:
    return "[{}, {}]".format(*_shown(part, *bounds))


def _shown(part: str, *values: float) -> list[str]:
    """Return counts as they are, all else in percent."""
    return [f"{value if part in COUNTS else 100 * value:.2f}" for value in values]
