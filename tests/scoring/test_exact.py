"""Promise R3: every count is the float nearest to the exact one, and every score agrees."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random

import pytest
from effort import share_of
from exact_comparison import COUNTED, differences, disagreements, random_pairs
from exact_model import MODELS, Clusters, best_alignment, best_by_enumeration, mentions_of

PAIRS = share_of(20_000)
"""`tests/campaigns/partitions.py` compares as many as are wanted."""
SHARES = 4
"""They are tested in so many parts, which run side by side."""
SEED = 2012


def test_every_metric_has_a_model() -> None:
    missing = sorted(set(COUNTED) - set(MODELS))
    assert missing == [], (
        "write its definition down in plain fractions: MODELS in tests/models/exact_model.py"
    )
    assert sorted(set(MODELS) - set(COUNTED)) == [], "this model is of no metric: take it out of MODELS"


@pytest.mark.parametrize("share", range(SHARES))
def test_counts_and_scores_are_exact_on_random_pairs(share: int) -> None:
    wrong = next(disagreements(PAIRS // SHARES, SEED + share), None)
    assert wrong is None, f"scorch2 and tests/models/exact_model.py differ; one of them is wrong. {wrong}"


def test_counts_and_scores_are_exact_on_all_pairs_of_partitions_of_up_to_four_mentions() -> None:
    partitions = [p for subset in subsets("abcd") for p in partitions_of(subset)]
    pairs = list(product(partitions, repeat=2))
    assert len(pairs) == 2704
    wrong = [line for gold, system in pairs for line in differences(gold, system)]
    assert wrong == [], "scorch2 and tests/models/exact_model.py differ; one of them is wrong"


def subsets(mentions: str) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(mentions, size) for size in range(len(mentions) + 1))


def partitions_of(mentions: Sequence[str]) -> Iterator[Clusters]:
    if not mentions:
        yield ()
        return
    first, *others = mentions
    for partition in partitions_of(others):
        yield (frozenset([first]), *partition)
        for number, cluster in enumerate(partition):
            yield (*partition[:number], cluster | {first}, *partition[number + 1 :])


def test_the_random_pairs_are_of_every_kind() -> None:
    kinds = Counter(kind for pair in random_pairs(2_000, SEED) for kind in kinds_of(*pair))
    assert all(count >= 10 for count in kinds.values()), kinds
    assert set(kinds) == {
        "empty", "same", "missing", "spurious", "gold singletons", "system singletons", "tied", "large",
    }  # fmt: skip


def kinds_of(gold: Clusters, system: Clusters) -> Iterator[str]:
    mine, theirs = mentions_of(gold), mentions_of(system)
    overlaps = [len(one & other) for one in gold for other in system]
    kinds = {
        "empty": not mine or not theirs,
        "same": bool(mine) and {frozenset(c) for c in gold} == {frozenset(c) for c in system},
        "missing": mine > theirs,
        "spurious": theirs > mine,
        "gold singletons": any(len(cluster) == 1 for cluster in gold),
        "system singletons": any(len(cluster) == 1 for cluster in system),
        "tied": any(count > 1 for overlap, count in Counter(overlaps).items() if overlap > 1),
        "large": len(mine) > 12,
    }
    return (kind for kind, found in kinds.items() if found)


def test_the_model_aligns_as_well_as_trying_every_permutation() -> None:
    random = Random(SEED)  # noqa: S311 - a sample, not a secret
    for _ in range(1_000):
        rows, columns = random.randint(0, 5), random.randint(0, 5)
        weights = [
            [Fraction(random.randint(0, 4), random.randint(1, 5)) for _ in range(columns)]
            for _ in range(rows)
        ]
        assert best_alignment(weights) == best_by_enumeration(weights)
