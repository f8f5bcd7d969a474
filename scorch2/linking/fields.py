"""Fields of mentions, for keys, filters and groups: a table with one function per column of values.

Any other name is a member of the JSON objects that mentions have as types.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.document import NIL, Annotation, Candidate

Column: TypeAlias = Sequence[Any]


class Absent(Enum):
    """The value of a member that a JSON object does not have; a member that is null is None."""

    MEMBER = 0


class Nil(NamedTuple):
    """The rule for entities that the knowledge base does not have."""

    prefix: str = NIL
    """Ids with this prefix are outside the knowledge base."""
    split: bool = False
    """True: each mention whose id is just the prefix is an entity of its own."""


class Rows(NamedTuple):
    """The mentions of one side, the documents one after the other, each in the order of its file."""

    docids: Sequence[str]
    annotations: Sequence[Annotation]
    nil: Nil


def _tops(rows: Rows) -> list[Candidate]:
    return [one.candidates[0] if len(one.candidates) == 1 else one.top for one in rows.annotations]


def _ids(rows: Rows) -> list[str | None]:
    return [top.id for top in _tops(rows)]


def _is_nil(rows: Rows) -> list[bool]:
    prefix = rows.nil.prefix
    return [ident is None or ident.startswith(prefix) for ident in _ids(rows)]


def _kb_ids(rows: Rows) -> list[str | None]:
    return [None if nil else ident for nil, ident in zip(_is_nil(rows), _ids(rows), strict=True)]


def _is_first(rows: Rows) -> list[bool]:
    order = sorted(
        range(len(rows.docids)), key=lambda i: (rows.annotations[i].start, -rows.annotations[i].end)
    )
    seen: set[tuple[str, object]] = set()
    first = [False] * len(order)
    found = entities(rows)
    for i in order:
        entity = (rows.docids[i], found[i])
        if entity not in seen:
            seen.add(entity)
            first[i] = True
    return first


def _types(rows: Rows) -> list[Any]:
    return [
        top.type.get("type", Absent.MEMBER) if isinstance(top.type, Mapping) else top.type
        for top in _tops(rows)
    ]


def members(rows: Rows, name: str) -> list[Any]:
    """Return a member of the JSON objects; None for a mention without candidates."""
    return [
        (top.type.get(name, Absent.MEMBER) if isinstance(top.type, Mapping) else Absent.MEMBER)
        if one.candidates
        else None
        for one, top in zip(rows.annotations, _tops(rows), strict=True)
    ]


def entities(rows: Rows) -> list[object]:
    """Return what clusters mentions: the id; a mention without one is alone."""
    bare = rows.nil.prefix if rows.nil.split else None
    return [
        (i,) if ident is None or ident == bare else ident  # no id is a tuple
        for i, ident in enumerate(_ids(rows))
    ]


class Field(NamedTuple):
    """A field that every mention has."""

    values: Callable[[Rows], Column]
    what: str
    comparable: bool = True
    """True if keys may contain it."""


FIELDS: Mapping[str, Field] = {
    "docid": Field(lambda rows: rows.docids, "the document"),
    "start": Field(lambda rows: [one.start for one in rows.annotations], "the first unit"),
    "end": Field(lambda rows: [one.end - 1 for one in rows.annotations], "the last unit"),
    "span": Field(
        lambda rows: [
            (ident, one.start, one.end - 1) for ident, one in zip(rows.docids, rows.annotations, strict=True)
        ],
        "docid, start and end",
    ),
    "eid": Field(_ids, "the id of the best candidate, none if there is none"),
    "kbid": Field(_kb_ids, "the id, none if it is NIL: all NIL are equal"),
    "type": Field(_types, "the type of the best candidate, or the member of its JSON object"),
    "score": Field(lambda rows: [top.score for top in _tops(rows)], "the score of the best candidate"),
    "is_nil": Field(_is_nil, "whether the knowledge base lacks the entity"),
    "is_linked": Field(lambda rows: [not nil for nil in _is_nil(rows)], "whether it has the entity"),
    "is_first": Field(_is_first, "whether no mention of the entity comes before it in the document"),
    "candidates": Field(
        lambda rows: [one.candidates for one in rows.annotations], "all candidates", comparable=False
    ),
    "link": Field(
        lambda rows: [one.candidates[:1] for one in rows.annotations],
        "whether there is a candidate",
        comparable=False,
    ),
}
"""The fields, by the names they have in measures."""
ENTITY = "(entity)"
"""The column of `entities`: for clustering, not for keys."""
