"""The documents of the page as a table, the lowest score first."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.analysis.kinds import KINDS, Count
from scorch2.analysis.page.drawn import drawn
from scorch2.analysis.page.kinds_shown import mark
from scorch2.analysis.page.markup import NOTHING, Html, joined, name_of, tag, text
from scorch2.analysis.page.tables_shown import table
from scorch2.analysis.report import ErrorReport, short_label
from scorch2.model.score import AnyScore, Measured, main_part
from scorch2.scoring.report import Report

MOST = 5000
"""The most documents that are listed."""


class Entry(NamedTuple):
    """A document of the table."""

    measured: Measured
    scores: Mapping[str, AnyScore]
    tokens: int | None = None
    errors: Sequence[Count] = ()
    """By kind; empty if they are not known."""
    number: int | None = None
    """The number of its text on the page, if that is there."""

    def percent(self, name: str) -> str:
        """Return a score in percent; empty if it is 0/0."""
        value = main_part(self.scores[name])
        return f"{100 * value:.2f}" if value.defined else ""


def documents(
    report: Report, entries: Sequence[Entry], metric: str, left_out: int, figures: Html = NOTHING
) -> Html:
    """Return the table of documents, ordered by `metric`, below its figures."""
    label = short_label(report, metric)
    notice = NOTHING
    if left_out:
        notice = tag(
            "p",
            text(f"{left_out} documents with higher scores are left out. --report=json has all."),
            class_="notice",
        )
    return joined(
        [figures, notice, _table(report, entries, f"Documents, the lowest {label} first. Percent.")]
    )


def figures_of(report: ErrorReport) -> Html:
    """Return the figures about documents; a single one needs none."""
    if not report.report.documents[1:]:
        return NOTHING
    names = ["documents", "length"] if "lea" in report.report.scores else ["length"]
    return tag("div", *(tag("div", drawn(report, name)) for name in names), class_="beside")


def _table(report: Report, entries: Sequence[Entry], caption: str) -> Html:
    has_tokens = any(entry.tokens is not None for entry in entries)
    has_errors = any(entry.errors for entry in entries)
    names = [row.name for row in report.rows]
    head = [
        text("document"),
        *([text("tokens")] if has_tokens else []),
        text("gold mentions"),
        text("system mentions"),
        *(text(short_label(report, name)) for name in names),
        *(_kind_head(kind) for kind in (KINDS if has_errors else ())),
    ]
    rows = [
        [
            _name(entry),
            *([text("" if entry.tokens is None else str(entry.tokens))] if has_tokens else []),
            text(str(entry.measured.gold_mentions)),
            text(str(entry.measured.system_mentions)),
            *(text(entry.percent(name)) for name in names),
            *(text(str(count.errors)) for count in entry.errors),
        ]
        for entry in entries
    ]
    return table(text(caption), head, rows, classes="sortable documents")


def _name(entry: Entry) -> Html:
    name = name_of(entry.measured.id)
    return name if entry.number is None else tag("a", name, href=f"#d{entry.number}")


def _kind_head(kind: str) -> Html:
    return tag("span", mark(kind), tag("span", text(KINDS[kind]), class_="unseen"), title=KINDS[kind])
