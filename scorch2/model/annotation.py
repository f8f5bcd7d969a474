"""Annotation, one mention of entity linking: a span and its candidates, whatever format it came in."""

from collections.abc import Mapping
from typing import Any, NamedTuple

NIL = "NIL"
"""What the id of an entity that the knowledge base lacks begins with."""


class Candidate(NamedTuple):
    """One entity that a mention may denote."""

    id: str | None = None
    """An id of the knowledge base; one that begins with `NIL` names a cluster outside it; None is neither."""
    score: float | None = None
    """Only the order of the candidates depends on it, never a score; not NaN."""
    type: str | Mapping[str, Any] | None = None
    """A label, or the members of a JSON object, each a field of the mention."""


class Annotation(NamedTuple):
    """A mention with its candidates, in the order of the file."""

    start: int
    end: int
    """Half-open: ``end`` is after the last unit. Formats convert."""
    candidates: tuple[Candidate, ...] = ()
    line: int = 0
    """Where it stands in its file, for messages; 0 if that is unknown."""

    @property
    def top(self) -> Candidate:
        """The candidate of the highest score, the first of several; an empty one if there is none.

        A score that is absent counts as lowest.
        """
        if len(self.candidates) == 1:
            return self.candidates[0]
        lowest = float("-inf")
        return max(
            self.candidates, key=lambda one: lowest if one.score is None else one.score, default=Candidate()
        )
