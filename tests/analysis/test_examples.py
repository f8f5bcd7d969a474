"""`--list=examples`: counted by hand on the example, and the same rows in every form."""

import json
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.analysis.kinds import KINDS
from scorch2.cli.main import main
from scorch2.reports.lists import MOST_EXAMPLES, in_sentence

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]
SPANS = [str(FIXTURES / "errors" / "spans" / f"{side}.conll") for side in ("gold", "sys")]
IDS = [str(FIXTURES / "errors" / "moved" / f"{side}.json") for side in ("gold", "sys")]
BRIDGE = {
    # The city council: two of its three mentions are with the engineers
    "kind": "divided", "document": "bridge-000", "mention": "1.8-9", "antecedent": "0.0-2",
    "text": "the councillors", "antecedent_text": "The city council", "mentions_lost": 2, "links": 1,
    "sentence": "Engineers say that it is safe , but the councillors want to widen it .",
    "antecedent_sentence": "The city council will rebuild the stone bridge next spring .",
    "row": "1", "antecedent_row": "0", "spans": [[36, 51]], "antecedent_spans": [[0, 16]],
    "gold": "1", "system": "3", "anchor": "1", "moved": True,
}  # fmt: skip


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["errors", "-q", "--gains=none", "--no-signature", "--list=examples", *words]) == 0
    return capsys.readouterr().out


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    found = json.loads(listed(capsys, "-f", "json", *words))["list"]
    assert isinstance(found, list)
    return found


def test_an_example_counted_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    first = rows(capsys, "--kind=divided", *EXAMPLE)[0]
    assert first.pop("patterns") == ["divided.other-string", "divided.next-sentence"]
    assert first == BRIDGE


def test_stars_of_an_address_choose_examples(capsys: pytest.CaptureFixture[str]) -> None:
    stars = [
        "doc%3Dbridge-000%26m%3D1.8-9%26error%3Ddivided",
        "doc%3Dharbour-000%26m%3D2.7-7%26error%3Ddivided",
    ]
    address = f"https://example.org/page.html#kind=span&star={','.join(stars)}"
    found = rows(capsys, f"--star={address}", *EXAMPLE)
    assert [(row["document"], row["mention"]) for row in found] == [
        ("bridge-000", "1.8-9"),
        ("harbour-000", "2.7-7"),
    ]
    assert {**found[0], "patterns": None} == {**BRIDGE, "patterns": None}
    assert found == rows(capsys, "-j2", *(f"--star=star={star}" for star in stars), *EXAMPLE)
    assert found == [*scorch2.errors(*EXAMPLE, list="examples", star=address).list]


def test_those_that_cost_most_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, *EXAMPLE)
    costs = [(row["mentions_lost"], row["links"]) for row in found]
    assert costs == sorted(costs, reverse=True)
    assert costs == [(2, 1), (2, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 0)]  # by hand, see the guide


@pytest.mark.parametrize("files", [EXAMPLE, SPANS], ids=["example", "spans"])
def test_every_error_is_an_example_and_its_words_stand_in_its_sentence(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = rows(capsys, *files)
    assert main(["errors", "-q", "--gains=none", "--list=errors", "-f", "json", *files]) == 0
    errors = json.loads(capsys.readouterr().out)["list"]
    assert sorted((row["document"], row["kind"], row["mention"], row["mentions_lost"]) for row in found) == (
        sorted((row["document"], row["kind"], row["mentions"][0], len(row["mentions"])) for row in errors)
    )
    for row in found:
        for before in ("", *["antecedent_"] * bool(row["antecedent"]), *["instead_"] * ("instead" in row)):
            (span,) = row[f"{before}spans"]
            assert row[f"{before}sentence"][slice(*span)] == row[f"{before}text"]
        assert ("instead" in row) == (row["kind"] == "span")


def test_a_span_error_shows_the_mention_of_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: gold has "the old king", the system "old king"."""
    sentences = [["He", "left", "."], ["Ann", "saw", "the", "old", "king", "."]]
    for side, span in (("gold", "1.2-4"), ("sys", "1.3-4")):
        value = {"type": "clusters", "sentences": sentences, "clusters": {"k": ["0.0-0", span]}}
        (tmp_path / f"{side}.json").write_text(json.dumps(value), encoding="utf-8")
    files = [str(tmp_path / f"{side}.json") for side in ("gold", "sys")]
    (row,) = rows(capsys, "--spans=overlap", *files)
    shown = {name: row[f"instead_{name}"] for name in ("text", "row", "sentence", "spans")}
    assert shown == {
        "text": "old king", "row": "1", "sentence": "Ann saw the old king .", "spans": [[12, 20]],
    }  # fmt: skip
    lines = listed(capsys, "--spans=overlap", *files).splitlines()
    assert [line.split("  ")[-1].strip() for line in lines[3:5]] == [
        "Ann saw [the old king] .", "Ann saw the [old king] .",
    ]  # fmt: skip
    assert "of gold, and below it that of the system" in " ".join(lines)
    path = tmp_path / "page.html"
    assert main(["errors", "-q", "--spans=overlap", *files, str(path)]) == 0
    (card,) = re.findall(r'<li class="card"[^>]*>(.*?)</li>', path.read_text("utf-8"), re.DOTALL)
    said = [unescape(re.sub("<[^>]*>", "", words)) for words in re.findall("<p[^>]*>(.*?)</p>", card)]
    assert said[1:] == [
        "gold, row 1 Ann saw the old king .",
        "system, row 1 Ann saw the old king .",
        "The system has “old king” in place of “the old king”.",
    ]
    assert re.findall("<mark>(.*?)</mark>", card) == ["the old king", "old king"]


def test_what_the_system_did_is_said_below_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand, with the numbers that the files have for entities."""
    said = {
        "divided": [
            ("The system has “the councillors” and 1 more mention in its entity 3, the first mention in its "
             "entity 1; they are in the wrong entity."),
            "The system has “Mara Lind” in its entity 4, the first mention in its entity 3.",
            ("The system has “it” in its entity 1, the first mention in its entity 2; it is in the wrong "
             "entity."),
        ],
        "missing_entity": ["The system lacks the whole gold entity 5: “an old friend”."],
    }  # fmt: skip
    for kind, sentences in said.items():
        cells = [
            line.split(" | ")[-1]
            for line in listed(capsys, "--format=markdown", f"--kind={kind}", *EXAMPLE).split("\n")
        ]
        assert [cell.strip("` |") for cell in cells if cell.startswith("`The system")] == sentences
        table = " ".join(listed(capsys, f"--kind={kind}", *EXAMPLE).split())
        assert all(f"→ {sentence}" in table for sentence in sentences)


def test_mentions_without_a_text_have_no_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, *IDS)
    assert {row["sentence"] for row in found} == {row["text"] for row in found} == {None}
    assert "[" not in listed(capsys, *IDS)


def test_kinds_and_documents_choose(capsys: pytest.CaptureFixture[str]) -> None:
    every = rows(capsys, *EXAMPLE)
    chosen = [row for row in every if row["kind"] == "divided" and row["document"] == "harbour-000"]
    assert rows(capsys, "--kind=divided", "--document=harbour-000", *EXAMPLE) == chosen
    assert len(chosen) == 2


def test_python_has_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    expected = rows(capsys, *EXAMPLE)
    sides = [[*scorch2.read(path)] for path in EXAMPLE]
    for found in (
        scorch2.errors(*EXAMPLE, list="examples"),
        scorch2.errors(*EXAMPLE),
        scorch2.errors(*sides, list="errors"),
    ):
        assert found.examples() == expected
        for kind in KINDS:
            assert found.examples(kind) == [row for row in expected if row["kind"] == kind]
    with pytest.raises(scorch2.UsageError, match='unknown kind of error "divide", did you mean divided'):
        found.examples("divide")


def test_tables_show_fifty_and_count_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seventy times "he" is cut off from "Ann", in a sentence of its own; by hand."""
    sentences = [["Ann", "says", "he", "sleeps"] for _ in range(70)]
    gold = {str(i): [f"{i}.0-0", f"{i}.2-2"] for i in range(70)}
    system = {f"{i}{side}": [one] for i in range(70) for side, one in zip("ab", gold[str(i)], strict=True)}
    for name, clusters in (("gold", gold), ("sys", system)):
        text = json.dumps({"type": "clusters", "sentences": sentences, "clusters": clusters})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    files = [str(tmp_path / "gold.json"), str(tmp_path / "sys.json")]
    shown = listed(capsys, *files)
    assert shown.count("Ann says [he] sleeps") == MOST_EXAMPLES == 50
    said = "Most frequent: he ← ann (70). 50 of 70 examples, of equal cost some from all over the texts;"
    assert said in " ".join(shown.split())
    markdown = listed(capsys, "-f", "markdown", *files)
    assert markdown.count("| divided entity |") == 51  # with the row of all of them
    assert "he ← ann (70)" in markdown
    assert len(listed(capsys, "-f", "tsv", *files).splitlines()) == 71


SENTENCE: Mapping[str, Any] = {"sentence": "one two three four five six", "spans": [[8, 13]]}


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (0, "one two [three] four five six"),
        (29, "one two [three] four five six"),
        (15, "…wo [three] fo…"),
        (5, "…[th…"),
    ],
)
def test_long_sentences_are_cut_around_the_mention(width: int, expected: str) -> None:
    assert in_sentence(SENTENCE, width=width) == expected


GLUED = [
    # A range of words, whose SpaceAfter counts; an empty node; words in brackets; the end of a sentence
    ("1 See _", "2 [ SpaceAfter=No", "3 5 Entity=(1)|SpaceAfter=No", "4 ] _", "5-6 du SpaceAfter=No",
     "5 de _", "6 le _", "6.1 _ SpaceAfter=No", "7 lui Entity=(1)|SpaceAfter=No"),
    ("1 Oh SpaceAfter=Nope", "2 it Entity=(1)"),
]  # fmt: skip


def conllu(sentences: list[tuple[str, ...]]) -> str:
    rows = [
        "\n".join("\t".join([ident, form, *"_" * 7, misc]) for ident, form, misc in map(str.split, one))
        for one in sentences
    ]
    return "# global.Entity = eid\n# newdoc id = d\n" + "\n\n".join(rows) + "\n\n"


def test_words_are_joined_as_the_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = conllu(GLUED)
    for side, written in (("gold", text), ("sys", text.replace("Entity=(1)|", "", 1))):
        (tmp_path / f"{side}.conllu").write_text(written, encoding="utf-8")
    files = [str(tmp_path / f"{side}.conllu") for side in ("gold", "sys")]
    (row,) = rows(capsys, *files)
    assert (row["sentence"], row["spans"]) == ("See [5] de lelui", [[5, 6]])
    (missing,) = (one for one in rows(capsys, *files[::-1]) if one["kind"] == "extra_mention")
    assert in_sentence(missing) == "See [[5]] de lelui"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("李明 说 “ 他 去 New York 大学 ” 。", "[李明]说“他去New York大学”。"),
        ("これ は ペン だ 。", "[これ]はペンだ。"),
        ("แมว กิน ปลา", "[แมว]กินปลา"),
        ("Li 明 and Bo went to 北京 .", "[Li] 明 and Bo went to 北京 ."),
        ("철수 는 갔다 .", "[철수] 는 갔다 ."),
    ],
)
def test_scripts_without_blanks_are_shown_without(
    words: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, entities in (("gold", {"a": ["0.0-0", "0.2-2"]}), ("sys", {"a": ["0.2-2"]})):
        value = {"type": "clusters", "sentences": [words.split()], "clusters": entities}
        (tmp_path / f"{side}.json").write_text(json.dumps(value), encoding="utf-8")
    (row,) = rows(capsys, *[str(tmp_path / f"{side}.json") for side in ("gold", "sys")])
    assert in_sentence(row) == shown
