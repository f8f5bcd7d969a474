"""The key under which JSON of a neural system holds the clusters that are meant.

Systems write predictions beside the gold clusters of their input. So the side decides, unless a key is typed.
"""

from typing import TypeAlias

from scorch2.model.errors import InputError, quoted

Keys: TypeAlias = tuple[str, ...]
"""Keys in the order of preference. A single one was typed and must be there; none at all says nothing."""

GOLD: Keys = ("clusters", "predicted_clusters")
SYSTEM: Keys = ("predicted_clusters", "clusters")


def gold_keys(typed: str | None = None) -> Keys:
    """Return the keys to look for on the gold side: `typed` alone if it is given."""
    return GOLD if typed is None else (typed,)


def system_keys(typed: str | None = None) -> Keys:
    """Return the keys to look for on the system side: `typed` alone if it is given."""
    return SYSTEM if typed is None else (typed,)


def refuse_typed(keys: Keys, path: str, what: str) -> None:
    """Raise an InputError if a key was typed for a file in which there is nothing to choose."""
    if len(keys) == 1:
        why = f"the key {quoted(keys[0])} was asked for, but {what} has only one set of clusters"
        raise InputError(path, "", why)
