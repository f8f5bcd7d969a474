"""The tables that all forms for reading share, as text cells."""

from typing import Any

from scorch2.analysis.error_report import ErrorReport, short_label
from scorch2.analysis.kinds import ALL, KINDS, LOSES_PRECISION, LOSES_RECALL, Gains
from scorch2.analysis.links import LinkChanges
from scorch2.analysis.listing import COLUMNS, spelled_out
from scorch2.model.errors import counted
from scorch2.model.score import Value, main_part
from scorch2.model.tables import Table
from scorch2.reports.rows import CLASSES, breakdown_tables, interval_caption

HEAD = ("error", "errors", "mentions", "lost R", "lost P")


def tables(report: ErrorReport) -> list[Table]:
    """Return the table of errors, and then those of all that was asked for besides."""
    found = [_errors(report), *breakdown_tables(report.report.breakdown)]
    if report.windows:
        found.append(windows_table(report))
    return found if report.compared is None else [*found, compared_table(report.compared)]


COMPARED = ("R fixed", "R introduced", "P fixed", "P introduced")


def compared_table(found: LinkChanges, *, full: bool = False) -> Table:
    """Return the links that a second system fixes and newly loses, by what they are lost to.

    With `full` the kinds and columns have the names of the JSON report.
    """
    columns = (found.recall(fixed=True), found.recall(fixed=False), found.fixed, found.introduced)
    rows = [
        [kind if full else label, *(str(column[kind]) if kind in column else "" for column in columns)]
        for kind, label in KINDS.items()
    ]
    rows.append(["*" if full else "all", *(str(sum(column.values())) for column in columns)])
    names = [name.lower().replace(" ", "_") for name in COMPARED] if full else COMPARED
    return Table(("lost_to" if full else "link lost to", *names), rows)


def compared_caption(found: LinkChanges) -> str:
    """Return in words what the table of two systems leaves out."""
    return (
        f"Links of gold that both find: {found.both}, neither: {found.neither}. "
        f"Wrong links that both make: {found.shared}."
    )


def windows_table(report: ErrorReport) -> Table:
    """Return F1 by the length of windows, and of whole documents."""
    names = list(report.report.scores)
    head = ("window", "documents", *(short_label(report.report, name) for name in names))
    whole = ("whole", len(report.report.documents), report.report.scores)
    return Table(
        head,
        [
            [str(length), str(documents), *(_percent(main_part(scores[name])) for name in names)]
            for length, documents, scores in [*report.windows, whole]
        ],
    )


def _percent(value: Value) -> str:
    return f"{100 * value:.2f}" if value.defined else ""


def _errors(report: ErrorReport) -> Table:
    """Return the errors by kind, with the links that they lose and the F1 that correcting them gains."""
    labels = [short_label(report.report, name) for name in report.gains]
    head = [*HEAD, *(f"{label} {how}" for how in ("alone", "in order") for label in labels)]
    rows, gained = [], report.gained()
    for kind, label in KINDS.items():
        count = report.errors[kind]
        rows.append(
            [
                label,
                str(count.errors),
                str(count.mentions),
                str(count.links) if kind in LOSES_RECALL else "",
                str(count.links) if kind in LOSES_PRECISION else "",
                *_gains(report, gained, "alone", kind),
                *_gains(report, gained, "in_order", kind),
            ]
        )
    lost = [sum(report.errors[kind].links for kind in kinds) for kinds in (LOSES_RECALL, LOSES_PRECISION)]
    total = [sum(count.errors for count in report.errors.values()), _mentions(report), *lost]
    rows.append(
        ["all", *map(str, total), *("" for _ in report.gains), *_gains(report, gained, "in_order", ALL)]
    )
    return Table(head, rows)


def _mentions(report: ErrorReport) -> int:
    return sum(count.mentions for count in report.errors.values())


def _gains(report: ErrorReport, gained: Gains, how: str, kind: str) -> list[str]:
    """Return the gains of the metrics that are shown, in percent, with their intervals; none for 0/0."""
    cells = []
    for name in report.gains:
        gain = getattr(gained, how)[kind][name]
        found = report.gain_intervals
        ends = None if found is None else getattr(found, how)[kind][name]
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
        f"Lost: links of MUC, of {recall} (R) and {precision} (P). Alone, in order: percent of F1 gained if "
        "the errors of a kind are corrected by themselves, and after those above them. Parts that are both "
        f"conflated and divided: {report.errors['divided'].moved}. Singletons: {singletons}."
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
