"""Faults: the n-th operation on files fails, or the n-th line is interrupted. Used by faults.py."""

import contextlib
import dis
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import IO, Any, NamedTuple
from unittest import mock

NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
IO_ERROR = OSError(errno.EIO, os.strerror(errno.EIO))
NO_LINKS = OSError(errno.EPERM, os.strerror(errno.EPERM))
INTERRUPT = KeyboardInterrupt()
"""Stands for SIGINT, which is really sent, so that code may put it off."""

OS_CALLS = (
    "open", "fdopen", "write", "fsync", "fchmod", "fchown", "link", "symlink", "utime", "rename", "replace",
    "unlink", "remove", "mkdir", "rmdir",
)  # fmt: skip
STREAM_CALLS = ("stream.write", "stream.flush", "stream.close")
CALLS = (*OS_CALLS, *STREAM_CALLS)
NOTHING = dis.opmap["NOP"]
"""What a line such as ``try:`` is compiled to: no signal is ever handled there, and no handler covers it."""
REMOVING_CALLS = frozenset({"unlink", "remove", "rmdir"})
SPACE_CALLS = frozenset({"open", "fsync", "link", "mkdir", "symlink", "write", *STREAM_CALLS})
"""What may fail on a full disk; taking away and renaming do not."""


class Fault(NamedTuple):
    """The call that fails, and its error."""

    calls: frozenset[str]
    """Names in `CALLS`, counted together."""
    number: int
    """Which of them fails, from 1."""
    error: BaseException
    lasting: bool = False
    """Whether the following ones fail, too."""
    late: bool = False
    """Whether it is done before it fails."""


class Injector:
    """Counts calls and lets them fail."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.count = 0
        self.last = ""
        """The first call that failed."""

    def strike(self, name: str, *, late: bool = False) -> None:
        """Fail if it is this call's turn; called before it is done and again, late, after it."""
        if name not in self.fault.calls:
            return
        self.count += not late
        turn = self.count >= self.fault.number if self.fault.lasting else self.count == self.fault.number
        if turn and late == self.fault.late:
            self.last = self.last or name
            if self.fault.error is not INTERRUPT:
                raise self.fault.error
            signal.raise_signal(signal.SIGINT)

    def wrapped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **options: Any) -> Any:
            self.strike(name)
            result = call(*args, **options)
            self.strike(name, late=True)
            return result

        return wrapper

    def opening(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function such as `os.fdopen` whose streams for writing can fail."""

        def wrapper(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            self.strike("fdopen")
            stream = call(file, mode, *args, **options)
            return Stream(stream, self) if set(mode) & set("wax+") else stream

        return wrapper


class Stream:
    """A stream for writing that fails where the fault says so; half of a text is then written."""

    def __init__(self, stream: IO[Any], injector: Injector) -> None:
        self._stream = stream
        self._injector = injector

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: Any) -> int:
        half = self._stream.write(text[: len(text) // 2])
        self._injector.strike("stream.write")
        rest: int = self._stream.write(text[len(text) // 2 :])
        self._injector.strike("stream.write", late=True)
        return half + rest

    def flush(self) -> None:
        self._injector.strike("stream.flush")
        self._stream.flush()
        self._injector.strike("stream.flush", late=True)

    def close(self) -> None:
        self._stream.close()
        self._injector.strike("stream.close")


@contextlib.contextmanager
def injected(fault: Fault, *, links: bool = True) -> Iterator[Injector]:
    """Let a call fail inside the block; without `links` the file system has no hard links at all."""
    injector = Injector(fault)
    with contextlib.ExitStack() as stack:
        for name in set(OS_CALLS) - {"fdopen"}:
            stack.enter_context(mock.patch.object(os, name, injector.wrapped(name, getattr(os, name))))
        stack.enter_context(mock.patch.object(os, "fdopen", injector.opening(os.fdopen)))
        if not links:
            stack.enter_context(mock.patch.object(os, "link", side_effect=NO_LINKS))
        yield injector


class Interruption:
    """Sends SIGINT before the n-th line that is executed in some files of the package."""

    def __init__(self, number: int, files: tuple[str, ...]) -> None:
        self.number = number
        self.count = 0
        self.place = ""
        self._files = files

    def enter(self, frame: FrameType, event: str, _: Any) -> "Callable[[FrameType, str, Any], Any] | None":
        del event
        return self._line if frame.f_code.co_filename.endswith(self._files) else None

    def _line(self, frame: FrameType, event: str, _: Any) -> "Callable[[FrameType, str, Any], Any] | None":
        if event == "line" and frame.f_code.co_code[frame.f_lasti] != NOTHING:
            self.count += 1
            if self.count == self.number:
                self.place = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
                signal.raise_signal(signal.SIGINT)
        return self._line


@contextlib.contextmanager
def interrupted(number: int, files: tuple[str, ...]) -> Iterator[Interruption]:
    """Interrupt the `number`-th line that the block executes in `files`, given by the ends of their paths."""
    interruption = Interruption(number, files)
    sys.settrace(interruption.enter)
    try:
        yield interruption
    finally:
        sys.settrace(None)
