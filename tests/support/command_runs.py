"""The command: what it is called with; in this process, and in one of its own that signals meet."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scorch2.cli.main import main

GOLD = '{"type": "clusters", "clusters": {"a": ["m1", "m2", "m3"], "b": ["m4"]}}'
SYSTEM = '{"type": "clusters", "clusters": {"a": ["m1", "m2"], "b": ["m3", "m4"]}}'
EMPTY = '{"type": "clusters", "clusters": {}}'
OLDER = "B³:\tR=0.5\tP=0.5\tF₁=0.5\n"
"""A report of another run, which a report may replace."""
PAIR = ["g.json", "s.json"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="names, links, rights or streams of another kind")
COMMAND = [sys.executable, "-m", "scorch2"]
ENDING = {
    getattr(signal, name): 128 + getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
}
"""The signals that end a run, with the exit status of each."""


EXAMPLES = [
    str(Path(__file__).parent.parent.parent / "fixtures" / "example" / name)
    for name in ("gold", "sys", "other")
]
"""The folders of gold and of two systems."""


def printed(command: str, words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command prints."""
    assert main([command, *words]) == 0
    return capsys.readouterr().out


def refused(command: str, words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return why a command prints nothing."""
    assert main([command, *words]) == 2
    out, said = capsys.readouterr()
    assert out == ""
    return said.removeprefix("scorch2: error: ").rstrip("\n")


def run(*words: str, **streams: Any) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*COMMAND, *words], check=False, **{"stderr": subprocess.PIPE, **streams})


def listen() -> None:
    """Take the signals, though the tests may run in the background of a shell or under nohup."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def waiting(*words: str, pipe: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Give a command that waits for what will come through a named pipe, one of its inputs."""
    os.mkfifo(pipe)
    command = [*COMMAND, *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=listen) as child:  # noqa: PLW1509 - it only sets signals
        writing = _opened_by(child, pipe)
        yield child
        child.wait()
        os.close(writing)


def _opened_by(child: "subprocess.Popen[bytes]", pipe: str) -> int:
    """Wait until `child` reads from a named pipe and return the writing end."""
    while child.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # not yet
            time.sleep(0.005)
    raise AssertionError(child.returncode)
