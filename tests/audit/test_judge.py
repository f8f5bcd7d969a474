"""The gate: a pure function from reports and thresholds to verdicts."""

from fractions import Fraction
from typing import Any

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.audit.judge import Class, DropTest, Threshold, judge, missing, threshold
from scorch2.model.errors import UsageError
from scorch2.model.results import Verdict, shown_verdict, verdict_summary
from scorch2.scoring.metrics.chosen import metric_row

GOLD = {"one": [["a", "b", "c", "d"]], "two": [["a", "b"], ["c", "d"]]}
SYSTEM = {"one": [["a", "b", "c", "d"]], "two": [["a", "b", "c"], ["d"]]}
"""MUC of the first document 3/3 and 3/3, of the second 1/2 and 1/2: pooled 4/5 and 4/5."""


def scored(system: dict[str, list[list[str]]], **choices: Any) -> scorch2.Report:
    scorer = scorch2.CorefScorer(["muc", "conll"], **{"average": "pooled", **choices})
    for name, gold in GOLD.items():
        scorer.update(gold=gold, system=system[name], id=name)
    return scorer.compute()


@pytest.fixture
def report() -> scorch2.Report:
    return scored(SYSTEM)


# What a threshold means


@pytest.mark.parametrize(
    ("spec", "metric", "part", "limit"),
    [
        ("muc=0.8", "muc", "f1", "0.8"),
        ("MUC.R=80", "muc", "recall", "0.8"),
        ("bcub.precision=80%", "b_cubed", "precision", "0.8"),
        ("conll=1", "conll", "f1", "1"),
        ("conll.f=1%", "conll", "f1", "0.01"),
        ("lea.f1=99.9%", "lea", "f1", "0.999"),
        ("conll=100", "conll", "f1", "1"),
        ("conll=0", "conll", "f1", "0"),
        ("conll=7e-1", "conll", "f1", "0.7"),
    ],
)
def test_a_threshold(spec: str, metric: str, part: str, limit: str) -> None:
    assert threshold("fail-under", spec, metric_row) == Threshold(
        "fail-under", metric, part, float(Fraction(limit))
    )


@every(
    ("spec", "message"),
    [
        ("conll=abc", 'fail-under: "abc" is neither a fraction in 0..1 nor percent up to 100'),
        ("conll=101", '"101" is neither'),
        ("conll=100.1%", '"100.1%" is neither'),
        ("conll=-0.1", '"-0.1" is neither'),
        ("conll=1.5", '"1.5" could be 1.5 % or 150 %: write 1.5%'),
        ("conll=nan", '"nan" is neither'),
        ("conll=inf", '"inf" is neither'),
        ("conll=1_0", '"1_0" is neither'),
        ("conll=٥", "is neither"),  # noqa: RUF001 - digits of another script are no bound
        ("conll=", '"" is neither'),
        ("conll", 'needs METRIC=VALUE or METRIC.PART=VALUE, not "conll"'),
        ("mucc=0.5", 'unknown metric "mucc", did you mean muc?'),
        ("conll.r=0.5", 'unknown part of conll "recall" (known: f1)'),
        ("muc.x=0.5", 'unknown part of muc "x" (known: recall, precision, f1)'),
    ],
)
def test_no_threshold(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        threshold("fail-under", spec, metric_row)
    assert message in str(caught.value)


@pytest.mark.parametrize("gate", ["fail-under-doc", "max-drop", "max-drop-rel"])
def test_a_class_is_gated_by_a_bound_of_the_corpus_alone(gate: str) -> None:
    with pytest.raises(UsageError) as caught:
        threshold(gate, "lea[type=name]=50%", metric_row)
    why = f'--{gate} takes no class of mentions ("[type=name]"): --fail-under does'
    assert str(caught.value) == why


@pytest.mark.parametrize("gate", ["max-drop", "max-drop-rel"])
def test_a_drop_of_1_is_not_clear(gate: str) -> None:
    with pytest.raises(UsageError, match='"1" could be 1 % or 100 %: write 1%'):
        threshold(gate, "conll=1", metric_row)
    assert threshold(gate, "conll=1%", metric_row).limit == pytest.approx(0.01)
    assert threshold(gate, "conll=100%", metric_row).limit == 1


def test_measures_of_pairs_have_classes_where_pairs_are_counted() -> None:
    name = Class("category", "a.b]c")
    assert threshold("fail-under", "pairwise[category=a.b]c]=1", metric_row).of == name
    with pytest.raises(
        UsageError, match=r"no score for a class of mentions \(mentions, muc, b_cubed, lea have"
    ):
        threshold("fail-under", "pairwise[size=2]=1", metric_row)
    for spec in ("muc[size=1", "muc[size]", "muc size=1]"):
        with pytest.raises(UsageError, match="unknown metric"):
            threshold("fail-under", f"{spec}=1", metric_row)


# Verdicts


def judged(report: scorch2.Report, gate: str, spec: str, baseline: scorch2.Report | None = None) -> Verdict:
    (verdict,) = judge(report, [threshold(gate, spec, metric_row)], baseline)
    return verdict


@pytest.mark.parametrize(("bound", "passed"), [("0.8", True), ("0.80000000000000001", True), ("0.81", False)])
def test_a_score_must_reach_its_bound(report: scorch2.Report, bound: str, passed: bool) -> None:
    verdict = judged(report, "fail-under", f"muc.r={bound}")
    assert (verdict.value, verdict.passed) == (0.8, passed)
    assert verdict.margin == pytest.approx(0.8 - float(bound))


@pytest.mark.parametrize(("before", "now", "drop"), [(0.8, 0.7, "0.1"), (0.9, 0.8, "0.1"), (0.8, 0.6, "20%")])
def test_a_drop_of_just_so_much_passes_whatever_floats_make_of_it(
    before: float, now: float, drop: str
) -> None:
    def of(found: float) -> scorch2.Report:
        mentions = [[f"m{i}" for i in range(10)]]
        return scorch2.score(mentions, [mentions[0][: round(10 * found)]], metrics=["mentions"])

    assert judged(of(now), "max-drop", f"mentions.r={drop}", of(before)).passed


def test_a_score_is_compared_unrounded(report: scorch2.Report) -> None:
    verdict = judged(report, "fail-under", "muc.r=0.8000001")
    assert not verdict.passed
    assert shown_verdict(verdict) == ("0.8000000", "0.8000001", "-0.0000001")


@given(value=st.floats(0, 1), bound=st.floats(0, 1))
def test_a_failing_row_never_looks_equal(value: float, bound: float) -> None:
    verdict = Verdict("fail-under", "muc", "f1", bound, value, bound, passed=value >= bound)
    left, right, _ = shown_verdict(verdict)
    assert verdict.passed or left != right or abs(value - bound) < 1e-17


def test_an_undefined_score_fails() -> None:
    empty = scorch2.score([["a"]], [["a"]], metrics=["muc"])
    verdict = judged(empty, "fail-under", "muc=0")
    assert (verdict.value, verdict.margin, verdict.passed) == (None, None, False)
    assert verdict.outcome == "FAILED; the score is undefined"
    assert shown_verdict(verdict) == ("0/0", "0.0000", "")


def test_every_document_must_reach_the_bound(report: scorch2.Report) -> None:
    assert judged(report, "fail-under-doc", "muc=0.5").passed
    verdict = judged(report, "fail-under-doc", "muc.r=0.6")
    assert (verdict.passed, verdict.value, verdict.document) == (False, 0.5, "two")
    assert verdict.below == [("two", 0.5)]
    assert verdict.outcome == "FAILED; 1 document: two"


def test_documents_without_a_score_are_listed_and_passed_over() -> None:
    scorer = scorch2.CorefScorer(["muc"])
    scorer.update(gold=[["a"]], system=[["a"]], id="lonely")
    scorer.update(gold=[["a", "b"]], system=[["a", "b"]], id="pair")
    verdict = judged(scorer.compute(), "fail-under-doc", "muc=1")
    assert (verdict.passed, verdict.value, list(verdict.undefined)) == (True, 1.0, ["lonely"])
    assert verdict.outcome == "passed; 0/0 in 1 document: lonely"


def test_a_gate_on_documents_fails_where_none_has_a_score() -> None:
    verdict = judged(scorch2.score([["a"]], [["a"]], metrics=["muc"]), "fail-under-doc", "muc=1")
    assert (verdict.passed, verdict.value, list(verdict.undefined)) == (False, None, ["gold"])
    why = "the score is undefined: no document could be judged; 0/0 in 1 document: gold"
    assert verdict.outcome == f"FAILED; {why}"


def test_a_system_that_finds_nothing_passes_no_gate_on_the_precision_of_documents() -> None:
    scorer = scorch2.CorefScorer(["muc", "mentions"])
    for name in ("one", "two"):
        scorer.update(gold=[["a", "b"]], system=[], id=name)
    for spec in ("muc.p=0.9", "mentions.p=0"):
        assert not judged(scorer.compute(), "fail-under-doc", spec).passed


@pytest.mark.parametrize(
    ("gate", "spec", "bound", "passed"),
    [
        ("max-drop", "muc=0.2", 0.8, True),
        ("max-drop", "muc=19%", 0.81, False),
        ("max-drop-rel", "muc=20%", 0.8, True),
        ("max-drop-rel", "muc=0.1", 0.9, False),
    ],
)
def test_a_drop(report: scorch2.Report, gate: str, spec: str, bound: float, passed: bool) -> None:
    verdict = judged(report, gate, spec, scored(GOLD))  # the baseline is perfect
    assert (verdict.baseline, verdict.passed) == (1.0, passed)
    assert verdict.bound == pytest.approx(bound)


def test_a_relative_drop_is_a_share_of_the_baseline(report: scorch2.Report) -> None:
    assert judged(report, "max-drop-rel", "muc.r=0.5", report).bound == 0.4
    assert judged(report, "max-drop", "muc.r=0.5", report).bound == pytest.approx(0.3)


def test_a_drop_that_chance_makes_is_forgiven(report: scorch2.Report) -> None:
    """Of the four ways to swap two documents, two reverse the sign: p = 1/2."""
    limits = [threshold("max-drop", "muc=0.1", metric_row), threshold("fail-under", "muc=0.9", metric_row)]
    drop, score = judge(report, limits, scored(GOLD), drop_test=DropTest(0.05))
    assert (drop.passed, drop.p) == (True, 0.5)
    assert drop.outcome == "passed; the drop is not significant, one-sided p = 0.5"
    assert (score.passed, score.p) == (False, None)
    (drop, _) = judge(report, limits, scored(GOLD), drop_test=DropTest(0.5))
    assert (drop.passed, drop.p) == (False, 0.5)
    assert drop.outcome == "FAILED; the drop is significant, one-sided p = 0.5"


def test_a_drop_needs_a_baseline(report: scorch2.Report) -> None:
    with pytest.raises(UsageError, match="--max-drop needs a baseline"):
        judged(report, "max-drop", "muc=0.1")


def test_all_gates_are_judged(report: scorch2.Report) -> None:
    limits = [threshold("fail-under", spec, metric_row) for spec in ("muc=0.9", "muc.r=0.1", "conll=0.99")]
    verdicts = judge(report, limits)
    assert [verdict.passed for verdict in verdicts] == [False, True, False]
    assert verdict_summary(verdicts) == "2 of 3 gates failed"


@pytest.fixture
def by_size() -> scorch2.Report:
    return scorch2.errors(GOLD, SYSTEM, by=["size"]).report


def test_a_class_must_reach_its_bound(by_size: scorch2.Report) -> None:
    """Of ``ab`` and ``cd``, of size 2 in gold, the system links the first: LEA is 2 of 4 mentions."""
    for bound, passed in (("50%", True), ("51%", False)):
        verdict = judged(by_size, "fail-under", f"lea[size=2].r={bound}")
        assert (verdict.value, verdict.passed, verdict.lack) == (0.5, passed, "")
    assert judged(by_size, "fail-under", "muc[size=3-5].r=1").value == 1
    empty = judged(by_size, "fail-under", "muc[size=6-10]=0")
    assert (empty.value, empty.passed, empty.lack) == (None, False, "no mention is of this class")
    assert str(empty.metric) == "muc[size=6-10]"


def test_an_unknown_class_is_refused(by_size: scorch2.Report) -> None:
    """Those of sizes are fixed, those of genres are what there is."""
    genres = by_size._replace(breakdown={"genre": by_size.breakdown["size"]})
    for of, known in ((by_size, r"1, 2, 3-5, 6-10, "), (genres, r"1, 2, 3-5\)")):
        (dimension,) = of.breakdown
        with pytest.raises(UsageError, match=f'class of {dimension} "4-5".* .known: {known}'):
            judged(of, "fail-under", f"muc[{dimension}=4-5]=0")
    assert judged(genres, "fail-under", "muc[genre=3-5].r=1").passed
    limits = [threshold("fail-under", f"lea[{name}=2]=1", metric_row) for name in ("size", "genre")]
    assert [missing(one, limits) for one in (by_size, genres)] == ["breakdown by genre", "breakdown by size"]
    assert missing(by_size, limits[:1]) is None


def test_a_metric_that_was_not_scored_is_named(report: scorch2.Report) -> None:
    limits = [threshold("fail-under", spec, metric_row) for spec in ("muc=0.9", "lea=0.9")]
    assert missing(report, limits) == "lea"
    assert missing(report, limits[:1]) is None
