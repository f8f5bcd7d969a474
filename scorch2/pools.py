"""Workers: processes of this machine, or a Dask cluster. Each is a context that gives an executor."""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from scorch2.errors import UsageError, WorkerError
from scorch2.parallel import Workers

PATIENCE = "10s"
"""How long a scheduler may take to answer."""
LOCAL = "local"
"""The address that stands for a Dask cluster that is started here."""


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start_method() -> str:
    """Return how workers start: by a fork, in no time, but not beside threads, whose locks it would copy."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


@contextlib.contextmanager
def processes(number: int) -> Iterator[Workers]:
    """Give as many processes (0: one a processor); they end at once if the block fails or is interrupted."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    number = number or cores()
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(number, multiprocessing.get_context(start_method()), initializer=_prepare)
    try:
        yield Workers(pool, number)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        raise
    pool.shutdown()


def _prepare() -> None:
    """Make a worker die silently of the interrupt that ends the command, and count without the collector."""
    import gc
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()


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
        import distributed
    except ImportError:
        raise UsageError("--dask needs Dask: install the extra with pip install 'scorch2[dask]'") from None
    dask: Any = distributed  # it has no types
    with contextlib.ExitStack() as stack:
        if address == LOCAL:
            local = dask.LocalCluster(
                n_workers=number or cores(), threads_per_worker=1, dashboard_address=None
            )
            client = stack.enter_context(dask.Client(stack.enter_context(local)))
        else:
            try:
                client = stack.enter_context(dask.Client(address, timeout=PATIENCE))
            except (OSError, ValueError) as error:
                raise WorkerError(f"no Dask scheduler at {address}: {error}") from None
        threads = sum(client.nthreads().values())
        if not threads:
            raise WorkerError(f"the Dask scheduler at {address} has no workers")
        yield Workers(client.get_executor(pure=False), threads)
