"""Laws of all metrics. Each is tried on every metric, except those listed above it.

A new metric is tried the moment it is registered: it keeps a law, or takes its place among the exceptions
with the smallest counterexample, ``gold | system``, a word a cluster, a letter a mention.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

import pytest
from every import every
from exact_comparison import table_of
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from partition_pairs import (
    ALL_IN_ONE,
    ANY,
    DISJOINT,
    IDENTICAL,
    LONGER,
    SAME_MENTIONS,
    SINGLETONS_OF_GOLD,
    Clusters,
    Pair,
    disguised,
    elsewhere,
    mentions_of,
    merges,
    pair_of,
    removals,
    splits,
    text_of,
)

from scorch2.model.options import options_from
from scorch2.model.score import AVERAGES, Measured, Score, Tally, Value, main_part
from scorch2.scoring.averages import averaged
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS, blanc
from scorch2.scoring.metrics.chosen import to_count

Check: TypeAlias = Callable[[str, Clusters, Clusters], bool]

EVERY = {metric.name: metric for metric in to_count(OF_CLUSTERS)}
COUNTED = {name: metric for name, metric in EVERY.items() if metric.gives is Score}
F1_ALONE = [name for name in EVERY if name not in COUNTED]
"""Metrics without recall and precision, which have laws of their own below."""
FILE = "tests/scoring/test_metrics.py"
CLOSE = 1e-12
NEW = frozenset({-1})  # a mention that is nowhere else


class Law(NamedTuple):
    check: Check
    pairs: SearchStrategy[Pair]
    """Pairs that meet its premise."""
    exceptions: Mapping[str, str]
    """Metrics that break it, with a counterexample."""


LAWS: dict[str, Law] = {}


def law(pairs: SearchStrategy[Pair], fails: Mapping[str, str]) -> Callable[[Check], Check]:
    """Register a law; `fails` holds counterexamples, each with the metrics that it is one for."""

    def register(check: Check) -> Check:
        exceptions = {name: example for example, names in fails.items() for name in names.split()}
        LAWS[check.__name__] = Law(check, pairs, exceptions)
        return check

    return register


@lru_cache
def table(gold: Clusters, system: Clusters) -> Contingency:
    return table_of(gold, system)


@lru_cache
def tallies_of(name: str, gold: Clusters, system: Clusters) -> tuple[Tally, ...]:
    """Count a pair once: a law looks at it several times, with every metric."""
    return EVERY[name].tallies(table(gold, system))


def score_of(name: str, gold: Clusters, system: Clusters) -> Score:
    score = COUNTED[name].finish(tallies_of(name, gold, system))
    assert isinstance(score, Score)
    return score


@law(ANY, fails={})
def scores_lie_between_0_and_1(name: str, gold: Clusters, system: Clusters) -> bool:
    return all(0 <= value <= 1 for value in score_of(name, gold, system))


@law(ANY, fails={"ab | ab c": "blanc", "| a": "b_cubed_sys ceaf_m_sys ceaf_e_sys"})
def swapping_sides_swaps_recall_and_precision(name: str, gold: Clusters, system: Clusters) -> bool:
    recall, precision, f1 = score_of(name, gold, system)
    return [*score_of(name, system, gold)] == [precision, recall, f1]


@law(ANY, fails={"ab c d | abc d": "blanc"})
def f1_is_the_harmonic_mean_of_recall_and_precision(name: str, gold: Clusters, system: Clusters) -> bool:
    recall, precision, f1 = score_of(name, gold, system)
    harmonic = 2 / (1 / recall + 1 / precision) if recall and precision else 0
    return abs(f1 - harmonic) < CLOSE and min(recall, precision) - CLOSE < f1 < max(recall, precision) + CLOSE


@law(IDENTICAL, fails={"a | a": "muc pairwise"})
def a_perfect_system_scores_1(name: str, gold: Clusters, system: Clusters) -> bool:
    return [*score_of(name, gold, system)] == [1.0, 1.0, 1.0]


@law(
    ANY,
    fails={
        "ab | ab c": "muc blanc pairwise",
        "a b | ab": "mentions",
        "a |": "b_cubed_sys ceaf_m_sys ceaf_e_sys",
    },
)
def f1_is_1_only_for_a_perfect_system(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, gold, system).f1 < 1 or set(gold) == set(system)


@law(SAME_MENTIONS, fails={"a b | ab": "mentions"})
def f1_is_1_only_for_a_perfect_system_if_the_mentions_are_the_same(
    name: str, gold: Clusters, system: Clusters
) -> bool:
    return score_of(name, gold, system).f1 < 1 or set(gold) == set(system)


@law(DISJOINT, fails={"a |": "b_cubed_sys ceaf_m_sys ceaf_e_sys"})
def without_a_shared_mention_all_is_0(name: str, gold: Clusters, system: Clusters) -> bool:
    return [*score_of(name, gold, system)] == [0.0, 0.0, 0.0]


@law(ANY, fails={"a | ab": "muc blanc lea pairwise"})
def f1_is_0_only_without_a_shared_mention(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, gold, system).f1 > 0 or not mentions_of(gold) & mentions_of(system)


@law(ANY, fails={"a | ab": "b_cubed", "ab | abc": "lea", "| ab": "b_cubed_sys ceaf_m_sys ceaf_e_sys"})
def numerators_are_equal_on_both_sides(name: str, gold: Clusters, system: Clusters) -> bool:
    return all(tally.recall_num == tally.precision_num for tally in tallies_of(name, gold, system))


@law(
    SAME_MENTIONS,
    fails={"a bc | abc": "muc blanc lea pairwise", "a b | ab": "b_cubed ceaf_e b_cubed_sys ceaf_e_sys"},
)
def recall_is_precision_if_the_mentions_are_the_same(name: str, gold: Clusters, system: Clusters) -> bool:
    score = score_of(name, gold, system)
    return score.recall == score.precision


@law(ALL_IN_ONE, fails={"a b | ab": "ceaf_m ceaf_m_sys ceaf_e_sys", "a | ab": "ceaf_e blanc lea"})
def one_cluster_with_every_mention_has_recall_1(name: str, gold: Clusters, system: Clusters) -> bool:
    """Or 0/0, where there is nothing to find."""
    recall = score_of(name, gold, system).recall
    return recall == 1.0 or not recall.defined


@law(
    SINGLETONS_OF_GOLD,
    fails={"a | a": "muc pairwise", "ab | a b": "ceaf_m", "ab | a": "ceaf_e blanc lea ceaf_m_sys ceaf_e_sys"},
)
def gold_mentions_as_singletons_have_precision_1(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, gold, system).precision == 1.0


@law(ANY, fails={"a b | a b": "ceaf_m blanc ceaf_m_sys ceaf_e_sys", "a | a b": "ceaf_e lea"})
def merging_two_system_clusters_never_lowers_recall(name: str, gold: Clusters, system: Clusters) -> bool:
    recall = score_of(name, gold, system).recall
    return all(score_of(name, gold, merged).recall >= recall - CLOSE for merged in merges(system))


@law(
    ANY,
    fails={"ab | ab": "muc ceaf_m ceaf_e blanc lea pairwise", "| ab": "b_cubed_sys ceaf_m_sys ceaf_e_sys"},
)
def splitting_a_system_cluster_never_lowers_precision(name: str, gold: Clusters, system: Clusters) -> bool:
    precision = score_of(name, gold, system).precision
    return all(score_of(name, gold, split).precision >= precision - CLOSE for split in splits(system))


@law(ANY, fails={"a | a": "blanc"})
def a_spurious_singleton_leaves_recall_alone(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, gold, (*system, NEW)).recall == score_of(name, gold, system).recall


@law(ANY, fails={})
def a_spurious_singleton_never_raises_precision(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, gold, (*system, NEW)).precision <= score_of(name, gold, system).precision


@law(ANY, fails={"ab | ab c": "blanc"})
def a_right_singleton_never_lowers_f1(name: str, gold: Clusters, system: Clusters) -> bool:
    return score_of(name, (*gold, NEW), (*system, NEW)).f1 >= score_of(name, gold, system).f1 - CLOSE


@law(ANY, fails={"a | ab": "ceaf_e blanc lea", "a b | ab": "ceaf_m_sys ceaf_e_sys"})
def removing_a_system_mention_never_raises_recall(name: str, gold: Clusters, system: Clusters) -> bool:
    recall = score_of(name, gold, system).recall
    return all(score_of(name, gold, fewer).recall <= recall + CLOSE for fewer in removals(system))


@law(ANY, fails={"|": "b_cubed ceaf_m ceaf_e blanc lea mentions b_cubed_sys ceaf_m_sys ceaf_e_sys"})
def a_twinless_singleton_on_either_side_counts_for_nothing(
    name: str, gold: Clusters, system: Clusters
) -> bool:
    before = tallies_of(name, gold, system)
    return tallies_of(name, (*gold, NEW), system) == before == tallies_of(name, gold, (*system, NEW))


KEPT = {title: [name for name in COUNTED if name not in LAWS[title].exceptions] for title in LAWS}
BROKEN = [(title, name) for title in LAWS for name in LAWS[title].exceptions]


@pytest.mark.parametrize("title", KEPT)
@given(data=st.data())
def test_law(title: str, data: st.DataObject) -> None:
    """Tried on every pair with all metrics that keep it."""
    check, pairs, _ = LAWS[title]
    gold, system = data.draw(pairs)
    for name in KEPT[title]:
        assert check(name, gold, system), (
            f"{name} breaks the law that {spelled(title)}. "
            f"Gold | system is {text_of(gold, system)!r} (a word is a cluster, a letter a mention); "
            f"it counts {tallies_of(name, gold, system)} and scores {score_of(name, gold, system)}. "
            f"If its definition wants that, add the pair to `fails` of the law in {FILE}; "
            f"if not, mend scorch2/scoring/metrics/{name}.py or what it reads"
        )


@every(("title", "name"), BROKEN)
def test_exception(title: str, name: str) -> None:
    check, _, exceptions = LAWS[title]
    assert not check(name, *pair_of(exceptions[name])), (
        f"{name} keeps the law that {spelled(title)} on {exceptions[name]!r}, "
        f"which `fails` in {FILE} gives as its counterexample: "
        f"find another pair that breaks it, or take {name} out of `fails`"
    )


def spelled(title: str) -> str:
    return title.replace("_", " ")


@pytest.mark.parametrize("name", F1_ALONE)
@given(pair=ANY)
def test_f1_of_entities_is_1_if_and_only_if_the_system_has_every_gold_entity(name: str, pair: Pair) -> None:
    gold, system = pair
    f1 = f1_of(name, gold, system)
    assert 0 <= f1 <= 1
    assert f1.defined == bool(gold)
    assert (f1 == 1) == (bool(gold) and set(gold) <= set(system))
    assert (f1 == 0) == (not mentions_of(gold) & mentions_of(system))


@pytest.mark.parametrize("name", F1_ALONE)
@given(pair=ANY)
def test_system_entities_that_share_nothing_do_not_change_f1_of_entities(name: str, pair: Pair) -> None:
    gold, system = pair
    for more in ((*system, *elsewhere(gold)), (*elsewhere(gold), *system)):
        assert f1_of(name, gold, more) == f1_of(name, gold, system)


@given(pair=ANY)
def test_the_alignment_of_ceaf_e_gives_entities_the_most_f1(pair: Pair) -> None:
    (mean,), (best,) = tallies_of("entity_f1", *pair), tallies_of("ceaf_e", *pair)
    assert mean.recall_num <= best.recall_num + CLOSE
    assert mean.recall_den == best.recall_den


@pytest.mark.parametrize("name", F1_ALONE)
def test_of_equal_alignments_the_one_with_the_highest_f1_counts_in_any_order(name: str) -> None:
    """``abcd`` shares two mentions with ``ab`` and with ``cdef``: F1 is 4/6, not 4/8."""
    assert f1_of(name, *pair_of("abcd | ab cdef")) == pytest.approx(2 / 3)
    assert f1_of(name, *pair_of("abcd | cdef ab")) == pytest.approx(2 / 3)


def f1_of(name: str, gold: Clusters, system: Clusters) -> Value:
    return main_part(EVERY[name].finish(tallies_of(name, gold, system)))


@given(pair=LONGER, random=st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter_to_the_last_bit(pair: Pair, random: Random) -> None:
    other = disguised(pair, random)
    for name in COUNTED:
        one = f"{name} of {text_of(*pair)!r}, and of the same clusters in another order with other names"
        wrong = f"{one}: sum exactly (integers, math.fsum, exact_sum), and let no order decide"
        assert tallies_of(name, *other) == tallies_of(name, *pair), wrong
        assert score_of(name, *other) == score_of(name, *pair), wrong


def test_blanc_of_the_reference_scorer_is_0_where_gold_has_no_link() -> None:
    """Not 1 for the one same mention, as Recasens and Hovy (2011) have it."""
    tallies = tallies_of("blanc", *pair_of("a | a"))
    assert [*map(float, blanc.mean(tallies))] == [1, 1, 1]
    assert [*map(float, blanc.mean_as_reference(tallies))] == [0, 0, 0]


@given(pair=ANY)
def test_blanc_does_not_see_a_twinless_singleton_among_coreference_links(pair: Pair) -> None:
    gold, system = pair
    before = tallies_of("blanc", gold, system)[0]
    wrong = "a mention without a link changes the coreference links of BLANC"
    assert tallies_of("blanc", (*gold, NEW), system)[0] == before, wrong
    assert tallies_of("blanc", gold, (*system, NEW))[0] == before, wrong


DOES_NOT_ADD_UP = {"blanc": ("a | a", "b | b")}
"""Mentions of two texts joined into one are new links of BLANC."""


@given(one=ANY, other=ANY)
def test_tallies_of_disjoint_documents_add_up_to_that_of_their_union(one: Pair, other: Pair) -> None:
    for name in [name for name, metric in EVERY.items() if metric.adds_up]:
        assert union(name, one, other) == pytest.approx(added(name, one, other), rel=CLOSE), (
            f"{name} of two texts joined into one is not the sum of {text_of(*one)!r} "
            f"and {text_of(*other)!r}. "
            f"If its definition wants that, add it with such a pair to DOES_NOT_ADD_UP in {FILE}"
        )


@pytest.mark.parametrize("name", DOES_NOT_ADD_UP)
def test_tallies_that_do_not_add_up(name: str) -> None:
    assert not COUNTED[name].adds_up
    one, other = (pair_of(text) for text in DOES_NOT_ADD_UP[name])
    adds_up = f"{name} adds up for the pair in DOES_NOT_ADD_UP: find another, or take it out of there"
    assert union(name, one, other) != added(name, one, other), adds_up


def union(name: str, one: Pair, other: Pair) -> list[float]:
    gold, system = ((*here, *elsewhere(there)) for here, there in zip(one, other, strict=True))
    return [number for tally in tallies_of(name, gold, system) for number in tally]


def added(name: str, one: Pair, other: Pair) -> list[float]:
    parts = zip(tallies_of(name, *one), tallies_of(name, *other), strict=True)
    return [here + there for part in parts for here, there in zip(*part, strict=True)]


@pytest.mark.parametrize("average", AVERAGES)
@given(pair=ANY)
def test_a_corpus_copied_twice_keeps_every_score(average: str, pair: Pair) -> None:
    gold, system = map(mentions_of, pair)
    assume(average != "mentions" or (gold and system))  # a side without mentions has no weight
    metrics, overlaps = tuple(EVERY.values()), table(*pair)
    tallies = tuple(metric.tallies(overlaps) for metric in metrics)
    document = Measured("d", len(gold), len(system), tallies)
    chosen = options_from(average=average)
    once = averaged([METRICS[one] for one in OF_CLUSTERS], metrics, [document], chosen).scores
    twice = averaged([METRICS[one] for one in OF_CLUSTERS], metrics, [document, document], chosen).scores
    for name in OF_CLUSTERS:
        wrong = f"{name}, {average}: a corpus of the same document twice must score like the document"
        assert list(twice[name]) == pytest.approx(list(once[name]), abs=CLOSE), wrong
        assert [v.defined for v in twice[name]] == [v.defined for v in once[name]], wrong


@given(pair=ANY)
def test_lea_is_never_above_b_cubed(pair: Pair) -> None:
    """Term by term: n(n−1) / k(k−1) ≤ n² / k²."""
    (lea,), (b_cubed,) = tallies_of("lea", *pair), tallies_of("b_cubed", *pair)
    wrong = f"LEA is above B³ on {text_of(*pair)!r}: one of the two is counted wrongly"
    assert lea.recall_num <= b_cubed.recall_num, wrong
    assert lea.precision_num <= b_cubed.precision_num, wrong
    assert score_of("lea", *pair).f1 <= score_of("b_cubed", *pair).f1 + CLOSE, wrong


@pytest.mark.parametrize(
    ("lower", "higher", "text"),
    [
        ("ceaf_m", "b_cubed", "ab cd ef | abcdef"),
        ("b_cubed", "ceaf_m", "abc | ab"),
        ("ceaf_m", "lea", "abcde fghij k l | abcdefghij k l"),
        ("lea", "ceaf_m", "ab | a b"),
        ("muc", "pairwise", "abe cd | abe fg"),
        ("pairwise", "muc", "abcd | ab cd"),
    ],
)
def test_no_other_two_metrics_are_ordered(lower: str, higher: str, text: str) -> None:
    low, high = (score_of(name, *pair_of(text)).f1 for name in (lower, higher))
    assert low < high, f"on {text!r} {lower} is {low}, which must be below {higher}, {high}"


def test_the_table_of_metrics_is_a_mapping_like_any_other() -> None:
    whole = {name: METRICS[name] for name in METRICS}
    assert METRICS | {} == whole == {} | METRICS
    assert {"muc": METRICS["lea"]} | METRICS == whole
    assert (METRICS | {"muc": METRICS["lea"]})["muc"].name == "lea"
    assert [*reversed(METRICS)] == [*METRICS][::-1]
    assert repr(METRICS).startswith(f"<{len(whole)} metrics: muc, b_cubed, ")
