"""Ends of intervals: neleval's quantiles, from the lowest and highest values alone."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.analysis import bootstrap
from scorch2.analysis.bootstrap import Ends
from scorch2.model.results import Interval


def interval(values: Sequence[float], level: float, *, add: int = 1000) -> Interval:
    """The interval of some values, of which `add` come at once."""
    ends = Ends(len(values), level)
    for start in range(0, len(values), add):
        ends.add(np.array(values[start : start + add]))
    return ends.interval(level)


def weibull(values: Sequence[float], percent: float) -> float:
    """neleval's quantile: rank percent/100 · (n + 1), counted from 1, between its neighbours."""
    ordered = sorted(values)
    rank = percent / 100 * (len(ordered) + 1)
    below = math.floor(rank)
    if below < 1:
        return ordered[0]
    if below >= len(ordered):
        return ordered[-1]
    return ordered[below - 1] + (rank - below) * (ordered[below] - ordered[below - 1])


@given(
    values=st.lists(st.floats(0, 1), min_size=1, max_size=60),
    level=st.sampled_from([50.0, 80.0, 95.0, 99.9]),
    add=st.integers(1, 60),
    spare=st.integers(0, 10),
)
def test_intervals_are_weibull_quantiles(values: list[float], level: float, add: int, spare: int) -> None:
    """However the values come, and however few wait until the ends are chosen."""
    tail = (100 - level) / 2
    expected = weibull(values, tail), weibull(values, 100 - tail)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "_SPARE", spare)
        assert interval(values, level, add=add) == pytest.approx(expected, abs=1e-6)


def test_intervals_are_those_of_numpy() -> None:
    random = np.random.default_rng(3)
    for trials in (1, 2, 7, 1000, 2500):
        values = random.random(trials)
        for level in (1.0, 90.0, 95.0, 99.0):
            tail = (100 - level) / 200
            low, high = np.quantile(values, [tail, 1 - tail], method="weibull").tolist()
            assert interval(values.tolist(), level) == (round(low, 6), round(high, 6))


def test_of_many_trials_only_the_ends_are_kept() -> None:
    """95 % need the lowest and the highest 2.5 %, here of a million; the rest may not stay."""
    ends = Ends(1_000_000, 95)
    held = []
    random = np.random.default_rng(0)
    for _ in range(125):
        ends.add(random.random(8000))
        arrays = [ends._lowest, ends._highest, *ends._waiting]  # noqa: SLF001 - what the memory holds
        held.append(sum(array.nbytes if array.base is None else array.base.nbytes for array in arrays))
    assert max(held) < 8 * 0.12 * 1_000_000
    assert ends.interval(95) == pytest.approx((0.025, 0.975), abs=0.001)
