"""Forms of intervals and differences: in neleval's columns, as JSON, and as tables for reading."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from scorch2.analysis import bootstrap
from scorch2.analysis.paired_tests import SignificanceReport, TestedPair
from scorch2.model.errors import counted, escaped
from scorch2.model.results import COUNTS, Difference
from scorch2.model.score import UNDEFINED_SHOWN, Value, percent, plain_value
from scorch2.scoring.layout.escaping import json_text, markdown_code
from scorch2.scoring.layout.sheets import Content, Sheet, verbatim
from scorch2.scoring.layout.tables import WIDTH, Table, between, padded

NELEVAL = {"precision": "precision", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
"""neleval's names for the parts of a score, in its order."""


def confidence_tab(sampled: bootstrap.ConfidenceReport) -> str:
    """Return neleval's columns, the widest interval outside, three decimals; then how they were found."""
    low = [f"{confidence.level:g}%(" for confidence in reversed(sampled.levels)]
    high = [f"){confidence.level:g}%" for confidence in sampled.levels]
    rows = [["measure", "metric", *low, "score", *high]]
    for name, part, value in _shown_scores(sampled):
        ends = [confidence.intervals[name][part] for confidence in sampled.levels]
        lows, highs = ([None if end is None else end[side] for end in ends] for side in (0, 1))
        numbers = [*reversed(lows), plain_value(value), *highs]
        cells = (UNDEFINED_SHOWN if number is None else f"{number:.3f}" for number in numbers)
        rows.append([escaped(name), NELEVAL[part], *cells])
    said = [sampled.report.skipped_note(), bootstrap.facts_line(_made_by(sampled))]
    return padded(rows, 2) + "".join(map(bootstrap.remark, said))


def entries_json(value: bootstrap.ConfidenceReport | SignificanceReport) -> str:
    """Return a list of objects, one per metric, or per pair of systems and metric."""
    (entries,) = value.to_dict().values()
    return json_text(entries, 4, sort_keys=True) + "\n"


def confidence_table(sampled: bootstrap.ConfidenceReport, width: int = WIDTH) -> str:
    """Return an aligned table in percent, and how the intervals were found."""
    made = bootstrap.facts_line(_made_by(sampled))
    return Sheet([interval_table(sampled), _intervals_caption(sampled)], made).text(width)


def confidence_markdown(sampled: bootstrap.ConfidenceReport) -> str:
    """Return the table for a pull request, and how the intervals were found."""
    made = markdown_code(bootstrap.facts_line(_made_by(sampled)))
    return Sheet([interval_table(sampled), f"{_intervals_caption(sampled)}\n{made}"]).markdown()


def to_dict_of_confidence(sampled: bootstrap.ConfidenceReport) -> dict[str, Any]:
    """Return plain values: under ``measures`` what ``scorch2 confidence -f json`` writes."""
    made, entries = _made_by(sampled), dict[str, dict[str, Any]]()
    for name, part, value in _shown_scores(sampled):
        skipped = _plain_skipped(sampled.report.skipped.get(name, {}))
        entry = entries.setdefault(name, {"overall": {}, "intervals": {}, "skipped": skipped})
        entry["overall"][NELEVAL[part]] = plain_value(value)
        ends = {f"{confidence.level:g}": confidence.intervals[name][part] for confidence in sampled.levels}
        entry["intervals"][NELEVAL[part]] = {level: pair and list(pair) for level, pair in ends.items()}
    return {"measures": [{"measure": name, **entry, "run": made} for name, entry in entries.items()]}


def to_records_of_confidence(sampled: bootstrap.ConfidenceReport) -> list[dict[str, Any]]:
    """Return a flat dict for every metric, part and level, for data frames; what is undefined is None."""
    records = []
    for name, part, value in _shown_scores(sampled):
        score = {"metric": name, "part": part, "score": plain_value(value)}
        for confidence in sampled.levels:
            low, high = confidence.intervals[name][part] or (None, None)
            records.append({**score, "level": confidence.level, "low": low, "high": high})
    return records


def _intervals_caption(sampled: bootstrap.ConfidenceReport) -> str:
    first = sampled.levels[0]
    number = sum(len(document.windows) if first.window else 1 for document in sampled.report.documents)
    units = f"{number} {first.units}" if first.window else counted(number, "document")
    drawn = f"{first.trials} bootstrap resamples of {units}"
    return f"Percent. Intervals over {drawn}, seed {first.seed}. {sampled.report.skipped_note()}".rstrip()


def _made_by(sampled: bootstrap.ConfidenceReport) -> bootstrap.Facts:
    return bootstrap.run_facts(sampled.report, trials=sampled.levels[0].trials, seed=sampled.levels[0].seed)


def _shown_scores(sampled: bootstrap.ConfidenceReport) -> list[tuple[str, str, Value]]:
    return [
        (row.name, part, getattr(sampled.report.scores[row.name], part))
        for row in sampled.report.rows
        for part in sampled.parts
        if part in row.gives._fields
    ]


def interval_table(sampled: bootstrap.ConfidenceReport) -> Table:
    """Return scores and intervals in percent, one row per part of a score."""
    labels = {row.name: row.label for row in sampled.report.rows}
    head = ("metric", "", "score", *(f"{confidence.level:g} %" for confidence in sampled.levels))
    rows = []
    for name, part, value in _shown_scores(sampled):
        score = _shown(part, value) if value.defined else f"{_shown(part, value)} {UNDEFINED_SHOWN}"
        ends = [between(one.intervals[name][part], partial(_shown, part))[1:] for one in sampled.levels]
        rows.append((labels[name], part, score, *ends))
    return Table(head, rows)


def _plain_skipped(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return how many documents are 0/0 by neleval's names for parts; for a mean by the metrics it is of."""
    return {NELEVAL.get(part, part): number for part, number in numbers.items()}


def _shown(part: str, value: float) -> str:
    return f"{value:.2f}" if part in COUNTS else percent(value)


_HEADS = {**NELEVAL, "precision": "precis"}
_WIDTH = len("p-precis")
_COLUMNS = ("metric", "", "difference", "interval", "p")


def significance_tab(tested: SignificanceReport) -> str:
    """Return neleval's columns, three decimals; then how the p-values were made."""
    head = ["sys1", "sys2", "measure"]
    rows = [[*head, *(f"{sign}-{_HEADS[part]}" for part in tested.parts for sign in "Δp")]]
    for pair in tested.pairs:
        for name, differences in pair.differences.items():
            cells = [cell for part in tested.parts for cell in _cells(differences.get(part))]
            names = map(escaped, (pair.one, pair.other, name))
            rows.append([*names, *(cell.rjust(_WIDTH) for cell in cells)])
    said = [f"{name}: {note}" for name, note in _skipped_notes(tested).items()]
    return padded(rows, 3) + "".join(map(bootstrap.remark, [*said, _how_tested(tested)]))


def significance_table(tested: SignificanceReport, width: int = WIDTH) -> str:
    """Return a table of each pair, differences in percent, and how the p-values were made."""
    parts: list[Content] = []
    for pair in tested.pairs:
        names = f"first   {escaped(pair.one)}\nsecond  {escaped(pair.other)}"
        parts += [verbatim(names), Table(_columns(tested), _rows(pair, tested))]  # paths can be long
    notes = "\n".join(f"{name}: {note}" for name, note in _skipped_notes(tested).items())
    made = _how_tested(tested)
    return Sheet([*parts, notes or verbatim(made)], made if notes else "").text(width)


def significance_markdown(tested: SignificanceReport) -> str:
    """Return one table of all pairs for a pull request."""
    notes = [f"{markdown_code(name)}: {note}" for name, note in _skipped_notes(tested).items()]
    return Sheet([difference_table(tested), *notes], _how_tested(tested)).markdown()


def to_dict_of_significance(tested: SignificanceReport) -> dict[str, Any]:
    """Return plain values: under ``pairs`` what ``scorch2 significance -f json`` writes."""
    entries = [
        {
            "sys1": pair.one,
            "sys2": pair.other,
            "measure": name,
            "stats": {
                NELEVAL[part]: _plain_difference(differences[part])
                for part in tested.parts
                if part in differences
            },
            "skipped": {
                side: _plain_skipped(tested.reports[path].skipped.get(name, {}))
                for side, path in (("sys1", pair.one), ("sys2", pair.other))
            },
            "run": pair.facts,
        }
        for pair in tested.pairs
        for name, differences in pair.differences.items()
    ]
    return {"pairs": entries}


def to_records_of_significance(tested: SignificanceReport) -> list[dict[str, Any]]:
    """Return a flat dict for every pair of systems, metric and part, for data frames."""
    # Differences are in -1..1, the first system less the second; ``low`` and ``high`` are the ends of their
    # 95 % interval; ``p_holm`` is None unless it was asked for.
    records = []
    for pair in tested.pairs:
        for name, part, found in _differences(pair, tested):
            low, high = found.interval or (None, None)
            what: dict[str, Any] = {"first": pair.one, "second": pair.other, "metric": name, "part": part}
            ends = {"difference": found.difference, "low": low, "high": high}
            records.append({**what, **ends, "p": found.p, "p_holm": found.corrected})
    return records


def _differences(pair: TestedPair, tested: SignificanceReport) -> list[tuple[str, str, Difference]]:
    """Return the differences of a pair with their metrics and parts."""
    every = pair.differences.items()
    return [(name, part, parts[part]) for name, parts in every for part in tested.parts if part in parts]


def _how_tested(tested: SignificanceReport) -> str:
    return bootstrap.facts_line(bootstrap.merged_facts([pair.facts for pair in tested.pairs]))


def _skipped_notes(tested: SignificanceReport) -> dict[str, str]:
    return {name: note for name, report in tested.reports.items() if (note := report.skipped_note())}


def difference_table(tested: SignificanceReport) -> Table:
    """Return one row per pair of systems and part of a score."""
    rows = [[pair.one, pair.other, *row] for pair in tested.pairs for row in _rows(pair, tested)]
    return Table(["first", "second", *_columns(tested)], rows)


def _columns(tested: SignificanceReport) -> Sequence[str]:
    return (*_COLUMNS, "p (Holm)") if _is_corrected(tested) else _COLUMNS


def _is_corrected(tested: SignificanceReport) -> bool:
    metrics = [parts for pair in tested.pairs for parts in pair.differences.values()]
    return any(difference.corrected is not None for parts in metrics for difference in parts.values())


def _rows(pair: TestedPair, tested: SignificanceReport) -> list[list[str]]:
    labels = {row.name: row.label for report in tested.reports.values() for row in report.rows}
    rows, is_corrected = [], _is_corrected(tested)
    for name, part, found in _differences(pair, tested):  # counts as they are, all else in percent
        scale = 1 if part in COUNTS else 100
        shown = UNDEFINED_SHOWN if found.difference is None else f"{scale * found.difference:+.2f}"
        ends = [scale * end for end in found.interval or ()]
        interval = "[{:+.2f}, {:+.2f}]".format(*ends) if ends else ""
        p_values = [found.p, found.corrected] if is_corrected else [found.p]
        cells = ("" if p is None else f"{p:.4f}" for p in p_values)
        rows.append([labels[name], part, shown, interval, *cells])
    return rows


def _cells(difference: Difference | None) -> tuple[str, str]:
    """Return the cells of a part: empty if the metric has no such part."""
    if difference is None:
        return "", ""
    if difference.difference is None or difference.p is None:
        return UNDEFINED_SHOWN, UNDEFINED_SHOWN
    return f"{difference.difference:+.3f}", f"{difference.p:.3f}"


def _plain_difference(difference: Difference) -> dict[str, Any]:
    low, high = difference.interval or (None, None)
    plain = {"diff": difference.difference, "p": difference.p, "low": low, "high": high}
    return plain if difference.corrected is None else {**plain, "p_holm": difference.corrected}
