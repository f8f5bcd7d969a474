"""Report, what every writer shares: options, documents with their tallies, scores, warnings, signature."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorch2.model.errors import Notice
from scorch2.model.options import OPTIONS, Options
from scorch2.model.score import AVERAGES, AnyScore, Measured, Score, Tally, added_by_file, main_part, pooled
from scorch2.scoring import averages, plain
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric
from scorch2.version import __version__

if TYPE_CHECKING:
    from scorch2.model.results import Breakdown, Confidence, Verdict
    from scorch2.model.tables import Listing, Table


SCHEMA = 1
"""The version of the JSON report; it grows when a key changes its meaning or goes."""

SETTINGS = ("spans", "types")
"""The options of the JSON report that say how errors and classes were found: they change no score."""


class Report:
    """The scores of a system, and all they were computed from. It does not change.

    Scores are attributes and items too, also by an alias: ``report.muc.f1``, ``report["b3"].f1``, in 0..1.
    """

    __slots__ = (
        "baseline",
        "breakdown",
        "confidence",
        "documents",
        "facts",
        "gates",
        "listings",
        "metrics",
        "notices",
        "options",
        "page",
        "rows",
        "scores",
        "settings",
        "skipped",
        "unit",
    )
    scores: Mapping[str, AnyScore]
    """By metric, in the order of `rows`."""
    rows: Sequence[AnyMetric]
    """The metrics that are reported."""
    metrics: Sequence[Metric]
    """The metrics that were counted, in the order of the tallies in `documents`."""
    documents: Sequence[Measured]
    """In the order they were read."""
    options: Options
    notices: Sequence[Notice]
    """Warnings, in the order of the documents."""
    confidence: "Confidence | None"
    gates: "Sequence[Verdict]"
    baseline: Mapping[str, AnyScore] | None
    """The scores to compare with."""
    facts: Sequence[tuple[str, str | int]]
    """Other choices behind the numbers, for the signature, such as the unit of spans."""
    listings: "Sequence[Listing]"
    """Lists for the reader, where asked for."""
    breakdown: "Breakdown"
    """The counts by classes of mentions, for each dimension that was asked for."""
    settings: Sequence[tuple[str, str]]
    """How errors and classes of mentions were found, by name: they change no score."""
    skipped: Mapping[str, Mapping[str, int]]
    """By metric and part, in how many documents the score is 0/0 and so has no weight in the mean."""
    page: "Callable[[Report], str] | None"
    """A function that writes the page with errors and texts, where the documents were analysed for it."""
    unit: str
    """``document`` or ``file``: what rows besides those of the corpus are of."""

    def __init__(  # noqa: PLR0913 - its fields
        self,
        *,
        scores: Mapping[str, AnyScore],
        rows: Sequence[AnyMetric],
        metrics: Sequence[Metric],
        documents: Sequence[Measured],
        options: Options,
        notices: Sequence[Notice],
        confidence: "Confidence | None" = None,
        gates: "Sequence[Verdict]" = (),
        baseline: Mapping[str, AnyScore] | None = None,
        facts: Sequence[tuple[str, str | int]] = (),
        listings: "Sequence[Listing]" = (),
        breakdown: "Breakdown" = MappingProxyType({}),
        settings: Sequence[tuple[str, str]] = (),
        skipped: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
        page: "Callable[[Report], str] | None" = None,
        unit: str = "document",
    ) -> None:
        given = locals()
        for name in self.__slots__:
            object.__setattr__(self, name, given[name])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a report does not change: {name!r} cannot be set")

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self._asdict(),)

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def _replace(self, **changes: Any) -> "Report":
        """Return a report with some other fields, as named tuples do."""
        return Report(**{**self._asdict(), **changes})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._asdict() == other._asdict()

    __hash__ = None  # type: ignore[assignment]  # its mappings have none

    def __getattr__(self, name: str) -> Score:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no score called {name!r} (there are {', '.join(self.scores)})") from None

    def __getitem__(self, name: str) -> Score:
        """Return the score of a metric by its name or an alias.

        It is typed as the usual score; one with fewer parts raises AttributeError for those it lacks.
        """
        meant = {alias: row.name for row in self.rows for alias in (row.name, *row.aliases)}
        return cast("Score", self.scores[name if name in self.scores else meant[name.casefold()]])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.scores]

    def __repr__(self) -> str:
        shown = {name: round(float(main_part(score)), 4) for name, score in self.scores.items()}
        return f"Report(documents={len(self.documents)}, average={self.options.average!r}, scores={shown})"

    def __str__(self) -> str:
        return self.table().fitted()

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_markdown(self) -> str:
        """Return the table of scores as Markdown, with the signature below it."""
        from scorch2.reports.rows import markdown_of

        return markdown_of(self)

    def to_latex(self) -> str:
        """Return the table of scores as LaTeX, with the rules of booktabs and the signature as a remark."""
        from scorch2.reports.rows import latex_of

        return latex_of(self)

    def table(
        self, *, per_document: bool = False, sort: str | None = None, worst: int | None = None
    ) -> "Table":
        """Return recall, precision and F1 in percent and the counts behind them, one row per metric.

        The rows of documents (see `listed`), if asked for, come first and start with the document's id, those
        of the corpus with ``all``: in the order they were read, or the lowest F1 of the metric `sort` first;
        only the `worst` so many, if that is given.
        """
        from scorch2.reports.rows import documents_in_order, score_table

        return score_table(self, documents_in_order(self, sort, worst) if per_document else ())

    def files(self) -> list[Measured]:
        """Return the counts of each pair of files, if these are averaged."""
        return added_by_file(self.documents) if AVERAGES[self.options.average].by_file else []

    def listed(self) -> Sequence[Measured]:
        """Return what has rows in reports that show more than the corpus: documents, or files."""
        return self.files() if self.unit == "file" else self.documents

    def caption(self, table: "Table") -> str:
        """Return in words what the numbers of `table` are."""
        from scorch2.reports.rows import score_caption

        return score_caption(self, table)

    def notes(self) -> list[str]:
        """Return what else there is to know about the numbers, one sentence each."""
        from scorch2.reports.rows import score_notes

        return score_notes(self)

    def tallies(self, name: str, documents: Sequence[Measured] | None = None) -> dict[str, Tally]:
        """Return the sums over documents of what a metric counts, by part; empty for a mean."""
        for i, metric in enumerate(self.metrics):
            if metric.name == name:
                rows = self.documents if documents is None else documents
                sums = [pooled(part) for part in zip(*(row.tallies[i] for row in rows), strict=True)]
                return dict(zip(metric.parts, sums, strict=True))
        return {}

    def document_scores(self, document: Measured) -> dict[str, AnyScore]:
        """Return the scores of one of `documents` by itself."""
        return averages.averaged(self.rows, self.metrics, [document], self.options).scores

    def signature(self) -> str:
        """Return one line that says how to get these numbers again; the average is always in it."""
        return signature_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts, lists, strings and numbers: the JSON report.

        Scores are in 0..1, undefined ones None. ``counts`` are sums over documents whatever the average.
        """
        names = [metric.name for metric in self.metrics]
        files = [plain.plain_file(one, self.document_scores(one)) for one in self.files()]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "signature": self.signature(),
            "options": {
                **self.options.to_dict(),
                "metrics": list(self.scores),
                **dict(self.facts),
                **dict(self.settings),
            },
            "scores": plain.plain_scores(self.scores),
            "counts": {name: plain.plain_tallies(self.tallies(name)) for name in names},
            "skipped": self.skipped,
            "documents": [
                plain.plain_document(document, self.metrics, self.document_scores(document))
                for document in self.documents
            ],
            **({"files": files} if files else {}),
            "warnings": [notice._asdict() for notice in self.notices],
            "gates": [verdict.to_dict() for verdict in self.gates],
            "confidence": self.confidence and plain.plain_confidence(self.confidence),
            **{listing.name: listing.to_list() for listing in self.listings},
            **({"breakdown": plain.plain_breakdown(self.breakdown)} if self.breakdown else {}),
        }

    def to_json(self) -> str:
        """Return the JSON report as text, laid out so that a changed score changes one line."""
        from scorch2.model.escaping import plain_json

        return plain_json(self.to_dict())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON report to a file: whole, or not at all. `scorch2 gate` takes it, also as a baseline.

        Raises
        ------
        OutputError
            If it cannot be written, has the suffix of another form, or would replace documents.
        """
        from scorch2.formats.target import save_report

        save_report(os.fspath(path), self.to_json())

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dict for every document and metric, for data frames; the corpus is document None."""
        scored = [(document.id, self.document_scores(document)) for document in self.documents]
        return plain.plain_records([*scored, (None, self.scores)])


def _restored(fields: dict[str, Any]) -> Report:
    return Report(**fields)


def report_of(
    rows: Sequence[AnyMetric],
    metrics: Sequence[Metric],
    documents: Sequence[Measured],
    options: Options,
    notices: Sequence[Notice],
) -> Report:
    """Return the report of `rows` over measured documents, averaged as `options` say."""
    found = averages.averaged(rows, metrics, documents, options)
    return Report(
        scores=found.scores,
        rows=rows,
        metrics=metrics,
        documents=documents,
        options=options,
        notices=notices,
        skipped=found.skipped,
        breakdown={},
    )


def signature_of(report: Report) -> str:
    """Return the signature; the average is always in it, and all else that is not the default."""
    average = f"average={report.options.average}"
    settings = [f"{name}={value}" for name, value in report.settings]
    changed = [
        f"{name}={value}{_how_often(report, name)}"
        for name, value in report.options.changed().items()
        if name != "average"
    ]
    gold, system = (
        sum(document.gold_mentions for document in report.documents),
        sum(document.system_mentions for document in report.documents),
    )
    files = [f"files={len(found)}"] if (found := report.files()) else []
    counts = [*files, f"documents={len(report.documents)}", f"mentions={gold}/{system}"]
    if report.confidence:
        counts.append(f"seed={report.confidence.seed}")
    facts = [f"{name}={value}" for name, value in report.facts]
    return " | ".join([f"scorch2 {__version__}", *facts, average, *settings, *changed, *counts])


def _how_often(report: Report, option: str) -> str:
    """Say how many documents a choice that leaves out or empties documents was needed for."""
    times = sum(notice.code == option for notice in report.notices)
    return f"({times})" if OPTIONS[option].row.counts and times else ""


RUN_NOTICES = ("confidence", "significance", "baseline")
"""The kinds of notices that are about a run and not about the data."""


def without_run(report: Report) -> Report:
    """Return what another run can start from: no intervals, no verdicts, and no notices about them."""
    notices = [notice for notice in report.notices if notice.code not in RUN_NOTICES]
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
