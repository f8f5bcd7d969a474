"""Mentions as matching has them: equal to others by something else than their place."""

from collections.abc import Hashable
from typing import cast


class Key(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A mention of a document with spans that equals others by something else; as a tuple it is the span.

    >>> Key((2, 9), "head 5") == Key((4, 7), "head 5"), Key((2, 9), "head 5") == (2, 9)
    (True, False)
    """

    mention: Hashable
    """The mention as its document has it."""
    what: Hashable
    """It equals the keys of the same."""

    def __new__(cls, mention: Hashable, what: Hashable) -> "Key":  # noqa: PYI034 - Python 3.10 has no Self
        """Make the key of a mention."""
        made = super().__new__(cls, cast("tuple[int, int]", mention))
        made.mention = mention
        made.what = what
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.what == other.what

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.what)

    def __reduce__(self) -> tuple[type["Key"], tuple[Hashable, ...]]:
        return Key, (self.mention, self.what)


def written(mention: Hashable) -> Hashable:
    """Return a mention as its document has it."""
    return mention.mention if isinstance(mention, Key) else mention
