"""The links of chains that repeat mentions: counted as the sets of pairs that they are, in proportion."""

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from effort import assert_in_proportion, share_of
from hypothesis import given, settings
from hypothesis import strategies as st

from scorch2.model.score import Tally
from scorch2.tasks.reference_scorer import scorer as links
from scorch2.tasks.reference_scorer.reader import read
from scorch2.tasks.reference_scorer.scorer import METRICS, KeyAndResponse, _meeting, b_cubed, identify

Pairs = set[tuple[int, int]]
sides = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=6), max_size=6)
"""Chains of a few mentions, which they repeat and share."""


def coreferent(side: Sequence[Sequence[int]]) -> Pairs:
    return {(min(pair), max(pair)) for chain in side for pair in combinations(chain, 2)}


def other(side: Sequence[Sequence[int]]) -> Pairs:
    return {(min(m, n), max(m, n)) for one, two in combinations(side, 2) for m in one for n in two}


def blanc(key: Sequence[Sequence[int]], response: Sequence[Sequence[int]]) -> list[Tally]:
    return [count(KeyAndResponse(key, response)) for count in METRICS["blanc"]]


def listed(key: Pairs, response: Pairs) -> Tally:
    return Tally(len(key & response), len(key), len(key & response), len(response))


@settings(max_examples=share_of(500))
@given(key=sides, response=sides, rare=st.integers(0, 3))
def test_links_are_sets_of_pairs(
    key: Sequence[Sequence[int]], response: Sequence[Sequence[int]], rare: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "_RARE", rare)
        found = blanc(key, response)
    assert found == [listed(coreferent(key), coreferent(response)), listed(other(key), other(response))]


@given(sets=st.lists(st.sets(st.integers(0, 4), min_size=1), max_size=30), rare=st.integers(0, 3))
def test_sets_that_meet_are_counted_pair_by_pair(sets: list[set[int]], rare: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "_RARE", rare)
        assert _meeting(sets) == sum(bool(one & two) for one, two in combinations(sets, 2))


@pytest.mark.parametrize(
    ("key", "response", "coreference", "others"),
    [
        ([[1, 2, 1]], [[1, 2]], Tally(1, 2, 1, 1), Tally(0, 0, 0, 0)),
        ([[1, 2], [1, 3]], [[1], [2, 3]], Tally(0, 2, 0, 1), Tally(2, 4, 2, 2)),
    ],
    ids=["a mention twice in a chain", "a mention in two chains"],
)
def test_a_mention_can_be_a_link_of_itself(
    key: Sequence[Sequence[int]], response: Sequence[Sequence[int]], coreference: Tally, others: Tally
) -> None:
    assert blanc(key, response) == [coreference, others]


def one_cell(size: int) -> str:
    return "w\t" + "(1)" * size


def one_comment(size: int) -> str:
    return "# " + "(1) " * size


def one_entity_in_all_cells(size: int) -> str:
    return "\n".join(f"w\t(0)|({number})" for number in range(1, size))


def two_entities_in_all_cells(size: int) -> str:
    return "\n".join(f"w\t(0)|(a)|({number})" for number in range(1, size))


@pytest.mark.parametrize(
    "rows",
    [one_cell, one_comment, one_entity_in_all_cells, two_entities_in_all_cells],
    ids=lambda f: f.__name__,
)
def test_repeats_are_counted_in_proportion(rows: Callable[[int], str]) -> None:
    def score(size: int) -> None:
        (document,) = read(f"#begin document d\n{rows(size)}\n#end document\n", "d")
        chains = identify(document, document).chains
        for counts in METRICS.values():
            for count in counts:
                count(chains)

    assert_in_proportion(score, 200)


def test_one_response_chain_of_all_mentions_is_counted_in_proportion() -> None:
    def score(size: int) -> None:
        b_cubed(KeyAndResponse([[number] for number in range(size)], [range(size)]))

    assert_in_proportion(score, 200)
