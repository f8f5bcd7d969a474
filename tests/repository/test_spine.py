"""The spine: the files that a run of two folders of JSON passes, few enough to read in an afternoon."""

import re
import subprocess
import sys

import pytest
from imports import PACKAGE, modules
from pages import CONTRIBUTING, ROOT

MOST_FILES, MOST_LINES = 12, 2_200
"""The files to read, and their lines."""
MOST_LOADED, MOST_LOADED_LINES = 50, 7_900
"""The modules that the run loads."""
MOST_CALLED, MOST_CALLED_LINES = 32, 6_500
"""The files of which the run calls a function."""
TRACE = """
import inspect, sys
package, called = sys.argv[1], set()
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
def trace(frame, event, _):
    code = frame.f_code
    is_function = code.co_flags & inspect.CO_OPTIMIZED and code.co_name not in COMPREHENSIONS
    if event == "call" and is_function and code.co_filename.startswith(package):
        called.add(code.co_filename)
from scorch2.cli.main import main
sys.setprofile(trace)
status = main(sys.argv[2:])
sys.setprofile(None)
loaded = {module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "scorch2"}
print(status, *called, sep="\\n", end="\\n\\n")
print(*loaded, sep="\\n")
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Return the files that a run calls, and those that it loads."""
    example = ROOT / "fixtures" / "example"
    words = [str(example / "gold"), str(example / "sys"), str(tmp_path_factory.mktemp("run") / "out.txt")]
    run = [sys.executable, "-c", TRACE, str(PACKAGE), *words]
    done = subprocess.run(run, check=True, capture_output=True, encoding="utf-8")
    called, loaded = done.stdout.split("\n\n")
    status, *files = called.splitlines()
    assert status == "0"
    return set(files), set(loaded.split("\n")[:-1])


def lines_of(files: set[str]) -> int:
    total = 0
    for file in files:
        with open(file, encoding="utf-8") as text:
            total += sum(1 for _ in text)
    return total


def spine() -> list[str]:
    """Return the files of the list in CONTRIBUTING, in its order."""
    part = CONTRIBUTING.read_text("utf-8").partition("### The spine")[2].partition("\n#")[0]
    return re.findall(r"^\d+\. \[\S+\]\(\.\./scorch2/(\S+\.py)\)", part, re.MULTILINE)


def test_the_spine_is_read_in_an_afternoon() -> None:
    files = {str(PACKAGE / name) for name in spine()}
    assert 0 < len(files) == len(spine()) <= MOST_FILES, (
        "CONTRIBUTING lists too many files: which can be skipped?"
    )
    assert lines_of(files) <= MOST_LINES, (
        "move what only some runs need to a file of its own, and make it a row"
    )


def test_a_run_passes_the_whole_spine(traced: tuple[set[str], set[str]]) -> None:
    called, _ = traced
    unread = [name for name in spine() if str(PACKAGE / name) not in called]
    assert unread == [], "a run of two folders of JSON calls nothing of it: take it from the list"


def test_a_plain_run_loads_few_modules(traced: tuple[set[str], set[str]]) -> None:
    _, loaded = traced
    assert loaded <= {str(path) for path in modules().values()}
    many, lines = len(loaded), lines_of(loaded)
    told = f"{many} modules of {lines} lines: import what only some runs need in the function that needs it"
    assert many <= MOST_LOADED, told
    assert lines <= MOST_LOADED_LINES, told


def test_a_plain_run_calls_few_files(traced: tuple[set[str], set[str]]) -> None:
    called, _ = traced
    many, lines = len(called), lines_of(called)
    told = f"{many} files of {lines} lines: move what only some runs need to a file of its own"
    assert many <= MOST_CALLED, told
    assert lines <= MOST_CALLED_LINES, told


def test_options_change_no_plain_word() -> None:
    """Two or three paths are read without the usage text, and mean what it says."""
    from scorch2.cli.commands.score import USAGE, parse
    from scorch2.cli.usage import parse_words

    for words in (["g", "s"], ["g", "s", "out.txt"], ["-", "s"], ["g", "-", "-"]):
        given = {name: value for name, value in parse(words).items() if value is not None}
        assert given == {name: value for name, value in parse_words(USAGE, words).items() if value}
        assert parse(words)["--format"] is None
