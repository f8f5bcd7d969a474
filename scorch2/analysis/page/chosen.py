"""The documents whose text is on the page: those with the lowest scores, as many as fit."""

from bisect import insort
from collections.abc import Iterable
from typing import TypeAlias

from scorch2.analysis.page.scene import Scene
from scorch2.analysis.request import Evidence
from scorch2.scoring.flow import Outcome, Scored

Rank: TypeAlias = tuple[float, int]
"""The score of a document and its place in the order of the files."""


class Chosen:
    """The scenes that fit while documents go by: no more of them than the page can hold are kept."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._kept: list[tuple[Rank, Scene]] = []
        self._first_left_out: Rank | None = None
        self._place = 0

    def watch(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes without their scenes, which are kept if they are among the lowest."""
        for outcome in outcomes:
            yield self._without_scene(outcome, outcome.details) if isinstance(outcome, Scored) else outcome

    def scenes(self) -> list[tuple[int, Scene]]:
        """Return the place of each document in the order of the files with its scene, the lowest first."""
        return [(place, scene) for (_, place), scene in self._kept]

    def _without_scene(self, outcome: Scored, evidence: Evidence) -> Scored:
        page = evidence.page
        if page is None:
            return outcome
        if page.scene is not None:
            self._add((page.score, self._place), page.scene)
        self._place += 1
        return outcome._replace(details=evidence._replace(page=page._replace(scene=None)))

    def _add(self, rank: Rank, scene: Scene) -> None:
        if self._first_left_out is not None and rank > self._first_left_out:
            return
        insort(self._kept, (rank, scene), key=lambda kept: kept[0])
        spent = 0
        for number, (of_scene, one) in enumerate(self._kept):
            spent += one.size
            if number and spent > self._tokens:
                self._first_left_out = of_scene
                del self._kept[number:]
                break
