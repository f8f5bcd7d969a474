"""The page of two systems: a third column, whose errors are shown, and numbers that lead to them."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from browser import Browser, starred
from error_pages import Parsed, clusters, made, written
from span_clusters import TEXT, random_clusters, random_pair

from scorch2.analysis.kinds import KINDS
from scorch2.cli.main import main

WHO = ("both", "first", "second")
TOLD = "return document.querySelector('#what-if output').value"
KINDS_OF_SYSTEMS = ("span", "conflated", "extra_mention", "extra_entity")


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write a corpus with two systems that make errors of all kinds, and return the words of the command."""
    folder, random = tmp_path_factory.mktemp("two"), Random("a page of two systems")  # noqa: S311 - a sample
    for number in range(6):
        gold, first = random_pair(random)
        every = [mention for members in [*gold, *first] for mention in members]
        sides = {"gold": gold, "sys": first, "other": random_clusters(random, sorted({*every}))}
        for side, entities in sides.items():
            (folder / side).mkdir(exist_ok=True)
            named = {
                str(n): [f"0.{start}-{end - 1}" for start, end in members]
                for n, members in enumerate(entities)
            }
            content = clusters([[f"w{place}" for place in range(TEXT)]], named)
            (folder / side / f"d{number}.json").write_text(content, encoding="utf-8")
    return [f"--other={folder / 'other'}", str(folder / "gold"), str(folder / "sys")]


def shared(words: list[str], folder: Path) -> dict[str, dict[str, int]]:
    """Return the errors of both systems and of each alone by kind, as the JSON report has them."""
    assert main(["errors", "-q", "--gains=none", "--force", "-o", str(folder / "r.json"), *words]) == 0
    found = json.loads((folder / "r.json").read_text("utf-8"))["compared"]["errors"]
    assert all(sum(number[who] for number in found.values()) for who in WHO)
    return dict(found)


def test_items_marks_cards_and_links_are_as_many_as_the_table_says(words: list[str], tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, *words))
    classes = {
        name: Counter(tuple(its["class"].split()) for its in page.all(element, class_=name))
        for name, element in (("error", "li"), ("mark", "a"), ("card", "li"))
    }
    links = [its["href"] for its in page.all("a") if "&other=" in its["href"]]
    for kind, numbers in shared(words, tmp_path).items():
        for who, number in numbers.items():
            assert classes["error"]["error", kind, f"x-{who}"] == number
            # A span error is marked in gold and in the system; what both systems do, in either column
            marks = 1 + (kind == "span") + (who == "both" and kind in KINDS_OF_SYSTEMS)
            assert classes["mark"]["mark", kind, f"x-{who}"] == marks * number, (kind, who)
            assert links.count(f"#kind={kind}&other={who}") == 2 * (number > 0)
    for who in WHO:
        every = sum(numbers[who] for numbers in shared(words, tmp_path).values())
        assert sum(n for its, n in classes["card"].items() if f"x-{who}" in its) == every
    ids = page.ids()
    assert len(ids) == len(set(ids))
    assert {its["href"][1:] for its in page.all("a")} <= set(ids)


def test_the_page_says_which_system_a_part_is_about(words: list[str], tmp_path: Path) -> None:
    page = made(tmp_path, "--title=x", *words)
    other, _, system = words[0].partition("=")[2], *words[1:]
    assert f"The system is A ({system}); B ({other}) is the one that it is compared with." in page
    parts = page.split('<section id="')[1:]
    told = [part.partition('"')[0] for part in parts if "This part is about A, the system" in part]
    assert told == ["overview", "entities", "where", "documents"]
    cards = {re.sub(" .*", "", did) for did in re.findall(r"</p><p>(The \w+|[AB] \w+)", page)}
    assert cards == {"A", "B"}, "cards say which system did it"
    letters = re.findall(r'<b class="chip[^"]*"[^>]*>([A-Za-z]+)</b>', page)
    assert letters
    assert all(map(str.islower, letters)), "A and B are systems"


def test_a_number_shows_its_errors_alone(browser: Browser, words: list[str], tmp_path: Path) -> None:
    browser.open(written(tmp_path / "page.html", *words))
    browser.open_all()
    numbers = shared(words, tmp_path)
    for who in WHO:
        kind = max(KINDS, key=lambda kind: numbers[kind][who])
        browser.click(f"td a[href='#kind={kind}&other={who}']")
        browser.wait_for(f"document.getElementById('o-{who}').checked")
        assert browser.run("return location.hash") == f"#kind={kind}&other={who}"
        assert browser.count(".error") == browser.count(f".error.{kind}.x-{who}") == numbers[kind][who]
        assert browser.count(".card") == numbers[kind][who]
        assert browser.count("a.mark:not([aria-hidden])") == browser.count(f"a.mark.{kind}.x-{who}") > 0
    browser.click("#all-kinds")
    browser.click("[for=o-second]")
    assert browser.run("return location.hash") == "#other=second"
    assert browser.count(".error") == sum(numbers[kind]["second"] for kind in KINDS)
    browser.click("[for=v-wrong]")
    rows = browser.run(
        "return [...document.querySelectorAll('.text tbody tr')].filter(e => e.checkVisibility()).length"
    )
    assert rows == browser.count(".text tbody tr.has-second") > 0


def test_kinds_that_are_ticked_tell_the_score(browser: Browser, words: list[str], tmp_path: Path) -> None:
    browser.open(written(tmp_path / "page.html", *words))
    wanted = ["--what-if=kind:conflated", "--what-if=kind:conflated,kind:missing_mention"]
    wanted += ["-f", "json", "--force", "-o", str(tmp_path / "r.json")]
    assert main(["errors", "-q", *wanted, *words]) == 0
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    scores = [report["scores"]["conll"]["f1"], *(its["scores"]["conll"]["f1"] for its in report["what_if"])]
    shown = [f"{100 * score:.2f}" for score in scores]
    assert browser.run(TOLD) == f"CoNLL {shown[0]}"
    for kind, score in zip(("conflated", "missing_mention"), shown[1:], strict=True):
        browser.click(f"[for=w-{kind}]")
        assert browser.run(TOLD) == f"CoNLL {shown[0]} → {score}"


def test_the_command_lists_the_examples_of_both_with_a_star(
    browser: Browser, words: list[str], tmp_path: Path
) -> None:
    copied, listed = starred(browser, tmp_path, *words)
    assert len(copied) > 10
    assert copied == listed


def test_three_columns_fit_any_screen_and_are_read_by_everybody(
    browser: Browser, words: list[str], tmp_path: Path
) -> None:
    browser.open(written(tmp_path / "page.html", *words))
    browser.open_all()
    assert [browser.count(f".text th.{side}") for side in ("gold", "system", "second")] == [6, 6, 6]
    browser.click("[for=v-system]")
    assert [browser.count(f".text td.{side}") > 0 for side in ("gold", "system", "second")] == [
        *(False, True, True)
    ]
    browser.click("[for=v-gold]")
    assert [browser.count(f".text td.{side}") > 0 for side in ("gold", "system", "second")] == [
        *(True, False, False)
    ]
    browser.click("[for=v-both]")
    browser.assert_everybody_can_read()
