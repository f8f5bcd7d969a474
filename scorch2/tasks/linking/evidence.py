"""The evidence of linking: one side in columns of fields, and both sides compared by their keys.

`FIELDS` is the table of the columns, for keys, filters and groups; any other name is a member of the JSON
objects that mentions have as types. A measure looks at a `Linking`, and at nothing else.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, counted, quoted, shown_path
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import NIL
from scorch2.scoring.contingency import Contingency, Partition, count_overlaps
from scorch2.scoring.matching.steps import one_cluster_each

if TYPE_CHECKING:
    from scorch2.model.score import Tally


Column: TypeAlias = Sequence[Any]


class Absent(Enum):
    """The value of a member that a JSON object does not have; a member that is null is None."""

    MEMBER = 0


class Nil(NamedTuple):
    """The rule for entities that the knowledge base does not have."""

    prefix: str = NIL  # ids with this prefix are outside the knowledge base
    split: bool = False  # True: each mention whose id is just the prefix is an entity of its own


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
    ids = entities(rows)
    for i in order:
        entity = (rows.docids[i], ids[i])
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
        if mention.candidates
        else None
        for mention, top in zip(rows.annotations, _tops(rows), strict=True)
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
ENTITY = "(entity)"  # the column of `entities`: for clustering, not for keys


_ODD = {list, dict, Absent}  # types of values that cannot be compared


class Mentions:
    """The mentions of one side, or those at `places` of a `whole`, with the columns of their fields."""

    # A column is made when it is first asked for. `paths` has the file of each document, for messages.

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
        """Return the key of each mention: the value of one field, or a tuple of several values."""
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


class Rules(NamedTuple):
    """The choices that change counts."""

    duplicates: str = "error"  # for clustering, one key in two clusters: error, first, merge
    weights: Mapping[tuple[object, object], float] | None = None
    """The share that a pair of types earns, by (gold type, system type)."""


Aggregator: TypeAlias = "Callable[[Linking, str, tuple[str, ...]], Tally]"
"""From the evidence, a filter and a key to a tally."""


class _Table(NamedTuple):
    counts: Contingency
    notices: tuple[Notice, ...]


class Linking:
    """Gold and system mentions that are compared with each other by some rules."""

    __slots__ = ("_codes", "_keys", "_tables", "gold", "rules", "system")

    def __init__(self, gold: Mentions, system: Mentions, rules: Rules) -> None:
        self.gold = gold
        self.system = system
        self.rules = rules
        self._codes: dict[str, tuple[Column, Column]] = {}
        self._keys: dict[tuple[str, tuple[str, ...]], tuple[Column, Column]] = {}
        self._tables: dict[tuple[str, tuple[str, ...]], _Table] = {}

    def keys(self, field: str, key: tuple[str, ...]) -> tuple[Column, Column]:
        """Return what gold and system mentions whose `field` is true are compared by."""
        # That is a number per mention, or a tuple of numbers: equal where the values of the key are, on both
        # sides.
        if (field, key) not in self._keys:
            self._keys[field, key] = self._side(0, field, key), self._side(1, field, key)
        return self._keys[field, key]

    def _side(self, number: int, field: str, key: tuple[str, ...]) -> Column:
        side = (self.gold, self.system)[number]
        kept = side.kept(field)
        for name in key:
            kept.check(name)
        columns = [self._coded(name)[number] for name in key]
        if field:
            columns = [list(compress(column, side.column(field))) for column in columns]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))

    def _coded(self, name: str) -> tuple[Column, Column]:
        """Return the values of a field as numbers: many measures compare them, and that is faster."""
        if name not in self._codes:
            sides = self.gold.hashable(name), self.system.hashable(name)
            numbers = {value: number for number, value in enumerate(dict.fromkeys(chain(*sides)))}
            gold, system = (list(map(numbers.__getitem__, side)) for side in sides)
            self._codes[name] = gold, system
        return self._codes[name]

    def contingency(self, field: str, key: tuple[str, ...]) -> Contingency:
        """Return how gold and system clusters of keys overlap, for mentions whose `field` is true."""
        if (field, key) not in self._tables:
            golds, systems = self.keys(field, key)
            gold, before = _partition(self.gold.kept(field), golds, key, self.rules.duplicates)
            system, notices = _partition(self.system.kept(field), systems, key, self.rules.duplicates)
            self._tables[field, key] = _Table(count_overlaps(gold, system), before + notices)
        return self._tables[field, key].counts

    def notices(self) -> list[Notice]:
        """Return what had to be done for the tables that were asked for, each once."""
        return list(dict.fromkeys(notice for table in self._tables.values() for notice in table.notices))


def _partition(
    side: Mentions, keys: Column, key: tuple[str, ...], policy: str
) -> tuple[Partition, tuple[Notice, ...]]:
    numbers, sizes = side.clusters()
    owner = dict(zip(keys, numbers, strict=True))
    if len(owner) == len(keys):
        return Partition(owner, sizes), ()
    if len(set(zip(keys, numbers, strict=True))) > len(owner):
        return _resolved(side, keys, key, policy)
    distinct = Counter(owner.values())
    return Partition(owner, [distinct[number] for number in range(len(sizes))]), ()


def _resolved(
    side: Mentions, keys: Column, key: tuple[str, ...], policy: str
) -> tuple[Partition, tuple[Notice, ...]]:
    """Refuse a key in two clusters, or keep the first, or merge, as coreference does."""
    clusters: dict[object, list[object]] = {}
    first: dict[object, int] = {}
    again: list[tuple[int, int]] = []
    entities = side.column(ENTITY)
    for i, (value, entity) in enumerate(zip(keys, entities, strict=True)):
        clusters.setdefault(entity, []).append(value)
        if entities[first.setdefault(value, i)] != entity:
            again.append((first[value], i))
    what = "span" if "span" in key else "+".join(key)
    if policy == "error":
        raise _clash(side, what, *again[0])
    named = {str(number): members for number, members in enumerate(clusters.values())}
    path = side.place(again[0][1])[0]
    done = "the first keeps it" if policy == "first" else "they join"
    why = f"{counted(len(again), 'mention')} with the {what} of one in another cluster: {done}"
    notice = Notice("duplicates", "", f"{shown_path(path)}: {why}")
    return one_cluster_each("", Document("", named), policy)[0], (notice,)


def _clash(side: Mentions, what: str, first: int, second: int) -> InputError:
    path, where = side.place(second)
    there = side.place(first)[1]
    ids: Sequence[str | None] = side.column("eid")
    shown = "without an id" if ids[first] is None else f"with the id {quoted(ids[first])}"
    remedy = "--duplicates=first keeps the first cluster, --duplicates=merge joins them"
    return InputError(
        path, where, f"the {what} of this mention is already in a cluster, {shown}, on {there} ({remedy})"
    )
