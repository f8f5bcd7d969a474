"""Count the links of BLANC on chains that may repeat mentions, without listing them.

Links are sets of pairs of mentions. A pair is coreferent if some chain holds both, and other if they occur in
two different chains: with repeats it may be of both kinds, and a mention may be paired with itself.

Cost    O(mentions); besides the pairs of those that several chains hold, a bit each.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce
from itertools import chain, product
from operator import or_
from typing import NamedTuple

from scorch2.conll_scorer.identification import Chains
from scorch2.model.score import Tally

_RARE = 64
"""Holders of an element that are few enough to be kept as a list, whatever the number of sets."""


class _Side(NamedTuple):
    """The mentions of one side by the chains that hold them."""

    only: Mapping[int, Hashable]
    """The chain of each mention that no other chain holds."""
    several: Mapping[int, AbstractSet[Hashable]]
    """The chains of each other mention."""
    twice: AbstractSet[int]
    """Mentions that occur more than once in one chain."""

    def chains(self, mention: int) -> Collection[Hashable]:
        """Return the chains that hold a mention, none if the side lacks it."""
        return [self.only[mention]] if mention in self.only else self.several.get(mention, ())


def coreferent_links(chains: Chains) -> Tally:
    """Count the pairs of mentions that one chain holds."""
    key, response = _side(chains.key), _side(chains.response)
    right = _inside(_joint(key, response))
    return Tally(right, _inside(key), right, _inside(response))


def other_links(chains: Chains) -> Tally:
    """Count the pairs of mentions that occur in two different chains."""
    key, response = _side(chains.key), _side(chains.response)
    both = _joint(key, response)
    together_in_key = _pairs_of_equals(one for m, one in key.only.items() if response.chains(m))
    together_in_response = _pairs_of_equals(one for m, one in response.only.items() if key.chains(m))
    right = _pairs(len(both.only) + len(both.several)) + _pairs_of_equals(both.only.values())
    right += len(key.several.keys() & response.several.keys()) - together_in_key - together_in_response
    return Tally(right, _between(key), right, _between(response))


def _side(chains: Sequence[Sequence[int]]) -> _Side:
    only: dict[int, Hashable] = {}
    several: dict[int, set[Hashable]] = {}
    twice: set[int] = set()
    for number, members in enumerate(chains):
        distinct = set(members)
        if len(distinct) < len(members):
            twice.update(mention for mention, times in Counter(members).items() if times > 1)
        for mention in distinct:
            if mention in several:
                several[mention].add(number)
            elif mention in only:
                several[mention] = {only.pop(mention), number}
            else:
                only[mention] = number
    return _Side(only, several, twice)


def _joint(key: _Side, response: _Side) -> _Side:
    """Return the common mentions by the pairs of a key and a response chain that hold them.

    Two of them share such a pair if they share a chain on both sides.
    """
    only = {m: (one, response.only[m]) for m, one in key.only.items() if m in response.only}
    several: dict[int, AbstractSet[Hashable]] = {}
    for m in chain(key.only, key.several):
        held = response.chains(m)
        if held and m not in only:
            several[m] = set(product(key.chains(m), held))
    return _Side(only, several, key.twice & response.twice)


def _inside(side: _Side) -> int:
    """Count the pairs of mentions that share a chain, and those of a mention with itself."""
    alone = Counter(side.only.values())
    mixed = sum(alone[one] for held in side.several.values() for one in held)
    return sum(map(_pairs, alone.values())) + mixed + _meeting(list(side.several.values())) + len(side.twice)


def _between(side: _Side) -> int:
    """Count the pairs but those of two mentions whose only chain is the same; and those with itself."""
    mentions = len(side.only) + len(side.several)
    return _pairs(mentions) - _pairs_of_equals(side.only.values()) + len(side.several)


def _pairs_of_equals(labels: Iterable[Hashable]) -> int:
    return sum(map(_pairs, Counter(labels).values()))


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


def _meeting(sets: Sequence[Collection[Hashable]]) -> int:
    """Count the pairs of sets that have an element in common.

    The sets that hold a frequent element are the bits of an integer, which takes up to 64 of them at a time.
    """
    holders: dict[Hashable, list[int]] = {}
    for number, elements in enumerate(sets):
        for element in elements:
            holders.setdefault(element, []).append(number)
    few = max(_RARE, len(sets) // 256)  # so that the integers take no more than some bytes per element
    frequent = {element: _bits(numbers) for element, numbers in holders.items() if len(numbers) > few}
    rare = {element: numbers for element, numbers in holders.items() if 1 < len(numbers) <= few}
    met = 0
    for number, elements in enumerate(sets):
        near = {number}.union(*(rare[element] for element in elements if element in rare))
        found = [frequent[element] for element in elements if element in frequent]
        met += reduce(or_, found, _bits(near)).bit_count() if found else len(near)
    return (met - len(sets)) // 2  # each pair was met twice, and each set met itself


def _bits(numbers: Iterable[int]) -> int:
    """Return the integer in which the bits of these numbers are set."""
    field = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        field[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(field, "little")
