"""Contrasts of two systems: the numbers of each, their differences, and the intervals of these."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from effort import share_of
from exact_model import MODELS
from span_clusters import TEXT, Clusters, about, random_clusters, random_pair

import scorch2
from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import KINDS
from scorch2.model.document import Document


def corpus(documents: list[Clusters]) -> list[Document]:
    return [
        Document(f"d{number}", {str(n): members for n, members in enumerate(clusters)}, sentences=[TEXT])
        for number, clusters in enumerate(documents)
    ]


def rows(report: ErrorReport) -> dict[tuple[str, str], Any]:
    return {(row.dimension, row.name): row for row in report.contrasts}


def random_systems(seed: str, number: int) -> tuple[list[Clusters], list[Clusters], list[Clusters]]:
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    pairs = [random_pair(random) for _ in range(number)]
    others = [
        random_clusters(random, sorted({mention for side in pair for its in side for mention in its}))
        for pair in pairs
    ]
    return [gold for gold, _ in pairs], [first for _, first in pairs], others


def test_numbers_are_those_of_either_system_alone() -> None:
    for seed in range(share_of(20)):
        gold, first, second = random_systems(f"contrasts {seed}", 3)
        chosen: Any = {"spans": "overlap", "gains": "none", "by": "size,sentences"}
        found = rows(scorch2.errors(corpus(gold), corpus(first), corpus(second), trials=20, **chosen))
        alone = [scorch2.errors(corpus(gold), corpus(system), **chosen) for system in (first, second)]
        for kind in KINDS:
            numbers = [report.errors[kind].errors for report in alone]
            row = found.get(("kind", kind))
            assert numbers == [0, 0] if row is None else [row.first, row.second] == numbers
        for dimension in ("size", "sentences"):
            for place, report in enumerate(alone):
                for its in report.breakdown[dimension]:
                    row = found.get((dimension, its.name))
                    if row is not None:
                        score = its.to_dict()["lea"]
                        assert row[2 + place] == pytest.approx(f1_of(score), abs=1e-12)


def f1_of(tally: dict[str, float]) -> float | None:
    """Return F1 from its counts; None for 0/0."""
    if not (tally["recall_den"] or tally["precision_den"]):
        return None
    parts = [
        tally[f"{part}_num"] / tally[f"{part}_den"] if tally[f"{part}_den"] else 0.0
        for part in ("recall", "precision")
    ]
    return 2 * parts[0] * parts[1] / sum(parts) if sum(parts) else 0.0


def test_classes_of_one_size_have_the_score_of_the_corpus() -> None:
    """All entities have two mentions on both sides, so a class is all there is: LEA by the exact model."""
    gold = [[[(0, 1), (2, 3)], [(4, 5), (6, 7)]], [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]]
    first = [[[(0, 1), (2, 3)], [(4, 5), (8, 9)]], [[(0, 1), (2, 3)], [(4, 5), (6, 7)]]]
    second = [[[(0, 1), (4, 5)], [(2, 3), (6, 7)]], [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]]
    report = scorch2.errors(corpus(gold), corpus(first), corpus(second), spans="none", confidence=95)

    def lea(system: list[Clusters], times: tuple[int, int]) -> Fraction:
        sides = [[tuple(map(frozenset, side[place])) for side in (gold, system)] for place in (0, 1)]
        parts = [next(iter(MODELS["lea"](*its).parts.values())) for its in sides]
        sums = [sum(n * part[i] for n, part in zip(times, parts, strict=True)) for i in range(4)]
        recall, precision = Fraction(sums[0], sums[1]), Fraction(sums[2], sums[3])
        return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)

    row = rows(report)["size", "2"]
    assert (row.first, row.second) == (pytest.approx(float(lea(first, (1, 1)))), float(lea(second, (1, 1))))
    ways = [float(lea(first, times) - lea(second, times)) for times in ((2, 0), (1, 1), (0, 2))]
    assert row.interval == pytest.approx((min(ways), max(ways)))
    assert (min(ways), max(ways), row.better) == (-1, 0.5, "")
    # The first makes two extra or missing errors in the first document, and conflates twice in the second
    assert rows(report)["kind", "extra_mention"][2:5] == (1, 0, (0, 2))


def test_the_better_system_is_that_of_fewer_errors_and_higher_scores() -> None:
    gold = 3 * [[[(0, 1), (2, 3), (4, 5)]]]
    worse = 3 * [[[(0, 1)], [(2, 3), (4, 5)]]]
    for systems, better in (((worse, gold), "second"), ((gold, worse), "first")):
        found = rows(scorch2.errors(corpus(gold), *map(corpus, systems), trials=50))
        assert found["kind", "divided"].better == found["size", "3\u20135"].better == better
    assert found["kind", "divided"].interval == (-3, -3)
    assert found["kind", "divided"].difference == -3


def test_a_system_differs_from_itself_in_nothing() -> None:
    gold, first, _ = random_systems("itself", 4)
    found = scorch2.errors(corpus(gold), corpus(first), corpus(first), trials=50)
    assert found.contrasts
    for row in found.contrasts:
        with about(gold[0], first[0]):
            assert row.first == row.second
            assert row.better == ""
            assert row.interval in {(0.0, 0.0), None}


def test_one_document_has_no_intervals() -> None:
    gold, first, second = random_systems("one", 1)
    found = scorch2.errors(corpus(gold), corpus(first), corpus(second))
    assert {(row.interval, row.better) for row in found.contrasts} == {(None, "")}
    assert "in brackets" not in str(found)
