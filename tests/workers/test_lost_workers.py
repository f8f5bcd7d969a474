"""Workers that are lost, late or killed: clear errors, and nothing left behind."""

import argparse
import contextlib
import multiprocessing.process
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError  # the built-in one since Python 3.11
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from command_runs import COMMAND, listen
from executors import EXAMPLE, FILES, FOLDERS, Here, scored, sixty_files

import scorch2
from scorch2.cli.main import main
from scorch2.workers import tasks
from scorch2.workers.processes import LostWorkerError, Processes
from scorch2.workers.tasks import Workers

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    return sixty_files(tmp_path)


class Dying(Here):
    """A pool whose worker dies over the second task."""

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        future = super().submit(call, *given, **named)
        if len(self.tasks) > 1:
            future = Future()
            future.set_exception(BrokenProcessPool("gone"))
        return future


def test_a_lost_worker_is_an_error_that_names_what_is_lost(
    corpus: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_FIRST", 3)
    with pytest.raises(
        scorch2.WorkerError, match=r"that scored d03, d04, d05 is gone \(BrokenProcessPool: gone\)"
    ):
        scored(*corpus, Dying())


@pytest.mark.usefixtures("small_pieces")
def test_a_lost_piece_names_its_file() -> None:
    with pytest.raises(scorch2.WorkerError, match=r"that scored document 2 of .*gold\.conll is gone"):
        scored(*FILES, Dying())


class Broken(Here):
    """A pool that has broken before it is asked."""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        raise BrokenProcessPool("gone")


class Stumbling(Here):
    """Dask, whose executor may fail over an answer of a worker that is lost the moment after."""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            exec("(0.1).with_traceback", {"__name__": "distributed.cfexecutor"})  # noqa: S102 - for its frame
        except AttributeError as error:
            future.set_exception(error)
        return future


def test_what_fails_in_dask_is_a_lost_worker(corpus: tuple[str, str]) -> None:
    with pytest.raises(scorch2.WorkerError, match=r"is gone \(AttributeError: 'float' object"):
        scored(*corpus, Stumbling())


def test_a_pool_that_takes_nothing_is_an_error_that_names_what_is_lost(corpus: tuple[str, str]) -> None:
    with pytest.raises(scorch2.WorkerError, match=r"no worker takes d00, .* \(BrokenProcessPool: gone\)"):
        scored(*corpus, Broken())
    pool = Processes(1)
    pool.shutdown()
    with pytest.raises(
        scorch2.WorkerError, match=r"no worker takes d00, .* \(RuntimeError: the processes were"
    ):
        scored(*corpus, pool)


class Late(Here):
    """Its answers come in the moment after nobody waited any longer."""

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        future = LateFuture()
        future.come = lambda: future.set_result(call(*given, **named))
        return future


class LateFuture(Future[Any]):
    come: Callable[[], None]

    def result(self, timeout: float | None = None) -> Any:  # noqa: ARG002 - as Future has it
        if self.done():
            return super().result()
        self.come()
        raise FutureTimeoutError


def test_an_answer_that_comes_late_counts(corpus: tuple[str, str]) -> None:
    assert scored(*corpus, Late()) == scored(*corpus, Here())


def test_a_time_out_of_the_task_itself_is_one(
    corpus: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_: tasks.Task) -> tasks.Answer:
        raise FutureTimeoutError

    monkeypatch.setattr(tasks, "work", slow)
    with ThreadPoolExecutor(1) as pool, pytest.raises(FutureTimeoutError):
        scored(*corpus, pool)


class Silent(Here):
    """A cluster whose workers are gone."""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        return Future()


def test_nobody_is_waited_for_who_is_gone(corpus: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PATIENCE", 0.01)
    asked = iter([True, True, False])
    workers = Workers(Silent(), 1, lambda: next(asked))
    with pytest.raises(scorch2.WorkerError, match=r"is gone \(no workers are left\)"):
        tasks.score_paths(*corpus, scorch2.score(*corpus).options, workers)
    assert not list(asked)


def test_a_process_that_is_killed_amid_an_answer_is_no_longer_waited_for() -> None:
    pool = Processes(2)
    try:
        lost, other = pool.submit(bytes, 10_000_000), pool.submit(sum, [1, 2])
        (large,) = (worker for worker in pool._workers if worker.result is lost)  # noqa: SLF001 - to kill it
        assert large.pipe.poll(60)  # the first bytes are there, the others do not fit in the pipe
        large.process.kill()
        with pytest.raises(LostWorkerError):
            lost.result()
        assert (other.result(), pool.submit(sum, [2, 2]).result()) == (3, 4)
    finally:
        pool.shutdown()


def test_processes_that_cannot_start_leave_the_work_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Processes(3)
    try:
        first = pool.submit(time.sleep, 0)
        with monkeypatch.context() as patch:
            patch.setattr(multiprocessing.process.BaseProcess, "start", no_room)
            others = [pool.submit(abs, -number) for number in range(5)]
            assert first.exception() is None
            assert [other.result() for other in others] == list(range(5))
    finally:
        pool.shutdown()


def test_no_process_at_all_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", no_room)
    assert main(["-j", "2", *FOLDERS]) == 2
    out, err = capsys.readouterr()
    assert (
        out,
        "no worker process can be started ([Errno 11] Resource temporarily unavailable): score with one job"
        in err,
        err.count("\n"),
    ) == ("", True, 1)


def no_room(_: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


def test_a_daemonic_process_may_have_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorch2.workers.processes.current_process", lambda: argparse.Namespace(daemon=True))
    with pytest.raises(scorch2.UsageError, match="daemonic"):
        scorch2.score(*FOLDERS, jobs=2)


def test_two_threads_may_have_processes_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes start one after the other: two that start at once would restore each other's ``__main__``."""
    main_module, start = sys.modules["__main__"], multiprocessing.process.BaseProcess.start
    starting: list[object] = []
    most = []

    def slow_start(process: Any) -> None:
        starting.append(process)
        time.sleep(0.05)
        most.append(len(starting))
        start(process)
        starting.remove(process)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", slow_start)
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(scorch2.score, *FOLDERS, jobs=2) for _ in range(2)]
    assert {future.result().conll.f1 for future in both} == {scorch2.score(*FOLDERS).conll.f1}
    assert set(most) == {1}
    assert sys.modules["__main__"] is main_module


@linux_only
def test_threads_of_compiled_libraries_count() -> None:
    program = """
import _thread
from scorch2.workers.processes import start_method
held = _thread.allocate_lock()
held.acquire()
before = start_method()
_thread.start_new_thread(held.acquire, ())  # `threading` does not know of it
print(before, start_method())
held.release()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "fork spawn\n"


class Unreadable:
    """A value that can be pickled but not unpickled."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("x",)


def test_an_answer_that_cannot_be_read_is_no_one_elses() -> None:
    pool = Processes(1)
    try:
        first, *others = pool.submit(Unreadable), pool.submit(sum, [1, 2]), pool.submit(sum, [2, 2])
        with pytest.raises(ValueError, match="invalid literal"):
            first.result()
        assert [other.result() for other in others] == [3, 4]
        last = pool.submit(sum, [1])
    finally:
        pool.shutdown()
    with pytest.raises(LostWorkerError):
        last.result()


class Unpicklable(Exception):  # noqa: N818 - it says what it is
    def __reduce__(self) -> str:
        raise TypeError


def raise_unpicklable() -> None:
    raise Unpicklable("why")


def test_processes_answer_start_when_needed_and_raise_what_a_task_raises() -> None:
    pool = Processes(1000)
    try:
        assert [pool.submit(abs, -i).result() for i in range(5)] == [0, 1, 2, 3, 4]
        assert len(pool._workers) == 1  # noqa: SLF001 - there was one task at a time
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        with pytest.raises(pickle.PicklingError):
            pool.submit(eval, "lambda: 1").result()
        with pytest.raises(RuntimeError, match="Unpicklable: why"):
            pool.submit(raise_unpicklable).result()
        later = [pool.submit(time.sleep, 0) for _ in range(3)]
        assert later[1].cancel() is False  # it has begun
        assert [future.result() for future in later] == [None] * 3
    finally:
        pool.shutdown()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_workers_do_not_handle_the_signals_of_the_command() -> None:
    """An interrupt is for the command alone; what ends a worker ends it, whatever the command does then."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, lambda *_: None) for number in numbers]
    pool = Processes(1)
    try:
        found = [pool.submit(signal.getsignal, number).result() for number in numbers]
        blocked = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    finally:
        pool.shutdown()
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert found == [signal.SIG_IGN, signal.SIG_DFL, signal.SIG_DFL]
    assert not blocked & set(numbers)


def test_a_mistake_of_ours_stays_one(monkeypatch: pytest.MonkeyPatch, corpus: tuple[str, str]) -> None:
    def broken(_: tasks.Task) -> tasks.Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(tasks, "work", broken)
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        scored(*corpus, pool)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Two workers, of which one reads from a pipe into which nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    words = [*COMMAND, "-j", "2", str(EXAMPLE / "gold" / "letter-000.json"), "pipe", "out"]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=listen,  # noqa: PLW1509 - it only sets a signal
    ) as command:
        while True:
            assert command.poll() is None
            try:
                writing = os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError:  # not yet
                time.sleep(0.01)
        yield command
        os.close(writing)


def gone(pid: int) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


@linux_only
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_worker_is_an_error(
    sent: signal.Signals, stuck: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    for child in children(stuck.pid):
        with contextlib.suppress(ProcessLookupError):  # the pool ends the others when one is gone
            os.kill(child, sent)
    assert stuck.wait() == 2
    assert stuck.stderr
    message = stuck.stderr.read().decode()
    assert message.startswith("scorch2: error: the worker that scored letter-000 is gone")
    assert message.count("\n") == 1
    assert not (tmp_path / "out").exists()


@linux_only
@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("SIGINT", 130, "interrupted"),
        ("SIGTERM", 143, "ended by SIGTERM"),
        ("SIGHUP", 129, "ended by SIGHUP"),
    ],
)
def test_a_signal_ends_the_workers(
    name: str, status: int, said: str, stuck: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    workers = children(stuck.pid)
    assert workers
    stuck.send_signal(getattr(signal, name))  # only to the command: the workers know nothing of it
    assert stuck.wait() == status
    assert stuck.stderr
    assert stuck.stderr.read().decode() == f"scorch2: {said}\n"
    assert all(map(gone, workers))
    assert not (tmp_path / "out").exists()
