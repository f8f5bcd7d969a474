"""Step 4, from two partitions to overlap counts: the table that every clustering metric is computed from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.model.document import Mention
from scorch2.model.tally import Tally


class Partition(NamedTuple):
    """Clusters that share no mention: the cluster of each mention, and the size of each cluster."""

    owner: Mapping[Mention, int]
    """The number of the cluster that holds a mention, in the order of the file."""
    sizes: Sequence[int]
    """The number of mentions in each cluster, at least 1, by the number of the cluster."""


class Contingency(NamedTuple):
    """Gold × system overlap counts of one document: all a partition metric may look at.

    The sizes are full: ``gold_sizes[g]`` minus the cells of row g are twinless mentions, which the system
    lacks.
    """

    cells: Sequence[tuple[int, int, int]]
    """(gold cluster, system cluster, shared mentions), non-zero only."""
    gold_sizes: Sequence[int]
    """Mentions per gold cluster, each at least 1."""
    system_sizes: Sequence[int]
    """Mentions per system cluster, each at least 1."""


class Lookups(NamedTuple):
    """Overlap counts of one document if a mention may stand for several, so that one table is not enough.

    A count may exceed the size of the cluster on the other side.
    """

    recall: Contingency
    """Counts gold mentions, by their cluster and that of the system mention they find."""
    precision: Contingency
    """Counts system mentions, by the cluster of the gold mention they find and their own."""
    membership: Contingency
    """Counts gold mentions, by their cluster and every system cluster that holds what they find."""
    mentions: Tally
    """Counts the mentions that find one, and all, each once however many clusters hold it."""


def count_overlaps(gold: Partition, system: Partition) -> Contingency:
    """Count the overlaps of two partitions in one pass over the system mentions.

    >>> gold = Partition({"a": 0, "b": 0, "c": 1}, [2, 1])
    >>> count_overlaps(gold, Partition({"c": 0, "a": 0, "x": 1}, [2, 1]))
    Contingency(cells=[(1, 0, 1), (0, 0, 1)], gold_sizes=[2, 1], system_sizes=[2, 1])
    """
    pairs = zip(map(gold.owner.get, system.owner), system.owner.values(), strict=True)
    if len(gold.sizes) == len(gold.owner) or len(system.sizes) == len(system.owner):  # singletons
        cells = [(g, s, 1) for g, s in pairs if g is not None]
    else:
        cells = [(g, s, n) for (g, s), n in Counter(pairs).items() if g is not None]
    return Contingency(cells, gold.sizes, system.sizes)
