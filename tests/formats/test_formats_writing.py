"""The exact text of each writer: the readers of other programs depend on it."""

from collections.abc import Mapping, Sequence

import pytest
from every import every
from examples import WRITTEN

from scorch2.formats.copies import write, write_file
from scorch2.formats.reading import format_module
from scorch2.formats.table import FORMATS
from scorch2.model.document import Document, Label, OnDemand, Words
from scorch2.model.errors import InputError

DOCUMENT = Document(
    "wire/Zürich-002",
    {"7": [(0, 2), (3, 4)], "8": [(1, 2)]},
    sentences=[3, 1],
    words=Words(list, ("Stadt", "Zürich", "wächst", "weiter")),
)


@pytest.mark.parametrize("form", WRITTEN)
def test_a_document_is_written_to_the_letter(form: str) -> None:
    assert write(DOCUMENT, form) == WRITTEN[form]


@pytest.mark.parametrize(
    ("ident", "begin", "columns"),
    [("d", "(d);", "d\t0"), ("d-7", "(d); part 7", "d\t7"), ("a-b-012", "(a-b); part 012", "a-b\t012")],
)
def test_the_number_at_the_end_of_an_id_is_its_part(ident: str, begin: str, columns: str) -> None:
    document = DOCUMENT._replace(id=ident, clusters={}, sentences=[1], words=Words(list, ("w",)))
    assert write(document, "conll").splitlines()[:2] == [f"#begin document {begin}", f"{columns}\t0\tw\t-"]


@pytest.mark.parametrize(
    ("clusters", "cells"),
    [
        ({"1": [(0, 3), (0, 2)]}, ["(1|(1", "1)", "1)"]),
        ({"1": [(0, 2)], "2": [(0, 3)]}, ["(2|(1", "1)", "2)"]),
        ({"1": [(0, 3)], "2": [(1, 3)]}, ["(1", "(2", "2)|1)"]),
        ({"1": [(0, 2)], "2": [(1, 3)]}, ["(1", "1)|(2", "2)"]),
        ({"1": [(0, 2), (1, 3)]}, ["(1", "1)|(1", "1)"]),
        ({"1": [(0, 1)], "2": [(0, 2)]}, ["(2|(1)", "2)", "-"]),
        ({"x": [(2, 3)], "1|2": [(0, 1)]}, ["(1)", "-", "(0)"]),
        ({"x": [], "y": [(1, 2)]}, ["-", "(y)", "-"]),
    ],
    ids=[
        "of one entity the longer opens first",
        "of two entities the longer opens first",
        "the last one opened closes first",
        "crossing mentions of two entities",
        "mentions of one entity that share a token",
        "a single token after what opens there",
        "names that brackets cannot hold become numbers for all",
        "a cluster without mentions",
    ],
)
def test_cells_nest_where_mentions_do(
    clusters: Mapping[str, Sequence[tuple[int, int]]], cells: list[str]
) -> None:
    document = Document("d", clusters, sentences=[3], words=Words(list, ("w", "w", "w")))
    rows = write(document, "conll").splitlines()[1:-2]
    assert [row.rpartition("\t")[2] for row in rows] == cells


def test_links_hold_a_repeated_mention_once_and_none_in_two_clusters() -> None:
    once = Document("d", {"a": ["m", "n", "m"], "b": []}, "d.json")
    assert write(once, "graph") == (
        '{"type": "graph", "name": "d", "mentions": ["m", "n"], "links": [["m", "n"]]}\n'
    )
    with pytest.raises(InputError) as caught:
        write(Document("d", {"a": ["m", "n"], "b": ["n"]}, "d.json"), "graph")
    why = 'a mention of "d" is in two clusters, which links would join (--lossy keeps the first)'
    assert str(caught.value) == f"d.json: {why}"


@pytest.mark.parametrize("form", ["conll", "jsonlines"])
@pytest.mark.parametrize(
    "document",
    [
        DOCUMENT._replace(words=None),
        DOCUMENT._replace(sentences=None),
        DOCUMENT._replace(words=None, sentences=None),
    ],
    ids=["no words", "no sentences", "neither"],
)
def test_tokens_need_words_and_sentences(form: str, document: Document) -> None:
    with pytest.raises(InputError, match='"wire/Zürich-002" has no tokens'):
        write(document, form)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (DOCUMENT._replace(clusters={"1": [(0, 3), (1, 4)]}), 'mentions of the entity "1" would be read'),
        (
            DOCUMENT._replace(words=Words(list, ("a", "b\n", "c", "d"))),
            r'its token 2 is "b\\n", which no row',
        ),
        (
            DOCUMENT._replace(words=Words(list, ("a", "b\tc", "d", "e"))),
            r'its token 2 is "b\\tc", which no row',
        ),
        (DOCUMENT._replace(sentences=[1, 0, 3]), "its words or sentences would be read in another way$"),
        (DOCUMENT._replace(id="wire\n-002"), "its name, a word"),
        (DOCUMENT._replace(id="#begin document d"), "its name, a word"),
        (DOCUMENT._replace(id=""), "its name would be read in another way"),
    ],
    ids=[
        "crossing mentions",
        "a line break in a word",
        "a tab in a word",
        "an empty sentence",
        "a line break in the id",
        "a begin line as the id",
        "no id",
    ],
)
def test_what_columns_would_say_otherwise_is_refused(document: Document, why: str) -> None:
    with pytest.raises(InputError, match=f"cannot be written as CoNLL columns: {why}"):
        write(document, "conll")


@every("form", WRITTEN)
@every("where", ["id", "cluster", "word", "type"])
def test_a_nul_byte_is_left_out_or_refused(form: str, where: str) -> None:
    """No reader takes a file that holds one."""
    odd = {"id": "d", "cluster": "x", "word": "w", "type": "t", where: "a\0b"}
    words = Words(list, (odd["word"], "v"))
    clusters = {odd["cluster"]: [(0, 1)]}
    labels: dict[str, list[Label]] = {odd["cluster"]: [odd["type"]]}
    document = Document(odd["id"], clusters, "d.x", [2], words=words, categories=OnDemand(dict, labels))
    try:
        text = write(document, form)
    except InputError:
        return
    assert "\0" not in text


def test_what_cannot_be_read_again_is_refused_with_the_words_of_the_reader() -> None:
    document = Document("d", {"a": [1 << 60]}, "d.json")
    with pytest.raises(InputError) as refused:
        write_file([document], "clusters")
    why = "$.clusters.a[0]: an integer beyond 2^53 is not a mention id (write it as a string)"
    assert refused.value.why == f'"d" cannot be written as clusters: it would be read differently ({why})'


def test_a_name_that_utf_8_cannot_hold_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"it would be read differently \(is its name, a word or a mention unusual\?\)"
    ):
        write_file([Document("\ud800", {"a": ["m"]})], "clusters")


def test_a_document_that_every_format_can_hold_stays_as_it_is_for_each() -> None:
    for form in WRITTEN:
        assert format_module(FORMATS[form].writer).fitting(DOCUMENT).clusters == DOCUMENT.clusters, form
