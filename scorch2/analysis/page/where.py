"""The part of the page that says where links are lost: by classes of mentions."""

from collections.abc import Mapping, Sequence

from scorch2.analysis.breakdown import breakdown
from scorch2.analysis.figures.figure import MARKS, coordinate
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.links import PRECISION, RECALL
from scorch2.analysis.page.drawn import drawn, rect
from scorch2.analysis.page.kinds_shown import marked
from scorch2.analysis.page.markup import NOTHING, Html, joined, tag, text
from scorch2.analysis.page.ranking import WHERE
from scorch2.analysis.page.tables_shown import plain, table
from scorch2.analysis.report import ErrorReport
from scorch2.model.results import Breakdown, ClassRow
from scorch2.scoring import breakdown_table
from scorch2.scoring.report import Report

WORDS: Mapping[str, str] = {
    "type": "By the kind of mention",
    "size": "By the number of mentions of the entity",
    "sentences": "By the sentences back to the mention before in the entity",
    "mentions": "By the mentions back to the mention before in the entity",
    "text": "By the text: was there an earlier mention of the entity with the same words?",
}
"""The heading of each dimension of the page."""
_WIDTH = 200
_FEW = 2
"""Classes (`first` is one) that say nothing of a distance."""
_ROOM = 18
"""The narrowest part of a bar that has room for its mark."""


def where(report: ErrorReport) -> Html:
    """Return the links by each dimension that is known, and scores by those that were asked for."""
    found = known(report)
    parts = [_legend()]
    for name, rows in found.items():
        parts += [tag("h3", text(WORDS[name])), _links(name, rows), *scores_by(name, report.report)]
        if name == "sentences":
            parts.append(drawn(report._replace(plotted=found), name))
    for name in report.report.breakdown:
        if name not in found:
            parts += [tag("h3", text(f"By {name}")), *scores_by(name, report.report)]
    return joined(parts)


def known(report: ErrorReport) -> Breakdown:
    """Return the dimensions of the page that are known for every document.

    Mentions are counted where sentences say nothing: many files have no breaks between them.
    """
    classes = [one.classes for one in report.page_evidence]
    names = [name for name in WHERE if all(name in sums for sums in classes)] if classes else []
    found = {name: rows for name, rows in breakdown(classes, names).items() if rows}
    found.pop("mentions" if len(found.get("sentences", ())) > _FEW else "sentences", None)
    return found


def scores_by(name: str, report: Report) -> list[Html]:
    """Return the table of the scores of each class, if the breakdown by this dimension was asked for."""
    asked = {one: rows for one, rows in report.breakdown.items() if one == name}
    caption = f"Scores by {name}. Percent; counts are added over documents, whatever the average."
    return [plain(caption, one) for one in breakdown_table.tables(asked)]


def _legend() -> Html:
    kinds = [marked(kind) for kind in KINDS]
    return tag(
        "p",
        text(
            "A link goes from a mention to the one before it in its entity. Each bar shows how many are "
            "found (plain) and what the others are lost to: "
        ),
        joined(kinds, ", "),
        text(". Counts are added over documents."),
        class_="pale",
    )


def _links(name: str, rows: Sequence[ClassRow]) -> Html:
    head = [name, "gold links", "what becomes of them", "found", "system links", "what they are", "right"]
    shown = [
        [text(row.name), *_side(row, "recall", RECALL), *_side(row, "precision", PRECISION)]
        for row in rows
        if any(map(row.total, row.links))
    ]
    caption = text("Percent of links found, and right")
    return table(caption, [text(cell) for cell in head], shown, classes="bars")


def _side(row: ClassRow, side: str, statuses: Sequence[str]) -> list[Html]:
    """Return the number of links, a bar of their statuses, and the share that is found."""
    total, percent = row.total(side), row.found(side)
    if percent is None:
        return [text("0"), NOTHING, NOTHING]
    return [text(str(total)), _bar(row.links[side], statuses, total), text(f"{percent:.2f}")]


def _bar(links: Mapping[str, int], statuses: Sequence[str], total: int) -> Html:
    x, parts, said = 0.0, [], []
    for status in statuses:
        width = _WIDTH * links[status] / total
        if width:
            parts.append(rect(x, 0, (max(width - 1, 0.5), 16), "", status))
            if status in MARKS and width >= _ROOM:
                label = text(MARKS[status])
                parts.append(tag("text", label, x=coordinate(x + width / 2), y=12, class_="middle ink-light"))
            said.append(f"{KINDS.get(status, status)} {links[status]}")
        x += width
    description = ", ".join(said)
    return tag(
        "svg",
        tag("title", text(description)),
        *parts,
        viewBox=f"0 0 {coordinate(_WIDTH)} 16",
        role="img",
        aria_label=description,
        class_="share",
    )
