"""Memory: how much is kept, and what numpy and scipy take, which may be missing."""

import sys

_MOST_KEPT, _MOST_EACH = 300_000, 20


def is_too_many(number: int, units: int) -> bool:
    """Return whether a number is above 300 000, and above 20 for each mention, word or line there is."""
    # So the time and the memory of a run grow with its input, whatever its shape
    return number > _MOST_KEPT and number > _MOST_EACH * units


_NUMPY = 160 << 20
"""Bytes of address space that numpy takes with one thread, its first product of matrices included."""
_SCIPY = 140 << 20  # the same for the graph algorithms of scipy, numpy not included


def load_numpy() -> None:
    """Import numpy and let it take the memory for products of matrices; a MemoryError if there is none."""
    if "numpy" in sys.modules:
        return
    _check_room(_NUMPY)
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))


def load_scipy_graphs() -> None:
    """Import the graph algorithms of scipy; a MemoryError if there is no room for them."""
    load_numpy()
    if "scipy.sparse.csgraph" not in sys.modules:
        _check_room(_SCIPY)
        import scipy.sparse.csgraph  # noqa: F401 - loaded for the caller


def _check_room(needed: int) -> None:
    """Raise a MemoryError if so many bytes cannot be reserved. They are given back untouched."""
    import mmap

    try:
        mmap.mmap(-1, needed).close()
    except (OSError, ValueError):
        raise MemoryError from None


_PACKAGES = {"numpy": "NumPy", "scipy": "SciPy", "tqdm": "tqdm"}


def name_of_package(module: str) -> str:
    """Return the name of the package of a module, of those that scores do without; empty for any other."""
    return _PACKAGES.get(module.partition(".")[0], "")
