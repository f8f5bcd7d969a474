"""The mentions of one side as nested elements in the rows of a text.

Mentions that cross are cut, as are those over the end of a row: what is opened again has neither number nor
mark.
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple, TypeAlias

from scorch2.analysis.page.scene import Text
from scorch2.model.document import Span


class Part(NamedTuple):
    """A part of a mention that lies inside one row, and inside or outside of all others."""

    start: int
    end: int
    mention: int
    """Its place in the side."""
    is_first: bool
    """Whether the mention begins here."""
    level: int
    """The levels of parts inside of it."""


_Piece: TypeAlias = tuple[int, int, int, bool]
"""Start, end with a minus, so that longer pieces sort first, mention, and whether the mention begins here."""


def parts_of(spans: Sequence[Sequence[Span]], text: Text) -> list[list[Part]]:
    """Return the parts in each row of a text, outer ones before inner ones.

    Parameters
    ----------
    spans : sequence of sequences of (start, end)
        The spans of each mention.
    text : Text
        Its rows do not overlap, and are in order.
    """
    waiting = sorted(
        (
            (start, -end, mention, number == 0)
            for mention, its in enumerate(spans)
            for number, (start, end) in enumerate(its)
        ),
        reverse=True,
    )
    found: list[list[Part]] = []
    over: list[_Piece] = []
    for number, (first, last) in enumerate(text.rows):
        here, over = over, []
        is_last_row = number == len(text.rows) - 1
        while waiting and (is_last_row or waiting[-1][0] < last):
            here.append(waiting.pop())
        clipped = []
        for start, negative, mention, is_first in here:
            begin, end = (min(max(place, first), last) for place in (start, -negative))
            if is_first or begin < end:
                clipped.append((begin, -end, mention, is_first))
            if last < -negative:
                over.append((last, negative, mention, False))
        found.append(_levelled(list(_nested(clipped))))
    return found


def _nested(pieces: list[_Piece]) -> Iterator[Part]:
    """Yield parts that cross no other, outer ones first."""
    heapify(pieces)
    around: list[int] = []
    while pieces:
        start, negative, mention, is_first = heappop(pieces)
        end = -negative
        while around and around[-1] <= start:
            around.pop()
        if around and end > around[-1]:
            heappush(pieces, (around[-1], negative, mention, False))
            end = around[-1]
        around.append(end)
        yield Part(start, end, mention, is_first, 0)


def _levelled(parts: list[Part]) -> list[Part]:
    """Return the parts with the number of levels inside of each."""
    levels = [0] * len(parts)
    around: list[int] = []
    for place, part in enumerate(parts):
        while around and parts[around[-1]].end <= part.start:
            around.pop()
        for inside, outer in enumerate(reversed(around), start=1):
            if levels[outer] >= inside:
                break
            levels[outer] = inside
        around.append(place)
    return [part._replace(level=level) for part, level in zip(parts, levels, strict=True)]
