"""A second system beside the first: which errors both make, and those that only the second one makes."""

from collections.abc import Iterable, Sequence
from itertools import compress

from scorch2.analysis.error_report import AnalysisRequest, Findings, ListedRow, OtherScene
from scorch2.analysis.sides import LACKS
from scorch2.scoring.flow import Outcome, Scored

LETTERS = ("A", "B")
"""What the page calls the first system and the second."""
OF_SYSTEMS = OF, OTHER = "of", "other"
"""The columns of listed errors: whose error it is, and whether the other system makes the same."""
FIRST, SECOND = "first", "second"
BOTH, ALONE = "both", "alone"


def request_of_second(request: AnalysisRequest) -> AnalysisRequest:
    """Return what is asked of the second system: its errors where those of the first are, and no gains."""
    listing = request.listing if request.listing in ("errors", "examples") else ""
    return request._replace(gains="none", by=(), plotted=(), windows=(), what_if=(), listing=listing)


class SecondSystem:
    """The findings of a second system, which are put beside those of the first as documents go by."""

    def __init__(self) -> None:
        self.findings: dict[str, Findings] = {}

    def watch(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes of the second system, and keep their findings."""
        for outcome in outcomes:
            if isinstance(outcome, Scored):
                self.findings[outcome.measured.id] = outcome.details
            yield outcome

    def put_beside(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes of the first system with the errors of the second; those listed are let go."""
        for outcome in outcomes:
            if isinstance(outcome, Scored) and outcome.measured.id in self.findings:
                theirs = self.findings[outcome.measured.id]
                self.findings[outcome.measured.id] = theirs._replace(listing=(), page=None)
                yield outcome._replace(details=_beside(outcome.details, theirs))
            else:
                yield outcome


def _beside(first: Findings, second: Findings) -> Findings:
    """Return the findings of a document with listed errors, and a scene, that know the second system."""
    own, theirs = (
        [*compress(findings.trace.errors, findings.chosen)]
        for findings in (first, second)
        if findings.trace is not None
    )
    places = {error: place for place, error in enumerate(own)}
    same = [places.get(error, LACKS) for error in theirs]
    found = first._replace(listing=_rows(first.listing, second.listing, same))
    if first.page is None or second.page is None:
        return found
    examples = _rows(first.page.examples, second.page.examples, same)
    scene, there = first.page.scene, second.page.scene
    if scene is not None and there is not None:
        lean = there._replace(text=None, entities=(), gold=there.gold._replace(mentions=(), spans=()))
        scene = scene._replace(other=OtherScene(lean, same))
    return found._replace(page=first.page._replace(examples=examples, scene=scene))


def _rows(own: Sequence[ListedRow], theirs: Sequence[ListedRow], same: Sequence[int]) -> list[ListedRow]:
    """Return rows of errors of both systems; of the second those that it makes alone."""
    # There are none of a document that is not listed, and links and entities are no errors
    shared = set(same)
    rows = [
        {**row, OF: FIRST, OTHER: BOTH if place in shared else ALONE} if "kind" in row else row
        for place, row in enumerate(own)
    ]
    alone = (row for row, place in zip(theirs, same, strict=False) if place == LACKS)
    return [*rows, *({**row, OF: SECOND, OTHER: ALONE} for row in alone)]
