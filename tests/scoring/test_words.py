"""The words of both sides are compared: spans say nothing about another text."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.cli.main import main

WORDS = [f"w{number}" for number in range(20)]
CLUSTERS, FEWER = [[[0, 0], [2, 2]], [[5, 6], [9, 9]]], [[[0, 0], [2, 2]]]
pytestmark = pytest.mark.usefixtures("folder")


def jsonl(path: str, *texts: Sequence[str], clusters: Any = CLUSTERS) -> str:
    rows = [
        {"doc_key": f"d{number}", "sentences": [list(words)], "clusters": clusters}
        for number, words in enumerate(texts)
    ]
    Path(path).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def conll(path: str, words: Sequence[str], *, row: str = "d0\t0\t{number}\t{word}\tNN\t{cell}") -> str:
    cells = {0: "(0)", 2: "(0)", **({} if path[0] == "g" else {4: "(1)"})}
    rows = [
        row.format(number=number, word=word, cell=cells.get(number, "-")) for number, word in enumerate(words)
    ]
    Path(path).write_text(
        "#begin document (d0);\n" + "\n".join(rows) + "\n\n#end document\n", encoding="utf-8"
    )
    return path


def changed(*places: int, word: str = "X") -> list[str]:
    return [word if place in places else old for place, old in enumerate(WORDS)]


def said(gold: str, system: str, **chosen: Any) -> list[tuple[str, str]]:
    notices = scorch2.score(gold, system, **chosen).notices
    return [(notice.document, notice.message) for notice in notices if notice.code == "words"]


def test_words_that_differ_are_counted_and_the_first_is_shown() -> None:
    system = jsonl("s.jsonl", changed(1, 7), clusters=FEWER)
    gold = jsonl("g.jsonl", WORDS)
    why = 'word 2 is "X", in gold "w1"'
    expected = f"2 of 20 words of the system are not those of gold ({why}): is it the same document?"
    assert said(gold, system) == [("g", expected)]


def test_words_that_stand_elsewhere_name_what_finds_them() -> None:
    """The copy lost the first word and won one at the end, so that all stand a word before their place."""
    gold = jsonl("g.jsonl", WORDS, clusters=[[[2, 2], [9, 9]]])
    system = jsonl("s.jsonl", [*WORDS[1:], "X"], clusters=[[[1, 1], [8, 8]]])
    ((_, message),) = said(gold, system)
    assert message.endswith(': most of these stand at another place: align="text" finds them')
    assert scorch2.score(gold, system, align="text").muc.f1 == 1.0


def test_one_word_in_twenty_may_differ() -> None:
    assert said(jsonl("g.jsonl", WORDS), jsonl("s.jsonl", changed(7), clusters=FEWER)) == []


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["-LRB-", "Ann", "-RRB-", "``", "''"], ["(", "ann", ")", '"', '"']),
        (["Médoc", "/.", "1\\/2"], ["medoc", ".", "1/2"]),
        (["Ann", "saw"], ["[UNK]", "saw"]),
        (["_", "_"], ["Ann", "saw"]),  # a corpus without its text
        (["[WORD]", "[WORD]"], ["Ann", "saw"]),
    ],
)
def test_spellings_of_programs_are_the_same_words(gold: list[str], system: list[str]) -> None:
    clusters = [[[0, 0], [1, 1]]]
    sides = jsonl("g.jsonl", gold, clusters=clusters), jsonl("s.jsonl", system, clusters=clusters)
    assert said(*sides) == []


@pytest.mark.parametrize(
    "row",
    [
        "d0\t0\t{number}\t{word}\tNN\t{cell}",
        "other\t0\t{number}\t{word}\t{cell}",
        "d0 0 {number} {word}   NN  {cell}",
        "{word}\t{cell}",
    ],
)
def test_columns_may_be_others_if_the_words_are_the_same(row: str) -> None:
    gold = conll("g.conll", WORDS)
    assert said(gold, conll("s.conll", WORDS, row=row)) == []
    ((_, message),) = said(gold, conll("x.conll", changed(*range(20)), row=row))
    assert message.startswith(
        '20 of 20 words of the system are not those of gold (word 1 is "X", in gold "w0")'
    )


def test_texts_of_characters_are_compared_too() -> None:
    clusters = [[[0, 3], [8, 11]]]
    for name, text in (("g", "Ann saw her dog."), ("s", "Ann met her cat."), ("same", "Ann saw her dog.")):
        Path(name).write_text(json.dumps({"text": text, "clusters": clusters}), encoding="utf-8")
    ((_, message),) = said("g", "s")
    assert message.startswith('2 of 4 words of the system are not those of gold (word 2 is "met", in gold')
    assert said("g", "same") == []


def test_another_tokenisation_of_the_same_text_is_offered_the_way_to_compare_it() -> None:
    gold = jsonl("g.jsonl", ["a", "bc", "d"], clusters=[[[0, 0], [2, 2]]])
    system = jsonl("s.jsonl", ["ab", "c", "d"], clusters=[[[0, 0], [2, 2]]])
    ((_, message),) = said(gold, system)
    assert message.endswith('the text is the same: align="characters" compares two tokenisations')
    assert said(gold, system, align="characters") == []


def test_documents_that_are_shifted_by_order_are_noticed() -> None:
    texts = [[f"{name}{number}" for number in range(20)] for name in "abc"]
    gold, system = jsonl("g.jsonl", *texts), jsonl("s.jsonl", texts[1], texts[2], texts[0])
    assert [document for document, _ in said(gold, system, pair="order")] == ["d0", "d1", "d2"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_sides_without_words_are_not_compared(jobs: int) -> None:
    plain = {"type": "clusters", "clusters": {"a": ["0.0-0", "0.2-2"]}}
    Path("d0.json").write_text(json.dumps(plain), encoding="utf-8")
    gold = conll("g.conll", WORDS)
    assert said(gold, "d0.json", jobs=jobs) == said("d0.json", gold, jobs=jobs) == []


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "muc"],
        ["errors"],
        ["compare"],
        ["confidence", "-n", "2", "-g"],
        ["significance", "-n", "2", "-g"],
        ["are", "--task=4"],
        ["evaluate", "-g"],
        ["analyze", "-g"],
        ["compare-measures", "-m", "strong_mention_match,muc", "-g"],
    ],
)
def test_every_command_that_pairs_warns_and_strict_makes_it_an_error(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold = jsonl("g.jsonl", WORDS)
    systems = [jsonl("s.jsonl", changed(1, 2), clusters=FEWER)]
    if words[0] in ("significance", "compare-measures"):
        systems.append(jsonl("t.jsonl", WORDS, clusters=FEWER))
    assert main([*words, gold, *systems]) == 0
    line = "2 of 20 words of the system are not those of gold"
    assert line in capsys.readouterr().err
    assert main([*words, gold, *systems, "--strict"]) == 2
    assert re.search(f"scorch2: error: (g|d0): {line}", capsys.readouterr().err)
