"""Partition: the mentions of one side of a document, each in exactly one cluster."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.document import Mention


class Partition(NamedTuple):
    """Who is where: the cluster of each mention, and the clusters' sizes (none is 0)."""

    owner: Mapping[Mention, int]
    """The number of the cluster that holds a mention, in the order of the file."""
    sizes: Sequence[int]
    """How many mentions each cluster holds, by its number."""
