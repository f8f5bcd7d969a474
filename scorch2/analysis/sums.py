"""Sums over the mentions of a class in one document: what the rows of a breakdown are added up from."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.analysis.links import RECALL


class Sums(NamedTuple):
    """The sums over the mentions of a class, of one side. Fractions are numerators by their denominator."""

    mentions: int
    found: int
    """Mentions that are on the other side."""
    links: Sequence[int]
    """By status."""
    b_cubed: Mapping[int, int]
    lea: Mapping[int, int]


BySide: TypeAlias = tuple[Mapping[str, Sums], Mapping[str, Sums]]
"""The sums of gold and of the system, by class."""
EMPTY = Sums(0, 0, [0] * len(RECALL), {}, {})
