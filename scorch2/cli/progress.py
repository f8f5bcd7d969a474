"""The progress bar of a run that takes long, on a terminal."""

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm


PATIENCE = 1.0  # seconds before a progress bar appears: most runs are done by then and never import one
_PAUSE = 0.2  # seconds between two looks at it


Item = TypeVar("Item")


class _Progress:
    """Count of what is done, shown from some time on, also while the first item is read."""

    def __init__(self, total: int, unit: str) -> None:
        self.done = 0
        self._total = total if total > 1 else None  # one pair of files may hold any number of documents
        self._unit = f" {unit}"
        self._bar: tqdm[NoReturn] | None = None
        self._next = time.monotonic() + PATIENCE

    def show(self, *_: object) -> None:
        """Draw the bar as it stands, if it is time; while one is drawn it is not."""
        if time.monotonic() < self._next:
            return
        self._next = float("inf")
        with suppress(OSError, ImportError):  # a terminal that was closed, or no tqdm: no more of it
            self._draw()
            self._next = time.monotonic() + _PAUSE

    def _draw(self) -> None:
        if self._bar is None:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread: worker processes start slowly beside one
            self._bar = tqdm(
                total=self._total, unit=self._unit, leave=False, dynamic_ncols=True, delay=PATIENCE
            )
            self._bar.start_t -= PATIENCE
        self._bar.n = self.done
        self._bar.refresh()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            with suppress(OSError):
                self._bar.close()


@contextmanager
def _timer(act: Callable[..., None]) -> Iterator[bool]:
    """Call `act` again and again inside the block; False where that cannot be: Windows, other threads."""
    try:
        is_free = signal.getsignal(signal.SIGALRM) is signal.SIG_DFL  # else a program has taken it for itself
        if is_free:
            signal.signal(signal.SIGALRM, act)
            signal.setitimer(signal.ITIMER_REAL, _PAUSE, _PAUSE)
    except (AttributeError, ValueError):
        is_free = False
    try:
        yield is_free
    finally:
        if is_free:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def shown(items: Iterable[Item], total: int, unit: str) -> Iterator[Item]:
    """Yield `items`, and show how far it is if that takes long."""
    bar = _Progress(total, unit)
    try:
        with _timer(bar.show) as is_timed:
            for item in items:
                yield item
                bar.done += 1
                if not is_timed:
                    bar.show()
    finally:
        bar.close()
