"""Resampling where memory is scarce: done, or an error with status 2, never the status of a failed gate."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
FOLDERS = (str(EXAMPLE / "gold"), str(EXAMPLE / "sys"))
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the address space")


def run(megabytes: int, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command with so much address space."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return subprocess.run(
        [sys.executable, "-m", "scorch2", *words, *FOLDERS],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env={name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS")},
    )


@pytest.mark.parametrize("megabytes", [80, 100, 120, 150])
def test_no_room_for_numpy_is_an_error_and_no_failed_gate(megabytes: int) -> None:
    """OpenBLAS would end the process with status 1."""
    done = run(megabytes, "--confidence=95")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "scorch2: error: not enough memory for this input\n"


def test_one_thread_of_linear_algebra_needs_little_room() -> None:
    """Each thread of OpenBLAS takes 40 MB, and there may be one for each of many processors."""
    done = run(320, "--confidence=95", "--trials=10")
    assert (done.returncode, done.stdout.splitlines()[-1][:8]) == (0, "scorch2 ")
