"""The page of systems side by side in headless Chromium: sorted, narrow, dark, printed, without script."""

import base64
from pathlib import Path

import pytest
from browser import Browser
from error_pages import FIXTURES
from selenium.webdriver import Keys

from scorch2.cli.main import main

FOLDERS = [str(FIXTURES / "example" / name) for name in ("gold", "sys", "other", "gold")]
NAMES = ["Zoe", "ada", "Max"]
CELLS = "return [...document.querySelectorAll('#{} tbody tr')].map(row => row.cells[{}].textContent)"


@pytest.fixture
def scores(page_folder: Path) -> Path:
    return compared(page_folder / "scores.html", "--alpha=100%")


@pytest.fixture
def errors(page_folder: Path) -> Path:
    return compared(page_folder / "systems.html", "--errors", f"--pages={page_folder / 'pages'}")


def compared(path: Path, *words: str) -> Path:
    """Write the page of three systems, of which the last one is gold."""
    names = [f"--name={name}" for name in NAMES]
    assert main(["compare", "-q", "--force", "-o", str(path), *names, *words, *FOLDERS]) == 0
    return path


def test_heads_sort_systems(browser: Browser, scores: Path, errors: Path) -> None:
    browser.open(scores)
    browser.click("#scores thead th:nth-child(2) button")  # MUC: gold itself is first
    assert browser.run(CELLS.format("scores", 0)) == ["Max", "Zoe", "ada"]
    browser.press(Keys.ENTER)
    assert browser.run(CELLS.format("scores", 0)) == ["ada", "Zoe", "Max"]
    browser.press(Keys.ARROW_LEFT, Keys.ENTER)
    assert browser.run(CELLS.format("scores", 0)) == ["ada", "Max", "Zoe"]
    browser.open(errors)
    browser.click("#errors thead th:last-child button")  # all errors: seven, eleven and none
    assert browser.run(CELLS.format("errors", 8)) == ["11", "7", "0"]
    assert browser.run(CELLS.format("shares", 0)) == NAMES, "each table is sorted by itself"


def test_marks_say_what_they_mean(browser: Browser, scores: Path) -> None:
    browser.open(scores)
    said = "map(e => [e.textContent, e.ariaLabel, e.title])"
    marks = browser.run(f"return [...document.querySelectorAll('#scores [role=img]')].{said}")
    assert {mark for mark, _, _ in marks} == {"▲", "▼"}
    for mark, said, title in marks:
        assert said.startswith(f"significantly {'higher' if mark == '▲' else 'lower'} than Zoe, p = ")
        assert title == said
    assert "▲ higher, ▼ lower than the first system (Zoe)" in browser.run(
        "return document.querySelector('header').innerText"
    )


def test_pages_of_pairs_are_reached(browser: Browser, errors: Path) -> None:
    browser.open(errors)
    browser.click("#pages tbody tr:nth-child(1) td:nth-child(3) a")
    assert browser.run("return document.title").startswith("Zoe against")
    assert browser.run("return document.title").endswith("compared with ada")


def test_a_narrow_page_scrolls_only_its_tables(browser: Browser, scores: Path, errors: Path) -> None:
    for page in (scores, errors):
        browser.open(page)
        browser.resize(400)
        assert browser.run("return document.documentElement.scrollWidth") <= 400
        name = browser.run("return document.querySelector('tbody th').getBoundingClientRect().width")
        assert name >= 100


def test_dark_mode_and_print(browser: Browser, errors: Path) -> None:
    browser.open(errors)
    light = browser.colour("body", "backgroundColor"), browser.colour("#pages a")
    browser.darken()
    assert browser.colour("body", "backgroundColor") == "rgb(20, 23, 28)"
    assert browser.colour("#pages a") != light[1]
    browser.command("Emulation.setEmulatedMedia", media="print")
    assert (browser.count(".bar"), browser.count(".systems")) == (0, 2)
    made = browser.command("Page.printToPDF", printBackground=True)
    assert base64.b64decode(made["data"]).startswith(b"%PDF-")


def test_without_the_script_all_is_there(browser: Browser, errors: Path) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(errors)
        text = browser.chrome.find_element("css selector", "main").text
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
    assert all(words in text for words in (*NAMES, "missing mention", "the mean over all orders"))
