"""Each way of matching against a model that looks at every pair."""

from collections.abc import Sequence

import plain_matching
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodes_in_full import in_full

from scorch2.model.markables import Markable, Nodes, StoredMarkable, Word
from scorch2.scoring.matching.partners import craft_candidates
from scorch2.scoring.matching.phrases import Token, minimum_span, phrase_of, without_nested

_PIECE = st.tuples(st.integers(1, 9), st.integers(0, 3)).map(lambda piece: (piece[0], piece[0] + piece[1]))
_MENTIONS = st.lists(st.lists(_PIECE, min_size=1, max_size=3).map(sorted), max_size=7)
Pieces = Sequence[tuple[int, int]]


def markable(pieces: Pieces) -> Markable:
    words = sorted({Word(0, word) for first, last in pieces for word in range(first, last + 1)})
    borders = tuple((Word(0, first), Word(0, last)) for first, last in pieces)
    return StoredMarkable(Nodes.of(words), words[0], Nodes((), ()), borders)


def in_order(mentions: Sequence[Pieces]) -> list[Pieces]:
    def key(pieces: Pieces) -> tuple[Word, Word, int]:
        words = in_full(markable(pieces).nodes)
        return words[0], words[-1], len(words)

    return sorted(mentions, key=key)


@given(gold=_MENTIONS, system=_MENTIONS)
def test_craft_takes_the_first_gold_mention_that_fits(gold: list[Pieces], system: list[Pieces]) -> None:
    sides = [in_order(gold), in_order(system)]
    found = craft_candidates(*([markable(one) for one in side] for side in sides))
    assert sorted(found) == sorted(plain_matching.craft(*sides))
    assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found)


def test_zeros_fit_nothing_in_craft() -> None:
    zero, word = Word(0, 2, 1), Word(0, 2)
    wide = markable([(1, 4)])
    alone = StoredMarkable(Nodes.of([zero]), zero, Nodes((), ()), ((zero, zero),))
    assert craft_candidates([wide], [alone]) == {}
    assert craft_candidates([alone], [alone]) == {}
    assert craft_candidates([alone, wide], [alone, markable([(2, 2)])]) == {(1, 1): 1.0}
    assert word < zero < Word(0, 3)


_SPANS = st.lists(_PIECE, max_size=8)
_LABELS = st.lists(st.sampled_from(["(NP", "(NP", "(VP", "(S", "(NML", "(PP", "(QP"]), max_size=3).map(
    "".join
)
_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["cat", "the", "of", ",", "%", "3", "-LRB-", "it's"]),
        st.sampled_from(["NN", "DT", "IN", "CC"]),
        st.builds(lambda opens, closes: f"{opens}*{')' * closes}", _LABELS, st.sampled_from([0, 0, 0, 1, 2])),
    ),
    min_size=1,
    max_size=9,
)


@given(spans=_SPANS, keep_single=st.booleans())
def test_nested_mentions_go_as_if_every_pair_were_looked_at(
    spans: list[tuple[int, int]], keep_single: bool
) -> None:
    alone = [f"{first}-{last}" for first, last in spans]
    shared = ["abc"[(first + last) % 3] for first, last in spans]
    for keys in (alone, shared):
        places = without_nested(spans, keys, keep_single=keep_single)
        assert places == plain_matching.nested(spans, keys, keep_single=keep_single)


@given(rows=_ROWS, first=st.integers(0, 3))
def test_minimum_spans_are_those_of_the_model(rows: list[tuple[str, str, str]], first: int) -> None:
    tree = phrase_of([Token(*row) for row in rows], first)
    assert tree is not None
    found = minimum_span(tree, [word for word, _, _ in rows])
    assert found == plain_matching.minimum_span(rows, first)


@pytest.mark.parametrize(
    ("spans", "kept", "kept_without_single"),
    [
        ([(1, 4)], [0], [0]),  # nothing is taken away: it was alone before
        ([(1, 4), (2, 3)], [0, 1], []),
        ([(1, 4), (1, 3)], [0, 1], []),
        ([(2, 4), (1, 4)], [0, 1], []),
        ([(1, 4), (3, 6)], [0, 1], [0, 1]),  # they overlap
        ([(1, 4), (4, 6)], [0, 1], [0, 1]),
        ([(1, 9), (2, 3), (5, 6)], [0, 1, 2], []),
        ([(1, 9), (2, 3), (10, 12)], [0, 2], [0, 2]),
        ([(0, 9), (1, 5), (2, 3)], [0], [0]),  # the last is taken away twice: none would be left, not one
        ([(0, 9), (1, 5), (2, 3), (10, 12)], [0, 1, 2, 3], []),  # and here one would be, not two
    ],
)
def test_a_cluster_of_which_one_mention_would_be_left_stays_whole_or_goes(
    spans: list[tuple[int, int]], kept: list[int], kept_without_single: list[int]
) -> None:
    """By hand, after the rules of coval."""
    assert without_nested(spans, spans, keep_single=True) == kept
    assert without_nested(spans, spans, keep_single=False) == kept_without_single
    names = [str(span) for span in spans]
    assert plain_matching.nested(spans, names, keep_single=True) == kept
    assert plain_matching.nested(spans, names, keep_single=False) == kept_without_single


def test_mentions_of_one_key_are_not_nested_and_go_together() -> None:
    """A mention inside another one of its key stays, unless one of them is inside a third."""
    for keep_single in (False, True):
        assert without_nested([(0, 5), (1, 3), (7, 9)], ["a", "a", "b"], keep_single=keep_single) == [0, 1, 2]
    assert without_nested([(0, 9), (1, 5), (2, 3), (20, 22)], ["c", "a", "a", "b"], keep_single=True) == [
        0,
        3,
    ]


def test_words_without_a_parse_have_no_tree() -> None:
    assert phrase_of([Token("a", "NN", "-"), Token("b", "NN", "_")], 0) is None
    assert plain_matching.minimum_span([("a", "NN", "-")], 0) == set()
