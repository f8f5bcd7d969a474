"""System mentions inside a gold mention that hold its minimum (its head), weighed by their share."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from scorch2.model.markables import Markable, highest_nodes
from scorch2.scoring.matching.best_pairs import Weights, refuse_many
from scorch2.scoring.matching.shared_words import shared_words


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of which the system mention is a part of the gold mention."""
    pairs = []
    for pair in _between(gold, system):
        pairs.append(pair)
        refuse_many(len(pairs), gold, system)
    golds = {row: gold[row].nodes for row in {row for row, _ in pairs}}
    systems = {column: system[column].nodes for column in {column for _, column in pairs}}
    minimum = {row: gold[row].minimum for row in golds}
    shared, held = shared_words(golds, systems, pairs), shared_words(minimum, systems, pairs)
    sizes, parts, needed = (
        {number: nodes.size for number, nodes in side.items()} for side in (golds, systems, minimum)
    )
    return {
        (row, column): inside / sizes[row]
        for (row, column), inside, own in zip(pairs, shared, held, strict=True)
        if inside == parts[column] and own == needed[row]
    }


def _between(gold: Sequence[Markable], system: Sequence[Markable]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of which the system mention lies between the borders of gold and those of its minimum.

    A look at each pair would take time in the square of the mentions. Instead, system mentions come as they
    begin, and a gold mention is a candidate from where it begins until its minimum does. It is kept in a
    segment tree over the ends of system mentions (`scorch2.model.markables`), at the highest nodes below
    which all ends fit. So the gold mentions that an end fits are all on the way from that end to the top.
    """
    golds, systems = ([one.place[:2] for one in side] for side in (gold, system))
    ends = sorted({last for _, last in systems})
    size = len(ends)
    rows: list[list[int]] = [[] for _ in range(2 * size)]
    """Gold mentions at each node of the tree."""
    needed = ((row, one.minimum) for row, one in enumerate(gold))
    minimum = {row: (words.first, words.last) for row, words in needed if words.size}
    waiting = sorted(minimum, key=golds.__getitem__, reverse=True)
    for begin, last, column in sorted((*borders, column) for column, borders in enumerate(systems)):
        while waiting and golds[waiting[-1]][0] <= begin:
            row = waiting.pop()
            low, high = bisect_left(ends, minimum[row][1]), bisect_right(ends, golds[row][1])
            for node in highest_nodes(size + low, size + high):
                rows[node].append(row)
        node = size + bisect_left(ends, last)
        while node:
            rows[node] = [row for row in rows[node] if minimum[row][0] >= begin]
            yield from ((row, column) for row in rows[node])
            node //= 2
