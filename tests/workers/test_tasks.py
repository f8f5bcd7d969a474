"""Scoring with workers: the same bytes for any number of them, and options that make sense."""

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from executors import EXAMPLE, FILES, FOLDERS, Here, scored, sixty_files

import scorch2
from scorch2.cli.main import main
from scorch2.workers import tasks
from scorch2.workers.processes import start_method
from scorch2.workers.tasks import Workers

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    return sixty_files(tmp_path)


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
