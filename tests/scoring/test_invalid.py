"""One bad document need not stop all: ``--invalid=skip`` leaves it out, and says so."""

import json
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.model.errors import InputError, PairingError

GOOD, BROKEN, TWICE = "(1)", "(1", "(1)|(2)"
CLUSTERS = {"a": ["m1", "m2"]}
pytestmark = pytest.mark.usefixtures("folder")


def put(path: str, text: str) -> str:
    Path(path).parent.mkdir(exist_ok=True, parents=True)
    Path(path).write_text(text, encoding="utf-8")
    return path


def conll(**cells: str) -> str:
    """Return a file of documents of two words, with the cell of the first of each."""
    return "".join(
        f"#begin document ({name});\nw\t{cell}\nv\t(2)\n#end document\n" for name, cell in cells.items()
    )


def lefts(gold: str, system: str, **chosen: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the documents that are scored, and those that are left out, with the reason."""
    report = scorch2.score(gold, system, invalid="skip", **chosen)
    skipped = [(notice.document, notice.message) for notice in report.notices if notice.code == "invalid"]
    assert f"invalid=skip({len(skipped)})" in report.signature()
    return [document.id for document in report.documents], skipped


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("broken", ["gold", "sys"])
def test_a_document_with_a_broken_bracket_is_left_out_of_its_file(jobs: int, broken: str) -> None:
    sides = {"gold": conll(a=GOOD, b=GOOD, c=GOOD), "sys": conll(a=GOOD, b=GOOD, c="-")}
    sides[broken] = conll(a=GOOD, b=BROKEN, c=GOOD)
    for side, text in sides.items():
        put(side, text)
    why = f'{broken}: line 6: a mention of entity "1" begins here ("w") and does not end in the document'
    with pytest.raises(InputError, match=r"line 6: a mention"):
        scorch2.score("gold", "sys", jobs=jobs)
    assert lefts("gold", "sys", jobs=jobs) == (["a", "c"], [("b", f"left out: {why}")])


def test_what_cannot_be_matched_is_left_out_too() -> None:
    gold, system = put("gold", conll(a=GOOD, b=GOOD)), put("sys", conll(a=TWICE, b=GOOD))
    documents, ((name, why),) = lefts(gold, system)
    assert (documents, name) == (["b"], "a")
    assert why.startswith(
        'left out: sys: document "a", cluster "2": mention "0.0-0" ("w") is already in cluster "1"'
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_of_a_folder_that_cannot_be_read_is_left_out(jobs: int) -> None:
    for name in "abc":
        put(f"gold/{name}.json", json.dumps({"type": "clusters", "clusters": CLUSTERS}))
        put(f"sys/{name}.json", json.dumps({"type": "clusters", "clusters": CLUSTERS}))
    put("gold/b.json", '{"type": "clusters", "clusters": {"a": [null]}}')
    put("sys/c.json", "{")
    put("sys/a.json", json.dumps({"type": "clusters", "clusters": {"a": ["m1"]}}))
    documents, skipped = lefts("gold", "sys", jobs=jobs)
    assert documents == ["a"]
    assert [name for name, _ in skipped] == ["b", "c"]
    assert skipped[0][1].startswith("left out: gold/b.json: $.clusters.a[0]: ")


def test_a_broken_line_is_left_out_by_its_name() -> None:
    rows = [{"doc_key": name, "sentences": [["w", "v"]], "clusters": [[[0, 0], [1, 1]]]} for name in "abc"]
    lines = [json.dumps(row) for row in rows]
    gold = put("g.jsonl", "\n".join(lines) + "\n")
    lines[1] = lines[1].replace("[1, 1]", "[1, 9]")
    lines[2] = lines[2].replace("[1, 1]", "[1, ]")
    system = put("s.jsonl", "\n".join(lines) + "\n")
    documents, ((first, why), (second, reason)) = lefts(gold, system)
    assert (documents, first, second) == (["a"], "b", "c")
    assert why.startswith("left out: s.jsonl: line 2: $.clusters[0][1]: ")
    assert reason.startswith("left out: s.jsonl: line 3")


def test_documents_of_a_folder_against_a_file_are_left_out_by_their_names() -> None:
    put("gold/bc/a.conll", conll(a=GOOD))
    put("gold/bn/b.conll", conll(b=GOOD, c=GOOD))
    put("all.conll", conll(a=BROKEN, b="-", c=GOOD))
    documents, ((name, _),) = lefts("gold", "all.conll")
    assert (documents, name) == (["bn/b", "c"], "bc/a")


def test_if_all_are_left_out_nothing_is_scored() -> None:
    gold, system = put("gold", conll(a=GOOD)), put("sys", conll(a=BROKEN))
    with pytest.raises(PairingError, match=r"^nothing is left to score$"):
        scorch2.score(gold, system, invalid="skip")


def test_it_holds_for_all_commands_that_score(capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = put("gold", conll(a=GOOD, b=GOOD)), put("sys", conll(a="-", b=BROKEN))
    for words in (["-m", "muc"], ["errors"], ["compare"], ["confidence", "-n", "2", "-g"]):
        assert main([*words, gold, system]) == 2
        assert main([*words, gold, system, "--invalid=skip"]) == 0, words
        assert "warning: b: left out: sys: line 6: " in capsys.readouterr().err
        assert main([*words, gold, system, "--invalid=skip", "--strict"]) == 2
