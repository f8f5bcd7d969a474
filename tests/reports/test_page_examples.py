"""Examples of errors and entities one by one, and the links that lead to them."""

import json
import re
import shlex
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from error_pages import EXAMPLE, Parsed, clusters, counts_of, hostile, made, written
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis.listing import Spread, as_shown, chosen_first, example_order
from scorch2.cli.main import main
from scorch2.reports.page.frame import anchor


def test_every_kind_has_its_examples_and_every_count_leads_there(tmp_path: Path) -> None:
    page = Parsed(made(tmp_path, "--types=english", *EXAMPLE))
    numbers = {kind: number for kind, number in counts_of(tmp_path, EXAMPLE).items() if number}
    assert [its["id"] for its in page.all("details", class_="kind")] == [f"kind={kind}" for kind in numbers]
    assert len(page.all("li", class_="card")) == sum(numbers.values())
    for kind in numbers:
        links = page.all("a", href=f"#kind={kind}")
        assert len(links) >= 4, kind  # name and count of the table, name and bar of the figure
        assert len([its for its in links if its.get("tabindex") != "-1"]) == 2  # in the table and the legend
    assert page.all("a", href="#doc=harbour-000&kind=divided")
    assert page.all("a", href="#doc=harbour-000&m=1.3-4&error=divided")


def test_ids_are_names_in_percent(tmp_path: Path) -> None:
    assert anchor('a b/"<&=#%ä', "m 1", side="system") == (
        "doc=a%20b%2F%22%3C%26%3D%23%25%C3%A4&m=m%201&side=system"
    )
    page = Parsed(made(tmp_path, *hostile(tmp_path, "a b&m=1 <x>")))
    assert "doc=a%20b%26m%3D1%20%3Cx%3E" in page.ids()


def test_cards_say_what_the_system_did(tmp_path: Path) -> None:
    said = did_of(made(tmp_path, *EXAMPLE))
    assert "The system has “Mara Lind” in its entity a (4), the first mention in its entity 3 (3)." in said
    assert "The system lacks the whole gold entity 4 (5): “an old friend”." in said
    assert (
        "The system conflates “the councillors” and 1 more mention, of gold entity 1 (1), with gold entity "
        "3 (3); they are in the wrong entity."
    ) in said


def did_of(page: str) -> list[str]:
    """Return what the cards of a page say that the system did, without marks."""
    found = re.findall(r"<p>(The system .*?|B .*?)</p></li>", page)
    return [unescape(re.sub("<[^>]*>", "", words)) for words in found]


def test_cards_name_entities_as_the_texts_do(tmp_path: Path) -> None:
    """In the file Ann is in entity 2, which fits no gold entity: it is A on the page; 2 is that of Bob."""
    text = '{"type": "clusters", "sentences": [["Ann", "met", "Bob"], ["She", "saw", "her", "and", "him"]], '
    sides = {
        "gold": '{"1": ["0.0-0", "1.0-0", "1.2-2"], "2": ["0.2-2", "1.4-4"]}',
        "sys": '{"2": ["0.0-0"], "1": ["1.0-0", "1.2-2"], "3": ["0.2-2", "1.4-4"]}',
    }
    for side, entities in sides.items():
        (tmp_path / f"{side}.json").write_text(f'{text}"clusters": {entities}}}', encoding="utf-8")
    page = made(tmp_path, *(str(tmp_path / f"{side}.json") for side in sides))
    assert did_of(page) == [
        "The system has “She” and 1 more mention in its entity 1 (1), the first mention in its entity a (2)."
    ]
    chips = re.findall('<b class="chip [^"]*" title="(system entity [^"]*)">', page)
    assert {unescape(chip) for chip in chips} == {
        "system entity 1 “1”, 2 mentions",
        "system entity a “2”, 1 mention",
    }


def test_cards_of_annotators_name_them_and_leave_the_text_as_it_is(tmp_path: Path) -> None:
    sentences = [["The", "gold", "of", "the", "system", "is", "it"]]
    for name, entities in (("a", {"1": ["0.0-1", "0.6-6"]}), ("b", {"2": ["0.3-4", "0.6-6"]})):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    path = tmp_path / "page.html"
    files = [str(tmp_path / f"{name}.json") for name in "ab"]
    assert main(["agreement", "-q", "--title=x", *files, "-o", str(path)]) == 0
    said = did_of(path.read_text("utf-8"))
    assert "B lacks “The gold” of A entity 1 (1)." in said
    assert "B adds “the system”, which A lacks, to its entity 1 (2)." in said


def test_pairs_have_fifty_cards_and_those_of_the_frequent_pairs(tmp_path: Path) -> None:
    """Seventy times "he" is cut off from "Ann", three times from "Bo", the last ones of the text."""
    names = ["Ann"] * 70 + ["Bo"] * 3
    gold = {str(i): [f"{i}.0-0", f"{i}.2-2"] for i in range(73)}
    system = {f"{i}{side}": [one] for i in range(73) for side, one in zip("ab", gold[str(i)], strict=True)}
    for name, entities in (("gold", gold), ("sys", system)):
        text = clusters([[who, "says", "he", "sleeps"] for who in names], entities)
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    words = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    page = Parsed(words)
    cards = page.all("li", class_="card")
    assert len(cards) == 51
    assert [its["class"].split()[1:] for its in cards[-3:]] == [["p2"], ["p2"], ["more", "p2"]]
    assert sum("p1" in its["class"].split() for its in cards) == 10
    assert [its["value"] for its in page.all("input", class_="pair")] == [None, "he ← ann", "he ← bo"]
    assert "he ← ann (70)" in words
    assert "50 of 73, of equal cost some from all over the texts" in words
    places = [int(row) for row in re.findall(r"<small>mention, row (\d+)</small>", words)]
    assert places[-1] == 71
    assert places[:50] == sorted(places[:50])
    assert {after - place for place, after in pairwise(places[:50])} == {1, 2}


@given(st.integers(1, 400), st.integers(1, 60))
def test_examples_of_equal_cost_lie_all_over_the_texts(number: int, room: int) -> None:
    """Every 1st, 2nd, 4th, 8th … is chosen, of these the most that there is room for, and some between."""
    spread = Spread()
    rows = [{"mentions_lost": 1, "links": 1, "place": place} for place in range(number)]
    chosen = as_shown(chosen_first([(spread.rank(example_order(row)), row) for row in rows], room))
    places = [row["place"] for row in chosen]
    assert len(places) == min(number, room)
    assert places == sorted(places)
    step = 1
    while -(-number // step) > room:
        step *= 2
    gaps = [after - place for place, after in pairwise([*places, number])]
    assert max(gaps) <= step


def test_those_that_cost_most_come_first() -> None:
    spread = Spread()
    rows = [{"mentions_lost": 1 + (place == 5), "links": 1, "place": place} for place in range(8)]
    chosen = as_shown(chosen_first([(spread.rank(example_order(row)), row) for row in rows], 3))
    assert [row["place"] for row in chosen] == [5, 0, 4]


# Entities one by one


def test_entities_are_those_that_lose_links(tmp_path: Path) -> None:
    """By hand: three gold entities lose a link, one of one mention is missing; three are conflated."""
    page = made(tmp_path, *EXAMPLE)
    shown = re.findall(r'<details id="doc=([^"&]*)&amp;entity=(\d+)(&amp;side=system)?"', page)
    assert len(shown) == 4 + 3
    assert sorted(document for document, _, system in shown if not system) == [
        "bridge-000", "harbour-000", "harbour-000", "harbour-000",
    ]  # fmt: skip
    facts = [unescape(re.sub("<[^>]*>", "", one)) for one in re.findall(r"<summary><h4>.*?</summary>", page)]
    captain = next(one for one in facts if "Its captain" in one or "Mara Lind" in one)
    assert "harbour-000 · 3 mentions · in 2 system entities · 1 link lost, 33.3 % of all lost" in captain
    friend = next(one for one in facts if "an old friend" in one)
    assert "1 mention · not found · 0 links lost, 0.0 % of all lost" in friend


def test_mentions_of_an_entity_have_the_colours_of_the_other_side(tmp_path: Path) -> None:
    """By hand: of Jack, entity 1, the system has two mentions in 1, one in that of Jim, and one not."""
    sentences = [["Jack", "saw", "him", "and", "he", "left", "Jim", "there"]]
    gold = {"jack": ["0.0-0", "0.2-2", "0.4-4", "0.7-7"], "jim": ["0.6-6"]}
    system = {"a": ["0.0-0", "0.2-2"], "b": ["0.4-4", "0.6-6"]}
    for name, entities in (("gold", gold), ("sys", system)):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    page = made(tmp_path, "--spans=none", str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    (context,) = re.findall(r'entity=1" class="entity".*?</details>', page, re.DOTALL)
    mentions = re.findall(r'<bdi class="m ([^"]*)" title="[^"]*"><sup>(.*?)</sup>(\w+)</bdi>', context)
    assert mentions == [
        ("h0 l0", "1", "Jack"), ("h0 l0", "1", "him"), ("single", "2", "he"), ("alone", "−", "there"),
    ]  # fmt: skip
    assert "4 mentions · in 2 system entities · 2 links lost, 100.0 % of all lost" in unescape(
        re.sub("<[^>]*>", "", context)
    )
    ids = Parsed(page).ids()
    assert {link[1:] for link in re.findall(r'href="(#[^"]*)"', unescape(context))} <= set(ids)


def test_mentions_in_hebrew_do_not_turn_what_stands_beside_them(tmp_path: Path) -> None:
    """The arrow from a mention to its antecedent, and quotes; a space of no width is shown as it is."""
    for side, entities in (("gold", {"a": ["0.0-0", "0.1-1", "0.2-2", "0.3-3"]}), ("sys", {"a": ["0.0-0"]})):
        text = clusters([["ה\u200bשר", '"הוא"', "ה\u200bשר", '"הוא"']], entities)
        (tmp_path / f"{side}.json").write_text(text, encoding="utf-8")
    page = made(tmp_path, *(str(tmp_path / f"{side}.json") for side in ("gold", "sys")))
    he, minister = "<bdi>&quot;הוא&quot;</bdi>", "<bdi>ה\u200bשר</bdi>"
    assert f"{he} ← {minister} (2)</label>" in page
    assert f"“{he}”" in page
    assert "\\u200b" not in page


# The command that corrects an entity

OPTIONS: tuple[list[str], ...] = (
    [],
    ["-m", "lea,muc", "--average=pooled", "--singletons=drop"],
    ["--spans=none", "--gains=order", "--profile=conll"],
    ["--types=english", "--spans=trim", "--undefined=zero"],
)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ["x", "Smith, Ann", "a\\,b", "it's 100 %"])
def test_the_page_shows_the_command_for_an_entity(name: str, options: list[str], tmp_path: Path) -> None:
    """It has the options of the page: its numbers are those of these options with the errors corrected."""
    paths = []
    for side, entities in (
        ("gold", {name: ["0.0-0", "0.2-2", "0.3-4"]}),
        ("sys", {"s": ["0.0-0"], "t": ["0.2-2", "0.4-4"]}),
    ):
        paths.append(str(tmp_path / f"{side}.json"))
        Path(paths[-1]).write_text(clusters([["He", "saw", "him", "and", "her"]], entities), encoding="utf-8")
    page = written(tmp_path / "page.html", *options, *paths).read_text("utf-8")
    found = re.search("<code>(scorch2 errors .*?--what-if=entity:.*?)</code>", page)
    assert found
    command = shlex.split(unescape(found[1]))[1:]
    assert command[-2:] == paths
    what_if = f"--what-if=entity:{name.replace(',', chr(92) + ',')}"
    told = []
    for words in (command, ["errors", what_if, *options, *paths]):
        assert main([*words, "-q", "-f", "json", "--force", "-o", str(tmp_path / "r.json")]) == 0
        report = json.loads((tmp_path / "r.json").read_text("utf-8"))
        told.append(
            {key: report[key] for key in ("scores", "errors", "options")}
            | {"if": [one["scores"] for one in report["what_if"]]}
        )
    assert told[0] == told[1]
    assert report["what_if"][0]["errors"] > 0, "an entity that loses links has errors"
