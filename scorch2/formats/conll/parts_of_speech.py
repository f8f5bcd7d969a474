"""The part-of-speech tags of CoNLL columns: the fifth column, in rows of six and more."""

import re
from collections.abc import Callable, Sequence

_COLUMN = 4
_NO_TAG = ("", "-", "_", "*")
_TAGGED = (
    re.compile(r"^(?:[^\t\n]*\t){4}(?![-_*]?\t)[^\t\n]+\t", re.MULTILINE),
    re.compile(r"^(?!#) *(?:[^\t\n ]+ +){4}(?![-_*] )[^\t\n ]+ +[^\t\n ]", re.MULTILINE),
)
"""Per separator, tabs or blanks: matches a row with a tag. To look for one so is faster than to split all."""


def parts_of_speech(
    cells: Callable[[], Sequence[Sequence[str]]], text: str, start: int, stop: int, *_: object
) -> list[str]:
    """Return the tag of each token, empty where one lacks; nothing if no token has one.

    Parameters
    ----------
    cells : callable
        Returns the cells of each row but the last; called only if there is a tag.
    text, start, stop : str, int, int
        A file, and the positions between which the rows are.
    """
    if not any(pattern.search(text, start, stop) for pattern in _TAGGED):
        return []
    tags = [row[_COLUMN] if len(row) > _COLUMN else "" for row in cells()]
    return ["" if tag in _NO_TAG else tag for tag in tags]
