"""CoNLL columns as the reference scorer 8.01 reads them, by the grammar that it accepts.

Spans are first and last token. Expected values are worked out by hand from its four passes over a cell.
"""

import re

import pytest
from effort import share_of
from hypothesis import given, settings
from hypothesis import strategies as st

from scorch2.model.errors import InputError
from scorch2.tasks.reference_scorer.reader import ReferenceDocument, _cell, _comment, read

Spans = tuple[tuple[int, int], ...]


def conll(*rows: str) -> str:
    return "\n".join(["#begin document (d);", *rows, "#end document", ""])


def only(*rows: str) -> ReferenceDocument:
    (document,) = read(conll(*rows), "k")
    return document


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text, "k")
    return str(caught.value)


@pytest.mark.parametrize(
    ("cells", "entities"),
    [
        (["(1)"], [[(0, 0)]]),
        (["(1", "1)"], [[(0, 1)]]),
        (["(1", "-", "1)|(1", "-", "1)"], [[(2, 2), (0, 4)]]),
        (["(1", "(1", "1)", "1)"], [[(1, 2), (0, 3)]]),
        (["(1|(2", "1)", "2)"], [[(0, 1)], [(0, 2)]]),
        (["(1(2", "2)1)"], [[(0, 1)], [(0, 1)]]),
        (["(1(2)1)"], [[(0, 0)], [(0, 0)]]),
        (["(1(2)3)"], [[(0, 0)], [(0, 0)]]),
        (["(2)|(1)", "(1)|(2)"], [[(0, 0), (1, 1)], [(0, 0), (1, 1)]]),
        (["(1|(2)", "1)"], [[(0, 0)], [(0, 1)]]),
        (["(01)", "(1)"], [[(0, 0)], [(1, 1)]]),
    ],
)
def test_tags_are_found_in_four_passes(cells: list[str], entities: list[list[tuple[int, int]]]) -> None:
    assert only(*(f"w\t{cell}" for cell in cells)).entities == tuple(map(tuple, entities))


@pytest.mark.parametrize(
    ("cell", "discarded", "entities"),
    [
        ("(12+3)", ("(12+3)",), ()),
        ("(1+2)|(3+4)", ("(1+2)", "(3+4)"), ()),
        ("(1)|(1+2)", ("(1+2)",), (((0, 0),),)),
    ],
)
def test_tags_with_a_plus_are_discarded(
    cell: str, discarded: tuple[str, ...], entities: tuple[Spans, ...]
) -> None:
    document = only(f"w\t{cell}")
    assert (document.discarded, document.entities) == (discarded, entities)


@pytest.mark.parametrize(
    "row",
    ["w\t(1)", "w\tx\t(1)", "w\t(1)\t", "w\t(1)\t\t", "w\t(1)\r", "w\t(1)\t\r", "w (1)", "w x y (1)", "(1)"],
    ids=repr,
)
def test_the_last_column_that_is_not_empty_is_the_cell(row: str) -> None:
    assert only("v\t-", row).entities == (((1, 1),),)


@pytest.mark.parametrize(
    "row", ["w\t-", "w\t_", "w\t*", "w\t7", "w\t", "(1)\t-", "(1) -", "(1\t-", "1) -"], ids=repr
)
def test_a_cell_without_brackets_says_nothing_whatever_stands_before_it(row: str) -> None:
    document = only(row)
    assert (document.entities, document.tokens, document.odd_tokens) == ((), 1, 0)


@pytest.mark.parametrize(
    ("rows", "tokens", "comments"),
    [
        (["w\t-", "w\t-"], 2, 0),
        (["w\t-", "", " \t ", "\r", "w\t-"], 2, 0),
        (["# a comment", "w\t-"], 2, 1),
        (["#", "# a", "w\t-", "#note"], 4, 3),
        (["#\tw\t-", "w #"], 2, 0),
        (["w", "w -"], 2, 0),
    ],
    ids=[
        "tokens",
        "blank lines",
        "a comment is a token",
        "comments at both ends",
        "a row that starts with a hash",
        "one column",
    ],
)
def test_every_line_that_is_not_blank_is_a_token(rows: list[str], tokens: int, comments: int) -> None:
    document = only(*rows, "w\t(1)")
    assert (document.tokens, document.comments) == (tokens + 1, comments)
    assert document.entities == (((tokens, tokens),),)


@pytest.mark.parametrize(
    ("comment", "entities"),
    [
        ("# text (a) (b", ()),
        ("# Begin document (z)", ()),
        ("# see (page 3) and f(x)", None),
        ("# (7) or 7", (((0, 0),),)),
        ("# (1+2) or (3)", (((0, 0),),)),
    ],
)
def test_in_a_comment_only_numbers_are_identifiers(
    comment: str, entities: tuple[tuple[tuple[int, int], ...], ...] | None
) -> None:
    if entities is None:
        assert "ends on a token where none" in refusal(conll(comment))
    else:
        assert (only(comment).entities, only(comment).odd_tokens) == (entities, len(entities))


@pytest.mark.parametrize(
    ("cells", "odd"),
    [
        (["(1)", "(1|(2", "2)|1)"], 0),
        (["(1(2", "1)2)"], 0),
        (["(1", "1)|(1", "1)"], 1),
        (["(1", "(1|1)", "1)"], 0),
        (["(1", "(1|(1|1)|1)", "1)|(1", "1)"], 1),
        (["(1(2)1)", "(1(2)3)"], 2),
        (["(1+2)"], 1),
        (["x(1)", "(1)x", "-"], 2),
        (["(1", "(1)|1)"], 0),
        (["()", "(", ")"], 0),
    ],
)
def test_odd_tokens_are_those_that_are_read_another_way_elsewhere(cells: list[str], odd: int) -> None:
    assert only(*(f"w\t{cell}" for cell in cells)).odd_tokens == odd


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        ("#begin document (a);", "(a);"),
        ("#begin document (a); part 000", "(a); part 000"),
        ("#begin document (a); ", "(a); "),
        ("#begin document  a", " a"),
        ("# \tbegin document a\r", "a"),
    ],
)
def test_the_name_is_the_rest_of_the_begin_line(begin: str, name: str) -> None:
    assert [document.name for document in read(f"{begin}\nw\t-\n#end document\n", "k")] == [name]


@pytest.mark.parametrize("end", ["#end document", "# end document", "w #end document", "#end documentation"])
def test_an_end_may_stand_anywhere_in_its_line(end: str) -> None:
    text = f"#begin document a\nw\t(1)\n{end}\n(2)\n#begin document b\n{end}\n"
    assert [(document.name, document.tokens) for document in read(text, "k")] == [("a", 1), ("b", 0)]


def test_lines_outside_documents_mean_nothing() -> None:
    (document,) = read("(9)\n#end document\n" + conll("w\t(1)") + "(9\n", "k")
    assert document.words() == ["w"]
    assert document == ReferenceDocument("(d);", (((0, 0),),), (), 0, 1, document.words, 0, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (conll("w\t-") * 2, 'k: line 4: a second document is called "(d);"'),
        (
            "#begin document (d);\n" + conll("w\t-"),
            'k: line 2: a document begins inside "(d);", which has no #end document line',
        ),
        ("w\t-\n", "k: no document in it (no #begin document line)"),
        ("\n#begin document a\nw\t-\n", 'k: line 2: the document "a" has no #end document line'),
        (
            conll("w\t(1", "", "w\t1)|1)"),
            'k: line 4: entity "1" ends on a token where none of its mentions is open',
        ),
        (conll("w\t1)"), 'k: line 2: entity "1" ends on a token where none of its mentions is open'),
        (
            conll("w\t(1", "", "w\t(1", "w\t1)"),
            'k: line 6: a mention of entity "1", open since line 2, does not close',
        ),
        (
            conll("w\t(2", "w\t(1", "w\t(1", "w\t2)"),
            'k: line 6: a mention of entity "1", open since line 4, does not close',
        ),
    ],
    ids=[
        "a name twice",
        "a document inside another",
        "no document",
        "no end line",
        "one close too many",
        "a close that nothing opened",
        "an open mention",
        "the last of two open mentions",
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_line(text: str, why: str) -> None:
    assert refusal(text) == why


def passes(cell: str, identifier: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return tags and what is discarded as the reference scorer's loops find them, one deletion at a time."""

    def deleted(pattern: str) -> list[str]:
        nonlocal cell
        found = []
        while match := re.search(pattern, cell):
            found.append(match[match.re.groups])
            cell = cell[: match.start()] + cell[match.end() :]
        return found

    discarded = deleted(r"\(\d+\+\d\)")
    patterns = {"single": r"\(({})\)", "open": r"\(({})", "close": r"({})\)"}
    tags = [
        (action, tag) for action, pattern in patterns.items() for tag in deleted(pattern.format(identifier))
    ]
    return tags, discarded


@settings(max_examples=share_of(500))
@given(cell=st.text(st.sampled_from("()()()12+a|"), max_size=14))
def test_tags_are_those_of_one_deletion_after_the_other(cell: str) -> None:
    for found, identifier in ((_cell(cell), r"[^()|\s]+"), (_comment(cell), r"\d+")):
        tags, discarded = passes(cell, identifier)
        assert (list(found.actions), list(found.discarded)) == (tags, discarded)


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\u2009"])
def test_only_what_the_reference_scorer_takes_for_blank_is(blank: str) -> None:
    document = only(f"w 10{blank}000 (1)", blank, "w (1)")
    assert (document.tokens, document.entities) == (3, (((0, 0), (2, 2)),))
