"""The pages of the documentation and the examples in them.

    python tests/support/pages.py

runs every console example again and writes what it prints now into its page, and the table of topics into
README. Read the difference before you commit it: each changed line is something that users see.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scorch2 import guide

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
GUIDE = ROOT / "scorch2" / "guide"
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"
EXAMPLE = ROOT / "fixtures" / "example"
_SHOWN = ("example", "pairing", "alignment", "offsets", "shared-task")
SHOWN = tuple(ROOT / "fixtures" / name for name in _SHOWN)
"""The folders that examples name."""
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TABLE = re.compile(r"^\| what you want to do \|.*\n(?:\|.*\n)+", re.MULTILINE)
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
_FAILED_GATES = re.compile(r"^(scorch2: )?\d+ of \d+ gates? failed$", re.MULTILINE)


class Example(NamedTuple):
    """A command, what the page shows below it, and the status that this means."""

    command: str
    shown: str

    @property
    def status(self) -> int:
        """The exit status that fits what is shown."""
        if "scorch2: error: " in self.shown:
            return 2
        return 1 if _FAILED_GATES.search(self.shown) else 0


class Done(NamedTuple):
    """The result of an example."""

    status: int
    printed: str


def pages() -> dict[str, str]:
    """Return the text of README and of each page of the guide, by its path below the root."""
    paths = [README, *sorted(GUIDE.glob("*.md"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def console_blocks(text: str) -> list[list[Example]]:
    """Return the examples of each console block of a page: those of a block run one after the other."""
    return [list(_examples(block)) for block in _BLOCK.findall(text)]


def python_blocks(text: str) -> list[str]:
    """Return the Python sessions of a page."""
    return _PYTHON.findall(text)


def _examples(block: str) -> Iterator[Example]:
    for example in _PROMPT.split(block)[1:]:
        command, _, shown = example.partition("\n")
        yield Example(command, shown)


def run(command: str, folder: Path) -> Done:
    """Run the command of an example in a folder that holds copies of `SHOWN`."""
    words = shlex.split(command)
    source = None
    if "<" in words:
        source = (folder / words[-1]).read_text(encoding="utf-8")
        words = words[: words.index("<")]
    words = {"scorch2": words[1:], "conll2json": words}[words[0]]
    done = subprocess.run(
        [sys.executable, "-m", "scorch2", *words],
        cwd=folder, input=source, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    return Done(done.returncode, done.stdout + done.stderr)


def lay_out(folder: Path) -> Path:
    """Copy the files that examples name into a folder, under the paths that they have in the repository."""
    for path in SHOWN:
        shutil.copytree(path, folder / path.relative_to(ROOT))
    return folder


def topics_table() -> str:
    """Return the table of topics that README shows."""
    rows = (f"| {what} | [`{topic}`](scorch2/guide/{topic}.md) |\n" for topic, what in guide.TOPICS.items())
    return "".join(["| what you want to do | page |\n| :--- | :--- |\n", *rows])


def _renewed(block: "re.Match[str]") -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = lay_out(Path(name))
        examples = [
            f"$ {example.command}\n{run(example.command, folder).printed}" for example in _examples(block[1])
        ]
    return "```console\n" + "".join(examples) + "```"


def main() -> int:
    """Write what the examples of all pages print now into the pages."""
    for name, text in pages().items():
        renewed = _TABLE.sub(lambda _: topics_table(), _BLOCK.sub(_renewed, text))
        if renewed != text:
            print(f"{name}: changed")
            (ROOT / name).write_text(renewed, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
