"""Windows: score long documents in pieces of so many tokens, each as a document of its own.

No link reaches out of a window, and no mention is lost: it belongs to the window of its first token.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from scorch2.analysis.dimensions import refuse_lacking
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.sides import LACKS
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.flow import CountAll


def windows_of(pair: MatchedPair, lengths: Sequence[int], count: CountAll) -> list[list[Measured]]:
    """Return the counts of the windows of a document with a mention on some side, for each of `lengths`.

    Raises
    ------
    InputError
        If the document has no tokens.
    """
    if lengths:
        refuse_lacking(pair, "tokens", "--window")
    return [
        [
            Measured(pair.id, sum(table.gold_sizes), sum(table.system_sizes), count.of_table(table))
            for table in _tables(pair, length)
        ]
        for length in lengths
    ]


def _tables(pair: MatchedPair, length: int) -> Iterator[Contingency]:
    """Yield the overlap counts of the windows in their order."""
    gold, system = pair.sides.gold, pair.sides.system
    of_gold, of_system = ([start // length for start, _ in pair.token_spans(side)] for side in (gold, system))
    gold_sizes = Counter(zip(of_gold, gold.entities, strict=True))
    system_sizes = Counter(zip(of_system, system.entities, strict=True))
    cells = Counter(
        cell for cell in zip(of_gold, gold.entities, gold.equal, strict=True) if cell[-1] != LACKS
    )
    numbers: dict[int, tuple[dict[int, int], dict[int, int]]] = {}
    sizes: dict[int, tuple[list[int], list[int]]] = {}
    for side, counter in enumerate((gold_sizes, system_sizes)):
        for (window, entity), size in counter.items():
            own = numbers.setdefault(window, ({}, {}))[side]
            own[entity] = len(own)
            sizes.setdefault(window, ([], []))[side].append(size)
    shared: dict[int, list[tuple[int, int, int]]] = {window: [] for window in sizes}
    for (window, left, right), n in cells.items():
        shared[window].append((numbers[window][0][left], numbers[window][1][right], n))
    for window in sorted(sizes):
        yield Contingency(shared[window], *sizes[window])
