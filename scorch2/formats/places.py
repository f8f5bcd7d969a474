"""Places of mentions as files write them: whole numbers, and what they count."""

from scorch2.model.errors import InputError, quoted

DIGITS = 18
"""Digits of a number at most: more than any text needs."""
UNITS = {"token": "token", "char": "character"}
"""What files call the units that spans count, with their names in `Document.unit`."""


def number_of(cell: str, what: str, path: str, line: int) -> int:
    """Return the whole number in a cell; `what` it is stands in the message.

    Raises
    ------
    InputError
        For anything but digits, and for more of them than any text needs.
    """
    if not (cell.isascii() and cell.isdecimal()):
        raise InputError(path, f"line {line}", f"{what} {quoted(cell)} is not a whole number")
    if len(cell) > DIGITS:
        raise InputError(path, f"line {line}", f"{what} has more than {DIGITS} digits")
    return int(cell)
