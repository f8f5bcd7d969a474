"""The page in headless Chromium: every line of what a browser has to check.

It needs the programs `chromium` and `chromedriver`; `tests/conftest.py` says what happens without them.
"""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from error_pages import FIXTURES, HOSTILE, SHOWN, clusters, hostile, written
from selenium.webdriver import Chrome, ChromeOptions, ChromeService, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from scorch2.analysis.kinds import KINDS
from scorch2.figures.kit import MARKS

CSS = By.CSS_SELECTOR
EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]
CASE = [str(FIXTURES / "errors" / "random-tokens" / f"{side}.conll") for side in ("gold", "sys")]
PATIENCE = 60
"""Seconds until a condition that does not come true is a failure."""


class Browser:
    """A browser with a page in it."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def open(self, path: Path) -> None:
        """Open a page anew, at its usual size and colours."""
        self.command("Emulation.clearDeviceMetricsOverride")
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        self.chrome.get("about:blank")
        self.log("browser")
        self.log("performance")
        self.chrome.get(path.as_uri())

    def run(self, script: str, *values: object) -> Any:
        """Return what a script returns."""
        return self.chrome.execute_script(script, *values)

    def wait_for(self, condition: str) -> None:
        """Wait until a condition holds: events of the browser come when it has time."""
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


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    """Start one browser for all tests."""
    chosen = ChromeOptions()
    chosen.binary_location = shutil.which("chromium") or "chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        chosen.add_argument(word)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = Chrome(options=chosen, service=ChromeService(shutil.which("chromedriver")))
    yield started
    started.quit()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def pairs(folder: Path) -> Path:
    """Two times "he" is cut off from names that occur once, three times from "Bo"."""
    gold = {str(i): [f"{i}.0-0", f"{i}.2-2"] for i in range(5)}
    system = {f"{i}{side}": [one] for i in range(5) for side, one in zip("ab", gold[str(i)], strict=True)}
    sentences = [[who, "says", "he", "sleeps"] for who in ("Bo", "Ann", "Bo", "Cy", "Bo")]
    for name, entities in (("pairs-gold", gold), ("pairs-sys", system)):
        (folder / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    return written(folder / "pairs.html", *(str(folder / f"pairs-{side}.json") for side in ("gold", "sys")))


@pytest.fixture(scope="module")
def example(folder: Path) -> Path:
    return written(folder / "example.html", "--types=english", *EXAMPLE)


@pytest.fixture(scope="module")
def single(folder: Path) -> Path:
    return written(folder / "single.html", *CASE)


@pytest.fixture(scope="module")
def evil(folder: Path) -> Path:
    return written(folder / "evil.html", f"--title={HOSTILE[0]}{HOSTILE[1]}", *hostile(folder))


@pytest.fixture
def browser(chrome: Chrome) -> Browser:
    return Browser(chrome)


def requests(browser: Browser) -> list[str]:
    """Return the addresses that the browser asked for since the last time."""
    events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    return [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]


# What it asks for and runs


def test_a_page_asks_for_nothing_and_logs_nothing(browser: Browser, example: Path, evil: Path) -> None:
    for page in (example, evil):
        browser.open(page)
        browser.run("document.querySelectorAll('details').forEach(box => { box.open = true })")
        browser.press("n", "p", "/")
        assert requests(browser) == [page.as_uri()]
        assert browser.log("browser") == []


def test_hostile_text_appears_as_written_and_nothing_runs(browser: Browser, evil: Path) -> None:
    browser.open(evil)
    title = SHOWN[0] + SHOWN[1]
    assert (browser.run("return document.title"), browser.run("return location.hash")) == (title, "")
    assert browser.run("return document.querySelector('h1').textContent") == title
    shown = "[...document.querySelectorAll('.text tbody td:not(.why)')].map(e => e.innerText)"
    browser.run("document.querySelector('.text').scrollIntoView()")
    browser.wait_for(f"{shown}.every(words => words)")  # what is not seen is not laid out
    for cell in browser.run(f"return {shown}"):
        plain = re.sub(r"\s+", " ", cell)
        assert all(word in plain for word in SHOWN), plain
    for selector in (".document .error a", ".document .error .pale bdi"):
        found = set(
            browser.run(
                "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
            )
        )
        assert found & set(SHOWN)
        written = " ".join([*SHOWN, "he", "x"])
        assert all(text.removesuffix("…") in written for text in found)
    assert browser.run("return document.querySelectorAll('img, main script, main b b').length") == 0


def test_the_policy_refuses_what_is_added(browser: Browser, example: Path) -> None:
    browser.open(example)
    script = """
        const made = document.createElement(arguments[0]);
        arguments[0] === 'script' ? made.textContent = "document.title = 'run'" : made.src = arguments[1];
        if (arguments[0] === 'div') made.setAttribute('style', 'color: red');
        document.body.append(made);
    """
    title = browser.run("return document.title")
    for name in ("script", "img", "div"):
        browser.run(script, name, "https://example.org/x.png")
        assert "Content Security Policy" in str(browser.log("browser")), name
    assert browser.run("return document.title") == title
    assert requests(browser)[1:] in (
        [],
        ["https://example.org/x.png"],
    )  # blocked before it is sent


# Switches, search, sorting


@pytest.mark.parametrize("kind", KINDS)
def test_unchecking_a_kind_hides_its_rows_and_marks(browser: Browser, single: Path, kind: str) -> None:
    browser.open(single)
    rows, marks = f".document .{kind}.error", f".text .mark.{kind}"
    before = browser.count(".document .error"), browser.count(".text .mark")
    own = browser.count(rows), browser.count(marks)
    browser.click(f"label[for=f-{kind}]")
    assert (browser.count(rows), browser.count(marks)) == (0, 0)
    assert browser.count(".document .error") == before[0] - own[0]
    assert browser.count(".text .mark") == before[1] - own[1]
    browser.click(f"label[for=f-{kind}]")
    assert (browser.count(rows), browser.count(marks)) == own


def test_views_show_one_side_both_or_what_is_wrong(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.click("#open-all")
    sentences, wrong = browser.count(".text tbody tr"), browser.count(".text tbody tr:not(.right)")
    assert 0 < wrong < sentences

    def seen() -> tuple[int, int]:
        return browser.count(".text td.gold"), browser.count(".text td.system")

    for view, expected in {
        "gold": (sentences, 0),
        "system": (0, sentences),
        "wrong": (wrong, wrong),
        "both": (sentences, sentences),
    }.items():
        browser.click(f"label[for=v-{view}]")
        assert seen() == expected, view


def test_switches_work_without_the_script(browser: Browser, single: Path) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(single)
        assert browser.chrome.find_elements(CSS, "#tools:not([hidden])") == []
        rows = browser.chrome.find_elements(CSS, ".document .divided.error")
        assert rows
        assert all(row.is_displayed() for row in rows)
        browser.chrome.find_element(CSS, "label[for=f-divided]").click()
        assert not any(row.is_displayed() for row in rows)
        browser.chrome.find_element(CSS, "label[for=v-gold]").click()
        assert not browser.chrome.find_element(CSS, ".text td.system").is_displayed()
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_a_search_for_two_words_leaves_the_rows_that_have_both(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.click("#open-all")
    texts = browser.run("return [...document.querySelectorAll('.document .error')].map(e => e.textContent)")
    browser.press("/")
    browser.press(*"Entity the")
    browser.wait_for("document.getElementById('found').value")
    fit = [text for text in texts if "entity" in text.lower() and "the" in text.lower()]
    assert browser.count(".document .error") == len(fit)
    assert 0 < len(fit) < len(texts)
    assert browser.run("return document.getElementById('found').value").startswith(f"{len(fit)} errors in ")
    browser.press(Keys.ESCAPE)
    assert browser.count(".document .error") == len(texts)


def test_enter_in_the_search_shows_what_was_found(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.press("/")
    browser.press(*"friend")
    said = "return document.getElementById('found').value"
    browser.wait_for(said.removeprefix("return "))
    assert browser.run(said) == "1 error in 1 document; Enter goes there"
    assert browser.count(".document .error") == 0
    browser.press(Keys.ENTER)
    assert browser.count(".document .error") == 1
    row = "[...document.querySelectorAll('.document .error')].find(e => e.getClientRects().length)"
    assert "an old friend" in browser.run(f"return {row}.textContent")
    assert 0 < browser.run(f"return {row}.getBoundingClientRect().top") < browser.run("return innerHeight")


def test_enter_in_an_empty_search_opens_nothing(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.press("/")
    browser.press(Keys.ENTER)
    assert browser.count(".document[open]") == 0


def test_columns_sort_up_and_down(browser: Browser, example: Path) -> None:
    browser.open(example)
    head = ".documents thead th:nth-child({})"
    cells = "return [...document.querySelectorAll('.documents tbody tr')].map(r => r.cells[{}].textContent)"
    conll = browser.run("return [...document.querySelectorAll('.documents thead th')].map(e => e.innerText)")
    place = conll.index("CoNLL")
    for number, kind in ((place, float), (0, str)):
        orders = []
        for _ in range(2):
            browser.click(f"{head.format(number + 1)} button")
            shown = browser.run(cells.format(number))
            order = browser.run(
                f"return document.querySelector('{head.format(number + 1)}').getAttribute('aria-sort')"
            )
            assert shown == sorted(shown, key=kind, reverse=order == "descending")
            orders.append(order)
        assert sorted(orders) == ["ascending", "descending"]
        assert browser.run("return document.querySelectorAll('[aria-sort]').length") == 1


# Keys, links, chains


def test_keys_walk_through_marks_and_enter_goes_to_the_row(browser: Browser, single: Path) -> None:
    browser.open(single)
    marks = browser.run(
        "return [...document.querySelectorAll('.text a.mark')].map(e => e.getAttribute('href'))"
    )
    browser.press("n", "n", "n", "p")
    assert browser.run("return document.activeElement.getAttribute('href')") == marks[1]
    assert "solid" in browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    browser.press(Keys.ENTER)
    browser.wait_for(f"document.querySelector(':target')?.id === '{marks[1][1:]}'")
    row = browser.run("return document.querySelector(':target').getBoundingClientRect().toJSON()")
    assert 0 <= row["top"] < browser.run("return innerHeight")
    back = browser.run("return document.querySelector(':target a').getAttribute('href')")
    browser.click(":target a")
    browser.wait_for(f"document.querySelector(':target')?.id === '{back[1:]}'")
    browser.press("n")
    assert browser.run("return document.activeElement.getAttribute('href')") == marks[2]


def test_a_click_on_a_mention_shows_its_entity_on_that_side(browser: Browser, single: Path) -> None:
    browser.open(single)
    shown = "return [...document.querySelectorAll('.m.on')].map(e => e.dataset.e + e.closest('td').className)"
    its = "return [...document.querySelectorAll('td.gold .m[data-e=\"0\"]')].length"
    browser.click("td.gold .m[data-e='0'] sup")
    found = browser.run(shown)
    assert set(found) == {"0gold"}
    assert len(found) == browser.run(its) > 1
    browser.press(Keys.ESCAPE)
    assert browser.run(shown) == []


def test_links_lead_somewhere_and_open_what_is_closed(browser: Browser, example: Path) -> None:
    browser.open(example)
    wrong = """
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        const links = [...document.querySelectorAll('a[href]')].map(e => e.getAttribute('href').slice(1));
        const labels = [...document.querySelectorAll('label')].map(e => e.htmlFor);
        return [ids.length - new Set(ids).size, ids.length,
                [...links, ...labels].filter(id => !document.getElementById(id))];
    """
    double, number, lost = browser.run(wrong)
    assert (double, lost) == (0, [])
    assert number > 40
    assert browser.count(".text") == 0
    browser.click(".documents tbody tr:nth-child(2) a")
    second, third = browser.run("return [...document.querySelectorAll('.document')].map(e => e.id)")[1:]
    browser.wait_for(f"document.getElementById('{second}').open")
    mark = f"document.getElementById('{third}').querySelector('.text a.mark')"
    browser.run(f"location.hash = {mark}.getAttribute('href')")
    browser.wait_for(f"document.getElementById('{third}').open")


def test_links_to_a_part_show_where_it_begins(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.command(
        "Emulation.setDeviceMetricsOverride", width=1280, height=500, deviceScaleFactor=1, mobile=False
    )
    for link, begins in (
        (".bar [href='#documents']", "#documents h2"),
        ("#documents tr:nth-child(1) th a", "details.document summary"),
        (".bar [href='#where']", "#where h2"),
        ("#documents tr:nth-child(2) th a", "details.document:nth-of-type(2) summary"),
    ):
        browser.click(link)
        top = f'document.querySelector("{begins}").getBoundingClientRect().top'
        bar = "document.querySelector('.bar').getBoundingClientRect().bottom"
        browser.wait_for(f"{bar} <= {top} && {top} < innerHeight")


def test_the_first_stop_of_the_keyboard_is_a_link_to_the_content(browser: Browser, single: Path) -> None:
    browser.open(single)
    stops = []
    for _ in range(24):
        browser.press(Keys.TAB)
        stops.append(browser.focus())
    assert 'class="skip"' in stops[0]
    assert 'id="f-span"' in stops[1]
    assert [stop for stop in stops if stop.startswith("<bdi")] == []
    assert any(stop.startswith("<summary") or "<button" in stop for stop in stops)
    browser.open(single)
    browser.press(Keys.TAB, Keys.TAB, Keys.SPACE)
    assert browser.run("return document.getElementById('f-span').checked") is False
    label = "return getComputedStyle(document.querySelector('label[for=f-span]')).outlineStyle"
    assert browser.run(label) == "solid"


# Examples, and the address


SHOWN_KINDS = "return [...document.querySelectorAll('[id^=f-]:checked')].map(e => e.id.slice(2))"


def test_the_name_of_a_kind_leads_to_its_examples_and_shows_only_them(
    browser: Browser, example: Path
) -> None:
    browser.open(example)
    browser.click(".kinds a[href='#kind=divided']")
    browser.wait_for("document.querySelectorAll('[id^=f-]:checked').length === 1")
    assert browser.run("return location.hash") == "#kind=divided"
    assert browser.run(SHOWN_KINDS) == ["divided"]
    assert browser.count(".card") == 3
    top = browser.run("return document.getElementById('kind=divided').getBoundingClientRect().top")
    assert 0 < top < browser.run("return innerHeight")
    browser.click(".divided .card a")
    browser.wait_for("document.querySelector('.error.here')?.id === 'doc=bridge-000&m=1.8-9&error=divided'")
    assert browser.run("return location.hash") == "#doc=bridge-000&m=1.8-9&error=divided&kind=divided"
    assert browser.count(".error") == 1


@pytest.mark.parametrize(
    ("address", "target", "kinds"),
    [
        ("#doc=harbour-000&m=2.7-7", "doc=harbour-000&m=2.7-7", list(KINDS)),
        ("#doc=harbour-000&m=2.7-7&kind=divided", "doc=harbour-000&m=2.7-7", ["divided"]),
        ("#doc=harbour-000&m=0.5-6&view=wrong", None, list(KINDS)),
        ("#kind=span,divided", None, ["span", "divided"]),
    ],
)
def test_an_address_says_what_is_seen(
    browser: Browser, example: Path, address: str, target: str | None, kinds: list[str]
) -> None:
    browser.open(example)
    browser.chrome.get("about:blank")
    browser.chrome.get(example.as_uri() + address)
    for _ in range(2):
        assert browser.run(SHOWN_KINDS) == kinds
        if target is not None:
            assert browser.run("return document.querySelector('.here').id") == target
            assert browser.count(".here") == 1
        assert browser.run("return document.getElementById('v-wrong').checked") is ("wrong" in address)
        assert browser.run("return location.hash") == address
        browser.chrome.refresh()


def test_what_is_chosen_is_in_the_address_and_stays_on_reload(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.click("button.only[value=conflated]")
    browser.click("label[for=v-wrong]")
    browser.press("/")
    browser.press(*"it")
    browser.wait_for("location.hash.endsWith('find=it')")
    seen = "return [...document.querySelectorAll('.error:not(.unmatched)')].map(e => e.id)"
    before = browser.run(SHOWN_KINDS), browser.run(seen), browser.run("return location.hash")
    assert before[0] == ["conflated"]
    assert before[2] == "#kind=conflated&view=wrong&find=it"
    browser.chrome.refresh()
    assert (browser.run(SHOWN_KINDS), browser.run(seen), browser.run("return location.hash")) == before
    browser.click("#all-kinds")
    assert browser.run(SHOWN_KINDS) == list(KINDS)
    assert browser.run("return location.hash") == "#kind=conflated&view=wrong&find=it".replace(
        "kind=conflated&", ""
    )


def test_a_mention_of_an_entity_leads_into_the_text(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.click(".entity summary")
    browser.click(".entity[open] .context .m")
    assert browser.log("browser") == []
    link = browser.run("return document.querySelector('.entity .context a').getAttribute('href')")
    browser.click(".entity .context a")
    browser.wait_for(f"document.querySelector('.here')?.id === '{link[1:]}'")
    assert browser.count(".document[open]") == 1


def test_sentences_with_errors_follow_the_kinds(browser: Browser, single: Path) -> None:
    browser.open(single)
    browser.click("label[for=v-wrong]")
    every = browser.count(".text tbody tr")
    browser.click("button.only[value=missing_mention]")
    some = browser.count(".text tbody tr")
    assert some == browser.run("return document.querySelectorAll('.text .has-missing_mention').length")
    assert 0 < some < every


def test_a_pair_chooses_cards_and_sentences(browser: Browser, pairs: Path) -> None:
    """By hand, see the page: three pairs of "he" and "Bo" among others."""
    browser.open(pairs)
    assert browser.count(".card") == 5
    browser.click("label[for=p-divided-1]")
    assert browser.count(".card") == 3
    browser.click("label[for=v-wrong]")
    browser.click("#open-all")
    assert browser.count(".text tbody tr") == 3
    assert browser.run("return decodeURI(location.hash)") == "#kind=divided&view=wrong&pair=he ← bo"
    browser.chrome.refresh()
    assert browser.count(".card") == 3
    browser.click("label[for=p-divided-0]")
    assert browser.count(".card") == 5
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(pairs)
        browser.chrome.find_element(CSS, "label[for=p-divided-1]").click()
        shown = [card.is_displayed() for card in browser.chrome.find_elements(CSS, ".card")]
        assert sorted(shown) == [False, False, True, True, True]
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_arrows_go_from_link_to_link_of_a_row(browser: Browser, single: Path) -> None:
    browser.open(single)
    row = "[...document.querySelectorAll('.text tbody tr')].find(e => e.querySelectorAll('a').length > 2)"
    links = browser.run(f"return [...{row}.querySelectorAll('a')].map(e => e.outerHTML)")
    browser.run(f"{row}.querySelector('a').focus()")
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert browser.focus() == links[1]
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert browser.focus() == links[0]


def test_what_is_copied_is_the_text(browser: Browser, single: Path) -> None:
    browser.open(single)
    cell = "[...document.querySelectorAll('.text td.gold')].find(e => e.querySelector('.mark'))"
    browser.run(f"getSelection().selectAllChildren({cell}.parentElement.children[1])")
    plain = (
        f"const copy = {cell}.cloneNode(true); copy.querySelectorAll('.mark, sup').forEach(e => e.remove());"
    )
    copied, expected = browser.run(f"{plain} return [getSelection().toString(), copy.textContent]")
    assert copied.split() == expected.split()


def test_what_scrolls_sideways_is_a_stop_of_the_keyboard(browser: Browser, example: Path) -> None:
    browser.open(example)
    wide = "[...document.querySelectorAll('.box')].filter(e => e.scrollWidth > e.clientWidth)"
    for width in (400, 900, 1400):
        browser.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=False
        )
        browser.wait_for(f"{wide}.every(e => e.tabIndex === 0)")
        assert (browser.run(f"return {wide}.length") > 0) >= (width == 400)


# Long texts


def test_of_a_long_text_only_what_is_seen_is_laid_out(browser: Browser, folder: Path) -> None:
    sentences = [["she", "saw", "him", "."] for _ in range(3000)]
    gold = [f"{row}.0-0" for row in range(3000)]
    paths = [folder / f"long-{side}.json" for side in ("gold", "sys")]
    for path, step in zip(paths, (1, 2), strict=True):
        path.write_text(clusters(sentences, {"x": gold[::step]}), encoding="utf-8")
    browser.open(written(folder / "long.html", *map(str, paths)))
    rows = "[...document.querySelectorAll('.text tbody tr')]"
    seen = f"return {rows}.filter(e => e.children[1].checkVisibility({{contentVisibilityAuto: true}})).length"
    assert browser.run(f"return {rows}.length") == 3000
    assert browser.run(seen) < 300
    marks = "[...document.querySelectorAll('.text a.mark')]"
    browser.press("p")
    assert browser.run(f"return {marks}.indexOf(document.activeElement)") == 1499
    assert 0 < browser.run("return document.activeElement.getBoundingClientRect().top") < 900
    assert browser.run(seen) < 300


# Narrow, dark, print


def test_nothing_scrolls_sideways_on_a_telephone(browser: Browser, example: Path, evil: Path) -> None:
    for page in (example, evil):
        browser.open(page)
        browser.command(
            "Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True
        )
        browser.run("document.querySelectorAll('details').forEach(box => { box.open = true })")
        assert browser.run("return document.documentElement.scrollWidth") == 390
        gold, system = (
            browser.run(
                "return document.querySelector(arguments[0]).getBoundingClientRect().top", f"td.{side}"
            )
            for side in ("gold", "system")
        )
        assert gold < system
        errors = "return document.querySelector('.kinds td').getBoundingClientRect().right"
        assert browser.run(errors) <= 390


@pytest.mark.parametrize("width", [1130, 1290, 1600])
def test_the_overview_is_not_cut_and_its_figure_is_readable(
    browser: Browser, example: Path, width: int
) -> None:
    browser.open(example)
    browser.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
    )
    for table in ("scores", "kinds"):
        box = f"const box = document.querySelector('table.{table}').parentElement;"
        assert browser.run(f"{box} return box.scrollWidth - box.clientWidth") == 0, table
    figure = "const figure = document.querySelector('.wide svg');"
    assert browser.run(f"{figure} return figure.clientWidth / figure.viewBox.baseVal.width") > 0.85


def test_dark_mode_has_its_own_colours(browser: Browser, single: Path) -> None:
    browser.open(single)
    light = browser.colour("body", "backgroundColor"), browser.colour("body")
    assert light == ("rgb(255, 255, 255)", "rgb(20, 23, 28)")
    tint = browser.colour(".h0", "backgroundColor")
    browser.command(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    dark = browser.colour("body", "backgroundColor"), browser.colour("body")
    assert dark == ("rgb(20, 23, 28)", "rgb(238, 241, 244)")
    assert browser.colour(".h0", "backgroundColor") != tint


def test_an_open_document_prints_and_a_closed_one_is_left_out(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.run("document.querySelector('.document').open = true")
    browser.command("Emulation.setEmulatedMedia", media="print")
    assert (browser.count(".document"), browser.count(".bar"), browser.count(".text")) == (1, 0, 1)
    assert {browser.colour(f"#where {name}", "breakAfter") for name in ("h2", "h3")} == {"avoid"}
    made = browser.command("Page.printToPDF", printBackground=True)
    assert base64.b64decode(made["data"]).startswith(b"%PDF-")


def test_every_kind_has_a_mark_of_its_own(browser: Browser, example: Path) -> None:
    browser.open(example)
    marks = browser.run("return [...document.querySelectorAll('.kinds .mark')].map(e => e.textContent)")
    assert marks == list(MARKS.values())
    assert len(set(marks)) == len(KINDS)
