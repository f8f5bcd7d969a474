"""Alignment written down a second time: a mention is the set of its characters, each counted one by one.

No code is shared with scorch2. The units of a text are its tokens, or its characters one by one.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Characters: TypeAlias = frozenset[int]


def characters_of(units: Sequence[str], start: int, end: int) -> Characters:
    """Return which characters of a text a half-open span of its units holds; blanks are not counted."""
    found = set()
    number = 0
    for place, unit in enumerate(units):
        for character in unit:
            if character.isspace():
                continue
            if start <= place < end:
                found.add(number)
            number += 1
    return frozenset(found)


def clusters_of(
    units: Sequence[str], clusters: Iterable[Iterable[tuple[int, int]]]
) -> set[frozenset[Characters]]:
    """Return clusters of spans of units as sets of mentions."""
    return {frozenset(characters_of(units, *span) for span in spans) for spans in clusters}
