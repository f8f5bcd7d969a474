"""Workers: processes of this machine, or a Dask cluster. Each is a context that gives an executor."""

import contextlib
import os
from collections.abc import Callable, Iterator
from multiprocessing import current_process
from typing import Any

from scorch2.model.errors import UsageError, WorkerError
from scorch2.workers.processes import Processes, without_interrupts
from scorch2.workers.tasks import Workers

SCHEDULER_PATIENCE = "10s"
"""How long a scheduler may take to answer."""
LOCAL = "local"
"""The address that stands for a Dask cluster that is started here."""


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def processes(number: int) -> Iterator[Workers]:
    """Give as many processes (0: one a processor); they end with the block, and at once if it fails.

    Raises
    ------
    UsageError
        In a process that may have none, such as one of a `multiprocessing.Pool`.
    """
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
    """Give workers of the Dask scheduler at `address`, or of processes started here (`LOCAL`).

    Raises
    ------
    UsageError
        If Dask is not installed.
    WorkerError
        If no scheduler answers at the address, or it has no workers.
    """
    try:
        with without_interrupts():  # some of the callbacks of an import swallow them
            import distributed
    except ImportError:
        raise UsageError("--dask needs Dask: install the extra with pip install 'scorch2[dask]'") from None
    dask: Any = distributed  # it has no types
    with contextlib.ExitStack() as stack:
        if address == LOCAL:
            client = stack.enter_context(_local(dask, number or cores()))
        else:
            try:
                client = stack.enter_context(dask.Client(address, timeout=SCHEDULER_PATIENCE))
            except (OSError, ValueError) as error:
                raise WorkerError(f"no Dask scheduler at {address}: {error}") from None

        def threads() -> int:
            return sum(client.nthreads().values())

        if not threads():
            raise WorkerError(f"the Dask scheduler at {address} has no workers")
        yield Workers(client.get_executor(pure=False), threads(), lambda: bool(threads()))


@contextlib.contextmanager
def _local(dask: Any, number: int) -> Iterator[Any]:
    """Give a client of worker processes here, which leave an interrupt to the process that started them."""
    import logging

    with contextlib.ExitStack() as stack:
        stack.callback(logging.disable, logging.root.manager.disable)
        with without_interrupts():
            local = dask.LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address="127.0.0.1:0")
            stack.callback(_undisturbed, local.close)
            client = dask.Client(local)
            stack.callback(_undisturbed, client.close)
            stack.push(lambda failed, *_: _undisturbed(lambda: _silence(client)) if failed else None)
        client.run(_ignore_interrupts)
        yield client


def _undisturbed(call: Callable[[], object]) -> None:
    with without_interrupts():
        call()


def _silence(client: Any) -> None:
    """Keep Dask from telling of every task that nobody waits for any more."""
    import logging

    logging.disable()
    with contextlib.suppress(Exception):  # whoever is gone is silent
        client.run(logging.disable, on_error="ignore")


def _ignore_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
