"""Ways in which the numbers of spans count: the values of ``--gold-offsets`` and ``--sys-offsets``."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.model.document import Document
from scorch2.model.errors import UsageError
from scorch2.model.messages import unknown_name


class Counting(NamedTuple):
    """A way in which the numbers of a span count."""

    exclusive: bool
    """Whether the end is what follows the span, not its last unit."""
    first: int
    """The number of the first unit of the text."""


class Shift(NamedTuple):
    """Numbers that are added to the start and the end of each span of a side."""

    start: int
    end: int


COUNTINGS: Mapping[str, Counting] = {
    "inclusive": Counting(exclusive=False, first=0),
    "exclusive": Counting(exclusive=True, first=0),
    "inclusive-from-1": Counting(exclusive=False, first=1),
    "exclusive-from-1": Counting(exclusive=True, first=1),
}
"""The values of the options."""


def shift(value: str, taken: Counting) -> Shift:
    """Return what makes spans half-open and counted from 0 that count otherwise than the reader took them.

    >>> shift("exclusive", COUNTINGS["inclusive"]), shift("inclusive-from-1", COUNTINGS["exclusive"])
    (Shift(start=0, end=-1), Shift(start=-1, end=0))
    """
    meant = COUNTINGS[value]
    start = taken.first - meant.first
    return Shift(start, start + taken.exclusive - meant.exclusive)


def counting(document: Document) -> Counting:
    """Return how the spans of a document count in its file, as the reader took them."""
    return Counting(document.exclusive, document.first)


def check_offsets(value: object) -> None:
    """Raise a UsageError unless `value` is one of `COUNTINGS`."""
    if value not in list(COUNTINGS):
        raise UsageError(unknown_name(value, "way to count offsets", COUNTINGS))
