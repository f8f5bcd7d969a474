"""Annotation, one mention of entity linking: a span and its candidates, in any format."""

from collections.abc import Mapping
from typing import Any, NamedTuple

NIL = "NIL"
"""The prefix of ids outside the knowledge base."""


class Candidate(NamedTuple):
    """An entity that a mention may denote."""

    id: str | None = None
    """An id of the knowledge base, or one outside it, which begins with `NIL`; None is neither."""
    score: float | None = None
    """Used only to order the candidates, never in a measure; not NaN."""
    type: str | Mapping[str, Any] | None = None
    """A label, or the members of a JSON object, each a field of the mention."""


class Annotation(NamedTuple):
    """A mention with its candidates, in the order of the file."""

    start: int
    end: int
    """Half-open: ``end`` is after the last unit. Readers and writers convert."""
    candidates: tuple[Candidate, ...] = ()
    line: int = 0
    """Its line in the file, for messages; 0 if unknown."""

    @property
    def top(self) -> Candidate:
        """The candidate with the highest score, the first of equal ones; an empty one if there is none.

        A candidate without a score ranks last.
        """
        if len(self.candidates) == 1:
            return self.candidates[0]
        lowest = float("-inf")
        return max(
            self.candidates, key=lambda one: lowest if one.score is None else one.score, default=Candidate()
        )
