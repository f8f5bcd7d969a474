"""The site of the guide: built without a warning, with every page, and nothing is loaded from other hosts."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT

import scorch2
from scorch2 import guide

CONFIG = ROOT / ".github" / "mkdocs.yml"
_LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\"\s>]+)|<link\b([^>]*)>")
_ONLY_NAMED = ("canonical", "alternate", "next", "prev")
"""Kinds of links in the head of a page that are not loaded."""


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a clone as CI does."""
    words = ["-f", str(root / CONFIG.relative_to(ROOT)), "-d", str(site)]
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the text of each page of the site, by its name."""
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^(WARNING|ERROR)", done.stderr, re.MULTILINE)
    return {path.name: path.read_text("utf-8") for path in folder.rglob("*.html")}


def loaded(page: str) -> list[str]:
    """Return the addresses that a browser loads with a page."""
    found = []
    for source, attributes in _LOADED.findall(page):
        address = source or re.findall(r"\bhref=\"?([^\"\s>]+)", attributes)[0]
        if not re.search(rf"\brel=\"?({'|'.join(_ONLY_NAMED)})\b", attributes):
            found.append(address)
    return found


def test_every_topic_is_in_the_navigation_once(site: dict[str, str]) -> None:
    listed = re.findall(
        r'<a href="([\w-]+)\.html" class="md-nav__link">', site["404.html"].replace("/scorch2/", "")
    )
    assert sorted(listed) == sorted([*guide.TOPICS, "index", "api", "live", "contributing", "licence"])


def test_nothing_is_loaded_from_other_hosts(site: dict[str, str]) -> None:
    for name, page in site.items():
        assert "Content-Security-Policy" in page, f"{name}: the browser forbids it, too"
        assert [address for address in loaded(page) if "//" in address] == [], name
        assert 'data-md-component="source"' not in page, f"{name} asks GitHub for stars"


def test_the_live_pages_are_made_by_this_version(site: dict[str, str]) -> None:
    assert f"scorch2 {scorch2.__version__} |" in site["errors.html"]
    assert '<a href="errors.html">' in site["error-page.html"]
    assert 'id="ranking-1"' in site["board.html"]
    assert '<a href="board.html">' in site["leaderboards.html"]
    assert re.search(r'<a href="errors.html"><img [^>]*src="errors-page.png"', site["index.html"])


def test_every_public_name_is_documented_as_programs_see_it(site: dict[str, str]) -> None:
    names = {name for name in scorch2.__all__ if not name.startswith("__")}
    assert names - set(re.findall(r'<h3 id="scorch2\.(\w+)"', site["api.html"])) == set()
    assert re.findall(r"\{(?:profiles|formats|choices)\}", site["api.html"]) == []
    assert "<code>twinless</code> : keep singletons drop" in site["api.html"]


def test_code_in_tables_has_no_backslashes_before_bars(site: dict[str, str]) -> None:
    assert "<code>1)|(1</code>" in site["reference-scorer.html"]


def test_a_link_that_leads_nowhere_fails(tmp_path: Path) -> None:
    for name in (".github", "scorch2", "fixtures/example", "README.md", "LICENSE.md", "pyproject.toml"):
        path = ROOT / name
        (shutil.copytree if path.is_dir() else shutil.copy)(path, tmp_path / name)
    page = tmp_path / "scorch2" / "guide" / "books.md"
    page.write_text("# Books\n\n[a](nowhere.md) [b](metrics.md#nowhere) [c](../nowhere.py)\n", "utf-8")
    done = build(tmp_path, tmp_path / "site")
    broken = re.findall(
        r"^WARNING +-  Doc file 'books.md' contains a link '(.+?)'", done.stderr, re.MULTILINE
    )
    assert (done.returncode, sorted(broken)) == (1, ["../nowhere.py", "metrics.md#nowhere", "nowhere.md"])
