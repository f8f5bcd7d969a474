"""ErrorReport, what every form of the analysis shares: the report of scoring, and errors of the corpus."""

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from scorch2.analysis.dimensions import breakdown
from scorch2.analysis.kinds import (
    KINDS,
    Count,
    GainIntervals,
    Gains,
    add_counts,
    error_record,
    gains_of,
    plain_count,
    plain_intervals,
)
from scorch2.analysis.links import PRECISION, RECALL, LinkChanges
from scorch2.analysis.request import AnalysisRequest, Findings, ListedRow, PageFindings, settings_of
from scorch2.model.errors import UsageError
from scorch2.model.results import Breakdown
from scorch2.model.score import AnyScore
from scorch2.scoring.averages import averaged
from scorch2.scoring.metrics.metric import Mean
from scorch2.scoring.plain import plain_scores
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.analysis.listing import Scene


Scores = Mapping[str, AnyScore]
"""Scores by metric."""
Records: TypeAlias = list[dict[str, Any]]
"""Flat rows, for data frames."""


class Corrected(NamedTuple):
    """The scores of corrected output, by kind of error."""

    alone: Mapping[str, Scores]
    """After correcting each kind by itself."""
    in_order: Mapping[str, Scores]
    """After correcting each kind and all kinds before it."""


class Windows(NamedTuple):
    """The scores of documents that are cut into windows."""

    tokens: int
    documents: int
    """The number of windows with a mention."""
    scores: Scores


class ErrorReport(NamedTuple):
    """The errors of a system, and the report of its scores. It does not change.

    ``str(report)`` has the tables of `scorch2 errors`; a notebook shows them.
    """

    report: Report
    """The report of scoring: all that `scorch2 score` tells."""
    errors: Mapping[str, Count]
    """By kind, in the order of `KINDS`."""
    recall_links: Mapping[str, int]
    """The number of gold links by status."""
    precision_links: Mapping[str, int]
    """The number of system links by status."""
    corrected: Corrected
    evidence: Sequence[Findings]
    """The findings of each document, in the order of the documents of `report`."""
    request: AnalysisRequest
    rows: Sequence[ListedRow]
    """The listing that was asked for."""
    gains: Sequence[str]
    """The metrics whose gains are shown in tables."""
    windows: Sequence[Windows]
    """In the order that they were asked for."""
    compared: LinkChanges | None = None
    """The links under a second system, if there is one."""
    plotted: Breakdown = MappingProxyType({})
    """The rows of each dimension that figures show."""
    gain_intervals: GainIntervals | None = None
    """The intervals of gains, if they were asked for."""
    scenes: "Sequence[tuple[int, Scene]]" = ()
    """The documents whose text the page shows: their places in the order of the documents."""

    @property
    def by_document(self) -> Sequence[Sequence[Count]]:
        """The errors of each document by kind, in the order of the documents of `report`."""
        return [one.counts for one in self.evidence]

    @property
    def page_evidence(self) -> Sequence[PageFindings]:
        """The findings of each document that only the page needs; empty if no page is written."""
        return [one.page for one in self.evidence if one.page is not None]

    @property
    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The number of links by status, of gold (``recall``) and of the system (``precision``)."""
        return {"recall": self.recall_links, "precision": self.precision_links}

    @property
    def breakdown(self) -> Breakdown:
        """The rows of each dimension that was asked for."""
        return self.report.breakdown

    def __str__(self) -> str:
        from scorch2.analysis.text import render

        return render(self, "table")

    def __repr__(self) -> str:
        errors = {kind: count.errors for kind, count in self.errors.items()}
        return f"ErrorReport(documents={len(self.by_document)}, errors={errors})"

    def _repr_html_(self) -> str:
        from scorch2.analysis.text.tables import listing_table, tables

        shown = [listing_table(self)] if self.request.listing else []
        return "".join(table.html() for table in [*shown, *tables(self)])

    def gained(self) -> Gains:
        """Return what correcting errors gains, by kind and metric, in -1..1."""
        return gains_of(self.report.scores, self.corrected.alone, self.corrected.in_order)

    def signature(self) -> str:
        """Return one line that says how to get these numbers again."""
        return self.report.signature()

    def to_records(self) -> Records:
        """Return a flat dict for every document and kind of error; the corpus is document None.

        ``lost_recall`` and ``lost_precision`` are links that MUC loses; a kind that cannot lose any has None.
        """
        names = [document.id for document in self.report.documents]
        counted = [
            *(
                (name, dict(zip(KINDS, row, strict=True)))
                for name, row in zip(names, self.by_document, strict=True)
            ),
            (None, self.errors),
        ]
        return [error_record(name, kind, count) for name, row in counted for kind, count in row.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON report: that of `scorch2 score` with more keys."""
        plain = self.report.to_dict()
        for document, counts in zip(plain["documents"], self.by_document, strict=True):
            document["errors"] = {kind: count.errors for kind, count in zip(KINDS, counts, strict=True)}
        plain["errors"] = {kind: plain_count(kind, count) for kind, count in self.errors.items()}
        plain["links"] = {side: dict(links) for side, links in self.links.items()}
        plain["corrected"] = {
            how: {kind: plain_scores(scores) for kind, scores in by_kind.items()}
            for how, by_kind in self.corrected._asdict().items()
        }
        if self.gain_intervals is not None:
            plain["confidence"]["gains"] = plain_intervals(self.gain_intervals)
        if self.windows:
            plain["windows"] = [{**one._asdict(), "scores": plain_scores(one.scores)} for one in self.windows]
        if self.compared is not None:
            plain["compared"] = self.compared.to_dict()
        if self.request.listing:
            plain["list"] = [dict(row) for row in self.rows]
        return plain

    def to_json(self) -> str:
        """Return the JSON report as text."""
        from scorch2.model.escaping import plain_json

        return plain_json(self.to_dict())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON report (for `scorch2 gate`) or, to ``.html``, the page: whole, or not at all.

        Raises
        ------
        OutputError
            If it cannot be written, has the suffix of another form, or would replace documents.
        """
        from scorch2.formats.target import save_report

        name = os.fspath(path)
        if name.casefold().endswith((".html", ".htm")):
            return save_report(name, self.to_html(), refused=())
        return save_report(name, self.to_json())

    def to_html(self) -> str:
        """Return the page of ``scorch2 errors -f html``.

        Raises
        ------
        UsageError
            If the errors were counted without the ``title`` of a page, and so without texts.
        """
        if self.request.page is None:
            raise UsageError("the page needs texts: count errors with title=, the title of the page")
        from scorch2.reports.page.documents import page

        return page(self)

    def image(self, figure: str, suffix: Literal["svg", "png", "pdf"] = "svg") -> bytes:
        """Return a figure of ``scorch2 errors --plot`` as the content of a file.

        Parameters
        ----------
        figure : str
            ``errors``, ``documents``, ``length``, or a dimension that is in `breakdown`.
        suffix : str
            ``svg``; ``png`` or ``pdf``, which need matplotlib.

        Raises
        ------
        UsageError
            For an unknown figure or format, and if what it needs is not there.
        """
        from scorch2.figures import draw, image

        return image(draw(self, figure), suffix)

    @property
    def list(self) -> Sequence[ListedRow]:
        """The listing that was asked for, as in the JSON report."""
        return self.rows


def error_report(
    report: Report,
    evidence: Sequence[Findings],
    request: AnalysisRequest,
    names: Sequence[str],
    gains: Sequence[str],
) -> ErrorReport:
    """Add up the evidence of all documents.

    Parameters
    ----------
    report : Report
        Of the same documents, with the metrics of `names` and mention detection.
    evidence : sequence of Evidence
        In the order of its documents.
    request : Request
        What was asked for.
    names : sequence of str
        The metrics that are reported.
    gains : sequence of str
        Those of them whose gains are shown in tables.
    """
    recall, precision = (
        [sum(column) for column in zip(*links, strict=True)]
        for links in ([one.recall for one in evidence], [one.precision for one in evidence])
    )
    shown = report._replace(
        rows=[row for row in report.rows if row.name in names],
        scores={name: score for name, score in report.scores.items() if name in names},
        settings=settings_of(evidence),
        breakdown=breakdown([one.classes for one in evidence], request.by),
    )
    return ErrorReport(
        shown,
        add_counts([one.counts for one in evidence]),
        dict(zip(RECALL, recall, strict=True)),
        dict(zip(PRECISION, precision, strict=True)),
        _corrected(shown, evidence),
        evidence,
        request,
        [row for one in evidence for row in one.listing],
        gains,
        _windows(shown, evidence, request.windows),
        plotted=breakdown([one.plotted for one in evidence], request.plotted),
    )


def _windows(report: Report, evidence: Sequence[Findings], lengths: Sequence[int]) -> list[Windows]:
    """Score the windows of each length, with the average of the report."""
    found = []
    for place, length in enumerate(lengths):
        documents = [window for one in evidence for window in one.windows[place]]
        scores = averaged(report.rows, report.metrics, documents, report.options).scores
        found.append(Windows(length, len(documents), scores))
    return found


def _corrected(report: Report, evidence: Sequence[Findings]) -> Corrected:
    """Score corrected output; where a kind has no errors nothing changes."""
    alone, in_order, last = {}, {}, report.scores
    for place, kind in enumerate(KINDS):
        alone[kind] = report.scores
        if any(one.counts[place].errors for one in evidence):
            steps = [one.alone[place] for one in evidence], [one.in_order[place] for one in evidence]
            alone[kind], last = (
                averaged(report.rows, report.metrics, step, report.options).scores for step in steps
            )
        in_order[kind] = last
    return Corrected(alone, in_order)


def short_label(report: Report, name: str) -> str:
    """Return how a metric is called in the head of a column."""
    row = next(row for row in report.rows if row.name == name)
    return "CoNLL" if isinstance(row, Mean) and name == "conll" else row.label
