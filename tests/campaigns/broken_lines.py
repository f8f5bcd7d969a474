"""Mutations of lines that the formats in lines share, and how a broken copy of a file is made.

Not a campaign by itself.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeAlias, TypeVar

from broken_bytes import bent
from dice import Dice

Line = TypeVar("Line")
Change: TypeAlias = Callable[[list[str], Dice], None]


def broken_copy(seeds: Sequence[Sequence[str]], changes: Sequence[Change], dice: Dice) -> tuple[bytes, bytes]:
    """Return one of the valid files and a copy of it with up to three changes."""
    seed = dice.pick(seeds)
    lines = list(seed)
    for _ in range(1 + dice.below(3)):
        dice.pick(changes)(lines, dice)
    broken = "\n".join(lines).encode()
    return "\n".join(seed).encode(), bent(broken, dice) if dice.chance(0.15) else broken


def setting(known: Sequence[str]) -> Change:
    """Return what puts one of the `known` lines in the place of another."""

    def change(lines: list[str], dice: Dice) -> None:
        if lines:
            lines[dice.below(len(lines))] = dice.pick(known)

    return change


def inserting(known: Sequence[str]) -> Change:
    """Return what inserts one of the `known` lines."""

    def change(lines: list[str], dice: Dice) -> None:
        lines.insert(dice.below(len(lines) + 1), dice.pick(known))

    return change


def delete_line(lines: list[Line], dice: Dice) -> None:
    if len(lines) > 1:
        del lines[dice.below(len(lines))]


def double_line(lines: list[Line], dice: Dice) -> None:
    if lines:
        place = dice.below(len(lines))
        lines.insert(place, copy(lines[place]))


def move_line(lines: list[Line], dice: Dice) -> None:
    if lines:
        line = lines.pop(dice.below(len(lines)))
        lines.insert(dice.below(len(lines) + 1), line)


def inside(change: Change) -> Change:
    """Return the same change that leaves the first and the last line alone."""

    def changed(lines: list[str], dice: Dice) -> None:
        inner = lines[1:-1]
        change(inner, dice)
        lines[1:-1] = inner

    return changed
