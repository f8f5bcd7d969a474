"""MUC with links worth what their mentions overlap: gold and system mentions align one to one, best first.

Formula     R = Σᵢⱼ cᵢⱼ / Σᵢ (|kᵢ| − 1), cᵢⱼ = w_max · (Σ w − w_max) over the mentions aligned between gold
            chain i and system chain j, w = overlap of a mention with its partner. P: swap sides.
Units       links; 0..1. With exact spans this is MUC.
Edge cases  no link on a side: 0/0, undefined.
Cost        O(n log n + E log E), E = overlapping pairs that are not exact.
Source      ARE 2007 task description; Vilain et al. 1995, MUC-6, pp. 45-52.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorch2.anaphora.overlap import longer, longest_of, overlapping, ratio_up_to
from scorch2.model.document import Span
from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.contingency import Partition


class Aligned(NamedTuple):
    """A gold and a system mention that stand for each other."""

    gold: Span
    system: Span
    shared: int
    longest: int

    @property
    def overlap(self) -> Fraction:
        """The overlap of the two, exact, above 0 and up to 1."""
        return Fraction(self.shared, self.longest)


class Alignment(NamedTuple):
    """The evidence of coreference over spans that need not be exact."""

    pairs: Sequence[Aligned]
    gold: Partition
    system: Partition


def align(gold: Collection[Span], system: Collection[Span]) -> list[Aligned]:
    """Return the alignment that takes the pair with the best overlap first, ties in the order of the text.

    Exact pairs come first in it, in any order.

    >>> align([(0, 10), (4, 10)], [(1, 10), (0, 3)])
    [Aligned(gold=(0, 10), system=(1, 10), shared=9, longest=10)]
    """
    exact = set(gold) & set(system)  # each of them is the best pair of both its ends
    left, right = sorted(set(gold) - exact), sorted(set(system) - exact)
    ratio = ratio_up_to(longest_of([*left, *right]))
    found = []
    for i, j, shared in overlapping(left, right):
        longest = longer(left[i], right[j])
        found.append((-ratio(shared, longest), i, j, shared, longest))
    found.sort()
    taken_left, taken_right = bytearray(len(left)), bytearray(len(right))
    pairs = [Aligned(span, span, 1, 1) for span in exact]
    for _, i, j, shared, longest in found:
        if not (taken_left[i] or taken_right[j]):
            taken_left[i] = taken_right[j] = True
            pairs.append(Aligned(left[i], right[j], shared, longest))
    return pairs


def count(found: Alignment) -> Tally:
    """Add up the worth of the links, exactly; the same number serves recall and precision."""
    cells = defaultdict(list)
    for pair in found.pairs:
        chains = found.gold.owner[pair.gold], found.system.owner[pair.system]
        cells[chains].append((pair.shared, pair.longest))
    ratio = ratio_up_to(max([pair.longest for pair in found.pairs], default=0))
    worth: defaultdict[int, int] = defaultdict(int)
    for weights in cells.values():
        best = max(weights, key=lambda weight: ratio(*weight))
        weights.remove(best)
        for shared, longest in weights:
            worth[best[1] * longest] += best[0] * shared
    links = exact_sum(worth)
    return Tally(
        links,
        sum(found.gold.sizes) - len(found.gold.sizes),
        links,
        sum(found.system.sizes) - len(found.system.sizes),
    )
