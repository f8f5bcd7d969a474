"""Standard error: warnings, errors and progress."""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, TypeVar

from scorch2.model.errors import HINT, InputError, InputErrors, Notice, printable, told

if TYPE_CHECKING:
    from tqdm import tqdm

Item = TypeVar("Item")
PATIENCE = 1.0  # seconds before a progress bar appears: most runs are done by then and never import one
_PAUSE = 0.2  # seconds between two looks at it
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


class _Progress:
    """Count of the documents that are done, shown from some time on, also while the first one is read."""

    def __init__(self, total: int) -> None:
        self.done = 0
        self._total = total if total > 1 else None  # one pair of files may hold any number of documents
        self._bar: tqdm[NoReturn] | None = None

    def show(self, *_: object) -> None:
        """Draw the bar as it stands, and ask to be called again."""
        if self._bar is None:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread: worker processes start slowly beside one
            unit = " documents"
            self._bar = tqdm(total=self._total, unit=unit, leave=False, dynamic_ncols=True, delay=PATIENCE)
            self._bar.start_t -= PATIENCE
        self._bar.n = self.done
        self._bar.refresh()
        signal.setitimer(signal.ITIMER_REAL, _PAUSE)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


def progress(items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yield `items`; if that takes long and standard error is a terminal, show how far it is."""
    shown = _Progress(total)
    if sys.stderr is None or not sys.stderr.isatty() or not _timed(shown.show):
        yield from items
        return
    try:
        for item in items:
            yield item
            shown.done += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        shown.close()


def _timed(act: Callable[..., None]) -> bool:
    """Call `act` once, after a while and in this thread; return False where that cannot be."""
    try:
        if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:  # a program has taken it for itself
            return False
        signal.signal(signal.SIGALRM, act)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    except (AttributeError, ValueError):  # Windows, or not the main thread
        return False
    return True
