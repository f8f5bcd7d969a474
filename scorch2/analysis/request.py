"""What an analysis is asked for, and what it finds in one document: small, so that processes can send it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from scorch2.analysis.kinds import Count
from scorch2.analysis.links import RECALL, Trace
from scorch2.model.score import Measured

if TYPE_CHECKING:
    from scorch2.analysis.listing import Scene


class Sums(NamedTuple):
    """The sums over the mentions of a class, of one side. Fractions are numerators by their denominator."""

    mentions: int
    found: int
    """Mentions that are on the other side."""
    links: Sequence[int]
    """By status."""
    b_cubed: Mapping[int, int]
    lea: Mapping[int, int]


BySide: TypeAlias = tuple[Mapping[str, Sums], Mapping[str, Sums]]
"""The sums of gold and of the system, by class."""
EMPTY = Sums(0, 0, [0] * len(RECALL), {}, {})


SpansName: TypeAlias = Literal["auto", "overlap", "none"]
SPANS: tuple[SpansName, ...] = get_args(SpansName)
"""How span errors are found: by overlap where mentions are spans of a text, or not at all."""
ListingName: TypeAlias = Literal["errors", "links", "entities"]
LISTINGS: tuple[ListingName, ...] = get_args(ListingName)
"""What can be listed one by one."""
ListedRow: TypeAlias = Mapping[str, Any]
"""A row of a listing, by column, as it is in JSON."""
TEXT_TOKENS = 100_000
"""The tokens of text that a page has at most, if no number is given."""


class PageRequest(NamedTuple):
    """The title of the page, and how much text it may have."""

    title: str
    text_tokens: int = TEXT_TOKENS


class AnalysisRequest(NamedTuple):
    """The options of an analysis; the default finds the number of errors and what they cost."""

    spans: str = "auto"
    types: str = "auto"
    """One of `scorch2.analysis.mention_types.TYPES_HOW`."""
    by: tuple[str, ...] = ()
    """The dimensions to break scores down by, keys of `scorch2.analysis.dimensions.DIMENSIONS`."""
    plotted: tuple[str, ...] = ()
    """The dimensions that figures show, in any case."""
    genre: str | None = None
    """A regular expression whose first group is the genre in the name of a document."""
    windows: tuple[int, ...] = ()
    """The lengths of windows in tokens."""
    trace: bool = False
    """Whether links are kept for the comparison with another system."""
    listing: str = ""
    """One of `LISTINGS`."""
    kinds: tuple[str, ...] = ()
    """The kinds of errors to list; all if empty."""
    documents: tuple[str, ...] = ()
    """The documents to list; all if empty."""
    page: PageRequest | None = None
    """Given if the page is written; it shows the errors and texts of `kinds` and `documents`."""


class ClassFindings(NamedTuple):
    """The sums of one document by classes of mentions, for scores that are broken down."""

    classes: Mapping[str, BySide]
    """By dimension."""
    spans: str
    types: str


class Findings(NamedTuple):
    """The findings of one document."""

    counts: Sequence[Count]
    """By kind, in the order of `KINDS`."""
    recall: Sequence[int]
    """The links of gold by their status, in the order of `scorch2.analysis.links.RECALL`."""
    precision: Sequence[int]
    """The links of the system, in the order of `PRECISION`."""
    alone: Sequence[Measured]
    """The document after correcting each kind by itself."""
    in_order: Sequence[Measured]
    """The document after correcting each kind and all kinds before it."""
    spans: str
    """How span errors were found: ``overlap`` or ``none``."""
    types: str
    """How types were found: ``tags``, ``english``, or empty if they are not known."""
    classes: Mapping[str, BySide] = {}
    """The sums of each dimension that was asked for."""
    windows: Sequence[Sequence[Measured]] = ()
    """The windows of each length that was asked for."""
    listing: Sequence[ListedRow] = ()
    trace: Trace | None = None
    """The links of the document, if they are to be compared with those of another system."""
    plotted: Mapping[str, BySide] = {}
    """The sums of each dimension that figures show."""
    tokens: int | None = None
    """The length of the document; None if it has no tokens."""
    page: "PageFindings | None" = None
    """What only the page needs, if it is written."""


class PageFindings(NamedTuple):
    """The findings of a document that only the page needs."""

    score: float
    """The score that documents are ordered by; infinite if it is 0/0."""
    classes: Mapping[str, BySide]
    """The sums of the dimensions of the page that are known."""
    scene: "Scene | None"
    """Its text and errors, until it is known whether they are shown."""


def settings_of(evidence: Sequence[Findings | ClassFindings]) -> list[tuple[str, str]]:
    """Return how errors were found, for the signature; ``mixed`` if not in the same way everywhere."""
    found = []
    for name, values in (
        ("spans", {one.spans for one in evidence}),
        ("types", {one.types for one in evidence}),
    ):
        value = values.pop() if len(values) == 1 else "mixed"
        if value:
            found.append((name, value))
    return found
