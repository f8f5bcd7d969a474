"""Load numpy and scipy only if there is room in memory for them.

Their linear algebra, OpenBLAS, ends the process with status 1 if it gets no memory. In continuous integration
that status means that a gate failed.
"""

import os
import sys

_NUMPY = 160 << 20
"""Bytes of address space that numpy takes with one thread, its first product of matrices included."""
_SCIPY = 140 << 20
"""The same for the graph algorithms of scipy, numpy not included."""


def one_thread() -> None:
    """Have OpenBLAS start a single thread, unless the environment says otherwise.

    Each thread takes 40 MB of address space, and the matrices here are too small to gain from a second one.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def load_numpy() -> None:
    """Import numpy and let it take the memory for products of matrices.

    Raises
    ------
    MemoryError
        If there is no room for it.
    """
    if "numpy" in sys.modules:
        return
    _check(_NUMPY)
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))


def load_scipy_graphs() -> None:
    """Import the graph algorithms of scipy.

    Raises
    ------
    MemoryError
        If there is no room for them.
    """
    load_numpy()
    if "scipy.sparse.csgraph" not in sys.modules:
        _check(_SCIPY)
        import scipy.sparse.csgraph  # noqa: F401 - loaded for the caller


def _check(needed: int) -> None:
    """Raise a MemoryError if so many bytes cannot be reserved. They are given back untouched."""
    import mmap

    try:
        mmap.mmap(-1, needed).close()
    except (OSError, ValueError):
        raise MemoryError from None
