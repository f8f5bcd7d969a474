"""Standard error: warnings, errors and progress."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from scorch2.model.errors import HINT, InputError, InputErrors, Notice, printable, told

Item = TypeVar("Item")
PATIENCE = 1.0  # seconds before a progress bar appears: most runs are done by then and never import one
LONGEST = 5000  # characters of the longest line: a last resort against names that no message has cut


def say(message: str) -> None:
    """Write one line to standard error, whatever its encoding can show."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "ascii"
    message = printable(message, LONGEST)
    with suppress(OSError):  # a closed standard error does not change the result
        sys.stderr.write(f"{message}\n".encode(encoding, "backslashreplace").decode(encoding))


def warn(notices: Sequence[Notice], *, quiet: bool = False) -> None:
    """Write the first few warnings of each kind, and how many more there are, unless that is not wanted."""
    say_all(warnings(() if quiet else notices))


def refuse_warnings(notices: Sequence[Notice], *, strict: bool) -> None:
    """Raise an error of all warnings if they are errors; hints are none."""
    refused = [notice for notice in notices if notice.code != HINT]
    if strict and refused:
        raise InputErrors([InputError(one.document or one.code, "", one.message) for one in refused])


def say_all(lines: Iterable[str]) -> None:
    """Write lines to standard error, as `say`."""
    for line in lines:
        say(line)


def warnings(notices: Sequence[Notice]) -> list[str]:
    """Return the lines that `warn` writes."""
    return [f"scorch2: warning: {line}" for line in told(notices)]


def progress(items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yield `items`; if that takes long and standard error is a terminal, show how far it is."""
    from time import monotonic

    start, bar = monotonic(), None
    patient = total > 1 and sys.stderr is not None and sys.stderr.isatty()
    try:
        for done, item in enumerate(items):
            yield item
            if bar is not None:
                bar.update()
            elif patient and monotonic() - start > PATIENCE:
                from tqdm import tqdm

                bar = tqdm(total=total, initial=done + 1, unit=" documents", leave=False, dynamic_ncols=True)
    finally:
        if bar is not None:
            bar.close()
