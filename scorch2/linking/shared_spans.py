"""Mentions of one document that share units: duplicates, crossing and nested ones."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.linking.corpus import placed
from scorch2.model.document import Annotation, Document
from scorch2.model.errors import SHOWN

LEVELS = ("ignore", "warn", "error")
DEFAULTS: Mapping[str, str] = {"duplicate": "error", "crossing": "warn", "nested": "ignore"}
"""The kinds of problems, each with its default level."""


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
    more: int = 0
    """The number of other mentions that share units with the second one in this way and are not named."""


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
        In the order of the documents; inside one by the second mention, then by the first. If more than
        `SHOWN` mentions share units with the second one in the same way, only so many are named.

    Raises
    ------
    InputError
        For a document whose mentions have no places.
    """
    for document in documents:
        ordered = sorted(placed(document), key=lambda one: (one.start, -one.end))
        for number, shared in enumerate(_sharing(ordered)):
            pairs = [
                (first, kind, count - len(named) if first == named[-1] else 0)
                for kind, (named, count) in shared.items()
                if levels[kind] != "ignore"
                for first in named
            ]
            for first, kind, more in sorted(pairs):
                yield Problem(
                    kind, levels[kind], document.path, document.id, ordered[first], ordered[number], more
                )


def _sharing(ordered: Sequence[Annotation]) -> Iterator[Mapping[str, tuple[Sequence[int], int]]]:
    """Yield for each mention, by kind, some mentions before it that share units with it, and how many do.

    The cost grows with the mentions, not with the pairs: those before are kept by their ends.
    """
    ends: list[tuple[int, int]] = []  # of the mentions that come before those of the same span
    first = 0  # the first mention of the same span
    for number, one in enumerate(ordered):
        if ordered[first][:2] != one[:2]:
            for same in range(first, number):
                insort(ends, (ordered[same].end, same))
            first = number
        crossing, nested = bisect_right(ends, (one.start, number)), bisect_left(ends, (one.end, 0))
        yield {
            "duplicate": (range(first, min(number, first + SHOWN)), number - first),
            "crossing": ([i for _, i in ends[crossing : min(nested, crossing + SHOWN)]], nested - crossing),
            "nested": ([i for _, i in ends[nested : nested + SHOWN]], len(ends) - nested),
        }
