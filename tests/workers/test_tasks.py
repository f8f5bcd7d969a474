"""Scoring with workers: the same bytes for any number of them, clear errors, nothing left behind."""

import argparse
import contextlib
import json
import multiprocessing.process
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError  # the built-in one since Python 3.11
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from executors import Here

import scorch2
from scorch2.cli.main import main
from scorch2.formats.chunks import Borders, borders
from scorch2.workers import tasks
from scorch2.workers.processes import LostWorkerError, Processes, start_method
from scorch2.workers.tasks import Workers

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
FOLDERS = (str(EXAMPLE / "gold"), str(EXAMPLE / "sys"))
FILES = (str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll"))
COMMAND = [sys.executable, "-m", "scorch2"]
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")


def scored(gold: str, system: str, executor: Executor, **choices: Any) -> scorch2.Report:
    return scorch2.score(gold, system, executor=executor, **choices)


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    """Sixty files a side, so that tasks differ in size."""
    for side in ("gold", "sys"):
        (tmp_path / side).mkdir()
        for number in range(60):
            source = EXAMPLE / side / ("letter-000.json" if number % 3 else "harbour-000.json")
            shutil.copyfile(source, tmp_path / side / f"d{number:02}.json")
    return str(tmp_path / "gold"), str(tmp_path / "sys")


# The same


@pytest.mark.parametrize("pair", [FOLDERS, FILES], ids=["folders", "files"])
@pytest.mark.parametrize("jobs", ["0", "2", "3"])
def test_any_number_of_processes_gives_the_same_bytes(
    pair: tuple[str, str], jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-v", "-f", "json", "--confidence=95", "--trials=20", *pair]) == 0
    alone = capsys.readouterr()
    assert main(["-v", "-f", "json", "--confidence=95", "--trials=20", "-j", jobs, *pair]) == 0
    assert capsys.readouterr() == alone


@pytest.mark.parametrize("make", [Here, lambda: ThreadPoolExecutor(3)], ids=["here", "threads"])
def test_any_executor_gives_the_same(make: Callable[[], Executor], corpus: tuple[str, str]) -> None:
    assert scored(*corpus, make()).to_dict() == scorch2.score(*corpus).to_dict()


def test_beside_threads_workers_are_spawned(corpus: tuple[str, str]) -> None:
    """A fork would copy the locks that other threads hold, and wait for them for ever."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert start_method() == "spawn"
        assert scorch2.score(*corpus, jobs=1).to_dict() == scorch2.score(*corpus, jobs=2).to_dict()
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("from_file", [True, False])
def test_a_program_needs_no_guard(from_file: bool, tmp_path: Path) -> None:
    program = f"""
import threading
import scorch2
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(scorch2.score({FOLDERS[0]!r}, {FOLDERS[1]!r}, jobs=2).conll.f1)
"""
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    words = [sys.executable, str(tmp_path / "program.py") if from_file else "-"]
    done = subprocess.run(words, input=program, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{scorch2.score(*FOLDERS).conll.f1}\n", "")


def test_tasks_are_paths_and_grow_to_a_pace(corpus: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_FIRST", 2)
    monkeypatch.setattr(tasks, "_AHEAD", 1)
    executor = Here()
    workers = Workers(executor, 1)
    report = tasks.score_paths(*corpus, scorch2.score(*corpus).options, workers)
    assert report.to_dict() == scorch2.score(*corpus).to_dict()
    sizes = [len(task.plan.stems) for task in executor.tasks if isinstance(task, tasks.Stems)]
    assert (sizes[0], sum(sizes)) == (2, 60)
    assert max(sizes) > 2
    assert all(len(pickle.dumps(task)) < 500 * 60 for task in executor.tasks)


def test_a_stream_is_scored_here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = EXAMPLE / "sys" / "letter-000.json"
    with source.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": stream})())
        assert main(["-j", "2", str(EXAMPLE / "gold" / "letter-000.json"), "-"]) == 0
    assert main([str(EXAMPLE / "gold" / "letter-000.json"), str(source)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


@pytest.mark.parametrize("words", [[], ["--missing=skip"], ["--duplicates=first", "--missing=empty"]])
def test_warnings_and_errors_are_the_same(
    words: list[str], corpus: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    system = Path(corpus[1])
    twice = {"type": "clusters", "clusters": {"a": ["0.0-0", "0.4-4"], "b": ["0.4-4"]}}
    for number in (7, 30, 31, 55):
        (system / f"d{number:02}.json").write_text(json.dumps(twice), encoding="utf-8")
    if words:
        (system / "d08.json").unlink()
    (system / "empty").mkdir()
    status = main([*words, *corpus])
    alone = capsys.readouterr()
    assert main([*words, "-j", "2", *corpus]) == status
    assert capsys.readouterr() == alone
    assert status == (0 if "--duplicates=first" in words else 2)


def test_both_resampling_commands_take_workers(capsys: pytest.CaptureFixture[str]) -> None:
    other = str(EXAMPLE / "other")
    for words in (["confidence", FOLDERS[1]], ["significance", FOLDERS[1], other]):
        assert main([*words, "-g", FOLDERS[0], "-n", "20"]) == 0
        alone = capsys.readouterr()
        assert main([*words, "-g", FOLDERS[0], "-n", "20", "-j", "2"]) == 0
        assert capsys.readouterr() == alone


# Large files


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LARGE", 1)
    monkeypatch.setattr(tasks, "CHUNK", 1)


def to_lines(path: str, target: Path, form: str) -> str:
    """Write a CoNLL file as jsonlines, or as those of Maverick without names and with blank lines."""
    assert main(["convert", "--to=jsonlines", path, str(target)]) == 0
    if form == "unnamed":
        lines = []
        for line in map(json.loads, target.read_text("utf-8").splitlines()):
            tokens = [token for sentence in line["sentences"] for token in sentence]
            lines.append({"tokens": tokens, "clusters_token_offsets": line["clusters"]})
        target.write_text("".join(f"{json.dumps(line)}\n\n" for line in lines), encoding="utf-8")
    return str(target)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "formats", ["conll conll", "jsonlines jsonlines", "conll jsonlines", "unnamed unnamed"]
)
def test_a_large_file_is_split_at_its_documents(formats: str, tmp_path: Path) -> None:
    pair = []
    for path, form in zip(FILES, formats.split(), strict=True):
        target = tmp_path / f"{Path(path).stem}.jsonl"
        pair.append(path if form == "conll" else to_lines(path, target, form))
    executor = Here()
    assert scored(pair[0], pair[1], executor).to_dict() == scorch2.score(pair[0], pair[1]).to_dict()
    assert [type(task).__name__ for task in executor.tasks] == ["FileChunks"] * 3


@pytest.mark.usefixtures("small_pieces")
def test_a_large_file_in_a_folder_is_split_too(tmp_path: Path) -> None:
    for path, side in zip(FILES, ("gold", "sys"), strict=True):
        (tmp_path / side).mkdir()
        shutil.copyfile(path, tmp_path / side / "all.conll")
    pair = (str(tmp_path / "gold"), str(tmp_path / "sys"))
    executor = Here()
    report = scored(*pair, executor)
    assert [document.id for document in report.documents][:1] == ["all/harbour-000"]
    assert report.to_dict() == scorch2.score(*pair).to_dict()
    assert len(executor.tasks) == 3


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("rule", ["basename", "order"])
def test_a_large_file_whose_documents_pair_by_another_rule_is_one_task(rule: Any, tmp_path: Path) -> None:
    text = Path(FILES[1]).read_text("utf-8")
    others = "".join(reversed(blocks(text))) if rule == "basename" else text.replace("harbour", "haven")
    other = tmp_path / "other.conll"
    other.write_text(others, encoding="utf-8")
    executor = Here()
    report = scored(FILES[0], str(other), executor, pair=rule)
    assert report.to_dict() == scorch2.score(FILES[0], str(other), pair=rule).to_dict()
    assert report.scores == scorch2.score(*FILES).scores
    assert len(executor.tasks) == 1


@pytest.mark.usefixtures("small_pieces")
def test_a_folder_against_a_file_is_scored_without_workers() -> None:
    executor = Here()
    report = scored(FOLDERS[0], FILES[1], executor, missing="empty", extra="skip", gold_files="*.json")
    assert executor.tasks == []
    assert len(report.documents) == 3


def blocks(text: str) -> list[str]:
    return [f"#begin{block}" for block in text.split("#begin")[1:]]


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "another order": lambda documents: documents[::-1],
    "a document less": lambda documents: documents[:2],
    "another name": lambda documents: [documents[0].replace("bridge", "fridge"), *documents[1:]],
    "a document twice": lambda documents: [documents[0], documents[0], documents[2]],
    "no end line": lambda documents: [documents[0].replace("#end document", ""), *documents[1:]],
    "an open bracket": lambda documents: [*documents[:2], documents[2].replace(")", "", 1)],
    "a comment before": lambda documents: ["# from a system\n", *documents],
    "windows lines": lambda documents: [document.replace("\n", "\r\n") for document in documents],
    "text after the last": lambda documents: [*documents, "lost\ttoken\t-\n"],
}


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("missing", ["error", "skip"])
def test_a_file_that_is_odd_is_read_as_a_whole(name: str, missing: Any, tmp_path: Path) -> None:
    """The result, scores or an error with its line, is that of one process."""
    system = tmp_path / "sys.conll"
    text = "".join(CHANGES[name](blocks(Path(FILES[1]).read_text("utf-8"))))
    system.write_bytes(text.encode("utf-8"))

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(FILES[0], system, missing=missing, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"type": "clusters", "clusters": {}}\n{}\n', b"\xef\xbb\xbf{}\n{}", b"[]"]
)
def test_what_has_no_borders_is_left_to_the_reader(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert borders(str(path), None) is None
    with pytest.raises(scorch2.InputError) as caught:
        scored(str(path), str(path), Here())
    with pytest.raises(scorch2.InputError) as alone:
        scorch2.score(path, path)
    assert str(caught.value) == str(alone.value)


@pytest.mark.usefixtures("small_pieces")
def test_a_file_of_one_document_is_called_like_the_file(tmp_path: Path) -> None:
    pair = []
    for path in FILES:
        pair.append(str(tmp_path / Path(path).name))
        Path(pair[-1]).write_text(blocks(Path(path).read_text("utf-8"))[0], encoding="utf-8")
    alone = scorch2.score(pair[0], pair[1])
    assert scored(pair[0], pair[1], Here()).to_dict() == alone.to_dict()
    assert alone.documents[0].id == "gold"


def neural(name: str, *, wrong: bool = False) -> str:
    clusters = [[[0, 0], [1, 1]], [[2, 2]]] if wrong else [[[0, 0], [1, 1], [2, 2]]]
    return json.dumps({"doc_key": name, "sentences": [["a", "b", "c"]], "clusters": clusters}) + "\n"


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["x-001", "y", "x_1"], ["x_1", "y", "x-001"]),  # each answers to the one in the other piece
        (["x-001", "y", "x_1"], ["x_1", "y", "x_1"]),
        (["x", "y"], ["x", "\ufeffy"]),
        (["x", "\u00a0\n", "y"], ["x", "y", "\u2003\n"]),
        (["x", "\u00a0\n"], ["x", "\u00a0\n"]),
    ],
    ids=["crossed", "doubled", "a mark inside", "odd blanks", "one document"],
)
def test_pieces_are_paired_as_the_whole_or_not_at_all(
    gold: list[str], system: list[str], tmp_path: Path
) -> None:
    paths = []
    for side, names in (("gold", gold), ("sys", system)):
        lines = [
            name if name.isspace() else
            name[: len(name) - len(name.lstrip("\ufeff"))]
            + neural(name.lstrip("\ufeff"), wrong=side == "sys" and i == 0)
            for i, name in enumerate(names)
        ]  # fmt: skip
        paths.append(tmp_path / f"{side}.jsonl")
        paths[-1].write_text("".join(lines), encoding="utf-8")

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(*paths, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()


@linux_only
@pytest.mark.usefixtures("small_pieces")
def test_a_pipe_is_opened_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    data = Path(FILES[1]).read_bytes()
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[data])
    writer.start()
    report = scored(FILES[0], str(tmp_path / "pipe"), Here())
    writer.join()
    assert report.scores == scorch2.score(*FILES).scores


# Lost workers


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
        "is gone (NoProcessError: [Errno 11] Resource temporarily unavailable): nothing" in err,
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


def listen() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


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


# Options


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-j", "x"], "--jobs is a whole number from 0"),
        (["-j", "-1"], "--jobs is a whole number from 0"),
        (["--dask=127.0.0.1:1"], "no Dask scheduler at 127.0.0.1:1"),
    ],
)
def test_workers_that_cannot_be(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorch2.workers.processes.SCHEDULER_PATIENCE", "0.2s")
    assert main([*words, *FOLDERS]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("jobs", [-1, 1.5, "2", True])
def test_a_number_of_jobs_is_a_whole_number(jobs: Any) -> None:
    with pytest.raises(scorch2.UsageError, match="jobs is a whole number from 0, not "):
        scorch2.score(*FOLDERS, jobs=jobs)


def test_dask_is_named_where_it_is_not_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["--dask=local", *FOLDERS]) == 2
    assert capsys.readouterr().err == (
        "scorch2: error: --dask needs Dask: pip install 'dask[distributed]' cryptography\n"
    )


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("form", [None, "jsonlines"])
def test_a_piece_is_checked_as_the_whole_file(form: str | None, tmp_path: Path) -> None:
    """An object with a ``type`` stands alone in its file, unless the format was given."""
    path = tmp_path / "d.jsonl"
    lines = [{"doc_key": f"d{i}", "sentences": [["w"]], "clusters": [[[0, 0]]]} for i in range(3)]
    path.write_text(
        "".join(f"{json.dumps(line)}\n" for line in [*lines, {**lines[0], "doc_key": "x", "type": "news"}])
    )

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(path, path, gold_format=form, sys_format=form, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()
    assert isinstance(outcome(), tuple) == (form is None)


def test_borders_are_those_of_any_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FILES[0]).read_text("utf-8")
    lines = tmp_path / "lines.jsonl"
    to_lines(FILES[0], lines, "jsonlines")
    expected = {path: borders(path, None) for path in (FILES[0], str(lines))}
    starts = [text.encode().find(block.encode()) for block in blocks(text)]
    assert expected[FILES[0]] == Borders("conll", [*starts, len(text.encode())])
    monkeypatch.setattr("scorch2.formats.source._BLOCK", 7)
    assert {path: borders(path, None) for path in expected} == expected


def test_nothing_is_mapped_that_could_be_truncated() -> None:
    code = (
        "import sys, scorch2.formats.chunks as p; p.borders(sys.argv[1], None); print('mmap' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code, FILES[0]], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"
