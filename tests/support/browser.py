"""Pages in headless Chromium, for tests of what a browser has to check: a plugin of pytest.

It needs the programs `chromium` and `chromedriver`; `tests/conftest.py` says what happens without them.
Every process of the tests loads it, so selenium is imported where it is needed.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from error_pages import EXAMPLE, HOSTILE, RANDOM, clusters, hostile, written

from scorch2.cli.main import main
from scorch2.reports.lists import in_sentence

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CSS = "css selector"
PATIENCE = 60
"""Seconds until a condition that does not come true is a failure."""


class Browser:
    """A browser with a page in it."""

    def __init__(self, chrome: "Chrome") -> None:
        self.chrome = chrome

    def open(self, path: Path) -> None:
        """Open a page anew, at its usual size and colours."""
        self.command("Emulation.clearDeviceMetricsOverride")
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        self.chrome.get("about:blank")
        self.log("browser")
        self.log("performance")
        self.chrome.get(path.as_uri())

    def resize(self, width: int, height: int = 844) -> None:
        """Give the window a size, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **size)
        drawn = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"  # events come before
        self.chrome.execute_async_script(drawn)

    def darken(self) -> None:
        """Ask for dark colours, as the system of a reader does."""
        self.command(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
        )

    def open_all(self) -> None:
        """Open all that is closed."""
        self.run("document.querySelectorAll('details').forEach(box => { box.open = true })")

    def violations(self, rules: str = "all") -> list[str]:
        """Return what axe finds to be inaccessible: the rule, and the first element that breaks it.

        Of `rules`, which are ``all``, ``colours`` or ``others``, those of colours take three times as long.
        """
        self.chrome.execute_script(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        asked: dict[str, Any] = {"resultTypes": ["violations"]}  # what is right is not described
        if rules == "colours":
            asked["runOnly"] = ["color-contrast"]
        elif rules == "others":
            asked["rules"] = {"color-contrast": {"enabled": False}}
        script = "axe.run(arguments[0]).then(result => arguments[1](result.violations))"
        found = self.chrome.execute_async_script(script, asked)
        return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}" for one in found]

    def assert_everybody_can_read(self) -> None:
        """Look at an open page in three widths; colours do not depend on it, but what they lie on may."""
        for width, rules in ((400, "all"), (900, "others"), (1400, "others")):
            self.resize(width)
            assert self.violations(rules) == [], width
            assert self.run("return document.documentElement.scrollWidth") <= width
        self.darken()
        assert self.violations("colours") == [], "dark"

    def run(self, script: str, *values: object) -> Any:
        """Return what a script returns."""
        return self.chrome.execute_script(script, *values)

    def wait_for(self, condition: str) -> None:
        """Wait until a condition holds: events of the browser come when it has time."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.chrome, PATIENCE).until(lambda _: self.run(f"return {condition}"))

    def command(self, name: str, **values: object) -> dict[str, Any]:
        """Run a command of the browser's own protocol."""
        return cast("dict[str, Any]", self.chrome.execute_cdp_cmd(name, values))

    def log(self, name: str) -> list[dict[str, Any]]:
        """Return what was logged since the last time."""
        chrome: Any = self.chrome  # has no types here
        return cast("list[dict[str, Any]]", chrome.get_log(name))

    def click(self, selector: str) -> None:
        """Click on the first element of a selector."""
        element = self.chrome.find_element(CSS, selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def press(self, *keys: str) -> None:
        """Press keys on what has the focus."""
        for key in keys:
            self.chrome.switch_to.active_element.send_keys(key)

    def count(self, selector: str) -> int:
        """Return the number of elements that are seen."""
        found = "[...document.querySelectorAll(arguments[0])]"
        return cast("int", self.run(f"return {found}.filter(e => e.checkVisibility()).length", selector))

    def focus(self) -> str:
        """Return the markup of what has the focus."""
        return cast("str", self.run("return document.activeElement.outerHTML"))

    def colour(self, selector: str, name: str = "color") -> str:
        """Return a computed colour."""
        script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
        return cast("str", self.run(script, selector, name))


def requests(browser: Browser) -> list[str]:
    """Return the addresses that the browser asked for since the last time."""
    events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    return [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]


def start(*options: str) -> "Chrome":
    """Start a browser without a window."""
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    os.environ["SE_OFFLINE"] = "true"  # Selenium's driver manager asks no other host
    chosen = ChromeOptions()
    chosen.binary_location = shutil.which("chromium") or "chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *options):
        chosen.add_argument(word)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Chrome(options=chosen, service=ChromeService(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def chrome() -> Iterator["Chrome"]:
    """Start one browser for all tests of a process."""
    started = start("--window-size=1280,900")
    yield started
    started.quit()


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def pairs(page_folder: Path) -> Path:
    """Two times "he" is cut off from names that occur once, three times from "Bo"."""
    gold = {str(i): [f"{i}.0-0", f"{i}.2-2"] for i in range(5)}
    system = {f"{i}{side}": [one] for i in range(5) for side, one in zip("ab", gold[str(i)], strict=True)}
    sentences = [[who, "says", "he", "sleeps"] for who in ("Bo", "Ann", "Bo", "Cy", "Bo")]
    for name, entities in (("pairs-gold", gold), ("pairs-sys", system)):
        (page_folder / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    return written(
        page_folder / "pairs.html", *(str(page_folder / f"pairs-{side}.json") for side in ("gold", "sys"))
    )


@pytest.fixture(scope="session")
def example(page_folder: Path) -> Path:
    return written(page_folder / "example.html", "--types=english", *EXAMPLE)


@pytest.fixture(scope="session")
def single(page_folder: Path) -> Path:
    return written(page_folder / "single.html", *RANDOM)


@pytest.fixture(scope="session")
def evil(page_folder: Path) -> Path:
    return written(page_folder / "evil.html", f"--title={HOSTILE[0]}{HOSTILE[1]}", *hostile(page_folder))


@pytest.fixture
def browser(chrome: "Chrome") -> Browser:
    return Browser(chrome)


_STARRED = """
    [...document.querySelectorAll('.card')].filter((_, i) => i % 3 === 0).forEach(card => star(card, true));
    write();
    return [location.href, starred().map(card => [card.closest('details').id, exampleOf(card)])];
"""
_SIDES = ("antecedent_", "", "instead_")
_MENTION = re.compile(r"(?<=\[).*(?=\])")
"""The words of a mention in its sentence, of which the page shows only the part around it."""


def starred(browser: Browser, folder: Path, *words: str) -> tuple[list[Any], list[Any]]:
    """Give every third example of a page a star, and return what it copies and what the command lists."""
    browser.open(written(folder / "page.html", *words))
    address, examples = browser.run(_STARRED)
    browser.chrome.get("about:blank")
    browser.chrome.get(address)
    assert browser.run("return starred().length") == len(examples), "the address has them all"
    listed = [f"--star={address}", "--list=examples", "--gains=none", "-f", "json", "--force"]
    assert main(["errors", "-q", *listed, "-o", str(folder / "list.json"), *words]) == 0
    rows = json.loads((folder / "list.json").read_text("utf-8"))["list"]
    copied = [
        [kind, one["document"], *(_MENTION.findall(line) for _, line in one["sentences"])]
        for kind, one in examples
    ]
    found = [
        [
            f"kind={row['kind']}",
            row["document"],
            *(_MENTION.findall(in_sentence(row, its)) for its in _SIDES if row.get(f"{its}sentence")),
        ]
        for row in rows
    ]
    return sorted(copied), sorted(found)
