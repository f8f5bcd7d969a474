"""The texts of the page: numbers and colours of entities, mentions inside mentions, lines, directions."""

import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path

from effort import assert_in_proportion
from error_pages import Parsed, clusters, made
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis.error_report import ShownText
from scorch2.reports.page.texts import TOO_DEEP, MentionPart, entity_letter, parts_of


def labels(page: str, side: str) -> list[str]:
    cells = re.findall(rf'<td class="{side}".*?</td>', page, re.DOTALL)
    return re.findall("<sup>(.*?)</sup>", "".join(cells))


def test_numbers_and_letters_of_entities(tmp_path: Path) -> None:
    """By hand: b shares two mentions with gold 1, so a, with one, gets number 2; c and d fit none."""
    sentences = [["a"] * 7]
    gold = {"g1": ["0.0-0", "0.1-1", "0.2-2"], "g2": ["0.3-3"]}
    system = {"a": ["0.0-0", "0.3-3"], "b": ["0.1-1", "0.2-2"], "c": ["0.4-4", "0.5-5"], "d": ["0.6-6"]}
    for name, entities in (("gold", gold), ("sys", system)):
        (tmp_path / f"{name}.json").write_text(clusters(sentences, entities), encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    assert labels(page, "gold") == ["1", "1", "1", "2"]
    assert labels(page, "system") == ["2", "1", "1", "2", "a", "a", "b"]
    texts = "".join(re.findall(r'<table class="text">.*?</table>', page, re.DOTALL))
    classes = re.findall(r'class="m ([\w ]+)"', texts)
    assert classes == [
        *["h0 l0"] * 3, "single",
        "single", *["h0 l0"] * 2, "single", "unfit alone", "unfit alone", "single alone",
    ]  # fmt: skip


def test_letters_go_on_after_z() -> None:
    assert [entity_letter(number) for number in (0, 25, 26, 27, 701, 702)] == [
        "a",
        "z",
        "aa",
        "ab",
        "zz",
        "aaa",
    ]


def test_crossing_mentions_are_cut_and_opened_again() -> None:
    """By hand: [0, 3) and [2, 5) cross, so the second is cut at 3, and at 4, where a row ends."""
    shown = ShownText("abcdef", [(0, 4), (4, 6)], ["0", "1"], "")
    found = parts_of([[(0, 3)], [(2, 5)]], shown)
    assert found == [
        [MentionPart(0, 3, 0, is_first=True, level=1), MentionPart(2, 3, 1, is_first=True, level=0),
         MentionPart(3, 4, 1, is_first=False, level=0)],
        [MentionPart(4, 5, 1, is_first=False, level=0)],
    ]  # fmt: skip


SPANS = st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda pair: (pair[0], min(20, sum(pair))))


@given(st.lists(st.lists(SPANS, min_size=1, max_size=2), max_size=16), st.sets(st.integers(1, 19)))
def test_parts_nest_and_hold_what_the_mentions_hold(
    spans: list[list[tuple[int, int]]], cuts: set[int]
) -> None:
    ends = [0, *sorted(cuts), 20]
    rows = list(pairwise(ends))
    found = parts_of(spans, ShownText("x" * 20, rows, [""] * len(rows), ""))
    covered: list[set[int]] = [set() for _ in spans]
    left_out = set()
    for (start, end), parts in zip(rows, found, strict=True):
        for number, part in enumerate(parts):
            assert start <= part.start <= part.end <= end
            if part.level == TOO_DEEP:
                left_out.add(part.mention)
                around = [one for one in parts[:number] if one.level != TOO_DEEP and one.end > part.start]
                assert len(around) == 1 + 6
                continue
            covered[part.mention] |= set(range(part.start, part.end))
            assert 0 <= part.level <= 6
            for other in parts[number + 1 :]:
                assert other.start >= part.start
                assert other.end <= part.end or other.start >= part.end
    for mention, its in enumerate(spans):
        whole = {i for start, end in its for i in range(start, end)}
        assert covered[mention] == whole or (mention in left_out and covered[mention] < whole)
    begins = [part.mention for parts in found for part in parts if part.is_first]
    assert sorted(begins) == list(range(len(spans)))


def test_mentions_deeper_than_six_levels_are_counted_and_links_to_them_lead_to_the_row(
    tmp_path: Path,
) -> None:
    """By hand: nine mentions inside each other, in one row; the system lacks the last entity of three."""
    spans = [f"0.{n}-{18 - n}" for n in range(9)]
    entities = {str(n): spans[n : n + 3] for n in (0, 3, 6)}
    for name, its in (("gold", entities), ("sys", {"0": spans[:3], "3": spans[3:6]})):
        (tmp_path / f"{name}.json").write_text(clusters([["w"] * 19], its), encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    assert labels(page, "gold") == ["1"] * 3 + ["2"] * 3 + ["3"]
    assert re.findall(r"(\d+) more mentions? inside of these", page) == ["2"]
    parsed = Parsed(page)
    links = {its["href"] or "" for its in parsed.all("a")}
    assert {"#doc=gold&m=0.7-11", "#doc=gold&m=0.8-10"} & links
    assert {link[1:] for link in links} <= set(parsed.ids())


def test_parts_of_mentions_inside_each_other_are_found_in_proportion() -> None:
    def nested(number: int) -> None:
        rows = [(start, start + 20) for start in range(0, 2 * number, 20)]
        text = ShownText("x" * (2 * number), rows, [""] * len(rows), "")
        parts_of([[(n, 2 * number - n)] for n in range(number)], text)

    assert_in_proportion(nested, 400)


# Texts of other kinds


def test_characters_are_shown_in_lines(tmp_path: Path) -> None:
    lines = ["Anna saw <Ben>.", "", f"She {'w ' * 150}left."]
    whole = "\n".join(lines)
    value = {"type": "clusters", "text": whole, "offsets": "exclusive", "unit": "char"}
    she = whole.index("She")
    for name, its in (("gold", [[0, 4], [she, she + 3]]), ("sys", [[0, 4], [9, 14]])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({**value, "clusters": {"e": its}}), encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    cells = re.findall(r'<td class="gold"[^>]*>(.*?)</td>', page)
    plain = [unescape(re.sub(r"<sup>.*?</sup>|<a .*?</a>|<[^>]*>", "", cell)) for cell in cells]
    assert plain[0] == lines[0]
    assert " ".join(plain[1:]) == lines[2]
    assert all(len(line) <= 210 for line in plain)


def test_a_text_from_right_to_left_says_so(tmp_path: Path) -> None:
    """`dir=auto` passes over mentions, so a row that begins with one would be taken for English."""
    for name in ("gold", "sys"):
        path = tmp_path / f"{name}.json"
        path.write_text(clusters([["الكتاب", "abc"], ["abc", "الكتاب"]], {"e": ["0.0-0", "1.1-1"]}))
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    assert re.findall(r'<td class="\w+" dir="(\w+)"', page) == ["rtl", "rtl", "auto", "auto"]


def test_texts_have_blanks_where_they_are_written(tmp_path: Path) -> None:
    words = ["李明", "说", "他", "去", "New", "York", "大学", "。"]
    sides = {"gold": ["0.0-0", "0.2-2", "0.4-6"], "sys": ["0.0-0", "0.4-6"]}
    for side, mentions in sides.items():
        (tmp_path / f"{side}.json").write_text(clusters([words], {"a": mentions}), encoding="utf-8")
    page = made(tmp_path, *(str(tmp_path / f"{side}.json") for side in sides))
    shown = [unescape(re.sub("<sup>.*?</sup>|<[^>]*>", "", cell)) for cell in
             re.findall(r'<td class="(?:gold|system)".*?</td>', page, re.DOTALL)]  # fmt: skip
    assert shown[0].endswith("New York大学。")
    assert re.sub("[^\\w ]", "", shown[1]) == "李明说他去New York大学"
    assert "李明说" in unescape(re.sub("<[^>]*>", "", "".join(re.findall('<p class="in">.*?</p>', page))))


def test_long_sentences_without_blanks_are_cut(tmp_path: Path) -> None:
    """Of 800 letters 120 before a mention and 160 behind it are shown."""
    for side, mentions in (("gold", ["0.50-50", "0.70-70"]), ("sys", ["0.70-70"])):
        text = clusters([["好" * 8] * 100], {"a": mentions})
        (tmp_path / f"{side}.json").write_text(text, encoding="utf-8")
    page = made(tmp_path, str(tmp_path / "gold.json"), str(tmp_path / "sys.json"))
    card = re.search(r"<bdi>(…好*)<mark>(好*)</mark>(好*…)</bdi>", page)
    assert card is not None
    assert [len(part) for part in card.groups()] == [121, 8, 161]
