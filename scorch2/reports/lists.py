"""Lists of errors, examples, links and entities, one by one, in their forms for reading."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from textwrap import fill
from typing import Any

from scorch2.analysis.error_report import ErrorReport, ListedRow
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.listing import (
    COLUMNS,
    READ_OF_ENTITIES,
    Spread,
    as_shown,
    chosen_first,
    done,
    example_order,
    pair_name,
    pair_of,
    spelled_out,
)
from scorch2.analysis.second import OF_SYSTEMS
from scorch2.model.errors import escaped, without_middle
from scorch2.model.score import percent
from scorch2.scoring.layout.sheets import Content
from scorch2.scoring.layout.tables import Table, latex_text


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
    "Mentions of each entity, and of the one that it is aligned with (there), with F1 of the two. In: how "
    "many entities of the other side share its mentions; outside: its mentions that are not in the one with "
    "most of them; together with: the others in that one. A gold entity is conflated with those; between one "
    "of the system and those gold's entity is divided. Entities with the most mentions outside come first."
)
_HEADS = {"aligned_mentions": "there", "f1": "F1", "merged": "together with", "pieces": "in"}


def read_listing(report: ErrorReport) -> Table:
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
    head = [_HEADS.get(column, column) for column in columns]
    return Table(head, [[_cell(row, column) for column in columns] for row in rows])


_SIDES = ("antecedent_", "", "instead_")
MOST_EXAMPLES = 50
"""The examples that are shown for reading; the others are counted."""
MOST_PAIRS = 8


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
    head = ["error", "document", "mention", "antecedent", "mentions lost", *_of_systems(report)]
    head += ["antecedent in its sentence", "mention in its sentence", report.said("what the system did")]
    return Table(head, rows)


def _shown_examples(report: ErrorReport) -> list[ListedRow]:
    spread = Spread()
    ranked = ((spread.rank(example_order(row)), row) for row in report.rows)
    return as_shown(chosen_first(ranked, MOST_EXAMPLES))


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
    "Mentions lost: those that are divided, conflated, missing or extra; most come first. In brackets: "
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


_KEPT = ("error", "links", "side", "status", *OF_SYSTEMS)
"""The columns of listings that are not shortened: their words are few."""
_TEXTS = ("text", "link_to_text", "patterns")  # columns that stand below the row of an error
_INDENT = "    "


def listing_parts(report: ErrorReport) -> list[Content]:
    """Return the rows that were asked for; the texts of an error stand in a line below it."""
    if not report.request.listing:
        return []
    table = read_listing(report)
    if report.request.listing == "examples":
        return [partial(_examples, report, table), example_remarks(report)]
    if report.request.listing == "errors":
        return [partial(_errors_with_texts, report, table)]
    said = [ENTITIES] if report.request.listing == "entities" else []
    return [partial(table.shortened, _KEPT), *said]


def _errors_with_texts(report: ErrorReport, table: Table, width: int) -> str:
    """Return errors with the texts below: of the mention, and of the one beside it; and patterns."""
    head, rule, *lines = table.without(_TEXTS).shortened(_KEPT, width).split("\n")
    parts = [head, rule]
    for line, row in zip(lines, report.rows, strict=True):
        beside = f" ↔ {row['instead_text']}" if row.get("instead_text") else ""
        beside = f" ← {row['link_to_text']}" if row.get("link_to_text") else beside
        below = f"{row.get('text') or ''}{beside}", " ".join(row["patterns"])
        texts = (without_middle(escaped(text), width - len(_INDENT)) for text in below if text)
        parts += [line, *(f"{_INDENT}{text}" for text in texts)]
    return "\n".join(parts)


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


def in_gb4e(report: ErrorReport) -> str:
    """Return the examples, if they are listed, as the numbered ones of a paper."""
    shown = []
    for row in _shown_examples(report) if report.request.listing == "examples" else ():
        context = [in_sentence(row, side) for side in _SIDES if row.get(f"{side}sentence")]
        words = [row["document"], *context, done(row, report.said)]
        shown.append(r"\ex " + r"\\{} ".join(map(latex_text, words)))
    exe = [r"% \usepackage{gb4e}", r"\begin{exe}", *shown, r"\end{exe}", ""]
    return "\n".join(exe) if shown else ""
