"""Streams as outputs and inputs: open streams are written, never replaced, and no input is written."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import COMMAND, run

from scorch2.cli import output
from scorch2.cli.main import main
from scorch2.formats import target

GOLD = '{"type": "clusters", "clusters": {"a": ["m1", "m2", "m3"], "b": ["m4"]}}'
SYSTEM = '{"type": "clusters", "clusters": {"a": ["m1", "m2", "m3"]}}'
CONLL = "#begin document (d);\nw\t(1)\n#end document\n"
PAIR = ["g.json", "s.json"]
DESCRIPTORS = pytest.mark.skipif(not os.path.exists("/dev/fd/0"), reason="descriptors have no names here")
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with two inputs."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip(PAIR, (GOLD, SYSTEM), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    Path("x.conll").write_text(CONLL, encoding="utf-8")
    return tmp_path


def shell(line: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command by a shell, as `$@`."""
    command = ["sh", "-c", line, "sh", *COMMAND, *words]
    return subprocess.run(command, check=False, capture_output=True, text=True)


# Written, not replaced


@DESCRIPTORS
@pytest.mark.parametrize(
    ("target", "redirection"),
    [
        ("/dev/stdout", ">>log"),
        ("/dev/stderr", "2>>log"),
        ("/dev/fd/1", ">>log"),
        ("/dev/fd/2", "2>>log"),
        ("/dev/fd/7", "7>>log"),
        ("/proc/self/fd/7", "7>>log"),
        ("link", "7>>log"),
        ("stage/fd/7", "7>>log"),
    ],
)
def test_an_open_stream_is_written_where_it_stands(target: str, redirection: str, folder: Path) -> None:
    if target.startswith("/proc") and not os.path.exists("/proc/self/fd"):
        pytest.skip("descriptors have another folder here")
    (folder / "link").symlink_to("/dev/fd/7")
    (folder / "stage").symlink_to("/dev")
    (folder / "log").write_text("earlier\n", encoding="utf-8")
    before = (folder / "log").stat().st_ino
    done = shell(f'"$@" {redirection}', "-mmuc", "--no-signature", *PAIR, target)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "log").read_text("utf-8") == "earlier\nMUC:\tR=1.0\tP=1.0\tF₁=1.0\n"
    assert (folder / "log").stat().st_ino == before


@DESCRIPTORS
def test_what_was_written_before_stays_though_the_stream_does_not_append(folder: Path) -> None:
    line = '{ printf "earlier and longer than the report that follows it\\n"; "$@"; echo later; } 7>log >&7'
    assert shell(line, "-mmuc", "--no-signature", *PAIR, "/dev/fd/7").returncode == 0
    earlier, report, later = (folder / "log").read_text("utf-8").splitlines()
    assert earlier.startswith("earlier")
    assert report.startswith("MUC:")
    assert later == "later"


@DESCRIPTORS
@pytest.mark.parametrize("number", [9, 99999])
def test_a_descriptor_that_is_not_open_is_refused_before_anything_is_read(number: int) -> None:
    Path("broken.json").write_text("{", encoding="utf-8")
    done = shell('"$@"', "g.json", "broken.json", f"--report=json:/dev/fd/{number}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"scorch2: error: /dev/fd/{number}: is not an open stream\n"


@DESCRIPTORS
def test_nobody_need_read_a_stream() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(*PAIR, f"/dev/fd/{writing}", pass_fds=(writing,))
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_one_stream_takes_one_report(capsys: pytest.CaptureFixture[str]) -> None:
    for stream in ("-", "/dev/stdout", "/dev/fd/1"):
        assert main([*PAIR, f"--report=json:{stream}", "-ftext"]) == 2
        assert capsys.readouterr().err == "scorch2: error: two reports go to standard output\n"


def test_no_path_but_those_of_descriptors_is_one(folder: Path) -> None:
    (folder / "fd").mkdir()
    (folder / "loop").symlink_to("loop")
    for path in ("1", "fd/1", "./fd/1", "loop", "none/1", "/dev/fd", "/dev/fd/one", "/dev/null"):
        assert output.descriptor(path) is None
    assert not output.is_stream("fd/1")
    assert output.is_stream(os.devnull)


# An input that is read from standard input is not written


@pytest.mark.parametrize(
    ("words", "source"),
    [
        (["g.json", "-", "s.json"], "s.json"),
        (["-", "s.json", "-o", "link"], "g.json"),
        (["g.json", "-", "--report=json:s.json"], "s.json"),
        (["g.json", "-", "--force", "hard"], "s.json"),
        (["convert", "--to=clusters", "-", "s.json"], "s.json"),
        (["convert", "--to=conll", "-", "x.conll"], "x.conll"),
        (["convert", "--to=clusters", "--force", "-", "out/"], "out/d.json"),
        (["conll2json", "--force", "-", "out"], "out/d.json"),
    ],
)
def test_standard_input_is_not_overwritten(
    words: list[str],
    source: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "link").symlink_to("g.json")
    (folder / "hard").hardlink_to(folder / "s.json")
    (folder / "out").mkdir()
    (folder / "out" / "d.json").write_text(CONLL, encoding="utf-8")
    before = (folder / source).read_bytes()
    with (folder / source).open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert main(words) == 2
    assert (folder / source).read_bytes() == before
    assert capsys.readouterr().err.endswith(": is an input and would be overwritten\n")


def test_standard_input_need_be_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOLD.encode())))
    assert main(["g.json", "s.json", "out"]) == 0
    assert main(["-", "s.json", "out"]) == 0
    monkeypatch.setattr("sys.stdin", None)
    assert main(["g.json", "s.json", "out"]) == 0


def test_validate_reads_standard_input_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "-", "g.json", "-"]) == 2
    assert capsys.readouterr().err == "scorch2: error: only one input can be standard input (-)\n"


# Streams before files: what fails most often fails before anything is replaced


@FULL
@pytest.mark.parametrize(
    "words",
    [
        [*PAIR, "--report=json:out"],
        [*PAIR, "out", "--report=json:-"],
        [*PAIR, "out", "--report=json:/dev/full"],
        [*PAIR, "--baseline=out", "--update-baseline"],
        ["evaluate", "-gx.tsv", "x.tsv", "--report=json:out"],
        ["gate", "--fail-under=muc=0", "kept.json", "--report=json:out"],
        ["gate", "--fail-under=muc=0", "kept.json", "--baseline=out", "--update-baseline"],
    ],
)
def test_if_standard_output_fails_no_file_is_replaced(words: list[str], folder: Path) -> None:
    Path("x.tsv").write_text("d\t0\t1\tE\n", encoding="utf-8")
    for name in ("kept.json", "out"):
        assert main(["-fjson", *PAIR, name]) == 0
    before = json.loads((folder / "out").read_text("utf-8"))
    (folder / "out").write_text(json.dumps(before), encoding="utf-8")  # laid out in another way
    there = sorted(os.listdir(folder))
    with open("/dev/full", "wb") as full:
        done = run(*words, stdout=full)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert (folder / "out").read_text("utf-8") == json.dumps(before)
    assert sorted(os.listdir(folder)) == there


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_fills_up_amid_standard_output_is_an_error(unbuffered: str, folder: Path) -> None:
    """With PYTHONUNBUFFERED, which images of containers set, a write may stop half-way without an error."""
    (folder / "code.py").write_text(
        "import resource, sys; from scorch2.cli.main import main\n"
        "sys.dont_write_bytecode = True\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "sys.exit(main(sys.argv[1:]))\n",
        encoding="utf-8",
    )
    for words in (PAIR, ["--help"], ["errors", "--list=errors", *PAIR], ["help", "metrics"]):
        with open("kept", "wb") as kept:
            done = subprocess.run(
                [sys.executable, "code.py", *words],
                check=False,
                stdout=kept,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            )
        assert done.returncode == 2, words
        assert done.stderr == b"scorch2: error: standard output: File too large\n", words


@DESCRIPTORS
@pytest.mark.parametrize("path", ["-", "/dev/fd/{number}", "pipe"])
def test_a_text_in_parts_goes_through_one_opening(
    path: str, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "_BLOCK", 2)
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open("pipe", os.O_WRONLY)
    stream = path.format(number=writer)
    output.write_stream(stream, output.descriptor(stream), iter(["ab", "c", "dé"]))
    written = capfdbinary.readouterr().out if path == "-" else os.read(reader, 100)
    os.close(reader)
    os.close(writer)
    assert written == "abcdé".encode()
