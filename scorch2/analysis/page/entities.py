"""The number and the colour of every entity on the page.

Gold entities are numbered by their first mention. A system entity has the number and the colour of the gold
entity that it fits, or a letter. So equal numbers on both sides are right, and pages of two systems agree.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scorch2.analysis.page.markup import Html, joined, name_of, tag, text
from scorch2.analysis.page.scene import Scene, ShownSide
from scorch2.analysis.sides import LACKS
from scorch2.model.errors import counted

HUES, LINES = 8, 3
"""The colours and the lines that tell entities apart."""
_ALPHABET = 26
ALONE = "single"
"""The class of entities of one mention: those of gold, and those of the system that fit none."""
UNFIT = "unfit"
"""The class of larger system entities that fit no gold entity."""


class Look(NamedTuple):
    """The look of an entity on the page."""

    label: str
    """Its number or letter."""
    style: str
    """The classes of its colour and its line."""
    name: str | None
    size: int

    def chip(self) -> Html:
        """Return the entity as tables show it: label and name."""
        label = tag("b", text(self.label), class_=f"chip {self.style}")
        if self.name is None:
            return label
        return joined([label, tag("small", text("("), name_of(self.name), text(")"))], " ")

    def title(self, side: str) -> str:
        """Return the entity in words."""
        name = "" if self.name is None else f" “{self.name}”"
        return f"{side} entity {self.label}{name}, {counted(self.size, 'mention')}"


def looks(scene: Scene) -> tuple[list[Look], list[Look]]:
    """Return how the entities of gold and of the system are shown."""
    gold, system = scene.gold, scene.system
    styles = _styles(gold.side.sizes)
    shown = [
        Look(str(number + 1), styles[number], name, size)
        for number, (name, size) in enumerate(zip(gold.entities, gold.side.sizes, strict=True))
    ]
    fits = fitting(gold)
    letters = iter(range(len(system.entities)))
    return shown, [
        Look(shown[fits[number]].label, styles[fits[number]], name, size)
        if number in fits
        else Look(letter(next(letters)), ALONE if size == 1 else UNFIT, name, size)
        for number, (name, size) in enumerate(zip(system.entities, system.side.sizes, strict=True))
    ]


def _styles(sizes: Sequence[int]) -> list[str]:
    """Return the classes of gold entities: the largest ones have colours of their own."""
    large = sorted((entity for entity, size in enumerate(sizes) if size > 1), key=lambda one: -sizes[one])
    found = [ALONE] * len(sizes)
    for rank, entity in enumerate(large):
        found[entity] = f"h{rank % HUES} l{rank // HUES % LINES}"
    return found


def fitting(gold: ShownSide) -> dict[int, int]:
    """Return the gold entity of each system entity that fits one: by shared mentions, each at most once."""
    side = gold.side
    cells = Counter(zip(side.entities, side.partners, strict=True))
    found: dict[int, int] = {}
    taken = set()
    for (own, other), _ in sorted(cells.items(), key=lambda cell: (-cell[1], cell[0])):
        if other != LACKS and other not in found and own not in taken:
            found[other] = own
            taken.add(own)
    return found


def letter(number: int) -> str:
    """Return A, B, … Z, AA, AB and so on.

    >>> letter(0), letter(25), letter(26), letter(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _ALPHABET)
        found = chr(ord("A") + rest) + found
    return found
