"""A second system beside the first: which errors both make, and those that only the second one makes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, TypeVar

from scorch2.analysis.error_report import AnalysisRequest, Example, Findings, ListedRow, OtherScene, Scene
from scorch2.analysis.kinds import LACKS, Located
from scorch2.analysis.listing import OF_ERRORS
from scorch2.model.errors import ScorchError
from scorch2.scoring.flow import Outcome, Scored, Watch
from scorch2.scoring.report import Report

LETTERS = ("A", "B")
"""What the page calls the first system and the second."""
OF_SYSTEMS = OF, OTHER = "of", "other"
"""The columns of listed errors: whose error it is, and whether the other system makes the same."""
FIRST, SECOND = "first", "second"
BOTH, ALONE = "both", "alone"
HIDDEN = -2  # in place of an error: the first system makes it, but it is not chosen to be listed
WHO = (FIRST, SECOND, BOTH)
"""Who makes an error: one of two systems alone, or both."""


def who_of(row: ListedRow) -> str:
    """Return who makes a listed error; empty if there is no second system."""
    return BOTH if row.get(OTHER) == BOTH else str(row.get(OF, ""))


def told_errors(scene: Scene) -> Iterator[tuple[Scene, Located, str]]:
    """Yield all errors of a document: those of the first system, then those of the second alone."""
    # Each with the document under its system, and who makes it; empty if there is no second system
    other, second = scene.other, second_of(scene)
    for place, error in enumerate(scene.errors):
        yield scene, error, "" if other is None else BOTH if place in other.shared else FIRST
    if other is not None and second is not None:
        every = zip(second.errors, other.same, strict=True)
        yield from ((second, error, SECOND) for error, place in every if place == LACKS)


def second_of(scene: Scene) -> Scene | None:
    """Return a document under the second system, with its text."""
    if scene.other is None:
        return None
    there = scene.other.scene
    gold = scene.gold._replace(side=there.gold.side)
    return there._replace(text=scene.text, gold=gold)


def request_of_second(request: AnalysisRequest) -> AnalysisRequest:
    """Return what is asked of the second system: its errors where those of the first are, and no gains."""
    listing = request.listing if request.listing in OF_ERRORS else ""
    others: dict[str, Any] = dict.fromkeys(("by", "plotted", "windows", "what_if", "counted"), ())
    return request._replace(gains="none", listing=listing, is_second=True, has_places=False, **others)


class SecondSystem:
    """The findings of a second system, which are put beside those of the first as documents go by."""

    def __init__(self) -> None:
        self.findings: dict[str, Findings] = {}
        self._outcomes: Iterator[Outcome] = iter(())
        self._met: list[Outcome] = []
        self._failed: ScorchError | None = None

    def scored_with(self, score_first: Callable[[Watch], Report], score: Callable[[Watch], Report]) -> Report:
        """Score the first system in turns with the second one, and return its report."""
        # Of an error in both, that of the second system is raised
        found: list[Report | ScorchError] = []

        def watch(outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
            self._outcomes = iter(outcomes)
            try:
                found.append(score_first(self._put_beside))
            except ScorchError as error:
                if self._failed is not None:  # its outcomes have ended with that error
                    raise self._failed from None
                found.append(error)
            self._find("")
            return self._met

        score(watch)
        if isinstance(found[0], ScorchError):
            raise found[0]
        return found[0]

    def _put_beside(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes of the first system with the errors of the second; those listed are let go."""
        for outcome in outcomes:
            if isinstance(outcome, Scored) and (theirs := self._find(outcome.measured.id)) is not None:
                self.findings[outcome.measured.id] = theirs._replace(listing=(), page=None)
                yield outcome._replace(details=_beside(outcome.details, theirs))
            else:
                yield outcome

    def _find(self, name: str) -> Findings | None:
        """Return the findings of a document, for which outcomes are asked up to it, or all."""
        while name not in self.findings and (outcome := self._next()) is not None:
            if isinstance(outcome, Scored):
                self.findings[outcome.measured.id] = outcome.details
                outcome = outcome._replace(details=None)
            self._met.append(outcome)
        return self.findings.get(name)

    def _next(self) -> Outcome | None:
        try:
            return next(self._outcomes, None)
        except ScorchError as error:
            self._failed = error
            raise


def _beside(first: Findings, second: Findings) -> Findings:
    """Return the findings of a document with listed errors, and a scene, that know the second system."""
    own, theirs = (
        [*compress(findings.trace.errors, findings.chosen)]
        for findings in (first, second)
        if findings.trace is not None
    )
    every_own, every_other = ({*one.trace.errors} for one in (first, second) if one.trace is not None)
    places = {error: place for place, error in enumerate(own)}
    same = [places.get(error, HIDDEN if error in every_own else LACKS) for error in theirs]
    shared = frozenset(place for place, error in enumerate(own) if error in every_other)
    rows, starred = _rows(first.listing, second.listing, same, shared), first.starred | second.starred
    found = first._replace(listing=rows, starred=starred)
    if first.page is None or second.page is None:
        return found
    examples = _rows(first.page.examples, second.page.examples, same, shared)
    scene, there = first.page.scene, second.page.scene
    if scene is not None and there is not None and scene.gold.mentions == there.gold.mentions:
        here, other = (
            one.system._replace(name=name) for one, name in zip((scene, there), LETTERS, strict=True)
        )
        lean = there._replace(
            text=None, losing=(), system=other, gold=there.gold._replace(mentions=(), spans=())
        )
        scene = scene._replace(system=here, other=OtherScene(lean, same, shared))
    return found._replace(page=first.page._replace(examples=examples, scene=scene))


Row = TypeVar("Row", ListedRow, Example)


def _rows(
    own: Sequence[Row], theirs: Sequence[Row], same: Sequence[int], shared: Collection[int]
) -> list[Row]:
    """Return rows of errors of both systems, or examples; of the second those that it makes alone."""
    # There are none of a document that is not listed
    one, both, other = {OF: FIRST, OTHER: ALONE}, {OF: FIRST, OTHER: BOTH}, {OF: SECOND, OTHER: ALONE}
    found = [_marked(row, both if place in shared else one) for place, row in enumerate(own)]
    pairs = zip(same, theirs, strict=False)
    return found + [_marked(row, other) for place, row in pairs if place == LACKS]


def _marked(row: Row, who: Mapping[str, str]) -> Row:
    if isinstance(row, Example):
        return row._replace(who=who)
    return {**row, **who} if "kind" in row else row  # links and entities are no errors
