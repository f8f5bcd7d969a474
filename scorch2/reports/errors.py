"""Forms of the analysis: the tables of errors, of classes, windows and a second system."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from scorch2.analysis.error_report import ErrorReport, Place
from scorch2.analysis.kinds import ALL, KINDS, Count, counts_of, plural
from scorch2.analysis.links import Gains, LinkChanges, gain_of
from scorch2.analysis.listing import first_upper
from scorch2.model.besides import in_words, together
from scorch2.model.errors import escaped
from scorch2.model.score import main_part, percent, points
from scorch2.reports.json import plain_ends, plain_scores, to_dict_of_scores
from scorch2.reports.lists import (
    ENTITIES,
    example_remarks,
    in_gb4e,
    listing_parts,
    listing_table,
    read_listing,
)
from scorch2.reports.rows import (
    CLASS_COUNTS,
    CLASSES,
    breakdown_tables,
    class_caption,
    exact,
    exact_ends,
    full_breakdown_tables,
    interval_caption,
    signature_of,
)
from scorch2.scoring.layout.escaping import markdown_text
from scorch2.scoring.layout.sheets import Content, Sheet, lean, verbatim
from scorch2.scoring.layout.tables import Table, between, latex_text

SINGLETONS = "  singletons"
"""The row for the entities of one mention among those of a kind."""
NOT_COPIED = "  not copied"
"""The row for the part of a kind that a copy makes which lacks words."""
_SHORT_COLUMNS = ("errors", "mentions", "lost_recall", "lost_precision")


def asked_tables(report: ErrorReport, *, full: bool = False) -> Iterator[tuple[str, str, Table]]:
    """Yield label, caption and table of all that was asked for besides the errors; `full` is for TSV."""
    of_classes = (full_breakdown_tables if full else breakdown_tables)(report.report.breakdown)
    for dimension, table in zip(report.report.breakdown, of_classes, strict=True):
        yield dimension, class_caption(dimension), table
    marks = {} if full else {kind: row.look.mark for kind, row in KINDS.items()}
    for name, rows in _counted(report).items():
        if rows:
            head = [marks.get(column, column) for column in rows[0]]
            yield name, _COUNTED[name], Table(head, [[*map(str, row.values())] for row in rows])
    if report.windows:
        yield "windows", "F1 by the tokens of a window.", _windows_table(report, full=full)
    if report.what_if:
        yield "what-if", WHAT_IF, _what_if_table(report, full=full)
    if report.compared is not None:
        said = f"Links that the second system fixes and loses. {compared_caption(report.compared)}"
        yield "links", said, _compared_table(report.compared, full=full)
        yield "contrasts", _contrast_caption(report), _contrast_table(report, full=full)


def _tables(report: ErrorReport, *, full: bool = False) -> list[Table]:
    errors = _full_errors(report) if full else error_table(report)
    return [errors, *(table for _, _, table in asked_tables(report, full=full))]


def _counted(report: ErrorReport) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of what errors are counted by, as JSON has them."""
    patterns: list[dict[str, Any]] = [
        {"pattern": name, "errors": count.errors, "mentions": count.mentions, "links": count.links}
        for name, count in report.patterns.items()
    ]
    places = [
        {
            **dict(zip(Place._fields[:4], place, strict=False)),
            "errors": sum(place.errors.values()),
            **place.errors,
        }
        for place in report.places
    ]
    known = {"pattern": patterns, "place": places}
    return {name: known[name] for name in report.request.counted}


_COUNTED = {
    "pattern": "What errors of a kind have in common.",
    "place": "Errors of each window, or document. Size: its tokens, or gold mentions if it has no tokens. "
    + ", ".join(f"{row.look.mark} {row.label}" for row in KINDS.values()),
}


_COMPARED = ("R fixed", "R introduced", "P fixed", "P introduced", "both", "first alone", "second alone")


def _compared_table(changes: LinkChanges, *, full: bool) -> Table:
    """Return the links that a second system fixes and newly loses, by what they are lost to."""
    # With `full` the kinds and columns have the names of the JSON report
    links = (changes.recall(fixed=True), changes.recall(fixed=False), changes.fixed, changes.introduced)
    columns = [*links, *({kind: shared[i] for kind, shared in changes.errors.items()} for i in range(3))]
    rows = [
        [kind if full else row.label, *(str(column[kind]) if kind in column else "" for column in columns)]
        for kind, row in KINDS.items()
    ]
    rows.append(["*" if full else "all", *(str(sum(column.values())) for column in columns)])
    names = [name.lower().replace(" ", "_") for name in _COMPARED] if full else _COMPARED
    return Table(("lost_to" if full else "link lost to", *names), rows)


def compared_caption(changes: LinkChanges) -> str:
    """Return in words what the table of two systems leaves out."""
    return (
        f"Links of gold that both have: {changes.both}, neither: {changes.neither}. "
        f"Wrong links that both make: {changes.shared}. Both, first alone, second alone: errors that both "
        "systems make (of one kind at the same mention), and those of one of them."
    )


def _contrast_table(report: ErrorReport, *, full: bool) -> Table:
    """Return what each of two systems makes or reaches, by kind and class of mentions, and the difference."""
    rows = []
    for row in report.contrasts:
        kind = row.name if row.dimension == "kind" else ""
        values = row.first, row.second, row.difference
        if full:
            cells = [
                "" if value is None else repr(value) for value in (*values, *(row.interval or (None, None)))
            ]
        else:
            shown, change = (str, "{:+.0f}".format) if kind else (percent, points)
            cells = ["" if value is None else shown(value) for value in values[:2]]
            difference = "" if row.difference is None else change(row.difference)
            cells += [f"{difference}{between(row.interval, change)}", row.better]
        rows.append([row.dimension, row.name if full or not kind else KINDS[kind].label, *cells])
    ends = ("low", "high") if full else ("better",)
    return Table(("by", "class", "first", "second", "difference", *ends), rows)


def _contrast_caption(report: ErrorReport) -> str:
    """Return in words what the table of contrasts has."""
    made = report.resampled
    how = f", in brackets: {made.in_words}, seed {made.seed}" if made and report.report.documents[1:] else ""
    return (
        "By kind: the number of errors; by a class of mentions: F1 of LEA in percent, counts added over "
        f"documents. Difference: the first less the second{how}. Better: where the interval has no 0."
    )


def _what_if_table(report: ErrorReport, *, full: bool) -> Table:
    """Return F1 in percent before and after the corrections of each scenario; with `full` after them."""
    names = [*report.report.scores] if full else report.gains
    before, rows = [main_part(report.report.scores[name]) for name in names], []
    for row in report.what_if:
        both = zip(before, (main_part(row.scores[name]) for name in names), strict=True)
        cells = (exact(new) if full else f"{percent(old)} → {percent(new)}" for old, new in both)
        rows.append([row.name, str(row.errors), *cells])
    labels = names if full else map(report.report.short_label, names)
    return Table(("what_if" if full else "if right", "errors", *labels), rows)


WHAT_IF = "If right: the errors that are corrected, and no others; F1 before and after."


_TOTAL = "*"  # the first cell of a row of totals, which comes last


def _windows_table(report: ErrorReport, *, full: bool) -> Table:
    """Return F1 in percent by the length of windows, and of whole documents."""
    names, shown = list(report.report.scores), exact if full else percent
    labels = names if full else map(report.report.short_label, names)
    whole = (_TOTAL if full else "whole", len(report.report.documents), report.report.scores)
    rows = [
        [str(length), str(documents), *(shown(main_part(scores[name])) for name in names)]
        for length, documents, scores in [*report.windows, whole]
    ]
    return Table(("window", "documents", *labels), rows)


def error_table(report: ErrorReport) -> Table:
    """Return the errors by kind, with the links that they lose and the F1 that correcting them gains."""
    labels = [report.report.short_label(name) for name in report.gains]
    head = ["error", "errors", "mentions", "lost R", "lost P"]
    head += [*(f"{label} {GAINS[how]}" for how in told_gains(report) for label in labels)]
    gained = report.gained()
    rows = []
    for kind, row in KINDS.items():
        counts = _short(counts_of(kind, report.errors[kind]))
        rows.append([row.label, *counts, *_gains(report, gained, kind)])
        rows += _part_rows(report, kind)
    return Table(head, [*rows, ["all", *_short(_total(report)), *_gains(report, gained, ALL)]])


GAINS = {"shares": "share", "alone": "alone", "in_order": "in order"}
"""What corrections gain, by the field of `Gains`, with the words in heads of tables."""


def told_gains(report: ErrorReport) -> Sequence[str]:
    """Return which fields of `Gains` are shown."""
    if report.shares:
        return ("shares",)
    return ("alone", "in_order") if report.corrected.alone else ()


def headline(report: ErrorReport) -> str:
    """Return in one sentence which kind costs most; nothing where that is not known."""
    metric = report.report.main_metric()
    shares = {kind: share for kind, values in report.shares.items() if (share := values[metric]) is not None}
    most = max(shares, key=shares.__getitem__, default="")
    if not most or shares[most] <= 0:
        return ""
    whole = percent(report.gained().shares[ALL][metric] or 0, digits=1)
    what = f"{percent(shares[most], digits=1)} of {whole} points"
    what = f"{what} of {report.report.short_label(metric)} F1"
    return f"{first_upper(report.said(plural(most)))} cost most: {what}."


def _part_rows(report: ErrorReport, kind: str) -> list[list[str]]:
    """Return the rows below a kind that tell of a part of it: what is alone, or was not copied."""
    rows, number = [], report.errors[kind].singletons
    if number:
        gains = ["" for _ in report.gains for _ in told_gains(report)]
        rows.append([SINGLETONS, *_short(counts_of(kind, Count(number, number, 0))), *gains])
    found = report.uncopied.get(kind)
    if found is not None:
        alone = [gain_of(report.report.scores[name], found.alone[name]) for name in report.gains]
        shown = ["" if gain is None else points(gain) for gain in alone]
        cells = (shown if how == "alone" else [""] * len(alone) for how in told_gains(report))
        rows.append([NOT_COPIED, *_short(counts_of(kind, found.counts)), *chain.from_iterable(cells)])
    return rows


def _total(report: ErrorReport) -> dict[str, int]:
    """Return the counts of all kinds; what is moved counts twice, as divided and as conflated."""
    columns = zip(*(counts_of(kind, report.errors[kind]).items() for kind in KINDS), strict=True)
    total = {column[0][0]: sum(number or 0 for _, number in column) for column in columns}
    return {**total, "moved": report.errors["divided"].moved}


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _short(counts: Mapping[str, int | None]) -> list[str]:
    return [_shown(counts[column]) for column in _SHORT_COLUMNS]


def _gains(report: ErrorReport, gained: Gains, kind: str) -> list[str]:
    """Return the gains of the metrics that are shown, in percent, with their intervals; none for 0/0."""
    cells = []
    for how, name in product(told_gains(report), report.gains):
        gain = getattr(gained, how).get(kind, {}).get(name)
        intervals = report.gain_intervals
        ends = None if intervals is None else getattr(intervals, how).get(kind, {}).get(name)
        cells.append("" if gain is None else f"{points(gain)}{between(ends, points)}")
    return cells


def caption(report: ErrorReport, *, has_links: bool = True, in_paper: bool = False) -> str:
    """Return in words what the numbers of the table of errors are; `has_links`: also those of lost links."""
    recall, precision = sum(report.recall_links.values()), sum(report.precision_links.values())
    moved = report.errors["divided"].moved
    copying = together(document.copying for document in report.report.documents)
    uncopied = "Not copied: gold mentions of which the copy has no word. "
    sentences = [
        f"Lost: links of MUC, of {recall} (R) and {precision} (P)." if has_links else "",
        _GAINS_SAID[told_gains(report)],
        report.said(f"In the wrong entity, so both conflated and divided: {moved}.") if moved else "",
        *(() if in_paper else _mostly_singletons(report)),
        "" if copying is None else f"{uncopied}{in_words(copying)}.",
        interval_caption(report.report).lstrip() if report.corrected.alone else "",
        CLASSES if report.report.breakdown and not in_paper else "",
        WHAT_IF if report.what_if and not in_paper else "",
    ]
    return " ".join(filter(None, sentences))


def _mostly_singletons(report: ErrorReport) -> Iterator[str]:
    """Yield a sentence for each kind of which more than half are singletons."""
    for kind in (name for name, row in KINDS.items() if row.unit == "entity"):
        number, count = report.errors[kind].singletons, report.errors[kind].errors
        if 2 * number > count:
            said = f"{number} of {count} {report.said(plural(kind))} are singletons"
            costs = "which cost no link of MUC, but points of B³ and CEAF"
            yield f"{said}, {costs} (to leave them out: --singletons=drop)."


_GAINS_SAID: Mapping[Sequence[str], str] = {
    (): "",
    ("shares",): (
        "Share: what the errors of a kind cost: percentage points of F1 gained if they are corrected, the "
        "mean over all orders of correction."
    ),
    ("alone", "in_order"): (
        "Percentage points of F1 gained if the errors of a kind are corrected: alone, and in order, after "
        "the kinds above."
    ),
}


_WIDE = 110  # wider tables are continued below: so many characters hold two gains, or four scores of a class
_LEFT_OUT = (("mentions", *CLASS_COUNTS), ("lost R", "lost P"))
"""The columns that a narrow terminal does not show, the first group first."""


def errors_table(report: ErrorReport, width: int | None = None) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    (table, *others), left_out = lean(_tables(report), _LEFT_OUT, width)
    # With intervals it is continued below where a line ends
    first = table if report.gain_intervals is None else table.fitted
    parts = [*listing_parts(report), *_parts(report, first, others, left_out)]
    made = signature_of(report.report)
    parts += [verbatim(escaped(made))] if made else []
    return Sheet(parts).text(width, _WIDE)


def _parts(
    report: ErrorReport, first: Content, others: Sequence[Table], left_out: Sequence[str] = ()
) -> list[Content]:
    """Return tables and what they mean, for reading."""
    said = "\n".join([caption(report), *left_out])
    counted = [_COUNTED[name] for name, rows in _counted(report).items() if rows]
    parts: list[Content] = [*filter(None, [headline(report)]), first, said, *others, *counted]
    if report.compared is None:
        return parts
    return [*parts, f"{compared_caption(report.compared)} {_contrast_caption(report)}"]


def errors_markdown(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    listing: list[Content] = [read_listing(report)] if report.request.listing else []
    listing += [ENTITIES] if report.request.listing == "entities" else []
    listing += [markdown_text(example_remarks(report))] if report.request.listing == "examples" else []
    first, *others = _tables(report)
    return Sheet([*listing, *_parts(report, first, others)], signature_of(report.report)).markdown()


def errors_latex(report: ErrorReport, paper: str = "column") -> str:
    """Return the tables for a paper, and last the listing: rules of booktabs."""
    listed = [read_listing(report)] if report.request.listing not in ("", "examples") else []
    first, is_wide = error_table(report), paper == "page"
    first = first if is_wide else first.without([name for group in _LEFT_OUT for name in group])
    said = " ".join(filter(None, [headline(report), caption(report, has_links=is_wide, in_paper=True)]))
    every = [("errors", said, first), *asked_tables(report)]
    every += [("list", f"{first_upper(report.request.listing)} one by one.", table) for table in listed]
    shown: list[Content] = [*(table for _, _, table in every), *_mostly_singletons(report)]
    papers = [(label, latex_text(words)) for label, words, _ in every]
    return Sheet(shown, signature_of(report.report), papers).latex(paper) + in_gb4e(report)


def repr_html_of_errors(report: ErrorReport) -> str:
    """Return all tables for a notebook."""
    shown = [read_listing(report)] if report.request.listing else []
    return Sheet([*shown, *_tables(report)]).html()


def errors_tsv(report: ErrorReport) -> str:
    """Return the listing alone if one was asked for, else one table after the other."""
    shown = [listing_table(report)] if report.request.listing else _tables(report, full=True)
    return Sheet(shown, signature_of(report.report)).tsv()


def _full_errors(report: ErrorReport) -> Table:
    names, total = list(report.report.scores), _total(report)
    corrected = {how: scores for how, scores in report.corrected._asdict().items() if scores}
    head = ["error", *total, *(f"{name}_{how}" for how in corrected for name in names)]
    head += [f"{name}_share" for name in names if report.shares]
    if report.gain_intervals is not None:
        hows = [how for how, ends in report.gain_intervals._asdict().items() if ends]
        head += [f"{name}_{how}_gain_{end}" for how in hows for name in names for end in ("low", "high")]
    rows = []
    for kind in KINDS:
        counts = map(_shown, counts_of(kind, report.errors[kind]).values())
        after = [exact(main_part(scores[kind][name])) for scores in corrected.values() for name in names]
        gains = [*_shares(report.gained(), kind, names), *_interval_ends(report, kind, names)]
        rows.append([kind, *counts, *after, *gains])
        found = report.uncopied.get(kind)
        if found is not None:
            counts = map(_shown, counts_of(kind, found.counts).values())
            alone = [exact(main_part(found.alone[name])) for name in names] if report.corrected.alone else []
            cells = [f"{kind}.not_copied", *counts, *alone]
            rows.append([*cells, *[""] * (len(head) - len(cells))])
    scores = []
    if corrected:
        last = report.corrected.in_order[list(KINDS)[-1]]
        scores = [*("" for _ in names), *(exact(main_part(last[name])) for name in names)]
    totals = [*scores, *_shares(report.gained(), ALL, names), *_interval_ends(report, ALL, names)]
    rows.append([_TOTAL, *map(str, total.values()), *totals])
    return Table(head, rows)


def _shares(gained: Gains, kind: str, names: Sequence[str]) -> list[str]:
    shares = gained.shares.get(kind)
    return [] if shares is None else ["" if shares[name] is None else repr(shares[name]) for name in names]


def _interval_ends(report: ErrorReport, kind: str, names: Sequence[str]) -> list[str]:
    if report.gain_intervals is None:
        return []
    told = [by_kind for by_kind in report.gain_intervals if by_kind]
    found = [by_kind.get(kind, {}).get(name) for by_kind in told for name in names]
    return [cell for ends in found for cell in exact_ends(ends)]


def to_dict_of_errors(report: ErrorReport) -> dict[str, Any]:
    """Return the JSON report: that of `scorch2 score` with more keys."""
    plain = to_dict_of_scores(report.report)
    for document, counts in zip(plain["documents"], report.by_document, strict=True):
        document["errors"] = {kind: count.errors for kind, count in zip(KINDS, counts, strict=True)}
    plain["errors"] = {kind: _plain_count(kind, count) for kind, count in report.errors.items()}
    for kind, uncopied in report.uncopied.items():
        scores = {"scores": plain_scores(uncopied.alone)}
        plain["errors"][kind]["not_copied"] = {**_plain_count(kind, uncopied.counts), **scores}
    plain["links"] = {side: dict(links) for side, links in report.links.items()}
    if report.corrected.alone:
        plain["corrected"] = {
            how: {kind: plain_scores(scores) for kind, scores in by_kind.items()}
            for how, by_kind in report.corrected._asdict().items()
        }
    if report.shares:
        plain["shares"] = {kind: dict(values) for kind, values in report.shares.items()}
    if report.gain_intervals is not None:
        plain["confidence"]["gains"] = {
            how: {kind: plain_ends(by_metric) for kind, by_metric in by_kind.items()}
            for how, by_kind in report.gain_intervals._asdict().items()
            if by_kind
        }
    plain |= {f"{name}s": rows for name, rows in _counted(report).items()}
    if report.windows:
        plain["windows"] = [
            {**window._asdict(), "scores": plain_scores(window.scores)} for window in report.windows
        ]
    if report.what_if:
        plain["what_if"] = [{**row._asdict(), "scores": plain_scores(row.scores)} for row in report.what_if]
    if report.compared is not None:
        found = [
            {**row._asdict(), "interval": row.interval and [*row.interval], "difference": row.difference}
            for row in report.contrasts
        ]
        plain["compared"] = {**report.compared.to_dict(), "contrasts": found}
    if report.request.listing:
        plain["list"] = [dict(row) for row in report.rows]
    return plain


def _plain_count(kind: str, count: Count) -> dict[str, Any]:
    plain = counts_of(kind, count)
    links = {side: plain.pop(f"lost_{side}") or 0 for side in ("recall", "precision")}
    return {**{name: number for name, number in plain.items() if number is not None}, "links": links}


def to_records_of_errors(report: ErrorReport) -> list[dict[str, Any]]:
    """Return a flat dict for every document and kind of error; the corpus is document None."""
    # ``lost_recall`` and ``lost_precision`` are links that MUC loses; a kind that cannot lose any has None
    names = [*(document.id for document in report.report.documents), None]
    by_document = [*report.by_document, [*report.errors.values()]]
    return [
        {"document": name, "error": kind, **counts_of(kind, count), **others}
        for name, counts in zip(names, by_document, strict=True)
        for kind, count in zip(KINDS, counts, strict=True)
        for others in [{"singletons": count.singletons, "moved": count.moved}]
    ]
