"""Random cases are the same in every run: all of them where `CI` is set, the first 30 of 100 at a desk.

`--hypothesis-profile=fixed` tries all at a desk, too; `--hypothesis-profile=fresh` draws new and more ones.
"""

import gc
import importlib
import itertools
import os
import re
import shutil
from collections.abc import Generator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

pytest_plugins = ["browser"]
for _name in [name for name in os.environ if name.startswith("PYTHON")]:
    del os.environ[_name]  # a desk has none: what the tests start shall meet what a user meets
gc.disable()  # as the command does: looking for cycles takes half of the time in which tests are collected

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("fixed" if os.environ.get("CI") else "quick")

PROGRAMS = {
    "*_in_browser.py": ("SCORCH2_BROWSER", "chromium", "chromedriver"),
    "*score_page_in_browser.py": ("SCORCH2_BROWSER", "npm"),
    "*_in_pdf.py": ("SCORCH2_LATEX", "pdflatex"),
}
"""Tests that need programs, and the environment variable that makes these ``required``: then they fail."""
_FOLDERS = itertools.count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder as pytest does, but no link to it beside it, which takes longer than the folder."""
    name = re.sub(r"\W", "_", request.node.name)[:24]  # longer paths are cut in messages
    folder: Path = tmp_path_factory.getbasetemp() / f"{name}_{next(_FOLDERS)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have workers take any file for a large one, and every document for a piece of it."""
    for name in ("LARGE", "CHUNK"):
        monkeypatch.setattr(f"scorch2.workers.tasks.{name}", 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in an empty folder, so that messages hold short paths."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def light_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Embed fonts in PDF without the rules of other scripts, which take most of the time of a figure."""
    options = importlib.import_module("fontTools.subset").Options
    drop = [*options._drop_tables_default, "GDEF", "GPOS", "GSUB"]  # noqa: SLF001 - there is no other way
    monkeypatch.setattr(options, "_drop_tables_default", drop)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in docstrings of the package alone, not below this folder: tests have none."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a browser, and skip tests that need programs which are not installed."""
    for item in items:
        if item.path.name.endswith("_in_browser.py"):
            item.add_marker("browser")
    for files, (variable, *programs) in PROGRAMS.items():
        lacking = [program for program in programs if shutil.which(program) is None]
        if lacking and os.environ.get(variable) != "required":
            skip = pytest.mark.skip(reason=f"not installed: {' and '.join(lacking)}")
            for item in items:
                if fnmatch(item.path.name, files):
                    item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Leave what was collected out of pytest's five searches for cycles at the end, a second each."""
    gc.freeze()
