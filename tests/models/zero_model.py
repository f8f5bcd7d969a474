"""Zero anaphora again, as plainly as its definition can be written down: each zero by itself.

No code is shared with scorch2. A mention is any object; chains are in the order of the text, and no mention
is in two chains of a side.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeAlias

Chain: TypeAlias = Sequence[Hashable]


def antecedents(mention: Hashable, chains: Sequence[Chain]) -> Sequence[Hashable]:
    """Return the mentions before one in its chain: none if it is first, or in no chain."""
    for chain in chains:
        if mention in chain:
            return chain[: list(chain).index(mention)]
    return []


def counts(
    gold: Sequence[Chain],
    system: Sequence[Chain],
    gold_zeros: Collection[Hashable],
    system_zeros: Collection[Hashable],
    counterpart: Mapping[Hashable, Hashable],
) -> tuple[int, int, int, int]:
    """Return numerator and denominator of recall, and those of precision.

    Parameters
    ----------
    gold, system : sequence of chains
        The mentions that count.
    gold_zeros, system_zeros : collection of mentions
        Those whose head is an empty node.
    counterpart : mapping
        The system mention that a gold mention is taken for, if there is one.
    """
    resolved = [one for chain in gold for one in chain if one in gold_zeros and antecedents(one, gold)]
    claimed = [one for chain in system for one in chain if one in system_zeros and antecedents(one, system)]
    outcomes = [outcome(one, gold, system, counterpart) for one in resolved]
    looked_at = [counterpart.get(one) for one in resolved]
    right, wrong = outcomes.count("right"), outcomes.count("wrong link")
    invented = len([one for one in claimed if one not in looked_at])
    return right, len(resolved), right, right + wrong + invented


def outcome(
    zero: Hashable, gold: Sequence[Chain], system: Sequence[Chain], counterpart: Mapping[Hashable, Hashable]
) -> str:
    """Return what the system makes of a gold zero that has an antecedent."""
    image = counterpart.get(zero)
    if image is None or not antecedents(image, system):
        return "missed"
    home = next(chain for chain in system if image in chain)
    images = [counterpart.get(one) for one in antecedents(zero, gold)]
    return "right" if any(one in home for one in images if one is not None) else "wrong link"
