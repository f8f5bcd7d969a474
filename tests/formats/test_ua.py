"""The exploded format beyond the spans of mentions: pieces, zeros, sets, links, layers, syntax.

What files hold was worked out by hand from the text of the rules; see also `fixtures/formats`.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from effort import assert_in_proportion
from every import every
from nodes_in_full import in_full
from span_clusters import score_documents
from ua_rows import CASES, HEADER, TEXT, in_any_order, known, mark, one, plain, row, words

from scorch2.formats.copies import write
from scorch2.formats.reading import documents
from scorch2.model.document import Discontinuous
from scorch2.model.errors import InputError
from scorch2.model.markables import Bridge, Nodes, SyntaxRow, Tree, Word
from scorch2.model.options import options_from


def test_clusters_hold_spans_pieces_and_zeros() -> None:
    document = one(TEXT)
    assert document.sentences == [2, 4]
    assert document.clusters == {
        "1": [
            (0, 2),
            Discontinuous(2, 2, words((0, 2, 2))),
            Discontinuous(2, 6, words((1, 1), (1, 2), (1, 4))),
        ],
        "2": [Discontinuous(2, 2, words((0, 2, 1))), (2, 3)],
        "3": [(5, 6)],
    }
    assert list(document.clusters) == ["1", "2", "3"]


def test_markables_know_their_minimum_and_the_rest() -> None:
    markables, _ = known(one(TEXT))
    first, zero, pieces = markables["1"]
    assert in_full(first.nodes) == words((0, 1), (0, 2))
    assert first.pieces == (words((0, 1), (0, 2)),)
    assert (first.head, first.minimum) == (Word(0, 2), Nodes.of(words((0, 2))))
    assert (first.other, first.edges) == ("SemType:dn", frozenset())
    assert zero.is_zero
    assert zero.minimum == Nodes((), ())
    assert pieces.pieces == (words((1, 1), (1, 2)), words((1, 4), (1, 4)))
    assert pieces.minimum == Nodes.of(words((1, 3))), "as written, though it is outside"
    assert pieces.head == Word(1, 1), "the first word, since the minimum is outside"


def test_sets_links_and_what_refers_to_nothing() -> None:
    document = one(TEXT)
    _, relations = known(document)
    pieces = document.clusters["1"][2]
    assert relations.sets == {"3": ["1", "2"]}
    assert relations.bridging == [
        Bridge(pieces, "1", Discontinuous(2, 2, words((0, 2, 1))), "2", "part"),
        Bridge((2, 3), "2", Discontinuous(2, 2, words((0, 2, 2))), "1", ""),
    ]
    assert relations.non_referring == [Discontinuous(2, 2, words((0, 2, 1)))]
    assert document.notes == ["1 bridging link with an end that is not in IDENTITY left out: of zz"]


def test_deixis_is_a_layer() -> None:
    layer = one(TEXT).layers["deixis"]
    assert layer.clusters == {"1": [(2, 4)]}
    markables, relations = known(layer)
    assert markables["1"][0].minimum == Nodes.of(words((1, 1), (1, 2)))
    assert not any(relations)
    assert one("1" + "\t_" * 10 + "\n").layers == {}, "no column"


def test_words_tags_and_trees() -> None:
    document = one(TEXT)
    assert document.words is not None
    assert document.tags is not None
    assert document.trees is not None
    assert document.words() == ["the", "cat", "w", "w", "w", "w"]
    assert document.tags() == ["NOUN"] * 6
    first, second = document.trees()
    assert first == Tree(
        ["# sent_id = s1"],
        [
            SyntaxRow("1", "the", "_", "NOUN", "_", "_", "0", "root", "_", "_"),
            SyntaxRow("2", "cat", "_", "NOUN", "_", "_", "0", "root", "_", "_"),
            SyntaxRow("2.1", "w", "_", "NOUN", "_", "_", "0", "root", "_", "_"),
            SyntaxRow("2.2", "w", "_", "NOUN", "_", "_", "0", "root", "_", "_"),
        ],
    )
    assert [row.id for row in second.rows] == ["1-2", "1", "2", "3", "4"], "words count in each sentence"


@pytest.mark.parametrize(
    ("cells", "clusters"),
    [
        ([mark(1, "a"), mark(2, "b") + "))", "_"], {"1": [(0, 2)], "2": [(1, 2)]}),
        ([mark(1, "a") + "@" + mark(2, "b") + ")", ")", "_"], {"1": [(0, 2)], "2": [(0, 1)]}),
        ([mark(1, "a", "|Min=1@") + mark(2, "b"), "))", "_"], {"1": [(0, 2)], "2": [(0, 2)]}),
        ([mark(1, "a"), mark(2, "b"), "a)b)"], {"1": [(0, 3)], "2": [(1, 3)]}),
        ([mark(1, "a"), "a)" + mark(2, "b"), "b)"], {"1": [(0, 2)], "2": [(1, 3)]}),
        ([mark(1, "a"), mark(2, "b"), "))"], {"1": [(0, 3)], "2": [(1, 3)]}),
        ([mark(1, "a") + ")", mark(1, "a") + ")", "_"], {"1": [(0, 2)]}),
        ([mark(1, "a") + ")", "", mark(2, "a") + ")"], {"2": [Discontinuous(0, 3, words((0, 1), (0, 3)))]}),
        ([mark("1_Pseudo", "a") + ")", "_", "_"], {"1_Pseudo": [(0, 1)]}),
    ],
    ids=[
        "an outer one closes after a single word",
        "joined by @",
        "@ after a value",
        "closings with names",
        "crossing",
        "closings without names",
        "two pieces that touch",
        "pieces of two entities: the last counts",
        "another spelling of Pseudo",
    ],
)  # fmt: skip
def test_every_style_of_brackets_is_read(cells: list[str], clusters: dict[str, list[Any]]) -> None:
    text = "# newdoc id = d\n" + "".join(row(number, cell) for number, cell in enumerate(cells, 1))
    assert one(text).clusters == clusters


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([mark(1, "a", "|Min=1,2,3") + ")", "_", "_"],
         'Min of "a" has more than two numbers: the first two count'),
        ([mark(1, "a") + ")", "_", mark(2, "a") + ")"],
         "the parts of a markable name two entities, and the last one counts: a"),
        ([mark("1-Pseudo", "a") + ")", mark("1-Pseudo", "b") + ")", "_"],
         'entity "1-Pseudo" has 2 markables: the first counts'),
        ([mark(1, "a", "|ElementOf=7,8") + ")", "_", "_"],
         "ElementOf names entities without a markable: 7, 8"),
    ],
)  # fmt: skip
def test_what_counts_only_in_part_is_noted(rows: list[str], why: str) -> None:
    text = "# newdoc id = d\n" + "".join(row(number, cell) for number, cell in enumerate(rows, 1))
    assert one(text).notes == [why]


def test_rows_of_blanks_and_numbers_from_anywhere() -> None:
    """Converters of neural systems write two blanks between columns, and count words from 0."""
    text = f"# newdoc id = d\n0  a  {'_  ' * 8}{mark(1, 'm')})  _  _  _  _\n1  b  {'_  ' * 8}_  _  _  _  _\n"
    document = one(text)
    assert document.clusters == {"1": [(0, 1)]}
    assert document.words is not None
    assert document.words() == ["a", "b"]


def test_lines_of_all_kinds_count() -> None:
    lines = "# newdoc id = d\n# a\tb\n" + row(1) + row("1.1", mark(1, "z") + ")") + "# c\n"
    lines += row(2).replace("\t", " ") + row("3-4") + row(3, mark(1, "a")) + row(4, ")") + "\n" + row(5, ")")
    with pytest.raises(InputError) as caught:
        one(lines)
    assert str(caught.value) == "d.ua: line 11: a bracket closes where no markable is open"


@pytest.mark.parametrize("column", [2, 14])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_row_has_as_many_columns_as_others(place: int, column: int) -> None:
    """A missing column moves mentions into another one, where nobody sees them."""
    rows = [row(1, mark(1, "a") + ")"), row(2, mark(1, "b") + ")"), row("2.1", mark(1, "c") + ")")]
    cells = rows[place].rstrip("\n").split("\t")
    rows[place] = "\t".join(cells[:column] + cells[column + 1 :]) + "\n"
    line, columns = (2, (15, 14)) if place == 0 else (place + 1, (14, 15))
    with pytest.raises(InputError) as caught:
        one("# newdoc id = d\n" + "".join(rows))
    why = f"line {line + 1}: {columns[0]} columns, but rows before have {columns[1]}"
    assert str(caught.value) == f"d.ua: {why} (write _ into those that say nothing)"


def test_carriage_returns_end_no_cell() -> None:
    text = "# newdoc id = d\n" + row(1, mark(1, "m") + ")").replace("\n", "\r\r\n")
    assert one(text).clusters == {"1": [(0, 1)]}


@pytest.mark.parametrize("break_at", [1, 3])
def test_sentences_may_end_in_other_places(break_at: int) -> None:
    cells = [mark(1, "a") + ")", mark(1, "b"), ")", mark(1, "c") + ")"]
    rows = [row(number, cell) for number, cell in enumerate(cells, 1)]
    rows.insert(1, row("1.1", mark(2, "z") + ")"))
    rows.insert(4, row("3.1", mark(2, "y") + ")"))
    sides = [
        one("# newdoc id = d\n" + "".join([*rows[:place], "\n", *rows[place:]]))
        for place in (2, break_at + 2)
    ]
    for gold, system in (sides, reversed(sides)):
        for match in ("exact", "partial"):
            report = score_documents(gold, system, options_from(metrics=("mentions",), match=match))
            assert report.scores["mentions"].f1 == 1


def test_other_words_are_refused_with_their_number() -> None:
    sides = [one("# newdoc id = d\n" + row(1) + "\n" + row(2, form=form)) for form in ("v", "w")]
    with pytest.raises(InputError) as caught:
        score_documents(sides[0], sides[1], options_from())
    assert 'sentence 2: word 1 is "w", but "v"' in str(caught.value)


def in_blanks(row: str) -> str:
    return row.replace("\t", "  ")


def in_more_columns(row: str) -> str:
    return f"{row}\tmore\t_"


def with_blanks_around_brackets(row: str) -> str:
    return row.replace("\t(", "\t (").replace(")\t", ") \t")


def with_the_name_first(row: str) -> str:
    return re.sub(r"\((EntityID=[^|]*)\|(MarkableID=[^|()]*)", r"(\2|\1", row)


def with_an_at_sign(row: str) -> str:
    return row.replace("(EntityID", "@(EntityID")


@every(
    "change", [in_blanks, in_more_columns, with_blanks_around_brackets, with_the_name_first, with_an_at_sign]
)
@every("path", CASES)
def test_rows_may_be_written_in_other_ways(path: Path, change: Callable[[str], str]) -> None:
    """Every other row is written so, beside rows as most files have them; all have as many columns."""
    written = path.read_text("utf-8").split("\n")
    places = [at for at, row in enumerate(written) if row[:1].isdecimal()]
    changed = {at for at in places if at % 2 or change is in_more_columns}
    rows = [change(row) if at in changed else row for at, row in enumerate(written)]
    assert rows != written
    every = [documents("\n".join(lines).encode(), "d.ua", "ua") for lines in (written, rows)]
    usual, unusual = ([in_any_order(document) for document in found] for found in every)
    assert usual == unusual


def test_the_antecedent_may_be_around_the_anaphor() -> None:
    """It is the last mention that begins before, wherever that ends."""
    text = "# newdoc id = d\n" + row(1, mark(1, "a")) + row(2)
    text += (
        row(3, mark(2, "b") + ")", "(MarkableID=b|EntityAnchor=1)") + row(4, ")") + row(5, mark(1, "c") + ")")
    )
    assert known(one(text))[1].bridging == [Bridge((2, 3), "2", (0, 4), "1", "")]


def test_a_row_may_end_with_the_column_of_identity() -> None:
    assert one("# newdoc id = d\n" + "1\tw" + "\t_" * 8 + f"\t{mark(1, 'a')})\n").clusters == {"1": [(0, 1)]}


def test_blank_lines_end_no_sentence_that_did_not_begin() -> None:
    text = write(plain({"a": [(0, 1)]}, [2, 2]), "ua")
    spaced = text.replace("\n\n", "\n\n\n")
    assert one(spaced).sentences == one(text).sentences == [2, 2]


@pytest.mark.parametrize("metric", ["bridging_mention", "bridging_entity"])
def test_a_link_may_name_an_entity_that_refers_to_nothing(metric: str) -> None:
    text = "# newdoc id = d\n"
    text += row(1, mark(1, "a") + ")", "(MarkableID=a|EntityAnchor=2-Pseudo)")
    text += row(2, mark("2-Pseudo", "b") + ")")
    assert known(one(text))[1].bridging == [Bridge((0, 1), "1", (1, 2), "2-Pseudo", "")]
    report = score_documents(one(text), one(text), options_from(metrics=(metric,)))
    assert tuple(report.tallies(metric)[""]) == (1, 1, 1, 1)


def test_a_file_is_known_behind_many_comments() -> None:
    (found,) = documents((HEADER + "# nothing\n" * 10_000 + TEXT).encode(), "d.x")
    assert found.format == "ua"


def test_markables_inside_each_other_are_read_in_proportion() -> None:
    """They begin one after the other, and end in the other order."""

    def run(number: int) -> None:
        begins = [row(n, mark(f"e{n}", n)) for n in range(1, number + 1)]
        text = "".join(["# newdoc id = d\n", *begins, *(row(number + n, ")") for n in range(1, number + 1))])
        found, _ = known(one(text))
        sizes = [found[f"e{n}"][0].place[2] for n in range(1, number + 1)]
        assert sizes == list(range(2 * number, 0, -2))

    assert_in_proportion(run, 50)


def test_comments_that_only_speak_of_columns_name_none() -> None:
    document = one("# see global.columns\n" + TEXT)
    assert document.clusters == one(TEXT).clusters


def test_carriage_returns_before_the_end_of_a_line_are_no_cells() -> None:
    document = one(TEXT.replace("\n", "\r\r\n"))
    assert document.clusters == one(TEXT).clusters
    assert document.tags is not None
    assert document.tags() == ["NOUN"] * 6


@pytest.mark.parametrize(("more", "why"), [("|n=1|n=2", "a second n"), ("|n", "is not <key>=<value>")])
def test_values_of_a_bracket_are_named_once(more: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        one("# newdoc id = d\n" + row(1, mark(1, "a", more) + ")"))


_SENTENCES = 6_000
"""So many that a document is decoded in several blocks."""


def sentences_of(number: int) -> list[str]:
    """Return sentences of two words and a zero, which are mentions but for the first word."""
    return [
        row(1, form=f"v{n}")
        + row(2, mark("e", n) + ")", form="é")
        + row("2.1", mark("z", f"z{n}") + ")")
        + "\n"
        for n in range(number)
    ]


def test_documents_of_any_length_are_read_alike() -> None:
    document = one("".join(["# newdoc id = d\n", *sentences_of(_SENTENCES)]))
    assert document.sentences == [2] * _SENTENCES
    assert document.clusters["e"] == [(2 * n + 1, 2 * n + 2) for n in range(_SENTENCES)]
    zeros = [Discontinuous(2 * n + 2, 2 * n + 2, words((n, 2, 1))) for n in range(_SENTENCES)]
    assert document.clusters["z"] == zeros
    assert document.words is not None
    assert document.words() == [word for n in range(_SENTENCES) for word in (f"v{n}", "é")]


@pytest.mark.parametrize(
    ("last", "why"),
    [
        (row(1, ")").encode(), "a bracket closes"),
        (row(1, form="é").encode("latin-1"), "not UTF-8"),
        (b"x\n", "column"),
    ],
)
def test_errors_far_into_a_document_have_their_line(last: bytes, why: str) -> None:
    text = "".join(["# newdoc id = d\n", *sentences_of(_SENTENCES)])
    with pytest.raises(InputError, match=rf"d\.ua: line {4 * _SENTENCES + 2}: .*{why}"):
        documents(text.encode() + last, "d.ua", "ua")
