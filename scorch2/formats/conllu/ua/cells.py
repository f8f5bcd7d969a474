"""The cells of the exploded format: brackets of markables, and bridging links."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.conllu.misc import CellError
from scorch2.model.messages import quoted

ENTITY, MARKABLE, MINIMUM, ELEMENT_OF = "EntityID", "MarkableID", "Min", "ElementOf"
KEYS = (ENTITY, MARKABLE, MINIMUM, ELEMENT_OF)
"""The keys of a markable that mean something; what others say is kept as it is."""
ANTECEDENT, ANTECEDENT_ENTITY, RELATION = "MentionAnchor", "EntityAnchor", "Rel"
PSEUDO = "-Pseudo"
"""How the names of entities end whose markables refer to nothing."""
_BRACKET = re.compile(r"@*(?:\(([^()]*)(\))?|([^()@]*)\))@*")
_MINIMUM = re.compile(r"([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8})(?:,.*)?)?")
_ESCAPES = {"%": "%25", ",": "%2C", "-": "%2D"}
"""How the field ``other`` of CorefUD writes what would end a value."""
_ESCAPED = str.maketrans(_ESCAPES)


class Opening(NamedTuple):
    """A bracket that opens a markable, or a later piece of one."""

    values: Mapping[str, str]
    is_closed: bool
    """Whether it closes on the same word."""


class Closing(NamedTuple):
    """A bracket that closes a markable, or a piece of one."""

    markable: str
    """Empty if it closes the one that opened last."""


def brackets(cell: str) -> Iterator[Opening | Closing]:
    """Yield the brackets of a cell in their order; `CellError` if there is anything else."""
    position = 0
    while position < len(cell):
        match = _BRACKET.match(cell, position)
        if match is None:
            raise CellError(f"{quoted(cell)} cannot be read at {quoted(cell[position:])}")
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed is not None:
            yield Closing(closed)
        else:
            written = opened if closed_at_once else opened.rstrip("@")
            yield Opening(_values(written), closed_at_once is not None)


def _values(written: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for pair in written.split("|"):
        key, equals, value = pair.partition("=")
        if not equals:
            raise CellError(f"{quoted(pair)} is no <key>=<value> in the bracket {quoted('(' + written)}")
        if key in found:
            raise CellError(f"a second {key} in the bracket {quoted('(' + written)}")
        found[key] = value
    return found


def required(values: Mapping[str, str], key: str) -> str:
    """Return the value of a key; `CellError` if it is not there or empty."""
    if values.get(key):
        return values[key]
    like = [other for other in values if other.replace("_", "").lower() == key.lower() and other != key]
    how = f"write it for {quoted(like[0])}" if like else "each markable needs one"
    raise CellError(f"a bracket without {key} ({how})")


def minimum(values: Mapping[str, str]) -> tuple[int, int] | None:
    """Return the first and last word of Min, counted from 1 in the document; None if there is none."""
    if MINIMUM not in values:
        return None
    match = _MINIMUM.fullmatch(values[MINIMUM])
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 0 < first <= last:
        raise CellError(f"Min={quoted(values[MINIMUM])} is neither <word> nor <first>,<last>")
    return first, last


def has_more(values: Mapping[str, str]) -> bool:
    """Return whether Min, which is there, has more than two numbers, of which the first two count."""
    return values[MINIMUM].count(",") > 1


def sets_of(values: Mapping[str, str]) -> Sequence[str]:
    """Return the entities in ElementOf, which is there."""
    return [name for name in values[ELEMENT_OF].split(",") if name]


def other_of(values: Mapping[str, str]) -> str:
    """Return all other values as the field ``other`` of CorefUD.

    >>> other_of({"EntityID": "1", "SemType": "dn", "gender": "a,b"})
    'SemType:dn,gender:a%2Cb'
    """
    found = []
    for key, value in values.items():
        if key not in KEYS:
            written = value.translate(_ESCAPED)
            found.append(f"{key}:{written}" if written else key)
    return ",".join(found)


def values_of(other: str) -> Mapping[str, str]:
    """Return what the field ``other`` of CorefUD says as values of a bracket, without those of `KEYS`."""
    found: dict[str, str] = {}
    for item in other.split(",") if other else ():
        key, _, value = item.partition(":")
        for letter, written in reversed(_ESCAPES.items()):
            value = value.replace(written, letter)
        if key not in KEYS:
            found.setdefault(key, value)
    return found
