"""The Markdown report: gates, scores and the lowest documents, for a reviewer of a pull request.

Names are inert: what could be an image, a link, a mention of a person or HTML is shown as code.
"""

from collections.abc import Sequence

from scorch2.model.escaping import markdown_code
from scorch2.model.results import verdict_summary, verdict_table
from scorch2.model.score import Measured, main_part
from scorch2.model.tables import Table
from scorch2.reports.rows import breakdown_tables, default_sort, documents_in_order, score_table
from scorch2.scoring.report import Report

LOWEST = 5
"""The number of documents with the lowest scores to show."""


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return gates, scores with their change against a baseline, and the lowest documents."""
    parts = []
    if report.gates:
        parts += [f"**{verdict_summary(report.gates)}**", verdict_table(report.gates).markdown()]
    table = score_table(report, documents)
    parts += [_with_change(report, table).markdown(), " ".join([report.caption(table), *report.notes()])]
    parts += [one.markdown() for one in breakdown_tables(report.breakdown)]
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
    rows = [
        [*cells[:place], change, *cells[place:]] for cells, change in zip(table.rows, changes, strict=True)
    ]
    return Table([*table.head[:place], "change", *table.head[place:]], rows)


def _lowest(report: Report) -> str:
    """Return a table of the documents with the lowest CoNLL average, or score of the first metric."""
    name = default_sort(report)
    label = next(row.label for row in report.rows if row.name == name)
    rows = []
    for document in documents_in_order(report, name, LOWEST):
        value = main_part(report.document_scores(document)[name])
        if value.defined:
            mentions = (str(document.gold_mentions), str(document.system_mentions))
            rows.append((document.id, f"{100 * value:.2f}", *mentions))
    table = Table(("document", label, "gold mentions", "system mentions"), rows)
    return f"<details><summary>Lowest documents</summary>\n\n{table.markdown()}\n\n</details>"
