"""Bootstrap and permutation against plain loops with the same random numbers, and against enumeration."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import scorch2
from scorch2 import guide
from scorch2.analysis import bootstrap as draws
from scorch2.analysis.bootstrap import Ends, bootstrap, confidence, levels
from scorch2.analysis.paired_tests import compare_pairs, differences_of, holm, paired
from scorch2.model.results import Difference
from scorch2.model.score import AVERAGES, TRIALS, Measured, Sampling
from scorch2.model.settings import OfNeleval, rows_of
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.report import report_of

Clusters = list[list[str]]
every_average = pytest.mark.parametrize("average", AVERAGES)


def random_clusters(random: Random, mentions: Sequence[str]) -> Clusters:
    clusters: dict[int, list[str]] = {}
    for mention in mentions:
        clusters.setdefault(random.randrange(4), []).append(mention)
    return list(clusters.values())


def corpus(seed: int, documents: int = 7, average: Any = "mentions") -> scorch2.Report:
    """The gold of every seed is the same."""
    gold, system = Random(0), Random(seed)  # noqa: S311 - no secret
    scorer = scorch2.CorefScorer(OF_CLUSTERS, average=average)
    for number in range(documents):
        mentions = [f"m{i}" for i in range(gold.randrange(1, 9))]
        kept = [mention for mention in mentions if system.random() < 0.8]
        scorer.update(
            gold=random_clusters(gold, mentions), system=random_clusters(system, kept), id=f"d{number}"
        )
    return scorer.compute()


def rescored(report: scorch2.Report, documents: Sequence[Measured]) -> scorch2.Report:
    return report_of(report.rows, report.metrics, documents, report.options, [])


def parts(report: scorch2.Report) -> list[tuple[str, str]]:
    return [(name, part) for name, score in report.scores.items() for part in score._fields]


def every_trial(report: scorch2.Report, trials: int, seed: int) -> dict[str, dict[str, Any]]:
    """The blocks of `bootstrap`, one after the other."""
    blocks = list(bootstrap(report, Sampling(None, trials, seed)))
    return {
        metric: {part: np.concatenate([block[metric][part] for block in blocks]) for part in found}
        for metric, found in blocks[0].items()
    }


# Bootstrap


@every_average
def test_a_trial_is_the_score_of_the_documents_drawn(average: str) -> None:
    report, trials = corpus(1, average=average), 40
    values = every_trial(report, trials, seed=5)
    random = np.random.default_rng(5)
    for trial in range(trials):
        drawn = [report.documents[i] for i in random.integers(7, size=7)]
        again = rescored(report, drawn).scores
        for name, part in parts(report):
            assert values[name][part][trial] == pytest.approx(getattr(again[name], part), abs=1e-12)


@pytest.mark.parametrize("bits", [6, 1])
def test_files_of_several_lengths_are_drawn_document_by_document(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Files of one, two and nine documents; with one bit no file is known from an earlier trial."""
    monkeypatch.setattr(draws, "_BITS", bits)
    monkeypatch.setattr(draws, "_BLOCK", 12 * 16)
    report, trials = corpus(1, documents=12, average="files"), 40
    names = ["a", "b", *["c"] * 6, "b", *["c"] * 3]
    documents = [one._replace(file=name) for one, name in zip(report.documents, names, strict=True)]
    values = every_trial(report._replace(documents=documents), trials, seed=5)
    random = np.random.default_rng(5)
    for trial in range(trials):
        drawn = [documents[i] for i in random.integers(12, size=12)]
        again = rescored(report, drawn).scores
        for name, part in parts(report):
            assert values[name][part][trial] == pytest.approx(getattr(again[name], part), abs=1e-12)


def without_system(average: Any, undefined: Any) -> scorch2.Report:
    """Two documents without a system mention, and so without weight in precision, and one with some."""
    scorer = scorch2.CorefScorer(OF_CLUSTERS, average=average, undefined=undefined)
    scorer.update(gold=[["a", "b"], ["c"]], system=[], id="d0")
    scorer.update(gold=[["a"]], system=[], id="d1")
    scorer.update(gold=[["a", "b"]], system=[["a", "b", "c"]], id="d2")
    return scorer.compute()


def sparse(average: Any, undefined: Any) -> scorch2.Report:
    """Three documents; two have no link in gold, so that scores of many draws are 0/0."""
    scorer = scorch2.CorefScorer(OF_CLUSTERS, average=average, undefined=undefined)
    scorer.update(gold=[["a", "b"], ["c"]], system=[["a"], ["b", "c"]], id="d0")
    scorer.update(gold=[["a"], ["b"]], system=[["a"], ["b"]], id="d1")
    scorer.update(gold=[["a"]], system=[["a", "b"]], id="d2")
    return scorer.compute()


@every_average
@pytest.mark.parametrize("made", [sparse, without_system])
@pytest.mark.parametrize("undefined", ["skip", "zero"])
def test_a_trial_without_a_score_is_nan_or_0(
    made: Callable[[str, str], scorch2.Report], average: str, undefined: str
) -> None:
    report, trials = made(average, undefined), 60
    values = every_trial(report, trials, seed=2)
    random = np.random.default_rng(2)
    without = 0
    for trial in range(trials):
        drawn = [report.documents[i] for i in random.integers(3, size=3)]
        again = rescored(report, drawn).scores
        for name, part in parts(report):
            value, expected = values[name][part][trial], getattr(again[name], part)
            if expected.defined:
                assert value == pytest.approx(expected, abs=1e-12), (name, part)
            else:
                without += 1
                assert math.isnan(value) if undefined == "skip" else value == 0, (name, part)
    assert without > 0


def test_intervals_are_over_the_trials_that_have_a_score() -> None:
    report = sparse("macro", "skip")
    values = every_trial(report, 400, seed=0)["muc"]["recall"]
    kept = values[~np.isnan(values)]
    assert 0 < len(kept) < 400
    expected = np.quantile(kept, [0.1, 0.9], method="weibull")
    found = confidence(report, Sampling(80, 400, 0)).intervals["muc"]["recall"]
    assert found == pytest.approx(tuple(expected), abs=1e-6)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    report = corpus(1)
    whole = every_trial(report, 50, seed=1)
    difference = differences_of(paired(report, corpus(2)), Sampling(None, 50, 1))
    every = differences_of(paired(report, corpus(2)), Sampling(None, 500, 1))
    monkeypatch.setattr(draws, "_BLOCK", 3 * 7)
    for name, part in parts(report):
        assert every_trial(report, 50, seed=1)[name][part].tolist() == pytest.approx(
            whole[name][part].tolist()
        )
    assert differences_of(paired(report, corpus(2)), Sampling(None, 50, 1)) == difference
    assert differences_of(paired(report, corpus(2)), Sampling(None, 500, 1)) == every


def test_the_seed_decides() -> None:
    report = corpus(1)
    assert confidence(report, Sampling(95, 100, 3)) == confidence(report, Sampling(95, 100, 3))
    assert (
        confidence(report, Sampling(95, 100, 3)).intervals
        != confidence(report, Sampling(95, 100, 4)).intervals
    )


def test_levels_share_their_trials() -> None:
    narrow, wide = levels(corpus(1), [50, 99], Sampling(None, 200, 0))
    assert wide == confidence(corpus(1), Sampling(99, 200, 0))
    for name, part in parts(corpus(1)):
        inner, outer = (found.intervals[name][part] for found in (narrow, wide))
        assert inner is not None
        assert outer is not None
        assert outer[0] <= inner[0] <= inner[1] <= outer[1]


@every_average
def test_one_document_has_no_width(average: str) -> None:
    report = corpus(1, documents=1, average=average)
    found = confidence(report, Sampling(95, 20, 0))
    for name, part in parts(report):
        value = round(float(getattr(report.scores[name], part)), 6)
        assert found.intervals[name][part] == pytest.approx((value, value), abs=1e-6)


@every_average
@pytest.mark.parametrize("undefined", ["skip", "zero"])
def test_a_score_that_is_undefined_has_no_interval(average: Any, undefined: Any) -> None:
    scorer = scorch2.CorefScorer(OF_CLUSTERS, average=average, undefined=undefined)
    for name in "ab":
        scorer.update(gold=[], system=[], id=name)
    report = scorer.compute()
    found = confidence(report, Sampling(95, 20, 0))
    for name, part in parts(report):
        if not getattr(report.scores[name], part).defined:
            assert found.intervals[name][part] is None, (name, part)
    assert found.intervals["muc"] == {"recall": None, "precision": None, "f1": None}
    plain = report._replace(confidence=found).to_dict()["confidence"]["metrics"]
    assert plain["muc"] == {"recall": None, "precision": None, "f1": None}


# Permutation


def swapped(
    one: scorch2.Report, other: scorch2.Report, swaps: Iterable[Iterable[Any]]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return the scores of both sides for each way to swap documents, by scoring each of them."""
    found = []
    for swap in swaps:
        pairs = [
            (b, a) if s else (a, b) for s, a, b in zip(swap, one.documents, other.documents, strict=True)
        ]
        left, right = (rescored(one, side).scores for side in zip(*pairs, strict=True))
        found.append((left, right))
    return found


def one_sided(difference: float, observed: float) -> bool:
    return difference <= observed + 1e-12 if observed < 0 else difference >= observed - 1e-12


def two_sided(difference: float, observed: float) -> bool:
    return abs(difference) >= abs(observed) - 1e-12


@every_average
@pytest.mark.parametrize("as_large", [one_sided, two_sided])
def test_few_documents_are_swapped_in_all_ways(
    average: str, as_large: Callable[[float, float], bool]
) -> None:
    one, other = corpus(1, 5, average), corpus(2, 5, average)
    found = differences_of(paired(one, other), Sampling(None, 100, 0), two_sided=as_large is two_sided)
    ways = swapped(one, other, itertools.product((False, True), repeat=len(one.documents)))
    for name, part in parts(one):
        observed = getattr(one.scores[name], part) - getattr(other.scores[name], part)
        hits = sum(
            as_large(getattr(left[name], part) - getattr(right[name], part), observed) for left, right in ways
        )
        wrong = f"{name}.{part}: p is the share of all swaps whose difference is as large"
        assert found[name][part].p == hits / len(ways), wrong
        assert found[name][part].difference == observed, f"{name}.{part}: the difference of the two scores"


@pytest.mark.parametrize("as_large", [one_sided, two_sided])
def test_many_documents_are_swapped_at_random(as_large: Callable[[float, float], bool]) -> None:
    """p = (hits + 1) / (trials + 1) over the swaps that the seed draws, against a plain loop."""
    one, other, trials = corpus(1, 12), corpus(2, 12), 200
    found = differences_of(paired(one, other), Sampling(None, trials, 9), two_sided=as_large is two_sided)
    random = np.random.default_rng(9)
    ways = swapped(one, other, [random.integers(2, size=12) for _ in range(trials)])
    for name, part in [("muc", "recall"), ("b_cubed", "f1"), ("blanc", "f1"), ("conll", "f1")]:
        observed = getattr(one.scores[name], part) - getattr(other.scores[name], part)
        hits = sum(
            as_large(getattr(left[name], part) - getattr(right[name], part), observed) for left, right in ways
        )
        assert found[name][part].p == (hits + 1) / (trials + 1)


def test_random_swaps_come_close_to_all_of_them() -> None:
    one, other = corpus(3, 9), corpus(4, 9)
    exact = differences_of(paired(one, other), Sampling(None, 1000, 0))
    drawn = differences_of(paired(one, other), Sampling(None, 500, 0))
    for name, part in parts(one):
        p, close = exact[name][part].p, drawn[name][part].p
        assert p is not None
        assert close is not None
        assert abs(close - p) <= 4 * math.sqrt(p * (1 - p) / 500) + 2 / 500


def test_a_system_does_not_differ_from_itself() -> None:
    report = corpus(1)
    for differences in differences_of(paired(report, report), Sampling(None, 50, 0)).values():
        for found in differences.values():
            assert found == Difference(0, 1, (0, 0))


def test_the_interval_is_that_of_differences_of_the_same_draws() -> None:
    one, other = corpus(1), corpus(2)
    found = differences_of(paired(one, other), Sampling(None, 30, 7))
    left, right = every_trial(one, 30, 7), every_trial(other, 30, 7)
    for name, part in parts(one):
        ends = Ends(30, 95)
        ends.add(left[name][part] - right[name][part])
        expected = ends.interval(95)
        assert found[name][part].interval == pytest.approx(expected, abs=2e-6)


def linked(average: Any, undefined: Any, *sides: list[list[list[str]]]) -> list[scorch2.Report]:
    """Systems on two documents, whose gold is {a, b} and {a, b}, {c}: the MUC precision of each."""
    golds = [[["a", "b"]], [["a", "b"], ["c"]]]
    found = []
    for documents in sides:
        scorer = scorch2.CorefScorer(["muc"], average=average, undefined=undefined)
        for name, gold, system in zip("de", golds, documents, strict=True):
            scorer.update(gold=gold, system=system, id=name)
        found.append(scorer.compute())
    return found


@every_average
@pytest.mark.parametrize("undefined", ["skip", "zero"])
def test_without_a_score_there_is_no_difference_and_no_p(average: Any, undefined: Any) -> None:
    """The second system has no link: its precision is 0/0. Recall: 1 of 1 and 0 of 1, against none."""
    one, other = linked(average, undefined, [[["a", "b"]], [["a", "c"]]], [[["a"]], []])
    found = differences_of(paired(one, other), Sampling(None, 50, 0))["muc"]
    assert found["precision"] == Difference(None, None, None)
    recall, none = float(one.muc.recall), float(other.muc.recall)
    assert (0 < recall < 1, none) == (True, 0), "whatever the weights of the documents are"
    assert [found["recall"].difference, found["recall"].p] == [pytest.approx(recall), 1]


@pytest.mark.parametrize(("two_sided", "p"), [(True, 1), (False, 0.5)])
def test_a_swap_without_a_score_does_not_count(two_sided: bool, p: float) -> None:
    """Precision is 1 (1/1 in d) against 0 (0/1 in e).

    Of the four ways to swap, two leave one side without a link. The other two differ by 1 and -1.
    """
    one, other = linked("pooled", "skip", [[["a", "b"]], []], [[], [["a", "c"]]])
    found = differences_of(paired(one, other), Sampling(None, 50, 0), two_sided=two_sided)["muc"]["precision"]
    assert (found.difference, found.p) == (1, p)


# Pairing


def test_documents_pair_by_name_whatever_their_order() -> None:
    one, other = corpus(1), corpus(2)
    shuffled = other._replace(documents=list(reversed(other.documents)))
    assert differences_of(paired(one, shuffled), Sampling(None, 300, 0)) == differences_of(
        paired(one, other), Sampling(None, 300, 0)
    )


def spurious(ident: str) -> Measured:
    """A document that gold does not have, and the system has a mention in."""
    return scorch2.score([], [["x"]], metrics=OF_CLUSTERS).documents[0]._replace(id=ident)


@pytest.mark.parametrize("average", ["mentions", "pooled"])
def test_a_document_that_only_a_system_has_holds_nothing_for_the_other(average: str) -> None:
    one, other = corpus(1, 3, average), corpus(2, 3, average)
    longer = rescored(one, [*one.documents, spurious("extra")])
    pair = paired(longer, other)
    assert [document.id for document in pair.other.documents] == [
        document.id for document in longer.documents
    ]
    assert pair.other.documents[-1].system_mentions == 0
    assert pair.one.scores == longer.scores


# Several systems


def test_every_pair_is_compared_in_order() -> None:
    reports = {"a": corpus(1), "b": corpus(2), "c": corpus(3)}
    found = compare_pairs(reports, Sampling(None, 300, 0))
    assert [(pair.one, pair.other) for pair in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found[1].differences == differences_of(paired(reports["a"], reports["c"]), Sampling(None, 300, 0))


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ([0.01], [0.01]),
        ([0.01, 0.02], [0.02, 0.02]),
        ([0.04, 0.01, 0.03], [0.06, 0.03, 0.06]),
        ([0.9, 0.8], [1.0, 1.0]),
        ([0.01, 0.01, 0.5], [0.03, 0.03, 0.5]),
    ],
)
def test_holm(p_values: list[float], expected: list[float]) -> None:
    """Counted by hand: the k-th smallest of n is multiplied by n - k + 1, and is not below the one before."""
    assert holm(p_values) == pytest.approx(expected)


def test_holm_corrects_over_the_pairs() -> None:
    reports = {"a": corpus(1), "b": corpus(2), "c": corpus(3)}
    found = compare_pairs(reports, Sampling(None, 300, 0), correct=True)
    for name, part in parts(reports["a"]):
        p_values = [pair.differences[name][part].p or math.nan for pair in found]
        assert [pair.differences[name][part].corrected for pair in found] == holm(p_values)


def test_holm_counts_the_pairs_that_have_a_p_value() -> None:
    """The second system has no link: only one of the three pairs has a p for precision."""
    systems = [[["a", "b"]], [["a", "c"]]], [[["a"]], []], [[], [["a", "b"]]]
    reports = dict(zip("abc", linked("pooled", "skip", *systems), strict=True))
    found = [
        pair.differences["muc"]["precision"]
        for pair in compare_pairs(reports, Sampling(None, 50, 0), correct=True)
    ]
    assert [pair.p is None for pair in found] == [True, False, True]
    assert [pair.corrected for pair in found] == [pair.p for pair in found]


def test_the_usual_number_of_trials_settles_a_p_value_to_half_a_percentage_point() -> None:
    """Of p = 0.05, by two standard errors of a share. That of neleval's commands is its own, and coarser."""
    assert 2 * math.sqrt(0.05 * 0.95 / TRIALS) < 0.005
    said = f"from {TRIALS:,} resamples of the documents".replace(",", " ")
    assert said in guide.page("statistics"), "the guide says another number of trials: which is right?"
    assert rows_of(OfNeleval)["trials"].default == 2500, (
        "neleval's own, of `significance` and `confidence` (their --trials)"
    )
