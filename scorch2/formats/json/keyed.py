"""JSON objects without ``type``: their keys tell which program wrote them, and so the format.

Each format of the family `KEYED` lists the programs that write it in `SOURCES` of its module. An object is
read only if it has all keys of exactly one source. Lists are told by their shape.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast

from scorch2.formats.json import bare, stanza
from scorch2.formats.json.mention_ids import json_kind
from scorch2.formats.json.values import Place
from scorch2.formats.keys import Keys, refuse_typed
from scorch2.formats.table import FORMATS, KEYED, module
from scorch2.model.document import Document
from scorch2.model.errors import InputError, enumerated, quoted

_Read: TypeAlias = Callable[[Mapping[str, Any], Place, str], Document]

CLUSTERS = ("clusters", "predicted_clusters")
"""The keys of gold clusters and predictions, of which an object may have both."""
_SHOWN = 80
"""Characters of the list of keys in a message."""
_TYPED = ", or choose by --key, in Python by read(path, key=...)"


class Source(NamedTuple):
    """Systems that write the same keys."""

    label: str
    keys: tuple[tuple[str, ...], ...]
    """Keys that identify the source, besides those of clusters: at least one of each group."""
    clusters: tuple[str, ...]
    """Keys that hold the clusters, at least one of them; none if a document may lack them."""
    reader: tuple[str, str]
    """The module below ``scorch2.formats`` that reads it, and the function."""
    offsets: str
    """A note on how it writes a mention."""
    exclusive: bool = False
    """Whether the end of a mention is what follows it."""
    first: int = 0
    """The number of the first token or character."""
    without: tuple[str, ...] = ()
    """Keys of other sources, which it never has."""

    def groups(self, wanted: Keys = ()) -> tuple[tuple[str, ...], ...]:
        """Return groups of keys, of each of which an object has one; a typed key in `wanted` is the last."""
        clusters = wanted if len(wanted) == 1 else self.clusters
        return (*self.keys, clusters) if clusters else self.keys


class Known(NamedTuple):
    """A source, and the name of the format that it writes."""

    format: str
    source: Source


@cache
def known(expected: str | None = None) -> Sequence[Known]:
    """Return the sources of the format `expected`, which has none outside `KEYED`, or of all formats."""
    return [
        Known(row.name, source)
        for row in FORMATS.values()
        if row.family == KEYED and expected in (None, row.name)
        for source in cast("Sequence[Source]", module(row.reader).SOURCES)
    ]


def _candidates(expected: str | None, wanted: Keys) -> Sequence[Known]:
    """Return the sources that may have the key that was typed: its own, or those that call it clusters."""
    every = known(expected)
    if len(wanted) != 1:
        return every
    own = [one for one in every if wanted[0] in one.source.clusters]
    return own or [one for one in every if one.source.clusters == CLUSTERS]


@lru_cache(maxsize=8)
def _matching(keys: tuple[str, ...], expected: str | None, wanted: Keys) -> Sequence[Known]:
    """Return the sources that an object with these keys can come from."""
    there = set(keys)
    return [
        one
        for one in _candidates(expected, wanted)
        if there.isdisjoint(one.source.without) and all(map(there.intersection, one.source.groups(wanted)))
    ]


def known_of(value: object, place: Place, expected: str | None = None) -> Known | None:
    """Return the source whose keys an object has, or None; those of two sources are refused."""
    if type(value) is not dict:
        return None
    found = _matching(tuple(value), expected, place.keys)
    if len(found) > 1:
        labels = " and of ".join(one.source.label for one in found)
        raise InputError(place.path, place.where, f"the object has keys of {labels}; remove one set")
    return found[0] if found else None


def is_document(value: object, place: Place, expected: str | None = None) -> bool:
    """Return whether a value is a document: an object with the keys of a source, or a list of known shape."""
    if type(value) is list:
        return bare.is_clusters(value) or stanza.is_document(value)
    return known_of(value, place, expected) is not None


def shortfall(value: Mapping[str, Any], expected: str | None = None, wanted: Keys = ()) -> str:
    """Return what an object lacks to be a document of a source whose keys it has in part, in words."""
    for form, source in _candidates(expected, wanted):
        groups = source.groups(wanted)
        lacking = [group for group in groups if value.keys().isdisjoint(group)]
        if lacking and any(key in value for group in groups for key in group if key not in CLUSTERS):
            return f"for {form} of {source.label} it lacks {' and '.join(map(' or '.join, lacking))}"
    return ""


def refuse_absent(value: Mapping[str, Any], place: Place) -> None:
    """Raise an InputError if a key of clusters was typed that an object lacks, with those that it has."""
    if len(place.keys) != 1 or place.keys[0] in value:
        return
    one = known_of(value, place._replace(keys=()))
    if one and not one.source.clusters:
        refuse_typed(place.keys, place.path, f"JSON of {one.source.label}")
    usual = {key for _, source in known() for key in source.clusters}
    found = [key for key in value if key in usual]
    there = f"it has {enumerated(found or value, _SHOWN)}" if value else "it is empty"
    why = f"an object lacks the key {quoted(place.keys[0])} of clusters: {there}"
    raise InputError(place.path, place.where, why)


def refuse(value: object, place: Place, expected: str | None = None) -> NoReturn:
    """Raise an InputError for a value that is no document, with the sources that are known."""
    why = "has not all keys of a document of one of: "
    why += ", ".join(source.label for _, source in known(expected))
    raise InputError(place.path, place.where, f"{json_kind(value)} {why}")


def document(value: object, place: Place, expected: str | None = None) -> Document:
    """Return the document that an object of one of the sources, or a list of known shape, holds."""
    if bare.is_clusters(value):
        return bare.of_list(cast("list[Any]", value), place)
    if stanza.is_document(value):
        refuse_typed(place.keys, place.path, "JSON of Stanza")
        return stanza.of_list(cast("list[Any]", value), place)
    one = known_of(value, place, expected)
    if one is None or type(value) is not dict:
        if type(value) is dict:
            refuse_absent(value, place)
        refuse(value, place, expected)
    source = one.source
    name, function = source.reader
    read = cast("_Read", getattr(module(name), function))
    found = read(value, place, _clusters_key(value, source, place))
    written = found.written or f"{source.label}: {source.offsets}"
    return found._replace(format=one.format, written=written, exclusive=source.exclusive, first=source.first)


def _clusters_key(value: Mapping[str, Any], source: Source, place: Place) -> str:
    """Return the key under which the clusters are that are meant; nothing for a source that has no choice."""
    wanted = place.keys if source.clusters == CLUSTERS or len(place.keys) == 1 else ()
    found = [key for key in wanted or source.clusters if key in value]
    if source.clusters == CLUSTERS and len(found) > 1 and not wanted:
        if value["clusters"]:
            why = f"stands beside clusters: which of them is meant? (leave one of them{_TYPED})"
            raise place.error("predicted_clusters", why)
        return "predicted_clusters"
    return found[0] if found else ""
