"""Texts with marks: where mentions are, what is repaired, and what is refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import pytest
from effort import assert_in_proportion
from hypothesis import given, settings

from scorch2.formats.copies import write_file
from scorch2.formats.reading import format_module, read, stream
from scorch2.formats.recognition import recognised
from scorch2.formats.table import FORMATS
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError
from scorch2.model.markables import Word

TEXT = Path("fixtures/example/gold.conll")
NESTED = ("markdown", "tagged", "bracketed")
Spans = dict[str, list[tuple[int, int]]]


def read_text(tmp_path: Path, text: str, format: str | None, *, repair: bool = False) -> list[Document]:
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    return list(stream(str(path), format, repair=repair))


def clusters(document: Document) -> Spans:
    return {name: [tuple(mention) for mention in members] for name, members in document.clusters.items()}  # type: ignore[misc,arg-type]  # spans


@pytest.mark.parametrize(
    ("format", "text", "expected"),
    [
        ("plaintext", "Ann|[e1] saw her|[e1,[e2] dog|e1]", {"e1": [(0, 1), (2, 4)], "e2": [(2, 3)]}),
        ("plaintext", "a|[e1 b|[e2 c|e1] d|e2]", {"e1": [(0, 3)], "e2": [(1, 4)]}),
        ("plaintext", "a|[e1 b|[e1 c|e1] d|e1]", {"e1": [(1, 3), (0, 4)]}),
        ("plaintext", "and|or x|[e1]", {"e1": [(1, 2)]}),
        (
            "markdown",
            "[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)",
            {"cluster_0": [(0, 1)], "hk": [(2, 4)], "bridge": [(2, 6)]},
        ),
        ("markdown", "[1] see [here](http://a.b) [Tom](#c)", {"c": [(3, 4)]}),
        ("markdown", r"\[Tom\] [Ann](#c)'s", {"c": [(1, 2)]}),
        ("tagged", "<m>Tom</m>#0 saw <m>her</m>#1", {"0": [(0, 1)], "1": [(2, 3)]}),
        (
            "tagged",
            "<m> Tom | 3 </m> saw <m> her <m> dog | 4 </m> | 3 </m>",
            {"3": [(0, 1), (2, 4)], "4": [(3, 4)]},
        ),
        (
            "tagged",
            '<e1>Tom</e1> <e1 id="7">Ann</e1> <m2>x</m2>#4',
            {"e1": [(0, 1)], "7": [(1, 2)], "4": [(2, 3)]},
        ),
        ("tagged", "<e1>Tom</e1> saw <e2>her <e1>dog</e1></e2>", {"e1": [(0, 1), (3, 4)], "e2": [(2, 4)]}),
        ("tagged", "<mention id=\"1\">Tom</mention> <x y='2'>Ann</x>", {"1": [(0, 1)], "2": [(1, 2)]}),
        (
            "bracketed",
            "[Tom]_1 [Ann]2 [Bob: 1] [2 Eve] [sic]",
            {"1": [(0, 1), (2, 3)], "2": [(1, 2), (3, 4)]},
        ),
        ("markdown", "[Tom](1) saw [[her](E2) dog](c-3)", {"1": [(0, 1)], "E2": [(2, 3)], "c-3": [(2, 4)]}),
        ("markdown", "[Tom](1) [he](1) [a](b/c) [d](e:f) [g](h i)", {"1": [(0, 1), (1, 2)]}),
        ("markdown", "[Tom][1] saw [[her][2] dog][3]", {"1": [(0, 1)], "2": [(2, 3)], "3": [(2, 4)]}),
        ("markdown", "[Tom](#cluster 1) [Ann](#2)", {"cluster 1": [(0, 1)], "2": [(1, 2)]}),
        ("markdown", "[Tom](#1) [he](#1) [here](page)", {"1": [(0, 1), (1, 2)]}),
        ("tagged", "[m1]Tom[/m1] saw [m2]her [m1]dog[/m1][/m2]", {"m1": [(0, 1), (3, 4)], "m2": [(2, 4)]}),
        ("bracketed", "[Tom | 1] saw [[her|e-2] dog | 3]", {"1": [(0, 1)], "e-2": [(2, 3)], "3": [(2, 4)]}),
        ("bracketed", "[12 apostles: 3] [They: 3]", {"3": [(0, 2), (2, 3)]}),
        ("bracketed", "[U.S.]_3-based [it]_3", {"3": [(0, 1), (2, 3)]}),
        ("bracketed", "[U.S.]_3-based [it]_4", {"3-based": [(0, 1)], "4": [(1, 2)]}),
        (
            "bracketed",
            "[a]_3a [b]_3f2a [c]_0-12 [d]_0 [e]_3",
            {"3a": [(0, 1)], "3f2a": [(1, 2)], "0-12": [(2, 3)], "0": [(3, 4)], "3": [(4, 5)]},
        ),
        ("tagged", "<m>Tom</m>#1--<m>he</m>#1", {"1": [(0, 1), (2, 3)]}),
        (
            "tagged",
            "<m>Tom</m>#-based <m>he</m>#3 <m>who</m>",
            {"-based": [(0, 1)], "3": [(1, 2)], "(alone) 1": [(2, 3)]},
        ),
        ("tagged", "</z>@3-x <m>he</m>#3 saw", {"3": [(0, 0), (1, 2)]}),
    ],
)
def test_mentions_lie_between_marks(tmp_path: Path, format: str, text: str, expected: Spans) -> None:
    (document,) = read_text(tmp_path, text, format)
    assert clusters(document) == expected


@pytest.mark.parametrize(
    ("format", "text", "why"),
    [
        ("markdown", "[Tom](1) saw [her][2]", "1 mention if marks are [x](name), and as many if [x][name]"),
        (
            "tagged",
            "<m>Tom</m>#1 saw <e1>her</e1>",
            "1 mention if marks are <m>x</m>#name, and as many if <e1>x</e1>",
        ),
        (None, "[Tom](1) saw [her]_1", 'such as "[Tom](1)" and as many such as "[her]_1"? Read it with'),
        (None, "[Tom](1) saw [her]_1", "--sys-format=markdown or --gold-format=bracketed"),
    ],
)
def test_marks_of_which_two_kinds_make_as_many_mentions_are_refused(
    tmp_path: Path, format: str | None, text: str, why: str
) -> None:
    with pytest.raises(InputError, match=re.escape(why)):
        read_text(tmp_path, text, format)


@pytest.mark.parametrize(
    ("format", "text", "note"),
    [
        (
            "markdown",
            "[Ann](#1) left\n[Ann](#1) saw [Tom]_2 . [Bob]_2 ate [it]_3",
            'line 2, column 15: 3 brackets and tags not read: the first is "[Tom]_2"',
        ),
        (
            "bracketed",
            "[Ann]_1 saw [her [dog](2)](1) , [she]_1",
            'line 1, column 18: 2 brackets and tags not read: the first is "[dog](2)"',
        ),
        ("bracketed", "[a [Ann]_1 b](1) , [she]_1", '1 bracket or tag not read: the first is "](1)"'),
        (
            "tagged",
            "<m>Ann</m>#1 saw <m>Tom</m>#2 . <e1>She</e1> left",
            'line 1, column 33: 2 brackets and tags not read: the first is "<e1>"',
        ),
        ("bracketed", "[Ann]_1 [laughs] [1] \\[x\\](1)", ""),
    ],
)
def test_marks_of_another_kind_are_told(tmp_path: Path, format: str, text: str, note: str) -> None:
    (document,) = read_text(tmp_path, text, format)
    assert len(document.notes) == bool(note)
    assert note in "".join(document.notes)


def test_a_name_beside_itself_with_a_hyphen_is_told(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "[a]_0-12 [b]_0", "bracketed")
    assert document.notes == ['the clusters "0" and "0-12": is the hyphen a word?']


def test_a_text_without_a_mention_tells_its_first_bracket(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "Lord\n[Byron](1) and [he](1)", "bracketed")
    (note,) = document.notes
    assert note.startswith(
        'line 2, column 1: 2 brackets and tags, of which none is a mention: the first is "[Byron](1)"'
    )
    assert "name the format markdown" in note


@pytest.mark.parametrize(
    ("preface", "text"),
    [
        ("Sure!\n```\n", "# newdoc id = a\n[Tom](#1)\n# newdoc id = b\n[she](#1)\n```\nDone\n"),
        (
            "Sure!\n```json\n",
            '{"id": "a", "text": "[Tom](#1)"}\n{"id": "b", "text": "[she](#1)"}\n```\nDone\n',
        ),
    ],
)
def test_a_fenced_block_may_have_words_before_and_behind(tmp_path: Path, preface: str, text: str) -> None:
    documents = read_text(tmp_path, preface + text, "markdown")
    assert [document.id for document in documents] == ["a", "b"]
    assert [list(document.clusters) for document in documents] == [["1"], ["1"]]


def test_json_in_a_fence_is_read_on_its_lines(tmp_path: Path) -> None:
    text = 'Sure!\n```json\n{"doc_key": "a", "clusters": [[[0, 1]]]}\n```\nDone\n'
    assert [one.id for one in read_text(tmp_path, text, None)] == ["a"]
    second = text.replace('"a"', '"b"').replace("Sure", "```\nwords\n```\nSure")
    assert [one.id for one in read_text(tmp_path, text + second, None)] == ["a", "b"]
    with pytest.raises(InputError, match="line 11"):
        read_text(tmp_path, text + second.replace('"b"', "b"), None)
    with pytest.raises(InputError, match="line 3"):
        read_text(tmp_path, text.replace('"a"', "a"), None)
    with pytest.raises(InputError, match="words before the JSON"):
        read_text(tmp_path, text.replace("```", ""), "jsonlines")


Kinds = dict[str, tuple[str, Callable[[int], tuple[str, str]]]]
KINDS: Kinds = {
    "[x](#name)": ("markdown", lambda n: ("[", f"](#{n})")),
    "[x](#a name)": ("markdown", lambda n: ("[", f"](#cluster {n})")),
    "[x](name)": ("markdown", lambda n: ("[", f"](E{n})")),
    "[x][name]": ("markdown", lambda n: ("[", f"][{n}]")),
    "<m>x</m>#name": ("tagged", lambda n: ("<m>", f"</m>#{n}")),
    "<m> x | name </m>": ("tagged", lambda n: ("<m> ", f" | {n} </m>")),
    "<e1>x</e1>": ("tagged", lambda n: (f"<e{n}>", f"</e{n}>")),
    '<x id="1">': ("tagged", lambda n: (f'<x id="{n}">', "</x>")),
    "[m1]x[/m1]": ("tagged", lambda n: (f"[m{n}]", f"[/m{n}]")),
    "[x]_1": ("bracketed", lambda n: ("[", f"]_{n}")),
    "[x]1": ("bracketed", lambda n: ("[", f"]{n}")),
    "[x: 1]": ("bracketed", lambda n: ("[", f": {n}]")),
    "[1 x]": ("bracketed", lambda n: (f"[{n} ", "]")),
    "[x | 1]": ("bracketed", lambda n: ("[", f" | {n}]")),
}
"""How each kind of marks begins and ends a mention of a cluster, by its number."""


@st.composite
def nested_spans(draw: st.DrawFn, number: int) -> list[tuple[int, int]]:
    """Draw spans of words of which none cross."""
    kept: list[tuple[int, int]] = []
    for first in draw(st.lists(st.integers(0, number - 1), min_size=1, max_size=8)):
        span = first, draw(st.integers(first + 1, number))
        if all(not (a < span[0] < b < span[1] or span[0] < a < span[1] < b) for a, b in kept):
            kept.append(span)
    return list(dict.fromkeys(kept))


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_each_kind_of_marks_is_read_as_it_was_written(kind: str, data: st.DataObject) -> None:
    form, marks = KINDS[kind]
    words = data.draw(
        st.lists(st.sampled_from(["a", "12", "x-y", "(", "'s", "é", "3a"]), min_size=1, max_size=12)
    )
    spans = data.draw(nested_spans(len(words)))
    clusters = {span: data.draw(st.integers(1, 3)) for span in spans}
    before = [""] * len(words)
    behind = [""] * len(words)
    for (first, end), cluster in sorted(clusters.items(), key=lambda row: row[0][1] - row[0][0]):
        begin, close = marks(cluster)
        before[first] = begin + before[first]
        behind[end - 1] += close
    text = " ".join(f"{before[i]}{word}{behind[i]} " for i, word in enumerate(words))
    (document,) = format_module(FORMATS[form].reader).documents(text, "d", "d.txt")
    assert document.words is not None
    assert document.words() == words
    read_back = {span: name for name, members in document.clusters.items() for span in members}
    expected = {span: str(number) for span, number in clusters.items()}
    assert {span: re.sub("[^0-9]", "", name) for span, name in read_back.items()} == expected
    assert not document.repairs


def test_marks_are_word_borders_and_other_brackets_are_letters(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, r"([Ann](#c)'s) \[x\] [y]", "markdown")
    assert document.words is not None
    assert document.words() == ["(", "Ann", "'s)", "[x]", "[y]"]


@pytest.mark.parametrize("format", ["markdown", "bracketed"])
def test_a_bracket_alone_is_a_letter(tmp_path: Path, format: str) -> None:
    (document,) = read_text(tmp_path, "a ] b", format)
    assert document.words is not None
    assert document.words() == ["a", "]", "b"]


def test_a_number_between_two_names_is_a_word_in_its_line(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "[1\nof us]_2", "bracketed")
    assert (document.sentences, clusters(document)) == ([1, 2], {"2": [(0, 3)]})


def test_an_empty_node_behind_the_last_line_belongs_to_that_line(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "a\nb </z>@1\n</z>@2\n", "tagged")
    zeros = [document.clusters[name][0].nodes.empty for name in ("1", "2")]  # type: ignore[attr-defined]  # discontinuous
    assert zeros == [(Word(1, 1, 1),), (Word(1, 1, 2),)]
    assert document.trees is not None
    assert [row.id for row in document.trees()[1].rows] == ["1", "1.1", "1.2"]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("tagged", "</z>@1"),
        ("plaintext", "##|[e1]"),
        ("crac", '{"tokens": ["##"], "clusters_token_offsets": [[[0, 0]]], "clusters_text_mentions": []}'),
    ],
)
def test_a_mention_needs_a_text_with_words(tmp_path: Path, form: str, text: str) -> None:
    with pytest.raises(InputError, match="has no words, only empty nodes"):
        read_text(tmp_path, text, form, repair=True)


def test_an_empty_node_may_begin_a_text(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "##|[e1] came", "plaintext")
    zero = document.clusters["e1"][0]
    assert zero.nodes.empty == (Word(0, 0, 1),)  # type: ignore[attr-defined]  # discontinuous


def test_an_empty_node_stands_behind_the_word_before(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "que ##|[e1] ganan|[e2 ##form ##|e2]", "plaintext")
    assert document.words is not None
    assert document.words() == ["que", "ganan"]
    zero, both = document.clusters["e1"][0], document.clusters["e2"][0]
    assert zero.nodes.empty == (Word(0, 1, 1),)  # type: ignore[attr-defined]  # discontinuous
    assert both.nodes.empty == (Word(0, 2, 1), Word(0, 2, 2))  # type: ignore[attr-defined]  # discontinuous
    assert both.nodes.runs == ((0, 2, 2),)  # type: ignore[attr-defined]  # discontinuous


def test_a_zero_of_corefinst_is_an_empty_node(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "came </z>@3 <m>home</m>#MASK", "tagged")
    assert list(document.clusters) == ["3", "(alone) 1"]
    assert document.notes == ["1 mention without a cluster, each alone"]


@pytest.mark.parametrize(
    ("format", "text", "repaired", "why"),
    [
        (
            "plaintext",
            "a|[e1 b",
            {"e1": [(0, 1)]},
            'line 1, word 1: a mention of "e1" begins here that does not end',
        ),
        (
            "plaintext",
            "a b|e1]",
            {"e1": [(1, 2)]},
            'line 1, word 2: a mention of "e1" ends here that does not begin',
        ),
        ("plaintext", "a|e1 b|[e2]", {"e2": [(1, 2)]}, 'line 1, word 1: "e1" behind a word is no tag'),
        (
            "markdown",
            "a b](#c)",
            {"c": [(1, 2)]},
            'line 1, column 4: a mark closes here for "c" that no mark opens',
        ),
        (
            "markdown",
            "a\n[b [c](#1)",
            {"1": [(2, 3)]},
            "line 2, column 1: a mark opens here that does not close",
        ),
        ("markdown", "a [](#1) b", {}, "line 1, column 3: a mark without a word"),
        (
            "tagged",
            "<e1>a b <e2>c</e2>",
            {"e1": [(0, 1)], "e2": [(2, 3)]},
            'opens here for "e1" that does not close',
        ),
        (
            "tagged",
            "<e1>a <e2>b</e1> c</e2>",
            {"e1": [(0, 2)], "e2": [(1, 2)]},
            'here for "e2" that does not close',
        ),
        ("bracketed", "a [1 b c", {"1": [(1, 2)]}, 'opens here for "1" that does not close'),
    ],
)
def test_a_mark_without_its_partner_is_refused_or_a_mention_of_one_word(
    tmp_path: Path, format: str, text: str, repaired: Spans, why: str
) -> None:
    with pytest.raises(InputError, match="goes on with --marks=repair") as refused:
        read_text(tmp_path, text, format)
    assert why in str(refused.value)
    (document,) = read_text(tmp_path, text, format, repair=True)
    assert clusters(document) == repaired
    assert document.repairs


def test_documents_are_named_by_a_line_or_in_json_or_by_their_line(tmp_path: Path) -> None:
    named = "# newdoc id = a\n[Tom](#1)\n# newdoc id = b\n\nshe\n"
    assert [document.id for document in read_text(tmp_path, named, None)] == ["a", "b"]
    lines = [{"doc_id": "a", "text": "[Tom](#1)"}, {"id": "b", "output": "[Ann](#1)"}]
    text = "\n".join(f"{json.dumps(line)}\n" for line in lines)  # blank lines in between
    assert [document.id for document in read_text(tmp_path, text, "markdown")] == ["a", "b"]
    assert [one.id for one in read_text(tmp_path, "a|[e1]\n\nb|[e1]\n", None)] == ["1", "2"]
    assert [one.id for one in read_text(tmp_path, "a|[e1]\n", None)] == ["text"]


@pytest.mark.parametrize(
    ("format", "text", "why"),
    [
        (
            "markdown",
            "x\n# newdoc id = a\n[Tom](#1)",
            "line 1: words before the first line # newdoc id = <name>",
        ),
        (
            "markdown",
            "# newdoc id = a\n# newdoc id = a\n",
            'line 2: a second document is called "a", as on line 1',
        ),
        ("markdown", '{"text": "[Tom](#1)"}', "line 1: $: a text with marks in JSON has two strings"),
        ("markdown", "{}\n[]", "line 1: $: a text with marks in JSON has two strings"),
        ("markdown", '{"id": "a", "text": ""}\n[]', "line 2: $: a document is an object, not a list"),
        (
            "tagged",
            '{"id": "a", "text": "x</m>#1"}',
            "line 1: $, line 1 of the text, column 2: a mark closes",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, format: str, text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        read_text(tmp_path, text, format)
    assert why in str(refused.value)


@pytest.mark.parametrize("format", ["plaintext", "crac", *NESTED])
def test_what_is_written_is_read_as_the_same_mentions_and_words(tmp_path: Path, format: str) -> None:
    documents = read(str(TEXT))
    path = tmp_path / "copy"
    path.write_text(write_file(documents, format).text, encoding="utf-8")
    for document, copy in zip(documents, read(str(path), format), strict=True):
        assert document.words is not None
        assert copy.words is not None
        assert copy.words() == document.words()
        known, same = ({frozenset(one) for one in each.clusters.values()} for each in (document, copy))
        assert same == known


@pytest.mark.parametrize("format", NESTED)
def test_crossing_mentions_are_refused_and_left_out_with_lossy(format: str) -> None:
    crossing = {"a": [(0, 2), (3, 4)], "b": [(1, 3)]}
    document = Document("d", crossing, sentences=[4], words=Words(list, ["w", "x", "y", "z"]))
    with pytest.raises(InputError, match=r"crosses another, which .* cannot hold \(--lossy leaves it out\)"):
        write_file([document], format)
    assert write_file([document], format, lossy=True).lost["mention"] == 1


def test_in_plaintext_mentions_of_one_entity_may_meet_but_not_cross(tmp_path: Path) -> None:
    words = Words(list, ["u", "v", "w", "x", "y"])
    meeting = Document("d", {"a": [(2, 4), (0, 3)]}, sentences=[5], words=words)
    text = write_file([meeting], "plaintext").text
    assert text == "u|[e1 v w|e1],[e1 x|e1] y\n"
    (copy,) = read_text(tmp_path, text, "plaintext")
    assert clusters(copy) == {"e1": [(0, 3), (2, 4)]}
    crossing = meeting._replace(clusters={"a": [(1, 4), (0, 3)], "b": [(2, 5)]})
    with pytest.raises(InputError, match=r'mentions of "a" of "d" cross, .* \(--lossy leaves out one'):
        write_file([crossing], "plaintext")
    written = write_file([crossing], "plaintext", lossy=True)
    assert (written.text, written.lost["mention"]) == ("u|[e1 v w|e1],[e2 x y|e2]\n", 1)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("tagged", lambda number: "<a>w " * number + "</b> " * number),
        ("tagged", lambda number: "<a>w " * number + "</a> " * number),
        ("markdown", lambda number: "[" * number),
        ("bracketed", lambda number: "[1 w " * number + "w]_2 " * number),
        ("plaintext", lambda number: "w|[e " * number + "w|e] " * number),
        ("markdown", lambda number: "".join(f"# newdoc id = {n}\nw\n" for n in range(number))),
    ],
)
def test_marks_cost_as_much_as_there_are(format: str, text: Callable[[int], str]) -> None:
    read = format_module(FORMATS[format].reader).documents
    assert_in_proportion(lambda number: list(read(text(number), "d", "d.txt")), 150)


def test_a_line_of_plaintext_has_words() -> None:
    empty = Document("d", {}, sentences=[], words=Words(list, []))
    with pytest.raises(InputError, match='"d" has no words, and plaintext has a line for each document'):
        write_file([empty], "plaintext")
    assert write_file([empty], "markdown").text == "# newdoc id = d\n"


def test_only_tags_and_links_are_told_by_their_content(tmp_path: Path) -> None:
    for name, text, known in (
        ("plaintext", "Los|[e1 de|e1] x\n", "plaintext"),
        ("markdown", "Sure!\n\n[Tom](#cluster_0) came\n", "markdown"),
        ("tagged", "<m>Tom</m>#0\n", None),
        ("bracketed", "[Tom]_1\n", None),
        ("a footnote", "see [1](http://x) and |[x y\n", None),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert recognised(str(path)) == known, name


@pytest.mark.parametrize("format", ["plaintext", "crac"])
def test_an_empty_node_keeps_its_form(tmp_path: Path, format: str) -> None:
    """As `conllu2text` and `conllu2json` of text2text-coref write it, unless told otherwise."""
    text = "Los|[e1 ##él|[e2],e1] ganan ##|[e2] a_b|[e2]\n"
    (document,) = read_text(tmp_path, text, "plaintext")
    copy = tmp_path / "copy"
    copy.write_text(write_file([document], format).text, encoding="utf-8")
    assert "##él" in copy.read_text(encoding="utf-8")
    (again,) = read(str(copy))
    assert again.trees is not None
    assert document.trees is not None
    assert again.trees() == document.trees()
