"""System mentions of which a piece lies in the first piece of a gold mention, as in the CRAFT task of 2019.

Each system mention, in the order of the text, asks for the first gold mention that fits. If that one has a
partner already, the system mention gets none.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from scorch2.model.markables import Markable
from scorch2.scoring.matching.best_pairs import Weights


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the pairs, each of one weight; both sides are in the order of the text. Zeros fit nothing.

    The gold mentions are sorted by their first words, so the first one that ends late enough is found by the
    latest end up to each.
    """
    rows = [row for row, mention in enumerate(gold) if not mention.is_zero]
    pieces = [gold[row].pieces[0] for row in rows]
    latest = list(accumulate((last for _, last in pieces), max))
    found: dict[tuple[int, int], float] = {}
    taken: set[int] = set()
    for column, mention in enumerate(system):
        if mention.is_zero:
            continue
        places = [bisect_left(latest, last) for _, last in mention.pieces]
        fitting = [
            place
            for place, (first, _) in zip(places, mention.pieces, strict=True)
            if place < len(pieces) and pieces[place][0] <= first
        ]
        row = rows[min(fitting)] if fitting else -1
        if row >= 0 and row not in taken:
            taken.add(row)
            found[row, column] = 1.0
    return found
