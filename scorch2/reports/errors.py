"""Forms of the analysis: the tables of errors, of classes, windows and a second system, and the listing."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from textwrap import fill
from typing import Any

from scorch2.analysis.error_report import ErrorReport, ListedRow, Place, Scores
from scorch2.analysis.kinds import ALL, KINDS, Count, Gains, counts_of, gain_of, plural
from scorch2.analysis.links import LinkChanges
from scorch2.analysis.listing import (
    COLUMNS,
    READ_OF_ENTITIES,
    Spread,
    as_shown,
    chosen_first,
    done,
    first_upper,
    pair_name,
    pair_of,
    spelled_out,
)
from scorch2.analysis.second import OF_SYSTEMS
from scorch2.model.besides import in_words, together
from scorch2.model.errors import escaped, without_middle
from scorch2.model.score import Value, main_part, percent, points
from scorch2.reports.json import plain_ends, plain_scores, to_dict_of_scores
from scorch2.reports.rows import (
    CLASS_COUNTS,
    CLASSES,
    breakdown_tables,
    class_caption,
    exact,
    full_breakdown_tables,
    interval_caption,
)
from scorch2.scoring.layout.escaping import markdown_text
from scorch2.scoring.layout.sheets import Content, Sheet, lean, verbatim
from scorch2.scoring.layout.tables import Table, between, latex_text

SINGLETONS = "  singletons"
"""The row for the entities of one mention among those of a kind."""
NOT_COPIED = "  not copied"
"""The row for the part of a kind that a copy makes which lacks words."""
_HEAD = ("error", "errors", "mentions", "lost R", "lost P")
_SHORT_COLUMNS = ("errors", "mentions", "lost_recall", "lost_precision")


def tables(report: ErrorReport) -> list[Table]:
    """Return the table of errors, and then those of all that was asked for besides."""
    every = [_error_table(report), *breakdown_tables(report.report.breakdown), *_counted_tables(report)]
    if report.windows:
        every.append(windows_table(report))
    if report.what_if:
        every.append(what_if_table(report))
    if report.compared is not None:
        every += [compared_table(report.compared), contrast_table(report)]
    return every


def _counted_tables(report: ErrorReport, *, full: bool = False) -> list[Table]:
    """Return what errors are counted by, if that was asked for; unless `full`, kinds have their marks."""
    marks = {} if full else {kind: row.look.mark for kind, row in KINDS.items()}
    return [
        Table([marks.get(name, name) for name in rows[0]], [[*map(str, row.values())] for row in rows])
        for rows in _counted(report).values()
        if rows
    ]


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
    known = {"pattern": ("patterns", patterns), "place": ("places", places)}
    return dict(known[name] for name in report.request.counted)


_COUNTED = {
    "pattern": "What errors of a kind have in common.",
    "place": "Errors of each window, or document. Size: its tokens, or gold mentions if it has no tokens. "
    + ", ".join(f"{row.look.mark} {row.label}" for row in KINDS.values()),
}


_COMPARED = ("R fixed", "R introduced", "P fixed", "P introduced", "both", "first alone", "second alone")


def compared_table(changes: LinkChanges, *, full: bool = False) -> Table:
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


def contrast_table(report: ErrorReport, *, full: bool = False) -> Table:
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


def contrast_caption(report: ErrorReport) -> str:
    """Return in words what the table of contrasts has."""
    made = report.resampled
    how = (
        ""
        if made is None or not report.report.documents[1:]
        else f", in brackets: {made.in_words}, seed {made.seed}"
    )
    return (
        "By kind: the number of errors; by a class of mentions: F1 of LEA in percent, counts added over "
        f"documents. Difference: the first less the second{how}. Better: where the interval has no 0."
    )


def what_if_table(report: ErrorReport, *, full: bool = False) -> Table:
    """Return F1 in percent before and after the corrections of each scenario; with `full` after them."""
    before, names = report.report.scores, [*report.report.scores] if full else report.gains
    rows = [
        [name, str(errors), *_after(before, scores, names, full=full)]
        for name, errors, scores in report.what_if
    ]
    labels = names if full else map(report.report.short_label, names)
    return Table(("what_if" if full else "if right", "errors", *labels), rows)


def _after(before: Scores, after: Scores, names: Sequence[str], *, full: bool) -> list[str]:
    values = [[main_part(scores[name]) for scores in (before, after)] for name in names]
    return [exact(new) if full else f"{percent(old)} → {percent(new)}" for old, new in values]


WHAT_IF = "If right: the errors that are corrected, and no others; F1 before and after."


def windows_table(report: ErrorReport) -> Table:
    """Return F1 in percent by the length of windows, and of whole documents."""
    labels = [report.report.short_label(name) for name in report.report.scores]
    return _windows(report, labels, "whole", percent)


def _windows(report: ErrorReport, labels: Sequence[str], total: str, shown: Callable[[Value], str]) -> Table:
    names = list(report.report.scores)
    whole = (total, len(report.report.documents), report.report.scores)
    rows = [
        [str(length), str(documents), *(shown(main_part(scores[name])) for name in names)]
        for length, documents, scores in [*report.windows, whole]
    ]
    return Table(("window", "documents", *labels), rows)


def _error_table(report: ErrorReport) -> Table:
    """Return the errors by kind, with the links that they lose and the F1 that correcting them gains."""
    labels = [report.report.short_label(name) for name in report.gains]
    hows = told_gains(report)
    head = [*_HEAD, *(f"{label} {GAINS[how]}" for how in hows for label in labels)]
    gained = report.gained()
    rows = []
    for kind, row in KINDS.items():
        counts = (_shown(_counts(report, kind)[column]) for column in _SHORT_COLUMNS)
        rows.append(
            [row.label, *counts, *(cell for how in hows for cell in _gains(report, gained, how, kind))]
        )
        rows += _part_rows(report, kind)
    total = [str(_total(report)[column]) for column in _SHORT_COLUMNS]
    rows.append(["all", *total, *(cell for how in hows for cell in _gains(report, gained, how, ALL))])
    return Table(head, rows)


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
    return f"{plural(most).capitalize()} cost most: {what} of {report.report.short_label(metric)} F1."


def kinds_of_rows(report: ErrorReport) -> list[str]:
    """Return the kind of each row of the table of errors; empty for those that tell of a part of one."""
    return [name for kind in KINDS for name in (kind, *("" for _ in _part_rows(report, kind)))]


def _part_rows(report: ErrorReport, kind: str) -> list[list[str]]:
    """Return the rows below a kind that tell of a part of it: what is alone, or was not copied."""
    rows, number = [], report.errors[kind].singletons
    if number:
        counts = counts_of(kind, Count(number, number, 0))
        gains = ["" for _ in report.gains for _ in told_gains(report)]
        rows.append([SINGLETONS, *(_shown(counts[column]) for column in _SHORT_COLUMNS), *gains])
    if kind in report.uncopied:
        rows.append(_uncopied_row(report, kind))
    return rows


def _uncopied_row(report: ErrorReport, kind: str) -> list[str]:
    """Return the row below a kind for the mentions of which a copy has no word."""
    found = report.uncopied[kind]
    counts = counts_of(kind, found.counts)
    gains = {name: gain_of(report.report.scores[name], found.alone[name]) for name in report.gains}
    alone = ["" if gain is None else points(gain) for gain in gains.values()]
    cells = (alone if how == "alone" else [""] * len(gains) for how in told_gains(report))
    return [NOT_COPIED, *(_shown(counts[column]) for column in _SHORT_COLUMNS), *chain.from_iterable(cells)]


def _counts(report: ErrorReport, kind: str) -> dict[str, int | None]:
    return counts_of(kind, report.errors[kind])


def _total(report: ErrorReport) -> dict[str, int]:
    """Return the counts of all kinds; what is moved counts twice, as divided and as conflated."""
    columns = zip(*(_counts(report, kind).items() for kind in KINDS), strict=True)
    total = {column[0][0]: sum(number or 0 for _, number in column) for column in columns}
    return {**total, "moved": report.errors["divided"].moved}


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _gains(report: ErrorReport, gained: Gains, how: str, kind: str) -> list[str]:
    """Return the gains of the metrics that are shown, in percent, with their intervals; none for 0/0."""
    cells = []
    for name in report.gains:
        gain = getattr(gained, how).get(kind, {}).get(name)
        intervals = report.gain_intervals
        ends = None if intervals is None else getattr(intervals, how).get(kind, {}).get(name)
        cells.append("" if gain is None else f"{points(gain)}{between(ends, points)}")
    return cells


def caption(report: ErrorReport, *, has_links: bool = True, in_paper: bool = False) -> str:
    """Return in words what the numbers of the table of errors are; `has_links`: also those of lost links."""
    recall, precision = sum(report.recall_links.values()), sum(report.precision_links.values())
    sentences = [
        f"Lost: links of MUC, of {recall} (R) and {precision} (P)." if has_links else "",
        _GAINS_SAID[told_gains(report)],
        f"Parts that are both conflated and divided: {report.errors['divided'].moved}.",
        *(() if in_paper else _mostly_singletons(report)),
        _copying(report),
        interval_caption(report.report).lstrip(),
        CLASSES if report.report.breakdown and not in_paper else "",
        WHAT_IF if report.what_if and not in_paper else "",
    ]
    return " ".join(filter(None, sentences))


def _mostly_singletons(report: ErrorReport) -> Iterator[str]:
    """Yield a sentence for each kind of which more than half are singletons."""
    for kind in (name for name, row in KINDS.items() if row.unit == "entity"):
        number, count = report.errors[kind].singletons, report.errors[kind].errors
        if 2 * number > count:
            said = f"{number} of {count} {plural(kind)} are singletons"
            yield f"{said}, which cost no link (to leave them out: --singletons=drop)."


_GAINS_SAID: Mapping[Sequence[str], str] = {
    (): "",
    ("shares",): (
        "Share: percentage points of F1 gained if the errors of a kind are corrected, the mean over all "
        "orders of correction."
    ),
    ("alone", "in_order"): (
        "Percentage points of F1 gained if the errors of a kind are corrected: alone, and in order, after "
        "the kinds above."
    ),
}


def _copying(report: ErrorReport) -> str:
    """Return what the rows of what was not copied mean; nothing if no texts are compared."""
    copying = together(document.copying for document in report.report.documents)
    if copying is None:
        return ""
    return f"Not copied: gold mentions of which the copy has no word. {in_words(copying)}."


def listing_table(report: ErrorReport) -> Table:
    """Return the rows that were asked for one by one."""
    columns = [*COLUMNS[report.request.listing], *_of_systems(report)]
    rows = report.rows
    if "did" in columns:
        rows = [{**row, "did": done(row, report.said, str)} for row in rows]
    return Table(columns, [[_cell(row, column) for column in columns] for row in rows])


def _of_systems(report: ErrorReport) -> Sequence[str]:
    """Return the columns of errors that say which of two systems makes them."""
    return OF_SYSTEMS if report.request.trace and report.request.listing in ("errors", "examples") else ()


ENTITIES = (
    "Mentions of each entity, and of the one that it is aligned with (there), with F1 of the two. Pieces: "
    "the entities of the other side that share its mentions; outside: its mentions that are not in the "
    "largest one, which also holds mentions of those it is merged with. Entities with the most mentions "
    "outside come first."
)
_HEADS = {"aligned_mentions": "there", "f1": "F1", "merged": "merged with"}


def _read_listing(report: ErrorReport) -> Table:
    """Return the rows for reading: of entities fewer columns, of examples those that cost most."""
    if report.request.listing == "examples":
        return _example_table(report)
    if report.request.listing != "entities":
        return listing_table(report)
    columns = [column for column in READ_OF_ENTITIES if column != "document" or len(report.by_document) > 1]
    rows = [
        {**row, "f1": percent(row["f1"]), "merged": row.get("merged_texts", row["merged"])}
        for row in report.rows
    ]
    return Table(
        [_HEADS.get(column, column) for column in columns],
        [[_cell(row, column) for column in columns] for row in rows],
    )


MOST_EXAMPLES = 50
"""The examples that are shown for reading; the others are counted."""
MOST_PAIRS = 8
_EXAMPLE_HEAD = ("error", "document", "mention", "antecedent", "mentions lost", "antecedent in its sentence",
                 "mention in its sentence")  # fmt: skip


def _example_table(report: ErrorReport) -> Table:
    rows = [
        [
            *(KINDS[row["kind"]].label, row["document"], spelled_out(row["mention"])),
            *(_antecedent(row), str(row["mentions_lost"]), *(row[name] for name in _of_systems(report))),
            *(in_sentence(row, before) for before in ("antecedent_", "")),
            done(row, report.said, str),
        ]
        for row in _shown_examples(report)
    ]
    head = [*_EXAMPLE_HEAD[:5], *_of_systems(report), *_EXAMPLE_HEAD[5:]]
    return Table([*head, report.said("what the system did")], rows)


def _shown_examples(report: ErrorReport) -> list[ListedRow]:
    spread = Spread()
    return as_shown(chosen_first(((spread.rank(row), row) for row in report.rows), MOST_EXAMPLES))


def _antecedent(row: ListedRow) -> str:
    """Return the id of the antecedent, or of the mention that the system has in place of a span."""
    if "instead" in row:
        return f"↔ {spelled_out(row['instead'])}"
    return "" if row["antecedent"] is None else spelled_out(row["antecedent"])


def in_sentence(row: ListedRow, before: str = "", width: int = 0) -> str:
    """Return the sentence of a mention with brackets around it; with a `width` the part that fits."""
    sentence, spans = row[f"{before}sentence"], row[f"{before}spans"]
    if sentence is None:
        return ""
    marked, last = [], 0
    for start, end in spans:
        marked += [sentence[last:start], "[", sentence[start:end] or "∅", "]"]
        last = end
    whole = "".join([*marked, sentence[last:]])
    if not 0 < width < len(whole):
        return whole
    first = spans[0][0]
    length = len("".join(marked)) - first
    start = max(0, min(first - max((width - length) // 2, 1), len(whole) - width))
    part = whole[start : start + width]
    if start:
        part = f"…{part[1:]}"
    return f"{part[:-1]}…" if start + width < len(whole) else part


def example_remarks(report: ErrorReport) -> str:
    """Return which pairs of mentions are most frequent among the examples, and how many are not shown."""
    pairs = Counter(pair_name(row["kind"], pair) for row in report.rows if all(pair := pair_of(row)))
    most = [f"{pair} ({n})" for pair, n in pairs.most_common(MOST_PAIRS) if n > 1]
    said = [f"Most frequent: {', '.join(most)}."] if most else []
    if len(report.rows) > MOST_EXAMPLES:
        what = f"{MOST_EXAMPLES} of {len(report.rows)} examples, of equal cost some from all over the texts"
        said.append(f"{what}; --list=examples has all as json and tsv.")
    return " ".join([*said, EXAMPLES, *([SPANS] if any("instead" in row for row in report.rows) else [])])


EXAMPLES = (
    "Mentions lost: those that are cut off, wrongly joined, missing or extra; most come first. In brackets: "
    "the mention where the error is, and its antecedent, the mention before it in its entity (after it, if "
    "the other side has none before)."
)
SPANS = "Of a span error: the mention of gold, and below it that of the system."


def _cell(row: Any, column: str) -> str:
    value = row.get("kind" if column == "error" else column)
    if value is None:
        return ""
    if column.endswith("spans"):
        return " ".join(map(spelled_out, value))
    if column == "patterns":
        return " ".join(value)
    if isinstance(value, list) and column in ("mentions", "merged"):
        names = [spelled_out(one) for one in value if one is not None]
        more = row["merged_count"] - len(value) if column == "merged" else 0
        return (" " if column == "mentions" else ", ").join([*names, f"… {more} more"] if more else names)
    return spelled_out(value)


_WIDE = 110  # wider tables are continued below: so many characters hold two gains, or four scores of a class
_KEPT = ("error", "links", "side", "status", *OF_SYSTEMS)
"""The columns of listings that are not shortened: their words are few."""
_TEXTS = ("text", "link_to_text", "patterns")  # columns that stand below the row of an error
_INDENT = "    "
_LEFT_OUT = (("mentions", *CLASS_COUNTS), ("lost R", "lost P"))
"""The columns that a narrow terminal does not show, the first group first."""


def errors_table(report: ErrorReport, width: int | None = None) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    (table, *others), left_out = lean(tables(report), _LEFT_OUT, width)
    # With intervals it is continued below where a line ends
    first = table if report.gain_intervals is None else table.fitted
    parts = [*_listing(report), *_parts(report, first, others, left_out)]
    if _signature(report):
        parts.append(verbatim(escaped(_signature(report))))
    return Sheet(parts).text(width, _WIDE)


def _parts(
    report: ErrorReport, first: Content, others: Sequence[Table], left_out: Sequence[str] = ()
) -> list[Content]:
    """Return tables and what they mean, for reading."""
    said = "\n".join([caption(report), *left_out])
    counted = [_COUNTED[name] for name in report.request.counted]
    parts: list[Content] = [*filter(None, [headline(report)]), first, said, *others, *counted]
    if report.compared is None:
        return parts
    return [*parts, f"{compared_caption(report.compared)} {contrast_caption(report)}"]


def _listing(report: ErrorReport) -> list[Content]:
    """Return the rows that were asked for; the texts of an error stand in a line below it."""
    if not report.request.listing:
        return []
    table = _read_listing(report)
    if report.request.listing == "examples":
        return [partial(_examples, report, table), example_remarks(report)]
    if report.request.listing == "errors":
        return [partial(_errors_with_texts, report, table)]
    said = [ENTITIES] if report.request.listing == "entities" else []
    return [partial(table.shortened, _KEPT), *said]


def _errors_with_texts(report: ErrorReport, table: Table, width: int) -> str:
    head, rule, *lines = table.without(_TEXTS).shortened(_KEPT, width).split("\n")
    texts = (_texts(row, width) for row in report.rows)
    return "\n".join([head, rule, *map("".join, zip(lines, texts, strict=True))])


def _examples(report: ErrorReport, table: Table, width: int) -> str:
    """Return the examples with their sentences below, and what the system did."""
    short = table.without(table.head[-3:]).shortened(_KEPT, width)
    head, rule, *rows = short.split("\n")
    parts = [head, rule]
    for line, row in zip(rows, _shown_examples(report), strict=True):
        parts.append(line)
        for before in _SIDES:
            if row.get(f"{before}sentence") is not None:
                number = f"{_INDENT}{row[f'{before}row']:>4}  "
                parts.append(escaped(f"{number}{in_sentence(row, before, width - len(number))}"))
        did = escaped(done(row, report.said))
        parts.append(fill(did, width, initial_indent=f"{_INDENT}→ ", subsequent_indent=f"{_INDENT}  "))
    return "\n".join(parts)


def _texts(row: ListedRow, width: int) -> str:
    """Return the texts of an error as a line below it: of its mention, and of the one beside it."""
    beside = f" ↔ {row['instead_text']}" if row.get("instead_text") else ""
    beside = f" ← {row['link_to_text']}" if row.get("link_to_text") else beside
    below = f"{row.get('text') or ''}{beside}", " ".join(row["patterns"])
    return "".join(
        f"\n{_INDENT}{without_middle(escaped(text), width - len(_INDENT))}" for text in below if text
    )


def errors_markdown(report: ErrorReport) -> str:
    """Return the listing, if there is one, the tables, what they mean, and the signature."""
    listing: list[Content] = [_read_listing(report)] if report.request.listing else []
    listing += [ENTITIES] if report.request.listing == "entities" else []
    listing += [markdown_text(example_remarks(report))] if report.request.listing == "examples" else []
    first, *others = tables(report)
    return Sheet([*listing, *_parts(report, first, others)], _signature(report)).markdown()


def _signature(report: ErrorReport) -> str:
    return report.signature() if report.report.options.signature else ""


def errors_latex(report: ErrorReport, paper: str = "column") -> str:
    """Return the tables for a paper, and last the listing: rules of booktabs."""
    listed = [_read_listing(report)] if report.request.listing not in ("", "examples") else []
    first, *others = tables(report)
    is_wide = paper == "page"
    first = first if is_wide else first.without([name for group in _LEFT_OUT for name in group])
    said = " ".join(filter(None, [headline(report), caption(report, has_links=is_wide, in_paper=True)]))
    papers = [(label, latex_text(words)) for label, words in [("errors", said), *_captions(report)]]
    papers += [("list", f"{first_upper(report.request.listing)} one by one.") for _ in listed]
    shown: list[Content] = [first, *others, *listed, *_mostly_singletons(report)]
    return Sheet(shown, _signature(report), papers).latex(paper) + _in_gb4e(report)


def _in_gb4e(report: ErrorReport) -> str:
    """Return the examples, if they are listed, as the numbered ones of a paper."""
    shown = []
    for row in _shown_examples(report) if report.request.listing == "examples" else ():
        context = [in_sentence(row, side) for side in _SIDES if row.get(f"{side}sentence")]
        words = [row["document"], *context, done(row, report.said)]
        shown.append(r"\ex " + r"\\{} ".join(map(latex_text, words)))
    exe = [r"% \usepackage{gb4e}", r"\begin{exe}", *shown, r"\end{exe}", ""]
    return "\n".join(exe) if shown else ""


_SIDES = "antecedent_", "", "instead_"


def _captions(report: ErrorReport) -> Iterator[tuple[str, str]]:
    """Yield the label and the caption of each of `tables` but the first."""
    for dimension in report.report.breakdown:
        yield dimension, class_caption(dimension)
    yield from ((name, _COUNTED[name]) for name in report.request.counted)
    if report.windows:
        yield "windows", "F1 by the tokens of a window."
    if report.what_if:
        yield "what-if", WHAT_IF
    if report.compared is not None:
        yield "links", f"Links that the second system fixes and loses. {compared_caption(report.compared)}"
        yield "contrasts", contrast_caption(report)


def repr_html_of_errors(report: ErrorReport) -> str:
    """Return all tables for a notebook."""
    shown = [_read_listing(report)] if report.request.listing else []
    return Sheet([*shown, *tables(report)]).html()


_TOTAL = "*"  # the first cell of a row of totals, which comes last


def errors_tsv(report: ErrorReport) -> str:
    """Return the listing alone if one was asked for, else one table after the other."""
    if report.request.listing:
        tables = [listing_table(report)]
    else:
        tables = [_full_errors(report), *full_breakdown_tables(report.report.breakdown)]
        tables += _counted_tables(report, full=True)
        if report.windows:
            tables.append(_windows(report, list(report.report.scores), _TOTAL, exact))
        if report.what_if:
            tables.append(what_if_table(report, full=True))
        if report.compared is not None:
            tables += [compared_table(report.compared, full=True), contrast_table(report, full=True)]
    return Sheet(tables, _signature(report)).tsv()


def _full_errors(report: ErrorReport) -> Table:
    names, total = list(report.report.scores), _total(report)
    corrected = {how: scores for how, scores in report.corrected._asdict().items() if scores}
    head = ["error", *total, *(f"{name}_{how}" for how in corrected for name in names)]
    head += [f"{name}_share" for name in names if report.shares]
    head += _interval_head(report, names)
    rows = [
        [
            kind,
            *map(_shown, _counts(report, kind).values()),
            *(exact(main_part(scores[kind][name])) for scores in corrected.values() for name in names),
            *_shares(report.gained(), kind, names),
            *_interval_ends(report, kind, names),
        ]
        for kind in KINDS
    ]
    for place, kind in enumerate([*report.uncopied]):
        cells = _full_uncopied(report, kind, names)
        padded = [*cells, *[""] * (len(head) - len(cells))]
        rows.insert(len(KINDS) - len(report.uncopied) + 1 + 2 * place, padded)
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


def _full_uncopied(report: ErrorReport, kind: str, names: Sequence[str]) -> list[str]:
    found = report.uncopied[kind]
    counts = map(_shown, counts_of(kind, found.counts).values())
    alone = [exact(main_part(found.alone[name])) for name in names] if report.corrected.alone else []
    return [f"{kind}.not_copied", *counts, *alone]


def _interval_head(report: ErrorReport, names: Sequence[str]) -> list[str]:
    """Return the columns with the ends of the intervals of gains, if there are any."""
    if report.gain_intervals is None:
        return []
    hows = [how for how, ends in report.gain_intervals._asdict().items() if ends]
    return [f"{name}_{how}_gain_{end}" for how in hows for name in names for end in ("low", "high")]


def _interval_ends(report: ErrorReport, kind: str, names: Sequence[str]) -> list[str]:
    if report.gain_intervals is None:
        return []
    told = [by_kind for by_kind in report.gain_intervals if by_kind]
    found = [by_kind.get(kind, {}).get(name) for by_kind in told for name in names]
    return [cell for ends in found for cell in (("", "") if ends is None else map(repr, ends))]


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
    plain |= _counted(report)
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
