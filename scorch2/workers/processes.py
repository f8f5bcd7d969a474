"""Processes of this machine that work off tasks, each behind a pipe of its own.

The standard `ProcessPoolExecutor` has one pipe for the answers of all: if a process is killed in the middle
of one, the rest of it is waited for without end. Here nothing is shared, so its pipe tells at once; and there
is no thread, which would have to be stopped on an interrupt: who waits for an answer takes in the others too.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from types import ModuleType
from typing import Any

_SMALL = 1 << (15 if sys.platform == "linux" else 12)
"""Bytes of a task that fit into a pipe, whatever the process at its other end does: 208 KiB on Linux, 8 KiB
on others."""
_MOST_ON_WINDOWS = 60
"""Processes that it can wait for at once, about."""
_STARTING = threading.Lock()
"""Held while a process starts: two threads would restore each other's ``__main__``."""


class LostWorkerError(BrokenExecutor):
    """A process ended before its task did."""


class NoProcessError(BrokenExecutor):
    """Not even one process could be started."""


class Processes(Executor):
    """Up to `number` processes, started when there is work for them.

    Answers arrive while one of them is waited for with ``result()`` or ``exception()``, and in no other way.
    Where there is no room for so many processes, those that could be started do the work.
    """

    def __init__(self, number: int) -> None:
        self._number = min(number, _MOST_ON_WINDOWS) if sys.platform == "win32" else number
        self._ended = False
        self._context = multiprocessing.get_context(start_method())
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[_Answer, bytes]] = deque()

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        """Have a process call something that can be pickled, with what can be, too."""
        if self._ended:
            raise RuntimeError("the processes were ended")
        answer = _Answer(self)
        self._waiting.append((answer, bytes(ForkingPickler.dumps((call, given, named)))))
        self._hand_out()
        return answer

    def take_in(self) -> None:
        """Wait until a process has answered, or is gone, and give it the next task."""
        busy = {worker.pipe: worker for worker in self._workers if worker.answers}
        for pipe in wait(list(busy)):
            self._receive(busy[pipe])  # type: ignore[index]  # wait() also takes sockets and handles
        self._hand_out()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT002 - as in Executor
        """End all processes at once, whatever they do."""
        self._ended = True
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
            for answer in worker.answers:
                answer.set_exception(LostWorkerError("its process was ended"))
        for answer, _ in self._waiting:
            answer.cancel()
        self._workers = []
        self._waiting.clear()

    def _hand_out(self) -> None:
        while self._waiting:
            answer, task = self._waiting[0]
            try:
                worker = self._taker(len(task))
            except OSError as error:
                self._waiting.popleft()
                if answer.set_running_or_notify_cancel():
                    answer.set_exception(NoProcessError(str(error)))
                continue
            if worker is None:
                return
            self._waiting.popleft()
            if answer.set_running_or_notify_cancel():
                self._send(worker, answer, task)

    def _taker(self, size: int) -> "_Worker | None":
        """Return the process that can take a task: an idle one, a new one, or one that has no other ahead.

        The task ahead is there when a process has answered: a tenth of its time it would wait for it. A large
        one might fill the pipe while the process fills it from the other end, and both would wait for ever.
        """
        worker = min(self._workers, key=lambda worker: len(worker.answers), default=None)
        if worker is not None and not worker.answers:
            return worker
        if len(self._workers) < self._number:
            try:
                return self._start()
            except OSError:
                if worker is None:
                    raise
                self._number = len(self._workers)
        return worker if worker is not None and len(worker.answers) == 1 and size <= _SMALL else None

    def _start(self) -> "_Worker":
        with _STARTING, without_interrupts(), _without_main():
            here, there = self._context.Pipe()
            process: BaseProcess = self._context.Process(target=_work, args=(there, here), daemon=True)  # type: ignore[attr-defined]  # every context has it
            try:
                process.start()
            except BaseException:
                here.close()
                raise
            finally:
                there.close()
            self._workers.append(_Worker(process, here))
        return self._workers[-1]

    def _send(self, worker: "_Worker", answer: "_Answer", task: bytes) -> None:
        worker.answers.append(answer)
        try:
            worker.pipe.send_bytes(task)
        except OSError:
            self._lose(worker)

    def _receive(self, worker: "_Worker") -> None:
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self._lose(worker)
            return
        answer = worker.answers.popleft()
        try:
            value, error = ForkingPickler.loads(data)
        except Exception as broken:  # noqa: BLE001 - whoever waits for the answer gets it
            value, error = None, broken
        if error is None:
            answer.set_result(value)
        else:
            answer.set_exception(error)

    def _lose(self, worker: "_Worker") -> None:
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        for answer in worker.answers:
            answer.set_exception(LostWorkerError("its process is gone"))


class _Worker:
    """A process, the pipe to it, and what it is to answer now and next."""

    def __init__(self, process: BaseProcess, pipe: "Connection[Any, Any]") -> None:
        self.process = process
        self.pipe = pipe
        self.answers: deque[_Answer] = deque()


class _Answer(Future[Any]):
    """What a process will answer."""

    def __init__(self, pool: Processes) -> None:
        super().__init__()
        self._pool = pool

    def result(self, timeout: float | None = None) -> Any:  # noqa: ARG002 - an answer comes, or its process ends
        """Return the answer, or raise what the task raised; a `LostWorkerError` if its process is gone."""
        self._wait()
        return super().result()

    def exception(self, timeout: float | None = None) -> BaseException | None:  # noqa: ARG002 - as for result
        """Return what the task raised, if anything."""
        self._wait()
        return super().exception()

    def _wait(self) -> None:
        while not self.done():
            self._pool.take_in()


def start_method() -> str:
    """Return how workers start: by a fork, in no time, but not beside threads, whose locks it would copy."""
    return "fork" if sys.platform == "linux" and _threads() == 1 else "spawn"


def _threads() -> int:
    """Return how many threads this process has, those of compiled libraries among them where Linux tells."""
    try:
        return os.stat("/proc/self/task").st_nlink - 2  # a folder of folders, one a thread
    except OSError:
        return threading.active_count()


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Let an interrupt wait: in the middle of a start it would be lost, or leave a process behind.

    Where other threads take signals, it may come all the same.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Keep a spawned process from running the program that starts it: a script without a guard, a notebook.

    It would start processes in turn, and tasks are functions of this package, which need nothing of it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(pipe: "Connection[Any, Any]", other: "Connection[Any, Any]") -> None:
    """Answer what comes through `pipe` until its `other` end is closed; this is what runs in a process."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    gc.disable()  # as the command does
    other.close()  # else the pipe would stay open when the process that started this one ends
    with contextlib.suppress(EOFError, OSError):
        while True:
            call, given, named = pipe.recv()
            try:
                answer = ForkingPickler.dumps((call(*given, **named), None))
            except Exception as error:  # noqa: BLE001 - whoever waits for the answer gets it
                answer = _pickled(error)
            pipe.send_bytes(answer)


def _pickled(error: Exception) -> memoryview:
    """Return the answer of a task that raised; an error that cannot be pickled becomes one that can."""
    try:
        return ForkingPickler.dumps((None, error))
    except Exception:  # noqa: BLE001 - whatever it is about the error
        return ForkingPickler.dumps((None, RuntimeError(f"{type(error).__name__}: {_words_of(error)}")))


def _words_of(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever it is about the error
        return "an error that does not say what it is"
