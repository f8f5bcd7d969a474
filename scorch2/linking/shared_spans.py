"""Mentions of one document that share units: duplicates, crossing and nested ones."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple

from scorch2.linking.corpus import placed
from scorch2.model.annotation import Annotation
from scorch2.model.document import Document

LEVELS = ("ignore", "warn", "error")
DUPLICATE, CROSSING, NESTED = "duplicate", "crossing", "nested"
DEFAULTS: Mapping[str, str] = {DUPLICATE: "error", CROSSING: "warn", NESTED: "ignore"}
"""The kinds of problems, each with its default level."""
NAMED = 20
"""How many pairs of one kind are named in a document; the others are only counted."""


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


class More(NamedTuple):
    """How many further pairs of one kind a document has, besides those that are named."""

    kind: str
    level: str
    path: str
    document: str
    pairs: int


def problems(documents: Iterable[Document], levels: Mapping[str, str]) -> Iterator[Problem | More]:
    """Find the pairs of mentions that share units.

    Parameters
    ----------
    documents : iterable of Document
        With annotations, or clusters of spans.
    levels : mapping from str to str
        One of `LEVELS` for each kind of `DEFAULTS`; what is ignored is not returned.

    Yields
    ------
    Problem or More
        In the order of the documents; inside one by the second mention, then by the first. Of each kind the
        first `NAMED` pairs of a document, and at its end one `More` with the number of the others.

    Raises
    ------
    InputError
        For a document whose mentions have no places.
    """
    wanted = [kind for kind in DEFAULTS if levels[kind] != "ignore"]
    for document in documents:
        mentions = sorted(placed(document), key=lambda one: (one.start, -one.end))
        earlier = _Earlier()
        found: Counter[str] = Counter()
        for number, second in enumerate(mentions):
            partners = earlier.partners(number, second)
            named: list[tuple[int, str]] = []
            for kind in wanted:
                named += [(first, kind) for first in earlier.first_of(partners[kind], NAMED - found[kind])]
                found[kind] += sum(map(len, partners[kind]))
            for first, kind in sorted(named):
                yield Problem(kind, levels[kind], document.path, document.id, mentions[first], second)
            earlier.add(number, second)
        for kind in wanted:
            if found[kind] > NAMED:
                yield More(kind, levels[kind], document.path, document.id, found[kind] - NAMED)


class _Earlier:
    """The mentions before one, sorted by their ends: its partners of each kind are a part of that list."""

    def __init__(self) -> None:
        self._ends: list[tuple[int, int]] = []  # the end and the number of each mention
        self._span = (0, 0)
        self._first = 0  # the number of the first mention with that span

    def partners(self, number: int, one: Annotation) -> dict[str, list[range]]:
        """Return where the mentions stand that share units with `one`, by kind.

        Mentions come sorted by start, longer ones first: those that end before `one` ends began before it.
        """
        if (one.start, one.end) != self._span:
            self._span, self._first = (one.start, one.end), number
        del self._ends[: bisect_left(self._ends, (one.start + 1, 0))]  # later mentions do not reach them
        inside = bisect_left(self._ends, (one.end, 0))
        equal = bisect_left(self._ends, (one.end, self._first))
        after = equal + number - self._first
        return {
            CROSSING: [range(inside)],
            DUPLICATE: [range(equal, after)],
            NESTED: [range(inside, equal), range(after, len(self._ends))],
        }

    def first_of(self, places: Sequence[range], most: int) -> list[int]:
        """Return the lowest numbers of the mentions at `places`, at most so many."""
        if most <= 0:
            return []
        return nsmallest(most, [self._ends[i][1] for part in places for i in part])

    def add(self, number: int, one: Annotation) -> None:
        """Take in the next mention."""
        insort(self._ends, (one.end, number))
