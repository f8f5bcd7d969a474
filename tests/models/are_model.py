"""ARE, word for word: exact fractions, every walk from its beginning, every table in full."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

Mention: TypeAlias = str | tuple[int, int]


class Side(NamedTuple):
    """The content of a file; the chains are given, or what the pairs connect."""

    chains: Sequence[Sequence[Mention]]
    pairs: Mapping[Mention, Mention | None]
    pronouns: frozenset[Mention] = frozenset()


def overlap(one: Mention, other: Mention) -> Fraction:
    """Compare by position, token by token; ids are the same or not."""
    if isinstance(one, str) or isinstance(other, str):
        return Fraction(one == other)
    here, there = set(range(*one)), set(range(*other))
    return Fraction(len(here & there), max(len(here), len(there)))


def match(gold: Side, pronoun: Mention, answer: Mention | None) -> tuple[Fraction, Mention] | None:
    """Return the member of the pronoun's chain that an answer stands for, and how well."""
    chain = next((members for members in gold.chains if pronoun in members), [])
    if answer is None or answer == pronoun:
        return None
    found = [
        (-overlap(answer, member), is_pronominal(gold, member), member)
        for member in chain
        if member != pronoun and overlap(answer, member)
    ]
    return (-min(found)[0], min(found)[2]) if found else None


def is_pronominal(gold: Side, mention: Mention) -> bool:
    return mention in gold.pairs or mention in gold.pronouns


def to_resolve(gold: Side) -> list[Mention]:
    if gold.pairs:
        return list(gold.pairs)
    return [
        mention
        for members in gold.chains
        if len(members) > 1
        for mention in members
        if is_pronominal(gold, mention)
    ]


def credit(gold: Side, system: Side, pronoun: Mention) -> tuple[Fraction, str]:  # noqa: PLR0911 - eight cases
    """Return what a pronoun earns and why: the rule with its eight cases, from the top."""
    answer = system.pairs.get(pronoun)
    if answer is None:
        return Fraction(0), "missing"
    if answer == pronoun:
        return Fraction(0), "self"
    first = match(gold, pronoun, answer)
    if first is None:
        return Fraction(0), "wrong"
    value, member = first
    if not is_pronominal(gold, member):
        return value, "nominal"
    seen = {pronoun}
    while True:
        if member in seen:
            return value / 2, "cycle"
        seen.add(member)
        answer = system.pairs.get(member)
        if answer is None:
            return value / 2, "dead-end"
        onward = match(gold, member, answer)
        if onward is None:
            return value / 2, "broken"
        member = onward[1]
        if not is_pronominal(gold, member):
            return value, "via-pronoun"


def pronouns(gold: Side, system: Side) -> tuple[Fraction, int, int]:
    """Return the sum of credits, the pronouns to resolve and the pairs with an antecedent."""
    asked = to_resolve(gold)
    earned = sum((credit(gold, system, pronoun)[0] for pronoun in asked), Fraction(0))
    return earned, len(asked), sum(answer is not None for answer in system.pairs.values())


def chains(gold: Side, system: Side) -> tuple[Fraction, int, int]:
    """Return what the common links are worth, and the links of gold and of the system."""
    partner = dict(alignment(gold, system))
    worth = Fraction(0)
    for here, there in product(gold.chains, system.chains):
        weights = [overlap(one, partner[one]) for one in here if partner.get(one) in there]
        if weights:
            worth += max(weights) * (sum(weights) - max(weights))
    links = [sum(len(members) - 1 for members in side.chains) for side in (gold, system)]
    return worth, links[0], links[1]


def alignment(gold: Side, system: Side) -> list[tuple[Mention, Mention]]:
    """Take the best pair whose ends are free, until there is none."""
    ends = [[mention for members in side.chains for mention in members] for side in (gold, system)]
    table = sorted((-overlap(one, other), one, other) for one, other in product(*ends) if overlap(one, other))
    taken: list[tuple[Mention, Mention]] = []
    for _, one, other in table:
        if all(one != here and other != there for here, there in taken):
            taken.append((one, other))
    return taken
