"""Signals that end a run become exceptions, so that temporary files and worker processes are removed."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that would end the process at once, with what it has begun left behind."""


class Ended(KeyboardInterrupt):
    """A signal ended the run. It is treated like an interrupt by the keyboard."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def number_of(interrupt: KeyboardInterrupt) -> int:
    """Return the number of the signal behind an interrupt."""
    return interrupt.number if isinstance(interrupt, Ended) else signal.SIGINT


def said_of(number: int) -> str:
    """Return what is said of a run that a signal ended.

    >>> said_of(2), said_of(15)
    ('interrupted', 'ended by SIGTERM')
    """
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"


@contextlib.contextmanager
def ending() -> Iterator[None]:
    """Raise `Ended` inside the block if a signal that ends a process arrives.

    A signal that is ignored, as under nohup, or that a program has taken for itself, is left alone.
    """
    taken = []
    try:
        with contextlib.suppress(ValueError):  # only the main thread may take signals
            for number in _ENDING:
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, _end)
                    taken.append(number)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> NoReturn:
    """End the run. More of these signals change nothing: what was begun is removed undisturbed."""
    for other in _ENDING:
        if signal.getsignal(other) is _end:
            signal.signal(other, signal.SIG_IGN)
    raise Ended(number)
