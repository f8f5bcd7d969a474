"""Words and empty nodes as runs, against a plain list of them."""

import pickle

from hypothesis import given
from hypothesis import strategies as st
from nodes_in_full import in_full

from scorch2.model.document import Discontinuous
from scorch2.model.markables import Nodes, Word, joined_runs, runs_of

_NODES = st.builds(Word, st.integers(0, 2), st.integers(0, 6), st.integers(0, 2)).filter(
    lambda node: node.word + node.rank > 0  # no word 0
)
_MENTIONS = st.sets(_NODES, min_size=1).map(sorted)


@given(_MENTIONS)
def test_nodes_come_back_in_the_order_of_the_text(every: list[Word]) -> None:
    nodes = Nodes.of(reversed(every))
    assert list(in_full(nodes)) == every
    assert (nodes.first, nodes.last, nodes.size) == (every[0], every[-1], len(every))
    assert [nodes.at(number) for number in range(1, len(every) + 1)] == every


@given(_MENTIONS, _NODES, _NODES)
def test_a_stretch_of_nodes_is_those_from_place_to_place(every: list[Word], one: Word, other: Word) -> None:
    first, last = sorted((one, other))
    assert Nodes.of(every).between(first, last) == Nodes.of(node for node in every if first <= node <= last)


@given(_MENTIONS, _MENTIONS)
def test_nodes_cross_if_they_share_some_and_neither_hold_the_other(
    one: list[Word], other: list[Word]
) -> None:
    expected = bool(set(one) & set(other) and set(one) - set(other) and set(other) - set(one))
    assert Nodes.of(one).crosses(Nodes.of(other)) == expected


@given(_MENTIONS, _MENTIONS)
def test_pieces_are_equal_if_all_their_nodes_are(one: list[Word], other: list[Word]) -> None:
    mention = Discontinuous(0, 9, one)
    assert (mention == Discontinuous(0, 9, other)) == (one == other)
    twin = pickle.loads(pickle.dumps(mention))  # noqa: S301 - ours
    assert (twin, hash(twin), in_full(twin.nodes)) == (mention, hash(mention), tuple(one))


@given(st.lists(st.integers(0, 4), min_size=1), st.data())
def test_a_span_is_a_run_in_each_of_its_sentences(lengths: list[int], data: st.DataObject) -> None:
    places = [Word(at, word) for at, length in enumerate(lengths) for word in range(1, length + 1)]
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(places))] * 2)))
    starts = [sum(lengths[:at]) for at in range(len(lengths) + 1)]
    found = list(runs_of(start, end, starts)) if start < end else []
    assert [Word(at, word) for at, first, last in found for word in range(first, last + 1)] == places[
        start:end
    ]
    assert joined_runs(found) == tuple(found)


def test_many_words_take_no_more_room_than_few() -> None:
    few, many = (Discontinuous(0, end, Nodes(((0, 1, end),), (Word(0, 1, 1),))) for end in (100, 100_000))
    assert len(pickle.dumps(many)) < len(pickle.dumps(few)) + 10
