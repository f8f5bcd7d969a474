"""Agreement of two annotators, written down a second time: all pairs of values and all pairs of units.

No code is shared with scorch2. A document is the clusters of both annotators; what is 0/0 is None.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from typing import TypeAlias

Clusters: TypeAlias = Sequence[Sequence[Hashable]]
Distance: TypeAlias = Callable[[AbstractSet[Hashable], AbstractSet[Hashable]], Fraction]


def passonneau(one: AbstractSet[Hashable], other: AbstractSet[Hashable]) -> Fraction:
    if one == other:
        return Fraction(0)
    if one <= other or one >= other:
        return Fraction(1, 3)
    return Fraction(2, 3) if one & other else Fraction(1)


def masi(one: AbstractSet[Hashable], other: AbstractSet[Hashable]) -> Fraction:
    return 1 - Fraction(len(one & other), len(one | other)) * (1 - passonneau(one, other))


def values(clusters: Clusters, units: AbstractSet[Hashable]) -> dict[Hashable, frozenset[Hashable]]:
    """Return the set of units in the entity of each unit; one that is in no entity is alone."""
    found = {unit: frozenset([unit]) for unit in units}
    for cluster in clusters:
        found.update({unit: frozenset(cluster) & units for unit in cluster if unit in units})
    return found


def both(one: Clusters, other: Clusters, which: str) -> list[dict[Hashable, frozenset[Hashable]]]:
    marked = [{mention for cluster in side for mention in cluster} for side in (one, other)]
    units = marked[0] & marked[1] if which == "shared" else marked[0] | marked[1]
    return [values(side, units) for side in (one, other)]


def alpha(documents: Iterable[tuple[Clusters, Clusters]], which: str, distance: Distance) -> Fraction | None:
    observed = expected = Fraction(0)
    units = pairs = 0
    for one, other in documents:
        mine, theirs = both(one, other, which)
        observed += sum((distance(mine[unit], theirs[unit]) for unit in mine), Fraction(0))
        units += len(mine)
        for left, right in permutations([*mine.values(), *theirs.values()], 2):
            expected += distance(left, right)
            pairs += 1
    if not units:
        return None
    return 1 - (observed / units) / (expected / pairs) if expected else Fraction(1)


def kappa(documents: Iterable[tuple[Clusters, Clusters]], which: str) -> Fraction | None:
    """Return Cohen's kappa by observed and expected agreement on the pairs of units."""
    agreed = ones = others = total = 0
    for one, other in documents:
        mine, theirs = both(one, other, which)
        for left, right in combinations(mine, 2):
            linked = left in mine[right], left in theirs[right]
            agreed += linked[0] == linked[1]
            ones += linked[0]
            others += linked[1]
            total += 1
    if not total:
        return None
    shares = Fraction(ones, total), Fraction(others, total)
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return (Fraction(agreed, total) - chance) / (1 - chance) if chance != 1 else None


def nominal(pairs: Sequence[tuple[str, str]]) -> Fraction | None:
    """Return alpha of the categories of units, a pair of categories for each."""
    if not pairs:
        return None
    pooled = [category for pair in pairs for category in pair]
    unequal = [left != right for left, right in permutations(pooled, 2)]
    expected = Fraction(sum(unequal), len(unequal))
    return (
        1 - Fraction(sum(one != other for one, other in pairs), len(pairs)) / expected
        if expected
        else Fraction(1)
    )


Documents: TypeAlias = Iterable[tuple[Clusters, Clusters]]
MODELS: Mapping[str, Callable[[Documents, str], Fraction | None]] = {
    "alpha": partial(alpha, distance=passonneau),
    "alpha_masi": partial(alpha, distance=masi),
    "kappa": kappa,
}
"""The models by the name of their coefficient, but for that of categories, which is `nominal`."""
