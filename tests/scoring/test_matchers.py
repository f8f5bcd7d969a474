"""Each way of matching against a model that looks at every pair."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from plain_matching import craft as plain_craft

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching import craft

_PIECE = st.tuples(st.integers(1, 9), st.integers(0, 3)).map(lambda piece: (piece[0], piece[0] + piece[1]))
_MENTIONS = st.lists(st.lists(_PIECE, min_size=1, max_size=3).map(sorted), max_size=7)
Pieces = Sequence[tuple[int, int]]


def markable(pieces: Pieces) -> Markable:
    words = sorted({Word(0, word) for first, last in pieces for word in range(first, last + 1)})
    chunks = tuple((Word(0, first), Word(0, last)) for first, last in pieces)
    return Markable(tuple(words), words[0], frozenset(), chunks)


def in_order(mentions: Sequence[Pieces]) -> list[Pieces]:
    def key(pieces: Pieces) -> tuple[Word, Word, int]:
        words = markable(pieces).words
        return words[0], words[-1], len(words)

    return sorted(mentions, key=key)


@given(gold=_MENTIONS, system=_MENTIONS)
def test_craft_takes_the_first_gold_mention_that_fits(gold: list[Pieces], system: list[Pieces]) -> None:
    sides = [in_order(gold), in_order(system)]
    found = craft.candidates(*([markable(one) for one in side] for side in sides))
    assert sorted(found) == sorted(plain_craft(*sides))
    assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found)


def test_zeros_fit_nothing_in_craft() -> None:
    zero, word = Word(0, 2, 1), Word(0, 2)
    wide = markable([(1, 4)])
    alone = Markable((zero,), zero, frozenset(), ((zero, zero),))
    assert craft.candidates([wide], [alone]) == {}
    assert craft.candidates([alone], [alone]) == {}
    assert craft.candidates([alone, wide], [alone, markable([(2, 2)])]) == {(1, 1): 1.0}
    assert word < zero < Word(0, 3)
