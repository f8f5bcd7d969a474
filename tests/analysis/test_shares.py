"""Shares of kinds of errors: against all orders of correction of a slow model, and their laws."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from effort import share_of
from error_model import KINDS, Model
from exact_model import MODELS, conll
from span_clusters import Clusters, about, random_pair

import scorch2
from scorch2.analysis.error_report import AnalysisRequest
from scorch2.analysis.findings import analysed_outcomes
from scorch2.analysis.links import bits, subsets
from scorch2.model.document import Document
from scorch2.model.options import options_from
from scorch2.model.score import AVERAGES, main_part
from scorch2.scoring.flow import Scored
from scorch2.scoring.pairing.files import Pair

METRICS = ("muc", "b_cubed", "ceaf_e", "blanc", "lea", "mentions")
ADDED_UP = ("muc", "b_cubed", "ceaf_e", "lea")


def random_documents(seed: str, number: int) -> Iterator[tuple[Clusters, Clusters]]:
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    found = 0
    while found < number:
        gold, system = random_pair(random)
        if gold and system:
            found += 1
            yield gold, system


@pytest.mark.parametrize("metrics", [METRICS, ADDED_UP])
def test_every_set_of_corrections_is_counted_like_its_explicit_partition(metrics: tuple[str, ...]) -> None:
    """Connected parts of a document are counted apart where tallies add up, which those of BLANC do not."""
    chosen = options_from(metrics=metrics)
    for gold, system in random_documents("subsets", share_of(60)):
        documents = [
            Document("d", {str(n): members for n, members in enumerate(side)}, sentences=[14])
            for side in (gold, system)
        ]
        (scored,) = analysed_outcomes(
            [Pair("d", documents[0], documents[1])], chosen, AnalysisRequest(gains="shares")
        )
        assert isinstance(scored, Scored)
        model = Model(gold, system, lambda _, __: True)
        counted = scored.details.subsets
        assert {bit.bit_length() - 1 for bit in bits(counted.kinds)} == {
            place for place, kind in enumerate(KINDS) if model.errors[kind]
        }
        for subset in subsets(counted.kinds):
            right = tuple(map(frozenset, model.corrected({KINDS[b.bit_length() - 1] for b in bits(subset)})))
            after = counted.after(subset)
            assert after.system_mentions == sum(map(len, right))
            for name, tallies in zip(metrics, after.tallies, strict=True):
                exact = MODELS[name](tuple(map(frozenset, model.gold)), right)
                with about(gold, system):
                    assert [tuple(tally) for tally in tallies] == [
                        pytest.approx([float(number) for number in part]) for part in exact.parts.values()
                    ], (name, subset)


def score(model: Model, kinds: frozenset[str]) -> dict[str, Fraction | None]:
    """Return F1 after the corrections of `kinds`, exactly."""
    gold, system = (tuple(map(frozenset, side)) for side in (model.gold, model.corrected(kinds)))
    exact = {name: MODELS[name](gold, system) for name in ADDED_UP}
    found = {name: one.f1 for name, one in exact.items()}
    return {**found, "conll": conll(exact)}


def shares_by_all_orders(model: Model) -> dict[str, dict[str, Fraction | None]]:
    """Return the mean gain of each kind over all orders of correction."""
    present = [kind for kind in KINDS if model.errors[kind]]
    known: dict[frozenset[str], Mapping[str, Fraction | None]] = {}

    def scored(kinds: frozenset[str]) -> Mapping[str, Fraction | None]:
        return known.setdefault(kinds, known.get(kinds) or score(model, kinds))

    orders = list(permutations(present))
    gains: dict[str, dict[str, list[Fraction | None]]] = {
        kind: {name: [] for name in (*ADDED_UP, "conll")} for kind in KINDS
    }
    for order in orders:
        for place, kind in enumerate(order):
            before, after = scored(frozenset(order[:place])), scored(frozenset(order[: place + 1]))
            for name, gained in gains[kind].items():
                one, other = before[name], after[name]
                gained.append(None if one is None or other is None else other - one)
    undefined = {name for scores in known.values() for name, value in scores.items() if value is None}
    return {
        kind: {
            name: None
            if name in undefined
            else sum((g for g in gained if g is not None), Fraction()) / len(orders)
            for name, gained in by_metric.items()
        }
        for kind, by_metric in gains.items()
    }


def test_shares_are_the_mean_over_all_orders_of_correction() -> None:
    for gold, system in random_documents("orders", share_of(40)):
        found = scorch2.errors(gold, system, metrics=[*ADDED_UP, "conll"])
        expected = shares_by_all_orders(Model(gold, system, None))
        for kind, by_metric in expected.items():
            for name, share in by_metric.items():
                with about(gold, system):
                    assert found.shares[kind][name] == (
                        None if share is None else pytest.approx(float(share))
                    ), (kind, name)


@pytest.mark.parametrize("average", AVERAGES)
def test_shares_add_up_to_what_all_corrections_gain(average: Any) -> None:
    random = Random(average)  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(20)):
        pairs = [random_pair(random) for _ in range(5)]
        report = scorch2.errors(
            *(
                [
                    Document(f"d{n}", {str(c): m for c, m in enumerate(pair[side])})
                    for n, pair in enumerate(pairs)
                ]
                for side in (0, 1)
            ),
            average=average,
        )
        for name, score_ in report.report.scores.items():
            before, after = main_part(score_), main_part(report.corrected.in_order["missing_entity"][name])
            shares = [report.shares[kind][name] for kind in KINDS]
            if any(share is None for share in shares):
                continue
            assert sum(share or 0 for share in shares) == pytest.approx(after - before, abs=1e-12), name
            for kind in KINDS:
                if not report.errors[kind].errors:
                    assert report.shares[kind][name] == 0


def test_intervals_of_equal_documents_are_the_shares_themselves() -> None:
    gold, system = [[["a", "b", "c"], ["d", "e"], ["f"]], [["a", "b"], ["c", "d", "e", "x"]]]
    documents = [
        [Document(f"d{n}", {str(c): members for c, members in enumerate(side)}) for n in range(3)]
        for side in (gold, system)
    ]
    found = scorch2.errors(*documents, confidence=90, trials=50)
    assert found.gain_intervals is not None
    assert {kind for kind in KINDS if found.shares[kind]["conll"]} == {
        *("conflated", "divided", "extra_mention", "missing_entity")
    }
    for kind in KINDS:
        for name, share in found.shares[kind].items():
            assert found.gain_intervals.shares[kind][name] == pytest.approx((share, share), abs=1e-6)


def test_gains_in_order_are_told_without_shares_and_none_without_either() -> None:
    gold, system = [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]
    in_order = scorch2.errors(gold, system, gains="order")
    assert (in_order.shares, in_order.corrected.alone["conflated"]["muc"].f1) == ({}, 0.8)
    assert "shares" not in in_order.to_dict()
    without = scorch2.errors(gold, system, gains="none")
    assert without.errors == in_order.errors
    assert not {"shares", "corrected"} & without.to_dict().keys()
    assert "cost most" not in str(without)
    with pytest.raises(scorch2.UsageError, match="gains=none"):
        without.image("errors")
