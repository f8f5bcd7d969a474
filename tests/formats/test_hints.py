"""Files that are nearly in a format: what is read of them, or what the message says to do."""

import json
from pathlib import Path

import pytest

import scorch2
from scorch2.formats.reading import documents, read
from scorch2.model.errors import InputError

HEADED = "ID\tA-coref\tB-coref\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, text: str) -> str:
    Path(path).write_text(text, encoding="utf-8")
    return path


def test_maverick_writes_no_mention_with_its_text() -> None:
    """HanLP has ``clusters`` of [text, first, after the last]; Maverick's own key holds two integers."""
    mentions = [["Ann", 0, 1], ["her", 2, 3]]
    hanlp = put("h.json", json.dumps({"tokens": ["Ann", "saw", "her"], "clusters": [mentions]}))
    assert read(hanlp)[0].clusters == {"0": [(0, 1), (2, 3)]}
    other = put(
        "1_1ecb.json", json.dumps({"tokens": ["Ann", "saw", "her"], "clusters_token_offsets": [mentions]})
    )
    with pytest.raises(InputError, match=r"clusters_token_offsets"):
        read(other)


@pytest.mark.parametrize("text", [HEADED + "test-1\tTRUE\tFALSE\n", "test-1\tTRUE\tFALSE\n", HEADED])
def test_answers_of_gap_are_refused_with_a_header_too(text: str) -> None:
    with pytest.raises(InputError, match="are what GAP's own scorer takes"):
        read(put("answers.tsv", text))


def test_a_text_of_brat_without_its_file_is_told() -> None:
    put("d1.ann", "T1\tX 0 4\tAnna\n")
    with pytest.raises(InputError, match=r"as the text of a file of brat it needs d2\.ann beside it$"):
        read(put("d2.txt", "Anna left\n"))
    Path("d1.ann").unlink()
    with pytest.raises(InputError, match=r"name it with --gold-format or --sys-format\)$"):
        read("d2.txt")
    with pytest.raises(InputError, match=r"--sys-format\)$"):
        documents(b"Anna left\n", "no/such/folder/d2.txt")


def test_a_tagger_that_counts_otherwise_is_told() -> None:
    row = {"doc_key": "d", "sentences": [["Ann", "saw", "her"]], "clusters": [[[0, 0], [2, 2]]]}
    path = put("d.jsonl", json.dumps(row))
    tagged = put("c.tsv", "d\t1\t1\tPER\nd\t3\t3\tPER\n")  # counted from 1
    said = "c.tsv: no mention has one of its spans (units from 0, the end is the last unit)"
    with pytest.warns(scorch2.ScorchWarning):
        notices = scorch2.score(path, path, categories=tagged).notices
    assert [notice.message for notice in notices if notice.code == "categories"] == [said]
    right = put("c.tsv", "d\t0\t0\tPER\nd\t1\t1\tLOC\n")
    with pytest.warns(scorch2.ScorchWarning):
        notices = scorch2.score(path, path, categories=right).notices
    assert "categories" not in [notice.code for notice in notices]


def test_lists_of_mentions_are_scored_in_listed_sentences() -> None:
    """uCDCR says the sentence of a mention, WEC-Eng does not say where it is."""
    one = {"doc_id": "1_1ecb", "coref_chain": "c", "tokens_number": [0]}
    rows = [{**one, "sent_id": 0}, {**one, "sent_id": 2, "tokens_number": [1, 2]}, {**one, "sent_id": 12}]
    path, listed = put("1_1ecb.json", json.dumps(rows)), put("l.csv", "1_1ecb,0\n1_1ecb,12\n")
    with pytest.warns(scorch2.ScorchWarning):
        report = scorch2.score(path, path, sentences=listed, metrics=["mentions"])
    assert report.documents[0][1:3] == (2, 2)
    ids = put("w.json", json.dumps([{**one, "mention_id": "7"}, {**one, "mention_id": "8"}]))
    with pytest.raises(InputError, match="has no sentences, which sentences needs"):
        scorch2.score(ids, ids, sentences=listed)


ENTITIES = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
ROW = "{}\t{}\t_\tX\t_\t_\t0\tdep\t_\t{}\n"
FIRST = ROW.format(1, "Ann", "Entity=(e1--1-)") + ROW.format(2, "left", "_")
LAST = ROW.format("{}", "she", "Entity=(e1--1-)") + ROW.format("{}", "ran", "_")


def test_the_same_words_in_other_sentences_are_scored() -> None:
    gold = put("g.conllu", f"{ENTITIES}{FIRST}\n# sent_id = 2\n{LAST.format(1, 2)}\n")
    system = put("s.conllu", f"{ENTITIES}{FIRST}{LAST.format(3, 4)}\n")
    crac: dict[str, object] = {"doc_id": "a", "tokens": ["Ann", "left", "she", "ran"]}
    crac |= {"clusters_token_offsets": [[[0, 0], [2, 2]]], "clusters_text_mentions": [["Ann", "she"]]}
    tokens = put("s.json", json.dumps([crac]))
    for path in (system, tokens):
        assert scorch2.score(gold, path, metrics=["muc"]).muc.f1 == 1.0
    assert scorch2.score(gold, system, profile="corefud-1.2", metrics=["muc"]).muc.f1 == 1.0
    other = put("t.conllu", Path("s.conllu").read_text("utf-8").replace("left", "le").replace("she", "ftshe"))
    with pytest.raises(
        InputError, match=r"both sides must have the same words \(the text is the same: align="
    ):
        scorch2.score(gold, other)
