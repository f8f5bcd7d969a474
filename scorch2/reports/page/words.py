"""The words of pages: what each term means, told where the pointer rests and listed at the end of a page."""

from collections.abc import Callable, Iterable, Mapping

from scorch2.analysis.kinds import KINDS
from scorch2.reports.page.frame import Html, kind_mark, tag, text

_OF_ENTITIES: Mapping[str, str] = {
    "link": "from a mention to the one before it in its entity; an entity of n mentions has n − 1 links",
    "correct link": "its mention and an earlier one of its entity are in one entity of the other side, too: "
    "recall is the share of gold's links that are correct, precision that of the system's, as MUC has it",
    "found mention": "a mention that is on both sides: recall is the share of gold's mentions, precision "
    "that of the system's",
    "singleton": "an entity of one mention, which has no link",
}
_OF_ERRORS: Mapping[str, str] = {
    "errors": "the number of errors",
    "mentions": "the mentions in these errors",
    "lost R": "links of gold that MUC recall lacks because of these errors",
    "lost P": "links of the system that MUC precision lacks because of these errors",
    "share": "the points of F1 that correcting these errors gains, the mean over all orders of correction",
    "alone": "the points of F1 that correcting only these errors gains",
    "in order": "the points of F1 that correcting these errors gains, after the kinds above",
    "point": "one hundredth of F1: from 60.00 to 61.00 percent is one point",
}
_OF_TEXTS: Mapping[str, str] = {
    "number of an entity": "gold entities are numbered by their first mentions; a system entity has that "
    "of the gold entity that fits best, or a letter; its name in the file is in brackets",
    "not": "before the entity that a mention is cut off from, or wrongly joined with",
    "row": "the number of a sentence in its document, from 0; of a line, if there are no sentences",
    "antecedent": "the mention before in the same entity",
    "piece": "the mentions of an entity that are together in one entity of the other side",
    "merged with": "the other entities that are in one with its largest piece",
    "cut off": "mentions in another entity of the system than the first ones of their gold entity",
    "wrongly joined": "mentions in the system's entity of another gold entity",
    "in the wrong entity": "cut off and wrongly joined at once: counted as divided and as conflated",
}
TERMS: Mapping[str, str] = {**_OF_ENTITIES, **_OF_ERRORS, **_OF_TEXTS}
"""The terms of the page of errors; the kinds of errors are in `KINDS`."""


def explained(head: str, said: Callable[[str], str] = str) -> Html:
    """Return the head of a column, which says what its last word means where the pointer rests."""
    what = next((words for term, words in TERMS.items() if head == term or head.endswith(f" {term}")), None)
    return titled(text(head), None if what is None else said(what))


def titled(shown: Html, what: str | None) -> Html:
    """Return something that says what it is where the pointer rests."""
    return shown if what is None else tag("span", shown, title=what)


def words_part(said: Callable[[str], str] = str, terms: Iterable[str] = tuple(TERMS)) -> Html:
    """Return the kinds of errors and terms with what they mean, for those who have no pointer."""
    kinds = [(Html(f"{kind_mark(kind)} {text(row.label)}"), row.what) for kind, row in KINDS.items()]
    listed = [*kinds, *((text(term), TERMS[term]) for term in terms)]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", text(said(what)))) for name, what in listed))
