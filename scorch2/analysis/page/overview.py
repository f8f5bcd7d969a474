"""The overview of the page: scores, what each kind of error costs, and a second system."""

from collections.abc import Sequence

from scorch2.analysis.kinds import KINDS, Count
from scorch2.analysis.page.drawn import drawn
from scorch2.analysis.page.kinds_shown import WHAT, marked
from scorch2.analysis.page.markup import Html, joined, tag, text
from scorch2.analysis.page.tables_shown import plain, remark, table
from scorch2.analysis.report import ErrorReport, short_label
from scorch2.analysis.text import tables as text_tables
from scorch2.model.score import Measured, Tally
from scorch2.scoring.averages import averaged
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.report import Report

_FOUND = "mentions found"


def overview(report: ErrorReport) -> Html:
    """Return the overview. What was broken down by classes is told where it is shown."""
    report = report._replace(report=report.report._replace(breakdown={}))
    beside = tag(
        "div",
        tag("div", tag("h3", text("Scores")), scores(report.report, detection(report))),
        tag("div", tag("h3", text("What each kind of error costs")), drawn(report, "errors")),
        class_="beside wide",
    )
    return joined([beside, tag("h3", text("Errors by kind")), _errors(report), *_more(report)])


def scores(report: Report, found: Sequence[str] = ()) -> Html:
    """Return the table of scores, with a row for mention detection if it is known."""
    report = report._replace(breakdown={})  # told where it is shown
    shown = report.table()
    rows = [
        [short_label(report, row.name), *cells[1:]]
        for row, cells in zip(report.rows, shown.rows, strict=True)
    ]
    if found:
        rows.append([*found])
    explained = remark(" ".join([report.caption(shown), *report.notes()]))
    return joined([plain("Scores of the corpus", shown._replace(rows=rows), "scores"), explained])


def detection(report: ErrorReport) -> Sequence[str]:
    """Return the row of mention detection for the table of scores."""
    metric = METRICS["mentions"]
    if not isinstance(metric, Metric) or metric.name in report.report.scores:
        return ()
    documents = [
        _detected(document, counts)
        for document, counts in zip(report.report.documents, report.by_document, strict=True)
    ]
    average = averaged([metric], [metric], documents, report.report.options)
    alone = report.report._replace(
        rows=[metric], metrics=[metric], documents=documents, scores=average.scores, confidence=None
    )
    return [_FOUND, *alone.table().rows[0][1:]]


def _detected(document: Measured, counts: Sequence[Count]) -> Measured:
    """Return the mentions that are on both sides: all but those in errors about mentions."""
    by_kind = dict(zip(KINDS, counts, strict=True))
    lost = by_kind["span"].mentions + by_kind["missing_mention"].mentions + by_kind["missing_entity"].mentions
    found = document.gold_mentions - lost
    tally = Tally(found, document.gold_mentions, found, document.system_mentions)
    return document._replace(tallies=((tally,),))


def _errors(report: ErrorReport) -> Html:
    """Return the table of errors by kind, with a sentence for each."""
    first = text_tables.tables(report)[0]
    rows = []
    for place, cells in enumerate(first.rows):
        kind = list(KINDS)[place] if place < len(KINDS) else None
        name = text(cells[0]) if kind is None else joined([marked(kind), tag("small", text(WHAT[kind]))])
        rows.append([name, *(text(cell) for cell in cells[1:])])
    counted = table(text("Errors of all documents"), [*map(text, first.head)], rows, classes="kinds")
    return joined([counted, remark(text_tables.caption(report))])


def _more(report: ErrorReport) -> list[Html]:
    """Return scores in windows, and the links that a second system fixes and newly loses."""
    found = []
    if report.windows:
        windows = text_tables.windows_table(report)
        found += [tag("h3", text("Windows")), plain("F1 by the tokens of a window.", windows)]
    if report.compared is not None:
        counts = text_tables.compared_table(report.compared)
        links = plain("Links that the second system fixes and loses", counts)
        explained = remark(text_tables.compared_caption(report.compared))
        found += [tag("h3", text("The second system")), links, explained]
    return found
