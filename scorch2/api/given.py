"""Clusters that are given in Python, as a document."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, cast

from scorch2.model.document import Clusters, Document
from scorch2.model.errors import UsageError

_NESTED = (list, tuple, set)
"""Types of clusters; as part of a mention they tell that it is none."""


def of_clusters(clusters: Clusters, side: str) -> Document:
    """Return clusters given in Python as a document; `side` names them in errors."""
    if isinstance(clusters, Document):
        return clusters
    if documents := of_reader(clusters):
        if len(documents) > 1:
            raise _several(side)
        return documents[0]
    if not isinstance(clusters, Iterable):
        raise UsageError(f"{side}: clusters are an iterable of clusters, not {type(clusters).__name__}")
    items: Iterable[tuple[object, object]]
    items = clusters.items() if isinstance(clusters, Mapping) else enumerate(clusters)
    found: dict[str, list[Hashable]] = {}
    for number, (name, cluster) in enumerate(items):
        if isinstance(cluster, Mapping | Document):
            raise _several(side)
        if isinstance(cluster, str | bytes) or not isinstance(cluster, Iterable):
            raise UsageError(f"{side}: a cluster is an iterable of mentions, not {type(cluster).__name__}")
        key = str(name)
        while key in found:  # 1 and "1" are two clusters
            key += f" ({number})"
        found[key] = [_mention(mention, side) for mention in cluster]
    return Document(side, found)


def of_reader(value: object) -> Sequence[Document]:
    """Return documents in a list, as `scorch2.read` gives them; anything else is none."""
    if not isinstance(value, list | tuple) or isinstance(value, Document):
        return ()
    return value if all(isinstance(one, Document) for one in value) else ()


def _mention(value: Any, side: str) -> Hashable:
    """Return a mention; lists and arrays of integers are spans, which are tuples.

    Raises
    ------
    UsageError
        For a list of anything else, which is a cluster, and so one level too deep; for what has no hash.
    """
    if type(value) in (str, int):
        return cast("Hashable", value)
    plain = value.tolist() if hasattr(value, "tolist") else value  # an array or a number of numpy or torch
    if type(plain) is list:
        parts = [part.tolist() if hasattr(part, "tolist") else part for part in plain]
        if parts and all(type(part) is int for part in parts):
            return tuple(parts)
        if not any(isinstance(part, float) for part in parts):
            raise _several(side)
    is_nested = type(plain) is tuple and any(isinstance(part, _NESTED) for part in plain)
    if is_nested or isinstance(plain, set | Document):
        raise _several(side)
    try:
        hash(plain)
    except TypeError:
        what = f"hashable or lists of integers, not {type(value).__name__}"
        raise UsageError(f"{side}: mentions must be {what}") from None
    return cast("Hashable", plain)


def _several(side: str) -> UsageError:
    """Return the error about clusters of several documents where those of one are expected."""
    return UsageError(
        f"{side}: these are the clusters of several documents: give all to "
        "scorch2.compute(predictions=..., references=...), or those of one document at a time to "
        "CorefScorer.update"
    )
