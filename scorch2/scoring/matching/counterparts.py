"""The mentions of the other side that mentions stand for, where they are looked up one by one."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scorch2.model.document import Mention
from scorch2.model.errors import Notice
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching import nearest, partners
from scorch2.scoring.matching.best_pairs import TooManyPairsError
from scorch2.scoring.matching.lookup_notices import mixed_up
from scorch2.scoring.matching.side import Side


class Counterparts(NamedTuple):
    """The mentions of the other side that mentions stand for."""

    of_gold: Mapping[Mention, Mention]
    of_system: Mapping[Mention, Mention]
    all_of_gold: Mapping[Mention, Collection[Mention]]
    """Every system mention that a gold mention could stand for."""
    notices: Sequence[Notice] = ()
    ways: Mapping[str, int] = {}
    """The number of pairs by what made them, if there are pairs."""


def counterparts(
    ident: str, sides: Sequence[Side], gold: Partition, system: Partition, options: Options
) -> Counterparts:
    """Return what the mentions of two partitions stand for, as ``--lookup`` asks."""
    if options.lookup == "nearest":
        return _nearest(sides, gold, system, options.match)
    pairs = partners.paired(sides, gold, system, options)
    notices = [*pairs.notices(ident), *mixed_up(ident, pairs)]
    return _images(pairs, gold, system)._replace(notices=notices, ways=pairs.ways(options.match))


def _images(pairs: partners.Pairs, gold: Partition, system: Partition) -> Counterparts:
    """Return what mentions stand for if pairs that are not equal are kept in one table for both sides.

    So the entries of a gold and a system mention that are equal overwrite each other.
    """
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    table = dict(unequal)
    table.update((other, one) for one, other in unequal)
    of_gold, of_system = (
        {one: image for one in here if (image := table.get(one, one)) in there}
        for here, there in ((gold.owner, system.owner), (system.owner, gold.owner))
    )
    return Counterparts(of_gold, of_system, {one: (image,) for one, image in of_gold.items()})


def _nearest(sides: Sequence[Side], gold: Partition, system: Partition, match: str) -> Counterparts:
    """Return what mentions stand for if each finds the nearest that matches it."""
    golds, systems = list(gold.owner), list(system.owner)
    if match == "exact":
        of_gold = {one: one for one in golds if one in system.owner}
        return Counterparts(of_gold, of_gold, {one: (one,) for one in of_gold})
    left, right = [sides[0].markable_of[one] for one in golds], [sides[1].markable_of[one] for one in systems]
    try:
        found = nearest.matching(left, right, match)
    except TooManyPairsError:
        raise partners.too_many_pairs(sides[0].document) from None
    by_gold: dict[int, list[tuple[int, float]]] = defaultdict(list)
    by_system: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for row, column, distance in found:
        by_gold[row].append((column, distance))
        by_system[column].append((row, distance))
    return Counterparts(
        {golds[row]: systems[nearest.nearest(right, near)] for row, near in by_gold.items()},
        {systems[column]: golds[nearest.nearest(left, near)] for column, near in by_system.items()},
        {golds[row]: [systems[column] for column, _ in near] for row, near in by_gold.items()},
    )
