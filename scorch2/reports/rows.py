"""A report and its breakdown as tables of text cells, and sentences that say what they are."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scorch2.model.errors import UsageError, counted, enumerated, escaped, printable
from scorch2.model.options import DEFAULTS, Options
from scorch2.model.results import BREAKDOWN_METRICS, Breakdown, ClassRow, Confidence, Interval
from scorch2.model.score import AVERAGES, PARTS, AnyScore, Measured, Score, Tally, Value, finish, main_part
from scorch2.model.tables import Table
from scorch2.scoring.metrics import METRICS as ROWS
from scorch2.scoring.metrics.metric import AnyMetric, Metric

_RULES = {"skip": "0/0 is undefined and has no weight in a mean", "zero": "0/0 is undefined and counts 0"}
HEAD = ("metric", "recall", "precision", "F1", "recall counts", "precision counts")
_UNDEFINED = "0.00 (0/0)"
CLASSES = "Classes of mentions: counts are added over documents, whatever the average."
"""The note on the tables of a breakdown."""


class Scores(Protocol):
    """The fields of a `Report` that tables need."""

    scores: Mapping[str, AnyScore]
    rows: Sequence[AnyMetric]
    metrics: Sequence[Metric]
    documents: Sequence[Measured]
    options: Options
    confidence: Confidence | None
    skipped: Mapping[str, Mapping[str, int]]
    breakdown: Breakdown
    unit: str

    def listed(self) -> Sequence[Measured]:
        """Return the documents or files that have rows."""

    def tallies(self, name: str, documents: Sequence[Measured] | None = None) -> dict[str, Tally]:
        """Return the sums over documents of what a metric counts."""

    def signature(self) -> str:
        """Return the line that says how to get the numbers again."""

    def document_scores(self, document: Measured) -> dict[str, AnyScore]:
        """Return the scores of one document."""


def score_table(report: Scores, documents: Sequence[Measured] = ()) -> Table:
    """Return the table of `Report.table`, with rows for some documents first."""
    if not documents:
        return Table(HEAD, [_cells(report, row, report.scores[row.name]) for row in report.rows])
    rows: list[Sequence[str]] = []
    for document in documents:
        scores = report.document_scores(document)
        ident = one_line(document.id)
        rows += [(ident, *_cells(report, row, scores[row.name], document)) for row in report.rows]
    rows += [("all", *_cells(report, row, report.scores[row.name])) for row in report.rows]
    return Table((report.unit, *HEAD), rows)


def documents_in_order(
    report: Scores, sort: str | None = None, worst: int | None = None
) -> Sequence[Measured]:
    """Return the documents as they were read, or those with the lowest scores first.

    Documents with equal scores stay in the order they were read; those whose score is 0/0 come last.

    Parameters
    ----------
    report : Report
        Of these documents.
    sort : str, optional
        A metric of the report by its name or an alias: the order is by its F1, or its only part.
    worst : int, optional
        At most so many, the lowest; without `sort` by the CoNLL average, or the first metric.

    Raises
    ------
    UsageError
        For a metric that the report lacks.
    """
    listed = report.listed()
    if sort is None and worst is None:
        return listed
    name = default_sort(report) if sort is None else _meant(report, sort)
    scored = [(main_part(report.document_scores(document)[name]), document) for document in listed]
    ordered = sorted(scored, key=lambda pair: (not pair[0].defined, pair[0]))
    return [document for _, document in ordered[:worst]]


def default_sort(report: Scores) -> str:
    """Return the metric that documents are ordered by: the CoNLL average, or the first one."""
    return next((row.name for row in report.rows if row.name == "conll"), report.rows[0].name)


def _meant(report: Scores, sort: str) -> str:
    for row in report.rows:
        if sort == row.name or sort.casefold() in (row.name, *row.aliases):
            return row.name
    names = enumerated(row.name for row in report.rows)
    raise UsageError(f"documents cannot be ordered by {printable(sort)}: the report holds {names}")


def score_caption(report: Scores, table: Table) -> str:
    """Return in words what the numbers of `table` are."""
    mean = f"Scores: {AVERAGES[report.options.average].what}. Counts: sums over documents. Percent"
    undefined = (
        f"; {_RULES[report.options.undefined]}" if any(_UNDEFINED in row for row in table.rows) else ""
    )
    scores = mean if len(report.documents) > 1 else "Scores in percent"
    return f"{scores}{undefined}.{interval_caption(report)}"


def markdown_of(report: Scores) -> str:
    """Return the text of `Report.to_markdown`."""
    shown = score_table(report)
    said = " ".join([score_caption(report, shown), *score_notes(report)])
    return f"{shown.markdown()}\n\n{said}\n\n`{report.signature()}`\n"


def latex_of(report: Scores, documents: Sequence[Measured] = ()) -> str:
    """Return the report as LaTeX: a table with its caption, those of classes, notes as remarks."""
    from scorch2.model.tables import LATEX_PACKAGE, latex_comment

    shown = score_table(report, documents)
    parts = [LATEX_PACKAGE, shown.latex(score_caption(report, shown))]
    parts += [one.latex() for one in breakdown_tables(report.breakdown)]
    said = [*score_notes(report), *([report.signature()] if report.options.signature else [])]
    return "".join([*parts, *map(latex_comment, said)])


def score_notes(report: Scores) -> list[str]:
    """Return what else there is to know about the numbers, one sentence each."""
    found = [skipped_note(report), CLASSES if report.breakdown else ""]
    if report.options.average == DEFAULTS["average"] and len(report.documents) > 1:
        found.append("Most papers pool counts over documents instead: see scorch2 help paper.")
    return [note for note in found if note]


def skipped_note(report: Scores) -> str:
    """Say in how many documents a score is 0/0, so that the mean is over the others; empty if in none."""
    labels = {row.name: row.label for row in (*report.metrics, *report.rows)}
    unit = "file" if AVERAGES[report.options.average].by_file else "document"
    shown = []
    for name, parts in report.skipped.items():
        if name in {metric.name for metric in report.metrics}:
            shown.append(f"{labels[name]} in {counted(max(parts.values()), unit)}")
        else:
            shown.append(f"{', '.join(labels[one] for one in parts)} in the {labels[name]}")
    return f"Without weight since 0/0: {', '.join(shown)}." if shown else ""


def one_line(ident: str) -> str:
    """Return a document's id with tabs, line breaks and other control characters escaped."""
    return escaped(ident)


def _cells(report: Scores, row: AnyMetric, score: AnyScore, document: Measured | None = None) -> list[str]:
    values = score._asdict()
    shown = [_percent(values[part]) if part in values else "" for part in PARTS]
    if report.confidence and document is None:
        intervals = report.confidence.intervals[row.name]
        shown = [cell + _interval(intervals.get(part)) for cell, part in zip(shown, PARTS, strict=True)]
    tallies = list(report.tallies(row.name, None if document is None else [document]).values())
    if len(tallies) != 1:
        return [row.label, *shown, "", ""]
    tally = tallies[0]
    counts = {
        "recall": f"{tally.recall_num:.7g} / {tally.recall_den:.7g}",
        "precision": f"{tally.precision_num:.7g} / {tally.precision_den:.7g}",
    }
    return [row.label, *shown, *(text if part in values else "" for part, text in counts.items())]


def interval_caption(report: Scores) -> str:
    """Return the sentence on intervals, after a blank; nothing without them."""
    found = report.confidence
    if found is None:
        return ""
    how = f"{found.level:g} % intervals over {found.trials} draws of the documents, seed {found.seed}"
    return f" In brackets: {how}."


def _percent(value: Value) -> str:
    return f"{100 * value:.2f}" if value.defined else _UNDEFINED


def _interval(bounds: Interval) -> str:
    return "" if bounds is None else " [{:.2f}, {:.2f}]".format(*(100 * bound for bound in bounds))


_LABELS = {"mentions": "found"}


def breakdown_tables(found: Breakdown) -> list[Table]:
    """Return tables in percent, for reading; a score that is 0/0 is empty."""
    labels = [_LABELS.get(name, ROWS[name].label) for name in BREAKDOWN_METRICS]
    columns = [cell for label in labels for cell in (f"{label} R", "P", "F1")]
    return [
        Table((dimension, "gold", "system", *columns), [_class_cells(row) for row in rows])
        for dimension, rows in found.items()
    ]


def full_breakdown_tables(found: Breakdown) -> list[Table]:
    """Return tables of scores in 0..1 with full precision and counts, one row per class and metric."""
    return [
        Table(
            (dimension, "metric", *PARTS, *Tally._fields),
            [cells for row in rows for cells in _full_cells(row)],
        )
        for dimension, rows in found.items()
    ]


def _class_cells(row: ClassRow) -> Sequence[str]:
    mentions = row.tallies["mentions"]
    scores = [finish([row.tallies[name]]) for name in BREAKDOWN_METRICS]
    values = [f"{100 * value:.2f}" if value.defined else "" for score in scores for value in score]
    return [row.name, str(mentions.recall_den), str(mentions.precision_den), *values]


def _full_cells(row: ClassRow) -> list[list[str]]:
    return [
        [row.name, name, *_values(finish([tally])), *map(repr, tally)] for name, tally in row.tallies.items()
    ]


def _values(score: Score) -> list[str]:
    return [repr(float(value)) if value.defined else "" for value in score]
