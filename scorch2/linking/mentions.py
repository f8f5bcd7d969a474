"""Mentions, one side of a corpus in columns: each is made once, when it is first asked for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from scorch2.linking.fields import ENTITY, FIELDS, Absent, Column, Rows, entities, members
from scorch2.model.errors import InputError, quoted

_ODD = {list, dict, Absent}
"""Types of values that cannot be compared."""


class Mentions:
    """The mentions of one side, or some of them, with their fields.

    Parameters
    ----------
    rows : Rows
        All mentions of the side.
    paths : mapping from str to str
        The file of each document, for messages.
    whole : Mentions, optional
        The collection that these were selected from, at `places`: fields are those that the mentions have
        there.
    """

    __slots__ = ("_clusters", "_columns", "_kept", "paths", "places", "rows", "whole")

    def __init__(
        self,
        rows: Rows,
        paths: Mapping[str, str],
        whole: "Mentions | None" = None,
        places: Sequence[int] = (),
    ) -> None:
        self.rows = rows
        self.paths = paths
        self.whole = whole
        self.places = places
        self._clusters: tuple[Sequence[int], Sequence[int]] | None = None
        self._columns: dict[str, Column] = {}
        self._kept: dict[str, Mentions] = {}

    def __len__(self) -> int:
        return len(self.rows.docids) if self.whole is None else len(self.places)

    def column(self, field: str) -> Column:
        """Return the value of a field for each mention; `Absent.MEMBER` where a JSON object lacks it."""
        if field not in self._columns:
            self._columns[field] = self._made(field)
        return self._columns[field]

    def _made(self, field: str) -> Column:
        if self.whole is not None:
            column = self.whole.column(field)
            return [column[i] for i in self.places]
        if field in FIELDS:
            return FIELDS[field].values(self.rows)
        return entities(self.rows) if field == ENTITY else members(self.rows, field)

    def keys(self, fields: Sequence[str]) -> Column:
        """Return the key of each mention: the value of one field, or a tuple of several values.

        Raises
        ------
        InputError
            For a member that a mention lacks or that cannot be compared, with its place.
        """
        columns = [self.values(field) for field in fields]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))

    def values(self, field: str) -> Column:
        """Return a column of values that can be compared; an InputError tells of one that cannot."""
        self.check(field)
        return self.column(field)

    def check(self, field: str) -> None:
        """Raise an InputError for a mention whose field is missing or cannot be compared."""
        if field in FIELDS and field != "type":
            return
        column = self.column(field)
        if not _ODD.isdisjoint(map(type, column)):
            i = next(i for i, value in enumerate(column) if type(value) in _ODD)
            shown = "cannot be compared: it is a list or an object"
            why = "is missing in the type" if column[i] is Absent.MEMBER else shown
            raise InputError(*self.place(i), f"the field {quoted(field)} {why}")

    def hashable(self, field: str) -> Column:
        """Return a column with None for values that cannot be compared."""
        column = self.column(field)
        if field in FIELDS and field != "type":
            return column
        return [None if type(value) in _ODD else value for value in column]

    def clusters(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the number of the cluster of each mention, and how many each cluster has."""
        if self._clusters is None:
            entities = self.column(ENTITY)
            sizes = Counter(entities)
            numbers = {entity: number for number, entity in enumerate(sizes)}
            self._clusters = list(map(numbers.__getitem__, entities)), list(sizes.values())
        return self._clusters

    def kept(self, field: str) -> "Mentions":
        """Return the mentions whose field is true; all if there is no field."""
        if not field:
            return self
        if field not in self._kept:
            self._kept[field] = self.part(list(compress(range(len(self)), self.values(field))))
        return self._kept[field]

    def part(self, places: Sequence[int]) -> "Mentions":
        """Return the mentions at `places`."""
        if self.whole is None:
            return Mentions(self.rows, self.paths, self, places)
        return Mentions(self.rows, self.paths, self.whole, [self.places[i] for i in places])

    def members(self) -> set[str]:
        """Return the names of the members that JSON types have."""
        types = (one.top.type for one in self.rows.annotations)
        return {name for kind in types if isinstance(kind, Mapping) for name in kind}

    def place(self, i: int) -> tuple[str, str]:
        """Return the file of mention `i` and where it stands there, for messages."""
        number = i if self.whole is None else self.places[i]
        ident, one = self.rows.docids[number], self.rows.annotations[number]
        where = f"line {one.line}" if one.line else f"document {quoted(ident)}, span {one.start}-{one.end}"
        return self.paths.get(ident, ident), where

    def groups(self, fields: Sequence[str]) -> dict[tuple[Any, ...], "Mentions"]:
        """Return the mentions by the values of `fields`, in the order of their first mentions."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for i, value in enumerate(zip(*map(self.values, fields), strict=True)):
            found.setdefault(value, []).append(i)
        return {value: self.part(places) for value, places in found.items()}
