"""Lines of readers that few files reach."""

import json
from pathlib import Path

import pytest

from scorch2 import InputError, read
from scorch2.formats.conllu.corefud_writer import written_attributes
from scorch2.formats.conllu.shared import WrittenMention
from scorch2.formats.copies import write
from scorch2.formats.fields import free_name
from scorch2.formats.reading import documents
from scorch2.model.document import Document, Words
from scorch2.model.markables import Bridge, Relations, Word

COLUMNS = 10
FIELDS = "# global.Entity = eid-etype-head-other\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_name_that_is_taken_gets_primes() -> None:
    assert free_name("m", {}) == "m"
    assert free_name("m", {"m": 0, "m'": 0}) == "m''"


@pytest.mark.parametrize("span", ["[1]", "[1, 2, 3]", "[-1, 2]"])
def test_with_offsets_a_list_is_a_start_and_an_end(span: str, tmp_path: Path) -> None:
    text = f'{{"type": "clusters", "offsets": "exclusive", "unit": "token", "clusters": {{"a": [{span}]}}}}'
    with pytest.raises(InputError, match="a span is a list of two offsets"):
        read(written(tmp_path, "a.json", text))


def test_half_of_a_surrogate_pair_is_found_behind_other_values(tmp_path: Path) -> None:
    text = '{"type": "clusters", "clusters": {"a": ["m", "n"], "b": []}, "note": ["x", {"y": "\\ud800"}]}'
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, "a.json", text))
    assert "half of a surrogate pair" in caught.value.why
    assert caught.value.where.startswith("$.note")


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        (1, 1, "ends before it starts"),
        (2, 1, "ends before it starts"),
        (-1, 1, "does not lie inside the text, which ends at 3"),
        (2, 4, "does not lie inside the text, which ends at 3"),
    ],
)
def test_a_span_of_spacy_holds_characters_of_its_text(start: int, end: int, why: str, tmp_path: Path) -> None:
    groups = f'{{"coref_clusters_1": [{{"start": 0, "end": 3}}, {{"start": {start}, "end": {end}}}]}}'
    path = written(tmp_path, "d.json", f'{{"text": "abc", "tokens": [], "spans": {groups}}}')
    with pytest.raises(InputError, match=f"the mention .{start}, {end}. {why}$"):
        read(str(path))


def test_the_mark_of_a_document_counts_at_the_beginning_of_a_line_only(tmp_path: Path) -> None:
    text = "-DOCSTART- (d)\na-DOCSTART- (e)\nb\n-DOCSTART- (unclosed\nc\n"
    (document,) = read(written(tmp_path, "a.aida", text), "aida")
    assert document.id == "d"
    assert document.words is not None
    assert document.words() == ["a-DOCSTART- (e)", "b", "-DOCSTART- (unclosed", "c"]


def rows(*written_rows: str) -> str:
    """Return one sentence of CoNLL-U, each row given by its number, word and MISC."""
    cells = [row.split(" ") for row in written_rows]
    lines = ["\t".join([number, word, *["_"] * (COLUMNS - 3), misc]) + "\n" for number, word, misc in cells]
    return "".join(lines) + "\n"


def corefud(text: str) -> list[Document]:
    return documents(text.encode(), "d.conllu", "corefud")


def test_a_link_may_stand_on_a_word_without_brackets() -> None:
    text = "# newdoc id = d\n" + FIELDS + rows("1 a Entity=(e--1)", "2 newdoc SplitAnte=e<f,g<f")
    text += rows("1 c Entity=(f--1)(g--1)")
    (document,) = corefud(text)
    assert document.clusters == {"e": [(0, 1)], "f": [(2, 3)], "g": [(2, 3)]}
    assert document.words is not None
    assert document.words()[1] == "newdoc"


def test_the_name_of_the_header_may_stand_in_other_comments() -> None:
    text = "# newdoc id = d\n# text = see global.Entity below\n" + FIELDS + rows("1 a Entity=(e--1)")
    assert corefud(text)[0].clusters == {"e": [(0, 1)]}


def test_corefud_without_a_word_is_refused() -> None:
    with pytest.raises(InputError, match=r"no document in it \(no word\)"):
        corefud("# a comment\n")


def test_a_range_with_a_column_too_many_is_refused() -> None:
    text = "# newdoc id = d\n" + FIELDS + "1-2\tab" + "\t_" * COLUMNS + "\n"
    with pytest.raises(InputError, match="line 3: more than 10 columns"):
        corefud(text)


def test_pieces_that_touch_are_a_span() -> None:
    text = "# newdoc id = d\n" + FIELDS
    text += rows("1 a Entity=(e[1/2]--1)", "2 b Entity=(e[2/2]--1)")
    assert corefud(text)[0].clusters == {"e": [(0, 2)]}


def test_links_to_entities_that_are_left_out_are_not_written() -> None:
    relations = Relations(
        sets={"lost": ("a",), "a": ("lost",)},
        bridging=(Bridge((0, 1), "a", None, "lost", "part"), Bridge((5, 6), "lost", (0, 1), "a", "part")),
    )
    mention = WrittenMention("a", (0, 1), ((Word(0, 1, 0), Word(0, 1, 0)),), 1, 1, None)
    found = written_attributes([mention], {"a": "a"}, {"a": ""}, relations)
    assert [set(cells) for cells in found.values()] == [{"Entity"}]


@pytest.mark.parametrize(
    ("name", "sentences", "why"),
    [
        ("", [1], "its name would be read in another way"),
        ("d", [1, 0], "its words or sentences would be read in another way"),
    ],
)
def test_what_corefud_cannot_hold_is_refused(name: str, sentences: list[int], why: str) -> None:
    document = Document(name, {"e": [(0, 1)]}, "d", sentences, words=Words(list, ("a",)))
    with pytest.raises(InputError, match=why):
        write(document, "corefud")


def test_a_line_of_two_values_of_which_one_is_broken_is_refused(tmp_path: Path) -> None:
    good = '{"doc_key": "k", "sentences": [["w"]], "clusters": []}'
    with pytest.raises(InputError, match="line 2"):
        read(written(tmp_path, "a.jsonl", f'{good}\n{good.replace("k", "l", 1)} {{"doc_key": }}\n'))


def test_an_object_that_is_broken_before_another_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not JSON"):
        read(written(tmp_path, "a.json", '{"doc_key" "k"} {"doc_key": "l"}'))


def test_a_number_of_too_many_digits_behind_another_object_is_refused(tmp_path: Path) -> None:
    good = '{"doc_key": "k", "sentences": [["w"]], "clusters": []}'
    with pytest.raises(InputError, match=r"document 2.*digits"):
        read(written(tmp_path, "a.json", f'{good}{{"doc_key": {"1" * 5000}}}'))


def test_a_mention_of_three_words_of_stanza(tmp_path: Path) -> None:
    chains = [{"is_start": True}, {}, {"is_end": True}]
    sentence = [
        {"id": i, "text": "w", "coref_chains": [{"index": 0, "is_start": False, "is_end": False, **one}]}
        for i, one in enumerate(chains, 1)
    ]
    (document,) = read(written(tmp_path, "a.json", json.dumps([sentence])))
    assert list(document.clusters.values()) == [[(0, 3)]]


def test_tokens_without_sentences_are_written_as_tokens() -> None:
    document = Document("d", {"a": [(0, 2)]}, "d", [2], words=Words(list, ("a", "b")), flat=True)
    assert json.loads(write(document, "clusters"))["tokens"] == ["a", "b"]


def test_a_text_is_not_written_beside_mentions_that_are_no_spans_of_it() -> None:
    document = Document("d", {"a": ["m"]}, "d", text="a b")
    assert set(json.loads(write(document, "clusters"))) == {"type", "name", "clusters"}
