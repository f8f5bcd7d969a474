"""Compare all pairs of systems by permutation, and correct p-values for the number of pairs."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from scorch2.model.results import Difference
from scorch2.resampling.permutation import holm, paired, permutation, permutations
from scorch2.resampling.provenance import Facts, facts
from scorch2.scoring.report import Report


class Compared(NamedTuple):
    """Two systems, and their differences by metric and part."""

    one: str
    other: str
    differences: Mapping[str, Mapping[str, Difference]]
    facts: Facts
    """The choices and numbers behind the p-values."""


def compare(
    reports: Mapping[str, Report], trials: int, seed: int, *, two_sided: bool = True, correct: bool = False
) -> list[Compared]:
    """Return the comparison of every pair of `reports`, in their order.

    The reports must be comparable: see `scorch2.gate.comparable.reason_against`.
    """
    compared = []
    for (one, first), (other, second) in combinations(reports.items(), 2):
        pair = paired(first, second)
        found = permutation(pair, trials, seed, two_sided=two_sided)
        number, exact = permutations(len(pair.one.documents), trials)
        made = facts(
            pair.one,
            side="two-sided" if two_sided else "one-sided",
            permutations=number,
            exact="yes" if exact else "no",
            seed=seed,
        )
        compared.append(Compared(one, other, found, made))
    return _corrected(compared) if correct else compared


def _corrected(compared: Sequence[Compared]) -> list[Compared]:
    """Correct each score's p-values over the pairs after Holm; a pair without one is no comparison."""
    scores = [(name, part) for name, parts in compared[0].differences.items() for part in parts]
    by_score = {
        (name, part): _holm_by_place([pair.differences[name][part].p for pair in compared])
        for name, part in scores
    }
    return [
        pair._replace(
            differences={
                name: {
                    part: found._replace(corrected=by_score[name, part].get(place))
                    for part, found in parts.items()
                }
                for name, parts in pair.differences.items()
            }
        )
        for place, pair in enumerate(compared)
    ]


def _holm_by_place(p_values: Sequence[float | None]) -> dict[int, float]:
    """Return the corrected p-values of those that are there, by their place."""
    there = {place: p for place, p in enumerate(p_values) if p is not None}
    return dict(zip(there, holm(list(there.values())), strict=True))
