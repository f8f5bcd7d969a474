"""WebAnno TSV, MMAX2 and ECB+: what the writer refuses or changes, and how documents meet those of others."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from examples import path_of

import scorch2
from scorch2.formats.copies import write
from scorch2.formats.reading import documents, read
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError


def document(
    *words: str, clusters: Mapping[str, Sequence[tuple[int, int]]] | None = None, name: str = "d"
) -> Document:
    return Document(name, clusters or {}, "d.x", sentences=[len(words)], words=Words(list, words))


def rows(written: str) -> list[str]:
    return [line for line in written.split("\n") if line[:1].isdigit()]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (document("a\tb"), r'the word "a\tb"'),
        (document("a", "b\n"), r'the word "b\n"'),
        (document("a", name="d\ne"), "such a name"),
        (document("a", name=""), "such a name"),
        (document(), "an empty sentence"),
    ],
)
def test_what_a_row_cannot_hold_is_refused(given: Document, what: str) -> None:
    with pytest.raises(InputError) as caught:
        write(given, "webanno")
    assert caught.value.why.endswith(f"cannot be written as WebAnno TSV, which cannot hold {what}")


@pytest.mark.parametrize(
    ("names", "chains"),
    [(["7", "0"], ["7", "0"]), (["7", "x"], ["1", "2"]), (["07", "1"], ["1", "2"])],
    ids=["numbers", "another name", "no plain number"],
)
def test_chains_are_called_like_clusters_where_all_are_numbers(names: list[str], chains: list[str]) -> None:
    given = document("a", "b", clusters={names[0]: [(0, 1)], names[1]: [(1, 2)]})
    expected = [f"1-1\t0-1\ta\t*[{chains[0]}]\t*->{chains[0]}-1\t"]
    expected += [f"1-2\t2-3\tb\t*[{chains[1]}]\t*->{chains[1]}-1\t"]
    assert rows(write(given, "webanno")) == expected


def test_characters_count_in_units_of_utf_16() -> None:
    assert rows(write(document("a😀", "b"), "webanno")) == ["1-1\t0-3\ta😀\t_\t_\t", "1-2\t4-5\tb\t_\t_\t"]


def test_a_document_without_tokens_comes_back() -> None:
    empty = Document("d", {}, sentences=[], words=Words(list, ()))
    (found,) = documents(write(empty, "webanno").encode(), "x.tsv")
    assert (found.id, found.clusters, found.sentences) == ("d", {}, [])


def test_words_are_those_of_tokens_and_not_of_parts(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(
        "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Hausboot da\n"
        "1-1\t0-8\tHausboot\n1-1.1\t0-4\tHaus\n1-2\t9-11\tda\n",
        encoding="utf-8",
    )
    (found,) = scorch2.read(str(tmp_path / "d.tsv"))
    assert found.words is not None
    assert found.words() == ["Hausboot", "da"]


def test_repeats_and_crossing_mentions_come_back() -> None:
    given = document("a", "b", "c", clusters={"1": [(0, 2), (1, 3), (0, 2)]})
    (found,) = documents(write(given, "webanno").encode(), "x.tsv")
    assert sorted(found.clusters["1"]) == [(0, 2), (0, 2), (1, 3)]  # type: ignore[type-var]  # spans


def test_words_of_ecb_are_what_stands_in_tokens(tmp_path: Path) -> None:
    tokens = (
        '<token t_id="1">a &amp;\nb</token>\n<token t_id="2"/><x>no</x><token t_id="3">c<y>no</y></token>'
    )
    (tmp_path / "d.xml").write_text(f"<Document>{tokens}</Document>", encoding="utf-8")
    (found,) = scorch2.read(str(tmp_path / "d.xml"))
    assert found.words is not None
    assert found.words() == ["a &\nb", "", "c"]


@pytest.mark.parametrize("form", ["webanno", "mmax", "ecb"])
def test_tokens_meet_those_of_conll(form: str) -> None:
    """The examples of all these formats hold the same spans."""
    report = scorch2.score(str(path_of("conll", "example")), str(path_of(form, "example")))
    assert (report.documents[0].gold_mentions, report.documents[0].system_mentions) == (3, 3)
    assert report.muc.recall == report.b_cubed.f1 == 1


def test_the_file_that_a_doctype_names_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "markables.dtd").write_text('<!ENTITY x "word_1">', encoding="utf-8")
    level = (
        '<!DOCTYPE markables SYSTEM "markables.dtd"><markables><markable id="a" span="&x;" coref_set="s"/>'
    )
    (tmp_path / "d.xml").write_text(f"{level}</markables>", encoding="utf-8")
    with pytest.raises(InputError, match='the span "" is not like'):
        scorch2.read(str(tmp_path / "d.xml"))


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        ("word_900", "word_900"),
        ("word_8..word_900", "word_8..word_900"),
        ("word_9, word_7", "word_7..word_9"),
    ],
)
def test_words_are_shown_by_their_names(span: str, shown: str, tmp_path: Path) -> None:
    level = tmp_path / "d.xml"
    one = f'<markables><markable id="a" span="{span}" coref_class="s"/></markables>'
    level.write_text(one, encoding="utf-8")
    with pytest.raises(InputError, match=f'mention "{re.escape(shown)}" ends after the 4 tokens'):
        scorch2.score(str(path_of("conll", "example")), str(level))


def test_words_count_from_one_unless_it_is_said(tmp_path: Path) -> None:
    level = tmp_path / "d.xml"
    one = '<markables><markable id="a" span="word_2" coref_class="s"/></markables>'
    level.write_text(one, encoding="utf-8")
    same = scorch2.score(str(level), str(level), sys_offsets="inclusive-from-1")
    assert same.b_cubed.f1 == 1
    assert [notice.code for notice in same.notices] == ["same"]
    other = scorch2.score(str(level), str(level), sys_offsets="inclusive")
    assert other.b_cubed.f1 == 0
    message = 'sys_offsets="inclusive" overrules MMAX2 markables: inclusive ends, from 1'
    assert [notice.message for notice in other.notices if notice.code == "offsets"] == [message]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_markable_without_a_set_stays_alone_whatever_sets_are_called(
    order: Sequence[int], tmp_path: Path
) -> None:
    markables = [
        '<markable id="a" span="word_1" coref_class="empty"/>',
        '<markable id="b" span="word_2" coref_class="a"/>',
        '<markable id="a\'" span="word_3" coref_class="empty"/>',
    ]
    level = "".join(markables[number] for number in order)
    (tmp_path / "d.xml").write_text(f"<markables>{level}</markables>", encoding="utf-8")
    (found,) = scorch2.read(str(tmp_path / "d.xml"))
    assert {tuple(members) for members in found.clusters.values()} == {((0, 1),), ((1, 2),), ((2, 3),)}


def test_a_project_of_mmax2_is_followed_to_its_level(tmp_path: Path) -> None:
    level = tmp_path / "Markables" / "a_coref_level.xml"
    project = tmp_path / "a.mmax"
    project.write_text("<mmax_project>\n<words>a_words.xml</words>\n</mmax_project>\n", "utf-8")
    with pytest.raises(
        InputError, match=r"without its level of coreference, .*Markables/a_coref_level\.xml$"
    ):
        read(str(project))
    level.parent.mkdir()
    level.write_bytes(path_of("mmax", "example").read_bytes())
    assert read(str(project))[0].clusters == read(str(level))[0].clusters


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_text_beside_a_file_of_litbank_has_its_sentences(ending: str, tmp_path: Path) -> None:
    """The file of the corpus counts tokens in sentences: two of three tokens here."""
    rows = ["MENTION\tT1\t0\t0\t0\t1\ta b\tPER\tPROP", "MENTION\tT2\t1\t2\t1\t2\tf\tPER\tNOM"]
    rows += ["MENTION\tT3\t0\t2\t1\t0\tc d\tPER\tNOM", "COREF\tT1\tx", "COREF\tT2\tx"]
    path = tmp_path / "a.ann"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    assert read(str(path))[0].clusters == {"x": ["0.0-1", "1.2-2"], "T3": ["0.2-1.0"]}
    (tmp_path / "a.txt").write_text(f"a b c{ending}d e f{ending}", "utf-8", newline="")
    (document,) = read(str(path))
    assert (document.sentences, document.words and document.words()) == ([3, 3], [*"abcdef"])
    assert document.clusters == {"x": [(0, 2), (5, 6)], "T3": [(2, 4)]}
    (tmp_path / "a.txt").write_text("a b c\nd e\n", "utf-8")
    with pytest.raises(InputError, match=r'"1\.2-2" does not lie in the text beside, .*a\.txt$'):
        read(str(path))
