"""The marks and words for the seven kinds of errors."""

from scorch2.analysis.figures.figure import MARKS
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.page.markup import Html, tag, text

WHAT = {
    "span": "a mention of both sides whose boundaries differ",
    "conflated": "mentions of another gold entity in a system entity",
    "extra_mention": "a mention that gold lacks, in an entity that gold has",
    "extra_entity": "a system entity of which gold has no mention",
    "divided": "mentions of a gold entity that are in another system entity than its first ones",
    "missing_mention": "a mention that the system lacks, of an entity that it has",
    "missing_entity": "a gold entity of which the system has no mention",
}
"""A sentence for each kind, for a reader who has never seen the page."""


def mark(kind: str) -> Html:
    """Return the mark of a kind as a picture beside its name."""
    return tag("i", text(MARKS[kind]), class_=f"mark {kind}", aria_hidden="true")


def marked(kind: str) -> Html:
    """Return the mark and the name of a kind."""
    return Html(f"{mark(kind)} {text(KINDS[kind])}")


def link(kind: str, target: str) -> Html:
    """Return the mark of a kind as a link, in a text."""
    label = f"{KINDS[kind]}: see its row"
    return tag(
        "a", text(MARKS[kind]), class_=f"mark {kind}", href=target, title=KINDS[kind], aria_label=label
    )
