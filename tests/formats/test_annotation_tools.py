"""Files of annotation tools: what tests of all formats leave open."""

import json
import re
from pathlib import Path

import pytest
from examples import path_of

import scorch2
from scorch2.formats.copies import write, write_file
from scorch2.formats.reading import documents, read
from scorch2.formats.rows.brat import plain_text
from scorch2.guide import page
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.errors import InputError, ScorchError
from scorch2.model.names import annotations, categories_of, labels_of

HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
BOOK = f"{HEADER}5\t0\t1\tPROP\tPER\tAnna Lee\n6\t3\t3\tNOM\tLOC\ttown\n5\t4\t4\tPRON\tPER\ther\n"
CONLL = "#begin document (d);\nAnna\t(5\nLee\t5)\nleft\t-\ntown\t(6)\n\nher\t(5)\ntown\t(6)\n#end document\n"
TEXT = "Anna Lee left town\nher town\n"
MARKS = (
    "T1\tPER 0 8\tAnna Lee\nT2\tLOC 14 18\ttown\nT3\tPER 19 22\ther\nT4\tLOC 23 27\ttown\n"
    "R1\tCoref Arg1:T3 Arg2:T1\nR2\tCoref Arg1:T4 Arg2:T2\n"
)
QUOTED = [(0, 8, "Anna Lee"), (14, 18, "town"), (19, 22, "her"), (23, 27, "town")]


def put(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    return str(path)


def refusal(document: Document, form: str) -> str:
    with pytest.raises(InputError) as caught:
        write(document, form)
    return str(caught.value)


def read_text(text: str, path: str) -> Document:
    (document,) = documents(text.encode(), path)
    return document


def test_the_files_in_the_guide_are_read() -> None:
    blocks = re.findall(r"```text\n(.*?)```", page("tools"), re.DOTALL)
    found = [documents(block.encode(), "d.x")[0] for block in blocks]
    assert {document.format: list(document.clusters.values()) for document in found} == {
        "booknlp": [[(3, 5)], [(7, 9)]],
        "litbank": [["0.3-4"], ["1.0-0"]],
        "brat": [[(10, 17), (30, 33)]],
        "conll": [[(0, 2)]],
        "gap": [[(17, 20), (0, 3)], [(8, 11)]],
        "webanno": [[(0, 2)], [(1, 2)]],
        "sacr": [[(1, 8), (21, 24)], [(13, 28)]],
        "csv": [[(0, 1), (6, 6)]],
    }


def test_the_json_in_the_guide_is_read() -> None:
    blocks = re.findall(r"```json\n(.*?)```", page("tools"), re.DOTALL)
    found = [read_text(block, "d.x") for block in blocks]
    assert [document.written.partition(":")[0] for document in found] == [
        "Label Studio",
        "Prodigy",
        "doccano",
    ]
    assert [list(document.clusters.values()) for document in found] == [
        [[(0, 3), (13, 16)]],
        [[(0, 3), (10, 13)]],
        [[(0, 3), (10, 13)]],
    ]


@pytest.mark.parametrize(("block", "categories"), [(0, ["PER", "PER"]), (1, ["NP", ""]), (2, ["PER", "PER"])])
def test_labels_of_annotation_tools_are_categories(block: int, categories: list[str]) -> None:
    written = re.findall(r"```json\n(.*?)```", page("tools"), re.DOTALL)[block]
    assert list(categories_of(read_text(written, "d.x")).values()) == [categories]


def test_predictions_of_a_task_are_a_system(tmp_path: Path) -> None:
    region = {"id": "a", "type": "labels", "value": {"start": 0, "end": 3, "labels": ["PER"]}}
    task = {"id": 1, "data": {"text": "Ann left."}}
    task |= {"annotations": [{"result": [region]}], "predictions": [{"model_version": "m", "result": []}]}
    path = put(tmp_path / "d.json", json.dumps([task]))
    found = [scorch2.read(path, key=key)[0].clusters for key in ("annotations", "predictions")]
    assert found == [{"a": [(0, 3)]}, {}]
    assert scorch2.score(path, path, sys_key="predictions").documents[0].system_mentions == 0


# LitBank's files for brat

LITBANK_BRAT = (
    "T1\tPROP_PER 10 17\tAnn Lee\nT2\tNOM_FAC 20 27\tthe inn\nT3\tPRON_PER 30 33\tshe\n"
    "T4\tNOM_PER 40 44\tsome\n"
    "T5\tAnn_Lee-0 10 17\tAnn Lee\nT6\tthe_inn-org-3 20 27\tthe inn\nT7\tAnn_Lee-0 30 33\tshe\n"
    "R1\tcop Arg1:T1 Arg2:T3\n"
)
"""In the form of ``coref/brat`` of the corpus (github.com/dbamman/litbank); T4 has no entity."""


def test_types_of_litbank_name_entities() -> None:
    """Each mention has two lines: to take both for mentions would put all into two clusters."""
    document = read_text(LITBANK_BRAT, "d.ann")
    assert document.clusters == {
        "Ann_Lee-0": [(10, 17), (30, 33)],
        "the_inn-org-3": [(20, 27)],
        "T4": [(40, 44)],
    }
    assert labels_of(document) == {
        "Ann_Lee-0": [{"type": "PER", "prop": "PROP"}, {"type": "PER", "prop": "PRON"}],
        "the_inn-org-3": [{"type": "FAC", "prop": "NOM"}],
        "T4": [{"type": "PER", "prop": "NOM"}],
    }
    assert "as in LitBank's files for brat, types such as Ann_Lee-3 are taken for entities" in document.notes


@pytest.mark.parametrize(
    "change",
    [("R1\tcop", "R1\tCoref"), ("NOM_FAC", "Inn"), ("PROP_PER 10", "Ann-7 10")],
    ids=["with relations", "another type", "no category at all"],
)
def test_types_of_others_name_no_entities(change: tuple[str, str]) -> None:
    text = LITBANK_BRAT.replace(*change)
    if change[0] == "PROP_PER 10":
        text = re.sub(r"(?:NOM|PRON)_\w+", "x-1", text)
    assert len(read_text(text, "d.ann").clusters) == (6 if "Coref" in text else 7)


# BookNLP


def test_tokens_of_a_book_compare_with_those_of_columns(tmp_path: Path) -> None:
    gold = put(tmp_path / "d.conll", CONLL.replace("town\t(6)\n#", "town\t-\n#"))
    report = scorch2.score(gold, put(tmp_path / "d.entities", BOOK))
    assert report.scores["conll"].f1 == 1


def test_numbers_of_a_book_are_shown_as_it_writes_them(tmp_path: Path) -> None:
    gold = put(tmp_path / "d.conll", CONLL)
    with pytest.raises(InputError, match=r"mention \[300, 300\] ends after the 6 tokens in"):
        scorch2.score(gold, put(tmp_path / "d.entities", f"{HEADER}5\t300\t300\tPROP\tPER\tAnna\n"))


def test_names_within_sentences_against_numbers_name_the_remedy(tmp_path: Path) -> None:
    lines = put(tmp_path / "d.ann", "MENTION\tT1\t0\t0\t0\t1\tAnna Lee\tPER\tPROP\nCOREF\tT1\tAnna-0\n")
    book = put(tmp_path / "d.entities", BOOK)
    for sides in ((lines, book), (book, lines)):
        with pytest.raises(InputError, match="give one of the sides as a file with sentences, such as CoNLL"):
            scorch2.score(*sides)
    for other in (lines, book):
        assert scorch2.score(put(tmp_path / "d.conll", CONLL), other).documents[0].system_mentions


def test_columns_of_a_book_are_kept() -> None:
    (book,) = documents(BOOK.encode(), "book.entities")
    words = Words(list, ("Anna", "Lee", "left", "town", "her"))
    assert write(book._replace(words=words), "booknlp") == BOOK
    kinds = [one.top.type for one in annotations(book) or ()]
    assert kinds == [
        {"type": "PER", "prop": "PROP"},
        {"type": "LOC", "prop": "NOM"},
        {"type": "PER", "prop": "PRON"},
    ]


def test_a_book_shows_words_without_nul_bytes() -> None:
    words = Words(list, ("a\0b", "\0", "c"))
    document = Document(
        "d", {"x": [(0, 3)]}, sentences=[3], words=words, categories=OnDemand(dict, {"x": ["P\0"]})
    )
    assert write(document, "booknlp").splitlines()[1:] == ["x\t0\t2\t\t\ta b c"]


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        (["x", "Anna-1"], ["x", "Anna-1"]),
        (["x", "Anna 1"], ["0", "1"]),
        (["-1", "7"], ["0", "1"]),
        (["", "7"], ["0", "1"]),
        (["a\0", "7"], ["0", "1"]),
    ],
    ids=["any names", "a blank", "what stands for none", "no name", "NUL"],
)
def test_entities_of_a_book_are_numbered_if_a_name_breaks_the_columns(
    names: list[str], cells: list[str]
) -> None:
    spans = [[(0, 1)], [(1, 2)]]
    document = Document("d", dict(zip(names, spans, strict=True)), half_open=True)
    assert [row.split("\t")[0] for row in write(document, "booknlp").splitlines()[1:]] == cells


@pytest.mark.parametrize(
    "document",
    [
        Document("d", {"a": ["m1"]}, "d.json"),
        Document("d", {"a": [(0, 1)]}, "d.json", unit="", half_open=True),
        Document("d", {"a": [(0, 1)]}, "d.json", [9], unit="character"),
    ],
    ids=["ids", "an unknown unit", "characters"],
)
def test_a_book_takes_spans_of_tokens_only(document: Document) -> None:
    expected = 'd.json: the mentions of "d" are not known to be spans of tokens, which BookNLP counts'
    assert refusal(document, "booknlp") == expected


# LitBank


def test_lines_of_litbank_compare_with_its_columns(tmp_path: Path) -> None:
    lines = (
        "MENTION\tT1\t0\t0\t0\t1\tAnna Lee\tPER\tPROP\nMENTION\tT2\t0\t3\t0\t3\ttown\tLOC\tNOM\n"
        "MENTION\tT3\t1\t0\t1\t0\ther\tPER\tPRON\nMENTION\tT4\t1\t1\t1\t1\ttown\tLOC\tNOM\n"
        "COREF\tT1\tAnna-0\nCOREF\tT2\ttown-1\nCOREF\tT3\tAnna-0\nCOREF\tT4\ttown-1\n"
    )
    gold, system = put(tmp_path / "d.conll", CONLL), put(tmp_path / "d.ann", lines)
    assert read(system)[0].format == "litbank"
    assert scorch2.score(gold, system).scores["conll"].f1 == 1
    assert scorch2.score(system, gold).scores["conll"].f1 == 1


# brat


def test_brat_marks_the_text_that_tokens_make(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path / "d.conll", CONLL))
    assert write(document, "brat") == MARKS.replace("PER", "Mention").replace("LOC", "Mention")
    assert plain_text(document) == TEXT


def test_the_text_beside_is_read_and_quoted(tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", MARKS)
    (alone,) = read(path)
    assert (alone.text, alone.sentences, alone.unit) == (None, None, "character")
    put(tmp_path / "d.txt", TEXT)
    assert alone.exclusive
    (document,) = read(path)
    assert (document.text, document.sentences, document.clusters) == (TEXT, [len(TEXT)], alone.clusters)
    assert write(document, "brat") == MARKS
    message = f'{path}: "d" has neither a text nor tokens, which brat quotes beside each mention'
    assert refusal(alone, "brat") == f"{message} (put its text beside it as d.txt)"


def test_a_mention_after_the_end_of_the_text_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", MARKS)
    put(tmp_path / "d.txt", TEXT[:20])
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == f'{path}: line 3: the mention "T3" ends at 22, after the text (20 characters)'


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (TEXT, None),
        (TEXT.replace("\n", "\r\n"), 'of 4 {}: T3 is "her", in the text "\\nhe"'),
        (f"x{TEXT}", 'of 4 {}: T1 is "Anna Lee", in the text "xAnna Le"'),
        (TEXT.replace("Anna Lee", "Anna\nLee"), None),
        (TEXT.replace("her", "his"), 'of 4 {}: T3 is "her", in the text "his"'),
    ],
    ids=["the text", "line ends of two characters", "one off", "a line end inside", "another word"],
)
def test_mentions_that_quote_another_text_are_counted(text: str, note: str | None, tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", MARKS)
    put(tmp_path / "d.txt", text)
    (document,) = read(path)
    what = "quoted otherwise than in the text beside the file (are the offsets right?)"
    odd = sum(text[a:b].split() != word.split() for a, b, word in QUOTED)
    assert list(document.notes) == (
        [f"{odd} mention{'s' if odd > 1 else ''} {note.format(what)}"] if note else []
    )


@pytest.mark.parametrize("line", ["T1\tPER 0 4", "T1\tPER 0 4\t", "T1\tPER 0 2;5 8\tAn Lee"])
def test_a_mention_that_quotes_nothing_or_is_in_pieces_is_not_compared(line: str, tmp_path: Path) -> None:
    path = put(tmp_path / "d.ann", f"{line}\n")
    put(tmp_path / "d.txt", TEXT)
    assert "quoted" not in " ".join(read(path)[0].notes)


def test_a_file_without_annotations_is_empty(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path / "d.ann", ""))
    assert (document.id, document.format, document.clusters) == ("d", "brat", {})
    assert write_file([document._replace(text="w")], "brat").text == ""


@pytest.mark.parametrize("text", ["a\nb c", "a\r\nb c", "a b\u2028c"])
def test_a_mention_over_a_line_end_stays_on_one_line(text: str, tmp_path: Path) -> None:
    document = Document("d", {"T1": [(0, 3), (2, 4)]}, unit="character", text=text, half_open=True)
    written = write_file([document], "brat").text
    assert written.count("\n") == 3
    (again,) = read(put(tmp_path / "d.ann", written))
    assert again.clusters == document.clusters


@pytest.mark.parametrize("kind", ["two words", "", "a\tb"])
def test_a_type_that_is_no_word_is_not_written(kind: str) -> None:
    document = Document(
        "d",
        {"a": [(0, 1)]},
        unit="character",
        text="w",
        half_open=True,
        categories=OnDemand(dict, {"a": [kind]}),
    )
    assert write(document, "brat") == "T1\tMention 0 1\tw\n"


def test_an_empty_token_cannot_be_marked() -> None:
    document = Document("d", {"a": [(0, 1)]}, "d.x", [2], words=Words(list, ("", "w")))
    assert refusal(document, "brat") == 'd.x: a mention of "d" is an empty token, which brat cannot mark'


def test_a_nul_byte_is_not_written_for_brat() -> None:
    one = Document("d", {"x": [(0, 1)]}, "d.x", sentences=[1], categories=OnDemand(dict, {"x": ["P\0"]}))
    assert write(one._replace(words=Words(list, ("a",))), "brat") == "T1\tMention 0 1\ta\n"
    why = 'd.x: the text of "d" holds a NUL byte, which no text file can hold'
    assert refusal(one._replace(words=Words(list, ("a\0",))), "brat") == why


def test_a_long_chain_of_relations_is_one_cluster() -> None:
    size = 20_000  # to rename a cluster at each relation would take minutes
    lines = [f"T{i}\tX {i} {i + 1}" for i in range(size)]
    lines += [f"R{i}\tCoref Arg1:T{i} Arg2:T{i + 1}" for i in reversed(range(size - 1))]
    (document,) = documents("\n".join(lines).encode(), "d.ann")
    assert document.clusters == {"T0": [(i, i + 1) for i in range(size)]}


def test_the_name_of_the_file_is_that_of_the_document(tmp_path: Path) -> None:
    for name, text in (("a.b.entities", BOOK), ("a.b.ann", MARKS)):
        assert read(put(tmp_path / name, text))[0].id == "a.b"


# GAP


def test_a_row_of_gap_compares_with_tokens_by_characters(tmp_path: Path) -> None:
    """By hand: gold links Ann and she; the system links these, and Tom and he."""
    (block,) = re.findall(r"```text\n(ID\t.*?)```", page("tools"), re.DOTALL)
    walks = [("walk-1", "Ann met Eve when she left ."), ("walk-2", "Tom and Tim saw that he fell .")]
    tagged = {"Ann": "(1)", "she": "(1)", "Eve": "(2)", "Tom": "(3)", "Tim": "(4)", "he": "(3)"}
    columns = ""
    for name, text in walks:
        rows = "".join(f"{word}\t{tagged.get(word, '-')}\n" for word in text.split())
        columns += f"#begin document ({name});\n{rows}#end document\n"
    gold, system = put(tmp_path / "d.tsv", block), put(tmp_path / "d.conll", columns)
    muc = scorch2.score(gold, system, align="characters").to_dict()["counts"]["muc"]
    parts = ("recall_num", "recall_den", "precision_num", "precision_den")
    assert [muc[part] for part in parts] == [1, 1, 1, 2]


# SACR


@pytest.mark.parametrize(
    ("name", "text", "plain", "clusters"),
    [
        ("d.sacr", "{one {one His} head} hurts.\n", "His head hurts.\n", {"one": [(0, 3), (0, 8)]}),
        ("d.txt", '{b-1:p=x One}{c:q="" s}.', "Ones.", {"b-1": [(0, 3)], "c": [(3, 4)]}),
        (
            "d.sacr",
            "{a:p=x,type=per One}\n{b\nTwo} {no mark}? {, {a it}\n*****\n",
            "One\n\nTwo mark? {, it\n",
            {"a": [(0, 3), (18, 20)], "b": [(4, 8)], "no": [(9, 13)]},
        ),
    ],
    ids=["a mention in another", "a brace that begins no JSON", "breaks, braces that are text, stars"],
)
def test_braces_of_sacr(
    name: str, text: str, plain: str, clusters: dict[str, list[tuple[int, int]]], tmp_path: Path
) -> None:
    """The first is the simplest text of the repository boberle/corefconversion."""
    (document,) = read(put(tmp_path / name, text))
    assert (document.format, document.text, document.clusters) == ("sacr", plain, clusters)


# CSV


def test_rows_of_mentions_are_ids_until_offsets_say_what_they_mean(tmp_path: Path) -> None:
    gold = put(tmp_path / "d.conll", CONLL)
    rows = "start,end,cluster\n0,1,5\n4,4,5\n3,3,6\n5,5,6\n"
    table = put(tmp_path / "d.csv", rows)
    with pytest.raises(ScorchError, match="offsets"):
        scorch2.score(gold, table)
    assert scorch2.score(gold, table, sys_offsets="inclusive").scores["conll"].f1 == 1
    with pytest.raises(InputError, match=r"\[4, 4\] of \"d\" holds nothing: its spans count in another way"):
        scorch2.score(gold, table, sys_offsets="exclusive")


# Glozz


def test_the_text_of_glozz_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "example.aa"
    path.write_bytes(path_of("glozz", "example").read_bytes())
    (alone,) = read(str(path))
    assert (alone.text, alone.sentences) == (None, None)
    put(tmp_path / "example.ac", "Ann met Eve. She left.")
    (document,) = read(str(path))
    assert (document.text, document.clusters) == ("Ann met Eve. She left.", alone.clusters)
    put(tmp_path / "example.ac", "Ann met Eve.")
    with pytest.raises(InputError, match=r"\[13, 16\] does not lie inside the text, which ends at 12"):
        read(str(path))


# Columns with names


def test_the_columns_in_the_guide_are_read() -> None:
    blocks = [block for block in re.findall(r"```\n(.*?)```", page("formats"), re.DOTALL) if "(1" in block]
    found = [documents(block.encode(), "d.x")[0] for block in blocks]
    shown = [(one.format, one.id, dict(one.clusters)) for one in found if one.format == "columns"]
    assert shown == [("columns", "walk", {"1": [(0, 2)]}), ("columns", "d", {"1": [(0, 1)]})]


def test_named_columns_compare_with_those_of_conll(tmp_path: Path) -> None:
    rows = CONLL.split("\n", 1)[1].replace("#end document\n", "")
    named = put(tmp_path / "d.tsv", f"word\tcoref\n{rows}")
    report = scorch2.score(put(tmp_path / "d.conll", CONLL), named)
    assert report.scores["conll"].f1 == 1
    assert read(named)[0].sentences == [4, 2]
