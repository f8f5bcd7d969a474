"""The command in a process of its own: its streams, an interrupt, and what its start may load."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import COMMAND, EMPTY, GOLD, OLDER, PAIR, POSIX, SYSTEM, run, waiting

import scorch2
from scorch2.cli import console


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with a gold and a system file."""
    monkeypatch.chdir(tmp_path)
    Path("g.json").write_text(GOLD, encoding="utf-8")
    Path("s.json").write_text(SYSTEM, encoding="utf-8")
    return tmp_path


def closed_pipe() -> int:
    """Return the writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@POSIX
@pytest.mark.parametrize(("words", "status"), [(PAIR, 0), (["--help"], 0), (["g.json", "none.json"], 2)])
def test_a_reader_of_standard_output_may_leave(words: list[str], status: int) -> None:
    writing = closed_pipe()
    done = run(*words, stdout=writing)
    os.close(writing)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


SAID_BEFORE = (
    "import contextlib, sys; from scorch2.cli.main import main\n"
    "with contextlib.suppress(OSError, AttributeError): sys.stderr.write('so')\n"
    "sys.exit(main())"
)
UNHEARD = {
    "a warning": (["-m", "scorch2", "g.json", "e.json"], 0),
    "an error": (["-m", "scorch2", "g.json", "none.json"], 2),
    "a traceback": (["-m", "scorch2", "--debug", "g.json", "none.json"], 2),
    "the short help": (["-m", "scorch2"], 2),
    "a warning of a run in processes": (["-m", "scorch2", "-j2", "full", "empty"], 0),
    "the script conll2json": (
        ["-c", "from scorch2.cli.main import conll2json; exit(conll2json())", "none.conll"],
        2,
    ),
    "what a program has said before": (["-c", SAID_BEFORE, *PAIR], 0),
}
"""What a run says on standard error: the words behind the interpreter, and the exit status."""


@POSIX
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("stream", ["closed pipe", "full disk", "no stream"])
def test_nobody_need_listen_to_standard_error(stream: str, unbuffered: str, folder: Path) -> None:
    (folder / "e.json").write_text(EMPTY, encoding="utf-8")
    for name, text in {"full": GOLD, "empty": EMPTY}.items():
        (folder / name).mkdir()
        for document in ("d1.json", "d2.json"):
            (folder / name / document).write_text(text, encoding="utf-8")
    if stream == "full disk" and not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    writing = closed_pipe() if stream == "closed pipe" else os.open("/dev/full", os.O_WRONLY)
    ends = ["sh", "-c", 'exec "$@" 2>&-', "sh"] if stream == "no stream" else []
    found = {
        said: subprocess.run(
            [*ends, sys.executable, *words],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=writing,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        ).returncode
        for said, (words, _) in UNHEARD.items()
    }
    os.close(writing)
    assert found == {said: status for said, (_, status) in UNHEARD.items()}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_what_a_program_has_printed_before_is_not_lost_without_a_word() -> None:
    script = "print('so'); from scorch2.cli.main import main; import sys; sys.exit(main())"
    words = [sys.executable, "-c", script, *PAIR, "out.txt"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, check=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (
        2,
        b"scorch2: error: standard output: No space left on device\n",
    )


@POSIX
def test_a_program_that_has_lost_its_reader_is_not_told(folder: Path) -> None:
    script = "print('so'); from scorch2.cli.main import main; import sys; sys.exit(main())"
    writing = closed_pipe()
    words = [sys.executable, "-c", script, *PAIR, "out.txt"]
    done = subprocess.run(words, check=False, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "out.txt").exists()


def test_on_windows_a_pipe_without_reader_is_an_invalid_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    refused, left = OSError(errno.EINVAL, "Invalid argument"), BrokenPipeError(errno.EPIPE, "Broken pipe")
    assert [console.is_left(left), console.is_left(refused)] == [True, False]
    monkeypatch.setattr("sys.platform", "win32")
    assert [console.is_left(left), console.is_left(refused)] == [True, True]


def test_tests_start_the_program_as_a_desk_does() -> None:
    assert not [name for name in os.environ if name.startswith("PYTHON")]


@POSIX
@pytest.mark.parametrize("redirection", [">&-", "<&-"])
def test_a_stream_that_is_not_there_is_an_error_and_no_bug(redirection: str) -> None:
    words = PAIR if redirection == ">&-" else ["g.json", "-"]
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *words]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == 2
    assert done.stderr.startswith(b"scorch2: error: standard ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("words", [PAIR, ["--help"], ["--version"], [*PAIR, "/dev/full"]])
def test_a_full_disk_is_an_error(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = run(*words, stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith(b"scorch2: error: ")
    assert b"No space left" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such device")
def test_dev_stdout_is_written_directly(folder: Path) -> None:
    expected = run(*PAIR, stdout=subprocess.PIPE).stdout
    piped = run(*PAIR, "/dev/stdout", stdout=subprocess.PIPE)
    assert (piped.returncode, piped.stdout) == (0, expected)
    with (folder / "log").open("wb") as log:
        log.write(b"earlier\n")
        log.flush()
        assert run(*PAIR, "/dev/stdout", stdout=log).returncode == 0
    assert (folder / "log").read_bytes() == b"earlier\n" + expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_an_interrupt_ends_quietly_and_writes_nothing(folder: Path) -> None:
    (folder / "out").write_text(OLDER, encoding="utf-8")
    with waiting("g.json", "pipe", "out", pipe="pipe") as child:
        child.send_signal(signal.SIGINT)
        assert child.wait() == 130
        assert child.stderr
        assert child.stderr.read() == b"scorch2: interrupted\n"
    assert (folder / "out").read_text("utf-8") == OLDER
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out", "pipe"])


def test_python_m_runs_the_command() -> None:
    done = run("--version", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (0, f"scorch2 {scorch2.__version__}\n".encode())


# What start-up may cost


@pytest.mark.parametrize(
    "words",
    [["--help"], ["--version"], ["--nonsense"], PAIR, ["-f", "json", *PAIR], ["conll2json", "x.conll"]],
)
def test_heavy_packages_are_imported_only_when_needed(words: list[str], folder: Path) -> None:
    (folder / "x.conll").write_text("#begin document (d);\nw\t(1)\n#end document\n", encoding="utf-8")
    script = (
        "import sys; from scorch2.cli.main import main;"
        "main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], check=False, capture_output=True, text=True)
    loaded = done.stderr.splitlines()[-1].split()
    assert "scorch2.cli.main" in loaded
    assert not {"numpy", "scipy", "tqdm", "asyncio", "dataclasses", "docopt", "pandas"} & set(loaded)


@pytest.mark.usefixtures("folder")
def test_a_small_run_loads_no_code_that_only_options_need() -> None:
    script = (
        "import sys; from scorch2.cli.main import main;"
        "main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *PAIR], check=False, capture_output=True, text=True)
    loaded = {name.removeprefix("scorch2.") for name in done.stderr.splitlines()[-1].split()}
    late = {"model.markables", "model.results", "model.tables", "scoring.evidence", "scoring.pairing.by_name"}
    late |= {
        "scoring.metrics.split_antecedents",
        "scoring.matching.preprocessing",
        "analysis.findings",
        "api",
    }
    assert not loaded & late, "import it inside the function that needs it: every run would wait for it"


@pytest.mark.usefixtures("folder")
def test_errors_load_what_decodes_addresses_only_for_stars() -> None:
    script = (
        "import sys; from scorch2.cli.main import main;"
        "main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "errors", *PAIR], check=False, capture_output=True, text=True
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert "scorch2.analysis.findings" in loaded
    assert "urllib.parse" not in loaded


@pytest.mark.usefixtures("folder")
def test_no_type_is_compiled_when_a_small_run_starts() -> None:
    script = (
        "import sys, typing\n"
        "def refuse(self, arg, *others, **named): sys.exit(f'a field of a named tuple is quoted: {arg}')\n"
        "typing.ForwardRef.__init__ = refuse\n"
        "from scorch2.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", script, *PAIR], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), (
        "the first one takes 6 % of the run: import what it names"
    )
