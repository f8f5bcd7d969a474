"""A page whose texts are packed, in headless Chromium: they open where they are wanted."""

from pathlib import Path

import pytest
from browser import Browser
from error_pages import EXAMPLE, written

from scorch2.reports.page import texts

ERRORS = "document.querySelectorAll('.document .error').length"
PACKED = "document.querySelectorAll('.packed').length"


@pytest.fixture(scope="module")
def plain(page_folder: Path) -> Path:
    return written(page_folder / "plain.html", "--page=plain", *EXAMPLE)


@pytest.fixture(scope="module")
def packed(page_folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        for name in ("ROOM", "FIRST", "SIZE"):
            patched.setattr(texts, name, 0)
        return written(page_folder / "packed.html", *EXAMPLE)


def test_what_is_opened_is_unpacked_near_the_window(browser: Browser, packed: Path) -> None:
    browser.open(packed)
    before, parts = browser.run(f"return {ERRORS}"), browser.run(f"return {PACKED}")
    assert browser.count("#packed") == 0
    browser.run("document.querySelector('.document:has(.packed)').open = true")
    browser.run("document.querySelector('.document[open]').scrollIntoView()")
    browser.wait_for(f"{ERRORS} > {before}")
    assert 0 < browser.run(f"return {PACKED}") < parts
    assert browser.log("browser") == []


def test_a_link_to_an_error_opens_its_part_alone(browser: Browser, plain: Path, packed: Path) -> None:
    browser.open(plain)
    target = browser.run("return [...document.querySelectorAll('.document .error')].at(-1).id")
    unmarked = browser.run("return [...document.querySelectorAll('.text [data-m]')].at(-1).dataset.m")
    document = browser.run("return [...document.querySelectorAll('.document')].at(-1).id")
    for place in (target, f"{document}&m={unmarked}"):
        browser.open(packed)
        parts = browser.run(f"return {PACKED}")
        browser.run("location.hash = arguments[0]", place)
        browser.wait_for("document.querySelector('.document .here')")
        assert browser.count(".document .here") == 1
        assert browser.run(f"return {PACKED}") > 0.5 * parts


def test_a_search_finds_what_it_finds_in_the_plain_page(browser: Browser, plain: Path, packed: Path) -> None:
    found = []
    for page in (plain, packed):
        browser.open(page)
        browser.run("find.value = 'the'; return filter()")
        found.append(browser.run("return document.getElementById('found').value"))
    assert found[0] == found[1]
    assert browser.run(f"return {PACKED}") == 0


def test_keys_walk_into_packed_parts(browser: Browser, plain: Path, packed: Path) -> None:
    seen = []
    for page in (plain, packed):
        browser.open(page)
        browser.open_all()
        focused = []
        for key in "nnnnnnnnnpp":
            before = browser.focus()
            browser.press(key)
            browser.wait_for("document.activeElement.matches('a.mark')")
            if page == packed:
                browser.wait_for(f"document.activeElement.outerHTML !== {before!r}")
            focused.append(browser.run("return document.activeElement.getAttribute('href')"))
        seen.append(focused)
    assert seen[0] == seen[1]


def test_what_is_open_is_printed_whole(browser: Browser, plain: Path, packed: Path) -> None:
    for page in (plain, packed):
        browser.open(page)
        browser.run("[...document.querySelectorAll('.document')].at(-1).open = true")
        browser.run("window.texts = [...document.querySelectorAll('.document')].at(-1).textContent")
    browser.command(
        "Runtime.evaluate", expression="new Promise(done => setTimeout(done, 500))", awaitPromise=True
    )
    browser.command("Page.printToPDF")
    assert browser.run("return document.querySelectorAll('.document[open] .packed').length") == 0
    assert browser.run(f"return {PACKED}") > 0


def test_without_the_script_a_line_says_what_is_packed(browser: Browser, packed: Path) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(packed)
        shown = browser.chrome.find_element("id", "packed")
        assert shown.is_displayed()
        assert "--page=plain" in shown.text
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
