"""The page in headless Chromium: what it asks for, its switches, search, keys."""

import re
from pathlib import Path

import pytest
from browser import CSS, Browser, requests
from error_pages import SHOWN
from selenium.webdriver import Keys

from scorch2.analysis.kinds import KINDS

# What it asks for and runs


def test_a_page_asks_for_nothing_and_logs_nothing(browser: Browser, example: Path, evil: Path) -> None:
    for page in (example, evil):
        browser.open(page)
        browser.open_all()
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
    assert requests(browser)[1:] in ([], ["https://example.org/x.png"])  # blocked before it is sent


# Switches, search, sorting


@pytest.mark.parametrize("kind", KINDS)
def test_unchecking_a_kind_hides_its_rows_and_marks(browser: Browser, single: Path, kind: str) -> None:
    browser.open(single)
    rows, marks = f".document .{kind}.error", f".text .mark.{kind}"
    before = browser.count(".document .error"), browser.count(".text .mark")
    own = browser.count(rows), browser.count(marks)
    assert browser.count(f"label[for=f-{kind}]") == (own != (0, 0))  # one without errors is folded away
    if own == (0, 0):
        return
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
        assert not browser.chrome.find_element(CSS, "#find").is_displayed()
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
    browser.press(*"It the")
    browser.wait_for("document.getElementById('found').value.startsWith('1 error')")
    fit = [text for text in texts if "it ←" in text and "← the" in text.lower()]
    assert browser.count(".document .error") == len(fit)
    assert 0 < len(fit) < len(texts)
    assert browser.run("return document.getElementById('found').value").startswith(f"{len(fit)} error")
    browser.press(Keys.ESCAPE)
    assert browser.count(".document .error") == len(texts)


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("councillors", 2),  # conflated and divided
        ("councillor", 0),  # no whole word
        ("entity", 0),  # a word of the page
        ('"city council"', 1),
        ('"council city"', 0),
        ("council city", 1),
        ("COUNCIL.", 0),
    ],
)
def test_a_search_is_for_words_and_phrases_of_the_text(
    browser: Browser, example: Path, asked: str, number: int
) -> None:
    browser.open(example)
    browser.run("find.value = arguments[0]; return filter()", asked)
    assert browser.run("return document.getElementById('found').value").startswith(f"{number} error")


@pytest.mark.parametrize(
    ("asked", "text", "fits"),
    [
        ("李明", "李明说他", True),  # no blanks between words
        ("민수", "민수는", True),  # an ending
        ("är", "lär", False),
        ("a.b", "axb", False),
        ("don't", "I don't know", True),
        ("U.S.", "the U.S. army", True),
    ],
)
def test_words_are_found_in_all_scripts(
    browser: Browser, example: Path, asked: str, text: str, fits: bool
) -> None:
    browser.open(example)
    assert browser.run("return wordPattern(arguments[0]).test(arguments[1])", asked, text) == fits


def test_starred_examples_are_in_the_address_and_copied(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.click(".card .star")
    assert browser.count(".card.starred") == 1
    address = browser.run("return location.href")
    browser.chrome.get("about:blank")
    browser.chrome.get(address)
    assert browser.run("return starred().map(card => card.dataset.c)") == [
        "doc=bridge-000&m=1.8-9&error=conflated"
    ]
    copies = browser.run("return Object.keys(COPIES).map(form => COPIES[form](starred().map(exampleOf)))")
    assert copies[0].startswith(
        "* **conflated entities**, bridge-000  \n  antecedent, row 1: \\[Engineers\\] say"
    )
    assert copies[1].split("\n")[1].split("\t")[:2] == ["conflated entities", "bridge-000"]
    assert "\\ex \\textit{conflated entities}, bridge-000\\\\{}\n    [Engineers] say" in copies[2]
    browser.click(".copy[value=TSV]")
    browser.wait_for("document.getElementById('found').value === '1 example copied as TSV'")
    browser.click(".card.starred .star")
    assert browser.run("return location.hash") == ""


def test_latex_and_markdown_copies_are_plain_text(browser: Browser, evil: Path) -> None:
    browser.open(evil)
    assert browser.run("return latex('50% of $x_1 & {#} ~ ^ \\\\a')") == (
        r"50\% of \$x\_1 \& \{\#\} \textasciitilde{} \textasciicircum{} \textbackslash{}a"
    )
    assert browser.run("return markdown('*a* [b](c) <i>')") == r"\*a\* \[b\](c) \<i\>"


def test_enter_in_the_search_shows_what_was_found(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.press("/")
    browser.press(*"friend")
    said = "1 error in 1 document; Enter goes there"
    browser.wait_for(f"document.getElementById('found').value === '{said}'")  # after the last letter
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


def test_the_first_stop_of_the_keyboard_is_a_link_to_the_content(browser: Browser, single: Path) -> None:
    browser.open(single)
    stops = []
    for _ in range(24):
        browser.press(Keys.TAB)
        stops.append(browser.focus())
    assert 'class="skip"' in stops[0]
    assert 'href="#overview"' in stops[1]
    assert [stop for stop in stops if stop.startswith("<bdi")] == []
    assert any(stop.startswith("<summary") or "<button" in stop for stop in stops)
    browser.open(single)
    browser.press(
        *[Keys.TAB] * (1 + next(place for place, stop in enumerate(stops) if 'id="f-span"' in stop))
    )
    browser.press(Keys.SPACE)
    assert browser.run("return document.getElementById('f-span').checked") is False
    label = "return getComputedStyle(document.querySelector('label[for=f-span]')).outlineStyle"
    assert browser.run(label) == "solid"


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
