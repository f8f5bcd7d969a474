"""Tallies add up to the same bit in every order, and sums of fractions are rounded once."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.model.score import Tally, exact_sum, pooled

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
