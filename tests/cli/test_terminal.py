"""Terminals: what people see first, at any width. A pipe and a file get the text that scripts read."""

import contextlib
import io
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from every import every
from pages import EXAMPLE, ROOT

from scorch2.cli.main import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
GOLD, SYSTEM, OTHER = (str(EXAMPLE / name) for name in ("gold", "sys", "other"))
LINKED = ("-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv"))
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"
_SIGNATURE = re.compile(r"scorch2 \d")


def shown(
    *words: str, width: int = 100, program: tuple[str, ...] = ("-m", "scorch2"), **environment: str
) -> str:
    """Return what a command writes to a terminal of so many columns: the whole of both streams."""
    import fcntl
    import pty
    import struct
    import termios

    screen, inside = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    run = subprocess.Popen(
        [sys.executable, *program, *words],
        stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, cwd=ROOT,
        env={**kept, "TERM": "xterm", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip
    os.close(inside)
    written = []
    with contextlib.suppress(OSError):  # Linux says so at the end
        while block := os.read(screen, 1 << 16):
            written.append(block)
    os.close(screen)
    assert run.wait() == 0
    return b"".join(written).decode().replace("\r\n", "\n")


def plain(*words: str, width: int = 100) -> str:
    return shown(*words, width=width, NO_COLOR="1")


@cache
def piped(*words: str) -> str:
    """Return what a command writes to a stream that is no terminal."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")) as stream:
        assert main([*words]) == 0
        stream.seek(0)
        return stream.read()


# The form


def test_a_terminal_shows_the_table_and_a_pipe_the_text(tmp_path: Path) -> None:
    assert plain(GOLD, SYSTEM) == piped("-f", "table", GOLD, SYSTEM)
    assert piped(GOLD, SYSTEM) == piped("-f", "text", GOLD, SYSTEM)
    assert piped(GOLD, SYSTEM).startswith("MUC:\tR=0.8098765432098766")
    run = [sys.executable, "-m", "scorch2", GOLD, SYSTEM]
    assert subprocess.check_output(run, encoding="utf-8") == piped(GOLD, SYSTEM)
    assert shown(GOLD, SYSTEM, str(tmp_path / "report")) == ""
    assert (tmp_path / "report").read_text("utf-8") == piped(GOLD, SYSTEM)


def test_the_text_is_there_on_a_terminal_too() -> None:
    text = piped(GOLD, SYSTEM)
    assert shown("-f", "text", GOLD, SYSTEM).expandtabs() == text.expandtabs()
    assert shown("--report=text", GOLD, SYSTEM).expandtabs() == text.expandtabs()


def test_the_profile_scorch_prints_its_six_lines() -> None:
    lines = shown("--profile=scorch", GOLD, SYSTEM)
    assert lines.expandtabs() == piped("--profile=scorch", GOLD, SYSTEM).expandtabs()
    assert len(lines.splitlines()) == 6


@pytest.mark.parametrize("target", [(), ("-",), ("-o", "report.txt"), ("-o", "report")])
def test_classes_are_shown_in_the_table_if_no_form_is_named(target: tuple[str, ...], tmp_path: Path) -> None:
    words = ["--by=size", GOLD, SYSTEM]
    paths = [str(tmp_path / word) if word.startswith("report") else word for word in target]
    expected = piped("-f", "table", *words)
    printed = piped(*words, *paths)
    assert expected == (printed or (tmp_path / target[-1]).read_text("utf-8"))


# The width


@every("width", [40, 80, 100, 120, 200, 300])
@every(
    "words",
    [
        (GOLD, SYSTEM),
        ("--per-document", "--confidence=95", "--trials=50", "-q", GOLD, SYSTEM),
        ("--by=type", "--types=english", f"{GOLD}.conll", f"{SYSTEM}.conll"),
        ("errors", "-q", f"{GOLD}.conll", f"{SYSTEM}.conll"),
        ("errors", "-q", "--list=errors", f"{GOLD}.conll", f"{SYSTEM}.conll"),
        ("compare", "-q", "--parts=all", GOLD, SYSTEM, OTHER),
        ("confidence", "-q", "-f", "table", "-n", "50", "-g", GOLD, SYSTEM),
        ("significance", "-q", "-f", "table", "-n", "50", "-g", GOLD, SYSTEM, OTHER),
        ("evaluate", "-f", "table", *LINKED),
        ("list-measures",),
    ],
)
def test_tables_fit_the_terminal(
    words: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    assert main([*words]) == 0
    room = min(max(width, 80), 200)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > room and not _SIGNATURE.match(line)] == []


def test_counts_are_left_out_first() -> None:
    narrow, wide = plain(GOLD, SYSTEM, width=80), plain(GOLD, SYSTEM, width=83)
    assert wide.splitlines()[0] == (
        "metric                    recall  precision     F1  recall counts  precision counts"
    )
    assert narrow.splitlines()[0] == "metric                    recall  precision     F1"
    assert narrow.count("metric ") == wide.count("metric ") == 1
    said = "Left out: recall counts, precision counts; a terminal of 83 columns or -f tsv shows them."
    assert said in " ".join(narrow.split())
    assert "Counts: sums" not in narrow
    assert "Left out" not in wide


def test_tables_that_fit_without_their_counts_do_not_break() -> None:
    words = ("errors", "-q", "--gains=order", f"{GOLD}.conll", f"{SYSTEM}.conll")
    found = {width: plain(*words, width=width) for width in (80, 100, 120)}
    assert [text.count("─\n") for text in found.values()] == [1, 1, 1]
    assert "Left out: mentions, lost R, lost P; a terminal of 106 columns" in " ".join(found[80].split())
    assert "Left out: mentions; a terminal of 106 columns or -f tsv shows them." in found[100]
    assert "Left out" not in found[120]
    classes = plain("--by=type", "--types=english", f"{GOLD}.conll", f"{SYSTEM}.conll", width=100)
    assert classes.count("─\n") == 2
    assert "Left out: gold, system; a terminal of 109 columns or -f tsv shows them." in classes


def test_a_wider_terminal_has_longer_lines() -> None:
    words = ("compare", "-q", "--parts=all", GOLD, SYSTEM, OTHER)
    assert plain(*words, width=80).count("─\n") > plain(*words, width=200).count("─\n") == 1


def test_what_is_not_for_reading_does_not_depend_on_the_width() -> None:
    for form in ("json", "tsv", "markdown", "latex"):
        printed = shown("-f", form, GOLD, SYSTEM, width=80)
        assert printed.expandtabs() == piped("-f", form, GOLD, SYSTEM).expandtabs()


# Bold


def bold(text: str) -> list[str]:
    return [line[len(BOLD) : -len(NORMAL)] for line in text.splitlines() if line.startswith(BOLD)]


def test_heads_are_bold_and_so_is_the_conll_average() -> None:
    lines = bold(shown(GOLD, SYSTEM))
    assert [line.split()[0] for line in lines] == ["metric", "CoNLL-2012"]
    assert bold(shown("errors", "-q", GOLD, SYSTEM, width=200))[0].startswith("error ")


@pytest.mark.parametrize(
    ("metrics", "found"), [("muc", []), ("lea,muc", ["MUC"]), ("conll,muc", ["CoNLL-2012"])]
)
def test_of_metrics_that_were_all_asked_for_the_main_one_is_bold(metrics: str, found: list[str]) -> None:
    assert [line.split()[0] for line in bold(shown("-m", metrics, GOLD, SYSTEM))] == ["metric", *found]


def test_what_was_asked_for_is_bold_beside_what_is_gated() -> None:
    lines = bold(shown("-q", "-m", "bcub,lea", "--fail-under=muc=0.1", GOLD, SYSTEM))
    assert [line.split()[0] for line in lines] == ["metric", "B³", "LEA"]


def test_nothing_is_bold_where_it_is_not_wanted() -> None:
    assert "\x1b" not in shown(GOLD, SYSTEM, NO_COLOR="1")
    assert "\x1b" not in shown(GOLD, SYSTEM, TERM="dumb")


# Progress


def corpus(folder: Path, documents: int) -> str:
    lines = "#begin document (d{});\na\t(1\nb\t1)\n#end document\n"
    path = folder / "all.conll"
    path.write_text("".join(map(lines.format, range(documents))), "utf-8")
    return str(path)


EARLY = """
import sys, time
from scorch2.cli import progress
from scorch2.cli.main import main
progress.PATIENCE, progress._PAUSE = 0.02, 0.01
from scorch2.scoring import flow
pair = flow.score_pair
flow.score_pair = lambda *given: time.sleep(0.02) or pair(*given)
sys.exit(main())
"""
"""Scoring that is slow, and a bar that is not patient."""


def test_a_bar_is_seen_over_one_pair_of_files(tmp_path: Path) -> None:
    path = corpus(tmp_path, 30)
    seen = shown("-m", "muc", path, path, program=("-c", EARLY))
    assert re.search(r"\d+ documents \[", seen)
    assert not re.search(r"\d+ documents \[", shown("-q", "-m", "muc", path, path, program=("-c", EARLY)))


def test_a_bar_is_seen_over_folders_and_while_the_first_document_is_read(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}.conll").write_bytes(Path(corpus(tmp_path, 1)).read_bytes())
    (tmp_path / "all.conll").unlink()
    seen = shown("-m", "muc", str(tmp_path), str(tmp_path), program=("-c", EARLY))
    assert re.search(r"\d+/30 \[", seen)
    slow = EARLY.replace("time.sleep(0.02)", "time.sleep(0.5)")
    one = corpus(tmp_path, 1)
    assert "0 documents [" in shown("-m", "muc", one, one, program=("-c", slow))


def test_one_is_seen_where_nothing_can_call_it_in_time(tmp_path: Path) -> None:
    path = corpus(tmp_path, 30)
    without_timer = EARLY.replace(
        "from scorch2.scoring", "import signal\ndel signal.setitimer\nfrom scorch2.scoring"
    )
    assert re.search(r"\d+ documents \[", shown("-m", "muc", path, path, program=("-c", without_timer)))


@pytest.mark.parametrize("command", ["errors", "compare", "confidence -n 20 -g"])
def test_other_commands_that_score_show_one_too(command: str, tmp_path: Path) -> None:
    path = corpus(tmp_path, 30)
    assert re.search(r"\d+ documents \[", shown(*command.split(), path, path, program=("-c", EARLY)))


def test_commands_that_read_many_files_show_how_many_are_done(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}.conll").write_bytes(Path(corpus(tmp_path, 1)).read_bytes())
    slow = """
from scorch2.formats import reading
read = reading.stream_of
reading.stream_of = lambda *given: time.sleep(0.02) or read(*given)
sys.exit(main())"""
    program = ("-c", EARLY.replace("sys.exit(main())", slow))
    assert re.search(r"\d+/31 \[.*files/s", shown("validate", str(tmp_path), program=program))
    assert re.search(
        r"\d+/31 \[", shown("convert", "--to=clusters", str(tmp_path), f"{tmp_path}.out", program=program)
    )
