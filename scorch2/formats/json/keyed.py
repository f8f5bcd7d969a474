"""JSON objects without ``type``: their keys tell which program wrote them, and so the format.

Each format of the family `KEYED` lists the programs that write it in `SOURCES` of its module. An object is
read only if it has all keys of exactly one source.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from scorch2.formats.json.mention_ids import json_kind
from scorch2.formats.table import FORMATS, KEYED, module
from scorch2.model.document import Document
from scorch2.model.errors import InputError


class Place(NamedTuple):
    """The place of a document, for messages."""

    path: str
    where: str
    """``line 3: $``, ``$[2]`` or ``$``."""
    name: str
    """The name of a document that does not say its own."""

    def error(self, key: str, why: str) -> InputError:
        """Return an error about the value of `key`."""
        return InputError(self.path, f"{self.where}.{key}", why)


class Source(NamedTuple):
    """Systems that write the same keys."""

    label: str
    keys: tuple[tuple[str, ...], ...]
    """Keys that identify the source: at least one of each group."""
    read: Callable[[Mapping[str, Any], Place], Document]
    offsets: str
    """A note on how it writes a mention."""


class Known(NamedTuple):
    """A source, and the name of the format that it writes."""

    format: str
    source: Source


@cache
def known(expected: str | None = None) -> Sequence[Known]:
    """Return the sources of the format `expected`, or of all formats if that is no format of `KEYED`."""
    rows = [row for row in FORMATS.values() if row.family == KEYED]
    chosen = [row for row in rows if row.name == expected] or rows
    return [
        Known(row.name, source)
        for row in chosen
        for source in cast("Sequence[Source]", module(row.reader).SOURCES)
    ]


def known_of(value: object, place: Place, expected: str | None = None) -> Known | None:
    """Return the source whose keys an object has, or None; those of two sources are refused."""
    if type(value) is not dict:
        return None
    found = [
        one for one in known(expected) if all(any(key in value for key in group) for group in one.source.keys)
    ]
    if len(found) > 1:
        labels = " and of ".join(one.source.label for one in found)
        raise InputError(place.path, place.where, f"the object has keys of {labels}; remove one set")
    return found[0] if found else None


def shortfall(value: Mapping[str, Any], expected: str | None = None) -> str:
    """Return what an object lacks to be a document of a source whose keys it has in part, in words."""
    for form, source in known(expected):
        groups = [group for group in source.keys if not any(key in value for key in group)]
        if any(key in value for group in source.keys for key in group if key != "clusters"):
            return f"for {form} of {source.label} it lacks {' and '.join(map(' or '.join, groups))}"
    return ""


def document(value: object, place: Place, expected: str | None = None) -> Document:
    """Return the document that an object of one of the sources holds."""
    one = known_of(value, place, expected)
    if one is None or type(value) is not dict:
        why = "has not all keys of a document of one of: "
        why += ", ".join(source.label for _, source in known(expected))
        raise InputError(place.path, place.where, f"{json_kind(value)} {why}")
    source = one.source
    found = source.read(value, place)
    written = found.written or f"{source.label}: {source.offsets}"
    return found._replace(format=one.format, written=written)
