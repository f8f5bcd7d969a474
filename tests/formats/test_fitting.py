"""Mentions that CorefUD can hold and their pieces, against models that look at every word of every pair."""

from collections.abc import Sequence

from effort import assert_in_proportion
from hypothesis import given
from hypothesis import strategies as st

from scorch2.formats.conllu.corefud_writer import fitting, write_file
from scorch2.formats.conllu.shared import Order
from scorch2.model.document import Discontinuous, Document, Mention, Words
from scorch2.model.markables import Nodes, Word

LENGTHS = (6, 3)
WORDS = [Word(number, word) for number, length in enumerate(LENGTHS) for word in range(1, length + 1)]
EMPTY = [Word(0, 0, 1), Word(0, 2, 1), Word(0, 2, 2), Word(1, 1, 1)]
EVERY = sorted([*WORDS, *EMPTY])


def mention_of(nodes: Sequence[Word]) -> Mention:
    """Return the mention of some nodes: a span if no empty node is among them and no word is left out."""
    places = [WORDS.index(node) for node in nodes if not node.rank]
    if len(places) == len(nodes) == places[-1] + 1 - places[0]:
        return places[0], places[-1] + 1
    start, end = (places[0], places[-1] + 1) if places else (0, 0)
    return Discontinuous(start, end, nodes)


@st.composite
def mentions(draw: st.DrawFn) -> list[Word]:
    """Return the nodes of a mention; mostly all from one to another, or all words of these."""
    first, last = sorted(draw(st.tuples(*[st.integers(0, len(EVERY) - 1)] * 2)))
    found = EVERY[first : last + 1]
    kept = draw(st.sampled_from(["all", "all", "words", "some"]))
    if kept == "words":
        found = [node for node in found if not node.rank] or found
    if kept == "some":
        found = draw(st.sets(st.sampled_from(found), min_size=1).map(sorted))
    return found


def kept_by_trial(clusters: Sequence[Sequence[Sequence[Word]]]) -> list[list[Mention]]:
    seen: set[frozenset[Word]] = set()
    found = []
    for members in clusters:
        kept: list[frozenset[Word]] = []
        for own in map(frozenset, members):
            crosses = any(own & other and not own <= other and not own >= other for other in kept)
            if own not in seen and not crosses and len({node.sentence for node in own}) == 1:
                kept.append(own)
            seen.add(own)
        found.append([mention_of(sorted(own)) for own in kept])
    return found


@given(st.lists(st.lists(mentions(), max_size=8), max_size=3))
def test_a_mention_is_left_out_if_it_crosses_one_that_is_kept(clusters: list[list[list[Word]]]) -> None:
    named = {str(number): list(map(mention_of, members)) for number, members in enumerate(clusters)}
    document = Document("d", named, sentences=LENGTHS, words=Words(list, ["w"] * len(WORDS)))
    assert list(fitting(document).clusters.values()) == kept_by_trial(clusters)


@given(st.sets(st.sampled_from([node for node in EVERY if not node.sentence]), min_size=1).map(sorted))
def test_pieces_are_nodes_that_follow_each_other(nodes: list[Word]) -> None:
    """Each node that another one of the sentence parts from the one before it begins a piece."""
    every = [node for node in EVERY if not node.sentence]
    places = [every.index(node) for node in nodes]
    begins = [node for node, place in zip(nodes, places, strict=True) if place - 1 not in places]
    ends = [node for node, place in zip(nodes, places, strict=True) if place + 1 not in places]
    order = Order(LENGTHS[0], [node[1:] for node in every if node.rank])
    assert order.pieces(Nodes.of(nodes)) == list(zip(begins, ends, strict=True))


def test_mentions_inside_each_other_are_written_in_proportion() -> None:
    def run(number: int) -> None:
        members = [(n, 2 * number - n) for n in range(number)]
        words = Words(list, ["w"] * 2 * number)
        document = Document("d", {"a": [*members, (5, 2 * number - 3)]}, sentences=[2 * number], words=words)
        document = fitting(document)
        assert document.clusters["a"] == members
        assert write_file([document]).count("(a") == number

    assert_in_proportion(run, 100)
