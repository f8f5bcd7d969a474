"""Pairs of mentions that may be the same, with their weights: by head, by part, as in CRAFT, and zeros."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeAlias

from scorch2.model.markables import Edge, Markable, Nodes, Run, Word, common_words, highest_nodes, joined_runs
from scorch2.scoring.matching.unequal.best import Weights, refuse_many


def shared_words(
    gold: Mapping[int, Nodes], system: Mapping[int, Nodes], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the number of words that the mentions of each pair share, by their numbers."""
    # Only the borders of mentions are compared: where mentions are inside each other, all words of all pairs
    # would be too many.
    numbers = numbers_of_empty(chain(gold.values(), system.values()))
    rows, columns = (
        {number: (*runs_of_empty(nodes, numbers), *nodes.runs) for number, nodes in side.items()}
        for side in (gold, system)
    )
    return [common_words(rows[row], columns[column]) for row, column in pairs]


def words_of(
    gold: Sequence[Markable], system: Sequence[Markable], pairs: Sequence[tuple[int, int]]
) -> tuple[dict[int, Nodes], dict[int, Nodes]]:
    """Return the words of the mentions in pairs, by their numbers; words of others are never looked for."""
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    return {row: gold[row].nodes for row in rows}, {column: system[column].nodes for column in columns}


def numbers_of_empty(mentions: Iterable[Nodes]) -> Mapping[Word, int]:
    """Return a number for each empty node of some mentions, in the order of the text."""
    every = sorted({node for nodes in mentions for node in nodes.empty})
    return {node: number for number, node in enumerate(every)}


def runs_of_empty(nodes: Nodes, numbers: Mapping[Word, int]) -> tuple[Run, ...]:
    """Return empty nodes as if they were the words of a sentence before all others."""
    return joined_runs([(-1, numbers[node], numbers[node]) for node in nodes.empty])


def overlaps(gold: Sequence[Sequence[Run]], system: Sequence[Sequence[Run]]) -> list[tuple[int, int, int]]:
    """Return all pairs of mentions that share words, by their numbers, and how many they share."""
    every = sorted(
        (*run, side, number)
        for side, mentions in enumerate((gold, system))
        for number, runs in enumerate(mentions)
        for run in runs
    )
    sizes: Counter[tuple[int, int]] = Counter()
    going_on: list[list[tuple[int, int, int]]] = [[], []]
    """For either side the runs that may not have ended: sentence, end and mention."""
    for sentence, first, last, side, number in every:
        others = [run for run in going_on[1 - side] if run >= (sentence, first)]
        going_on[1 - side] = others
        going_on[side].append((sentence, last, number))
        for _, end, other in others:
            sizes[(other, number) if side else (number, other)] += min(end, last) - first + 1
        refuse_many(len(sizes), gold, system)
    return [(row, column, size) for (row, column), size in sizes.items()]


def head_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs that have one head."""
    by_head: dict[Word, list[int]] = defaultdict(list)
    for number, mention in enumerate(system):
        by_head[mention.head].append(number)
    refuse_many(sum(len(by_head.get(mention.head, ())) for mention in gold), gold, system)
    pairs = [(row, column) for row, mention in enumerate(gold) for column in by_head.get(mention.head, ())]
    golds, systems = words_of(gold, system, pairs)
    shared = shared_words(golds, systems, pairs)
    sizes = {row: nodes.size for row, nodes in golds.items()}
    return {pair: number / sizes[pair[0]] for pair, number in zip(pairs, shared, strict=True)}


def part_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of which the system mention is a part of the gold mention."""
    pairs = []
    for pair in _between(gold, system):
        pairs.append(pair)
        refuse_many(len(pairs), gold, system)
    golds, systems = words_of(gold, system, pairs)
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
    golds, systems = ([mention.place[:2] for mention in side] for side in (gold, system))
    ends = sorted({last for _, last in systems})
    size = len(ends)
    rows: list[list[int]] = [[] for _ in range(2 * size)]  # Gold mentions at each node of the tree
    needed = ((row, mention.minimum) for row, mention in enumerate(gold))
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


def craft_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return pairs where a segment of the system's lies in the first one of gold's: CRAFT task of 2019.

    Each system mention, in the order of the text, asks for the first gold mention that fits, and gets none if
    that has a partner; zeros fit nothing. Gold is in order, too: the latest end up to each finds the first.
    """
    rows = [row for row, mention in enumerate(gold) if not mention.is_zero]
    segments = [gold[row].pieces[0] for row in rows]
    latest = list(accumulate((last for _, last in segments), max))
    partner: dict[int, int] = {}
    for column, mention in enumerate(system):
        if mention.is_zero:
            continue
        places = [bisect_left(latest, last) for _, last in mention.pieces]
        fitting = [
            place
            for place, (first, _) in zip(places, mention.pieces, strict=True)
            if place < len(segments) and segments[place][0] <= first
        ]
        if fitting:
            partner.setdefault(rows[min(fitting)], column)
    return dict.fromkeys(partner.items(), 1.0)


_EDGES = 10  # the weight of dependencies, beside which that of governors alone decides between equals
_Governor: TypeAlias = tuple[int, str]  # its sentence, and its name there


def zero_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of zeros of one sentence that share a governor."""
    golds, systems = ([(zero.head.sentence, zero.edges) for zero in side] for side in (gold, system))
    by_governor: dict[_Governor, list[int]] = defaultdict(list)
    for column, (sentence, edges) in enumerate(systems):
        for governor in _governors(edges):
            by_governor[sentence, governor].append(column)
    weights: dict[tuple[int, int], float] = {}
    for row, (sentence, own) in enumerate(golds):
        sharing = [
            column for governor in _governors(own) for column in by_governor.get((sentence, governor), ())
        ]
        refuse_many(len(weights) + len(sharing), gold, system)
        for column in sorted(set(sharing)):
            other = systems[column][1]
            weights[row, column] = _EDGES * _overlap(own, other) + _overlap(
                _governors(own), _governors(other)
            )
    return weights


def _governors(edges: Collection[Edge]) -> set[str]:
    return {governor for governor, _ in edges}


def _overlap(gold: Collection[object], system: Collection[object]) -> float:
    common = len(set(gold) & set(system))
    if not common:
        return 0.0
    recall, precision = common / len(gold), common / len(system)
    return 2 * precision * recall / (precision + recall)
