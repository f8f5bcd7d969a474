"""Tallies add up exactly; a score is its main part; its parts unpack and have names; equal ones are equal."""

import copy
import json
import pickle
import statistics
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis.agreement import Coefficient
from scorch2.model.results import CountedScore
from scorch2.model.score import UNDEFINED, MeanScore, Rate, Score, ScoreParts, Tally, Value, exact_sum, pooled

CLASSES = (Score, MeanScore, Rate, CountedScore, Coefficient)
FEW = st.sampled_from([Value(0), UNDEFINED, Value(0.5), Value(1)])
SCORES = st.sampled_from(CLASSES).flatmap(
    lambda of: st.tuples(*[FEW for _ in of._fields]).map(lambda parts: of(*parts))
)
LOW_F1 = Score(Value(0.9), Value(0.1), Value(0.18))
HIGH_F1 = Score(Value(0.5), Value(0.5), Value(0.5))


def main(score: ScoreParts) -> Value:
    return score._asdict()["f1" if "f1" in score._fields else score._fields[0]]


@given(SCORES)
def test_it_is_the_number_of_its_main_part(score: ScoreParts) -> None:
    number = float(main(score))
    assert (float(score), score == number, number == score, score.defined) == (
        number,
        True,
        True,
        main(score).defined,
    )
    assert (score + 1, 1 - score, score * 100, round(score, 1)) == (
        number + 1,
        1 - number,
        number * 100,
        round(number, 1),
    )
    assert (type(score * 100), type(float(score))) == (float, float)
    assert (f"{score:.2f}", f"{score:.1%}", f"{score}") == (f"{number:.2f}", f"{number:.1%}", repr(score))
    assert json.loads(json.dumps({"f": score})) == {"f": number}


@given(SCORES)
def test_its_parts_unpack_and_have_names(score: ScoreParts) -> None:
    parts = [getattr(score, name) for name in score._fields]
    assert [*score] == parts == [score[place] for place in range(len(score))] == [*score[:]]
    assert score._asdict() == dict(zip(score._fields, parts, strict=True))
    assert score[-1] is parts[-1]
    assert repr(score) == f"{type(score).__name__}({', '.join(map('{}={}'.format, score._fields, parts))})"
    with pytest.raises(AttributeError):
        setattr(score, score._fields[0], Value(1))


@given(SCORES)
def test_copies_are_equal_and_keep_what_is_undefined(score: ScoreParts) -> None:
    for made in (
        copy.copy(score),
        copy.deepcopy(score),
        type(score)(**score._asdict()),
        *(pickle.loads(pickle.dumps(score, protocol)) for protocol in range(6)),  # noqa: S301 - our own
    ):
        assert (made, type(made), made.defined) == (score, type(score), score.defined)
        assert [part.defined for part in made] == [part.defined for part in score]


@given(SCORES, SCORES)
def test_two_are_equal_only_with_all_parts_and_then_have_one_hash(one: ScoreParts, two: ScoreParts) -> None:
    def shown(score: ScoreParts) -> object:
        return score._fields, [(float(part), part.defined) for part in score]

    assert (one == two) is (shown(one) == shown(two)) is (two == one) is not (one != two)
    assert hash(one) == hash(float(one))  # that of the number, which it equals
    assert [one < two, one <= two, one > two, one >= two] == [
        float(one) < float(two),
        float(one) <= float(two),
        float(one) > float(two),
        float(one) >= float(two),
    ]


def test_the_best_of_several_is_that_of_the_best_f1() -> None:
    assert max([LOW_F1, HIGH_F1]) is HIGH_F1
    assert sorted([HIGH_F1, LOW_F1]) == [LOW_F1, HIGH_F1]
    assert max({"one": LOW_F1, "two": HIGH_F1}.items(), key=lambda item: item[1])[0] == "two"


def test_means_are_of_the_main_part() -> None:
    made: Any
    for scores in ([LOW_F1, HIGH_F1], [MeanScore(Value(0.18)), MeanScore(Value(0.5))]):
        for made in (np.mean(scores), statistics.mean(scores), statistics.fmean(scores), sum(scores) / 2):
            assert made == pytest.approx(0.34)
        assert np.array(scores).tolist() == [0.18, 0.5]
    made = statistics.mean([MeanScore(Value(0.5))])
    assert isinstance(made.f1, Value)


def test_parts_that_a_score_lacks_are_none() -> None:
    mean: Any = MeanScore(Value(0.5))
    rate: Any = Rate(Value(0.25))
    assert (mean.recall, mean.precision, mean.f1) == (None, None, 0.5)
    assert (rate.recall, rate.precision, rate.f1) == (0.25, None, None)


@pytest.mark.parametrize(("of", "number"), [*product((Score, CountedScore), (0, 2))])
def test_all_parts_are_needed(of: type[ScoreParts], number: int) -> None:
    with pytest.raises(TypeError, match=f"^{of.__name__} takes recall, precision, f1"):
        of(*[Value(0)] * number)
    with pytest.raises(TypeError, match="takes recall"):
        of(*[Value(0)] * len(of._fields), more=Value(1))


@pytest.mark.parametrize("of", CLASSES)
def test_patterns_name_its_parts(of: Any) -> None:
    assert of.__match_args__ == of._fields


# Tallies

NUMBERS = st.integers(0, 10**6) | st.floats(0, 1e6)
TALLIES = st.builds(Tally, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@given(st.dictionaries(st.integers(1, 400), st.integers(0, 10**6), min_size=1))
def test_a_sum_of_fractions_is_the_float_nearest_to_the_exact_one(numerators: dict[int, int]) -> None:
    exact = sum(Fraction(number, denominator) for denominator, number in numerators.items())
    assert exact_sum(numerators) == float(exact), "exact_sum must divide once, after all additions"


@given(tallies=st.lists(TALLIES, max_size=8), random=st.randoms(use_true_random=False))
def test_pooling_is_exact_and_does_not_depend_on_the_order(tallies: list[Tally], random: Random) -> None:
    shuffled = random.sample(tallies, len(tallies))
    assert pooled(shuffled) == pooled(tallies), "another order of the documents gives another sum"
    for field in Tally._fields:
        exact = sum(Fraction(getattr(tally, field)) for tally in tallies)
        found = getattr(pooled(tallies), field)
        assert found == float(exact), f"{field} is {found!r}, not the exact sum {float(exact)!r}"


@pytest.mark.parametrize("number", [0, 3, 10**17 + 1])
def test_whole_numbers_stay_whole(number: int) -> None:
    (found,) = {*pooled([Tally(number, number, number, number)])}
    assert (found, type(found)) == (number, int)


def test_nothing_pools_to_0() -> None:
    assert pooled([]) == (0, 0, 0, 0)
