"""Names as users type them: several in one word, separated by commas."""

from collections.abc import Iterable
from typing import Any

ALL = "all"
"""Asks for every metric or measure that there is."""


def separated(asked: str | Iterable[Any]) -> list[Any]:
    """Return the names in one string or in several, without the blanks around them; other values as they are.

    >>> separated(["muc, lea", "conll"])
    ['muc', 'lea', 'conll']
    """
    values = [asked] if isinstance(asked, str) else asked
    return [
        name
        for value in values
        for name in ([part.strip() for part in value.split(",")] if isinstance(value, str) else [value])
    ]
