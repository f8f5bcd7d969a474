"""Dice, the random draws of the campaigns: one numpy generator, plain Python values out.

Not a campaign by itself. The same seed gives the same draws on every machine.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


class Dice:
    """Draws from a generator that is seeded by one or several integers."""

    def __init__(self, *seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def below(self, limit: int) -> int:
        """Return one of 0 .. limit − 1."""
        return int(self._generator.integers(limit))

    def chance(self, probability: float) -> bool:
        """Return True that often."""
        return bool(self._generator.random() < probability)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of `items`, each as often."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return `items` in any order."""
        return [items[i] for i in self._generator.permutation(len(items)).tolist()]
