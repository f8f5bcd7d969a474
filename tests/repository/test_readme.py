"""README: every example is run and prints what the page shows."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def console_examples() -> Iterator[tuple[str, str]]:
    """Yield each command of the console blocks with the output shown below it."""
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            yield command, shown


@pytest.mark.parametrize(("command", "shown"), list(console_examples()))
def test_a_console_example_prints_what_the_page_shows(command: str, shown: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fixtures" / "example", tmp_path / "fixtures" / "example")
    words = shlex.split(command)
    source = None
    if "<" in words:
        source = (tmp_path / words[-1]).read_text(encoding="utf-8")
        words = words[: words.index("<")]
    words = {"scorch2": words[1:], "conll2json": words}[words[0]]
    run = subprocess.run(
        [sys.executable, "-m", "scorch2", *words],
        cwd=tmp_path, input=source, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    failed = re.search(r"^(scorch2: )?\d+ of \d+ gates? failed$", shown, re.MULTILINE)
    status = 2 if shown.startswith("scorch2: error: ") else 1 if failed else 0
    assert (run.returncode, run.stdout + run.stderr) == (status, shown)


def test_the_python_examples_print_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        examples = doctest.DocTestParser().get_doctest(block, {}, "README.md", None, 0)
        assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_command_of_the_campaigns_and_benchmarks_exists() -> None:
    for path in re.findall(r"`python (tests/\S+\.py)", README):
        assert (ROOT / path).is_file(), path
