"""The values of a JSON report, each checked where it is read: a wrong one is an error with file and place."""

from collections.abc import Mapping
from typing import Any

from scorch2.model.errors import InputError, json_place, quoted

HINT = "(write one with -f json)"
_MOST = 10**15
"""More than there can be to count."""


class Checked:
    """Reads values by key, from the object at a place of one file.

    A method raises an InputError if the value is not there, or is of another kind.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def object(self, parent: Mapping[str, Any], place: str, key: str) -> dict[str, Any]:
        """Return an object."""
        value = self._present(parent, place, key)
        if not isinstance(value, dict):
            raise self.error(json_place(place, key), "not an object")
        return value

    def items(self, parent: Mapping[str, Any], place: str, key: str) -> list[Any]:
        """Return a list."""
        value = self._present(parent, place, key)
        if not isinstance(value, list):
            raise self.error(json_place(place, key), "not a list")
        return value

    def text(self, parent: Mapping[str, Any], place: str, key: str) -> str:
        """Return a string."""
        value = self._present(parent, place, key)
        if not isinstance(value, str):
            raise self.error(json_place(place, key), "not a string")
        return value

    def number(self, parent: Mapping[str, Any], place: str, key: str) -> float:
        """Return a number that counts something."""
        value = self._present(parent, place, key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
            raise self.error(json_place(place, key), "not a count")
        return value

    def count(self, parent: Mapping[str, Any], place: str, key: str) -> int:
        """Return a whole number that counts something."""
        value = self.number(parent, place, key)
        if not isinstance(value, int):
            raise self.error(json_place(place, key), "not a whole number")
        return value

    def _present(self, parent: Mapping[str, Any], place: str, key: str) -> Any:
        if key not in parent:
            raise self.error(place, f"no {quoted(key)}: not a complete report of scorch2 {HINT}")
        return parent[key]

    def error(self, place: str, why: str) -> InputError:
        """Return an error about a place of the file."""
        return InputError(self._path, place, why)
