"""CorefUD beyond the spans of mentions: pieces, heads, empty nodes, links, types, syntax; and its writer.

What files hold was worked out by hand from the text of the rules; see also `fixtures/formats`.
"""

import json
import pickle
import re
from itertools import chain

import pytest
from effort import assert_in_proportion
from nodes_in_full import in_full
from span_clusters import score_documents

from scorch2.formats.copies import in_words, write, write_file
from scorch2.formats.reading import documents
from scorch2.model.document import Discontinuous, Document, Words, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Bridge, Markable, Nodes, StoredMarkable, SyntaxRow, Tree, Word, nodes_name
from scorch2.model.names import main_categories
from scorch2.model.options import options_from

BETWEEN = "\t_" * 7 + "\t"
HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
ZEROS = f"""{HEADER}# sent_id = s1
1\tOna\tona\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-a:b)|SpaceAfter=No
2\tvidi\tvidjeti\tVERB\t_\t_\t0\troot\t_\tEntity=(e2-x-4

# sent_id = s2
1-2\tdusel\t_\t_\t_\t_\t_\t_\t_\t_
1\tkuću\tkuća\tNOUN\t_\t_\t2\tobj\t_\tEntity=(e2[1/2]-x-3
1.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj|3.10:dep:x\tEntity=e2[1/2])
2\ti\t_\t_\t_\t_\t0\troot\t_\tEntity=(e4-y-1(e1-person-1)|Bridge=e3<e4:part,e2<e4|SplitAnte=e1<e4,e3<e4
3\tdvor\t_\t_\t_\t_\t2\tobj\t_\tEntity=e4)(e2[2/2]-x-2-)(e3--0)
3.10\t_\t_\t_\t_\t_\t_\t_\t0:root\tEntity=(e1)
3.2\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e3-z-1)
"""


def read(text: str, path: str = "d.conllu") -> list[Document]:
    return documents(text.encode(), path, "corefud")


def one(text: str) -> Document:
    (document,) = read(text)
    return document


def words(*written: str) -> tuple[Word, ...]:
    """Return places written as ``sentence:word`` or ``sentence:word.rank``."""
    found = [re.fullmatch(r"(\d+):(\d+)(?:\.(\d+))?", text) for text in written]
    return tuple(Word(int(m[1]), int(m[2]), int(m[3] or 0)) for m in found if m)


def markables(text: str) -> dict[str, list[Markable]]:
    document = one(text)
    assert document.markables is not None
    found = document.markables()
    sizes = {name: len(members) for name, members in document.clusters.items()}
    assert {name: len(members) for name, members in found.items()} == sizes, "one for each mention"
    return {name: list(members) for name, members in found.items()}


def stored(found: dict[str, list[Markable]]) -> dict[str, list[StoredMarkable]]:
    """Return all that is known about mentions as values that compare."""
    return {
        name: [StoredMarkable(*(getattr(one, field) for field in StoredMarkable._fields)) for one in members]
        for name, members in found.items()
        if members
    }


def test_mentions_that_no_span_can_say_are_in_pieces() -> None:
    clusters = one(ZEROS).clusters
    assert clusters["e1"] == [(0, 1), (3, 4), Discontinuous(5, 5, words("1:3.10"))]
    assert clusters["e2"] == [Discontinuous(2, 5, words("1:1", "1:1.1", "1:3"))]
    assert clusters["e3"] == [(4, 5), Discontinuous(5, 5, words("1:3.2"))]
    assert one(ZEROS).notes == ['a mention of "e2" in sentence 1 does not end and is left out']


def test_of_several_mentions_that_do_not_end_the_first_is_named() -> None:
    rows = ["1\tw{}Entity=(a--1", "2\tw{}Entity=(c--1", "", "1\tw{}Entity=(b--1)(d--1", ""]
    text = HEADER + "".join(f"{row}\n" for row in rows).format(*["\t_" * 7 + "\t"] * 3)
    document = one(text)
    assert document.notes == ['a mention of "a" in sentence 1 does not end and is left out (3 such mentions)']
    assert list(document.clusters) == ["b"]


@pytest.mark.parametrize("columns", [3, 8, 9])
@pytest.mark.parametrize("name", ["2", "1.1", "2-3"])
@pytest.mark.parametrize("last", ["_", "Entity=(a--1)", "Bridge=a<b"])
def test_a_row_from_which_a_column_is_missing_is_refused(name: str, columns: int, last: str) -> None:
    """Only the tenth column holds annotation, and what stands in another one would be lost unseen."""
    row = "\t".join([name, *["_"] * (columns - 2), last])
    full = "\t".join(["1", *"wwwwwwwww"])
    with pytest.raises(InputError) as caught:
        one(f"{HEADER}{full}\n{row}\n")
    why = f"{columns} columns, and CoNLL-U has 10 (write _ into those that say nothing)"
    assert str(caught.value) == f"d.conllu: line 4: {why}"


def test_rows_without_annotation_may_be_short() -> None:
    """A number and a word say all, and a file of which all rows are short has no annotation at all."""
    full = "\t".join(["1", *["_"] * 8, "Entity=(a--1)"])
    assert one(f"{HEADER}{full}\n2\tw\n").sentences == [2]
    assert one(f"{HEADER}1\tw\t_\t_\n2\tw\t_\n").sentences == [2]
    with pytest.raises(InputError, match="line 3: 2 columns, and CoNLL-U has 10"):
        one(f"{HEADER}1\tEntity=(a--1)\n")


def test_pieces_equal_only_mentions_of_the_same_words() -> None:
    mention = Discontinuous(2, 5, words("1:1", "1:3"))
    assert mention != (2, 5)
    assert len({mention, (2, 5)}) == 2
    assert mention == Discontinuous(2, 5, words("1:1", "1:3"))
    assert mention != Discontinuous(2, 5, words("1:1", "1:1.1", "1:3"))
    assert pickle.loads(pickle.dumps(mention)) == mention  # noqa: S301 - ours
    assert tuple(pickle.loads(pickle.dumps(mention))) == (2, 5)  # noqa: S301 - ours
    assert repr(mention) == "Discontinuous(1.0-0+2-2)"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (("0:1", "0:2", "0:4"), "0.0-1+3-3"),
        (("2:5.1",), "2.z5.1"),
        (("0:0.1", "0:1", "0:1.2", "0:2"), "0.z0.1+0-0+z1.2+1-1"),
    ],
)
def test_pieces_are_named_by_their_ranges(written: tuple[str, ...], name: str) -> None:
    assert nodes_name(Nodes.of(words(*written))) == name


def test_heads_chunks_and_edges() -> None:
    found = markables(ZEROS)
    assert [(one.head, one.is_zero) for one in found["e1"]] == [
        (Word(0, 1), False),
        (Word(1, 2), False),
        (Word(1, 3, 10), True),
    ]
    assert found["e1"][0].other == "a:b"
    assert found["e1"][2].edges == {("0", "root")}
    pieces = found["e2"][0]
    assert in_full(pieces.nodes) == words("1:1", "1:1.1", "1:3")
    assert pieces.head == Word(1, 1, 1), "the last bracket names the head: the second node"
    assert pieces.minimum == Nodes.of([pieces.head])
    assert pieces.pieces == ((Word(1, 1), Word(1, 1, 1)), (Word(1, 3), Word(1, 3)))
    assert pieces.edges == {("2", "nsubj"), ("3.10", "dep:x")}
    assert found["e3"][1].edges == frozenset(), "no DEPS"
    assert found["e3"][0].head == Word(1, 3), "0 is the first word"


@pytest.mark.parametrize("governor", ["9", "1.2", "x", "2.x", "-1", "0.5"])
def test_a_governor_must_be_there(governor: str) -> None:
    text = f"{HEADER}1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n1.1\tb\t_\t_\t_\t_\t_\t_\t{governor}:x\tEntity=(e--1)\n"
    with pytest.raises(InputError) as caught:
        markables(text)
    why = f'the empty node 1.1 depends on "{governor}", which is not there'
    assert str(caught.value) == f"d.conllu: line 4: {why}"


def test_links_and_types() -> None:
    document = one(ZEROS)
    assert document.relations is not None
    relations = document.relations()
    assert relations.bridging == [
        Bridge((3, 5), "e4", None, "e3", "part"),
        Bridge((3, 5), "e4", document.clusters["e2"][0], "e2", ""),
    ]
    assert relations.sets == {"e4": ["e1", "e3"]}
    assert main_categories(document) == {"e1": "person", "e2": "x", "e3": "z", "e4": "y"}


def test_the_antecedent_is_the_last_mention_that_begins_before() -> None:
    cells = ["(f)", "(f)", "(e--1)|Bridge=f<e", "(f)"]
    between = "\t_" * 7
    rows = [f"{number}\tw{between}\tEntity={cell}\n" for number, cell in enumerate(cells, 1)]
    document = one(HEADER + "".join(rows))
    assert document.relations is not None
    assert document.relations().bridging == [Bridge((2, 3), "e", (1, 2), "f", "")]


def test_words_tags_and_trees() -> None:
    document = one(ZEROS)
    assert document.words is not None
    assert document.words() == ["Ona", "vidi", "kuću", "i", "dvor"]
    assert document.tags is not None
    assert document.tags() == ["PRON", "VERB", "NOUN", "", ""]
    assert document.trees is not None
    first, second = document.trees()
    assert first == Tree(
        ["# sent_id = s1"],
        [
            SyntaxRow("1", "Ona", "ona", "PRON", "_", "_", "2", "nsubj", "_", "SpaceAfter=No"),
            SyntaxRow("2", "vidi", "vidjeti", "VERB", "_", "_", "0", "root", "_", "_"),
        ],
    )
    assert [row.id for row in second.rows] == ["1-2", "1", "1.1", "2", "3", "3.10", "3.2"]


def test_a_file_without_tags_has_none() -> None:
    document = one("1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n")
    assert document.tags is not None
    assert document.tags() == []


def test_what_is_written_is_read_again_with_all_that_is_known() -> None:
    document = one(ZEROS)
    text = write(document, "corefud")
    again = one(text)
    assert again.clusters == {name: members for name, members in document.clusters.items() if members}
    for part in ("relations", "trees", "tags", "words"):
        assert getattr(again, part)() == getattr(document, part)(), part
    assert stored(markables(text)) == stored(markables(ZEROS))
    assert write(again, "corefud") == text


@pytest.mark.parametrize(
    ("clusters", "cells"),
    [
        ({"a": [(0, 4)], "b": [(0, 2)]}, ["(a--1(b--1", "b)", "_", "a)"]),
        ({"a": [(0, 3)], "b": [(2, 3)], "c": [(2, 4)]}, ["(a--1", "_", "a)(c--1(b--1)", "c)"]),
        ({"a": [(0, 3)], "b": [(1, 3)], "c": [(2, 3)]}, ["(a--1", "(b--1", "(c--1)b)a)", "_"]),
        ({"a": [(0, 2), (1, 2), (2, 3)]}, ["(a--1", "(a--1)a)", "(a--1)", "_"]),
        ({"a": [(0, 3)], "b": [(1, 4)]}, ["(a--1", "(b--1", "a)", "b)"]),
        ({"a-b": [(0, 1)], "c": [(1, 2)]}, ["(e1--1)", "(e2--1)", "_", "_"]),
        (
            {"a": [Discontinuous(0, 4, words("0:1", "0:2", "0:4"))]},
            ["(a[1/2]--1", "a[1/2])", "_", "(a[2/2]--1)"],
        ),
    ],
    ids=[
        "the longer opens first",
        "what closes, what opens, a single word",
        "a single word before what closes",
        "one entity in itself",
        "two entities that cross",
        "a name that brackets cannot hold",
        "pieces",
    ],
)  # fmt: skip
def test_brackets_stand_in_the_order_of_the_validator(
    clusters: dict[str, list[tuple[int, int]]], cells: list[str]
) -> None:
    document = Document("d", clusters, sentences=[4], words=Words(list, ["w"] * 4))
    rows = [line.split("\t") for line in write(document, "corefud").splitlines()]
    assert [row[9].removeprefix("Entity=") for row in rows if len(row) > 1] == cells


def test_no_two_documents_of_a_file_share_an_entity() -> None:
    sides = [
        Document(name, {"0": [(0, 1)], "e1": [(1, 2)]}, sentences=[2], words=Words(list, ["v", "w"]))
        for name in "de"
    ]
    found = documents(write_file(sides, "corefud").text.encode(), "f", "corefud")
    assert [list(document.clusters) for document in found] == [["0", "e1"], ["e2", "e3"]]


@pytest.mark.parametrize(
    ("clusters", "why"),
    [
        (
            {"a": [(0, 3), (1, 4)]},
            '"d" cannot be written as CorefUD: mentions of the entity "a" would be read',
        ),
        ({"a": [(0, 1), (0, 1)]}, 'mention "0.0-0" of "d" stands there twice, which CorefUD cannot hold'),
        (
            {"a": [(0, 1)], "b": [(0, 1)]},
            'mention "0.0-0" of "d" stands there twice, which CorefUD cannot hold',
        ),
        ({"a": [(3, 5)]}, 'mention "0.3-1.0" of "d" leaves its sentence, which CorefUD cannot hold'),
        (
            {"a": [Discontinuous(1, 1, (Word(0, 1, 1),))]},
            'mention "0.z1.1" of "d" leaves its sentence, which CorefUD',
        ),
    ],
    ids=[
        "crossing",
        "repeated",
        "in two entities",
        "over a sentence break",
        "an empty node that is not there",
    ],
)
def test_what_corefud_cannot_hold_is_refused(clusters: dict[str, list[tuple[int, int]]], why: str) -> None:
    document = Document("d", clusters, "d.x", sentences=[4, 1], words=Words(list, ["w"] * 5))
    with pytest.raises(InputError) as caught:
        write(document, "corefud")
    assert str(caught.value).startswith(f"d.x: {why}")


@pytest.mark.parametrize("form", ["corefud", "ua"])
@pytest.mark.parametrize(
    "document",
    [
        Document("d", {"a": [(0, 1)]}, "d.x", sentences=[1]),
        Document("d", {"a": [(0, 1)]}, "d.x", half_open=True, words=Words(list, ["w"])),
    ],
    ids=["sentences without words", "words without sentences"],
)
def test_a_document_needs_words_and_sentences(document: Document, form: str) -> None:
    with pytest.raises(InputError, match=r'^d.x: "d" has no tokens, which .* must hold$'):
        write(document, form)


@pytest.mark.parametrize("word", ["a\tb", "a\nb"])
def test_a_word_that_breaks_the_lines_is_refused(word: str) -> None:
    document = Document("d", {}, sentences=[1], words=Words(list, [word]))
    with pytest.raises(InputError, match="cannot be written as CorefUD"):
        write(document, "corefud")


@pytest.mark.parametrize("form", ["conll", "jsonlines", "tsv", "are"])
def test_other_formats_refuse_mentions_in_pieces(form: str) -> None:
    with pytest.raises(InputError) as caught:
        write(one(ZEROS), form)
    shown = 'mention "1.z3.10" of the entity "e1"'
    why = f"is not a span of words, and {form} holds only these (--lossy leaves it out)"
    assert str(caught.value) == f'd.conllu: "d": {shown} {why}'


@pytest.mark.parametrize("form", ["clusters", "graph"])
def test_names_of_mentions_hold_pieces(form: str) -> None:
    text = f"{HEADER}1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e--1)\n1.1\tb\t_\t_\t_\t_\t_\t_\t_\tEntity=(e--1)\n"
    written = write(one(text), form)
    assert '"0.0-0", "0.z1.1"' in written
    assert "sentences" not in written, "names that are no spans of them"
    (again,) = documents(written.encode(), "d.json")
    assert [set(members) for members in again.clusters.values()] == [{"0.0-0", "0.z1.1"}]


@pytest.mark.parametrize(
    ("clusters", "kept"),
    [
        ({"a": [(0, 3), (1, 4), (1, 2)]}, {"a": [(0, 3), (1, 2)]}),
        ({"a": [(0, 1), (1, 2)], "b": [(0, 1), (3, 4)]}, {"a": [(0, 1), (1, 2)], "b": [(3, 4)]}),
        ({"a": [(3, 5), (0, 1)]}, {"a": [(0, 1)]}),
    ],
    ids=["crossing", "in two entities", "over a sentence break"],
)
def test_lossy_leaves_out_what_corefud_cannot_hold(
    clusters: dict[str, list[tuple[int, int]]], kept: dict[str, list[tuple[int, int]]]
) -> None:
    document = Document("d", clusters, sentences=[4, 1], words=Words(list, ["w"] * 5))
    written = write_file([document], "corefud", lossy=True)
    found = one(written.text).clusters
    assert {name: sorted(spans(members)) for name, members in found.items()} == {
        name: sorted(members) for name, members in kept.items()
    }
    assert written.lost["mention"] == 1


def test_lossy_leaves_out_mentions_in_pieces_where_there_are_only_spans() -> None:
    written = write_file(read(ZEROS), "conll", lossy=True)
    assert documents(written.text.encode(), "d", "conll")[0].clusters == {
        "e1": [(0, 1), (3, 4)],
        "e4": [(3, 5)],
        "e3": [(4, 5)],
    }
    assert written.lost == {
        "mention": 3,
        "cluster": 1,
        "other column": 4,
        "category": 7,
        "head": 5,
        '"a" value': 1,
        "bridging link": 2,
        "bridging type": 1,
        "split antecedent": 2,
        "syntax tree": 2,
        "multiword token": 1,
        "empty node": 3,
        "comment": 2,
    }


def test_clusters_that_lose_all_their_mentions_are_left_out() -> None:
    written = write_file(read(ZEROS), "jsonlines", lossy=True)
    assert written.lost["cluster"] == 1
    assert json.loads(written.text)["clusters"] == [[[0, 0], [3, 3]], [[3, 4]], [[4, 4]]]


def test_losses_are_told_in_the_plural() -> None:
    lost = write_file(read(ZEROS), "conll", lossy=True).lost
    told = in_words(lost)
    assert told.startswith(
        '3 mentions, 1 cluster, 4 other columns, 7 categories, 5 heads, 1 "a" value, 2 bridging'
    )
    assert (
        in_words({"enclosed empty node": 2, "deixis mention": 3})
        == "2 enclosed empty nodes, 3 deixis mentions"
    )


def test_a_set_of_one_is_left_out() -> None:
    """The rules of CorefUD ask for two antecedents or more."""
    text = (
        HEADER
        + "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(a--1)\n2\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(b--1)|SplitAnte=a<b\n"
    )
    written = write_file(read(text), "corefud")
    assert "SplitAnte" not in written.text
    assert written.lost == {"split antecedent": 1}


def test_a_file_is_known_behind_many_comments() -> None:
    """Detection looks at the first 64 KiB before it decodes the rest of a file."""
    (found,) = documents(("# nothing\n" * 10_000 + ZEROS).encode(), "d.x")
    assert found.format == "corefud"
    assert found.clusters == one(ZEROS).clusters


def test_the_last_line_may_be_a_comment_without_an_end() -> None:
    first, last = documents((ZEROS + "\n# newdoc id = e\n# sent_id = s3").encode(), "d.conllu")
    assert (last.id, last.clusters) == ("e", {})
    assert first.sentence_ids is not None
    assert last.sentence_ids is not None
    assert [*first.sentence_ids(), *last.sentence_ids()] == ["s1", "s2", "s3"]


def test_an_error_of_encoding_has_its_line_in_the_file() -> None:
    second = "# newdoc id = e\n1\tw\xe9\t_\t_\t_\t_\t0\t_\t_\t_\n".encode("latin-1")
    with pytest.raises(InputError, match=r"d\.conllu: line 17: not UTF-8 text"):
        documents((ZEROS + "\n").encode() + second, "d.conllu")
    with pytest.raises(InputError, match=r"d\.conllu: line 17: contains a NUL byte"):
        documents((ZEROS + "\n").encode() + second.replace(b"\xe9", b"\0"), "d.conllu")


def test_mentions_around_an_empty_node_are_read_in_proportion() -> None:
    """They begin one after the other, and end in the other order."""

    def run(number: int) -> None:
        cells = [*(f"(e{n}--1" for n in range(number)), *(f"e{n})" for n in reversed(range(number)))]
        rows = [f"{n}\tw{BETWEEN}Entity={cell}" for n, cell in enumerate(cells, 1)]
        rows.insert(number, f"{number}.1\t_{BETWEEN}_")
        found = one(f"{HEADER}{chr(10).join(rows)}\n").clusters
        assert [tuple(spans(found[name])[0]) for name in ("e0", "e1")] == [
            (0, 2 * number),
            (1, 2 * number - 1),
        ]
        assert all(isinstance(mention, Discontinuous) for mention in chain.from_iterable(found.values()))

    assert_in_proportion(run, 50)


def test_words_of_documents_of_any_length_are_read_alike() -> None:
    number = 10_000  # so many that they are decoded in several blocks
    sentences = [f"1\tv{n}{BETWEEN}_\n2\té{BETWEEN}Entity=(e{n})\n\n" for n in range(number)]
    document = one(HEADER + "".join(sentences))
    assert document.clusters == {f"e{n}": [(2 * n + 1, 2 * n + 2)] for n in range(number)}
    assert document.words is not None
    assert document.words() == [word for n in range(number) for word in (f"v{n}", "é")]


def around(mentions: int, empty: int) -> str:
    """Return one sentence, in which mentions begin one after the other, and end behind some empty nodes."""
    rows = [f"{n + 1}\tw{BETWEEN}Entity=(e{n}--1\n" for n in range(mentions)]
    rows += [f"{mentions}.{n + 1}\t_{BETWEEN}_\n" for n in range(empty)]
    rows.append(f"{mentions + 1}\tw{BETWEEN}Entity={''.join(f'e{n})' for n in reversed(range(mentions)))}\n")
    return HEADER + "".join(rows)


def test_very_many_mentions_around_very_many_empty_nodes_are_refused() -> None:
    assert len(one(around(500, 600)).clusters) == 500
    why = r"d\.conllu: line 1104: the mentions up to here hold 300600 empty nodes in all"
    with pytest.raises(InputError, match=why):
        one(around(501, 600))
    more = f"\n1\tw{BETWEEN}_\n" * 7_000  # 15 105 lines may have 302 100
    assert len(one(around(501, 600) + more).clusters) == 501


@pytest.mark.parametrize("form", ["corefud", "ua", "clusters", "conll"])
def test_empty_nodes_in_another_order_are_the_same_mentions_in_a_copy(form: str) -> None:
    """The row of 4.2 stands before that of 4.1, and a mention of e2 does not end."""
    cells = {
        "1": "Entity=(e1--1)", "2": "Entity=(e2--1", "3": "Entity=(e1--1)(e3--1", "4": "Entity=e3)(e2--1)",
        "4.2": "_", "4.1": "_", "5": "Entity=(e3--1)",
    }  # fmt: skip
    if form in ("corefud", "ua"):
        cells |= {"4.2": "Entity=(e1--1)", "4.1": "Entity=(e3--1)"}
    heads = {name: "_" if "." in name else "0" for name in cells}
    rows = (f"{name}\tw\t_\t_\t_\t_\t{heads[name]}\t_\t_\t{cell}\n" for name, cell in cells.items())
    document = one(HEADER + "".join(rows) + "\n")
    (copy,) = documents(write_file([document], form).text.encode(), "d", form)
    report = score_documents(document, copy, options_from(metrics=("b_cubed", "muc")))
    assert {name: score.f1 for name, score in report.scores.items()} == {"b_cubed": 1.0, "muc": 1.0}
