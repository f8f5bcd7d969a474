"""A tree of types to type weights: what an answer that is more general than gold is worth."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from scorch2.formats.json.strict import parse
from scorch2.linking.converters.rows import cell
from scorch2.model.errors import InputError, json_place, quoted


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
            above = dict.fromkeys(chain.from_iterable(parents.get(one, ()) for one in level))
            level = [one for one in above if one not in steps]
            distance += 1
        if kind in steps:
            raise InputError(path, "$", f"{quoted(kind)} is an ancestor of itself")
        found += [(kind, ancestor, decay**k) for ancestor, k in steps.items()]
    return sorted(found)


def tree(text: str, path: str) -> Mapping[str, Sequence[str]]:
    """Return the types below each type in JSON: ``{"parent": ["child", ...], ...}``.

    Raises
    ------
    InputError
        For what is no such object, with its place.
    """
    value: Any = parse(text, path)
    if not isinstance(value, dict):
        raise InputError(path, "$", "should be an object from types to lists of types")
    for parent, children in value.items():
        place = json_place("$", parent)
        if not isinstance(children, list) or not all(isinstance(child, str) for child in children):
            raise InputError(path, place, "should be a list of types")
        for kind in (parent, *children):
            if not cell(kind, "type", path, place):
                raise InputError(path, place, "a type is empty")
    return value


def as_text(rows: Sequence[tuple[str, str, float]], *, ancestor_first: bool = False) -> str:
    """Return lines of gold type, system type and weight; gold is the ancestor if that comes first."""
    pairs = [
        (above, kind, weight) if ancestor_first else (kind, above, weight) for kind, above, weight in rows
    ]
    return "".join(f"{gold}\t{system}\t{weight:.6f}\n" for gold, system, weight in sorted(pairs))
