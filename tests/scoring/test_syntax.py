"""The head of a mention by the syntax of its sentence; trees and heads by hand."""

import pytest

from scorch2.model.markables import Nodes, SyntaxRow, Tree, Word
from scorch2.scoring.matching.copied_text import Syntax


def syntax(*rows: tuple[str, str, str]) -> Syntax:
    """Return the syntax of words by id, head and enhanced dependencies."""
    return Syntax.of(
        Tree([], [SyntaxRow(i, "w", "_", "_", "_", "_", head, "_", deps, "_") for i, head, deps in rows])
    )


PLAIN = (("1", "2", "_"), ("2", "0", "_"), ("3", "2", "_"), ("4", "3", "_"), ("5", "2", "_"))


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ((1, 2), 2),  # the one that the other depends on
        ((3, 4), 3),
        ((1, 3, 4), 1),  # two depend on what is outside: the first
        ((4, 5), 4),
    ],
)
def test_the_head_is_the_word_that_no_other_of_the_mention_governs(words: tuple[int, ...], head: int) -> None:
    assert syntax(*PLAIN).head(Nodes.of([Word(0, word) for word in words])) == Word(0, head)


def test_a_token_of_several_words_is_no_node() -> None:
    rows = (("1-2", "_", "_"), ("1", "2", "_"), ("2", "0", "_"))
    assert syntax(*rows).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 2)


def test_of_several_the_one_above_all_others_is_the_head() -> None:
    rows = (("1", "3", "_"), ("2", "0", "_"), ("3", "2", "_"))  # 1 depends on 2 by way of 3, which is outside
    assert syntax(*rows).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 2)


def test_enhanced_dependencies_tell_where_basic_ones_do_not() -> None:
    rows = (("1", "3", "2:conj"), ("2", "3", "3:obj"), ("3", "0", "_"))
    assert syntax(*rows).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 2)
    rows = (("1", "3", "2:conj"), ("2", "3", "1:conj|3:obj"), ("3", "0", "_"))  # both are governed inside
    assert syntax(*rows).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 2)


def test_an_empty_node_stands_where_the_word_above_it_is() -> None:
    rows = (("1", "2", "_"), ("2", "0", "_"), ("2.1", "_", "2:nsubj"))
    found = syntax(*rows)
    assert found.head(Nodes.of([Word(0, 1), Word(0, 2, 1)])) == Word(0, 1)
    assert found.head(Nodes.of([Word(0, 2), Word(0, 2, 1)])) == Word(0, 2)


def test_a_circle_has_the_first_word_as_its_head() -> None:
    rows = (("1", "2", "_"), ("2", "1", "_"))
    assert syntax(*rows).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 1)
    enhanced = (("1", "3", "2:x"), ("2", "3", "1:x"), ("3", "0", "_"))
    assert syntax(*enhanced).head(Nodes.of([Word(0, 1), Word(0, 2)])) == Word(0, 1)
