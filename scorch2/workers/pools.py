"""Start workers: processes of this machine, or a Dask cluster. Each is a context that gives an executor."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import current_process
from typing import Any

from scorch2.model.errors import UsageError, WorkerError, load_numpy, printable
from scorch2.workers.processes import Processes, without_interrupts
from scorch2.workers.tasks import Workers

SCHEDULER_PATIENCE = "10s"
"""How long a scheduler may take to answer."""
_INTERRUPT = (signal.SIGINT,)
"""What is delayed while Dask starts: its processes inherit what is blocked, and it ends them by SIGTERM."""
LOCAL = "local"
"""The address that means: start a Dask cluster on this machine."""
_EXTRA = "pip install 'dask[distributed]' cryptography"
_FILES, _FILES_PER_WORKER = 60, 14
"""Open files that a cluster on this machine needs, rounded up; without them Dask retries for ever."""


def cores() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def processes(number: int) -> Iterator[Workers]:
    """Give `number` worker processes (0: one per CPU). They end with the block, and at once if it fails.

    Raises
    ------
    UsageError
        In a process that may not start others, such as one of a `multiprocessing.Pool`.
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
    """Give the workers of the Dask scheduler at `address`, or of a cluster started here (`LOCAL`).

    A scheduler runs code for whoever can connect to it. A cluster that is started here therefore has
    temporary certificates, which only this process and its workers know. A shared cluster is as safe as its
    network, or as the TLS settings in its Dask configuration.

    Raises
    ------
    UsageError
        If Dask is not installed, or for `LOCAL` the package that makes certificates.
    WorkerError
        If the cluster cannot be started, no scheduler answers at the address, or it has no workers.
    """
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
    """Start a cluster and connect to it; `stack` closes both."""
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
    """Raise the limit of open files if it is too low, as far as the system allows.

    Raises
    ------
    WorkerError
        If it stays too low: Dask would wait for ever.
    """
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
