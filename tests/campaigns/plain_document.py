"""Results and refusals of the plain readers. Used by plain_readers.py and plain_json.py."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Plain(NamedTuple):
    """The content of a document."""

    name: str
    clusters: frozenset[tuple[object, ...]]
    """Each with its mentions sorted by how they are written, repeats kept."""
    sentences: tuple[int, ...] = ()
    """Tokens in each, where the format has tokens; characters of the text, where it has a text."""


class RefusedError(Exception):
    """The text breaks a rule."""


def plain(clusters: Mapping[str, Sequence[object]], name: str, sentences: Sequence[int] = ()) -> Plain:
    """Return a document with its clusters in one order; empty clusters say nothing."""
    said = frozenset(tuple(sorted(cluster, key=repr)) for cluster in clusters.values() if cluster)
    return Plain(name, said, tuple(sentences))


def require(condition: object) -> None:
    """Refuse what does not fulfil a condition."""
    if not condition:
        raise RefusedError


def listed(value: object) -> list[Any]:
    """Return a value that must be a list."""
    require(isinstance(value, list))
    return value if isinstance(value, list) else []
