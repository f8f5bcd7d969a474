"""Type weights: one line per pair of types, ``gold type, system type, weight``, tab-separated."""

from collections.abc import Mapping

from scorch2.formats.source import read_text
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.options import finite_number

_CELLS = 3


def read(path: str) -> Mapping[tuple[object, object], float]:
    """Return the weight of each pair of a gold and a system type; the largest of several.

    Raises
    ------
    InputError
        For a line that is not as described, with its number; a weight is finite and not negative.
    """
    found: dict[tuple[object, object], float] = {}
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != _CELLS:
            why = f"{counted(len(cells), 'cell')}, but gold type, system type and weight are wanted"
            raise InputError(path, f"line {number}", why)
        gold, system, written = cells
        weight = finite_number(written)
        if weight is None or weight < 0:
            raise InputError(
                path, f"line {number}", f"the weight {quoted(written)} is not a number from 0 on"
            )
        found[gold, system] = max(weight, found.get((gold, system), 0.0))
    return found
