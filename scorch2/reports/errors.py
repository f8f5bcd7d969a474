"""Forms of the analysis: the tables of errors, of classes, windows and a second system, and the listing."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from scorch2.analysis.error_report import ErrorReport, ListedRow
from scorch2.analysis.kinds import ALL, KINDS, Count, Gains, counts_of
from scorch2.analysis.links import LinkChanges
from scorch2.analysis.listing import COLUMNS, spelled_out
from scorch2.model.errors import counted, escaped, without_middle
from scorch2.model.escaping import markdown_code
from scorch2.model.score import Value, main_part
from scorch2.model.tables import WIDTH, Table, room_note
from scorch2.reports.json import plain_ends, plain_scores, to_dict_of_scores
from scorch2.reports.rows import (
    CLASS_COUNTS,
    CLASSES,
    breakdown_tables,
    exact,
    full_breakdown_tables,
    interval_caption,
    percent,
)

_HEAD = ("error", "errors", "mentions", "lost R", "lost P")
_SHORT_COLUMNS = ("errors", "mentions", "lost_recall", "lost_precision")


def tables(report: ErrorReport) -> list[Table]:
    """Return the table of errors, and then those of all that was asked for besides."""
    found = [_error_table(report), *breakdown_tables(report.report.breakdown)]
    if report.windows:
        found.append(windows_table(report))
    return found if report.compared is None else [*found, compared_table(report.compared)]


_COMPARED = ("R fixed", "R introduced", "P fixed", "P introduced")


def compared_table(changes: LinkChanges, *, full: bool = False) -> Table:
    """Return the links that a second system fixes and newly loses, by what they are lost to."""
    # With `full` the kinds and columns have the names of the JSON report
    columns = (changes.recall(fixed=True), changes.recall(fixed=False), changes.fixed, changes.introduced)
    rows = [
        [kind if full else label, *(str(column[kind]) if kind in column else "" for column in columns)]
        for kind, label in KINDS.items()
    ]
    rows.append(["*" if full else "all", *(str(sum(column.values())) for column in columns)])
    names = [name.lower().replace(" ", "_") for name in _COMPARED] if full else _COMPARED
    return Table(("lost_to" if full else "link lost to", *names), rows)


def compared_caption(found: LinkChanges) -> str:
    """Return in words what the table of two systems leaves out."""
    return (
        f"Links of gold that both find: {found.both}, neither: {found.neither}. "
        f"Wrong links that both make: {found.shared}."
    )


def windows_table(report: ErrorReport) -> Table:
    """Return F1 in percent by the length of windows, and of whole documents."""
    labels = [report.report.short_label(name) for name in report.report.scores]
    return _windows(report, labels, "whole", percent)


def _windows(report: ErrorReport, labels: Sequence[str], total: str, shown: Callable[[Value], str]) -> Table:
    names = list(report.report.scores)
    whole = (total, len(report.report.documents), report.report.scores)
    rows = [
        [str(length), str(documents), *(shown(main_part(scores[name])) for name in names)]
        for length, documents, scores in [*report.windows, whole]
    ]
    return Table(("window", "documents", *labels), rows)


def _error_table(report: ErrorReport) -> Table:
    """Return the errors by kind, with the links that they lose and the F1 that correcting them gains."""
    labels = [report.report.short_label(name) for name in report.gains]
    head = [*_HEAD, *(f"{label} {how}" for how in ("alone", "in order") for label in labels)]
    gained = report.gained()
    rows = [
        [
            label,
            *(_shown(_counts(report, kind)[column]) for column in _SHORT_COLUMNS),
            *_gains(report, gained, "alone", kind),
            *_gains(report, gained, "in_order", kind),
        ]
        for kind, label in KINDS.items()
    ]
    total = [str(_total(report)[column]) for column in _SHORT_COLUMNS]
    rows.append(["all", *total, *("" for _ in report.gains), *_gains(report, gained, "in_order", ALL)])
    return Table(head, rows)


def _counts(report: ErrorReport, kind: str) -> dict[str, int | None]:
    return counts_of(kind, report.errors[kind])


def _total(report: ErrorReport) -> dict[str, int]:
    """Return the counts of all kinds; what is moved counts twice, as divided and as conflated."""
    columns = zip(*(_counts(report, kind).items() for kind in KINDS), strict=True)
    total = {column[0][0]: sum(number or 0 for _, number in column) for column in columns}
    return {**total, "moved": report.errors["divided"].moved}


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _gains(report: ErrorReport, gained: Gains, how: str, kind: str) -> list[str]:
    """Return the gains of the metrics that are shown, in percent, with their intervals; none for 0/0."""
    cells = []
    for name in report.gains:
        gain = getattr(gained, how)[kind][name]
        intervals = report.gain_intervals
        ends = None if intervals is None else getattr(intervals, how)[kind][name]
        interval = "" if ends is None else f" [{_signed(ends[0])}, {_signed(ends[1])}]"
        cells.append("" if gain is None else f"{_signed(gain)}{interval}")
    return cells


def _signed(gain: float) -> str:
    return f"{round(100 * gain, 2) + 0.0:+.2f}"  # no minus before a zero


def caption(report: ErrorReport) -> str:
    """Return in words what the numbers of the table of errors are."""
    recall, precision = sum(report.recall_links.values()), sum(report.precision_links.values())
    singletons = ", ".join(
        counted(report.errors[kind].singletons, KINDS[kind]).replace("entitys", "entities")
        for kind in ("extra_entity", "missing_entity")
    )
    return (
        f"Lost: links of MUC, of {recall} (R) and {precision} (P). Percentage points of "
        "F1 gained if the errors of a kind are corrected: alone, and in order, after the kinds above. Parts "
        f"that are both conflated and divided: {report.errors['divided'].moved}. Singletons: {singletons}."
        + interval_caption(report.report)
        + (f" {CLASSES}" if report.report.breakdown else "")
    )


def listing_table(report: ErrorReport) -> Table:
    """Return the rows that were asked for one by one."""
    columns = COLUMNS[report.request.listing]
    return Table(columns, [[_cell(row, column) for column in columns] for row in report.rows])


def _cell(row: Any, column: str) -> str:
    value = row.get("kind" if column == "error" else column)
    if value is None:
        return ""
    if isinstance(value, list) and column == "mentions":
        return " ".join(map(spelled_out, value))
    return spelled_out(value)


_WIDE = 110  # wider tables are continued below: so many characters hold two gains, or four scores of a class
_KEPT = ("error", "links", "side", "status")
"""The columns of listings that are not shortened: their words are few."""
_TEXTS = ("text", "link_to_text")  # columns that stand below the row of an error, where they have room
_INDENT = "    "
_LEFT_OUT = (("mentions", *CLASS_COUNTS), ("lost R", "lost P"))
"""The columns that a narrow terminal does not show, the first group first."""


def errors_table(report: ErrorReport, width: int | None = None) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    # Without a `width` lines are `WIDTH` long, and those of small tables up to `_WIDE`
    room = WIDTH if width is None else width
    whole = tables(report)
    lean = whole if width is None else [table.lean(_LEFT_OUT, width) for table in whole]
    left_out = dict.fromkeys(room_note(*of, "tsv") for of in zip(whole, lean, strict=True))
    first, *others = lean
    shown = [_listing(report, room)] if report.request.listing else []
    errors = _fit(first, width) if report.gain_intervals is None else first.fitted(room)
    said = [caption(report), *filter(None, left_out)]
    captions = "\n".join(fill(words, min(room, WIDTH)) for words in said)
    parts = [*shown, errors, captions, *(_fit(table, width) for table in others)]
    if report.compared is not None:
        parts.append(fill(compared_caption(report.compared), min(room, WIDTH)))
    if report.report.options.signature:
        parts.append(escaped(report.signature()))
    return "\n\n".join(parts) + "\n"


def _fit(table: Table, width: int | None) -> str:
    return str(table) if table.is_fit(width or _WIDE) else table.fitted(width or WIDTH)


def _listing(report: ErrorReport, width: int) -> str:
    """Return the rows that were asked for; the texts of an error stand in a line below it."""
    table = listing_table(report)
    if report.request.listing != "errors":
        return table.shortened(_KEPT, width)
    names = len(table.head) - len(_TEXTS)
    short = Table(table.head[:names], [row[:names] for row in table.rows]).shortened(_KEPT, width)
    head, rule, *lines = short.split("\n")
    texts = (_texts(row, width) for row in report.rows)
    return "\n".join([head, rule, *map("".join, zip(lines, texts, strict=True))])


def _texts(row: ListedRow, width: int) -> str:
    """Return the texts of an error as a line below it: of its mention, and of the one beside it."""
    beside = f" ↔ {row['instead_text']}" if row.get("instead_text") else ""
    beside = f" ← {row['link_to_text']}" if row.get("link_to_text") else beside
    text = escaped(f"{row.get('text') or ''}{beside}")
    return f"\n{_INDENT}{without_middle(text, width - len(_INDENT))}" if text else ""


def errors_markdown(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    first, *others = map(Table.markdown, tables(report))
    shown = [listing_table(report).markdown()] if report.request.listing else []
    parts = [*shown, first, caption(report), *others]
    if report.compared is not None:
        parts.append(compared_caption(report.compared))
    if report.report.options.signature:
        parts.append(markdown_code(report.signature()))
    return "\n\n".join(parts) + "\n"


def repr_html_of_errors(report: ErrorReport) -> str:
    """Return all tables for a notebook."""
    shown = [listing_table(report)] if report.request.listing else []
    return "".join(table.html() for table in [*shown, *tables(report)])


_TOTAL = "*"  # the first cell of a row of totals, which comes last


def errors_tsv(report: ErrorReport) -> str:
    """Return the listing alone if one was asked for, else one table after the other."""
    if report.request.listing:
        tables = [listing_table(report)]
    else:
        tables = [_full_errors(report), *full_breakdown_tables(report.report.breakdown)]
        if report.windows:
            tables.append(_windows(report, list(report.report.scores), _TOTAL, exact))
        if report.compared is not None:
            tables.append(compared_table(report.compared, full=True))
    parts = ["\n\n".join(table.tsv() for table in tables)]
    if report.report.options.signature:
        parts.append(f"# {escaped(report.signature())}")
    return "\n".join(parts) + "\n"


def _full_errors(report: ErrorReport) -> Table:
    names, total = list(report.report.scores), _total(report)
    head = ["error", *total, *(f"{name}_{how}" for how in report.corrected._fields for name in names)]
    head += _interval_head(report, names)
    rows = [
        [
            kind,
            *map(_shown, _counts(report, kind).values()),
            *(exact(main_part(scores[kind][name])) for scores in report.corrected for name in names),
            *_interval_ends(report, kind, names),
        ]
        for kind in KINDS
    ]
    last = report.corrected.in_order[list(KINDS)[-1]]
    scores = [*("" for _ in names), *(exact(main_part(last[name])) for name in names)]
    rows.append([_TOTAL, *map(str, total.values()), *scores, *_interval_ends(report, ALL, names)])
    return Table(head, rows)


def _interval_head(report: ErrorReport, names: Sequence[str]) -> list[str]:
    """Return the columns with the ends of the intervals of gains, if there are any."""
    if report.gain_intervals is None:
        return []
    hows = report.gain_intervals._fields
    return [f"{name}_{how}_gain_{end}" for how in hows for name in names for end in ("low", "high")]


def _interval_ends(report: ErrorReport, kind: str, names: Sequence[str]) -> list[str]:
    if report.gain_intervals is None:
        return []
    found = [by_kind.get(kind, {}).get(name) for by_kind in report.gain_intervals for name in names]
    return [cell for ends in found for cell in (("", "") if ends is None else map(repr, ends))]


def to_dict_of_errors(report: ErrorReport) -> dict[str, Any]:
    """Return the JSON report: that of `scorch2 score` with more keys."""
    plain = to_dict_of_scores(report.report)
    for document, counts in zip(plain["documents"], report.by_document, strict=True):
        document["errors"] = {kind: count.errors for kind, count in zip(KINDS, counts, strict=True)}
    plain["errors"] = {kind: _plain_count(kind, count) for kind, count in report.errors.items()}
    plain["links"] = {side: dict(links) for side, links in report.links.items()}
    plain["corrected"] = {
        how: {kind: plain_scores(scores) for kind, scores in by_kind.items()}
        for how, by_kind in report.corrected._asdict().items()
    }
    if report.gain_intervals is not None:
        plain["confidence"]["gains"] = {
            how: {kind: plain_ends(by_metric) for kind, by_metric in by_kind.items()}
            for how, by_kind in report.gain_intervals._asdict().items()
        }
    if report.windows:
        plain["windows"] = [
            {**window._asdict(), "scores": plain_scores(window.scores)} for window in report.windows
        ]
    if report.compared is not None:
        plain["compared"] = report.compared.to_dict()
    if report.request.listing:
        plain["list"] = [dict(row) for row in report.rows]
    return plain


def _plain_count(kind: str, count: Count) -> dict[str, Any]:
    plain = counts_of(kind, count)
    links = {side: plain.pop(f"lost_{side}") or 0 for side in ("recall", "precision")}
    return {**{name: number for name, number in plain.items() if number is not None}, "links": links}


def to_records_of_errors(report: ErrorReport) -> list[dict[str, Any]]:
    """Return a flat dict for every document and kind of error; the corpus is document None."""
    # ``lost_recall`` and ``lost_precision`` are links that MUC loses; a kind that cannot lose any has None
    names = [*(document.id for document in report.report.documents), None]
    by_document = [*report.by_document, [*report.errors.values()]]
    return [
        {"document": name, "error": kind, **counts_of(kind, count), **others}
        for name, counts in zip(names, by_document, strict=True)
        for kind, count in zip(KINDS, counts, strict=True)
        for others in [{"singletons": count.singletons, "moved": count.moved}]
    ]
