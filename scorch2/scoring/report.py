"""Report, what every writer shares: options, documents with their tallies, scores, warnings, signature."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.model.errors import Notice
from scorch2.model.messages import escaped
from scorch2.model.options import OPTIONS, Options
from scorch2.model.score import PARTS, AnyScore, Value
from scorch2.model.tables import Listing, Table
from scorch2.model.tally import Measured, Tally, pooled
from scorch2.model.verdict import Verdict
from scorch2.scoring import averages
from scorch2.scoring.metrics.metric import ONLY, AnyMetric, Mean, Metric
from scorch2.version import __version__

HEAD = ("metric", "recall", "precision", "F1", "recall counts", "precision counts")
_UNDEFINED = "0.00 (0/0)"
SCHEMA = 1
"""The version of the JSON report; it grows when a key changes its meaning or goes."""


class Confidence(NamedTuple):
    """How far scores vary if the documents are drawn again."""

    level: float
    """The share of the draws that an interval holds, in percent."""
    trials: int
    seed: int
    intervals: Mapping[str, Mapping[str, tuple[float, float]]]
    """Low and high, in 0..1, by metric and part."""


class Report(NamedTuple):
    """The scores of a system, and all they were computed from.

    Scores are attributes too: ``report.muc.f1`` is ``report.scores["muc"].f1``, in 0..1.
    """

    scores: Mapping[str, AnyScore]
    """By metric, in the order of `rows`."""
    rows: Sequence[AnyMetric]
    """What is reported."""
    metrics: Sequence[Metric]
    """What was counted: the order of the tallies in `documents`."""
    documents: Sequence[Measured]
    """In the order they were read."""
    options: Options
    notices: Sequence[Notice]
    """Warnings, in the order of the documents."""
    confidence: Confidence | None = None
    gates: Sequence[Verdict] = ()
    baseline: Mapping[str, AnyScore] | None = None
    """The scores to compare with."""
    facts: Sequence[tuple[str, str | int]] = ()
    """What else the numbers depend on, for the signature: the unit of spans, say."""
    listings: Sequence[Listing] = ()
    """What the scores are made of, where that is wanted."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.scores[name]
        except KeyError:
            raise AttributeError(f"no score called {name!r} (there are {', '.join(self.scores)})") from None

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self, *, per_document: bool = False) -> Table:
        """Return recall, precision and F1 in percent and the counts behind them, a row a metric.

        The rows of documents, if asked for, come first and start with the document's id, those of the corpus
        with ``all``.
        """
        if not per_document:
            return Table(HEAD, [self._cells(row, self.scores[row.name]) for row in self.rows])
        rows: list[Sequence[str]] = []
        for document in self.documents:
            scores = self.document_scores(document)
            ident = one_line(document.id)
            rows += [(ident, *self._cells(row, scores[row.name], document)) for row in self.rows]
        rows += [("all", *self._cells(row, self.scores[row.name])) for row in self.rows]
        return Table(("document", *HEAD), rows)

    def _cells(self, row: AnyMetric, score: AnyScore, document: Measured | None = None) -> list[str]:
        values = score._asdict()
        shown = [_percent(values[part]) if part in values else "" for part in PARTS]
        if self.confidence and document is None:
            intervals = self.confidence.intervals[row.name]
            shown = [cell + _interval(intervals.get(part)) for cell, part in zip(shown, PARTS, strict=True)]
        tallies = list(self.tallies(row.name, None if document is None else [document]).values())
        if len(tallies) != 1:
            return [row.label, *shown, "", ""]
        counts = {"recall": tallies[0][:2], "precision": tallies[0][2:]}
        ratios = ["{:.7g} / {:.7g}".format(*counts[part]) if part in values else "" for part in counts]
        return [row.label, *shown, *ratios]

    def caption(self, table: Table) -> str:
        """Return in words what the numbers of `table` are."""
        how = {
            "mentions": "mean over documents, weighted by their mentions",
            "pooled": "counts added over documents, then divided",
            "macro": "plain mean over documents",
        }
        scores = f"Scores: {how[self.options.choices['average']]}. Counts: sums over documents. "
        undefined = "; 0/0 is undefined and counts 0" if any(_UNDEFINED in row for row in table.rows) else ""
        return f"{scores if len(self.documents) > 1 else ''}Percent{undefined}.{self._interval_caption()}"

    def _interval_caption(self) -> str:
        if self.confidence is None:
            return ""
        level, trials, seed, _ = self.confidence
        return f" In brackets: {level:g} % intervals over {trials} draws of the documents, seed {seed}."

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
        return averages.scores(self.rows, self.metrics, [document], self.options.average)

    def signature(self) -> str:
        """Return one line that says how to get these numbers again."""
        changed = [f"{name}={value}{self._how_often(name)}" for name, value in self.options.changed().items()]
        gold, system = (
            sum(document.gold_mentions for document in self.documents),
            sum(document.system_mentions for document in self.documents),
        )
        counts = [f"documents={len(self.documents)}", f"mentions={gold}/{system}"]
        if self.confidence:
            counts.append(f"seed={self.confidence.seed}")
        facts = [f"{name}={value}" for name, value in self.facts]
        return " | ".join([f"scorch2 {__version__}", *facts, *changed, *counts])

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts, lists, strings and numbers: the JSON report.

        Scores are in 0..1, undefined ones None. ``counts`` are sums over documents whatever the average.
        """
        names = [metric.name for metric in self.metrics]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "signature": self.signature(),
            "options": {**self.options.to_dict(), "metrics": list(self.scores), **dict(self.facts)},
            "scores": {name: plain_score(score) for name, score in self.scores.items()},
            "counts": {name: _plain_tallies(self.tallies(name)) for name in names},
            "documents": [
                {
                    "id": document.id,
                    "gold_mentions": document.gold_mentions,
                    "system_mentions": document.system_mentions,
                    "counts": {
                        metric.name: _plain_tallies(dict(zip(metric.parts, parts, strict=True)))
                        for metric, parts in zip(self.metrics, document.tallies, strict=True)
                    },
                }
                for document in self.documents
            ],
            "warnings": [notice._asdict() for notice in self.notices],
            "gates": [verdict.to_dict() for verdict in self.gates],
            "confidence": self.confidence and _plain_confidence(self.confidence),
            **{listing.name: listing.to_list() for listing in self.listings},
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dict for every document and metric, for data frames; the corpus is document None."""
        scored = [(document.id, self.document_scores(document)) for document in self.documents]
        return [
            {"document": ident, "metric": name, **plain_score(score)}
            for ident, scores in [*scored, (None, self.scores)]
            for name, score in scores.items()
        ]

    def _how_often(self, option: str) -> str:
        """Say how many documents a choice that leaves out or empties documents was needed for."""
        times = sum(notice.code == option for notice in self.notices)
        return f"({times})" if OPTIONS[option].row.counts and times else ""


def report_of(
    rows: Sequence[AnyMetric],
    metrics: Sequence[Metric],
    documents: Sequence[Measured],
    options: Options,
    notices: Sequence[Notice],
) -> Report:
    """Return the report of `rows` over measured documents, averaged as `options` say."""
    scores = averages.scores(rows, metrics, documents, options.average)
    return Report(scores, rows, metrics, documents, options, notices)


RUN = ("confidence", "significance", "baseline")
"""The kinds of notices that are about a run and not about the data."""


def without_run(report: Report) -> Report:
    """Return what another run can start from: no intervals, no verdicts, and no notices about them."""
    notices = [notice for notice in report.notices if notice.code not in RUN]
    return report._replace(notices=notices, confidence=None, gates=(), baseline=None)


def narrowed(report: Report, names: Collection[str]) -> Report:
    """Return the same report of some of its metrics, and of no others."""
    rows = [row for row in report.rows if row.name in names]
    needed = {name for row in rows for name in (row.of if isinstance(row, Mean) else (row.name,))}
    places = [i for i, metric in enumerate(report.metrics) if metric.name in needed]
    documents = [
        document._replace(tallies=tuple([document.tallies[i] for i in places]))
        for document in report.documents
    ]
    return without_run(report)._replace(
        scores={row.name: report.scores[row.name] for row in rows},
        rows=rows,
        metrics=[report.metrics[i] for i in places],
        documents=documents,
        listings=(),
    )


def one_line(ident: str) -> str:
    """Return a document's id with tabs, line breaks and other control characters escaped."""
    return escaped(ident)


def _percent(value: Value) -> str:
    return f"{100 * value:.2f}" if value.defined else _UNDEFINED


def _interval(bounds: tuple[float, float] | None) -> str:
    return "" if bounds is None else " [{:.2f}, {:.2f}]".format(*(100 * bound for bound in bounds))


def _plain_confidence(confidence: Confidence) -> dict[str, Any]:
    level, trials, seed, intervals = confidence
    metrics = {name: {part: list(pair) for part, pair in parts.items()} for name, parts in intervals.items()}
    return {"level": level, "trials": trials, "seed": seed, "metrics": metrics}


def plain_score(score: AnyScore) -> dict[str, float | None]:
    """Return a score as JSON has it: undefined parts are None."""
    return {part: float(value) if value.defined else None for part, value in score._asdict().items()}


def _plain_tallies(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    plain = {part: tally._asdict() for part, tally in tallies.items()}
    return plain.get(ONLY, plain)
