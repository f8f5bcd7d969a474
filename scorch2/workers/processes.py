"""Worker processes of this machine, each with a pipe of its own, or of a Dask cluster.

In the standard `ProcessPoolExecutor` all processes write their results to one pipe: if a process is killed
while it writes, the reader waits for the rest of the result for ever. Here each pipe has one writer. When a
process ends, its pipe closes, and the reader notices at once. There are no threads either, which an interrupt
would have to stop: a caller that waits for one result receives the results of all processes.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing import current_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from types import ModuleType
from typing import Any

from scorch2.model.errors import UsageError, WorkerError, printable
from scorch2.model.memory import load_numpy
from scorch2.workers.tasks import Workers

_MOST_ON_WINDOWS = 60
"""Windows can wait for at most 63 pipes at once. With more processes than that, a run would fail."""
_STARTING = threading.Lock()
"""Held while a process starts: two threads that start processes at once would restore each other's
``__main__``."""
_ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class LostWorkerError(BrokenExecutor):
    """A process ended before it finished its task."""


class Processes(Executor):
    """Up to `number` processes, each started when there is work for it, or fewer if the system refuses."""

    # Results are received only inside ``result()`` or ``exception()`` of any of the futures

    def __init__(self, number: int) -> None:
        self._number = min(number, _MOST_ON_WINDOWS) if sys.platform == "win32" else number
        self._ended = False
        self._context = multiprocessing.get_context(start_method())
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[_Result, bytes]] = deque()

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        """Have a process make a call. The function and its arguments must be picklable."""
        if self._ended:
            raise RuntimeError("the processes were ended")
        result = _Result(self)
        self._waiting.append((result, bytes(ForkingPickler.dumps((call, given, named)))))
        self._start_tasks()
        return result

    def receive(self) -> None:
        """Wait until at least one process has sent its result or has ended, and give it the next task."""
        busy = {worker.pipe: worker for worker in self._workers if worker.result is not None}
        for pipe in wait(list(busy)):
            self._receive_from(busy[pipe])  # type: ignore[index]  # wait() also takes sockets and handles
        self._start_tasks()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT002 - as in Executor
        """End all processes at once, even those that are working."""
        self._ended = True
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
            if worker.result is not None:
                worker.result.set_exception(LostWorkerError("its process was ended"))
        for result, _ in self._waiting:
            result.cancel()
        self._workers = []
        self._waiting.clear()

    def _start_tasks(self) -> None:
        """Give the waiting tasks to idle or new processes, as far as there are any."""
        while self._waiting:
            try:
                worker = self._free_worker()
            except OSError as error:
                result, _ = self._waiting.popleft()
                if result.set_running_or_notify_cancel():
                    why = f"no worker process can be started ({error}): score with one job"
                    result.set_exception(WorkerError(why))
                continue
            if worker is None:
                return
            result, task = self._waiting.popleft()
            if not result.set_running_or_notify_cancel():
                continue
            worker.result = result
            try:
                worker.pipe.send_bytes(task)
            except OSError:
                self._lose(worker)

    def _free_worker(self) -> "_Worker | None":
        """Return an idle process or a new one; None if all are busy and no more may start."""
        for worker in self._workers:
            if worker.result is None:
                return worker
        if len(self._workers) < self._number:
            try:
                return self._start()
            except OSError:
                if not self._workers:
                    raise
                self._number = len(self._workers)
        return None

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

    def _receive_from(self, worker: "_Worker") -> None:
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self._lose(worker)
            return
        result, worker.result = worker.result, None
        self._start_tasks()  # before the result is unpickled, so that the process need not wait for that
        if result is None:
            return
        try:
            value, error = ForkingPickler.loads(data)
        except Exception as broken:  # noqa: BLE001 - the caller who waits for the result gets it
            value, error = None, broken
        if error is None:
            result.set_result(value)
        else:
            result.set_exception(error)

    def _lose(self, worker: "_Worker") -> None:
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        if worker.result is not None:
            worker.result.set_exception(LostWorkerError("its process is gone"))


class _Worker:
    """A process, the pipe to it, and the result that it is working on."""

    def __init__(self, process: BaseProcess, pipe: "Connection[Any, Any]") -> None:
        self.process = process
        self.pipe = pipe
        self.result: _Result | None = None


class _Result(Future[Any]):
    """The result of a task, which arrives while a caller waits for it or for another one."""

    def __init__(self, pool: Processes) -> None:
        super().__init__()
        self._pool = pool

    def result(self, timeout: float | None = None) -> Any:  # noqa: ARG002 - a result comes, or its process ends
        """Return the result, or raise what the task raised; a `LostWorkerError` if its process is gone."""
        self._wait()
        return super().result()

    def exception(self, timeout: float | None = None) -> BaseException | None:  # noqa: ARG002 - as for result
        self._wait()
        return super().exception()

    def _wait(self) -> None:
        while not self.done():
            self._pool.receive()


def start_method() -> str:
    """Return how processes start: by fork, which is fast, but not beside threads: it copies their locks."""
    return "fork" if sys.platform == "linux" and _threads() == 1 else "spawn"


def _threads() -> int:
    """Return the number of threads of this process; on Linux, those of compiled libraries count too."""
    try:
        return os.stat("/proc/self/task").st_nlink - 2  # the folder holds one folder per thread
    except OSError:
        return threading.active_count()


@contextlib.contextmanager
def without_interrupts(signals: Collection[signal.Signals] = _ENDING_SIGNALS) -> Iterator[None]:
    """Delay Ctrl-C and other signals that end the run until the block is left."""
    # In the middle of a start they would be lost, or would leave a process behind
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Keep a spawned process from running the main program again."""
    # A script without a ``__main__`` guard would start processes that start processes, and a notebook has no
    # file to run. Workers need nothing of the main program.
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(pipe: "Connection[Any, Any]", other: "Connection[Any, Any]") -> None:
    """Do the tasks that come through `pipe`, until its `other` end is closed. Workers run this function."""
    import gc

    for number in _ENDING_SIGNALS:  # a fork copies the handlers of the process that started this one
        if callable(signal.getsignal(number)):  # what is ignored, as by nohup, stays ignored
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING_SIGNALS)
    gc.disable()  # as the command does
    other.close()  # else the pipe would stay open when the process that started this one ends
    with contextlib.suppress(EOFError, OSError):
        while True:
            call, given, named = pipe.recv()
            try:
                answer = ForkingPickler.dumps((call(*given, **named), None))
            except Exception as error:  # noqa: BLE001 - the caller who waits for the result gets it
                answer = _pickled(error)
            pipe.send_bytes(answer)


def _pickled(error: Exception) -> memoryview:
    """Return the message about a task that raised. An error that cannot be pickled is sent as its text."""
    try:
        return ForkingPickler.dumps((None, error))
    except Exception:  # noqa: BLE001 - an error may raise anything when it is pickled
        return ForkingPickler.dumps((None, RuntimeError(f"{type(error).__name__}: {_text_of(error)}")))


def _text_of(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - an error may raise anything when it is printed
        return "an error without a text"


SCHEDULER_PATIENCE = "10s"
_INTERRUPT = (signal.SIGINT,)
"""What is delayed while Dask starts: its processes inherit what is blocked, and it ends them by SIGTERM."""
LOCAL = "local"
_EXTRA = "pip install 'dask[distributed]' cryptography"
_FILES, _FILES_PER_WORKER = 60, 14
"""Open files that a cluster on this machine needs, rounded up; without them Dask retries for ever."""


def cores() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def local_processes(number: int) -> Iterator[Workers]:
    """Give `number` worker processes (0: one per CPU). They end with the block, and at once if it fails."""
    if current_process().daemon:
        raise UsageError("a daemonic process cannot start others: score with one job, or give an executor")
    number = number or cores()
    pool = Processes(number)
    try:
        yield Workers(pool, number)
    finally:
        pool.shutdown()


@contextlib.contextmanager
def cluster(address: str, number: int = 0) -> Iterator[Workers]:
    """Give the workers of the Dask scheduler at `address`, or of a cluster started here (`LOCAL`)."""
    # A scheduler runs code for whoever can connect to it. A cluster that is started here therefore has
    # temporary certificates, which only this process and its workers know. A shared one is as safe as its
    # network.
    load_numpy()  # which Dask imports
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet())
        try:
            with without_interrupts(_INTERRUPT):  # some of the callbacks of an import swallow them
                import distributed
        except ImportError:
            raise UsageError(f"--dask needs Dask: {_EXTRA}") from None
        dask: Any = distributed  # it has no types
        if address == LOCAL:
            client = stack.enter_context(_local(dask, number or cores()))
        else:
            client = stack.enter_context(_client_of(dask, address))

        def threads() -> int:
            return sum(client.nthreads().values())

        if not threads():
            raise WorkerError(f"the Dask scheduler at {printable(address)} has no workers")
        yield Workers(client.get_executor(pure=False), threads(), lambda: bool(threads()))


@contextlib.contextmanager
def _client_of(dask: Any, address: str) -> Iterator[Any]:
    try:
        client = dask.Client(address, timeout=SCHEDULER_PATIENCE)
    except Exception as error:  # noqa: BLE001 - each protocol of Dask fails in its own way
        why = str(error)
        if "ssl_context" in why:
            why = "Dask has no certificates for TLS (its setting: distributed.comm.tls)"
        raise WorkerError(f"no Dask scheduler at {printable(address)}: {printable(why)}") from None
    with client:
        yield client


@contextlib.contextmanager
def _local(dask: Any, number: int) -> Iterator[Any]:
    """Give a client of worker processes here. They ignore interrupts, which this process handles."""
    _allow_open_files(_FILES + _FILES_PER_WORKER * number)
    try:
        certificates = dask.Security.temporary()
    except ImportError:
        raise UsageError(
            f"--dask=local needs the package cryptography, which keeps other users out: {_EXTRA}"
        ) from None
    with contextlib.ExitStack() as stack:
        with without_interrupts(_INTERRUPT):
            client = _started(dask, number, certificates, stack)
            stack.push(lambda failed, *_: _undisturbed(lambda: _silence(client)) if failed else None)
        client.run(_ignore_interrupts)
        yield client


def _started(dask: Any, number: int, certificates: Any, stack: contextlib.ExitStack) -> Any:
    from dask import config

    pages: dict[str, list[str]] = {f"distributed.{role}.http.routes": [] for role in ("scheduler", "worker")}
    stack.enter_context(config.set(pages))  # no pages about tasks for other users of the machine
    try:
        local = dask.LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            protocol="tls://",
            security=certificates,
            dashboard_address="127.0.0.1:0",
        )
        stack.callback(_undisturbed, local.close)
        client = dask.Client(local)
        stack.callback(_undisturbed, client.close)
    except Exception as error:  # noqa: BLE001 - processes, sockets and Dask fail in many ways
        why = printable(f"{type(error).__name__}: {error}")
        raise WorkerError(f"the Dask cluster on this machine did not start ({why})") from None
    return client


def _allow_open_files(needed: int) -> None:
    """Raise the limit of open files if it is too low, or fail: Dask would wait for ever."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft == unlimited or soft >= needed:
        return
    if hard != unlimited and hard < needed:
        raise WorkerError(
            f"a Dask cluster on this machine needs about {needed} open files, and the limit is {hard} "
            "(use fewer workers with --jobs, or score without --dask)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the log of Dask away: a failure is one line of ours, not dozens of its own."""
    import logging

    before = logging.root.manager.disable
    name = "DASK_LOGGING__DISTRIBUTED"  # read by worker processes
    level = os.environ.get(name)
    logging.disable()
    os.environ.setdefault(name, "critical")
    try:
        yield
    finally:
        logging.disable(before)
        if level is None:
            os.environ.pop(name, None)


def _undisturbed(call: Callable[[], object]) -> None:
    with without_interrupts(_INTERRUPT):
        call()


def _silence(client: Any) -> None:
    """Keep the workers from reporting tasks that nobody waits for any more."""
    import logging

    with contextlib.suppress(Exception):  # a worker that is gone is silent
        client.run(logging.disable, on_error="ignore")


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
