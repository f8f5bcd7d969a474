"""The pages of the documentation and the examples in them.

    python tests/support/pages.py [--picture]

runs every console example again and writes what it prints now into its page, the owner of the repository
that pyproject.toml names, and the names of tables into the types that list them. Read the difference before
you commit it: each changed line is something that users see. With --picture it takes the picture of the page
of errors that README shows, too, which needs the programs chromium and chromedriver.
"""

import contextlib
import hashlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from scorch2.analysis.heads import RULES
from scorch2.cli.main import main as scorch2
from scorch2.model.options import OPTIONS
from scorch2.model.score import AVERAGES
from scorch2.model.values import PROFILES
from scorch2.reports.json import PYTHON

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
GUIDE = ROOT / "scorch2" / "guide"
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"
EXAMPLE = ROOT / "fixtures" / "example"
PICTURE = ROOT / ".github" / "errors-page.png"
_PICTURED = ("errors --types=english example/gold.conll example/sys.conll page.html", 1160, 616)
"""The command that writes the page, and the width and height of the picture."""
_MARK = b"page-sha256\0"
"""The name of the text in the picture that says which page it shows."""
_SHOWN = ("example", "agreement", "pairing", "cross-document", "alignment", "offsets", "shared-task", "task")
SHOWN = tuple(ROOT / "fixtures" / name for name in _SHOWN)
"""The folders that examples name."""
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
_FAILED = re.compile(r"^(scorch2: )?\d+ of \d+ gates? failed$|^\S+ differs: |^\d+ problems?$", re.MULTILINE)


_LINE = 110  # characters, as pyproject.toml says to ruff
_PYTHON_SHOWN = "3.12.4"  # whatever the examples run with


class Example(NamedTuple):
    """A command, what the page shows below it, and the status that this means."""

    command: str
    shown: str

    @property
    def status(self) -> int:
        """The exit status that fits what is shown."""
        if "scorch2: error: " in self.shown:
            return 2
        return 1 if _FAILED.search(self.shown) else 0


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


_TERMINAL = {"COLUMNS": "110", "NO_COLOR": "1", "PAGER": ""}
"""The terminal of the examples."""


def run(command: str, folder: Path) -> Done:
    """Run the command of an example, as on a terminal, in a folder with its files and in this process."""
    words = shlex.split(command)
    source = b""
    if "<" in words:
        source = (folder / words[-1]).read_bytes()
        words = words[: words.index("<")]
    words = {"scorch2": words[1:], "conll2json": words}[words[0]]
    buffers = io.BytesIO(source), io.BytesIO(), io.BytesIO()
    given, out, err = (io.TextIOWrapper(one, encoding="utf-8", write_through=True) for one in buffers)
    out.isatty = lambda: True  # type: ignore[method-assign]
    here = os.getcwd()
    os.chdir(folder)
    try:
        with (
            patch("sys.stdin", given),
            patch.dict(os.environ, _TERMINAL),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = scorch2(words)
    finally:
        os.chdir(here)
    printed = (buffers[1].getvalue() + buffers[2].getvalue()).decode().replace(os.linesep, "\n")
    return Done(status, printed.replace(f'"python": "{PYTHON}"', f'"python": "{_PYTHON_SHOWN}"'))


def lay_out(folder: Path, commands: str) -> Path:
    """Copy the files that commands name into a folder, under the paths that they have in the repository."""
    for path in SHOWN:
        name = path.relative_to(ROOT)
        if name.as_posix() in commands:
            shutil.copytree(path, folder / name)
    return folder


def _renewed(block: "re.Match[str]") -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = lay_out(Path(name), block[1])
        examples = [
            f"$ {example.command}\n{run(example.command, folder).printed}" for example in _examples(block[1])
        ]
    return "```console\n" + "".join(examples) + "```"


def pictured(folder: Path) -> Path:
    """Write the page that the picture shows, in a new folder."""
    run(f"scorch2 {_PICTURED[0]}", lay_out(folder, "fixtures/example") / "fixtures")
    return folder / "fixtures" / "page.html"


def mark_of(page: Path) -> bytes:
    """Return the text in the picture of a page, a chunk of PNG: its length, what it says, a checksum."""
    said = b"tEXt" + _MARK + hashlib.sha256(page.read_bytes()).hexdigest().encode()
    return (len(said) - 4).to_bytes(4, "big") + said + zlib.crc32(said).to_bytes(4, "big")


def take_picture() -> None:
    """Write a picture of the page of errors, scrolled to the first text, which is open."""
    from browser import start

    _, width, height = _PICTURED
    with tempfile.TemporaryDirectory() as name:
        page = pictured(Path(name))
        with start("--hide-scrollbars") as chrome:
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            chrome.get(page.as_uri())
            chrome.execute_script("const text = document.querySelector('.document'); text.open = true;"
                                  "text.scrollIntoView(); scrollBy(0, 25)")  # fmt: skip
            picture = chrome.get_screenshot_as_png()
        end = picture.rindex(b"IEND") - 4
        PICTURE.write_bytes(picture[:end] + mark_of(page) + picture[end:])


def with_links(text: str) -> str:
    """Return a page with the links of the project that pyproject.toml has."""
    urls = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.urls]")[2]
    (repository,) = re.findall(r'^Source = "https://github.com/(.+)"$', urls, re.MULTILINE)
    (site,) = re.findall(r'^Documentation = "(.+)"$', urls, re.MULTILINE)
    text = re.sub(r"https://[\w.-]+/scorch2/(?=score\.html)", site, text)
    text = re.sub(r"(?<=uses: )\S+(?=/\.github/actions/score@)", repository, text)
    return re.sub(r"(?<=repo: https://github.com/)\S+", repository, text)


LITERALS = {
    ("scorch2/model/score.py", "AverageName"): (*AVERAGES, *OPTIONS["average"].row.aliases),
    ("scorch2/model/values.py", "ProfileName"): (*PROFILES,),
    ("scorch2/analysis/heads.py", "RuleName"): (*RULES,),
}
"""The types that list the names of a table, by their file and their name."""


def with_literals(path: str, text: str) -> str:
    """Return the text of a module with the names of its tables in their types, as ruff lays them out."""
    for name in [name for place, name in LITERALS if place == path]:
        values = [f'"{value}"' for value in LITERALS[path, name]]
        (head,) = re.findall(rf"^{name}[:A-Za-z ]* = Literal\[", text, re.MULTILINE)
        names = ", ".join(values)
        shown = names
        if len(f"{head}{names}]") > _LINE:
            fits = len(f"    {names}") <= _LINE
            shown = f"\n    {names}\n" if fits else "\n" + "".join(f"    {value},\n" for value in values)
        before, _, rest = text.partition(head)
        text = f"{before}{head}{shown}]{rest.partition(']')[2]}"
    return text


def main() -> int:
    """Write what the examples of all pages print now into the pages."""
    for name, text in pages().items():
        renewed = with_links(_BLOCK.sub(_renewed, text))
        if renewed != text:
            print(f"{name}: changed")
            (ROOT / name).write_text(renewed, encoding="utf-8", newline="\n")
    for name in dict.fromkeys(path for path, _ in LITERALS):
        text = (ROOT / name).read_text("utf-8")
        (ROOT / name).write_text(with_literals(name, text), encoding="utf-8", newline="\n")
    if "--picture" in sys.argv[1:]:
        take_picture()
    return 0


if __name__ == "__main__":
    sys.exit(main())
