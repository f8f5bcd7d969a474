"""Pairs of mentions again, as plainly as the rules can be written down: every pairing is tried.

No code is shared with scorch2. A node is ``(word, rank)``, rank 0 for a word; the text is one sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Node: TypeAlias = tuple[int, int]


class Plain(NamedTuple):
    """A mention."""

    pieces: tuple[tuple[Node, ...], ...]
    head: Node
    edges: frozenset[tuple[str, str]]
    """Governor and relation of the head if that is an empty node."""

    @property
    def nodes(self) -> frozenset[Node]:
        return frozenset(node for piece in self.pieces for node in piece)

    @property
    def place(self) -> tuple[Node, Node, int]:
        """The order of mentions: first node, last node, number of nodes."""
        return min(self.nodes), max(self.nodes), len(self.nodes)


Pairing: TypeAlias = Mapping[Plain, Plain]
Weight: TypeAlias = Callable[[Plain, Plain], Fraction | int]


def pairs(gold: Sequence[Plain], system: Sequence[Plain], match: str, zeros: str) -> Pairing | None:
    """Return the system mention of each gold mention that has one; None if several choices are best."""
    if zeros == "drop":
        gold, system = ([one for one in side if not one.head[1]] for side in (gold, system))
    found: dict[Plain, Plain] = {}

    def left() -> tuple[list[Plain], list[Plain]]:
        return (
            [one for one in gold if one not in found],
            [one for one in system if all(one is not other for other in found.values())],
        )

    if zeros == "dependency":
        golds, systems = ([one for one in side if one.head[1]] for side in left())
        best = heaviest(golds, systems, by_dependency)
        if best is None:
            return None
        found.update(best)
    golds, systems = left()
    found.update({one: other for one in golds for other in systems if equal(one, other, match)})
    if match == "craft":
        found.update(crafted(*left()))
    elif match != "exact":
        best = heaviest(*left(), by_head if match == "head" else by_part)
        if best is None:
            return None
        found.update(best)
    return found


def equal(one: Plain, other: Plain, match: str) -> bool:
    return one.nodes == other.nodes and (match != "head" or one.head == other.head)


def by_head(gold: Plain, system: Plain) -> Fraction:
    return Fraction(len(gold.nodes & system.nodes), len(gold.nodes)) * (gold.head == system.head)


def by_part(gold: Plain, system: Plain) -> Fraction:
    holds = gold.head in system.nodes and system.nodes <= gold.nodes
    return Fraction(len(system.nodes), len(gold.nodes)) * holds


def by_dependency(gold: Plain, system: Plain) -> Fraction:
    governors = ({governor for governor, _ in side.edges} for side in (gold, system))
    return 10 * f1(gold.edges, system.edges) + f1(*governors)


def f1(
    gold: set[str] | frozenset[tuple[str, str]], system: set[str] | frozenset[tuple[str, str]]
) -> Fraction:
    common = len(set(gold) & set(system))
    return Fraction(2 * common, len(gold) + len(system)) if common else Fraction(0)


def crafted(gold: Sequence[Plain], system: Sequence[Plain]) -> Pairing:
    """Return the pairs of the CRAFT task: zeros have none, and a gold mention is asked for once."""
    found: dict[Plain, Plain] = {}
    for other in sorted(system, key=lambda one: one.place):
        fitting = [
            one
            for one in sorted(gold, key=lambda one: one.place)
            if not (one.head[1] or other.head[1])
            and any(one.pieces[0][0] <= piece[0] and piece[-1] <= one.pieces[0][-1] for piece in other.pieces)
        ]
        if fitting and fitting[0] not in found:
            found[fitting[0]] = other
    return found


def heaviest(gold: Sequence[Plain], system: Sequence[Plain], weight: Weight) -> Pairing | None:
    """Return the pairing of the largest sum; None if there are several."""
    every: list[tuple[Fraction, dict[Plain, Plain]]] = [(Fraction(0), {})]
    for one in gold:
        for other in system:
            its = weight(one, other)
            every += [
                (total + its, {**pairing, one: other})
                for total, pairing in every
                if its and one not in pairing and all(other is not taken for taken in pairing.values())
            ]
    most = max(total for total, _ in every)
    best = [pairing for total, pairing in every if total == most]
    return best[0] if len(best) == 1 else None
