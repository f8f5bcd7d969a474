"""Matchers again, as plainly as their rules can be written down: every pair is looked at.

A mention is a list of pieces ``(first, last)`` of word numbers. Used by `tests/scoring/test_matchers.py`.
"""

from collections.abc import Sequence

Pieces = Sequence[tuple[int, int]]


def craft(gold: Sequence[Pieces], system: Sequence[Pieces]) -> list[tuple[int, int]]:
    """Return the pairs of the CRAFT task of 2019, both sides in the order of the text."""
    pairs: list[tuple[int, int]] = []
    for number, response in enumerate(system):
        for row, key in enumerate(gold):
            begin, end = key[0]
            if any(begin <= first and last <= end for first, last in response):
                if all(row != other for other, _ in pairs):
                    pairs.append((row, number))
                break
    return pairs
