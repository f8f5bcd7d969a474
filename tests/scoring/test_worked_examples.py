"""Figures from papers and hand counts: fixtures/partitions, and the claims they bear out."""

from fractions import Fraction

import pytest
from every import every
from partition_cases import Case, check, names, read, scored

import scorch2
from scorch2.scoring.metrics import OF_CLUSTERS

FILES = [name for name in names() if name != "reference_cases.json"]
CASES = [case for name in FILES for case in read(name)]


@every("case", CASES)
def test_counts_and_scores(case: Case) -> None:
    check(scored(case), case)


@every("case", CASES)
def test_exact_fractions_round_to_the_printed_figures(case: Case) -> None:
    for name, printed in case.get("printed", {}).items():
        figures = [float(figure) for figure in printed.split()]
        score = case[name]["score"] if isinstance(case[name], dict) else case[name]
        assert [round(float(Fraction(value or 0)), 3) for value in score[-len(figures) :]] == figures, name


def test_every_metric_has_a_worked_example() -> None:
    shown = {name for file in FILES for case in read(file) for name in case}
    missing = sorted(set(OF_CLUSTERS) - shown)
    assert missing == [], (
        "count these by hand on a case in fixtures/partitions/definitions.json, or another there"
    )


def test_muc_and_ceaf_e_cannot_tell_a_small_wrong_join_from_a_big_one() -> None:
    small, big = (scored(case).scores for case in read("which_chains_are_joined.json"))
    assert [name for name in small if small[name] == big[name]] == ["muc", "ceaf_e"]


def test_the_forgiving_variants_cannot_see_spurious_singletons() -> None:
    _, _, without, with_them, *_ = (scored(case).scores for case in read("system_mentions.json"))
    assert [name for name in without if without[name] == with_them[name]] == ["b_cubed_sys", "ceaf_m_sys"]


@pytest.mark.parametrize(
    ("chains", "size", "printed"),
    [(50, 5, {"muc": 0.891, "b_cubed": 0.039, "ceaf_m": 0.020, "lea": 0.032}), (10, 2, {}), (1, 4, {})],
)
def test_joining_everything_inflates_muc_alone(chains: int, size: int, printed: dict[str, float]) -> None:
    """MUC recall is 1, its precision n(s−1)/(ns−1), however many chains; B³ precision is 1/n."""
    gold = [[(chain, mention) for mention in range(size)] for chain in range(chains)]
    report = scorch2.score(gold, [[mention for chain in gold for mention in chain]])
    assert report.tallies("muc")[""] == (
        chains * (size - 1),
        chains * (size - 1),
        chains * (size - 1),
        chains * size - 1,
    )
    assert report.b_cubed.recall == 1
    assert report.b_cubed.precision == pytest.approx(1 / chains)
    assert report.ceaf_m.f1 == pytest.approx(1 / chains)
    assert {name: round(float(report.scores[name][-1]), 3) for name in printed} == printed


def test_joining_everything_does_not_give_muc_recall_1_if_a_gold_mention_is_missing() -> None:
    assert scorch2.score([["a", "b"], ["c", "d"]], [["a", "b", "c"]]).muc.recall == 0.5
