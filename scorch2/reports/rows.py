"""A report and its breakdown as rows of text cells, and as tables: for a terminal, a pull request, a paper.

In Markdown names are inert: what could be an image, a link, a mention of a person or HTML is shown as code.
In TSV a document whose name begins like a formula gets an apostrophe in front.
"""

from collections.abc import Sequence
from operator import methodcaller

from scorch2.model.errors import UsageError, counted, enumerated, escaped, printable
from scorch2.model.forms import Form, Shown, function_at, render
from scorch2.model.results import BREAKDOWN_METRICS, Breakdown, Interval, verdict_summary
from scorch2.model.score import (
    AVERAGES,
    PARTS,
    AnyScore,
    Measured,
    Score,
    Tally,
    Value,
    finish,
    main_part,
    percent,
    points,
    ratios,
)
from scorch2.scoring.layout.escaping import html_text
from scorch2.scoring.layout.sheets import Content, Sheet, lean
from scorch2.scoring.layout.tables import Listing, Table, between, latex_text, room_note
from scorch2.scoring.metrics import METRICS as ROWS
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report

_RULES = {"skip": "0/0 is undefined and has no weight in a mean", "zero": "0/0 is undefined and counts 0"}
COUNTS = ("recall counts", "precision counts")
HEAD = ("metric", "recall", "precision", "F1", *COUNTS)
CLASS_COUNTS = ("gold", "system")
_UNDEFINED = "0.00 (0/0)"
CLASSES = "Classes of mentions: counts are added over documents, whatever the average."


def score_table(report: Report, documents: Sequence[Measured] = ()) -> Table:
    """Return the table of the corpus, with rows for some documents first."""
    rows = []
    for document in [*documents, None]:
        scores = report.scores if document is None else report.document_scores(document)
        name = "all" if document is None else escaped(document.id)
        rows += [[name, *_cells(report, row, scores[row.name], document)] for row in report.rows]
    table = Table((report.unit, *HEAD), rows)
    return table if documents else table.without([report.unit])


def table_of_scores(
    report: Report, *, per_document: bool = False, sort: str | None = None, worst: int | None = None
) -> Table:
    """Return the table of `Report.table`."""
    return score_table(report, documents_in_order(report, sort, worst) if per_document else ())


def str_of_scores(report: Report) -> str:
    """Return the table of the corpus for a terminal."""
    return score_table(report).fitted()


def notebook(table: Table | str, notices: Sequence[str]) -> str:
    """Return a table of a notebook, or its HTML, with warnings below it."""
    shown = table if isinstance(table, str) else table.html()
    return f"{shown}\n<p>{'<br>'.join(map(html_text, notices))}</p>" if notices else shown


def preformatted(value: Shown) -> str:
    """Return the text of a value that has no table, for a notebook."""
    return f"<pre>{html_text(render(value, 'text'))}</pre>"


def listings_before(listings: Sequence[Listing], form: Form) -> str:
    """Return listings as they stand before a report; JSON holds them inside, other forms lack them."""
    if not form.listing:
        return ""
    shown = [one.table() for one in listings if one.is_detail or not form.lists_details_alone]
    as_text = function_at(form.listing) if ":" in form.listing else methodcaller(form.listing)
    return "".join(f"{as_text(table)}\n\n" for table in shown)


def documents_in_order(
    report: Report, sort: str | None = None, worst: int | None = None
) -> Sequence[Measured]:
    """Return the documents as they were read, or the `worst` by a metric, the lowest score first."""
    # The order is by F1, or the only part; equal scores stay as they were read, 0/0 comes last
    listed = report.listed()
    if sort is None and worst is None:
        return listed
    name = report.main_metric() if sort is None else report.meant(sort)
    if name is None:
        names = enumerated(row.name for row in report.rows)
        raise UsageError(f"documents cannot be ordered by {printable(str(sort))}: the report holds {names}")
    scored = [(main_part(report.document_scores(document)[name]), document) for document in listed]
    ordered = sorted(scored, key=lambda pair: (not pair[0].defined, pair[0]))
    return [document for _, document in ordered[:worst]]


def score_caption(report: Report, table: Table) -> str:
    """Return in words what the numbers of `table` are."""
    counts = " Counts: sums over documents." if COUNTS[0] in table.head else ""
    mean = f"Scores: {AVERAGES[report.options.average].what}.{counts} Percent"
    has_undefined = any(_UNDEFINED in row for row in table.rows)
    undefined = f"; {_RULES[report.options.undefined]}" if has_undefined else ""
    scores = mean if len(report.documents) > 1 else "Scores in percent"
    return f"{scores}{undefined}.{interval_caption(report)}"


def score_notes(report: Report) -> list[str]:
    """Return what else there is to know about the numbers, one sentence each."""
    classes = CLASSES if report.breakdown else ""
    notes = [report.skipped_note(), _means_note(report), classes, report.average_note()]
    return [note for note in notes if note]


def _sized_notes(report: Report) -> list[str]:
    """Return the notes after the sizes of both sides, which a page shows by themselves."""
    gold, system = report.sizes()
    return [f"{counted(gold, 'mention')} of gold, {system} of the system.", *score_notes(report)]


def _means_note(report: Report) -> str:
    """Explain F1 where it is a mean, and not what recall and precision in its row give; or nothing."""
    average = AVERAGES[report.options.average]
    is_mean = average.weigh is not None and len(report.files() or report.documents) != 1
    scores = [score for score in report.scores.values() if is_mean and isinstance(score, Score)]
    if all(percent(ratios((r, 1, p, 1))[2]) == percent(f1) for r, p, f1 in scores):
        return ""
    unit = "files" if average.by_file else "documents"
    return f"F1 is the mean of the {unit}' F1, not made from the mean R and P."


def _cells(report: Report, row: AnyMetric, score: AnyScore, document: Measured | None) -> list[str]:
    values = score._asdict()
    ends = report.confidence.intervals[row.name] if report.confidence and document is None else {}
    shown = {part: percent(value, _UNDEFINED) + between(ends.get(part)) for part, value in values.items()}
    cells = [row.label, *(shown.get(part, "") for part in PARTS)]
    tallies = list(report.tallies(row.name, None if document is None else [document]).values())
    if len(tallies) != 1:
        return [*cells, "", ""]
    tally = tallies[0]
    counts = {
        "recall": f"{tally.recall_num:.7g} / {tally.recall_den:.7g}",
        "precision": f"{tally.precision_num:.7g} / {tally.precision_den:.7g}",
    }
    return [*cells, *(text if part in values else "" for part, text in counts.items())]


def interval_caption(report: Report) -> str:
    """Return the sentence on intervals, after a space; nothing without them."""
    made = report.confidence
    return "" if made is None else f" In brackets: {made.in_words}, seed {made.seed}."


def exact(value: Value) -> str:
    """Return a score in 0..1 with full precision; empty for 0/0."""
    return repr(float(value)) if value.defined else ""


def exact_ends(ends: Interval) -> list[str]:
    """Return the ends of an interval with full precision; empty without one."""
    return ["", ""] if ends is None else [*map(repr, ends)]


_LABELS = {"mentions": "found"}


def breakdown_tables(breakdown: Breakdown) -> list[Table]:
    """Return tables in percent, for reading; a score that is 0/0 is empty."""
    tables = []
    for dimension, rows in breakdown.items():
        names = list(rows[0].tallies) if rows else BREAKDOWN_METRICS
        labels = [_LABELS.get(name, ROWS[name].label) for name in names]
        columns = [cell for label in labels for cell in (f"{label} R", "P", "F1")]
        head = (dimension, *CLASS_COUNTS, *columns)
        cells = []
        for row in rows:
            scores = [finish([tally]) for tally in row.tallies.values()]
            values = [percent(value, "") for score in scores for value in score]
            sizes = row.tallies["mentions"].recall_den, row.tallies["mentions"].precision_den
            cells.append([row.name, *map(str, sizes), *values])
        tables.append(Table(head, cells))
    return tables


def class_caption(dimension: str) -> str:
    """Return in words what a table of `breakdown_tables` is."""
    return f"Scores by {dimension}. Percent; counts are added over documents, whatever the average."


def full_breakdown_tables(breakdown: Breakdown) -> list[Table]:
    """Return tables of scores in 0..1 with full precision and counts, one row per class and metric."""
    head = ("metric", *PARTS, *Tally._fields)
    tables = []
    for dimension, rows in breakdown.items():
        tallies = [(row.name, *one) for row in rows for one in row.tallies.items()]
        cells = [[*names, *map(exact, finish([tally])), *map(repr, tally)] for *names, tally in tallies]
        tables.append(Table((dimension, *head), cells))
    return tables


def scores_table(report: Report, documents: Sequence[Measured], width: int | None = None) -> str:
    """Return the aligned table, sentences on the numbers, all in lines that fit, and the signature."""
    # On a terminal, whose `width` is given, counts are left out first
    table = score_table(report, documents)
    has_counts = width is None or any(row[-1] or row[-2] for row in table.rows)
    whole = table if has_counts else table.without(COUNTS)
    scores = whole if width is None or whole.width() <= width else whole.without(COUNTS)
    classes, left_out = lean(breakdown_tables(report.breakdown), [CLASS_COUNTS], width)
    said = [score_caption(report, scores), *_sized_notes(report), room_note(whole, scores, "tsv"), *left_out]
    return Sheet([scores, *classes, "\n".join(filter(None, said))], signature_of(report)).text(width)


def signature_of(report: Report) -> str:
    """Return the signature of a report; nothing if it is not wanted."""
    return report.signature() if report.options.signature else ""


LOWEST = 5


def scores_markdown(report: Report, documents: Sequence[Measured]) -> str:
    """Return gates, scores with their change against a baseline, and the lowest documents."""
    parts: list[Content] = []
    if report.gates:
        from scorch2.audit.judge import verdict_table

        parts += [f"**{verdict_summary(report.gates)}**", verdict_table(report.gates)]
    table = score_table(report, documents)
    said = " ".join([score_caption(report, table), *_sized_notes(report)])
    parts += [_with_change(report, table), said, *breakdown_tables(report.breakdown)]
    if len(report.documents) > 1 and (report.unit == "file" or not documents):
        parts.append(_lowest(report))
    return Sheet(parts, signature_of(report)).markdown()


def _with_change(report: Report, table: Table) -> Table:
    """Add the change of F1, or of the only part, since the baseline, in percentage points."""
    if report.baseline is None:
        return table
    corpus = len(table.rows) - len(report.rows)
    changes = [""] * corpus
    for row in report.rows:
        now, before = report.scores[row.name], report.baseline.get(row.name)
        changes.append("" if before is None else points(main_part(now) - main_part(before)))
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
    said = " ".join([score_caption(report, table), *_sized_notes(report)])
    return Sheet([table, said], report.signature()).markdown()


def scores_latex(report: Report, documents: Sequence[Measured] = (), paper: str | None = None) -> str:
    """Return a table with its caption, those of classes, and notes and the signature as remarks."""
    # A column has no room for counts, nor, unless it is asked for, for rows of documents
    paper = paper or ("page" if documents else "column")
    table = score_table(report, documents)
    table = table if paper == "page" else table.without(COUNTS)
    parts: list[Content] = [table, *breakdown_tables(report.breakdown), *_sized_notes(report)]
    captions = [("scores", score_caption(report, table))]
    captions += [(name, class_caption(name)) for name in report.breakdown]
    papers = [(label, latex_text(said)) for label, said in captions]
    return Sheet(parts, signature_of(report), papers).latex(paper)


TSV_HEAD = ("document", "metric", *PARTS, *Tally._fields)
INTERVALS = tuple(f"{part}_{end}" for part in PARTS for end in ("low", "high"))
"""The last columns of a report with intervals; empty in the rows of documents."""
CORPUS = "*"  # the name in the column ``document`` for the rows of the corpus, which come last


def scores_tsv(report: Report, documents: Sequence[Measured]) -> str:
    """Return rows under `TSV_HEAD`; undefined scores and the counts of metrics of several parts are empty."""
    rows = []
    for document in [*documents, None]:
        values = report.scores if document is None else report.document_scores(document)
        rows += [_tsv_row(report, row, values[row.name], document) for row in report.rows]
    scores = Table((report.unit, *TSV_HEAD[1:], *(INTERVALS if report.confidence else ())), rows)
    said = [report.skipped_note()] if report.options.signature else []
    return Sheet([scores, *full_breakdown_tables(report.breakdown), *said], signature_of(report)).tsv()


def _tsv_row(report: Report, row: AnyMetric, score: AnyScore, document: Measured | None) -> list[str]:
    values = score._asdict()
    shown = [exact(values[part]) if part in values else "" for part in PARTS]
    tallies = list(report.tallies(row.name, None if document is None else [document]).values())
    counts = [repr(count) for count in tallies[0]] if len(tallies) == 1 else [""] * len(Tally._fields)
    name = CORPUS if document is None else document.id
    intervals = report.confidence.intervals[row.name] if report.confidence and document is None else {}
    ends = [cell for part in PARTS if report.confidence for cell in exact_ends(intervals.get(part))]
    return [name, row.name, *shown, *counts, *ends]


_UA_NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_e": "ceafe",
    "ceaf_m": "ceafm",
    "blanc": "blanc",
    "lea": "lea",
    "mention_overlap": "mor",
    "zero_anaphora": "zero",
}
"""The names of metrics there, in the order of that report. Others come behind them, by our names."""
_UA_BLOCKS = (
    {"non_referring": "Non-referring markable identification scores:"},
    {
        "bridging_anaphor": "Bridging anaphora recognition scores:",
        "bridging_mention": "Full bridging scores (Markable Level):",
        "bridging_entity": "Full bridging scores (Entity Level):",
    },
)
"""The headings of metrics that have a part of their own, each part after a line."""
_UA_RULE = "=" * 44
_UA_SIGNS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def scores_ua(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - there are no lines of documents
    """Return two lines per metric, percent with two decimals, and 0/0 as 0."""
    apart = {"conll", *(name for block in _UA_BLOCKS for name in block)}
    names = [name for name in report.scores if name not in apart]
    known = [name for name in _UA_NAMES if name in names]
    lines = []
    for name in dict.fromkeys([*known, *names]):
        lines += [_UA_NAMES.get(name, name), _ua_numbers(report.scores[name])]
    if "conll" in report.scores:
        lines.append(f"CoNLL score: {percent(report.scores['conll'].f1)}")
    for block in _UA_BLOCKS:
        scored = [name for name in block if name in report.scores]
        lines += [_UA_RULE] if scored else []
        for name in scored:
            lines += [block[name], _ua_numbers(report.scores[name])]
    return "".join(f"{escaped(line)}\n" for line in lines)


def _ua_numbers(score: AnyScore) -> str:
    values = score._asdict()
    return "  ".join(f"{_UA_SIGNS[part]}: {percent(values[part])}" for part in _UA_SIGNS if part in values)
