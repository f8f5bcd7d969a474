"""Documents: the names of spans, clusters given in Python, what mentions denote."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.model.annotation import Annotation, Candidate, annotations
from scorch2.model.document import Document, Words, named_clusters, of_clusters, span_names
from scorch2.model.errors import UsageError


@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=6), data=st.data())
def test_a_name_says_where_a_span_is(lengths: Sequence[int], data: st.DataObject) -> None:
    """Numbers of sentences and tokens are put back together: an independent way to the same span."""
    total = sum(lengths)
    start = data.draw(st.integers(0, total - 1))
    end = data.draw(st.integers(start + 1, total))
    (name,) = span_names(Document("d", {"a": [(start, end)]}, sentences=lengths)).values()
    starts = [0, *accumulate(lengths)]
    first, last = (place.split(".") for place in name.split("-"))
    sentence = last[0] if len(last) == 2 else first[0]
    found = (starts[int(first[0])] + int(first[1]), starts[int(sentence)] + int(last[-1]) + 1)
    assert found == (start, end), f"{name} does not lead back to tokens {start} to {end}"
    assert (len(last) == 2) == (first[0] != sentence), f"{name} names one sentence twice"
    assert int(first[1]) < lengths[int(first[0])], f"{name}: sentence {first[0]} is shorter"
    assert int(last[-1]) < lengths[int(sentence)], f"{name}: sentence {sentence} is shorter"


def test_clusters_without_tokens_keep_their_ids() -> None:
    assert named_clusters(Document("d", {"a": ("m1", "m2")})) == {"a": ["m1", "m2"]}
    characters = Document("d", {"a": [(0, 4)]}, sentences=[9], unit="char")
    assert named_clusters(characters) == {"a": [(0, 4)]}
    assert named_clusters(characters._replace(unit="token")) == {"a": ["0.0-3"]}


def test_clusters_of_spans_denote_what_the_knowledge_base_lacks() -> None:
    document = Document("d", {"c": [(4, 6), (0, 1)], "NIL7": [(0, 3)]}, sentences=[9])
    assert annotations(document) == [
        Annotation(0, 3, (Candidate("NIL7"),)),
        Annotation(0, 1, (Candidate("NILc:d"),)),
        Annotation(4, 6, (Candidate("NILc:d"),)),
    ]
    assert annotations(Document("d", {"c": ["m"]})) is None
    assert annotations(Document("d", {"c": []})) == ()


def test_clusters_in_python_get_names_of_their_own() -> None:
    assert of_clusters([["a"], {"b"}], "gold") == Document("gold", {"0": ["a"], "1": ["b"]})
    mixed: dict[object, list[str]] = {1: ["a"], "1": ["b"]}
    assert of_clusters(mixed, "gold").clusters == {"1": ["a"], "1 (1)": ["b"]}  # type: ignore[arg-type]  # wrong on purpose
    ready = Document("d", {"a": ["m"]})
    assert of_clusters(ready, "gold") is ready


@pytest.mark.parametrize(
    ("clusters", "wrong"),
    [
        (5, "gold: clusters are an iterable of clusters, not int"),
        (["ab"], "gold: a cluster is an iterable of mentions, not str"),
        ([b"ab"], "gold: a cluster is an iterable of mentions, not bytes"),
        ([3], "gold: a cluster is an iterable of mentions, not int"),
        ([[[0.5, 1.0]]], "gold: mentions must be hashable or lists of integers, not list"),
        ([[{"a": 1}]], "gold: mentions must be hashable or lists of integers, not dict"),
    ],
)
def test_clusters_in_python_that_are_refused(clusters: object, wrong: str) -> None:
    with pytest.raises(UsageError) as caught:
        of_clusters(clusters, "gold")  # type: ignore[arg-type]  # wrong on purpose
    assert str(caught.value) == wrong


@pytest.mark.parametrize(
    "clusters",
    [
        [[["a"]]],
        [[["a", "b"], ["c"]], []],
        [[[], ["a"]]],
        [[{"a", "b"}]],
        [[((0, 1), (2, 3))]],
        [[[[0, 1], [2, 3]]]],
        [np.array([[[0, 1], [2, 3]]])[None]],
        [[[np.array([0, 1]), np.array([2, 3])]]],
        [{"e1": ["a", "b"]}],
        {"d1": [["a", "b"]]},
        {"d1": {"e1": ["a", "b"]}},
        [Document("d", {}), Document("e", {})],
        [[Document("d", {})]],
    ],
)
def test_clusters_of_several_documents_are_refused_with_the_call_that_was_meant(clusters: Any) -> None:
    with pytest.raises(UsageError) as caught:
        of_clusters(clusters, "gold")
    assert str(caught.value) == (
        "gold: these are the clusters of several documents: give all to "
        "scorch2.compute(predictions=..., references=...), or those of one document at a time to "
        "CorefScorer.update"
    )


@pytest.mark.parametrize(
    "clusters",
    [
        [[[0, 1], [4, 7]], [[2, 3]]],
        [[(0, 1), (4, 7)], [(2, 3)]],
        [np.array([[0, 1], [4, 7]]), np.array([[2, 3]])],
        [[np.array([0, 1]), np.array([4, 7])], [np.array([2, 3])]],
        [[[np.int64(0), np.int64(1)], [4, 7]], [[2, 3]]],
    ],
)
def test_lists_and_arrays_are_spans(clusters: Any) -> None:
    found = of_clusters(clusters, "gold").clusters
    assert found == {"0": [(0, 1), (4, 7)], "1": [(2, 3)]}
    assert {type(part) for members in found.values() for span in members for part in span} == {int}  # type: ignore[attr-defined]  # spans


def test_numbers_of_numpy_are_numbers() -> None:
    assert of_clusters(np.array([[0, 1], [2, 3]]), "gold").clusters == {"0": [0, 1], "1": [2, 3]}


def test_a_list_of_one_document_is_that_document() -> None:
    ready = Document("d", {"a": ["m"]})
    assert of_clusters([ready], "gold") is ready


def test_words_are_equal_if_they_come_from_the_same_place() -> None:
    one, same, other = Words(str.split, "a b"), Words(str.split, "a b"), Words(str.split, "a c")
    assert one() == ["a", "b"]
    assert (one == same, one == other, one == "a b") == (True, False, False)
    assert len({one, same, other}) == 2
    assert repr(one) == "Words(...)"
