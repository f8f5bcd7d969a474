"""Tab-separated rows of an analysis, for spreadsheets and scripts: scores in 0..1 with full precision."""

from collections.abc import Sequence

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import ALL, KINDS, LOSES_PRECISION, LOSES_RECALL, Count
from scorch2.analysis.text.tables import compared_table, listing_table
from scorch2.model.errors import escaped
from scorch2.model.score import AnyScore, main_part
from scorch2.model.tables import Table
from scorch2.reports.rows import full_breakdown_tables

_TOTAL = "*"
"""The first cell of a row of totals, which comes last."""
HEAD = ("error", "errors", "mentions", "singletons", "moved", "lost_recall", "lost_precision")


def render(report: ErrorReport) -> str:
    """Return the listing alone if one was asked for, else one table after the other."""
    if report.request.listing:
        tables = [listing_table(report)]
    else:
        tables = [_summary(report), *full_breakdown_tables(report.report.breakdown), *_windows(report)]
        if report.compared is not None:
            tables.append(compared_table(report.compared, full=True))
    parts = ["\n\n".join(table.tsv() for table in tables)]
    if report.report.options.signature:
        parts.append(f"# {escaped(report.signature())}")
    return "\n".join(parts) + "\n"


def _summary(report: ErrorReport) -> Table:
    names = list(report.report.scores)
    head = [*HEAD, *(f"{name}_{how}" for how in report.corrected._fields for name in names)]
    head += _interval_head(report, names)
    rows = [
        [
            kind,
            *_counts(kind, report.errors[kind]),
            *(_cell(scores[kind][name]) for scores in report.corrected for name in names),
            *_intervals(report, kind, names),
        ]
        for kind in KINDS
    ]
    last = report.corrected.in_order[list(KINDS)[-1]]
    total = [
        *(sum(count[i] for count in report.errors.values()) for i in (0, 1)),
        sum(count.singletons for count in report.errors.values()),
        report.errors["divided"].moved,
        sum(report.errors[kind].links for kind in LOSES_RECALL),
        sum(report.errors[kind].links for kind in LOSES_PRECISION),
    ]
    scores = [*("" for _ in names), *(_cell(last[name]) for name in names)]
    rows.append([_TOTAL, *map(str, total), *scores, *_intervals(report, ALL, names)])
    return Table(head, rows)


def _interval_head(report: ErrorReport, names: Sequence[str]) -> list[str]:
    """Return the columns with the ends of the intervals of gains, if there are any."""
    if report.gain_intervals is None:
        return []
    hows = report.gain_intervals._fields
    return [f"{name}_{how}_gain_{end}" for how in hows for name in names for end in ("low", "high")]


def _intervals(report: ErrorReport, kind: str, names: Sequence[str]) -> list[str]:
    """Return the ends of the intervals of gains from correcting a kind."""
    if report.gain_intervals is None:
        return []
    found = [by_kind.get(kind, {}).get(name) for by_kind in report.gain_intervals for name in names]
    return [cell for ends in found for cell in (("", "") if ends is None else map(repr, ends))]


def _windows(report: ErrorReport) -> list[Table]:
    """Return a table of F1 by the length of windows, if there are any."""
    if not report.windows:
        return []
    names = list(report.report.scores)
    whole = (_TOTAL, len(report.report.documents), report.report.scores)
    rows = [
        [str(length), str(documents), *(_cell(scores[name]) for name in names)]
        for length, documents, scores in [*report.windows, whole]
    ]
    return [Table(("window", "documents", *names), rows)]


def _counts(kind: str, count: Count) -> Sequence[str]:
    """Return the counts of a kind; those that it cannot have are empty."""
    return [
        str(count.errors),
        str(count.mentions),
        str(count.singletons) if kind.endswith("_entity") else "",
        str(count.moved) if kind in ("conflated", "divided") else "",
        str(count.links) if kind in LOSES_RECALL else "",
        str(count.links) if kind in LOSES_PRECISION else "",
    ]


def _cell(score: AnyScore) -> str:
    value = main_part(score)
    return repr(float(value)) if value.defined else ""
