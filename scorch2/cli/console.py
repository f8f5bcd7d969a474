"""Standard error: warnings, errors and progress; and the end of both streams."""

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TextIO, TypeVar

from scorch2.model.errors import HINT, InputError, InputErrors, Notice, printable, told

Item = TypeVar("Item")
STDOUT_NUMBER = 1  # the descriptor of standard output
ERROR = 2  # the exit status of a run that could not be done
LONGEST = 5000  # characters of the longest line: a last resort against names that no message has cut


def say(message: str) -> None:
    """Write one line to standard error, whatever its encoding can show."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "ascii"
    message = printable(message, LONGEST)
    try:
        sys.stderr.write(f"{message}\n".encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody need listen: that does not change the result
        drop(sys.stderr)


def drop(stream: TextIO) -> None:
    """Send a stream that cannot be written, and what it still holds, to nowhere."""
    # Else Python, or a process that is started, flushes it again and fails: with status 120 at the end
    with suppress(OSError, ValueError):  # a stream that has no descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)


def is_left(error: OSError) -> bool:
    """Return whether a stream cannot be written since its reader has seen enough, which is no error."""
    # On Windows, a pipe that nobody reads is an invalid argument (CPython issue 79935)
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def flushed(status: int) -> int:
    """Flush both streams, so that nothing is left for Python's end, and return the status of the run.

    It becomes 2 if standard output cannot be written. Nobody need listen to standard error.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as error:
            drop(stream)
            if stream is sys.stdout and isinstance(error, OSError) and not is_left(error):
                say(f"scorch2: error: standard output: {error.strerror or error}")
                status = ERROR
    return status


def warn(notices: Sequence[Notice], *, quiet: bool = False) -> None:
    """Write the first few warnings of each kind, and how many more there are, unless that is not wanted."""
    if notices and not quiet:
        say_all(warnings(notices))


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


def progress(items: Iterable[Item], total: int, unit: str = "documents") -> Iterator[Item]:
    """Yield `items`; if that takes long and standard error is a terminal, show how far it is."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    from scorch2.cli.progress import shown

    yield from shown(items, total, unit)
