"""Annotation, one mention of entity linking: a span and its candidates, in any format."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.model.document import Document, spans

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


def annotations(document: Document) -> Sequence[Annotation] | None:
    """Return the mentions of a document for entity linking, or None if their places are unknown.

    Without annotations, clusters of spans count as entities outside the knowledge base: cluster ``c`` of
    document ``d`` is ``NILc:d``.

    >>> annotations(Document("d", {"c": [(4, 6)]}, sentences=[9]))
    [Annotation(start=4, end=6, candidates=(Candidate(id='NILc:d', score=None, type=None),), line=0)]
    """
    if document.annotations or not any(document.clusters.values()):
        return document.annotations
    if not document.has_spans:
        return None
    types = document.types or {}
    found = [
        Annotation(start, end, (Candidate(nil_id(cluster, document.id), None, types.get((start, end))),))
        for cluster, members in document.clusters.items()
        for start, end in spans(members)
    ]
    return sorted(found, key=lambda one: (one.start, -one.end))


def types_of(document: Document) -> Mapping[tuple[int, int], str | Mapping[str, Any] | None]:
    """Return the type of each span of a document that has one."""
    if document.types is not None:
        return document.types
    return {(one.start, one.end): one.top.type for one in document.annotations}


def nil_id(cluster: str, document: str) -> str:
    """Return the id of a cluster outside the knowledge base: its name, if that begins with `NIL`."""
    return cluster if cluster.startswith(NIL) else f"{NIL}{cluster}:{document}"
