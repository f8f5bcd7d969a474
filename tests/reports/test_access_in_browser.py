"""Pages for everybody, in headless Chromium: axe finds nothing, and Tab stops once in a row."""

from pathlib import Path

import pytest
from browser import Browser
from error_pages import EXAMPLE, FIXTURES, RANDOM, written

from scorch2.cli.main import main

FOLDERS = [str(FIXTURES / "example" / name) for name in ("gold", "sys", "other")]
TWICE = ["--name=one", "--name=two"]
PAGES = {
    "errors": ["errors", "--types=english", *EXAMPLE],
    "errors of two systems": ["errors", f"--other={RANDOM[0]}", "--by=width", *RANDOM],
    "systems": ["compare", "--alpha=100%", *FOLDERS],
    "systems by errors": ["compare", "--errors", "--pages=pages", *TWICE, *FOLDERS],
    "two annotators": ["agreement", *(f"{folder}/bridge-000.json" for folder in FOLDERS[:2])],
    "three annotators": ["agreement", *FOLDERS],
}
"""Words of the command by what is special about the page."""


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main([PAGES[request.param][0], "-q", "-o", "page.html", *PAGES[request.param][1:]]) == 0
    return tmp_path / "page.html"


def test_axe_finds_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.open_all()
    browser.assert_everybody_can_read()


def test_tab_stops_at_most_once_in_a_row(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.open_all()
    stops = 'row.querySelectorAll(\'a:not([tabindex="-1"]), button:not([tabindex="-1"]), input, summary\')'
    rows = "[...document.querySelectorAll('tr, li')].filter(row => !row.querySelector('tr, li'))"
    assert browser.run(f"return Math.max(...{rows}.map(row => {stops}.length))") <= 1


def test_axe_is_heard(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path / "page.html", *EXAMPLE)
    text = path.read_text("utf-8").replace('<html lang="en">', "<html>")
    path.write_text(text.replace("--pale: #565e69", "--pale: #b6bec9"), "utf-8")
    browser.open(path)
    assert [found.partition(":")[0] for found in browser.violations()][:1] == ["html-has-lang"]


def test_a_leaderboard_is_for_everybody_and_its_heads_sort(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold, first, second = FOLDERS
    for name, system, words in (
        ("a", first, ["--confidence=95", "--trials=20"]),
        ("b", second, []),
        ("c", first, ["--average=macro"]),
    ):
        assert main(["-q", *words, gold, system, f"{name}.json"]) == 0
    assert main(["errors", "-q", gold, first, "a.html"]) == 0
    assert main(["leaderboard", "-q", ".", "-o", "board.html"]) == 0
    browser.open(tmp_path / "board.html")
    browser.assert_everybody_can_read()
    names = (
        "return [...document.querySelectorAll('#ranking-1 tbody tr')].map(row => row.cells[0].textContent)"
    )
    assert browser.run(names) == ["a", "b"]
    for _ in range(2):
        browser.click("#ranking-1 thead th:nth-child(3) button")
    assert browser.run(names) == ["b", "a"]
    browser.click("#ranking-1 a[href='a.html']")
    assert browser.run("return document.location.pathname").endswith("/a.html")
