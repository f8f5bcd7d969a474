"""Pages of several systems: side by side, and in the ranks of a leaderboard."""

from collections.abc import Mapping

from scorch2.analysis.kinds import ALL, KINDS
from scorch2.analysis.systems import DIFFERS, ERRORS, SHARE, Column, Comparison, SystemRow
from scorch2.audit.board import Leaderboard, Ranking
from scorch2.model.errors import told
from scorch2.reports.audit import caption as caption_of_ranking
from scorch2.reports.audit import headed, page_address, sizes, table
from scorch2.reports.page.frame import (
    NOTHING,
    TERMS,
    Html,
    Section,
    framed,
    html_table,
    joined,
    kind_mark,
    lines,
    name_of,
    one_stop,
    remark,
    tag,
    text,
    titled,
    words_part,
)
from scorch2.reports.systems import HEAD, caption

TITLE = "Systems side by side"
_SORTED = "A click on the head of a column sorts the systems by it."
_TABLES: Mapping[str, str] = {"": "Scores", ERRORS: "Errors", SHARE: "Shares"}
"""The tables of the page, by the part of their columns; the first one has all scores."""
_PARTS: Mapping[str, str] = {"recall": "recall", "precision": "precision", "f1": "F1"}


def systems_html(compared: Comparison) -> Html:
    """Return the page of a comparison."""
    made = compared.signature() if compared.shows_signature else ""
    parts: dict[str, list[Column]] = {part: [] for part in _TABLES}
    for column in compared.columns:
        parts[column.part if column.is_of_errors else ""].append(column)
    shown = [
        Section(name.lower(), name, _table(compared, name, parts[part]))
        for part, name in _TABLES.items()
        if parts[part]
    ]
    if compared.pages:
        shown.append(Section("pages", "Pages", _pages(compared)))
    if parts[ERRORS]:
        shown.append(Section("words", "Words", words_part(["share", "point", "link"])))
    said = f"{caption(compared, 'Bold: best', tuple(DIFFERS.values()))} {_SORTED}"
    return framed(TITLE, said, made, shown, has_texts=False)


def _table(compared: Comparison, name: str, columns: list[Column]) -> Html:
    """Return numbers: strong if they are the best, with marks or letters if some of their column have any."""
    head = [text(HEAD), *(_head(compared, column) for column in columns)]
    rows = [[name_of(system.name)] for system in compared.systems]
    for column in columns:
        marks = [_mark(compared, system, column) for system in compared.systems]
        for row, system, mark in zip(rows, compared.systems, marks, strict=True):
            number = text(compared.shown(system, column))
            shown = tag("strong", number) if compared.is_best(system, column) else number
            row.append(joined([shown, tag("sup", mark)]) if any(marks) else shown)
    return html_table(text(f"{name} of the systems"), head, rows, classes="sortable systems")


def _head(compared: Comparison, column: Column) -> Html:
    if not column.is_of_errors:
        label = compared.systems[0].report.short_label(column.metric)
        return titled(text(column.label), f"{label} {_PARTS.get(column.part, column.part)}, percent")
    row = KINDS.get(column.metric)
    what = f"{row.label}: {row.what}" if row else "errors of all kinds"
    if column.part == SHARE:
        what = f"{TERMS[SHARE]}; {what}"
    label = text(column.label.removesuffix(f" {SHARE}"))
    return titled(label if column.metric == ALL else joined([kind_mark(column.metric), label], " "), what)


def _mark(compared: Comparison, system: SystemRow, column: Column) -> Html:
    mark = DIFFERS[compared.direction(system, column)]
    if not mark:
        return text(compared.letters_of(system, column))
    test = system.tests[column.metric, column.part]
    higher = "higher" if compared.direction(system, column) > 0 else "lower"
    said = f"significantly {higher} than {test.against}, p = {test.found.corrected:.2g}"
    return tag("span", text(mark), role="img", aria_label=said, title=said)


def _pages(compared: Comparison) -> Html:
    """Return a table of pages: that of the errors of a row's system, compared with that of a column."""
    names = [system.name for system in compared.systems]

    def cell(row: str, column: str) -> Html:
        address = compared.pages.get((row, column))
        said = f"errors of {row}, compared with {column}"
        return tag("a", text("errors"), href=address, aria_label=said) if address else NOTHING

    rows = [[name_of(name), *one_stop([cell(name, column) for column in names])] for name in names]
    table = html_table(
        text("The errors of the system of a row"), [text("compared with"), *map(name_of, names)], rows
    )
    said = "Each page has the errors of the system of its row, and says which of them the other makes, too."
    return joined([table, remark(said)])


_SAID = "Systems ranked by stored reports of scorch2. A click on a head sorts by its column."
_LINKS = "errors"  # the head of the column with links


def board_html(board: Leaderboard) -> str:
    """Return the page; its links begin at the folder of the board."""
    sections = []
    for number, (ranking, heading) in enumerate(headed(board), 1):
        title = f"Ranking {number}" if heading else "Ranking"
        sections.append(Section(f"ranking-{number}", title, _part(board, ranking, heading)))
    told_lines = [tag("li", text(line)) for line in told(board.notices)]
    warnings = tag("ul", lines(told_lines), class_="notice") if told_lines else NOTHING
    sections.append(Section("warnings", "Warnings", warnings))
    return framed(board.title, _SAID, "", sections, has_texts=False)


def _part(board: Leaderboard, ranking: Ranking, heading: str) -> Html:
    """Return a ranking: why it is one of its own, the table, and how it was made."""
    compared = ranking.compared
    why = [tag("h3", text(heading))] if ranking.unlike else []
    made = [tag("p", tag("code", text(compared.signature())))] if board.shows_signature else []
    said = remark(sizes(ranking)), _ranks(board, ranking), remark(caption_of_ranking(ranking, "Bold: best"))
    return joined([*why, *said, *made])


def _ranks(board: Leaderboard, ranking: Ranking) -> Html:
    compared = ranking.compared

    def cell(system: SystemRow, column: Column) -> Html:
        number, _, interval = compared.shown(system, column).partition(" ")
        ranks = tag("strong", text(number)) if compared.is_best(system, column) else text(number)
        return joined([ranks, tag("small", text(interval), class_="ends")] if interval else [ranks])

    ranks = table(ranking, cell, [*map(name_of, ranking.ranks)])
    head, rows = [*map(text, ranks.head)], [[*map(Html, row)] for row in ranks.rows]
    if any(name in board.pages for name in ranking.ranks):
        head.append(text(_LINKS))
        for row, name in zip(rows, ranking.ranks, strict=True):
            address = page_address(board, name)
            told_name = f"errors of {name}"
            row.append(
                NOTHING if address is None else tag("a", text(_LINKS), href=address, aria_label=told_name)
            )
    return html_table(
        tag("span", text("Systems by rank"), class_="unseen"), head, rows, classes="sortable board"
    )
