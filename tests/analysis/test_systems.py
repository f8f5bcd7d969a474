"""Systems side by side: which is the best, and which differences are tested how."""

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.analysis.paired_tests import compare_pairs
from scorch2.analysis.systems import Comparison, columns_of, letters_of
from scorch2.analysis.uncertainty import side_by_side
from scorch2.model.score import Sampling

Document = list[list[str]]
CHAIN: Document = [["a", "b", "c", "d"]]
FOUND: dict[int, Document] = {
    0: [["a"], ["b"], ["c"], ["d"]],
    1: [["a", "b"], ["c"], ["d"]],
    2: [["a", "b", "c"], ["d"]],
    3: CHAIN,
}
"""Outputs that find so many of the three links of `CHAIN`, and no wrong one."""


def scored(links: Sequence[int], *metrics: str) -> scorch2.Report:
    """Return the report of a system that finds so many links in each document."""
    scorer = scorch2.CorefScorer(metrics=metrics or ("muc",), average="pooled")
    for number, found in enumerate(links):
        scorer.update(gold=CHAIN, system=FOUND[found], id=f"d{number}")
    return scorer.compute()


def exact_p(one: Sequence[int], other: Sequence[int]) -> Fraction:
    """Return the share of all swaps that make a difference of recall as large, by trying all of them."""

    def difference(swap: Sequence[bool]) -> int:
        pairs = zip(one, other, swap, strict=True)
        return sum((b - a) if swapped else (a - b) for a, b, swapped in pairs)

    swaps = list(itertools.product((False, True), repeat=len(one)))
    observed = abs(difference(swaps[0]))
    return Fraction(sum(abs(difference(swap)) >= observed for swap in swaps), len(swaps))


LOW, MIDDLE, HIGH = [0, 1, 1, 0, 1, 0, 1, 1], [1, 1, 2, 0, 1, 1, 2, 0], [3, 3, 2, 2, 3, 3, 2, 3]
SYSTEMS = {"low": scored(LOW), "middle": scored(MIDDLE), "high": scored(HIGH)}
RECALL = ("muc", "recall")


Found = dict[tuple[str, str], tuple[str, float | None, float | None]]
"""The other system, p, and p after Holm, by metric and part."""


def p_values(compared: Comparison, name: str) -> Found:
    (system,) = [one for one in compared.systems if one.name == name]
    return {place: (test.against, test.found.p, test.found.corrected) for place, test in system.tests.items()}


def test_every_system_is_tested_against_the_first_with_all_swaps() -> None:
    compared = side_by_side(SYSTEMS, parts=["recall"])
    middle, high = exact_p(LOW, MIDDLE), exact_p(LOW, HIGH)
    assert high < middle
    assert p_values(compared, "low") == {}
    assert p_values(compared, "middle") == {RECALL: ("low", float(middle), float(middle))}
    assert p_values(compared, "high") == {RECALL: ("low", float(high), float(2 * high))}
    assert compared.run["permutations"] == 2**8
    assert compared.run["exact"] == "yes"


def test_every_system_is_tested_against_the_best() -> None:
    compared = side_by_side(SYSTEMS, parts=["recall"], against="best")
    low, middle = exact_p(LOW, HIGH), exact_p(MIDDLE, HIGH)
    assert p_values(compared, "high") == {}
    smaller, larger = sorted([low, middle])
    holm = {smaller: 2 * smaller, larger: max(2 * smaller, larger)}
    assert p_values(compared, "low") == {RECALL: ("high", float(low), float(holm[low]))}
    assert p_values(compared, "middle") == {RECALL: ("high", float(middle), float(holm[middle]))}


def test_differences_are_of_the_system_minus_the_other() -> None:
    compared = side_by_side(SYSTEMS, parts=["recall"])
    by_name = {one.name: one for one in compared.systems}
    total = 3 * len(LOW)
    for name, links in (("middle", MIDDLE), ("high", HIGH)):
        found = by_name[name].tests[RECALL].found
        assert found.difference == pytest.approx((sum(links) - sum(LOW)) / total, abs=1e-15)


def test_each_column_has_its_own_best() -> None:
    careful = scorch2.score([["a", "b", "c"]], [["a", "b"]], metrics=["muc"])  # R 1/2, P 1
    eager = scorch2.score([["a", "b", "c"]], [["a", "b", "c", "d"]], metrics=["muc"])  # R 1, P 2/3
    compared = side_by_side(
        {"careful": careful, "eager": eager}, parts=["recall", "precision"], against="best"
    )
    best = {
        column.part: [one.name for one in compared.systems if compared.is_best(one, column)]
        for column in compared.columns
    }
    assert best == {"recall": ["eager"], "precision": ["careful"]}
    assert {place[1]: test[0] for place, test in p_values(compared, "careful").items()} == {"recall": "eager"}
    assert {place[1]: test[0] for place, test in p_values(compared, "eager").items()} == {
        "precision": "careful"
    }


def test_equal_scores_are_all_the_best_and_do_not_differ() -> None:
    compared = side_by_side({"one": scored(HIGH), "two": scored(HIGH[::-1])}, parts=["recall"])
    assert compared.to_dict()["best"] == {"muc": {"recall": ["one", "two"]}}
    assert p_values(compared, "two")[RECALL][1] == 1.0


def test_only_small_corrected_p_is_significant() -> None:
    p = exact_p(LOW, HIGH)
    for alpha, expected in ((float(2 * p), True), (float(2 * p) - 1e-9, False)):
        compared = side_by_side(SYSTEMS, parts=["recall"], alpha=alpha)
        marked = {row["system"] for row in compared.to_records() if row["significant"]}
        assert marked == ({"high"} if expected else set())


def test_a_system_alone_is_neither_best_nor_tested() -> None:
    compared = side_by_side({"low": SYSTEMS["low"]})
    (record,) = compared.to_records()
    assert (record["best"], record["p"], record["significant"]) == (False, None, False)
    assert "permutations" not in compared.run
    assert "seed" not in compared.signature()


def test_no_test_and_no_seed_unless_asked_for() -> None:
    compared = side_by_side(SYSTEMS, against="none")
    assert not compared.has_tests()
    assert "seed" not in compared.run


def test_what_is_undefined_is_neither_best_nor_tested() -> None:
    nothing = {name: scorch2.score([["a"]], [["a"]], metrics=["muc"]) for name in ("one", "two")}
    for against in ("first", "best"):
        compared = side_by_side(nothing, against=against)
        assert all({row["score"], row["p"], row["best"]} == {None, False} for row in compared.to_records())
        assert str(compared).splitlines()[2].split() == ["one", "(0/0)"]


def test_random_swaps_and_intervals_say_how_many_there_were() -> None:
    compared = side_by_side(SYSTEMS, sampling=Sampling(90, 100, 3))
    assert compared.run["permutations"] == 100
    assert compared.run["exact"] == "no"
    assert compared.signature().endswith("exact=no | confidence=90 | trials=100 | seed=3")
    assert compared == side_by_side(SYSTEMS, sampling=Sampling(90, 100, 3))
    assert all(row["low"] <= row["score"] <= row["high"] for row in compared.to_records())


def test_columns_are_parts_of_metrics_and_all_of_what_lacks_them() -> None:
    report = scored(LOW, "muc", "b_cubed", "ceaf_e", "conll")
    shown = columns_of(report, ["recall", "precision", "f1"])
    assert [column.label for column in shown] == [
        *("MUC R", "P", "F1", "B³ R", "P", "F1", "CEAF_e R", "P", "F1", "CoNLL")
    ]
    assert [column.label for column in columns_of(report, ["f1"])] == ["MUC", "B³", "CEAF_e", "CoNLL"]


def test_an_unknown_reference_is_refused() -> None:
    with pytest.raises(scorch2.UsageError, match="did you mean best"):
        side_by_side(SYSTEMS, against="bst")


def test_records_have_the_same_keys_everywhere() -> None:
    records = side_by_side(SYSTEMS, parts=["recall", "f1"], sampling=Sampling(95, 50)).to_records()
    assert len(records) == 6
    assert {tuple(record) for record in records} == {tuple(records[0])}


# Letters


def test_letters_are_those_of_the_peer() -> None:
    """The example of multcompLetters in the R package multcompView: only B and C differ."""
    assert letters_of("ABC", {frozenset("BC")}) == {"A": "ab", "B": "a", "C": "b"}


@pytest.mark.parametrize(
    ("apart", "letters"),
    [
        ([], ["a", "a", "a", "a"]),
        (["12", "13", "14", "23", "24", "34"], ["a", "b", "c", "d"]),
        (["13", "14", "24"], ["a", "ab", "bc", "c"]),
        (["14"], ["a", "ab", "ab", "b"]),
        (["12", "34"], ["ab", "cd", "ac", "bd"]),  # 1-3, 1-4, 2-3 and 2-4 are alike: no letter has three
    ],
)
def test_letters_by_hand(apart: list[str], letters: list[str]) -> None:
    assert list(letters_of("1234", {frozenset(pair) for pair in apart}).values()) == letters


@given(
    st.integers(0, 8).flatmap(
        lambda number: st.tuples(
            st.just(number), st.frozensets(st.sampled_from([*itertools.combinations(range(8), 2)]))
        )
    )
)
def test_systems_share_a_letter_unless_they_differ(case: tuple[int, frozenset[tuple[int, int]]]) -> None:
    """And no letter can be spared: without it two systems that do not differ would share none."""
    number, pairs = case
    names = [str(i) for i in range(number)]
    apart = {frozenset(map(str, pair)) for pair in pairs}
    letters = letters_of(names, apart)
    for one, other in itertools.combinations(names, 2):
        assert bool({*letters[one]} & {*letters[other]}) is ({one, other} not in apart)
    assert all(letters.values())
    for spared in {*"".join(letters.values())}:
        left = {name: {*some} - {spared} for name, some in letters.items()}
        pairs_left = [(a, b) for a, b in itertools.combinations(names, 2) if {a, b} not in apart]
        assert any(not left[a] & left[b] for a, b in pairs_left) or not all(left.values())


def test_all_pairs_are_tested_and_corrected_for_their_number() -> None:
    """Of three pairs the smallest p is multiplied by 3, the next by 2, and none is below one before it."""
    compared = side_by_side(SYSTEMS, parts=["recall"], letters=True)
    links = {"low": LOW, "middle": MIDDLE, "high": HIGH}
    exact = {pair: exact_p(links[pair[0]], links[pair[1]]) for pair in itertools.combinations(links, 2)}
    holm, highest = {}, Fraction(0)
    for rank, pair in enumerate(sorted(exact, key=lambda pair: exact[pair])):
        highest = max(highest, min(Fraction(1), (3 - rank) * exact[pair]))
        holm[pair] = highest
    found = {(pair.one, pair.other): pair.found[RECALL] for pair in compared.pairs}
    assert {pair: (test.p, test.corrected) for pair, test in found.items()} == {
        pair: (float(p), float(holm[pair])) for pair, p in exact.items()
    }
    assert [pair for pair, p in holm.items() if p <= compared.alpha] == [("low", "high")]
    (column,) = compared.columns
    letters = {one.name: compared.letters_of(one, column) for one in compared.systems}
    assert letters == {"low": "b", "middle": "ab", "high": "a"}
    assert "for 3 comparisons in each column" in str(compared)


def test_a_score_that_is_undefined_has_no_letter() -> None:
    nothing = {name: scorch2.score([["a"]], [["a"]], metrics=["muc"]) for name in ("one", "two")}
    compared = side_by_side(nothing, letters=True)
    assert {row["letters"] for row in compared.to_records()} == {""}
    assert "(0/0)" in str(compared)


# The paired bootstrap


def bootstrap_p(one: Sequence[int], other: Sequence[int], trials: int, seed: int) -> Fraction:
    """Return p of recall: draws whose difference is as far from the observed one as that is from 0."""
    draws = np.random.default_rng(seed).integers(len(one), size=(trials, len(one)))
    observed = sum(one) - sum(other)
    hits = sum(abs(sum(one[i] - other[i] for i in drawn) - observed) >= abs(observed) for drawn in draws)
    return Fraction(hits + 1, trials + 1)


def test_bootstrap_draws_the_same_documents_for_both_systems() -> None:
    """Documents have three links each, so the difference of recall is that of the links."""
    compared = side_by_side(SYSTEMS, parts=["recall"], test="bootstrap", sampling=Sampling(None, 200, 5))
    middle, high = (bootstrap_p(some, LOW, 200, 5) for some in (MIDDLE, HIGH))
    assert high < middle
    found = p_values(compared, "middle")[RECALL][1], p_values(compared, "high")[RECALL][1]
    assert found == (float(middle), float(high))
    assert "test=bootstrap | resamples=200 | seed=5" in compared.signature()
    assert "paired bootstrap test (Efron & Tibshirani 1993, Berg-" in str(compared)


def test_one_sided_bootstrap_counts_differences_of_twice_the_observed_one() -> None:
    """Berg-Kirkpatrick et al. 2012, figure 1: the draws whose difference is above twice the observed one."""
    reports = {"one": scored(MIDDLE, "muc"), "other": scored(LOW, "muc")}
    (pair,) = compare_pairs(reports, Sampling(None, 300, 4), two_sided=False, test="bootstrap")
    draws = np.random.default_rng(4).integers(8, size=(300, 8))
    observed = sum(MIDDLE) - sum(LOW)
    hits = sum(sum(MIDDLE[i] - LOW[i] for i in drawn) >= 2 * observed for drawn in draws)
    assert pair.differences["muc"]["recall"].p == (hits + 1) / 301


def test_bootstrap_and_permutation_agree_on_many_documents() -> None:
    """Both come near the normal approximation: two-sided p of 1.82 standard errors is 0.068."""
    one = [3] * 52 + [0] * 148
    other = [0] * 52 + [3] * 35 + [0] * 113  # 52 documents against 35: z = (52 - 35) / sqrt(87) = 1.82
    (permuted,) = compare_pairs({"one": scored(one), "other": scored(other)}, Sampling(None, 4000, 0))
    (drawn,) = compare_pairs(
        {"one": scored(one), "other": scored(other)}, Sampling(None, 4000, 0), test="bootstrap"
    )
    found = [pair.differences["muc"]["recall"].p for pair in (permuted, drawn)]
    assert found == pytest.approx([0.0684, 0.0684], abs=0.02)


# Kinds of errors


def written(folder: Path, links: Sequence[int] | None) -> Path:
    """Write a system that finds so many links of `CHAIN` in each document; None for gold."""
    folder.mkdir()
    for number in range(len(LOW)):
        clusters = dict(enumerate(CHAIN if links is None else FOUND[links[number]]))
        text = {"type": "clusters", "clusters": {str(name): members for name, members in clusters.items()}}
        (folder / f"d{number}.json").write_text(json.dumps(text), "utf-8")
    return folder


def exact_p_of_f1(one: Sequence[int], other: Sequence[int]) -> Fraction:
    """Return p of the difference of F1, 2R / (R + 1) where precision is 1, by trying all swaps."""
    total = 3 * len(one)

    def f1(links: int) -> Fraction:
        return Fraction(2 * links, total + links)

    found = []
    for swap in itertools.product((False, True), repeat=len(one)):
        pairs = [(b, a) if swapped else (a, b) for a, b, swapped in zip(one, other, swap, strict=True)]
        found.append(abs(f1(sum(a for a, _ in pairs)) - f1(sum(b for _, b in pairs))))
    return Fraction(sum(difference >= found[0] for difference in found), len(found))


def test_errors_of_systems_are_tested_by_kind_as_scores_are(tmp_path: Path) -> None:
    """Each link that is not found is an error: a divided entity. No other kind has one.

    So the share of that kind is all that is missing, and its test is that of F1.
    """
    gold = written(tmp_path / "gold", None)
    systems = {
        name: written(tmp_path / name, links)
        for name, links in (("low", LOW), ("middle", MIDDLE), ("high", HIGH))
    }
    asked: dict[str, Any] = {"gold": gold, "metrics": ["muc"], "average": "pooled", "errors": True}
    compared = scorch2.compare(systems, **asked, trials=300)
    found = {(row["system"], row["metric"], row["part"]): row for row in compared.to_records()}
    for name, links in (("low", LOW), ("middle", MIDDLE), ("high", HIGH)):
        lost = 24 - sum(links)
        for kind in ("divided", "all"):
            assert found[name, kind, "errors"]["score"] == lost
            share = 1 - 2 * sum(links) / (24 + sum(links))
            assert found[name, kind, "share"]["score"] == pytest.approx(share, abs=1e-12)
        assert found[name, "conflated", "errors"]["score"] == found[name, "span", "share"]["score"] == 0
        if name != "low":
            for kind in ("divided", "all"):
                assert found[name, kind, "errors"]["p"] == float(exact_p(links, LOW))
                assert found[name, kind, "share"]["p"] == float(exact_p_of_f1(links, LOW))
            assert found[name, "extra_mention", "errors"]["p"] == 1
    assert [found[name, "divided", "errors"]["best"] for name in systems] == [False, False, True]
    assert not any(row["best"] for row in found.values() if row["metric"] == "span")
    high = compared.systems[2]
    marks = {column.metric: compared.direction(high, column) for column in compared.columns}
    assert marks == {**dict.fromkeys(marks, 0), "divided": -1, "all": -1}
    table = str(compared).splitlines()
    assert table[0].split()[:3] == ["system", "span", "conflated"]
    assert table[4].split() == [
        "high",
        "0",
        "0",
        "0",
        "0",
        f"{24 - sum(HIGH)}*▼",
        "0",
        "0",
        f"{24 - sum(HIGH)}*▼",
    ]
    drawn = scorch2.compare(systems, **asked, test="bootstrap", trials=200)
    of_high = {
        (row["metric"], row["part"]): row["p"] for row in drawn.to_records() if row["system"] == "high"
    }
    assert of_high["divided", "errors"] == float(bootstrap_p(LOW, HIGH, 200, 0))
