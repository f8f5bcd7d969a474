"""A tree of types to type weights: what an answer that is more general than gold is worth."""

from collections.abc import Mapping, Sequence

from scorch2.errors import InputError
from scorch2.messages import quoted


def weights(children: Mapping[str, Sequence[str]], decay: float, path: str) -> list[tuple[str, str, float]]:
    """Return (type, ancestor, weight) for every type and each of its ancestors, sorted.

    An ancestor ``k`` steps away, on the shortest way, weighs ``decay ** k``.

    Raises
    ------
    InputError
        For a type that is its own ancestor.
    """
    parents: dict[str, list[str]] = {}
    for parent, below in children.items():
        for child in below:
            parents.setdefault(child, []).append(parent)
    found = []
    for kind, direct in parents.items():
        steps: dict[str, int] = {}
        level, distance = direct, 1
        while level:
            steps |= {one: distance for one in level if one not in steps}
            level = [above for one in level for above in parents.get(one, ()) if above not in steps]
            distance += 1
        if kind in steps:
            raise InputError(path, "$", f"{quoted(kind)} is an ancestor of itself")
        found += [(kind, ancestor, decay**k) for ancestor, k in steps.items()]
    return sorted(found)
