"""The renderers of the commands of linking: ``<kind>_<form>``, as `scorch2.model.forms` finds them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from textwrap import TextWrapper, fill
from typing import TYPE_CHECKING, Any

from scorch2.model.errors import escaped, quoted, shown_path
from scorch2.model.score import percent
from scorch2.scoring.layout.escaping import json_text, tsv_cell
from scorch2.scoring.layout.tables import WIDTH, Table, padded, room_note
from scorch2.tasks.linking.evidence import FIELDS
from scorch2.tasks.linking.measures import AGGREGATORS, DEFAULT, GROUPS, HEAD, Measure

if TYPE_CHECKING:
    from scorch2.tasks.linking.evaluation import Finding, MeasureRow, Problem
    from scorch2.tasks.linking.figures import Chart
    from scorch2.tasks.linking.leaderboards import Correlation, Entry, ScoreTable


def linking_tab(rows: "Sequence[MeasureRow]") -> str:
    """Return lines under `HEAD`: whole counts plain, all else with three decimals."""
    cells = []
    for row in rows:
        numbers = (str(value) if isinstance(value, int) else f"{value:.3f}" for value in row.numbers())
        cells.append([*numbers, row.name])
    return _lines([HEAD, *cells])


def linking_json(rows: "Sequence[MeasureRow]") -> str:
    """Return an object from rows to their numbers, with full precision."""
    found = {
        row.name: {field: value for field, value in row._asdict().items() if field != "name"} for row in rows
    }
    return json_text(found, 4, sort_keys=True) + "\n"


def linking_table(rows: "Sequence[MeasureRow]", width: int | None = None) -> str:
    """Return an aligned table: scores in percent, counts as fractions."""
    cells = []
    for row in rows:
        scores = map(percent, (row.recall, row.precision, row.fscore))
        fractions = f"{row.rtp:.7g} / {row.rtp + row.fn:.7g}", f"{row.ptp:.7g} / {row.ptp + row.fp:.7g}"
        cells.append((escaped(row.name), *scores, *fractions))
    counts = ("recall counts", "precision counts")
    whole = Table(("measure", "recall", "precision", "F1", *counts), cells)
    if width is None or whole.width() <= width:
        return f"{whole.fitted(width or WIDTH)}\n"
    lean = whole.without(counts)
    return f"{lean.fitted(width)}\n\n{fill(room_note(whole, lean, 'tab'), width)}\n"


_NAMES, _SHORT_NAMES = 31, 15  # where the text about a measure begins, and that about a group or a field


def measures_table(measures: Sequence[Measure], width: int = WIDTH) -> str:
    """Return the measures as a table, then all that custom measures can be made of."""

    def entry(name: str, what: str, column: int = _SHORT_NAMES) -> str:
        first, others = f"  {name}".ljust(column), " " * column
        wrapper = TextWrapper(min(width, WIDTH), first, others, break_on_hyphens=False)
        return wrapper.fill(what)

    rows = [
        (measure.name, measure.aggregator, measure.field or "None", "+".join(measure.key))
        for measure in measures
    ]
    elsewhere = [entry(measure.name, measure.equals, _NAMES) for measure in measures if measure.equals]
    return "\n".join(
        [
            Table(("Name", "Aggregate", "Filter", "Key Fields"), rows).fitted(width),
            "",
            *(["In other tools:", *elsewhere, ""] if elsewhere else []),
            f"Groups (default {DEFAULT}):",
            *(entry(group, ", ".join(names)) for group, names in GROUPS.items()),
            "",
            "Custom measures are aggregator:filter:key, sets:None:span+kbid for example.",
            "Aggregators:",
            entry("", ", ".join(AGGREGATORS), 2),
            "Fields, for filters, keys and groups, and the members of JSON types:",
            *(entry(name, field.what) for name, field in FIELDS.items()),
            "",
        ]
    )


def measures_json(measures: Sequence[Measure]) -> str:
    """Return the same as an object."""
    rows = [
        {
            "name": measure.name,
            "aggregator": measure.aggregator,
            "filter": measure.field or None,
            "key": list(measure.key),
            "groups": list(measure.groups),
            "aliases": list(measure.aliases),
            "elsewhere": measure.equals or None,
        }
        for measure in measures
    ]
    fields = {name: {"what": field.what, "in_keys": field.comparable} for name, field in FIELDS.items()}
    value = {"measures": rows, "groups": GROUPS, "default": DEFAULT, "aggregators": [*AGGREGATORS]}
    return json_text({**value, "fields": fields}, 1) + "\n"


def findings_tab(findings: "Iterable[Finding]") -> str:
    """Return one line per finding: label, document, gold, system (as in neleval), start and last unit."""
    rows = []
    for one in findings:
        ids = ["" if one.gold is None else f"g{one.gold}", "" if one.system is None else f"s{one.system}"]
        rows.append([one.label, tsv_cell(one.document), *ids, str(one.start), str(one.end - 1)])
    return _lines(rows)


def findings_json(findings: "Iterable[Finding]") -> str:
    """Return a list of objects, ends inclusive."""
    return json_text([{**one._asdict(), "end": one.end - 1} for one in findings], 1) + "\n"


def counts_tab(counts: Iterable[tuple[str, int]]) -> str:
    """Return one line per label: its count and the label."""
    return "".join(f"{number}\t{label}\n" for label, number in counts)


def counts_json(counts: Iterable[tuple[str, int]]) -> str:
    """Return an object from labels to counts."""
    return json_text(dict(counts), 1) + "\n"


_JSON_PART = 1000
"""Objects that are written at once: each call leaves cycles to the garbage collector, if it runs."""


def problems_text(problems: "Iterable[Problem]") -> Iterator[str]:
    """Yield one line per pair: file, lines, level, kind, and both spans, ends inclusive."""
    for one in problems:
        lines = sorted((one.first.line, one.second.line))
        place = f"lines {lines[0]} and {lines[1]}" if lines[0] else "mentions"
        where = f"{shown_path(one.path)}: {place}: {one.level}: {one.kind} in {quoted(one.document)}"
        spans = " and ".join(f"{mention.start}-{mention.end - 1}" for mention in (one.first, one.second))
        more = f" ({one.more} more like the first)" if one.more else ""
        yield f"{where}: {spans}{more}\n"


def problems_json(problems: "Iterable[Problem]") -> Iterator[str]:
    """Yield the parts of a list of objects, ends inclusive; a line is null if the format has none."""
    left = map(_object, problems)
    before = "[\n"
    while part := list(islice(left, _JSON_PART)):
        yield before + json_text(part, 1).removeprefix("[\n").removesuffix("\n]")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _object(problem: "Problem") -> dict[str, Any]:
    spans = {
        name: {"line": one.line or None, "start": one.start, "end": one.end - 1}
        for name, one in (("first", problem.first), ("second", problem.second))
    }
    facts = {name: getattr(problem, name) for name in ("kind", "level", "path", "document")}
    return {**facts, **spans, **({"more": problem.more} if problem.more else {})}


_RANKED = ("measure", "metric", "rank", "group rank", "score", "group", "system")
_AGREEMENT = ("measure1", "measure2", "pearson-r", "spearman-r", "kendall-tau", "median-diff", "iqr-ratio")


def score_table(table: "ScoreTable") -> str:
    """Return the text of `evaluate`, the measure last."""
    rows = [HEAD, *([*cells, measure] for measure, cells in table.rows.items())]
    return _lines(rows)


def leaderboard(entries: "Sequence[Entry]", *, grouped: bool) -> str:
    """Return neleval's columns, with those of groups where there are some."""
    fields = [name for name in _RANKED if grouped or "group" not in name]
    rows = [[str(getattr(entry, name.replace(" ", "_"))) for name in fields] for entry in entries]
    return _lines([fields, *rows])


def agreements_tab(agreements: "Sequence[Correlation]") -> str:
    """Return neleval's columns, three decimals."""
    rows = [[one.one, one.other, *(f"{value:.3f}" for value in one.numbers())] for one in agreements]
    return padded([_AGREEMENT, *rows], len(_AGREEMENT))


def agreements_json(agreements: "Sequence[Correlation]") -> str:
    """Return a list of objects, full precision, null where nothing can be said."""
    names = [name.replace("-", "_") for name in _AGREEMENT]
    rows = [
        [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row] for row in agreements
    ]
    return json_text([dict(zip(names, row, strict=True)) for row in rows], 4, sort_keys=True) + "\n"


def figure_values(figures: "Sequence[Chart]") -> str:
    """Return what is behind plots: one line per point, full precision."""
    rows = [("figure", "series", "label", "value", "low", "high")]
    for figure in figures:
        for series in figure.series:
            for label, value, interval in series.points:
                ends = ("", "") if interval is None else (repr(interval[0]), repr(interval[1]))
                rows.append((figure.name, series.name, label, repr(value), *ends))
    return _lines(rows)


def _lines(rows: Iterable[Sequence[str]]) -> str:
    """Return tab-separated lines; a control character in a name is shown as an escape."""
    return "".join("\t".join(map(escaped, row)) + "\n" for row in rows)
