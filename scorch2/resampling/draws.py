"""Trials: documents drawn with replacement, or swapped between two systems, in blocks of bounded size."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorch2.resampling.sample import Floats

_BLOCK = 1 << 20
"""Most numbers in a block of trials × documents: 8 MiB."""
_TRIALS = 1 << 13
"""Most trials in a block: the scores of a block are Python objects for a while."""


def drawn_sums(matrix: "Floats", trials: int, seed: int) -> "Iterator[Floats]":
    """Yield the sums over documents drawn with replacement, in blocks of shape (some trials, columns)."""
    import numpy as np

    documents = len(matrix)
    random = np.random.default_rng(seed)
    for size in _blocks(trials, documents):
        drawn = random.integers(documents, size=(size, documents))
        drawn += np.arange(size)[:, None] * documents
        times = np.bincount(drawn.ravel(), minlength=size * documents).reshape(size, documents)
        yield times.astype(np.float64) @ matrix


def random_swaps(documents: int, trials: int, seed: int) -> "Iterator[Floats]":
    """Yield blocks of shape (some trials, documents): 1 where a document is swapped."""
    import numpy as np

    random = np.random.default_rng(seed)
    for size in _blocks(trials, documents):
        yield random.integers(2, size=(size, documents)).astype(np.float64)


def every_swap(documents: int) -> "Iterator[Floats]":
    """Yield all ways to swap, in blocks of shape (some ways, documents)."""
    import numpy as np

    first = 0
    for size in _blocks(1 << documents, documents):
        ways = np.arange(first, first + size)[:, None] >> np.arange(documents)
        yield (ways & 1).astype(np.float64)
        first += size


def _blocks(trials: int, documents: int) -> Iterator[int]:
    size = max(1, min(_TRIALS, _BLOCK // documents))
    for start in range(0, trials, size):
        yield min(size, trials - start)
