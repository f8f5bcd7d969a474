"""Overlap counts are the sizes of the intersections of two partitions, whatever their clusters are like."""

from hypothesis import given
from hypothesis import strategies as st

from scorch2.scoring.contingency import Partition, count_overlaps

OWNERS = st.dictionaries(st.integers(0, 9), st.integers(0, 4), max_size=9)
ALONE = st.lists(st.integers(0, 9), unique=True, max_size=9).map(lambda ids: dict(zip(ids, ids, strict=True)))


def partition(owners: dict[int, int]) -> tuple[Partition, list[set[int]]]:
    """Return a partition, and its clusters as sets."""
    numbers = sorted(set(owners.values()))
    clusters = [{mention for mention in owners if owners[mention] == number} for number in numbers]
    sizes = list(map(len, clusters))
    return Partition({mention: numbers.index(owners[mention]) for mention in owners}, sizes), clusters


@given(gold=OWNERS | ALONE, system=OWNERS | ALONE)
def test_cells_are_intersections(gold: dict[int, int], system: dict[int, int]) -> None:
    (left, rows), (right, columns) = partition(gold), partition(system)
    table = count_overlaps(left, right)
    shared = [(g, s, len(one & other)) for g, one in enumerate(rows) for s, other in enumerate(columns)]
    assert sorted(table.cells) == [cell for cell in shared if cell[2]]
    assert (table.gold_sizes, table.system_sizes) == (left.sizes, right.sizes)
