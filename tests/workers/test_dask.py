"""Scoring on a Dask cluster of two worker processes, one of which may die over its work."""

import importlib
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.scoring.flow import Outcome, outcomes
from scorch2.scoring.pairing.pairs import plan_pairs
from scorch2.workers import processes, tasks
from scorch2.workers.tasks import Way, Workers

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
FOLDERS = (str(EXAMPLE / "gold"), str(EXAMPLE / "sys"))
pytestmark = pytest.mark.filterwarnings("default")  # of Dask itself


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    dask: Any = importlib.import_module("distributed")  # it has no types, and takes long to import
    with (
        dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        dask.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    for side in ("gold", "sys"):
        (tmp_path / side).mkdir()
        for number in range(400):
            clusters = {str(c): [f"{c}.{m}" for m in range(number % 7 + 1)] for c in range(number % 5 + 1)}
            if side == "sys":
                clusters["0"].pop()
            value = {"type": "clusters", "clusters": clusters}
            (tmp_path / side / f"d{number:03}.json").write_text(json.dumps(value), encoding="utf-8")
    return str(tmp_path / "gold"), str(tmp_path / "sys")


def test_the_executor_of_a_client_gives_the_same(client: Any, corpus: tuple[str, str]) -> None:
    report = scorch2.score(*corpus, executor=client.get_executor(pure=False))
    assert report.to_dict() == scorch2.score(*corpus).to_dict()


def test_the_command_takes_the_address_of_a_scheduler(
    client: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(FOLDERS) == 0
    alone = capsys.readouterr().out
    assert main([f"--dask={client.scheduler.address}", *FOLDERS]) == 0
    assert capsys.readouterr().out == alone


def test_errors_are_the_same(
    client: Any, corpus: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(corpus[1], "d123.json").write_text("{", encoding="utf-8")
    assert main(corpus) == 2
    alone = capsys.readouterr()
    assert main([f"--dask={client.scheduler.address}", *corpus]) == 2
    assert capsys.readouterr() == alone


def test_a_worker_may_die(client: Any, corpus: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The other worker scores its documents, or the error says that they are lost."""
    monkeypatch.setattr(tasks, "_MOST", 4)  # many small tasks: some are still waiting then
    processes = list(client.run(os.getpid).values())

    def killing(found: Iterable[Outcome], _: int) -> Iterator[Outcome]:
        for number, outcome in enumerate(found):
            if number == 20:
                os.kill(processes[0], signal.SIGKILL)
            yield outcome

    alone = scorch2.score(*corpus)
    workers = Workers(client.get_executor(pure=False), 2)
    try:
        report = tasks.score_paths(*corpus, alone.options, workers, killing)
    except scorch2.WorkerError as error:
        assert "is gone" in str(error)  # noqa: PT017 - either of two ends is right
    else:
        assert report.to_dict() == alone.to_dict()
    assert scorch2.score(*corpus, executor=client.get_executor(pure=False)).to_dict() == alone.to_dict()


def test_a_task_that_kills_every_worker_is_an_error(client: Any, corpus: tuple[str, str]) -> None:
    executor = client.get_executor(pure=False, retries=0)
    client.run_on_scheduler(_allow_no_failures)
    future = executor.submit(_die)
    options = scorch2.score(*corpus).options
    task = tasks.Stems(plan_pairs(*corpus, options).part(["d000"]), Way(options, outcomes))
    with pytest.raises(scorch2.WorkerError, match="the worker that scored d000 is gone"):
        tasks._answer(task, future, Workers(executor, 2))  # noqa: SLF001 - no document is that large


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _allow_no_failures(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
def test_an_interrupt_ends_a_cluster_that_was_started_here(tmp_path: Path) -> None:
    """Sent to all processes, as by a terminal, while one waits for a pipe into which nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    gold = str(EXAMPLE / "gold" / "letter-000.json")
    with subprocess.Popen(
        [sys.executable, "-m", "scorch2", "--dask=local", "-j", "2", gold, "pipe", "out"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_listen,  # noqa: PLW1509 - it only sets a signal
    ) as command:
        while (writer := _opened(tmp_path / "pipe")) is None:
            assert command.poll() is None
            time.sleep(0.05)
        os.killpg(command.pid, signal.SIGINT)
        _, message = command.communicate()
    os.close(writer)
    assert (command.returncode, message) == (130, b"scorch2: interrupted\n")
    assert os.listdir(tmp_path) == ["pipe"]


def _listen() -> None:
    """Take interrupts, even if whoever runs the tests ignores them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _opened(pipe: Path) -> int | None:
    """Return the end for writing, if anybody reads."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


class Opened:
    """A cluster or a client that says when it is closed."""

    def __init__(self, name: str, closed: list[str], *, interrupted: bool = False) -> None:
        self._name, self._closed = name, closed
        if interrupted:
            signal.raise_signal(signal.SIGINT)

    def close(self) -> None:
        self._closed.append(self._name)

    def run(self, *_: Any, **__: Any) -> None:
        raise OSError("the scheduler is gone")


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt cannot be held there")
def test_an_interrupt_while_a_cluster_starts_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr("distributed.LocalCluster", lambda **_: Opened("cluster", closed))
    monkeypatch.setattr("distributed.Client", lambda _: Opened("client", closed, interrupted=True))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), processes.cluster(processes.LOCAL, 2):
            pytest.fail("it was interrupted before")
    finally:
        signal.signal(signal.SIGINT, before)
    assert closed == ["client", "cluster"]
    assert logging.root.manager.disable == logging.NOTSET


def test_a_cluster_without_a_client_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr("distributed.LocalCluster", lambda **_: Opened("cluster", closed))
    monkeypatch.setattr("distributed.Client", lambda _: 1 / 0)
    with (
        pytest.raises(scorch2.WorkerError, match=r"did not start \(ZeroDivisionError"),
        processes.cluster(processes.LOCAL, 2),
    ):
        pytest.fail("there is no client")
    assert closed == ["cluster"]


# Who may connect


def test_a_cluster_can_be_started_here_and_takes_only_its_own_clients(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A scheduler runs code for whoever connects, and any user of the machine can connect to 127.0.0.1.

    In a process of its own: a cluster that is started in a test inherits what the tests have open.
    """
    program = """
import asyncio
import contextlib
import sys
import distributed
from scorch2.cli.main import main
from scorch2.workers import processes

async def refused(address, security=None):
    asked = dict(timeout="5s", set_as_default=False, asynchronous=True)
    try:
        async with distributed.Client(address, security=security, **asked):
            return False
    except Exception:
        return True

async def each(tried):
    return await asyncio.gather(*(refused(*one) for one in tried))  # threads that start loops may hang

cluster = processes.cluster

@contextlib.contextmanager
def with_strangers(*given):
    with cluster(*given) as workers:
        address = distributed.Client.current().scheduler.address
        plain = address.replace("tls://", "tcp://")
        mine = distributed.Client.current().security
        stranger = distributed.Security.temporary()
        tried = [(plain, None), (address, None), (address, stranger), (address, mine)]
        print(address[:6], *asyncio.run(each(tried)), file=sys.stderr)
        yield workers

if __name__ == "__main__":
    processes.cluster = with_strangers
    sys.exit(main(["--dask=local", "-j", "1", *sys.argv[1:]]))
"""
    words = [sys.executable, "-c", program, *FOLDERS]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, encoding="utf-8", env=environment
    )
    assert (done.returncode, done.stderr) == (0, "tls:// True True True False\n")
    assert main(FOLDERS) == 0
    assert done.stdout == capsys.readouterr().out


def test_without_certificates_no_cluster_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setattr("distributed.LocalCluster", lambda **_: pytest.fail("open to everybody"))
    assert main(["--dask=local", *FOLDERS]) == 2
    assert capsys.readouterr().err == (
        "scorch2: error: --dask=local needs the package cryptography, which keeps other users out: "
        "pip install 'dask[distributed]' cryptography\n"
    )


# What fails inside Dask


@pytest.mark.parametrize(
    "address", ["tls://127.0.0.1:1", "ucx://a:1", "carrier-pigeon://a:1", "127.0.0.1:port", "\x1b[2J:1", ""]
)
def test_an_address_that_cannot_be_reached_is_an_error(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SCHEDULER_PATIENCE", "0.2s")
    assert main([f"--dask={address}", *FOLDERS]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err.isprintable()) == ("", 1, False)
    assert err.startswith("scorch2: error: no Dask scheduler at ")
    assert "\x1b" not in err


def test_a_scheduler_that_needs_certificates_says_where_to_set_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--dask=tls://h:1", *FOLDERS]) == 2
    assert capsys.readouterr().err == (
        "scorch2: error: no Dask scheduler at tls://h:1: "
        "Dask has no certificates for TLS (its setting: distributed.comm.tls)\n"
    )


def test_a_cluster_that_does_not_start_is_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(**_: Any) -> None:
        logging.getLogger("distributed.nanny").error("Failed to start process", stack_info=True)
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", failing)
    assert main(["--dask=local", *FOLDERS]) == 2
    assert capfd.readouterr().err == (
        "scorch2: error: the Dask cluster on this machine did not start "
        "(RuntimeError: Nanny failed to start.)\n"
    )
    assert logging.root.manager.disable == logging.NOTSET
    assert "DASK_LOGGING__DISTRIBUTED" not in os.environ


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_too_few_open_files_are_an_error_at_once() -> None:
    """Dask would wait for them for ever."""
    import resource

    done = subprocess.run(
        [sys.executable, "-m", "scorch2", "--dask=local", "-j", "2", *FOLDERS],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "scorch2: error: a Dask cluster on this machine needs about 88 open files, and the limit is 40 "
        "(use fewer workers with --jobs, or score without --dask)\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("limits", "raised"), [((40, 100), (88, 100)), ((40, -1), (88, -1)), ((90, 90), None), ((-1, -1), None)]
)
def test_the_limit_of_open_files_is_raised_where_it_may_be(
    limits: tuple[int, int], raised: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    done: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: done.append(given))
    processes._allow_open_files(88)  # noqa: SLF001 - no cluster is started for it
    assert done == ([] if raised is None else [raised])
