"""Places of mentions as texts in rows write them: whole numbers from 0."""

from scorch2.model.errors import InputError
from scorch2.model.messages import quoted

_DIGITS = 18
"""Digits at most: more than any text needs."""


def number_of(cell: str, what: str, path: str, line: int) -> int:
    """Return the whole number in a cell; `what` it is stands in the message.

    Raises
    ------
    InputError
        For anything but digits, and for more of them than any text needs.
    """
    if not (cell.isascii() and cell.isdecimal()):
        raise InputError(path, f"line {line}", f"{what} {quoted(cell)} is not a whole number")
    if len(cell) > _DIGITS:
        raise InputError(path, f"line {line}", f"{what} has more than {_DIGITS} digits")
    return int(cell)
