"""The table of mentions in clusters JSON: which clusters and ids its mentions have."""

import json
from collections.abc import Mapping, Sequence

from scorch2.formats.reading import documents
from scorch2.model.markables import Annotation


def read(
    clusters: Mapping[str, Sequence[str]], mentions: Mapping[str, Sequence[int]]
) -> Sequence[Annotation]:
    """Return the annotations of a document ``d`` with these clusters and the spans of these mentions."""
    value = {
        "type": "clusters",
        "offsets": "exclusive",
        "clusters": clusters,
        "mentions": {name: {"span": span} for name, span in mentions.items()},
    }
    (found,) = documents(json.dumps(value).encode(), "d.json")
    return found.annotations


def ids(annotations: Sequence[Annotation]) -> list[tuple[int, str | None]]:
    return [(one.start, one.top.id) for one in annotations]


def test_a_mention_without_a_cluster_is_not_in_the_cluster_of_the_empty_name() -> None:
    found = read({"": ["m", "n"]}, {"m": [0, 1], "n": [2, 3], "alone": [4, 5]})
    assert ids(found) == [(0, "NIL:d"), (2, "NIL:d"), (4, None)]


def test_a_mention_counts_once_in_each_of_its_clusters() -> None:
    found = read({"a": ["m", "m"], "b": ["n", "m"], "c": ["m"]}, {"m": [0, 1], "n": [2, 3]})
    assert ids(found) == [(0, "NILa:d"), (0, "NILb:d"), (0, "NILc:d"), (2, "NILb:d")]
