"""A binary tree above places in a row, to look at many neighbours at once.

Of n places, place p is node n + p. The top is node 1; below node k are 2 k and 2 k + 1.
"""

from collections.abc import Iterator


def highest(low: int, high: int) -> Iterator[int]:
    """Yield the highest nodes that hold together the nodes of places from `low` up to `high`, and no others.

    There are at most two on each level of the tree.

    >>> sorted(highest(5, 8))
    [3, 5]
    """
    while low < high:
        if low % 2:
            yield low
            low += 1
        if high % 2:
            high -= 1
            yield high
        low, high = low // 2, high // 2
