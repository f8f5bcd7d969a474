"""scorch2 convert: whatever a document holds comes back from the formats that can hold it."""

import json
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from conversion import Cluster, Value, as_sets, convert, put, said, text
from hypothesis import given
from hypothesis import strategies as st

from scorch2.formats.reading import read

pytestmark = pytest.mark.usefixtures("folder")

NAME = st.text("ab/_-.0 é", min_size=1, max_size=6)
WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)


@st.composite
def documents(draw: st.DrawFn, words: st.SearchStrategy[str] = WORD) -> Value:
    """Return a document of several sentences; mentions nest, cross and stand in two clusters."""
    sentences = draw(st.lists(st.lists(words, min_size=1, max_size=5), max_size=4))
    last = sum(map(len, sentences)) - 1
    span = st.tuples(st.integers(0, last), st.integers(0, last)).map(sorted)
    cluster = st.lists(span, min_size=1, max_size=4, unique_by=tuple)
    clusters = draw(st.lists(cluster, max_size=4)) if sentences else []
    return {"doc_key": draw(NAME), "sentences": sentences, "clusters": clusters}


def crosses(cluster: Cluster) -> bool:
    """Return whether brackets cannot tell two mentions apart: the first opened would close first.

    Two that share one token can be told: on a token mentions close before others open.
    """
    return any(a < c < b < d for a, b in cluster for c, d in cluster)


@given(values=st.lists(documents(), min_size=1, max_size=3, unique_by=lambda value: value["doc_key"]))
def test_jsonlines_hold_everything(values: Sequence[Value]) -> None:
    put("in", *values)
    convert("in", "out", "jsonlines", "-q")
    assert said(read("out")) == said(read("in"))


@given(value=documents())
def test_conll_holds_everything_or_is_refused(value: Value) -> None:
    put("in", value)
    Path("out").unlink(missing_ok=True)
    letters = "".join(chain.from_iterable(value["sentences"]))
    if any(map(crosses, value["clusters"])) or "\t" in letters or "\n" in letters:
        convert("in", "out", "conll", "-q", status=2)
        assert not Path("out").exists(), "a refused document must leave no file"
    else:
        convert("in", "out", "conll", "-q")
        assert said(read("out")) == said(read("in"))
        convert("out", "back", "jsonlines", "-q")
        assert said(read("back")) == said(read("in"))


def named(value: Value) -> list[list[str]]:
    """Return the mentions of a document as the converter calls them."""
    sizes = list(map(len, value["sentences"]))
    places = [(sentence, token) for sentence, size in enumerate(sizes) for token in range(size)]

    def name(first: int, last: int) -> str:
        (sentence, start), (other, end) = places[first], places[last]
        return f"{sentence}.{start}-{end}" if sentence == other else f"{sentence}.{start}-{other}.{end}"

    return [[name(*span) for span in cluster] for cluster in value["clusters"]]


@given(value=documents(words=st.just("w")))
def test_json_holds_the_clusters_by_name(value: Value) -> None:
    put("in", value)
    convert("in", "out", "clusters", "-q")
    assert list(json.loads(text("out"))["clusters"].values()) == named(value)


INTEGERS = st.integers(-(1 << 53), 1 << 53)
MENTION = st.one_of(st.text(max_size=3), INTEGERS, st.lists(INTEGERS, max_size=3))


@given(mentions=st.lists(MENTION, max_size=8, unique_by=repr), cuts=st.sets(st.integers(1, 7)))
def test_graph_and_clusters_hold_the_same(mentions: list[Any], cuts: set[int]) -> None:
    bounds = [0, *sorted(cuts), len(mentions)]
    members = [mentions[a:b] for a, b in pairwise(bounds)]
    clusters = {str(i): cluster for i, cluster in enumerate(members) if cluster}
    put("in", {"type": "clusters", "clusters": clusters})
    convert(convert("in", "there", "graph"), "back", "clusters")
    assert as_sets(json.loads(text("back"))["clusters"].values()) == as_sets(clusters.values())
