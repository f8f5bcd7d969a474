"""The end of a run by a signal: quiet, with status 128 + signal, all files as before, no process left."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_runs import COMMAND, ENDING, OLDER, waiting
from imports import PACKAGE

from scorch2.cli.main import main
from scorch2.formats import target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

GOLD = '{"type": "clusters", "clusters": {"a": ["m1", "m2", "m3"], "b": ["m4"]}}'
SYSTEM = '{"type": "clusters", "clusters": {"a": ["m1", "m2", "m3"]}}'
PAIR = ["g.json", "s.json"]
SAID = {"SIGINT": "interrupted", "SIGTERM": "ended by SIGTERM", "SIGHUP": "ended by SIGHUP"}
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="other signals, and no named pipes")
pytestmark = POSIX
SIGNALS = pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with two inputs and an older report."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip(PAIR, (GOLD, SYSTEM), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    Path("out").write_text(OLDER, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def _no_signal_is_ignored() -> "Iterator[None]":
    """Undo what nohup and shells in the background do: a signal that was ignored ends no run."""
    before = {number: signal.getsignal(number) for number in ENDING}
    for number in ENDING:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def ended(number: signal.Signals) -> str:
    return f"scorch2: {SAID[number.name]}\n"


@SIGNALS
def test_a_signal_while_inputs_are_read_ends_the_run(number: signal.Signals, folder: Path) -> None:
    with waiting("g.json", "pipe", "out", pipe="pipe") as child:
        child.send_signal(number)
        assert child.wait() == ENDING[number]
        assert child.stderr
        assert child.stderr.read().decode() == ended(number)
    assert (folder / "out").read_text("utf-8") == OLDER
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out", "pipe"])


@SIGNALS
@pytest.mark.parametrize("call", ["open", "write", "replace"])
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_a_signal_while_a_report_is_written_leaves_the_old_or_the_new_one(  # noqa: PLR0913, PLR0917 - each is varied
    number: signal.Signals,
    call: str,
    late: bool,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real: Callable[..., object] = getattr(os, call)

    def struck(*given: object, **named: object) -> object:
        if not late:
            signal.raise_signal(number)
        done = real(*given, **named)
        signal.raise_signal(number)
        return done

    def write_files(*given: object) -> None:
        monkeypatch.setattr(os, call, struck)
        try:
            whole(*given)  # type: ignore[arg-type]  # what it was called with
        finally:
            monkeypatch.setattr(os, call, real)

    whole = target.write_files
    monkeypatch.setattr("scorch2.cli.output.put_in_place", write_files)
    before = signal.getsignal(number)
    if number == signal.SIGINT:
        signal.signal(number, signal.default_int_handler)
    assert main([*PAIR, "out"]) == ENDING[number]
    signal.signal(number, before)
    assert capsys.readouterr().err == ended(number)
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out"])
    is_new = (folder / "out").read_text("utf-8") != OLDER
    assert is_new == (late and call == "replace")


@pytest.mark.parametrize("second", ["SIGTERM", "SIGHUP"])
def test_a_second_signal_does_not_disturb_the_cleanup(
    second: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = os.unlink

    def replace(*_: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    def struck(path: str) -> None:
        signal.raise_signal(getattr(signal, second))
        unlink(path)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "unlink", struck)
    assert main([*PAIR, "out"]) == 143
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out"])


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_program_that_calls_main_keeps_its_own_signals(name: str) -> None:
    number = getattr(signal, name)

    def own(_: int, __: "FrameType | None") -> None: ...

    before = signal.signal(number, own)
    try:
        assert main([*PAIR]) == 0
        assert signal.getsignal(number) is own
        for handler in (signal.SIG_IGN, signal.SIG_DFL):
            signal.signal(number, handler)
            assert main([*PAIR]) == 0
            assert signal.getsignal(number) is handler
    finally:
        signal.signal(number, before)


def test_under_nohup_a_hangup_changes_nothing(folder: Path) -> None:
    script = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from scorch2.cli import output\n"
        "from scorch2.cli.main import main\n"
        "whole = output.put_in_place\n"
        "def write_files(*given):\n"
        "    signal.raise_signal(signal.SIGHUP)\n"
        "    whole(*given)\n"
        "output.put_in_place = write_files\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *PAIR, "out"], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "out").read_text("utf-8").startswith("MUC:")


# The first moments

IMPORTS = """
import contextlib, importlib.abc, io, os, signal, sys
import scorch2.cli.main

class Watch(importlib.abc.MetaPathFinder):
    seen = []

    def __init__(self, struck):
        self.struck = struck

    def find_spec(self, name, path, target=None):
        if name == self.struck:
            self.struck = None
            signal.raise_signal(signal.SIGINT)
        self.seen.append(name)

def run(struck):
    sys.meta_path.insert(0, Watch(struck))
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        return scorch2.cli.main.main(sys.argv[1:]), said.getvalue()

def in_a_fork(struck):
    reading, writing = os.pipe()
    if not os.fork():
        os.write(writing, repr((*run(struck), Watch.seen)).encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as stream:
        return eval(stream.read())

signal.signal(signal.SIGINT, signal.default_int_handler)
for name in in_a_fork(None)[2]:
    status, said, _ = in_a_fork(name)
    print(name, status, said, end="")
"""


def test_an_interrupt_during_any_import_ends_quietly(folder: Path) -> None:
    command = [sys.executable, "-c", IMPORTS, *PAIR, "out"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert {"scorch2.cli.dispatch", "scorch2.cli.output"} <= {line.split()[0] for line in lines}
    assert {line.split(maxsplit=1)[1] for line in lines} == {"130 scorch2: interrupted"}
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out"])


def test_before_main_runs_almost_nothing_is_imported() -> None:
    script = (
        "import sys; before = set(sys.modules); import scorch2.cli.main; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        check=True,
        capture_output=True,
        text=True,
    )
    ours = {"scorch2", "scorch2.version", "scorch2.cli", "scorch2.cli.main"}
    assert {*done.stdout.split()} == {*ours, "gc"}  # which is built in


# A working folder that was deleted


@pytest.mark.parametrize(
    ("target", "status"), [([], 0), (["{0}/out"], 0), (["out"], 2), (["{0}/out", "--report=json:x"], 2)]
)
def test_without_a_working_folder_only_relative_paths_fail(
    target: list[str], status: int, folder: Path
) -> None:
    (folder / "gone").mkdir()
    words = [f"{folder}/g.json", f"{folder}/s.json", *(word.format(folder) for word in target)]
    shell = ["sh", "-c", 'cd gone && rmdir ../gone && exec "$@"', "sh", *COMMAND, *words]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(shell, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == status
    if status:
        assert done.stderr.startswith("scorch2: error: ")
        assert done.stderr.count("\n") == 1
        assert (folder / "out").read_text("utf-8") == OLDER
    else:
        assert (done.stderr, bool(done.stdout)) == ("", not target)
