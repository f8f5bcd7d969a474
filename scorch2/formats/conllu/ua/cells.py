"""The cells of the exploded format: brackets of markables, and bridging links."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple

from scorch2.formats.conllu.misc import CellError
from scorch2.model.errors import quoted

ENTITY, MARKABLE, MINIMUM, ELEMENT_OF = "EntityID", "MarkableID", "Min", "ElementOf"
_BEFORE_OTHERS = {ENTITY, MARKABLE, MINIMUM}
KEYS = (ENTITY, MARKABLE, MINIMUM, ELEMENT_OF)
"""The keys of a markable that mean something; what others say is kept as it is."""
ANTECEDENT, ANTECEDENT_ENTITY, RELATION = "MentionAnchor", "EntityAnchor", "Rel"
PSEUDO = "-Pseudo"
"""How the names of entities end whose markables refer to nothing."""
_BRACKET = re.compile(r"@*(?:\(([^()]*)(\))?|([^()@]*)\))@*")
_USUAL = re.compile(
    r"\(EntityID=([^()|@\n]+)\|MarkableID=([^()|@\n]+)(?:\|Min=([0-9,]+))?(\|[^()@\n]*)?(\))?"
)
"""A bracket as nearly all are written; the groups are the fields of `Opening`."""
_STEP = _USUAL.groups + 1
"""From one bracket to the next among what `_USUAL.split` finds."""
_MINIMUM = re.compile(r"([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8})(?:,.*)?)?")
_ESCAPES = {"%": "%25", ",": "%2C", "-": "%2D"}
"""How the field ``other`` of CorefUD writes what would end a value."""
_ESCAPED = str.maketrans(_ESCAPES)


class BracketValues(NamedTuple):
    """A bracket that opens, with what it says."""

    values: Mapping[str, str]
    is_closed: bool
    """Whether it closes on the same word."""


class Others(NamedTuple):
    """The values of a bracket besides entity, markable and Min."""

    sets: Sequence[str] = ()
    """The entities that its entity is an element of."""
    other: str = ""
    """All that means nothing here, as the field ``other`` of CorefUD."""


class Opening(NamedTuple):
    """A bracket that opens a markable, or a later piece of one."""

    entity: str
    markable: str
    minimum: str | None
    """Min as written, if there is one."""
    others: str | None
    """What else it says, as written: ``|<key>=<value>...``."""
    closed: str | None
    """The bracket that closes it on the same word, if there is one."""


_opening = partial(tuple.__new__, Opening)  # a third of the time of Opening(...), and 1 % of a run


class Closing(NamedTuple):
    """A bracket that closes a markable, or a piece of one."""

    markable: str
    """Empty if it closes the one that opened last."""


_CLOSING = Closing("")


def brackets_of(cells: Sequence[str]) -> Iterable[Iterable[Opening | Closing]]:
    """Return the brackets of markables in each cell; `CellError`, when it is reached, for anything else.

    One pattern finds the brackets of all cells at once, if they are all written as usual; to read each in
    turn adds a quarter to a run.
    """
    if not cells:
        return ()
    found = _USUAL.split("\n".join(cells))
    between, others = found[::_STEP], found[_STEP - 2 :: _STEP]
    if "".join(between).strip(")\n") or None in map(others_of, others):
        return map(_one_by_one, cells)
    openings = map(_opening, zip(*(found[field::_STEP] for field in range(1, _STEP)), strict=True))
    by_cell: list[list[Opening | Closing]] = [[]]
    for text, opening in zip_longest(between, openings):
        for letter in text:
            if letter == "\n":
                by_cell.append([])
            else:
                by_cell[-1].append(_CLOSING)
        if opening:
            by_cell[-1].append(opening)
    return by_cell


def _one_by_one(cell: str) -> Iterator[Opening | Closing]:
    for bracket in brackets(cell):
        if isinstance(bracket, Closing):
            yield bracket
        else:
            values = bracket.values
            entity, name = required(values, ENTITY), required(values, MARKABLE)
            others = [f"|{key}={value}" for key, value in values.items() if key not in _BEFORE_OTHERS]
            closed = ")" if bracket.is_closed else None
            yield Opening(entity, name, values.get(MINIMUM), "".join(others), closed)


@lru_cache(maxsize=4096)
def others_of(written: str | None) -> Others | None:
    """Return the values in `Opening.others`; None if they cannot be read, or hold entity, markable or Min.

    The last answers are kept: in GUM, where many markables say the same, that saves a sixth of a run.
    """
    try:
        values = _values(written[1:]) if written else {}
    except CellError:
        return None
    sets = [name for name in values.get(ELEMENT_OF, "").split(",") if name]
    return None if values.keys() & _BEFORE_OTHERS else Others(tuple(sets), other_of(values))


def brackets(cell: str) -> Iterator[BracketValues | Closing]:
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
            yield BracketValues(_values(written), closed_at_once is not None)


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


@lru_cache(maxsize=4096)
def minimum(written: str) -> tuple[int, int]:
    """Return the first and last word of Min, counted from 1 in the document.

    The last answers are kept: both sides have most in common, which saves 4 % of a run.
    """
    match = _MINIMUM.fullmatch(written)
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 0 < first <= last:
        raise CellError(f"Min={quoted(written)} is neither <word> nor <first>,<last>")
    return first, last


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
