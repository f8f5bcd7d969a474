"""Candidates for pairs, against a model that looks at every pair; and their cost where there are many."""

from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any
from unittest import mock

import plain_matching
import pytest
from effort import assert_in_proportion
from hypothesis import given
from hypothesis import strategies as st
from nodes_in_full import in_full

import scorch2
from scorch2.formats.reading import documents
from scorch2.model import memory
from scorch2.model.markables import Markable, Nodes, StoredMarkable, Word
from scorch2.scoring.matching.partners import head_candidates, part_candidates, zero_candidates

_WORDS = [Word(sentence, word, rank) for sentence in range(2) for word in range(1, 5) for rank in (0, 1)]
_EDGES = [
    frozenset(edges) for number in range(4) for edges in combinations(list(product("012", "xy")), number)
]


def markable(drawn: bytes) -> Markable:
    """Return a mention in one piece or in several, with a head, a minimum and edges of its own.

    What is drawn says five words, whether all between them belong to it, and the rest.
    """
    words = sorted({_WORDS[byte % len(_WORDS)] for byte in drawn[: 1 + drawn[5] % 5]})
    if drawn[6] % 2:
        words = _WORDS[_WORDS.index(words[0]) : _WORDS.index(words[-1]) + 1]
    head, *others = (words[byte % len(words)] for byte in drawn[7:10])
    minimum = frozenset(others[: drawn[10] % 3])
    edges = _EDGES[drawn[11] % len(_EDGES)]
    return StoredMarkable(Nodes.of(words), head, Nodes.of(minimum), ((words[0], words[-1]),), edges)


mentions = st.lists(st.binary(min_size=12, max_size=12).map(markable), max_size=7)


@given(gold=mentions, system=mentions)
def test_mentions_of_one_head_are_weighed_by_the_words_they_share(
    gold: list[Markable], system: list[Markable]
) -> None:
    found = head_candidates(gold, system)
    assert found == {
        (row, column): float(plain_matching.share(in_full(key.nodes), in_full(response.nodes)))
        for row, key in enumerate(gold)
        for column, response in enumerate(system)
        if key.head == response.head
    }


@given(gold=mentions, system=mentions)
def test_parts_hold_the_minimum(gold: list[Markable], system: list[Markable]) -> None:
    found = part_candidates(gold, system)
    assert found == {
        (row, column): float(plain_matching.share(in_full(key.nodes), in_full(response.nodes)))
        for row, key in enumerate(gold)
        for column, response in enumerate(system)
        if plain_matching.is_part(in_full(key.nodes), in_full(key.minimum), in_full(response.nodes))
    }


@given(gold=mentions, system=mentions)
def test_zeros_are_weighed_by_their_dependencies(gold: list[Markable], system: list[Markable]) -> None:
    found = zero_candidates(gold, system)
    expected = {
        (row, column): float(weight)
        for row, key in enumerate(gold)
        for column, response in enumerate(system)
        if key.head.sentence == response.head.sentence
        and (weight := plain_matching.dependencies(key.edges, response.edges))
    }
    assert found == pytest.approx(expected)


def mention(first: int, last: int, head: int, edges: frozenset[tuple[str, str]] = frozenset()) -> Markable:
    words = tuple(Word(0, word) for word in range(first, last + 1))
    return StoredMarkable(
        Nodes.of(words), Word(0, head), Nodes.of([Word(0, head)]), ((words[0], words[-1]),), edges
    )


def heads_inside(number: int) -> Sequence[list[Markable]]:
    """Return short gold mentions and long ones elsewhere; heads of the former are in system mentions."""
    short = [mention(20 + n % 9, 20 + n % 9, 20 + n % 9) for n in range(number)]
    long = [mention(1, 40, 1) for _ in range(number)]
    return [*short, *long], [mention(10, 32, 10) for _ in range(number)]


def zeros_of_one_sentence(number: int) -> Sequence[list[Markable]]:
    """Return zeros of which each has a governor of its own."""
    side = [mention(1, 1, 1, frozenset([(str(n), "x")])) for n in range(number)]
    return side, side


def mentions_of_one_sentence(number: int) -> Sequence[list[Markable]]:
    """Return mentions of which each has a head of its own, and the next one of the other side inside."""
    return [mention(n, n + 3, n) for n in range(number)], [mention(n + 1, n + 2, n) for n in range(number)]


@pytest.mark.parametrize(
    ("candidates", "make"),
    [
        (part_candidates, heads_inside),
        (part_candidates, mentions_of_one_sentence),
        (head_candidates, mentions_of_one_sentence),
        (zero_candidates, zeros_of_one_sentence),
    ],
)
def test_mentions_that_cannot_be_partners_are_no_work(
    candidates: Callable[..., Any], make: Callable[[int], Sequence[list[Markable]]]
) -> None:
    assert_in_proportion(lambda number: candidates(*make(number)), 100)


_ENTITY = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
_ROW = "{name}\tw\t_\t_\t_\t_\t0\t_\t{deps}\tEntity={cell}\n"


def of_one_head(first: int) -> str:
    """Return three mentions that begin on the first word, their head, and end on different ones."""
    opens = _ROW.format(name=1, deps="_", cell="".join(f"(e{n}--1" for n in (2, 1, 0)))
    rows = [
        _ROW.format(name=n, deps="_", cell=f"e{n - first})" if 0 <= n - first < 3 else "_")
        for n in range(2, 9)
    ]
    return f"{_ENTITY}{opens}{''.join(rows)}\n".replace("Entity=_", "_")


def of_one_governor(first: int) -> str:
    """Return three zeros of one governor."""
    rows = [_ROW.format(name=f"1.{n}", deps="1:x", cell=f"(e{n})") for n in range(first, first + 3)]
    return (
        f"{_ENTITY}{_ROW.format(name=1, deps='0:root', cell='_').replace('Entity=_', '_')}{''.join(rows)}\n"
    )


@pytest.mark.parametrize(
    ("make", "choices"),
    [
        (of_one_head, {"match": "head"}),
        (of_one_head, {"match": "partial", "lookup": "reference"}),
        (of_one_head, {"match": "head", "lookup": "nearest"}),
        (of_one_governor, {"zeros": "dependency"}),
    ],
)
def test_so_many_pairs_that_there_is_no_room_are_an_error(
    make: Callable[[int], str], choices: dict[str, Any], tmp_path: Path
) -> None:
    """Each of three mentions could be the partner of each of three others."""
    paths = tmp_path / "gold.conllu", tmp_path / "sys.conllu"
    for path, first in zip(paths, (5, 2), strict=True):
        path.write_text(make(first), "utf-8")
    assert scorch2.score(*paths, metrics=["mentions"], **choices).mentions.recall == 1
    with mock.patch.object(memory, "_MOST_KEPT", 5), mock.patch.object(memory, "_MOST_EACH", 0):
        why = r'gold\.conllu: too many pairs of mentions of "d" .* \(use match="exact" and zeros="place"\)'
        with pytest.raises(scorch2.InputError, match=why):
            scorch2.score(*paths, **choices)


def inside_each_other(number: int, later: int) -> list[Markable]:
    """Return mentions of which each begins with its head, around all that follow."""
    begins = [f"(e{n}--1" for n in range(number)]
    ends = [f"e{n})" for n in reversed(range(number))]
    cells = [*begins, *["_"] * (1 + later), *ends, *["_"] * (1 - later)]
    rows = [_ROW.format(name=n, deps="_", cell=cell) for n, cell in enumerate(cells, 1)]
    (document,) = documents(f"{_ENTITY}{''.join(rows)}\n".replace("Entity=_", "_").encode(), "d")
    assert document.markables is not None
    return [one for members in document.markables().values() for one in members]


def test_words_of_mentions_inside_each_other_are_not_looked_at() -> None:
    """Those of the system end one word earlier."""

    def run(number: int) -> None:
        found = head_candidates(inside_each_other(number, 1), inside_each_other(number, 0))
        sizes = [2 * number + 2 - 2 * n for n in range(number)]
        assert found == {(n, n): (size - 1) / size for n, size in enumerate(sizes)}

    assert_in_proportion(run, 50)
