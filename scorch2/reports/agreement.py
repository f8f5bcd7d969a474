"""Forms of the agreement of annotators: pairs in rows, metrics and coefficients in columns, the mean last."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from scorch2.analysis.agreement import COEFFICIENTS, COUNTED, ONE_SIDED, Agreement, AnnotatorPair, DocumentRow
from scorch2.analysis.systems import Column
from scorch2.model.results import Interval
from scorch2.model.score import AVERAGES, UNDEFINED_SHOWN, Value, plain_value
from scorch2.reports.json import plain_ends
from scorch2.reports.page.frame import Html, Section, framed, html_table, name_of, text
from scorch2.reports.rows import exact, exact_ends
from scorch2.scoring.layout import tables
from scorch2.scoring.layout.escaping import in_frame
from scorch2.scoring.layout.sheets import Content, Sheet
from scorch2.scoring.layout.tables import between
from scorch2.scoring.metrics.metric import ONLY

_Values: TypeAlias = Callable[[Column], Value]
_Intervals: TypeAlias = Callable[[Column], Interval]
TITLE = "Agreement of annotators"
MEAN = "mean"
_NAMES = ("first", "second")
UNITS = "units"
_MOST_DOCUMENTS = 5000  # rows of documents on a page
_OF = {
    "shared": "mentions that both annotators marked",
    "all": "all mentions, those of one annotator as singletons of the other",
}


def annotators_table(agreed: Agreement, width: int = tables.WIDTH) -> str:
    """Return aligned columns, F1 in percent, for a terminal."""
    return _sheet(agreed).text(width)


def annotators_markdown(agreed: Agreement) -> str:
    """Return the table for a pull request or a wiki."""
    return _sheet(agreed).markdown()


def annotators_latex(agreed: Agreement, paper: str = "column") -> str:
    """Return the table for a paper: rules of booktabs."""
    return _sheet(agreed, in_paper=True).latex(paper)


def _sheet(agreed: Agreement, *, in_paper: bool = False) -> Sheet:
    """Return pairs and documents, if these are listed; a paper has words in captions."""
    said = caption(agreed)
    listed = [] if agreed.listed is None else [documents_table(agreed)]
    parts: list[Content] = [pairs_table(agreed), *([] if in_paper else [said]), *listed]
    captions = [("agreement", said), *(("documents", _order(agreed)) for _ in listed)]
    papers = [(label, tables.latex_text(said)) for label, said in captions]
    return Sheet(parts, agreed.signature() if agreed.shows_signature else "", papers)


def annotators_tsv(agreed: Agreement) -> str:
    """Return tab-separated rows with full precision, F1 in 0..1; sentences stand after ``#``."""
    more = ("low", "high") if agreed.sampled else ()
    head = ["document", *_NAMES]
    for column in agreed.columns:
        head += [_key(column), *(f"{_key(column)}.{end}" for end in more)]

    def cells(value: _Values, interval: _Intervals) -> list[str]:
        ends = [exact_ends(interval(column)) if more else [] for column in agreed.columns]
        both = zip(agreed.columns, ends, strict=True)
        return [cell for column, others in both for cell in (exact(value(column)), *others)]

    listed = [] if agreed.listed is None else _listed(agreed)
    rows = [[one.id, *one.names, *cells(one.values.__getitem__, lambda _: None)] for one in listed]
    rows += [["all", *pair.names, *cells(pair.value, pair.intervals.get)] for pair in agreed.pairs]
    if agreed.pairs[1:]:
        rows.append(["all", MEAN, "", *cells(agreed.mean, agreed.mean_intervals.get)])
    table = tables.Table(head, rows)
    said = [caption(agreed, in_percent=False), agreed.signature()] if agreed.shows_signature else []
    return Sheet([table if listed else table.without(["document"]), *said]).tsv()


def annotators_html(agreed: Agreement) -> str:
    """Return a page: of tables, or with the differences of two annotators in the text if it has them."""
    if agreed.page is not None:
        from scorch2.reports.page.documents import page_of_annotators

        pair = pairs_table(agreed).without((*_NAMES, UNITS))
        rows = [*zip(pair.head, pair.rows[0], strict=True)]
        said = f"{caption(agreed)} There are {agreed.pairs[0].units()}."
        return page_of_annotators(agreed.page, tables.Table(("measure", "A and B"), rows), said)
    sections = [Section("agreement", "Agreement", _element("Agreement of pairs", pairs_table(agreed)))]
    if any(pair.report.documents[1:] for pair in agreed.pairs):
        listed = _element("Agreement on each document", documents_table(agreed, _MOST_DOCUMENTS))
        sections.append(Section("documents", "Documents", listed))
    made = agreed.signature() if agreed.shows_signature else ""
    return framed(TITLE, caption(agreed), made, sections, has_texts=False)


def _element(caption: str, table: tables.Table) -> Html:
    """Return a table whose names, left of the number of units, are heads of their rows."""
    names = table.head.index(UNITS)
    rows = [[*map(name_of, row[:names]), *map(text, row[names:])] for row in table.rows]
    return html_table(text(caption), [*map(text, table.head)], rows, names=names)


def pairs_table(agreed: Agreement) -> tables.Table:
    """Return one row for every pair, and one for their mean if there are several."""

    def cells(value: _Values, interval: _Intervals) -> list[str]:
        return [_cell(column, value(column), interval(column)) for column in agreed.columns]

    rows = [[*pair.names, str(pair.units()), *cells(pair.value, pair.intervals.get)] for pair in agreed.pairs]
    if agreed.pairs[1:]:
        rows.append([MEAN, "", "", *cells(agreed.mean, agreed.mean_intervals.get)])
    return tables.Table([*_NAMES, UNITS, *(column.label for column in agreed.columns)], rows)


def documents_table(agreed: Agreement, most: int | None = None) -> tables.Table:
    """Return one row for every document and pair, or the `most` lowest; without names if there are two."""
    rows = [
        [row.id, *row.names, str(row.units), *(_cell(*value) for value in row.values.items())]
        for row in _listed(agreed)[:most]
    ]
    table = tables.Table(["document", *_NAMES, UNITS, *(column.label for column in agreed.columns)], rows)
    return table if agreed.pairs[1:] else table.without(_NAMES)


def _listed(agreed: Agreement) -> list[DocumentRow]:
    sort, worst = agreed.listed or (None, None)
    return agreed.documents(sort)[:worst]


def _cell(column: Column, value: Value, interval: Interval = None) -> str:
    """Return F1 in percent and a coefficient as it is, with its interval if there is one."""
    scale, digits = (1, 4) if column.metric in COEFFICIENTS else (100, 2)
    if not value.defined:
        return UNDEFINED_SHOWN
    ends = between(interval, lambda end: f"{scale * end:.{digits}f}")
    return f"{round(scale * value, digits) + 0.0:.{digits}f}{ends}"


def caption(agreed: Agreement, *, in_percent: bool = True) -> str:
    """Return in words what the numbers are."""
    report = agreed.pairs[0].report
    of_chance = [column.label for column in agreed.columns if column.metric in COEFFICIENTS]
    several = len(report.documents) > 1
    parts = []
    if len(of_chance) < len(agreed.columns):
        mean = f"; {AVERAGES[report.options.average].what}" if several else ""
        unit = "percent" if in_percent else "0..1"
        is_alike = not any(column.metric in ONE_SIDED for column in agreed.columns)
        gold = "the same whoever is taken for gold" if is_alike else "the first annotator is taken for gold"
        parts.append(f"F1 in {unit}, {gold}{mean}.")
    if of_chance:
        added = ", counts added over documents" if several else ""
        parts.append(f"{', '.join(of_chance)}: 1 is perfect, 0 is chance{added}.")
    parts.append(f"Units: {_OF[agreed.units]}.")
    if agreed.sampled is not None:
        how = f"{agreed.sampled.level:g} % intervals over {agreed.sampled.trials} bootstrap resamples"
        parts.append(f"{'In brackets' if in_percent else 'low, high'}: {how} of the documents.")
    if agreed.listed is not None and in_percent:
        parts.append(_order(agreed))
    return " ".join(parts)


def _order(agreed: Agreement) -> str:
    sort = agreed.listed.sort if agreed.listed else None
    return f"Documents: the lowest {agreed.first_column(sort).label} first."


def _key(column: Column) -> str:
    return column.metric if column.metric in COEFFICIENTS else f"{column.metric}.{column.part}"


def to_dict_of_annotators(agreed: Agreement) -> dict[str, Any]:
    """Return the JSON form: one entry per pair. F1 is in 0..1, coefficients up to 1, 0/0 is None."""
    shown = {
        "signature": agreed.signature(),
        "run": dict(agreed.run),
        "units": agreed.units,
        "annotators": list(agreed.annotators),
        "pairs": [_plain_pair(agreed, pair) for pair in agreed.pairs],
        "mean": _plain(agreed, agreed.mean, agreed.mean_intervals.get),
        "documents": [
            {
                "id": row.id,
                "annotators": list(row.names),
                "mentions": list(row.mentions),
                "units": row.units,
                "scores": {column.metric: plain_value(value) for column, value in row.values.items()},
            }
            for row in agreed.documents()
        ],
    }
    return in_frame(shown, agreed.notices)


def _plain_pair(agreed: Agreement, pair: AnnotatorPair) -> dict[str, Any]:
    counts = {name: pair.chance.tallies(name)[ONLY] for name in pair.chance.scores}
    return {
        "annotators": list(pair.names),
        "documents": len(pair.report.documents),
        "mentions": list(pair.mentions()),
        "units": pair.units(),
        **_plain(agreed, pair.value, pair.intervals.get),
        "counts": {name: dict(zip(COUNTED[name], tally, strict=True)) for name, tally in counts.items()},
    }


def _plain(agreed: Agreement, value: _Values, interval: _Intervals) -> dict[str, Any]:
    scores = {column.metric: plain_value(value(column)) for column in agreed.columns}
    if agreed.sampled is None:
        return {"scores": scores, "confidence": None}
    ends = {column.metric: interval(column) for column in agreed.columns}
    return {"scores": scores, "confidence": {**agreed.sampled._asdict(), "intervals": plain_ends(ends)}}


def to_records_of_annotators(agreed: Agreement) -> list[dict[str, Any]]:
    """Return a flat dict for every pair and column, and for every document of it; the mean has no names."""
    records = []
    for names, value, interval in (
        *((pair.names, pair.value, pair.intervals.get) for pair in agreed.pairs),
        ((None, None), agreed.mean, agreed.mean_intervals.get),
    ):
        every = ((column, value(column), interval(column)) for column in agreed.columns)
        records += [_record(names, None, *one) for one in every]
    for row in agreed.documents():
        records += [_record(row.names, row.id, column, value, None) for column, value in row.values.items()]
    return records


def _record(
    names: Sequence[str | None], document: str | None, column: Column, value: Value, ends: Interval
) -> dict[str, Any]:
    low, high = ends or (None, None)
    whose = dict(zip(_NAMES, names, strict=True))
    found = {"metric": column.metric, "value": plain_value(value), "low": low, "high": high}
    return {**whose, "document": document, **found}
