"""Links, examples and the address of the page in headless Chromium."""

import re
from pathlib import Path

import pytest
from browser import CSS, Browser, starred
from error_pages import EXAMPLE, RANDOM, clusters, written

from scorch2.analysis.kinds import KINDS


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
    browser.resize(1280, 500)
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


def test_an_address_has_the_name_inside_the_file_and_outlives_another_name(
    browser: Browser, tmp_path: Path
) -> None:
    text = "#begin document (openboek); part 000\nx\t0\t0\tAnn\t(1)\nx\t0\t1\tshe\t{}\n\n#end document\n"
    (tmp_path / "sys.conll").write_text(text.format("(2)"), encoding="utf-8")
    for name in ("one", "two"):
        (tmp_path / f"{name}.conll").write_text(text.format("(1)"), encoding="utf-8")
        page = written(
            tmp_path / f"{name}.html", *(str(tmp_path / f"{side}.conll") for side in (name, "sys"))
        )
        card = re.search(r'<li class="card.*?<p class="pale">(.*?)</p>', page.read_text("utf-8"))
        assert card is not None
        assert re.sub("<[^>]*>", "", card[1]).startswith(f"{name} (openboek-000) · 1 mention")
        browser.open(page)
        browser.chrome.get("about:blank")
        browser.chrome.get(f"{page.as_uri()}#doc=openboek-000&m=0.1-1&error=divided")
        browser.wait_for(f"document.querySelector('.here')?.id === 'doc={name}&m=0.1-1&error=divided'")
        browser.click(".star")
        address = "#doc=openboek-000&m=0.1-1&error=divided&star="
        assert browser.run("return location.hash").startswith(address)
        assert "openboek-000" in browser.run("return location.hash").partition("star=")[2]
        browser.chrome.refresh()
        assert browser.count(".starred") == 1


def test_the_command_lists_the_examples_with_a_star(browser: Browser, tmp_path: Path) -> None:
    text = "#begin document (a, b); part 000\nx\t0\t0\tAnn\t(1)\nx\t0\t1\tshe\t{}\n\n#end document\n"
    for side, entity in (("gold", "(1)"), ("sys", "(2)")):
        (tmp_path / f"{side}.conll").write_text(text.format(entity), encoding="utf-8")
    named_inside = [str(tmp_path / f"{side}.conll") for side in ("gold", "sys")]
    named = []
    for side, entities in (("gold", {"a": ["0.0-0", "0.2-2"]}), ("sys", {"a": ["0.1-2"]})):
        (tmp_path / side).mkdir()
        named.append(str(tmp_path / side / "a, b&c=d é%2C.json"))
        Path(named[-1]).write_text(clusters([["He", "saw", "him"]], entities), encoding="utf-8")
    for words, number in ((EXAMPLE, 3), (RANDOM, 5), (named, 1), (named_inside, 1)):
        copied, listed = starred(browser, tmp_path, *words)
        assert len(copied) >= number
        assert copied == listed


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
