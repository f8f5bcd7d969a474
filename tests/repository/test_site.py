"""The site of the guide: built without a warning, with every page, and nothing is loaded from other hosts."""

import re
import shutil
import subprocess
import sys

import pytest
from pages import ROOT

import scorch2
from scorch2 import guide

CONFIG = ROOT / ".github" / "mkdocs.yml"
_LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\"\s>]+)|<link\b([^>]*)>")
_ONLY_NAMED = ("canonical", "alternate", "next", "prev")
"""Kinds of links in the head of a page that are not loaded."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], str]:
    """Return the text of each page of the site, and what was said of it, with three wrong links in a page."""
    folder = tmp_path_factory.mktemp("site")
    for name in (".ci", "fixtures", "tests", "README.md", "LICENSE.md", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    for name in (".github", "scorch2"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "scorch2" / "guide" / "books.md").open("a", encoding="utf-8") as page:
        page.write("\n[a](nowhere.md) [b](metrics.md#nowhere) [c](../nowhere.py)\n")
    config = str(folder / CONFIG.relative_to(ROOT))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", config, "-d", str(folder / "site")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1, "--strict must fail for links that lead nowhere"
    return {
        path.name: path.read_text("utf-8") for path in (folder / "site").rglob("*.html")
    }, done.stderr + done.stdout


@pytest.fixture
def site(built: tuple[dict[str, str], str]) -> dict[str, str]:
    return built[0]


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


def test_links_that_lead_nowhere_are_warnings_and_nothing_else_is(built: tuple[dict[str, str], str]) -> None:
    """A strict build without a warning is one that ends well."""
    told = re.findall(r"^(?:WARNING|ERROR).*", built[1], re.MULTILINE)
    broken = [re.findall(r"Doc file 'books.md' contains a link '(.+?)'", line) for line in told]
    assert sorted(broken) == [["../nowhere.py"], ["metrics.md#nowhere"], ["nowhere.md"]], told
    assert "Aborted with 3 warnings in strict mode!" in built[1]
