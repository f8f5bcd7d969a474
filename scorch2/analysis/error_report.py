"""ErrorReport, and what it is made of: the request, the findings of each document, and what they add up to.

All that is about one document is small, so that other processes can send it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from scorch2.analysis.kinds import KINDS, Count, Located, OrderedSide
from scorch2.analysis.links import (
    RECALL,
    GainIntervals,
    Gains,
    LinkChanges,
    Scores,
    Subsets,
    Trace,
    Values,
    gains_of,
)
from scorch2.model.document import Span
from scorch2.model.errors import Notice, UsageError, unknown_name
from scorch2.model.forms import Shown
from scorch2.model.names import joined
from scorch2.model.options import Frozen
from scorch2.model.results import Breakdown, Confidence, Interval
from scorch2.model.score import Measured, Value
from scorch2.model.settings import TEXT_TOKENS
from scorch2.scoring.matching.matched import Change
from scorch2.scoring.report import Report

ListedRow: TypeAlias = Mapping[str, Any]  # a row of a listing, by column, as it is in JSON


class PageRequest(NamedTuple):
    """The title of the page, how much text it may have, and whether none of it is packed."""

    title: str
    text_tokens: int = TEXT_TOKENS
    plain: bool = False
    annotators: tuple[str, str] | None = None  # two annotators in place of gold and a system
    systems: tuple[str, str] = ("", "")  # the names of a system and of a second one, if they are known
    gold: str = ""  # the path of gold, if names of systems are paths, too


Star: TypeAlias = tuple[str, str, str]
"""An error as the address of a page names it: by its document, mention and kind."""


class AnalysisRequest(NamedTuple):
    """The options of an analysis; the default finds the number of errors and what they cost."""

    spans: str = "auto"
    types: str = "auto"
    by: tuple[str, ...] = ()  # the dimensions to break scores down by, keys of `DIMENSIONS`
    plotted: tuple[str, ...] = ()
    gains: str = "shares"
    """What is told of corrections: the share of each kind, what each gains alone and in order, or nothing."""
    genre: str | None = None  # a regular expression whose first group is the genre in the name of a document
    windows: tuple[int, ...] = ()
    trace: bool = False  # whether links are kept for the comparison with another system
    is_second: bool = False  # whether it is that other system, which needs less
    listing: str = ""
    kinds: tuple[str, ...] = ()  # the kinds of errors to list and to show on the page; all if empty
    documents: tuple[str, ...] = ()  # the documents, in the same way
    what_if: "tuple[Scenario, ...]" = ()  # errors to correct, and no others
    patterns: tuple[str, ...] = ()  # errors with one of these, in the same way
    stars: tuple[Star, ...] = ()  # errors that have a star, in the same way
    counted: tuple[str, ...] = ()  # what errors are counted by, of `COUNTED`
    has_places: bool = False  # whether they are counted along the texts, for a figure
    page: PageRequest | None = None

    @property
    def scored_windows(self) -> tuple[int, ...]:
        """The lengths of windows that are scored: all but the one that errors are counted by."""
        return self.windows["place" in self.counted :]

    def chooses(self, error: Located, star: Star | None) -> bool:
        """Return whether an error, with a star or none, is to be listed and shown."""
        has_pattern = not self.patterns or any(name in self.patterns for name in error.patterns)
        is_asked = not self.stars or star is not None
        return has_pattern and is_asked and (not self.kinds or error.kind in self.kinds)


class Sums(NamedTuple):
    """The sums over the mentions of a class, of one side. Fractions are numerators by their denominator."""

    mentions: int
    found: int  # mentions that are on the other side
    links: Sequence[int]
    b_cubed: Mapping[int, int]
    lea: Mapping[int, int]
    pairs: tuple[int, int] = (0, 0)
    """The links of all pairs that are found, and all, of entities of the class, if the dimension has them."""


BySide: TypeAlias = tuple[Mapping[str, Sums], Mapping[str, Sums]]
"""The sums of gold and of the system, by class."""
EMPTY = Sums(0, 0, [0] * len(RECALL), {}, {})


class ShownText(NamedTuple):
    """The text of a document in rows: sentences, or lines of characters."""

    units: Sequence[str]  # tokens, or characters as one string
    rows: Sequence[Span]
    labels: Sequence[str]
    """The number of each row: of its sentence or line from 0, and of its first token if it is cut."""
    between: str
    changes: Sequence[Change] = ()  # where the text of the system differs, if it was copied
    glued: frozenset[int] = frozenset()  # the tokens before which no blank stands

    def gap(self, place: int) -> str:
        """Return what stands before a unit that is not the first."""
        return "" if place in self.glued else self.between

    def of(self, span: Span) -> str:
        """Return the text of a span."""
        return joined(self.units, span, self.between, self.glued)


_LETTERS = (
    *(("a gold", "an A"), ("the system", "B"), ("Gold", "A"), ("gold", "A"), ("system", "B")),
    *(("span error", "span difference"), ("conflated", "joined"), ("the wrong ent", "another ent")),
    *(
        (f"{kind} {noun}", f"{noun} of {side} alone")
        for kind, side in (("missing", "A"), ("extra", "B"))
        for noun in ("mentions", "mention", "entities", "entity")
    ),
)
"""What neither side of two annotators is called by, and what stands in its place."""


def of_sides(words: str, annotators: object) -> str:
    """Return a sentence about gold and the system; if they are `annotators`, one about A and B.

    >>> of_sides("a gold entity of which the system has no mention", True)
    'an A entity of which B has no mention'
    """
    for name, letter in _LETTERS if annotators else ():
        words = words.replace(name, letter)
    return words


class ShownSide(NamedTuple):
    """One side with the names of its entities and mentions, and where these stand in the text."""

    side: OrderedSide
    entities: Sequence[str | None]
    mentions: Sequence[str]
    spans: Sequence[Sequence[Span]]
    """The parts of each mention: several if it is not continuous. Empty without a text."""
    name: str  # ``gold``, ``system``, or the letter of an annotator


class LosingEntity(NamedTuple):
    """An entity with links that are lost, on the page."""

    number: int
    row: ListedRow  # of ``--list=entities``, but without the entity that it is aligned with
    lost: int  # its links that are not found, or not right
    places: Sequence[int]  # of its mentions


class LosingEntities(NamedTuple):
    """The entities of a side that lose most links, how many there are with an error, and all links lost."""

    shown: Sequence[LosingEntity]
    wrong: int
    lost: int


class OtherScene(NamedTuple):
    """The same document under a second system, without the text."""

    scene: "Scene"
    same: Sequence[int]
    """The place of each of its errors among those of the first system; `LACKS` for those of it alone."""
    shared: frozenset[int]
    """The places of the errors of the first system that both make."""


class Scene(NamedTuple):
    """A document on the page."""

    id: str
    gold: ShownSide
    system: ShownSide
    errors: Sequence[Located]
    text: ShownText | None
    uncopied: frozenset[int] = frozenset()  # the places of gold mentions of which a copy has no word
    losing: Sequence[LosingEntities] = ()  # of gold, and of the system
    other: OtherScene | None = None
    name: str = ""  # the name inside the file, where it is called by that of its file

    @property
    def size(self) -> int:
        """The number of tokens that the page spends on it: words of other texts, or else mentions."""
        if self.text is None:
            return len(self.gold.side.mentions) + len(self.system.side.mentions)
        units = self.text.units
        return len(units.split()) if isinstance(units, str) else len(units)


class Example(NamedTuple):
    """An error that the page may show as an example."""

    error: Located
    texts: tuple[str, str]  # of its mention and the other one in small letters; empty where there is none
    listed: Callable[[], ListedRow]  # its row of ``--list=examples``
    who: Mapping[str, str] = {}  # what the row has more where there is a second system

    def row(self) -> ListedRow:
        """Return its row."""
        return {**self.listed(), **self.who}


class PairExamples(NamedTuple):
    """The examples of a pair of mentions with the same texts."""

    texts: tuple[str, str]  # of the mention and its antecedent, in small letters
    number: int
    rows: Sequence[ListedRow]


class KindExamples(NamedTuple):
    """The examples of a kind of error that the page shows, those that cost most first."""

    number: int  # of all examples
    rows: Sequence[ListedRow]
    pairs: Sequence[PairExamples]
    of_patterns: Sequence[ListedRow] = ()  # a few of each pattern, which `rows` may have, too


class ClassFindings(NamedTuple):
    """The sums of one document by classes of mentions, for scores that are broken down."""

    classes: Mapping[str, BySide]
    spans: str
    types: str


class PageFindings(NamedTuple):
    """The findings of a document that only the page needs."""

    score: float  # the score that documents are ordered by; infinite if it is 0/0
    scene: Scene | None  # its text and errors, until it is known whether they are shown
    examples: Sequence[Example] = ()  # all its errors, until it is known which of them are shown


class Uncopied(NamedTuple):
    """The missing mentions of a kind of which a copy has no word, in a document."""

    counts: Count
    alone: Measured  # the document with no others added


class Scenario(NamedTuple):
    """Errors that are corrected together: those of any of some conditions."""

    name: str
    conditions: tuple[tuple[str, str], ...]
    """What they have: ``kind``, ``pattern``, ``entity`` or a dimension, and its value."""


class Supposed(NamedTuple):
    """A document after the corrections of a scenario."""

    measured: Measured
    errors: int
    entities: frozenset[str]
    """The names of entities in the scenario that the document has."""


Stretch: TypeAlias = tuple[int, Sequence[int], Located]
"""The number of a piece of a text, its errors by kind in the order of `KINDS`, and the first one."""


class Place(NamedTuple):
    """A window of a document, or a whole one, with its errors."""

    document: str
    start: int
    end: int
    size: int  # its tokens; the gold mentions of a document without any
    errors: Mapping[str, int]
    first: Located | None = None

    @property
    def rate(self) -> float:
        """All errors per 1 000 tokens, or gold mentions."""
        return 1000 * sum(self.errors.values()) / (self.size or 1)


class Findings(NamedTuple):
    """The findings of one document."""

    counts: Sequence[Count]  # by kind, in the order of `KINDS`
    recall: Sequence[int]
    """The links of gold by their status, in the order of `scorch2.analysis.links.RECALL`."""
    precision: Sequence[int]  # the links of the system, in the order of ``links.PRECISION``
    spans: str  # how span errors were found: ``head``, ``overlap``, ``trim`` or ``none``
    types: str  # how types were found: ``tags``, ``english``, or empty if they are not known
    classes: Mapping[str, BySide] = {}
    """Of the dimensions that are asked for; for the page and two systems also all known with a heading."""
    windows: Sequence[Sequence[Measured]] = ()
    listing: Sequence[ListedRow] = ()
    trace: Trace | None = None
    tokens: int | None = None  # the length of the document; None if it has no tokens
    page: PageFindings | None = None
    subsets: Subsets = Subsets(Measured("", 0, 0, ()), 0, {})  # none without gains
    uncopied: Sequence[Uncopied] = ()
    """By kind, in the order of `scorch2.analysis.kinds.UNCOPIED`; empty if no texts are compared."""
    supposed: Sequence[Supposed] = ()  # in the order of `AnalysisRequest.what_if`
    patterns: Mapping[str, Count] = {}
    places: Sequence[Stretch] = ()
    chosen: Sequence[bool] = ()  # whether each error of `trace` is listed and shown
    starred: frozenset[Star] = frozenset()  # the stars that are asked for and that it has


class Corrected(NamedTuple):
    """The scores of corrected output, by kind of error."""

    alone: Mapping[str, Scores]
    in_order: Mapping[str, Scores]


class UncopiedErrors(NamedTuple):
    """The missing mentions of a kind of which a copy has no word, and the scores with them added."""

    counts: Count
    alone: Scores


class WhatIf(NamedTuple):
    """The scores of output in which the errors of a scenario are corrected."""

    name: str
    errors: int
    scores: Scores


class Contrast(NamedTuple):
    """The errors of a kind that two systems make, or their scores of a class of mentions."""

    dimension: str  # ``kind``, or a dimension
    name: str
    first: float | None  # a number of errors, or F1 of LEA in 0..1; None for 0/0
    second: float | None
    interval: Interval = None  # of the first less the second, over resampled documents

    @property
    def difference(self) -> float | None:
        """The first less the second."""
        return None if self.first is None or self.second is None else self.first - self.second

    @property
    def better(self) -> str:
        """The system that is better in almost all resamples; empty if there is none."""
        low, high = self.interval or (0.0, 0.0)
        return "" if low <= 0 <= high else "first" if (low > 0) != (self.dimension == "kind") else "second"


class Windows(NamedTuple):
    """The scores of documents that are cut into windows."""

    tokens: int
    documents: int  # the number of windows with a mention
    scores: Scores


class _Fields(NamedTuple):
    report: Report
    errors: Mapping[str, Count]
    """By kind, in the order of `KINDS`."""
    recall_links: Mapping[str, int]
    """The number of gold links by status."""
    precision_links: Mapping[str, int]
    corrected: Corrected
    """The scores of corrected output; empty without gains."""
    shares: Mapping[str, Values]
    """The share of each kind in what all corrections gain, by metric; empty if shares were not asked for."""
    evidence: Sequence[Findings]
    """The findings of each document, in the order of the documents of `report`."""
    request: AnalysisRequest
    rows: Sequence[ListedRow]
    gains: Sequence[str]
    """The metrics whose gains are shown in tables."""
    windows: Sequence[Windows]
    compared: LinkChanges | None = None
    plotted: Breakdown = Frozen()
    """The rows of each dimension that figures show."""
    gain_intervals: GainIntervals | None = None
    scenes: Sequence[tuple[int, Scene]] = ()
    """The documents whose text the page shows: their places in the order of the documents."""
    uncopied: Mapping[str, UncopiedErrors] = Frozen()
    """By kind, the part of its errors that a copy makes which lacks words; empty if no texts are compared."""
    list_examples: Callable[[], Sequence[ListedRow]] | None = None
    """Lists the examples if the report has another listing, or none."""
    examples_by_kind: Mapping[str, KindExamples] = Frozen()
    """The examples of the page, by kind, in the order of `KINDS`; of those kinds that have any."""
    what_if: Sequence[WhatIf] = ()
    after_kinds: Mapping[int, Mapping[str, Value]] = Frozen()
    """F1 after the corrections of each set of kinds, in the order of `subsets`; if shares were asked for."""
    other_evidence: Sequence[Findings] = ()
    """The findings of a second system, as `evidence`."""
    contrasts: Sequence[Contrast] = ()
    """Which of two systems is better at what."""
    resampled: Confidence | None = None  # how the intervals of these were made
    patterns: Mapping[str, Count] = Frozen()
    """What errors have in common, by its name; empty if it was not asked for."""
    places: Sequence[Place] = ()
    """The errors along the texts, likewise."""


class ErrorReport(Shown, _Fields):
    """The errors of a system, and the report of its scores. It does not change.

    ``str(report)`` has the tables of `scorch2 errors`; a notebook shows them.
    """

    __slots__ = ()
    shown_as = "errors"

    @property
    def notices(self) -> Sequence[Notice]:  # type: ignore[override]  # a field of other values
        """The warnings of the scores."""
        return self.report.notices

    @property
    def by_document(self) -> Sequence[Sequence[Count]]:
        """The errors of each document by kind, in the order of the documents of `report`."""
        return [one.counts for one in self.evidence]

    @property
    def page_evidence(self) -> Sequence[PageFindings]:
        """The findings of each document that only the page needs; empty if no page is written."""
        return [one.page for one in self.evidence if one.page is not None]

    @property
    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The number of links by status, of gold (``recall``) and of the system (``precision``)."""
        return {"recall": self.recall_links, "precision": self.precision_links}

    @property
    def breakdown(self) -> Breakdown:
        """The rows of each dimension that was asked for."""
        return self.report.breakdown

    def __repr__(self) -> str:
        errors = {kind: count.errors for kind, count in self.errors.items()}
        return f"ErrorReport(documents={len(self.by_document)}, errors={errors})"

    def said(self, words: str) -> str:
        """Return a sentence about gold and the system, or about the annotators A and B."""
        return of_sides(words, self.annotators)

    @property
    def annotators(self) -> tuple[str, str] | None:
        """The two annotators that the page compares; None if it is of gold and a system."""
        return self.request.page and self.request.page.annotators

    def gained(self) -> Gains:
        """Return what correcting errors gains, by kind and metric, in -1..1; nothing without gains."""
        if not self.corrected.alone:
            return Gains({}, {}, {})
        return gains_of(self.report.scores, self.corrected.alone, self.corrected.in_order, self.shares)

    def signature(self) -> str:
        """Return one line that says how to get these numbers again."""
        return self.report.signature()

    def omissions(self) -> list[Notice]:
        """Return a warning if its page, if it is to have one, leaves something out."""
        return [] if self.request.page is None else cast("list[Notice]", self._by("omissions"))

    def to_html(self) -> str:
        """Return the page of ``scorch2 errors -f html``.

        Raises
        ------
        UsageError
            If the errors were counted without the ``title`` of a page, and so without texts.
        """
        return cast("str", self._by("to_html"))

    def image(
        self,
        figure: str,
        suffix: Literal["svg", "png", "pdf"] = "svg",
        *,
        width: Literal["page", "column"] = "page",
        title: Literal["above", "none"] = "above",
    ) -> bytes:
        """Return a figure of ``scorch2 errors --plot`` as the content of a file.

        Parameters
        ----------
        figure : str
            ``errors``, ``documents``, ``places``, ``length``, or a dimension that is in `breakdown`.
        suffix : str
            ``svg``; ``png`` or ``pdf``, which need matplotlib.

        Raises
        ------
        UsageError
            For an unknown figure or format, and if what it needs is not there.
        """
        return cast("bytes", self._by("image", figure, suffix, width=width, title=title))

    def examples(self, kind: str = "") -> Sequence[ListedRow]:
        """Return the errors of a kind in their sentences, those that cost most first.

        Parameters
        ----------
        kind : str
            A kind of error, as in ``errors``; all kinds by default.

        Returns
        -------
        sequence of mappings
            The rows of ``list="examples"``; without it the documents are read and matched again.

        Raises
        ------
        UsageError
            For an unknown kind, and for a report that has lost its documents.
        """
        if kind and kind not in KINDS:
            raise UsageError(unknown_name(kind, "kind of error", KINDS))
        rows = self.rows
        if self.request.listing != "examples":
            if self.list_examples is None:
                raise UsageError('this report has no examples: count errors with list="examples"')
            rows = self.list_examples()
        return [row for row in rows if not kind or row["kind"] == kind]

    @property
    def list(self) -> Sequence[ListedRow]:
        """The listing that was asked for, as in the JSON report."""
        return self.rows
