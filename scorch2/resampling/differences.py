"""Differences of systems, pair by pair: neleval's columns and JSON, and tables for reading."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from scorch2.model.errors import escaped
from scorch2.model.escaping import json_text, markdown_code
from scorch2.model.results import Difference
from scorch2.model.score import COUNTS
from scorch2.model.tables import WIDTH, Table, padded
from scorch2.reports.rows import skipped_note
from scorch2.resampling.comparison import Compared
from scorch2.resampling.intervals import NELEVAL, NOTHING, UNDEFINED, plain_skipped
from scorch2.resampling.provenance import line, merged, remark
from scorch2.scoring.report import Report

FORMATS = ("tab", "table", "json", "markdown", NOTHING)
_HEADS = {"precision": "precis", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
_WIDTH = len("p-precis")
HEAD = ("metric", "", "difference", "interval", "p")


def render(
    compared: Sequence[Compared], reports: Mapping[str, Report], parts: Sequence[str], form: str
) -> str:
    """Return all pairs in one of `FORMATS`; each but none says how the p-values were made.

    Parameters
    ----------
    compared : sequence of Compared
        The pairs, all with the same metrics.
    reports : mapping of str to Report
        What was compared, by the names of the systems.
    parts : sequence of str
        What is shown of every metric, in this order.
    form : str
        One of `FORMATS`.
    """
    if form == NOTHING:
        return ""
    if form == "json":
        return json_text(entries(compared, reports, parts), 4, sort_keys=True) + "\n"
    made = line(merged([pair.facts for pair in compared]))
    skipped = {name: note for name, report in reports.items() if (note := skipped_note(report))}
    said = [f"{name}: {note}" for name, note in skipped.items()]
    if form == "tab":
        return _tab(compared, parts) + "".join(map(remark, [*said, made]))
    if form == "markdown":
        notes = "".join(f"{markdown_code(name)}: {note}\n\n" for name, note in skipped.items())
        return f"{table(compared, reports, parts).markdown()}\n\n{notes}{markdown_code(made)}\n"
    labels, corrected = _labels(reports), _is_corrected(compared)
    head = (*HEAD, "p (Holm)") if corrected else HEAD
    rows = [_rows(pair, parts, labels, corrected=corrected) for pair in compared]
    tables = [_table(pair, head, of_pair) for pair, of_pair in zip(compared, rows, strict=True)]
    return "\n".join([*tables, *(fill(escaped(note), WIDTH) for note in said), made]) + "\n"


def table(compared: Sequence[Compared], reports: Mapping[str, Report], parts: Sequence[str]) -> Table:
    """Return all pairs in one table, differences in percent."""
    labels, corrected = _labels(reports), _is_corrected(compared)
    head = ["first", "second", *HEAD, *(["p (Holm)"] if corrected else [])]
    rows = [
        [pair.one, pair.other, *row]
        for pair in compared
        for row in _rows(pair, parts, labels, corrected=corrected)
    ]
    return Table(head, rows)


def _labels(reports: Mapping[str, Report]) -> dict[str, str]:
    return {row.name: row.label for report in reports.values() for row in report.rows}


def _tab(compared: Sequence[Compared], parts: Sequence[str]) -> str:
    rows = [["sys1", "sys2", "measure", *(f"{sign}-{_HEADS[part]}" for part in parts for sign in "Δp")]]
    for pair in compared:
        for name, found in pair.differences.items():
            cells = [cell for part in parts for cell in _cells(found.get(part))]
            names = map(escaped, (pair.one, pair.other, name))
            rows.append([*names, *(cell.rjust(_WIDTH) for cell in cells)])
    return padded(rows, 3)


def _cells(found: Difference | None) -> tuple[str, str]:
    """Return the cells of a part: empty if the metric has no such part."""
    if found is None:
        return "", ""
    if found.difference is None or found.p is None:
        return UNDEFINED, UNDEFINED
    return f"{found.difference:+.3f}", f"{found.p:.3f}"


def entries(
    compared: Sequence[Compared], reports: Mapping[str, Report], parts: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the differences as JSON objects, one per pair of systems and metric."""
    return [
        {
            "sys1": pair.one,
            "sys2": pair.other,
            "measure": name,
            "stats": {NELEVAL[part]: _plain(found[part]) for part in parts if part in found},
            "skipped": {
                side: plain_skipped(reports[path].skipped.get(name, {}))
                for side, path in (("sys1", pair.one), ("sys2", pair.other))
            },
            "run": pair.facts,
        }
        for pair in compared
        for name, found in pair.differences.items()
    ]


def _plain(found: Difference) -> dict[str, Any]:
    low, high = found.interval or (None, None)
    plain = {"diff": found.difference, "p": found.p, "low": low, "high": high}
    return plain if found.corrected is None else {**plain, "p_holm": found.corrected}


def _table(pair: Compared, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return one pair: the paths of the systems, which can be long, and a table of its differences."""
    return f"first   {escaped(pair.one)}\nsecond  {escaped(pair.other)}\n\n{Table(head, rows).fitted()}\n"


def _is_corrected(compared: Sequence[Compared]) -> bool:
    """Return whether there are corrected p-values."""
    return any(
        found.corrected is not None
        for pair in compared
        for metric in pair.differences.values()
        for found in metric.values()
    )


def _rows(
    pair: Compared, parts: Sequence[str], labels: Mapping[str, str], *, corrected: bool
) -> list[list[str]]:
    return [
        [labels[name], part, *_row(values[part], part, corrected=corrected)]
        for name, values in pair.differences.items()
        for part in parts
        if part in values
    ]


def _row(found: Difference, part: str, *, corrected: bool) -> list[str]:
    """Return the numbers of one row: counts as they are, all else in percent; no p without a difference."""
    scale = 1 if part in COUNTS else 100
    difference = UNDEFINED if found.difference is None else f"{scale * found.difference:+.2f}"
    interval = "[{:+.2f}, {:+.2f}]".format(*(scale * end for end in found.interval)) if found.interval else ""
    p_values = [found.p, found.corrected] if corrected else [found.p]
    return [difference, interval, *("" if p is None else f"{p:.4f}" for p in p_values)]
