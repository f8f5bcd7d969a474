"""Forms of intervals and differences: in neleval's columns, as JSON, and as tables for reading."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from scorch2.model.errors import counted, escaped
from scorch2.model.escaping import json_text, markdown_code
from scorch2.model.results import Difference, Interval
from scorch2.model.score import COUNTS, UNDEFINED_SHOWN, Value
from scorch2.model.tables import WIDTH, Table, padded
from scorch2.resampling.bootstrap import (
    ConfidenceReport,
    Facts,
    facts_comment,
    facts_line,
    merged_facts,
    remark,
    run_facts,
)
from scorch2.resampling.permutation import ComparedPair, SignificanceReport
from scorch2.scoring.report import Report

NELEVAL = {"precision": "precision", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
"""neleval's names for the parts of a score, in its order."""


def intervals_tab(found: ConfidenceReport) -> str:
    """Return neleval's columns, the widest interval outside, three decimals; then how they were found."""
    low = [f"{confidence.level:g}%(" for confidence in reversed(found.levels)]
    high = [f"){confidence.level:g}%" for confidence in found.levels]
    rows = [["measure", "metric", *low, "score", *high]]
    for name, part, value in _shown_scores(found):
        ends = [confidence.intervals[name][part] for confidence in found.levels]
        lows, highs = ([None if end is None else end[side] for end in ends] for side in (0, 1))
        numbers = [*reversed(lows), float(value) if value.defined else None, *highs]
        cells = (UNDEFINED_SHOWN if number is None else f"{number:.3f}" for number in numbers)
        rows.append([escaped(name), NELEVAL[part], *cells])
    return padded(rows, 2) + remark(found.report.skipped_note()) + facts_comment(_made_by(found))


def intervals_json(found: ConfidenceReport) -> str:
    """Return a list of objects, one per metric."""
    return json_text(_interval_entries(found), 4, sort_keys=True) + "\n"


def intervals_table(found: ConfidenceReport) -> str:
    """Return an aligned table in percent, and how the intervals were found."""
    caption, made = fill(_intervals_caption(found), WIDTH), facts_line(_made_by(found))
    return f"{_intervals(found).fitted()}\n\n{caption}\n{made}\n"


def intervals_markdown(found: ConfidenceReport) -> str:
    """Return the table for a pull request, and how the intervals were found."""
    made = markdown_code(facts_line(_made_by(found)))
    return f"{_intervals(found).markdown()}\n\n{_intervals_caption(found)}\n{made}\n"


def intervals_html(found: ConfidenceReport) -> str:
    """Return the table for a notebook."""
    return _intervals(found).html()


def intervals_as_dict(found: ConfidenceReport) -> dict[str, Any]:
    """Return plain values: under ``measures`` what ``scorch2 confidence -f json`` writes."""
    return {"measures": _interval_entries(found)}


def intervals_as_records(found: ConfidenceReport) -> list[dict[str, Any]]:
    """Return a flat dict for every metric, part and level, for data frames; what is undefined is None."""
    return [
        {
            "metric": name,
            "part": part,
            "score": float(value) if value.defined else None,
            "level": one.level,
            "low": ends and ends[0],
            "high": ends and ends[1],
        }
        for name, part, value in _shown_scores(found)
        for one in found.levels
        for ends in [one.intervals[name][part]]
    ]


def _intervals_caption(found: ConfidenceReport) -> str:
    first = found.levels[0]
    drawn = f"{first.trials} draws of {counted(len(found.report.documents), 'document')}"
    return f"Percent. Intervals over {drawn}, seed {first.seed}. {found.report.skipped_note()}".rstrip()


def _made_by(found: ConfidenceReport) -> Facts:
    """Return how intervals were found."""
    return run_facts(found.report, trials=found.levels[0].trials, seed=found.levels[0].seed)


def _shown_scores(found: ConfidenceReport) -> list[tuple[str, str, Value]]:
    """Return metric, part and score of all that is shown."""
    return [
        (row.name, part, getattr(found.report.scores[row.name], part))
        for row in found.report.rows
        for part in found.parts
        if part in row.gives._fields
    ]


def _intervals(found: ConfidenceReport) -> Table:
    """Return scores and intervals in percent, one row per part of a score."""
    labels = {row.name: row.label for row in found.report.rows}
    head = ("metric", "", "score", *(f"{confidence.level:g} %" for confidence in found.levels))
    rows = [
        (
            labels[name],
            part,
            _shown(part, value) if value.defined else f"{_shown(part, value)} {UNDEFINED_SHOWN}",
            *(_between(part, one.intervals[name][part]) for one in found.levels),
        )
        for name, part, value in _shown_scores(found)
    ]
    return Table(head, rows)


def _interval_entries(found: ConfidenceReport) -> list[dict[str, Any]]:
    """Return scores and intervals as JSON objects, one per metric."""
    made, entries = _made_by(found), dict[str, dict[str, Any]]()
    for name, part, value in _shown_scores(found):
        skipped = _plain_skipped(found.report.skipped.get(name, {}))
        entry = entries.setdefault(name, {"overall": {}, "intervals": {}, "skipped": skipped})
        entry["overall"][NELEVAL[part]] = float(value) if value.defined else None
        ends = {f"{one.level:g}": one.intervals[name][part] for one in found.levels}
        entry["intervals"][NELEVAL[part]] = {level: pair and list(pair) for level, pair in ends.items()}
    return [{"measure": name, **entry, "run": made} for name, entry in entries.items()]


def _plain_skipped(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return how many documents are 0/0 by neleval's names for parts; for a mean by the metrics it is of."""
    return {NELEVAL.get(part, part): number for part, number in numbers.items()}


def _between(part: str, bounds: Interval) -> str:
    return "" if bounds is None else f"[{_shown(part, bounds[0])}, {_shown(part, bounds[1])}]"


def _shown(part: str, value: float) -> str:
    """Return a count as it is, all else in percent."""
    return f"{value if part in COUNTS else 100 * value:.2f}"


_HEADS = {"precision": "precis", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
_WIDTH = len("p-precis")
_COLUMNS = ("metric", "", "difference", "interval", "p")


def differences_tab(found: SignificanceReport) -> str:
    """Return neleval's columns, three decimals; then how the p-values were made."""
    head = ["sys1", "sys2", "measure"]
    rows = [[*head, *(f"{sign}-{_HEADS[part]}" for part in found.parts for sign in "Δp")]]
    for pair in found.pairs:
        for name, differences in pair.differences.items():
            cells = [cell for part in found.parts for cell in _cells(differences.get(part))]
            names = map(escaped, (pair.one, pair.other, name))
            rows.append([*names, *(cell.rjust(_WIDTH) for cell in cells)])
    said = [f"{name}: {note}" for name, note in _skipped_notes(found).items()]
    return padded(rows, 3) + "".join(map(remark, [*said, _how_tested(found)]))


def differences_json(found: SignificanceReport) -> str:
    """Return a list of objects, one per pair of systems and metric."""
    return json_text(_difference_entries(found), 4, sort_keys=True) + "\n"


def differences_table(found: SignificanceReport) -> str:
    """Return a table of each pair, differences in percent, and how the p-values were made."""
    labels, corrected = _labels(found.reports), _is_corrected(found.pairs)
    head = (*_COLUMNS, "p (Holm)") if corrected else _COLUMNS
    tables = [
        _pair_table(pair, head, _pair_rows(pair, found.parts, labels, corrected=corrected))
        for pair in found.pairs
    ]
    notes = [fill(escaped(f"{name}: {note}"), WIDTH) for name, note in _skipped_notes(found).items()]
    return "\n".join([*tables, *notes, _how_tested(found)]) + "\n"


def differences_markdown(found: SignificanceReport) -> str:
    """Return one table of all pairs for a pull request."""
    notes = "".join(f"{markdown_code(name)}: {note}\n\n" for name, note in _skipped_notes(found).items())
    return f"{_differences(found).markdown()}\n\n{notes}{markdown_code(_how_tested(found))}\n"


def differences_html(found: SignificanceReport) -> str:
    """Return one table of all pairs for a notebook."""
    return _differences(found).html()


def differences_as_dict(found: SignificanceReport) -> dict[str, Any]:
    """Return plain values: under ``pairs`` what ``scorch2 significance -f json`` writes."""
    return {"pairs": _difference_entries(found)}


def differences_as_records(found: SignificanceReport) -> list[dict[str, Any]]:
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
            "difference": differences[part].difference,
            "low": ends and ends[0],
            "high": ends and ends[1],
            "p": differences[part].p,
            "p_holm": differences[part].corrected,
        }
        for pair in found.pairs
        for name, differences in pair.differences.items()
        for part in found.parts
        if part in differences
        for ends in [differences[part].interval]
    ]


def _how_tested(found: SignificanceReport) -> str:
    return facts_line(merged_facts([pair.facts for pair in found.pairs]))


def _skipped_notes(found: SignificanceReport) -> dict[str, str]:
    """Return the note on scores that are 0/0 of each system that has some."""
    return {name: note for name, report in found.reports.items() if (note := report.skipped_note())}


def _differences(found: SignificanceReport) -> Table:
    """Return all pairs in one table, differences in percent."""
    labels, corrected = _labels(found.reports), _is_corrected(found.pairs)
    head = ["first", "second", *_COLUMNS, *(["p (Holm)"] if corrected else [])]
    rows = [
        [pair.one, pair.other, *row]
        for pair in found.pairs
        for row in _pair_rows(pair, found.parts, labels, corrected=corrected)
    ]
    return Table(head, rows)


def _labels(reports: Mapping[str, Report]) -> dict[str, str]:
    return {row.name: row.label for report in reports.values() for row in report.rows}


def _cells(found: Difference | None) -> tuple[str, str]:
    """Return the cells of a part: empty if the metric has no such part."""
    if found is None:
        return "", ""
    if found.difference is None or found.p is None:
        return UNDEFINED_SHOWN, UNDEFINED_SHOWN
    return f"{found.difference:+.3f}", f"{found.p:.3f}"


def _difference_entries(found: SignificanceReport) -> list[dict[str, Any]]:
    """Return the differences as JSON objects, one per pair of systems and metric."""
    return [
        {
            "sys1": pair.one,
            "sys2": pair.other,
            "measure": name,
            "stats": {
                NELEVAL[part]: _plain_difference(differences[part])
                for part in found.parts
                if part in differences
            },
            "skipped": {
                side: _plain_skipped(found.reports[path].skipped.get(name, {}))
                for side, path in (("sys1", pair.one), ("sys2", pair.other))
            },
            "run": pair.facts,
        }
        for pair in found.pairs
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
        found.corrected is not None
        for pair in compared
        for metric in pair.differences.values()
        for found in metric.values()
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
