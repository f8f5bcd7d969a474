"""The attributes Entity, Bridge and SplitAnte of CorefUD: what one cell says."""

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from scorch2.formats.conllu.misc import ATTRIBUTES, CellError
from scorch2.model.errors import quoted

_ENTITY = "Entity="
_BRACKET = re.compile(r"(\(?)([^()]+)(\)?)|[()]")
_BRACKETS = re.compile(r"(?:\([^()]+\)?|[^()]+\))*")
_NUMBERED_PIECE = re.compile(r"([^\[\]]+)\[([1-9][0-9]*)/([1-9][0-9]*)\]")
_LINK = re.compile(r"([^<,:]+)<([^<,:]+)(?::(.*))?")


class Header(NamedTuple):
    """The fields of an opening bracket, by their place; -1 for those that are not there."""

    written: str
    entity: int
    type: int
    head: int


class Opening(NamedTuple):
    """A bracket that opens a mention, or a later piece of one."""

    entity: str
    """As written, with the number of the piece if there are several."""
    type: str
    head: int
    """The number of the head among the words of the mention, from 1; 0 if the bracket says nothing."""
    written: str
    header: Header

    @property
    def fields(self) -> list[str]:
        """All of its fields, as written."""
        return self.written.split("-")


_opening = partial(tuple.__new__, Opening)  # a third of the time of Opening(...), and 1 % of a run


class Link(NamedTuple):
    """One link of Bridge or SplitAnte."""

    antecedent: str
    entity: str
    relation: str


def header_of(written: str) -> Header:
    """Return where the fields of `written` stand; `CellError` if no field names the entity."""
    names = written.split("-")
    place = {name: number for number, name in reversed(list(enumerate(names)))}
    entity = place.get("eid", place.get("GRP", -1))
    if entity < 0:
        raise CellError(f"the fields {quoted(written)} have neither eid nor GRP")
    kind = place.get("etype", place.get("entity", -1))
    return Header(written, entity, kind, place.get("head", -1))


def brackets(cell: str) -> list[tuple[str, str, str]]:
    """Return the brackets of an Entity attribute in their order: what stands before, in and after them.

    A parenthesis that belongs to no bracket is three empty strings; see `unreadable`.

    >>> brackets("(a-person-2(b)a)"), brackets("a))")
    ([('(', 'a-person-2', ''), ('(', 'b', ')'), ('', 'a', ')')], [('', 'a', ')'), ('', '', '')])
    """
    return _BRACKET.findall(cell)


def unreadable(cell: str) -> CellError:
    """Return the error about an Entity attribute that is not brackets one after the other."""
    readable = _BRACKETS.match(cell)
    rest = cell[readable.end() :] if readable else cell
    return CellError(f"Entity={quoted(cell)} cannot be read at {quoted(rest)}")


def opening(written: str, header: Header) -> Opening:
    """Return what a bracket that opens says; `CellError` for a lack of entity, or an odd head."""
    fields = written.split("-")
    size = len(fields)
    entity = fields[header.entity] if header.entity < size else ""
    if not entity:
        why = f"the bracket {quoted('(' + written)} names no entity"
        raise CellError(f"{why} (fields: {quoted(header.written)})")
    kind = fields[header.type] if 0 <= header.type < size else ""
    head = fields[header.head] if 0 <= header.head < size else ""
    if not head:
        return _opening((entity, kind, 0, written, header))
    if not (head.isascii() and head.isdecimal()):
        raise CellError(f"the head of {quoted('(' + written)} is no number but {quoted(head)}")
    return _opening((entity, kind, int(head[:9]), written, header))


def other_places(header: Header) -> Sequence[tuple[int, str]]:
    """Return the places and the names of the fields that are neither entity, type nor head."""
    known = header.entity, header.type, header.head
    return [(place, name) for place, name in enumerate(header.written.split("-")) if place not in known]


def other_fields(fields: Sequence[str], places: Sequence[tuple[int, str]]) -> str:
    """Return the fields of a bracket at some places as the one field ``other``.

    >>> other_fields(["3", "person", "giv:act", "1,2"], other_places(header_of("GRP-etype-infstat-minspan")))
    'infstat:giv:act,minspan:1%2C2'
    """
    found = ""
    for place, name in places:
        if place < len(fields) and fields[place]:
            value = fields[place]
            value = value if name == "other" else f"{name}:{value.replace(',', '%2C')}"
            found = f"{found},{value}" if found else value
    return found


def entity_of(written: str) -> tuple[str, int, int]:
    """Return the entity, the number of the piece and of all pieces; these are 0 if there is one piece."""
    if written[-1] != "]":
        return written, 0, 0
    match = _NUMBERED_PIECE.fullmatch(written)
    if match is None or not int(match[2][:9]) <= int(match[3][:9]):
        raise CellError(f"{quoted(written)} is no piece of a mention (write entity[1/2], then entity[2/2])")
    return match[1], int(match[2][:9]), int(match[3][:9])


def entity_alone(misc: str) -> str:
    """Return the attribute Entity of the column MISC if it is the first and the only one that is read.

    Empty if it is not so. Nearly all are; to take them apart as the others takes seven times as long.
    """
    cell, _, more = misc.rstrip(" \r").partition("|")
    if not cell.startswith(_ENTITY) or (more and (_ENTITY in more or "Bridge=" in more or "Split" in more)):
        return ""
    return cell[len(_ENTITY) :]


def attributes(misc: str) -> dict[str, str]:
    """Return Entity, Bridge and SplitAnte of the column MISC; `CellError` if one is there twice."""
    misc = misc.rstrip(" \r")
    found: dict[str, str] = {}
    for attribute in misc.split("|"):
        name, equals, value = attribute.partition("=")
        if equals and name in ATTRIBUTES:
            name = ATTRIBUTES[name]
            if name in found:
                raise CellError(f"a second {name} on one word (join them)")
            found[name] = value
    return found


def links(name: str, cell: str) -> Sequence[Link]:
    """Return the links of the attribute `name`; `CellError` for what is no link, and for one to itself."""
    found = []
    for written in cell.split(","):
        match = _LINK.fullmatch(written)
        if match is None or (match[3] is not None and name != "Bridge"):
            raise CellError(f"{name}={quoted(cell)} cannot be read at {quoted(written)}")
        if match[1] == match[2]:
            raise CellError(f"{name} links the entity {quoted(match[1])} to itself")
        found.append(Link(match[1], match[2], match[3] or ""))
    return found
