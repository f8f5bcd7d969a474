"""Patterns and places on the page: the numbers are those of the tables, and what is chosen is shown."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Browser
from error_pages import EXAMPLE, RANDOM, Parsed, written

import scorch2
from scorch2.analysis.kinds import KINDS


@pytest.mark.parametrize("words", [EXAMPLE, [*EXAMPLE, "--window=20"], RANDOM], ids=["", "window", "random"])
def test_the_page_has_the_numbers_of_the_tables(words: list[str], tmp_path: Path) -> None:
    windows = [20] if "--window=20" in words else []
    report = scorch2.errors(*words[:2], by="pattern,place", gains="none", types="english", windows=windows)
    page = written(tmp_path / "page.html", "--types=english", *words).read_text("utf-8")
    parsed = Parsed(page)
    bars = [its["data-n"] for name, its in parsed.elements if name in ("a", "g") and "data-n" in its]
    assert bars == [",".join(map(str, place.errors.values())) for place in report.places]
    counted = re.search('class="counts">(.*?)</p>', page, re.DOTALL)
    assert counted is not None
    assert [int(number) for number in re.findall("<output>([0-9]+)</output>", counted[1])] == [
        report.errors[kind].errors for kind in KINDS
    ]
    said = re.findall(r'<a [^>]*title="([^"]*)" data-t="[0-9]+">[^<]*\(([0-9]+)\)</a>', page)
    assert dict(said) == {name: str(count.errors) for name, count in report.patterns.items()}
    links = [its["href"] or "" for its in parsed.all("a") if "&pattern=" in (its["href"] or "")]
    assert [unquote(link.partition("&pattern=")[2]) for link in links] == [*report.patterns]


def test_a_bar_is_as_high_as_its_errors(tmp_path: Path) -> None:
    page = written(tmp_path / "page.html", "--window=20", *EXAMPLE).read_text("utf-8")
    report = scorch2.errors(*EXAMPLE, by="place", gains="none", windows=[20])
    (path,) = re.findall('<path d="([^"]*)" class="ink-divided"', page)
    assert f'<path d="{path}" fill="url(#hatch-divided)">' in page, "lines, for gray paper"
    bars = [(int(x), float(height)) for x, height in re.findall(r"M([0-9]+) [0-9.]+h9v([0-9.]+)h", path)]
    there = [(n, p.errors["divided"] / p.size) for n, p in enumerate(report.places) if p.errors["divided"]]
    assert [x // 10 for x, _ in bars] == [n for n, _ in there]
    scale = bars[0][1] / there[0][1]
    assert [height for _, height in bars] == pytest.approx([scale * rate for _, rate in there], abs=0.01)


def test_a_pattern_leaves_its_errors(example: Path, browser: Browser) -> None:
    browser.open(example)
    browser.open_all()
    browser.click(".patterns a[title='divided.other-head']")
    browser.wait_for("document.getElementById('found').value.startsWith('2 errors')")
    shown = "[...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).length"
    assert browser.run(f"return {shown}", ".error.divided:not(.unmatched)") == 2
    assert browser.run(f"return {shown}", ".common .card") == 2
    assert browser.run("return location.hash").endswith("kind=divided&pattern=divided.other-head")
    browser.chrome.refresh()
    browser.wait_for("document.getElementById('found').value.startsWith('2 errors')")
    browser.click("#all-kinds")
    browser.wait_for("!location.hash.includes('pattern')")
    assert browser.count(".patterns [aria-current]") == 0


def test_a_link_to_what_a_filter_hides_takes_the_filter_away(example: Path, browser: Browser) -> None:
    browser.open(example)
    browser.click("details[id='kind=divided'] summary")
    browser.click(".patterns a[title='divided.next-sentence']")  # one error, in bridge-000
    browser.wait_for("document.getElementById('found').value.startsWith('1 error')")
    assert browser.count("details[id='doc=letter-000']") == 0
    browser.run(
        "document.querySelector(`.places a[href^='#doc=letter-000']`).dispatchEvent("
        "new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    browser.wait_for("document.querySelector('.here')?.closest('details')?.id === 'doc=letter-000'")
    assert browser.count(".here") == 1
    assert browser.run("return location.hash").startswith("#doc=letter-000")
    assert "pattern" not in browser.run("return location.hash")


def test_a_part_of_the_bars_is_counted_alone(tmp_path: Path, browser: Browser) -> None:
    from selenium.webdriver import ActionChains

    browser.open(written(tmp_path / "page.html", "--window=20", *EXAMPLE))
    report = scorch2.errors(*EXAMPLE, by="place", gains="none", windows=[20])
    browser.run("document.querySelector('.places').scrollIntoView({block: 'center'})")
    bars = browser.chrome.find_elements("css selector", ".places [data-n]")
    move = ActionChains(browser.chrome).move_to_element(bars[1]).click_and_hold()
    move.move_to_element(bars[2]).move_to_element(bars[3]).release().perform()
    numbers = "[...document.querySelectorAll('.places output')].map(its => its.value)"
    part = [str(sum(place.errors[kind] for place in report.places[1:4])) for kind in KINDS]
    assert browser.run(f"return {numbers}")[:-1] == part
    assert json.dumps(part) != json.dumps([str(report.errors[kind].errors) for kind in KINDS])
    assert browser.run("return location.hash") == "", "a drag is no click"
    browser.click(".places button")
    assert browser.run(f"return {numbers}")[:-1] == [str(report.errors[kind].errors) for kind in KINDS]
    bars[1].click()  # the second half of the harbour, whose first error is at "it"
    browser.wait_for("document.querySelector('.here') !== null")
    assert browser.run("return location.hash").startswith("#doc=harbour-000&m=2.7-7")
    browser.assert_everybody_can_read()
