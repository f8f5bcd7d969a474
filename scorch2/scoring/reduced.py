"""Reports made from another report: without what is about one run, or with some of its metrics."""

from collections.abc import Collection

from scorch2.scoring.metrics.metric import Mean
from scorch2.scoring.report import Report

RUN = ("confidence", "significance", "baseline")
"""The kinds of notices that are about a run and not about the data."""


def without_run(report: Report) -> Report:
    """Return what another run can start from: no intervals, no verdicts, and no notices about them."""
    notices = [notice for notice in report.notices if notice.code not in RUN]
    return report._replace(notices=notices, confidence=None, gates=(), baseline=None)


def narrowed(report: Report, names: Collection[str]) -> Report:
    """Return a report of some metrics, without intervals, gates, baseline and listings."""
    rows = [row for row in report.rows if row.name in names]
    needed = {name for row in rows for name in (row.of if isinstance(row, Mean) else (row.name,))}
    shown = {*names, *needed}
    places = [i for i, metric in enumerate(report.metrics) if metric.name in needed]
    documents = [
        document._replace(tallies=tuple([document.tallies[i] for i in places]))
        for document in report.documents
    ]
    return without_run(report)._replace(
        scores={row.name: report.scores[row.name] for row in rows},
        rows=rows,
        metrics=[report.metrics[i] for i in places],
        skipped={name: report.skipped[name] for name in report.skipped if name in shown},
        documents=documents,
        listings=(),
    )
