"""Looks of the page in headless Chromium: long texts, narrow, dark, printed."""

import base64
from itertools import pairwise
from pathlib import Path

import pytest
from browser import Browser
from error_pages import EXAMPLE, clusters, written
from selenium.webdriver.common.keys import Keys

from scorch2.analysis.kinds import KINDS


def test_what_scrolls_sideways_is_a_stop_of_the_keyboard(browser: Browser, example: Path) -> None:
    browser.open(example)
    wide = "[...document.querySelectorAll('.box')].filter(e => e.scrollWidth > e.clientWidth)"
    for width in (400, 900, 1400):
        browser.resize(width)
        browser.wait_for(f"{wide}.every(e => e.tabIndex === 0)")
        assert (browser.run(f"return {wide}.length") > 0) >= (width == 400)


@pytest.mark.parametrize("width", [700, 1400])
def test_the_order_of_focus_is_that_of_the_screen(browser: Browser, single: Path, width: int) -> None:
    browser.open(single)
    browser.resize(width)
    browser.press(Keys.TAB)
    place = "const e = document.activeElement, its = (e.labels?.[0] ?? e).getBoundingClientRect();"
    stops: list[tuple[float, float, float]] = []
    while not stops or stops[-1]:
        browser.press(Keys.TAB)
        stops.append(browser.run(f"{place} return e.closest('.bar') && [its.top, its.bottom, its.left]"))
    assert len(stops) > 20
    for (top, bottom, left), (next_top, next_bottom, next_left) in pairwise(stops[:-1]):
        is_behind = next_left > left and next_top < bottom and next_bottom > top
        assert is_behind or next_top >= bottom - 1


@pytest.mark.parametrize("width", [900, 1280, 1400, 2560])
def test_each_bar_of_tools_is_one_line(browser: Browser, width: int, tmp_path: Path) -> None:
    """All kinds have errors in one of two systems, so no kind is folded away."""
    other = f"--other={Path(EXAMPLE[1]).parent / 'other'}"
    folders = [str(Path(path).with_suffix("")) for path in EXAMPLE]
    browser.open(written(tmp_path / "page.html", other, *folders))
    browser.resize(width)
    seen = (
        "[...p.querySelectorAll('a, b, button, label, input[type=search]')].filter(e => e.checkVisibility())"
    )
    boxes = "map(e => { const b = e.getBoundingClientRect(); return [b.left, b.right, b.top, b.bottom]; })"
    for line in browser.run(f"return [...document.querySelectorAll('.bar p')].map(p => {seen}.{boxes})"):
        assert len(line) > 3
        assert max(top for *_, top, _ in line) < min(bottom for *_, bottom in line), "one below the other"
        for (_, right, *_), (left, *_) in pairwise(sorted(line)):
            assert left >= right - 1, "one over the other"
        assert line[-1][1] <= width


# Long texts


def test_of_a_long_text_only_what_is_seen_is_laid_out(browser: Browser, page_folder: Path) -> None:
    sentences = [["she", "saw", "him", "."] for _ in range(3000)]
    gold = [f"{row}.0-0" for row in range(3000)]
    paths = [page_folder / f"long-{side}.json" for side in ("gold", "sys")]
    for path, step in zip(paths, (1, 2), strict=True):
        path.write_text(clusters(sentences, {"x": gold[::step]}), encoding="utf-8")
    browser.open(written(page_folder / "long.html", "--page=plain", *map(str, paths)))
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
        browser.open_all()
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
    browser.resize(width, 900)
    for table in ("scores", "kinds"):
        box = f"const box = document.querySelector('table.{table}').parentElement;"
        assert browser.run(f"{box} return box.scrollWidth - box.clientWidth") == 0, table
    figure = "const figure = document.querySelector('.wide svg');"
    assert browser.run(f"{figure} return figure.clientWidth / figure.viewBox.baseVal.width") > 0.85


def test_letters_of_figures_are_readable_on_a_telephone(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.resize(400)
    figures = "[...document.querySelectorAll('.figure')].filter(e => e.checkVisibility())"
    scales = f"return {figures}.map(e => e.clientWidth / e.viewBox.baseVal.width)"
    assert min(12 * scale for scale in browser.run(scales)) >= 10  # pixels; letters have 12 in the drawing


def test_dark_mode_has_its_own_colours(browser: Browser, single: Path) -> None:
    browser.open(single)
    light = browser.colour("body", "backgroundColor"), browser.colour("body")
    assert light == ("rgb(255, 255, 255)", "rgb(20, 23, 28)")
    tint = browser.colour(".h0", "backgroundColor")
    browser.darken()
    dark = browser.colour("body", "backgroundColor"), browser.colour("body")
    assert dark == ("rgb(20, 23, 28)", "rgb(238, 241, 244)")
    assert browser.colour(".h0", "backgroundColor") != tint


def test_an_open_document_prints_and_a_closed_one_is_left_out(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.run("document.querySelector('.document').open = true")
    browser.command("Emulation.setEmulatedMedia", media="print")
    assert (browser.count(".document"), browser.count(".bar"), browser.count(".text")) == (1, 0, 1)
    assert {browser.colour(f"#where {name}", "breakAfter") for name in ("h2", "h3")} == {"avoid"}
    small = [browser.colour(f".card {part}", "fontSize") for part in ("p.pale", "p.in", "p:last-child")]
    assert all(float(size.removesuffix("px")) <= 12 for size in small), "9 pt, and notes are not larger"
    made = browser.command("Page.printToPDF", printBackground=True)
    assert base64.b64decode(made["data"]).startswith(b"%PDF-")


def test_every_kind_has_a_mark_of_its_own(browser: Browser, example: Path) -> None:
    browser.open(example)
    marks = browser.run("return [...document.querySelectorAll('.kinds .mark')].map(e => e.textContent)")
    assert marks == [kind.look.mark for kind in KINDS.values()]
    assert len(set(marks)) == len(KINDS)


OVERLAPS = """
    const figures = [...document.querySelectorAll('.figure')].filter(figure => figure.checkVisibility());
    return figures.flatMap(figure => {
      const boxes = [...figure.querySelectorAll('text')].map(e => [e.textContent, e.getBoundingClientRect()]);
      const frame = figure.getBoundingClientRect();
      const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
      return boxes.flatMap(([text, box], i) => [
        ...boxes.slice(i + 1).filter(other => over(box, other[1])).map(other => [text, other[0]]),
        ...(box.left < frame.left - 1 || box.right > frame.right + 1 ? [[text, 'outside']] : []),
      ]);
    });
"""


@pytest.mark.parametrize("width", [400, 900, 1400])
def test_no_text_of_a_figure_lies_over_another(
    browser: Browser, example: Path, single: Path, evil: Path, width: int
) -> None:
    for page in (example, single, evil):
        browser.open(page)
        browser.resize(width)
        assert browser.run(OVERLAPS) == [], page


def test_overlapping_words_are_seen(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.run(
        "document.querySelector('.figure').append(document.querySelector('.figure text').cloneNode(true))"
    )
    assert browser.run(OVERLAPS) != []


def test_figures_fit_a_telephone(browser: Browser, example: Path) -> None:
    browser.open(example)
    browser.resize(400)
    boxes = "[...document.querySelectorAll('.box:has(> .figure)')].filter(e => e.checkVisibility())"
    assert browser.run(f"return {boxes}.length") > 0
    assert browser.run(f"return {boxes}.every(e => e.scrollWidth <= e.clientWidth)")
