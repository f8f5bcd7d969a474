"""Forms of scores as tables: for a terminal, a pull request, a paper and a spreadsheet.

In Markdown names are inert: what could be an image, a link, a mention of a person or HTML is shown as code.
In TSV a document whose name begins like a formula gets an apostrophe in front: see `model.escaping.tsv`.
"""

from collections.abc import Sequence
from textwrap import fill

from scorch2.model.errors import escaped
from scorch2.model.results import verdict_summary
from scorch2.model.score import PARTS, Measured, Tally, main_part, percent
from scorch2.reports.rows import (
    CLASS_COUNTS,
    COUNTS,
    breakdown_tables,
    class_caption,
    documents_in_order,
    exact,
    full_breakdown_tables,
    score_caption,
    score_notes,
    score_table,
    verdict_table,
)
from scorch2.scoring.layout.escaping import markdown_code
from scorch2.scoring.layout.tables import LATEX_PACKAGE, WIDTH, Paper, Table, latex_comment, room_note
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report


def scores_table(report: Report, documents: Sequence[Measured], width: int | None = None) -> str:
    """Return the aligned table, sentences on the numbers, all in lines that fit, and the signature."""
    # On a terminal, whose `width` is given, counts are left out first
    table, room = score_table(report, documents), width or WIDTH
    parts, left_out = breakdown_tables(report.breakdown), []
    if width is not None:
        whole = table if any(row[-1] or row[-2] for row in table.rows) else table.without(COUNTS)
        table = whole if whole.is_fit(width) else whole.without(COUNTS)
        lean = [part.lean([CLASS_COUNTS], width) for part in parts]
        left_out = [room_note(*of, "tsv") for of in zip((whole, *parts), (table, *lean), strict=True)]
        parts = lean
    classes = [line for part in parts for line in (part.fitted(room), "")]
    notes = [score_caption(report, table), *score_notes(report), *dict.fromkeys(filter(None, left_out))]
    said = [fill(words, min(room, WIDTH)) for words in notes]
    lines = [table.fitted(room), "", *classes, *said]
    if report.options.signature:
        lines.append(escaped(report.signature()))
    return "\n".join(lines) + "\n"


LOWEST = 5


def scores_markdown(report: Report, documents: Sequence[Measured]) -> str:
    """Return gates, scores with their change against a baseline, and the lowest documents."""
    parts = []
    if report.gates:
        parts += [f"**{verdict_summary(report.gates)}**", verdict_table(report.gates).markdown()]
    table = score_table(report, documents)
    said = " ".join([score_caption(report, table), *score_notes(report)])
    parts += [_with_change(report, table).markdown(), said]
    parts += [classes.markdown() for classes in breakdown_tables(report.breakdown)]
    if len(report.documents) > 1 and (report.unit == "file" or not documents):
        parts.append(_lowest(report))
    if report.options.signature:
        parts.append(markdown_code(report.signature()))
    return "\n\n".join(parts) + "\n"


def _with_change(report: Report, table: Table) -> Table:
    """Add the change of F1, or of the only part, since the baseline, in percentage points."""
    if report.baseline is None:
        return table
    corpus = len(table.rows) - len(report.rows)
    changes = [""] * corpus
    for row in report.rows:
        now, before = report.scores[row.name], report.baseline.get(row.name)
        changes.append("" if before is None else f"{100 * (main_part(now) - main_part(before)):+.2f}")
    place = list(table.head).index("F1") + 1
    columns = zip([table.head, *table.rows], ["change", *changes], strict=True)
    head, *rows = ([*cells[:place], change, *cells[place:]] for cells, change in columns)
    return Table(head, rows)


def _lowest(report: Report) -> str:
    """Return a table of the documents with the lowest CoNLL average, or score of the first metric."""
    name = report.main_metric()
    label = next(row.label for row in report.rows if row.name == name)
    rows = []
    for document in documents_in_order(report, name, LOWEST):
        value = main_part(report.document_scores(document)[name])
        if value.defined:
            mentions = (str(document.gold_mentions), str(document.system_mentions))
            rows.append((document.id, percent(value), *mentions))
    table = Table(("document", label, "gold mentions", "system mentions"), rows)
    return f"<details><summary>Lowest documents</summary>\n\n{table.markdown()}\n\n</details>"


def to_markdown_of_scores(report: Report) -> str:
    """Return the table of the corpus as Markdown with the signature below it, as Python has it."""
    table = score_table(report)
    said = " ".join([score_caption(report, table), *score_notes(report)])
    return f"{table.markdown()}\n\n{said}\n\n`{report.signature()}`\n"


def scores_latex(report: Report, documents: Sequence[Measured] = (), paper: str | None = None) -> str:
    """Return a table with its caption, those of classes, and notes and the signature as remarks."""
    # A column has no room for counts, nor, unless it is asked for, for rows of documents
    paper = paper or ("page" if documents else "column")
    table = score_table(report, documents)
    table = table if paper == "page" else table.without(COUNTS)
    parts = [LATEX_PACKAGE, table.latex(score_caption(report, table), Paper("scores", paper))]
    parts += [
        classes.latex(class_caption(name), Paper(name, paper))
        for name, classes in zip(report.breakdown, breakdown_tables(report.breakdown), strict=True)
    ]
    said = [*score_notes(report), *([report.signature()] if report.options.signature else [])]
    return "".join([*parts, *map(latex_comment, said)])


TSV_HEAD = ("document", "metric", *PARTS, *Tally._fields)
INTERVALS = tuple(f"{part}_{end}" for part in PARTS for end in ("low", "high"))
"""The last columns of a report with intervals; empty in the rows of documents."""
CORPUS = "*"  # the name in the column ``document`` for the rows of the corpus, which come last


def scores_tsv(report: Report, documents: Sequence[Measured]) -> str:
    """Return rows under `TSV_HEAD`; undefined scores and the counts of metrics of several parts are empty."""
    rows = []
    for document in documents:
        rows += [_tsv_row(report, row, document) for row in report.rows]
    rows += [_tsv_row(report, row) for row in report.rows]
    scores = Table((report.unit, *TSV_HEAD[1:], *(INTERVALS if report.confidence else ())), rows)
    lines = ["\n\n".join(table.tsv() for table in (scores, *full_breakdown_tables(report.breakdown)))]
    if report.options.signature:
        said = [report.skipped_note(), report.signature()]
        lines += [f"# {escaped(line)}" for line in said if line]
    return "\n".join(lines) + "\n"


def _tsv_row(report: Report, row: AnyMetric, document: Measured | None = None) -> tuple[str, ...]:
    scores = report.scores if document is None else report.document_scores(document)
    values = scores[row.name]._asdict()
    shown = [exact(values[part]) if part in values else "" for part in PARTS]
    tallies = list(report.tallies(row.name, None if document is None else [document]).values())
    counts = [repr(count) for count in tallies[0]] if len(tallies) == 1 else [""] * len(Tally._fields)
    name = CORPUS if document is None else document.id
    return (name, row.name, *shown, *counts, *_tsv_intervals(report, row.name, document))


def _tsv_intervals(report: Report, metric: str, document: Measured | None) -> list[str]:
    if report.confidence is None:
        return []
    if document is not None:
        return [""] * len(INTERVALS)
    intervals = report.confidence.intervals[metric]
    ends = [intervals.get(part) for part in PARTS]
    return [cell for bounds in ends for cell in (("", "") if bounds is None else map(repr, bounds))]
