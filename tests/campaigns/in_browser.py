"""The page that scores in the browser beside the command line:  python tests/campaigns/in_browser.py [n].

Every file (or every n-th case) of fixtures/formats is checked and scored against itself; the example is
scored with every profile and written in every form. What the worker of the page gives, in headless Chromium,
is compared with the command line byte for byte: status, both streams and files.
It needs chromium, chromedriver and npm.
"""

import contextlib
import io
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from browser import Browser, start
from pages import EXAMPLE, ROOT
from score_page import Result, build, in_worker, open_worker, served

from scorch2.cli.main import main
from scorch2.model.forms import forms_of
from scorch2.model.values import PROFILES

FORMATS = ROOT / "fixtures" / "formats"
SIDES = ("gold", "system")
_PYTHON = re.compile(rb'"python": "[0-9.]+"')


class Case(NamedTuple):
    """Words of the command line, and the file of each side."""

    words: tuple[str, ...]
    files: tuple[Path, ...]


def cases() -> Iterator[Case]:
    """Yield what is tried."""
    example = (EXAMPLE / "gold.conll", EXAMPLE / "sys.conll")
    for profile in PROFILES:
        yield Case((f"--profile={profile}", "--report=json:report.json", "{gold}", "{system}"), example)
    for form in forms_of("scores"):
        yield Case((f"--format={form}", "-mall", "{gold}", "{system}"), example)
    for command in ("errors", "agreement"):
        yield Case((command, "-o", "page.html", "{gold}", "{system}"), example)
    yield Case(("explain", "77.83", "{gold}", "{system}"), example)
    for path in sorted(one for one in FORMATS.rglob("[!.]*") if one.is_file()):  # the page drops hidden files
        yield Case(("validate", "{gold}"), (path,))
        yield Case(("-mall", "{gold}", "{system}"), (path, path))


def in_terminal(case: Case) -> Result:
    """Run the command line here, in a folder that is laid out as in the worker."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for side, path in zip(SIDES, case.files, strict=False):
            os.makedirs(side)
            Path(side, path.name).write_bytes(path.read_bytes())
        names = {f"{{{side}}}": f"{side}/{path.name}" for side, path in zip(SIDES, case.files, strict=False)}
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([names.get(word, word) for word in case.words])
        written = {
            path.name: path.read_bytes() for path in sorted(Path().iterdir()) if path.name not in SIDES
        }
        texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
        return Result(status, texts[0], texts[1], written)


def in_page(browser: Browser, case: Case) -> Result:
    """Run the command line in the worker of the page; its report names another version of Python."""
    sides = {side: {path.name: path.read_bytes()} for side, path in zip(SIDES, case.files, strict=False)}
    found = in_worker(browser, case.words, sides)
    mine = f'"python": "{platform.python_version()}"'.encode()
    out = _PYTHON.sub(mine, found.out.encode()).decode()
    files = {path: _PYTHON.sub(mine, content) for path, content in found.files.items()}
    return found._replace(out=out, files=files)


def compare(browser: Browser, every: int) -> int:
    """Print the cases that differ, and return how many there are."""
    tried = [*cases()][::every]
    differing = 0
    for case in tried:
        here, there = in_terminal(case), in_page(browser, case)
        for field, mine, its in zip(Result._fields, here, there, strict=True):
            if mine != its:
                differing += 1
                print(f"{' '.join(case.words)} {case.files[0].name}: {field}: {mine!r:.300} | {its!r:.300}")
    print(f"{len(tried)} cases, {differing} differences")
    return differing


def run(every: int) -> int:
    """Compare in a browser of its own; return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        chrome = start()
        with served(Path(folder)) as address:
            chrome.get(address)
            chrome.set_script_timeout(120)
            browser = Browser(chrome)
            open_worker(browser)
            try:
                return 1 if compare(browser, every) else 0
            finally:
                chrome.quit()


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]) if sys.argv[1:] else 1))
