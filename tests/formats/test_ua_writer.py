"""The writer of the exploded format: what it writes is read again with all that is known.

Expected rows were worked out by hand from the text of the rules.
"""

from pathlib import Path
from typing import Any

import pytest
from every import every
from ua_rows import CASES, FIXTURES, HEADER, TEXT, in_any_order, known, mark, one, plain, row, words

from scorch2.formats.copies import write, write_file
from scorch2.formats.reading import documents
from scorch2.formats.reading import read as read_file
from scorch2.model.document import Discontinuous, Document, OnDemand, Words
from scorch2.model.errors import InputError
from scorch2.model.markables import Bridge, Nodes, Relations, StoredMarkable


@every("path", CASES)
def test_what_is_written_is_read_again_with_all_that_is_known(path: Path) -> None:
    found = read_file(str(path))
    text = write_file(found, "ua").text
    again = documents(text.encode(), "again")
    assert [in_any_order(document) for document in again] == [in_any_order(document) for document in found]


def test_what_is_written_is_written_again_to_the_letter() -> None:
    """Whatever format it comes from, what is read of it is numbered and ordered in the same way."""
    written = 0
    for path in sorted(filter(Path.is_file, FIXTURES.rglob("*"))):
        try:
            text = write_file(read_file(str(path)), "ua").text
        except InputError:  # no format at all, no document, or one that this one cannot hold
            continue
        assert write_file(documents(text.encode(), "again", "ua"), "ua").text == text, path
        written += 1
    assert written > 300


def test_markables_are_numbered_as_they_begin_and_sets_as_they_are_mentioned() -> None:
    """In the same place the longer one comes first, then that of the entity that begins first."""
    links = OnDemand(Relations, {"x": ["m"], "y": ["m", "n"]})
    clusters = {"x": [(3, 4)], "m": [(3, 4), (2, 4)], "n": [(2, 3)], "y": [(0, 1), (3, 4)]}
    rows = [line.split("\t") for line in write(plain(clusters, relations=links), "ua").splitlines()]
    assert [cells[10] for cells in rows if len(cells) > 10] == [
        mark("y", "markable_1)"),
        "_",
        mark("m", "markable_2", "|ElementOf=y,x") + mark("n", "markable_3", "|ElementOf=y)"),
        ")" + mark("y", "markable_4)") + mark("m", "markable_5)") + mark("x", "markable_6)"),
    ]


def test_a_document_with_everything_is_written_to_the_letter() -> None:
    expected = (
        HEADER
        + "# newdoc id = d\n# sent_id = s1\n"
        + row(1, mark(1, "markable_1", "|Min=2|ElementOf=3|SemType=dn"), form="the")
        + row(2, ")", form="cat")
        + row("2.1", mark(2, "markable_2", "|ElementOf=3)") + mark("1-Pseudo", "markable_3") + ")")
        + row("2.2", mark(1, "markable_4") + ")")
        + "\n# sent_id = s2\n"
        + row(
            3,
            mark(1, "markable_5", "|Min=5") + mark(2, "markable_6)"),
            "(MarkableID=markable_5|Rel=part|MentionAnchor=markable_2)"
            "(MarkableID=markable_6|MentionAnchor=markable_4)",
            mark(1, "markable_8", "|Min=3,4"),
        )
        + row(4, ")", deixis=")")
        + row(5)
        + row(6, mark(1, "markable_5", "|Min=5)") + mark(3, "markable_7)"))
        + "\n"
    )
    assert write(one(TEXT), "ua") == expected


@pytest.mark.parametrize(
    ("clusters", "cells"),
    [
        ({"a": [(0, 3)], "b": [(0, 2)]}, [mark("a", "markable_1") + mark("b", "markable_2"), ")", ")", "_"]),
        (
            {"a": [(0, 3)], "b": [(1, 4)]},
            [mark("a", "markable_1"), mark("b", "markable_2"), "markable_1)", "markable_2)"],
        ),
        ({"a": [(0, 2)], "b": [(1, 3)]}, [mark("a", "markable_1"), ")" + mark("b", "markable_2"), ")", "_"]),
        ({"a|b": [(0, 1)], "c": [(1, 2)]}, [mark(1, "markable_1)"), mark(2, "markable_2)"), "_", "_"]),
        ({"a-Pseudo": [(0, 1)]}, [mark(1, "markable_1)"), "_", "_", "_"]),
        ({"a": [(0, 1), (0, 1)]}, [mark("a", "markable_1)") + mark("a", "markable_2)"), "_", "_", "_"]),
    ],
    ids=[
        "nested",
        "crossing",
        "one begins where another ends",
        "a name that brackets cannot hold",
        "a name that means something",
        "repeated",
    ],
)
def test_brackets_are_those_that_scorers_read(clusters: dict[str, list[Any]], cells: list[str]) -> None:
    rows = [line.split("\t") for line in write(plain(clusters), "ua").splitlines()]
    assert [one[10] for one in rows if len(one) > 1] == cells


def test_a_mention_over_a_sentence_break_is_one_piece() -> None:
    document = one(write(plain({"a": [(1, 3)]}, [2, 2]), "ua"))
    assert document.clusters == {"a": [(1, 3)]}
    assert known(document)[0]["a"][0].pieces == (words((0, 2), (1, 1)),)


def test_empty_nodes_beside_words_are_refused_or_left_out() -> None:
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    cells = [
        ("1", "Entity=(a--1(b--1)"),
        ("1.1", "_"),
        ("2", "Entity=a)"),
        ("2.1", "Entity=(c--1"),
        ("2.2", "Entity=c)"),
    ]
    text += "".join(f"{name}\tw\t_\t_\t_\t_\t0\t_\t_\t{misc}\n" for name, misc in cells) + "\n"
    (document,) = documents(text.encode(), "d.conllu")
    with pytest.raises(InputError) as caught:
        write(document, "ua")
    why = 'mention "0.0-0+z1.1+1-1" of "d" holds an empty node beside others, which UA cannot hold'
    assert str(caught.value) == f"d.conllu: {why} (--lossy keeps its words)"
    written = write_file([document], "ua", lossy=True)
    assert one(written.text).clusters == {"a": [(0, 2)], "b": [(0, 1)]}
    assert written.lost == {"mention": 1, "cluster": 1, "head": 1, "enclosed empty node": 3}


def test_words_that_would_move_columns_are_refused() -> None:
    for word in ("a\tb", "a\nb"):
        with pytest.raises(InputError, match="cannot be written as UA"):
            write(plain({}, [1])._replace(words=Words(list, [word])), "ua")
    with pytest.raises(InputError, match="has no tokens, which UA must hold"):
        write(Document("d", {"a": ["m"]}, "d.json"), "ua")
    with pytest.raises(InputError, match="its name would be read in another way"):
        write(plain({}, [1])._replace(id=""), "ua")


def test_a_word_that_would_be_taken_for_coreference_is_refused() -> None:
    document = plain({"a": [(0, 1)]}, [1])._replace(words=Words(list, ["a\tb"]))
    with pytest.raises(InputError, match=r'cannot be written as UA: its token 1 is "a\\tb"'):
        write(document, "ua")


def test_links_to_an_entity_that_is_not_mentioned_before_name_its_first_mention() -> None:
    links = (Bridge((2, 3), "b", None, "a", "part"), Bridge((9, 10), "lost", None, "a", "part"))
    text = write(plain({"a": [(0, 1)], "b": [(2, 3)]}, relations=OnDemand(Relations, {}, links)), "ua")
    assert "(MarkableID=markable_2|Rel=part|MentionAnchor=markable_1)" in text
    assert text.count("Anchor=") == 1


def test_links_from_the_first_words_of_a_document_stand_there() -> None:
    links = [Bridge((start, start + 1), "b", (3, 4), "a", "part") for start in (0, 1, 2)]
    document = plain({"a": [(3, 4)], "b": [(0, 1), (1, 2), (2, 3)]}, [2, 2])
    text = write(document._replace(relations=OnDemand(Relations, {}, links)), "ua")
    assert known(one(text))[1].bridging == links


def test_values_that_brackets_cannot_hold_are_left_out() -> None:
    place = words((0, 1))
    markable = StoredMarkable(
        Nodes.of(place),
        place[0],
        Nodes((), ()),
        ((place[0], place[0]),),
        other="a b:c,k:v w,n:x%2Cy%2Dz,flag,Min:7",
    )
    document = plain({"a": [(0, 1)]}, [1], markables=OnDemand(dict, {"a": [markable]}))
    text = write(document, "ua")
    assert "(EntityID=a|MarkableID=markable_1|n=x,y-z|flag=)" in text
    assert known(one(text))[0]["a"][0].other == "n:x%2Cy%2Dz,flag"


def test_corefud_holds_no_link_inside_an_entity() -> None:
    cells = [mark(1, "a") + ")", mark(1, "b") + ")"]
    text = "# newdoc id = d\n" + row(1, cells[0]) + row(2, cells[1], "(MarkableID=b|MentionAnchor=a)")
    written = write_file([one(text)], "corefud")
    assert "Bridge" not in written.text
    assert written.lost == {"bridging link": 1}


def test_empty_nodes_are_written_in_the_order_of_their_numbers() -> None:
    """CorefUD may have their lines in any order; in the exploded format the lines are what is counted."""
    columns = "\t_\t_\t_\t_\t0\t_\t_\t"
    rows = [("2.2", "y", "Entity=(e2)"), ("1", "a", "_"), ("2", "b", "_"), ("2.1", "x", "Entity=(e1)")]
    lines = "".join(f"{name}\t{form}{columns}{misc}\n" for name, form, misc in rows)
    (document,) = documents(f"# newdoc id = d\n# global.Entity = eid\n{lines}\n".encode(), "d.conllu")
    text = write(document, "ua")
    assert [line.split("\t")[:2] for line in text.splitlines() if line[:1].isdecimal()] == [
        ["1", "a"],
        ["2", "b"],
        ["2.1", "x"],
        ["2.2", "y"],
    ]
    assert one(text).clusters == {
        "e2": [Discontinuous(2, 2, words((0, 2, 2)))],
        "e1": [Discontinuous(2, 2, words((0, 2, 1)))],
    }


def test_links_follow_mentions_that_lose_their_empty_nodes() -> None:
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    cells = [
        ("1", "Entity=(a--1)"),
        ("2", "Entity=(a--1"),
        ("2.1", "_"),
        ("3", "Entity=a)"),
        ("4", "Bridge=a<b|Entity=(b--1)"),
    ]
    text += "".join(f"{name}\tw\t_\t_\t_\t_\t0\t_\t_\t{misc}\n" for name, misc in cells) + "\n"
    written = write_file(documents(text.encode(), "d.conllu"), "ua", lossy=True).text
    assert "(MarkableID=markable_3|MentionAnchor=markable_2)" in written
    assert known(one(written))[1].bridging == [Bridge((3, 4), "b", (1, 3), "a", "")]
