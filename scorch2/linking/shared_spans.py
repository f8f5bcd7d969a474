"""Mentions of one document that share units: doubled, crossing or nested."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.linking.corpus import placed
from scorch2.model.annotation import Annotation
from scorch2.model.document import Document

LEVELS = ("ignore", "warn", "error")
DEFAULTS: Mapping[str, str] = {"duplicate": "error", "crossing": "warn", "nested": "ignore"}
"""The kinds of problems, with how bad each is if nothing else is said."""


class Problem(NamedTuple):
    """Two mentions that share units."""

    kind: str
    """duplicate: the same start and end; nested: one holds the other; crossing: neither."""
    level: str
    path: str
    document: str
    first: Annotation
    second: Annotation
    """It does not begin before the first, and does not end after it if they begin together."""


def problems(documents: Iterable[Document], levels: Mapping[str, str]) -> Iterator[Problem]:
    """Find the pairs of mentions that share units.

    Parameters
    ----------
    documents : iterable of Document
        With annotations, or clusters of spans.
    levels : mapping from str to str
        One of `LEVELS` for each kind of `DEFAULTS`; what is ignored is not returned.

    Yields
    ------
    Problem
        In the order of the documents; inside one by the second mention, then by the first.

    Raises
    ------
    InputError
        For a document whose mentions have no places.
    """
    for document in documents:
        for first, second in _sharing(placed(document)):
            kind = _kind(first, second)
            if levels[kind] != "ignore":
                yield Problem(kind, levels[kind], document.path, document.id, first, second)


def _sharing(mentions: Sequence[Annotation]) -> Iterator[tuple[Annotation, Annotation]]:
    """Yield the pairs that share a unit; cost is the number of pairs."""
    before: list[Annotation] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        before = [other for other in before if other.end > one.start]
        yield from ((other, one) for other in before)
        before.append(one)


def _kind(first: Annotation, second: Annotation) -> str:
    if (first.start, first.end) == (second.start, second.end):
        return "duplicate"
    return "nested" if second.end <= first.end else "crossing"
