"""Tally, unreduced ratios that can be added over documents."""

import math
from collections.abc import Iterable
from typing import NamedTuple


class Tally(NamedTuple):
    """Recall and precision before the division.

    Adding tallies field by field pools documents. Counts are exact integers where the theory counts.
    """

    recall_num: float
    recall_den: float
    precision_num: float
    precision_den: float


def pooled(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of `tallies`; it does not depend on their order.

    >>> pooled([Tally(1, 2, 1, 1), Tally(0.5, 3, 0.5, 1)])
    Tally(recall_num=1.5, recall_den=5, precision_num=1.5, precision_den=2)
    """
    columns = list(zip(*tallies, strict=True)) or [(0,)] * 4
    return Tally(*(sum(c) if all(type(n) is int for n in c) else math.fsum(c) for c in columns))


def exact_sum(numerators: dict[int, int]) -> float:
    """Return Σ numerator/denominator, rounded once.

    Integers until the last division make it the same to the last bit for every order of the terms, and for
    every optimal alignment of CEAF.

    Parameters
    ----------
    numerators : dict from int to int
        The sum of the numerators over each (positive) denominator.

    Returns
    -------
    float
        The float nearest to the exact sum.

    >>> exact_sum({3: 5, 1: 1})
    2.6666666666666665
    """
    common = math.lcm(*numerators)
    total = 0
    for denominator, numerator in numerators.items():
        total += numerator * (common // denominator)
    return total / common


class Measured(NamedTuple):
    """The counts of one document: all that averages and reports need."""

    id: str
    gold_mentions: int
    """Number of gold mentions after matching: the weight of the document for recall."""
    system_mentions: int
    """Number of system mentions after matching: its weight for precision."""
    tallies: tuple[tuple[Tally, ...], ...]
    """The parts of each counted metric, in the order of the metrics."""
    file: str = ""
    """The name of its pair of files, if documents are averaged by file."""

    @property
    def fewer(self) -> int:
        """The number of mentions on the side that has fewer."""
        return min(self.gold_mentions, self.system_mentions)


def by_file(documents: Iterable[Measured]) -> list[Measured]:
    """Return the documents of each pair of files as one, with their counts added, in the order of the files.

    >>> [one.id for one in by_file([Measured("a/1", 2, 2, (), "a"), Measured("a/2", 1, 1, (), "a")])]
    ['a']
    """
    files: dict[str, list[Measured]] = {}
    for document in documents:
        files.setdefault(document.file or document.id, []).append(document)
    return [
        Measured(
            name,
            sum(one.gold_mentions for one in members),
            sum(one.system_mentions for one in members),
            tuple(
                tuple(map(pooled, zip(*parts, strict=True)))
                for parts in zip(*(one.tallies for one in members), strict=True)
            ),
            name,
        )
        for name, members in files.items()
    ]
