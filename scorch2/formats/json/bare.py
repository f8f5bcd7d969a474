"""Clusters without anything around them, as a notebook dumps them: ``[[[0, 1], [5, 5]], ...]``.

Such a list is one document; an object from names to such lists holds several. Nothing says what the integers
mean, so they are ids, which compare with lists as they are.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any, cast

from scorch2.formats.json.mention_ids import no_mention
from scorch2.formats.json.values import Place
from scorch2.formats.keys import refuse_typed
from scorch2.model.document import Document
from scorch2.model.errors import InputError

NO_NAMES = {"clusters", "type", "mentions", "links"}
"""Keys that an object from names to clusters never has."""
_PAIR = [int, int]
WRITTEN = "lists of clusters: mentions are lists of two integers, whose meaning is not said"


def is_clusters(value: object) -> bool:
    """Return whether a value is a list of clusters, and the first mention in it a list of two integers."""
    return _is_lists(value) and _begins_with_pair([value])


def is_map(value: object) -> bool:
    """Return whether an object maps names to lists of clusters, and the first mention is as in `is_clusters`.

    An object without any mention could be anything.
    """
    if type(value) is not dict or not NO_NAMES.isdisjoint(value):
        return False
    return all(map(_is_lists, value.values())) and _begins_with_pair(value.values())


def _is_lists(value: object) -> bool:
    return type(value) is list and all(type(cluster) is list for cluster in value)


def _begins_with_pair(documents: Iterable[Any]) -> bool:
    first = next(chain.from_iterable(chain.from_iterable(documents)), None)
    return type(first) is list and list(map(type, first)) == _PAIR


def advice(value: object) -> str:
    """Return how a list should look that is no list of clusters, behind what else it should be."""
    if not _is_lists(value):
        return ""
    lists = cast("list[list[Any]]", value)
    if not lists:
        return "; if it is a text without clusters, type --sys-format=jsonlines (validate: --format)"
    first = next(chain.from_iterable(lists), None)
    if type(first) is dict and "text" in first:
        return ", or sentences of Stanza, whose words have a text and an id"
    return ", or a list of clusters of mentions of two integers: [[[0, 1], [2, 3]], [[5, 5]]]"


def of_list(value: list[list[Any]], place: Place) -> Document:
    """Return the document that a list of clusters holds."""
    refuse_typed(place.keys, place.path, "a list of clusters")
    clusters = {str(i): _mentions(written, place, f"{place.where}[{i}]") for i, written in enumerate(value)}
    return Document(place.name, clusters, place.path, format="jsonlines", written=WRITTEN)


def _mentions(written: list[Any], place: Place, where: str) -> list[tuple[int, ...]]:
    for i, mention in enumerate(written):
        if type(mention) is not list or list(map(type, mention)) != _PAIR:
            raise InputError(place.path, f"{where}[{i}]", "a mention is a list of two integers")
        refused = no_mention(mention, place.path, f"{where}[{i}]")
        if refused:
            raise refused
    return [tuple(mention) for mention in written]
