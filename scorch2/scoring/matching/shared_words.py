"""Numbers of words that mentions of two sides have in common: of pairs that are asked for, or of all."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from scorch2.model.markables import Nodes, Run, Word, common_words, joined_runs
from scorch2.scoring.matching.best_pairs import refuse_many


def shared_words(
    gold: Mapping[int, Nodes], system: Mapping[int, Nodes], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the number of words that the mentions of each pair share, by their numbers.

    Only the borders of mentions are compared: where mentions are inside each other, all words of all pairs
    would be too many.
    """
    numbers = numbers_of_empty(chain(gold.values(), system.values()))
    rows, columns = (
        {number: (*runs_of_empty(nodes, numbers), *nodes.runs) for number, nodes in side.items()}
        for side in (gold, system)
    )
    return [common_words(rows[row], columns[column]) for row, column in pairs]


def numbers_of_empty(mentions: Iterable[Nodes]) -> Mapping[Word, int]:
    """Return a number for each empty node of some mentions, in the order of the text."""
    every = sorted({node for nodes in mentions for node in nodes.empty})
    return {node: number for number, node in enumerate(every)}


def runs_of_empty(nodes: Nodes, numbers: Mapping[Word, int]) -> tuple[Run, ...]:
    """Return empty nodes as if they were the words of a sentence before all others."""
    return joined_runs([(-1, numbers[node], numbers[node]) for node in nodes.empty])


def overlaps(gold: Sequence[Sequence[Run]], system: Sequence[Sequence[Run]]) -> list[tuple[int, int, int]]:
    """Return all pairs of mentions that share words, by their numbers, and how many they share.

    Raises
    ------
    TooManyPairsError
        If there is no room for all of them.
    """
    pieces = sorted(
        (*run, side, number)
        for side, mentions in enumerate((gold, system))
        for number, runs in enumerate(mentions)
        for run in runs
    )
    found: Counter[tuple[int, int]] = Counter()
    going_on: list[list[tuple[int, int, int]]] = [[], []]
    """For either side the pieces that may not have ended: sentence, end and mention."""
    for sentence, first, last, side, number in pieces:
        others = [one for one in going_on[1 - side] if one >= (sentence, first)]
        going_on[1 - side] = others
        going_on[side].append((sentence, last, number))
        for _, end, other in others:
            found[(other, number) if side else (number, other)] += min(end, last) - first + 1
        refuse_many(len(found), gold, system)
    return [(row, column, size) for (row, column), size in found.items()]
