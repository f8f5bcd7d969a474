"""Warnings about documents: each once, and on which side."""

import json
import re
from pathlib import Path

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.tasks.linking.corpus import Sources, read_corpus

EMPTY = '{"type": "clusters", "clusters": {}}'
DISCARDED = "#begin document (d);\nd 0 0 w (1+2)\nd 0 1 w (1)\n\n#end document\n"
"""A file of CoNLL columns in which the reader finds a tag that the reference scorer discards."""


def put(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def messages(gold: str, system: str) -> list[str]:
    return [notice.message for notice in scorch2.score(gold, system).notices]


def test_a_warning_says_which_side_it_is_about(tmp_path: Path) -> None:
    full = put(tmp_path / "full.json", EMPTY.replace("{}", '{"a": ["m", "n"]}'))
    empty, other = (put(tmp_path / name, EMPTY) for name in ("empty.json", "other.json"))
    assert [end(one) for one in messages(full, empty)] == ["system: empty.json: no mention in it"]
    assert [end(one) for one in messages(empty, full)] == ["gold: empty.json: no mention in it"]
    assert [end(one) for one in messages(empty, other)] == [
        "gold: empty.json: no mention in it",
        "system: other.json: no mention in it",
    ]


def end(message: str) -> str:
    """Return a message with the name of its file instead of the path."""
    side, _, rest = message.partition(": ")
    path, _, what = rest.rpartition(": ")
    return f"{side}: {path.replace(chr(92), '/').rpartition('/')[2]}: {what}"


def test_what_holds_of_both_sides_is_said_once(tmp_path: Path) -> None:
    empty = put(tmp_path / "g" / "d.json", EMPTY)
    put(tmp_path / "g" / "sub" / "d.json", EMPTY)
    of_both, of_documents = messages(empty, empty)
    assert of_both.startswith("it is the gold side, too")
    assert end(of_documents) == "gold and system: d.json: no mention in it"
    folder = str(tmp_path / "g")
    found = messages(folder, folder)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("words", [["-j", "1"], ["-j", "2"]])
def test_it_is_said_alike_in_other_processes(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "abc":
        put(tmp_path / "g" / f"{name}.json", EMPTY)
    assert main([*words, str(tmp_path / "g"), str(tmp_path / "g")]) == 0
    _, *lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[2:4] for line in lines] == [[name, "gold and system"] for name in "abc"]


def test_linking_says_the_side_too(tmp_path: Path) -> None:
    path = put(tmp_path / "d.conll", DISCARDED)
    messages = [notice.message for notice in read_corpus(Sources(path, path)).notices]
    assert [end(message).split(":")[0] for message in messages[:2]] == ["gold", "system"]


def test_validate_names_no_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "d.conll", DISCARDED)
    assert main(["validate", path]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert re.search(r"^scorch2: warning: d: (?!gold|system).*d\.conll: tags such as", line)


def test_validate_escapes_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"doc_key": "::error::x\n\x1b[31m", "sentences": [["a"]], "clusters": []}
    path = put(tmp_path / "d.jsonl", json.dumps(row) + "\n")
    assert main(["validate", "--strict", path]) == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert out.startswith(r"\x3a:error::x\n\x1b[31m: ")


TWO_TYPES = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "".join(
    f"{number}\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=({entity})\n"
    for number, entity in enumerate(["e-person-1", "e-place-1", "f-place-1"], 1)
)


def test_a_second_type_is_told_where_types_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = put(tmp_path / "gold.conllu", TWO_TYPES)
    system = put(tmp_path / "system.conllu", TWO_TYPES.replace("f-place", "e-place"))

    def told(*words: str) -> int:
        assert main([*words]) == 0
        return capsys.readouterr().err.count("the first counts")

    assert told(gold, system) == told("errors", gold, system) == told("--by=size", gold, system) == 0
    for words in (["--only-category=person"], ["--by=category"], ["errors", "--by=category"]):
        assert told(*words, gold, system) == 2, "one of each side"
    assert told("--only-category=person", "--by=category", gold, system) == 2
    assert told("--only-category=person", "--documents=corpus", gold, system) == 1, "of both, by the folder"
    assert told("convert", "--to=conll", gold, str(tmp_path / "out.conll")) == 1
