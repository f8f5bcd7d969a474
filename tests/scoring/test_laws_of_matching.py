"""Ways of matching against a model that tries every pairing, and their laws, on random mentions.

The text is a sentence of six words, with an empty node behind the second and the fourth.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_pairs import Node, Plain, pairs

import scorch2
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Words
from scorch2.model.markables import Markable, Nodes, StoredMarkable, Word
from scorch2.model.options import OPTIONS

NODES: Sequence[Node] = [(1, 0), (2, 0), (2, 1), (3, 0), (4, 0), (4, 1), (5, 0), (6, 0)]
LENGTH = 6
Side: TypeAlias = Mapping[str, Sequence[Plain]]
"""Entities by name."""
MATCHES = [value for value in OPTIONS["match"].values if value != "mina"]
"""Minimum spans need a parse, which the mentions here have not."""
ZEROS = OPTIONS["zeros"].values
METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "mentions")
_EDGES = list(product("12", ["subj", "obj"]))
EDGES = [frozenset(chosen) for number in range(3) for chosen in combinations(_EDGES, number)]


def mentions(*, agreed: bool) -> Iterator[Plain]:
    """Yield all mentions of up to four nodes; the same words have the same head if that is `agreed`.

    Mentions of one piece are as many as those of two.
    """
    for first in range(len(NODES)):
        for last in range(first, min(first + 4, len(NODES))):
            whole = [tuple(NODES[first : last + 1])]
            parts = [[tuple(NODES[first:n]), tuple(NODES[n + 1 : last + 1])] for n in range(first + 1, last)]
            for pieces in [*[whole] * (len(parts) or 1), *parts]:
                nodes = [node for piece in pieces for node in piece]
                heads = [nodes[sum(word for word, _ in nodes) % len(nodes)]] if agreed else nodes
                yield from (Plain(tuple(pieces), head, frozenset()) for head in heads)


def sides(*, agreed: bool = False) -> st.SearchStrategy[Side]:
    """Draw up to five mentions, no two at one place, in up to three entities; an empty node has edges."""
    every = st.tuples(
        st.sampled_from(list(mentions(agreed=agreed))), st.sampled_from(EDGES), st.sampled_from("abc")
    )

    def by_name(drawn: list[tuple[Plain, frozenset[tuple[str, str]], str]]) -> Side:
        side: dict[str, list[Plain]] = {}
        for one, edges, name in drawn:
            side.setdefault(name, []).append(one._replace(edges=edges) if one.head[1] else one)
        return side

    return st.lists(every, max_size=5, unique_by=lambda one: one[0].place).map(by_name)


def mention(one: Plain) -> Mention:
    words = tuple(Word(0, *node) for node in sorted(one.nodes))
    numbers = [word.word for word in words if not word.rank]
    start, end = (numbers[0] - 1, numbers[-1]) if numbers else (words[0].word, words[0].word)
    return (start, end) if len(words) == len(numbers) == end - start else Discontinuous(start, end, words)


def markable(one: Plain) -> Markable:
    words = tuple(Word(0, *node) for node in sorted(one.nodes))
    head = Word(0, *one.head)
    pieces = tuple((Word(0, *piece[0]), Word(0, *piece[-1])) for piece in one.pieces)
    return StoredMarkable(Nodes.of(words), head, Nodes.of([head]), pieces, one.edges)


def document(side: Side) -> Document:
    return Document(
        "d",
        {name: list(map(mention, members)) for name, members in side.items()},
        sentences=[LENGTH],
        format="corefud",
        words=Words(list, "abcdef"),
        markables=OnDemand(dict, {name: list(map(markable, members)) for name, members in side.items()}),
    )


def score(gold: Side, system: Side, **choices: Any) -> scorch2.Report:
    return scorch2.score(document(gold), document(system), average="pooled", **choices)


def b_cubed(side: Side, other: Side, found: Mapping[Plain, Plain]) -> Fraction:
    """Return what B³ counts of a side, whose mentions are `found` in the other."""
    home = {id(one): name for name, members in other.items() for one in members}
    total = Fraction(0)
    for members in side.values():
        homes = [home[id(found[one])] for one in members if one in found]
        total += sum(Fraction(homes.count(name) ** 2, len(members)) for name in set(homes))
    return total


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("match", MATCHES)
@given(gold=sides(), system=sides())
def test_pairs_are_those_of_the_model(match: Any, zeros: Any, gold: Side, system: Side) -> None:
    golds, systems = ([one for members in side.values() for one in members] for side in (gold, system))
    found = pairs(golds, systems, match, zeros)
    assume(found is not None)
    assert found is not None
    if zeros == "drop":
        gold, system = (
            {name: [one for one in members if not one.head[1]] for name, members in side.items()}
            for side in (gold, system)
        )
    report = score(gold, system, match=match, zeros=zeros, metrics=["mentions", "b_cubed"])
    assert report.tallies("mentions")[""].recall_num == len(found)
    tally = report.tallies("b_cubed")[""]
    assert tally.recall_num == pytest.approx(float(b_cubed(gold, system, found)))
    back = {id(other): one for one, other in found.items()}
    backwards = {one: back[id(one)] for members in system.values() for one in members if id(one) in back}
    assert tally.precision_num == pytest.approx(float(b_cubed(system, gold, backwards)))


@pytest.mark.parametrize("match", ["head", "partial", "craft"])
@given(gold=sides(agreed=True), system=sides(agreed=True))
def test_no_matcher_lowers_the_recall_of_mentions(match: Any, gold: Side, system: Side) -> None:
    """Heads are part of equality with match=head: the same words must have the same head."""
    exact, found = (score(gold, system, match=how, metrics=["mentions"]) for how in ("exact", match))
    assert found.mentions.recall >= exact.mentions.recall
    assert found.mentions.precision >= exact.mentions.precision


ALONE: Mapping[str, tuple[dict[str, Any], Side, Side]] = {
    "other heads": (
        {"match": "head"},
        {"a": [Plain((((1, 0), (2, 0)),), (1, 0), frozenset())]},
        {"a": [Plain((((1, 0), (2, 0)),), (2, 0), frozenset())]},
    ),
    "zeros by the largest weight": (
        {"zeros": "dependency"},
        {
            "a": [
                Plain((((2, 1),),), (2, 1), frozenset([("1", "x"), ("2", "x")])),
                Plain((((4, 1),),), (4, 1), frozenset([("3", "x")])),
            ]
        },
        {
            "a": [
                Plain((((4, 1),),), (4, 1), frozenset([("1", "x"), ("2", "x")])),
                Plain((((2, 1),),), (2, 1), frozenset([("4", "x")])),
            ]
        },
    ),
}
"""Where the recall of mentions is lower than with exact spans: of one of one, and of one of two."""


@pytest.mark.parametrize("case", ALONE)
def test_recall_is_lower_where_more_than_words_must_agree(case: str) -> None:
    choices, gold, system = ALONE[case]
    assert score(gold, system, metrics=["mentions"]).mentions.recall == 1
    assert score(gold, system, metrics=["mentions"], **choices).mentions.recall < 1


SYMMETRIC = {"exact": METRICS, "head": ("mentions",)}
"""Shares are of gold words, so that other pairs may be best with sides swapped: as many, with match=head.

With partial and craft, a system mention lies in a gold mention. With zeros=dependency, of several best
pairings one has more pairs than another.
"""


@pytest.mark.parametrize("zeros", ["place", "drop"])
@pytest.mark.parametrize("match", SYMMETRIC)
@given(gold=sides(), system=sides())
def test_swapping_sides_swaps_recall_and_precision(match: Any, zeros: Any, gold: Side, system: Side) -> None:
    choices: dict[str, Any] = {"match": match, "zeros": zeros, "metrics": SYMMETRIC[match], "blanc": "both"}
    there, back = score(gold, system, **choices), score(system, gold, **choices)
    for name in SYMMETRIC[match]:
        found, swapped = there.scores[name], back.scores[name]
        assert [found.recall, found.precision, found.f1] == pytest.approx(
            [swapped.precision, swapped.recall, swapped.f1]
        ), name


def ways(match: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw options that go together; lookup=nearest makes no pairs, which craft and dependencies need."""
    return st.sampled_from([
        {"match": match, "zeros": zeros, "lookup": lookup}
        for zeros in ZEROS
        for lookup in OPTIONS["lookup"].values
        if lookup != "nearest" or (match != "craft" and zeros != "dependency")
    ])  # fmt: skip


@pytest.mark.parametrize("match", MATCHES)
@given(gold=sides(), system=sides(), random=st.randoms(use_true_random=False), data=st.data())
def test_names_and_order_do_not_matter(
    match: str, gold: Side, system: Side, random: Random, data: st.DataObject
) -> None:
    def shuffled(side: Side) -> Side:
        names = dict(zip(side, random.sample("xyz", len(side)), strict=True))
        order = random.sample(list(side), len(side))
        return {names[one]: random.sample(side[one], len(side[one])) for one in order}

    way = data.draw(ways(match))
    expected = score(gold, system, **way, metrics=METRICS)
    found = score(shuffled(gold), shuffled(system), **way, metrics=METRICS)
    for name in METRICS:
        for part, tally in expected.tallies(name).items():
            assert tuple(found.tallies(name)[part]) == pytest.approx(tuple(tally)), name


_PHRASES = st.lists(
    st.tuples(st.sampled_from(["cat", "of", "it"]), st.sampled_from(["(NP*)", "*", "(NP*", "*)"])),
    min_size=4,
    max_size=4,
)
_SPANS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda ends: (min(ends), max(ends))),
    min_size=1,
    max_size=4,
    unique=True,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mina")


@given(rows=_PHRASES, gold=_SPANS, system=_SPANS)
def test_minimum_spans_do_not_lower_the_recall_of_mentions(
    rows: list[tuple[str, str]], gold: list[tuple[int, int]], system: list[tuple[int, int]], folder: Path
) -> None:
    """Mentions of a side with one minimum span are one mention, so there must be none."""
    paths = columns(folder / "gold.conll", rows, gold), columns(folder / "sys.conll", rows, system)
    exact, found = (
        scorch2.score(*paths, match=how, metrics=["mentions"], lookup="reference")
        for how in ("exact", "mina")
    )
    sizes = [report.tallies("mentions")[""] for report in (exact, found)]
    assume(sizes[0].recall_den == sizes[1].recall_den)
    assert found.mentions.recall >= exact.mentions.recall


def columns(path: Path, rows: Sequence[tuple[str, str]], spans: Sequence[tuple[int, int]]) -> str:
    """Write a sentence in columns, with each span in a cluster of its own."""
    lines = []
    for place, (word, parse) in enumerate(rows):
        closing = [f"{number})" for number, (first, last) in enumerate(spans) if first < last == place]
        opening = [f"({number}" for number, (first, last) in enumerate(spans) if place == first < last]
        single = [f"({number})" for number, (first, last) in enumerate(spans) if first == last == place]
        cell = "|".join([*closing, *opening, *single]) or "-"
        lines.append(f"d 0 {place} {word} NN {parse} {cell}\n")
    path.write_text(f"#begin document (d); part 000\n{''.join(lines)}\n#end document\n", "utf-8")
    return str(path)
