"""Clusters that are given in Python: their names, spans in lists and arrays, what is refused."""

from typing import Any

import numpy as np
import pytest
from every import every

from scorch2.api.arguments import of_clusters
from scorch2.model.document import Document
from scorch2.model.errors import UsageError


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


@every(
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
