"""Evidence of linking: the mentions of both sides with their fields, and clusters of their keys as counts.

All that a measure may look at, beside the contingency table of coreference metrics, which it makes.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.linking.fields import ENTITY, Column
from scorch2.linking.mentions import Mentions
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, counted, quoted, shown_path
from scorch2.scoring.contingency import Contingency, Partition, count_overlaps
from scorch2.scoring.matching.clusters import one_cluster_each

if TYPE_CHECKING:
    from scorch2.model.score import Tally


class Rules(NamedTuple):
    """The choices that change counts."""

    duplicates: str = "error"
    """For clustering, one key in two clusters: error, first, merge."""
    weights: Mapping[tuple[object, object], float] | None = None
    """The share that a pair of types earns, by (gold type, system type)."""


Aggregator: TypeAlias = "Callable[[Linking, str, tuple[str, ...]], Tally]"
"""From the evidence, a filter and a key to a tally."""


class _Table(NamedTuple):
    counts: Contingency
    notices: tuple[Notice, ...]


class Linking:
    """Gold and system mentions that are compared with each other.

    Parameters
    ----------
    gold, system : Mentions
        Both sides.
    rules : Rules
        How.
    """

    __slots__ = ("_codes", "_keys", "_tables", "gold", "rules", "system")

    def __init__(self, gold: Mentions, system: Mentions, rules: Rules) -> None:
        self.gold = gold
        self.system = system
        self.rules = rules
        self._codes: dict[str, tuple[Column, Column]] = {}
        self._keys: dict[tuple[str, tuple[str, ...]], tuple[Column, Column]] = {}
        self._tables: dict[tuple[str, tuple[str, ...]], _Table] = {}

    def keys(self, field: str, key: tuple[str, ...]) -> tuple[Column, Column]:
        """Return what gold and system mentions whose `field` is true are compared by.

        Returns
        -------
        pair of sequences
            One number per mention, or a tuple of numbers: equal where the values of the key are, on both
            sides.

        Raises
        ------
        InputError
            For a member that a mention lacks or that cannot be compared, with its place.
        """
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
        """Return how gold and system clusters of keys overlap, for mentions whose `field` is true.

        Raises
        ------
        InputError
            For one key in two clusters, unless the rules say what to do with it.
        """
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
