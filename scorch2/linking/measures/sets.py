"""Measures of sets: which keys are on both sides.

Formula     R = |K(gold) ∩ K(system)| / |K(gold)|. P: over |K(system)|. With type weights and type in the key:
            Σ w(gold type, system type) over the mentions that match in the rest of the key / Σ w(t, t).
Units       distinct keys; 0..1. With weights every count is a float, the exact sum rounded once.
Edge cases  no key on a side: 0/0. Two mentions with one key count once; with weights they are refused.
Cost        O(mentions).
Source      Hachey et al. 2013, Evaluating entity linking with Wikipedia, Artificial Intelligence 194.
"""

import math
from collections.abc import Sequence

from scorch2.linking.evidence import Linking
from scorch2.linking.mentions import Mentions
from scorch2.model.errors import InputError
from scorch2.model.score import Tally


def count(linking: Linking, field: str, key: tuple[str, ...]) -> Tally:
    """Count the keys on either side and on both."""
    weights = linking.rules.weights
    if weights is not None and "type" in key:
        gold, system = linking.gold.kept(field), linking.system.kept(field)
        return _weighted(linking, gold, system, tuple(name for name in key if name != "type"))
    golds, systems = map(set, linking.keys(field, key))
    common: float = len(golds & systems)
    if weights is not None:
        return Tally(float(common), float(len(golds)), float(common), float(len(systems)))
    return Tally(common, len(golds), common, len(systems))


def _weighted(linking: Linking, gold: Mentions, system: Mentions, rest: tuple[str, ...]) -> Tally:
    weights = linking.rules.weights or {}

    def weight(one: object, other: object) -> float:
        return weights.get((one, other), float(one == other))

    golds, systems = _types(gold, rest), _types(system, rest)
    matched = golds.keys() & systems.keys()
    # exact sums: added one by one, a perfect system gets 1.0000000000000002
    common = math.fsum(weight(golds[value], systems[value]) for value in matched)
    gold_total, system_total = (
        math.fsum(weight(kind, kind) for kind in side.values()) for side in (golds, systems)
    )
    return Tally(common, gold_total, common, system_total)


def _types(side: Mentions, rest: tuple[str, ...]) -> dict[object, object]:
    """Return the type of each key; weights cannot choose between two."""
    keys = _keys(side, rest)
    found = dict(zip(keys, side.values("type"), strict=True))
    if len(found) < len(keys):
        first: dict[object, int] = {}
        again = next(i for i, value in enumerate(keys) if first.setdefault(value, i) != i)
        what = "+".join(rest) or "key without its type"
        why = f"the {what} of this mention is that of {side.place(first[keys[again]])[1]}"
        raise InputError(*side.place(again), f"{why}: type weights need one mention per key")
    return found


def _keys(side: Mentions, rest: tuple[str, ...]) -> Sequence[object]:
    return side.keys(rest) if rest else [()] * len(side)


AGGREGATORS = {"sets": count}
