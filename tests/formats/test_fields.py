"""The clusters that links connect: a mapping like any other, whatever it keeps inside."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.formats.fields import NumberedClusters, components

mentions = st.lists(st.integers(0, 9) | st.tuples(st.integers(0, 3)), unique=True, min_size=1, max_size=8)


@given(declared=mentions, data=st.data())
def test_clusters_are_those_of_a_dictionary(declared: list[int | tuple[int]], data: st.DataObject) -> None:
    ends = st.sampled_from(declared)
    links = data.draw(st.lists(st.tuples(ends, ends), max_size=6))
    groups = [{mention} for mention in declared]
    for link in links:
        joined = [group for group in groups if group & set(link)]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    groups.sort(key=lambda group: min(map(declared.index, group)))
    expected = {str(number): group for number, group in enumerate(groups)}

    found = components(declared, links)
    assert {name: set(members) for name, members in found.items()} == expected
    assert [set(members) for members in found.values()] == groups
    assert all(len(members) == len(set(members)) for members in found.values())
    assert {name: set(found[name]) for name in found} == expected
    assert len(found) == len(expected)
    assert dict(found) == found == pickle.loads(pickle.dumps(found))  # noqa: S301 - as workers do


@pytest.mark.parametrize("name", ["2", "-1", "00", "", "a", "²", "\u0660", "1" * 5000])
def test_no_cluster_has_another_name(name: str) -> None:
    found = NumberedClusters(["m", ["n", "o"]])
    assert name not in found
    assert found["1"] == ["n", "o"]


def test_mentions_can_be_replaced() -> None:
    found = NumberedClusters([1, [2, 3]]).replaced(lambda mention: (mention,))
    assert dict(found) == {"0": ((1,),), "1": [(2,), (3,)]}
