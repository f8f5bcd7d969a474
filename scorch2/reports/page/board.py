"""The page of a leaderboard: a table for each ranking, whose heads sort it, with links to pages of errors."""

from scorch2.analysis.systems import Column, SystemRow
from scorch2.audit.board import Leaderboard, Ranking
from scorch2.model.errors import told
from scorch2.reports.board import caption, headed, page_address, sizes, table
from scorch2.reports.page.frame import (
    NOTHING,
    Html,
    Section,
    framed,
    html_table,
    joined,
    lines,
    name_of,
    remark,
    tag,
    text,
)

_SAID = "Systems ranked by stored reports of scorch2. A click on a head sorts by its column."
_LINKS = "errors"  # the head of the column with links


def board_html(board: Leaderboard) -> str:
    """Return the page; its links begin at the folder of the board."""
    sections = [
        Section(
            f"ranking-{number}", f"Ranking {number}" if heading else "Ranking", _part(board, ranking, heading)
        )
        for number, (ranking, heading) in enumerate(headed(board), 1)
    ]
    told_lines = [tag("li", text(line)) for line in told(board.notices)]
    warnings = tag("ul", lines(told_lines), class_="notice") if told_lines else NOTHING
    said = [*sections, Section("warnings", "Warnings", warnings)]
    return framed(board.title, _SAID, "", said, has_texts=False)


def _part(board: Leaderboard, ranking: Ranking, heading: str) -> Html:
    """Return a ranking: why it is one of its own, the table, and how it was made."""
    compared = ranking.compared
    why = [tag("h3", text(heading))] if ranking.unlike else []
    made = [tag("p", tag("code", text(compared.signature())))] if board.shows_signature else []
    said = remark(sizes(ranking)), _table(board, ranking), remark(caption(ranking, "Bold: best"))
    return joined([*why, *said, *made])


def _table(board: Leaderboard, ranking: Ranking) -> Html:
    compared = ranking.compared

    def cell(system: SystemRow, column: Column) -> Html:
        number, _, interval = compared.shown(system, column).partition(" ")
        shown = tag("strong", text(number)) if compared.is_best(system, column) else text(number)
        return joined([shown, tag("small", text(interval), class_="ends")] if interval else [shown])

    shown = table(ranking, cell, [*map(name_of, ranking.ranks)])
    head, rows = [*map(text, shown.head)], [[*map(Html, row)] for row in shown.rows]
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
