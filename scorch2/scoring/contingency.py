"""Step 4, from two partitions to overlap counts: the table that every clustering metric is computed from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.model.document import Mention
from scorch2.model.score import Tally

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - it is called as in functools
        """The one of functools without its lock, as from Python 3.12 on: 1 % of a run over 348 documents."""

        def __init__(self, find: Any) -> None:
            self._find = find

        def __set_name__(self, _: type, name: str) -> None:
            self._name = name

        def __get__(self, table: Any, _: type) -> Any:
            found = table.__dict__[self._name] = self._find(table)
            return found


class Partition(NamedTuple):
    """Clusters that share no mention: the cluster of each mention, and the size of each cluster."""

    owner: Mapping[Mention, int]  # the number of the cluster that holds a mention, in the order of the file
    sizes: Sequence[int]  # the number of mentions in each cluster, at least 1, by the number of the cluster


class _Overlaps(NamedTuple):
    cells: Sequence[tuple[int, int, int]]  # (gold cluster, system cluster, shared mentions), non-zero only
    gold_sizes: Sequence[int]  # mentions per gold cluster, each at least 1
    system_sizes: Sequence[int]  # mentions per system cluster, each at least 1


class Contingency(_Overlaps):
    """Gold × system overlap counts of one document: all a partition metric may look at."""

    # The sizes are full: ``gold_sizes[g]`` minus the cells of row g are twinless mentions, which the system
    # lacks.

    @cached_property
    def shared(self) -> Sequence[int]:
        """Return the shared mentions of each cell."""
        # Seven sums read them: 1 % of a run over 348 documents
        return [n for _, _, n in self.cells]

    @cached_property
    def found(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the mentions of each gold cluster, and of each system cluster, that the other side has."""
        rows, columns = [0] * len(self.gold_sizes), [0] * len(self.system_sizes)
        for g, s, n in self.cells:
            rows[g] += n
            columns[s] += n
        return rows, columns

    @cached_property
    def competing(self) -> Sequence[int]:
        """Return the positions of cells that share their row or column with another, whatever they weigh."""
        # All others are in every best alignment. Found once for both CEAFs: 1.2 % of a run of 348 documents.
        rows, columns = self.found
        return [p for p, (g, s, n) in enumerate(self.cells) if not rows[g] == n == columns[s]]


def without_singletons(table: Contingency, *, gold: bool = True) -> Contingency:
    """Return the table without the system's clusters of one mention, and without those of gold if `gold`."""
    # The sizes of all others stay: what shared a mention with a singleton has a twinless mention now
    rows, columns = renumbered(table.gold_sizes, least=2 if gold else 1), renumbered(table.system_sizes)
    return Contingency(
        [(rows[g], columns[s], n) for g, s, n in table.cells if g in rows and s in columns],
        [table.gold_sizes[g] for g in rows],
        [table.system_sizes[s] for s in columns],
    )


def renumbered(sizes: Sequence[int], least: int = 2) -> Mapping[int, int]:
    """Return the new numbers of clusters that have `least` mentions, by their old ones."""
    return {old: new for new, old in enumerate([i for i, size in enumerate(sizes) if size >= least])}


class Lookups(NamedTuple):
    """Overlap counts of one document if a mention may stand for several, so that one table is not enough."""

    # A count may exceed the size of the cluster on the other side

    recall: Contingency  # counts gold mentions, by their cluster and that of the system mention they find
    precision: Contingency
    """Counts system mentions, by the cluster of the gold mention they find and their own."""
    membership: Contingency
    """Counts gold mentions, by their cluster and every system cluster that holds what they find."""
    mentions: Tally  # counts the mentions that find one, and all, each once however many clusters hold it


def count_overlaps(gold: Partition, system: Partition) -> Contingency:
    """Count the overlaps of two partitions in one pass over the system mentions.

    >>> gold = Partition({"a": 0, "b": 0, "c": 1}, [2, 1])
    >>> count_overlaps(gold, Partition({"c": 0, "a": 0, "x": 1}, [2, 1]))
    Contingency(cells=[(1, 0, 1), (0, 0, 1)], gold_sizes=[2, 1], system_sizes=[2, 1])
    """
    pairs = zip(map(gold.owner.get, system.owner), system.owner.values(), strict=True)
    if len(gold.sizes) == len(gold.owner) or len(system.sizes) == len(system.owner):
        # A side of singletons: without this, 30 000 of them take 12 MB and not 9
        cells = [(g, s, 1) for g, s in pairs if g is not None]
    else:
        cells = [(g, s, n) for (g, s), n in Counter(pairs).items() if g is not None]
    return Contingency(cells, gold.sizes, system.sizes)


def count_mentions(table: Contingency) -> Tally:
    """Count the mentions on both sides."""
    shared = sum(table.shared)
    return Tally(shared, sum(table.gold_sizes), shared, sum(table.system_sizes))
