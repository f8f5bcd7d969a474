"""Laws of every pair of files: ARE against its plain model, and the symmetries of the tasks."""

import random
from fractions import Fraction

import are_model
from are_files import by_id, clusterings, resolutions, resolved, shifted, spans_of, tally, xml
from are_model import Side
from hypothesis import given
from hypothesis import strategies as st

from scorch2.model.score import Tally
from scorch2.tasks.anaphora import align


def floats(earned: Fraction, gold: int, system: int) -> Tally:
    return Tally(float(earned), gold, float(earned), system)


def shuffled(side: Side, seed: int) -> Side:
    """Return a side with chains, elements and pairs in another order."""
    dice = random.Random(seed)  # noqa: S311 - any order will do
    chains = [dice.sample(list(members), len(members)) for members in side.chains]
    pairs = list(side.pairs.items())
    return Side(dice.sample(chains, len(chains)), dict(dice.sample(pairs, len(pairs))), side.pronouns)


# Against the model


@given(resolutions())
def test_task_3_is_what_the_model_says(sides: tuple[Side, Side]) -> None:
    gold, system = sides
    found = resolved(3, xml(gold), xml(system))
    assert found.measured.tallies == ((floats(*are_model.pronouns(gold, system)),),)
    asked = are_model.to_resolve(gold)
    expected = {one: are_model.credit(gold, system, one) for one in asked}
    assert {one: (Fraction(value), reason) for one, value, reason in found.items} == expected


@given(resolutions(exact=True))
def test_task_1_is_what_the_model_says(sides: tuple[Side, Side]) -> None:
    gold, system = map(by_id, sides)
    found = resolved(1, xml(gold), xml(system))
    earned, asked, _ = are_model.pronouns(gold, system)
    assert found.measured.tallies == ((Tally(float(earned), asked, 0, 0),),)
    expected = {one: are_model.credit(gold, system, one) for one in are_model.to_resolve(gold)}
    assert {one: (Fraction(value), reason) for one, value, reason in found.items} == expected


@given(clusterings())
def test_task_4_is_what_the_model_says(sides: tuple[Side, Side]) -> None:
    found = resolved(4, *map(xml, sides))
    assert found.measured.tallies == ((floats(*are_model.chains(*sides)),),)
    assert [pair[:2] for pair in found.items] == sorted(are_model.alignment(*sides))


@given(clusterings())
def test_task_2_is_what_the_model_says(sides: tuple[Side, Side]) -> None:
    gold, system = map(by_id, sides)
    assert tally(2, xml(gold), xml(system)) == are_model_muc(gold, system)


def are_model_muc(gold: Side, system: Side) -> Tally:
    kept = sum(max(len(set(one) & set(other)) - 1, 0) for one in gold.chains for other in system.chains)
    links = [sum(len(members) - 1 for members in side.chains) for side in (gold, system)]
    return Tally(kept, links[0], kept, links[1])


# Symmetries


@given(clusterings(exact=True))
def test_task_4_with_exact_spans_is_task_2(sides: tuple[Side, Side]) -> None:
    exact = all(one == other for one, other in are_model.alignment(*sides))
    if exact:
        assert tally(4, *map(xml, sides)) == tally(2, *map(xml, map(by_id, sides)))


@given(clusterings())
def test_swapping_sides_swaps_recall_and_precision(sides: tuple[Side, Side]) -> None:
    gold, system = map(xml, sides)
    there, back = tally(4, gold, system), tally(4, system, gold)
    assert back == Tally(*there[2:], *there[:2])
    ids = [xml(by_id(side)) for side in sides]
    there, back = tally(2, *ids), tally(2, *reversed(ids))
    assert back == Tally(*there[2:], *there[:2])


@given(clusterings())
def test_swapping_sides_swaps_the_alignment(sides: tuple[Side, Side]) -> None:
    gold, system = map(spans_of, sides)
    there, back = align(gold, system), align(system, gold)
    assert {(one.gold, one.system) for one in there} == {(one.system, one.gold) for one in back}


@given(st.one_of(resolutions(), clusterings()), st.integers())
def test_order_does_not_matter(sides: tuple[Side, Side], seed: int) -> None:
    for task in (1, 2, 3, 4):
        gold, system = sides if task in (3, 4) else map(by_id, sides)
        there = resolved(task, xml(gold), xml(system))
        back = resolved(task, xml(shuffled(gold, seed)), xml(shuffled(system, seed)))
        assert back.measured == there.measured, f"task {task} counts otherwise in another order"
        assert sorted(back.items) == sorted(there.items), f"task {task} has other items in another order"


@given(st.one_of(resolutions(), clusterings()))
def test_values_do_not_matter(sides: tuple[Side, Side]) -> None:
    for task in (1, 2, 3, 4):
        gold, system = sides if task in (3, 4) else map(by_id, sides)
        plain = resolved(task, xml(gold), xml(system))
        told = resolved(task, xml(gold, value=' value="the cat"'), xml(system, value=' value="it"'))
        assert told == plain, f"task {task} looks at the attribute value"


@given(resolutions(exact=True))
def test_recall_of_task_3_with_exact_spans_is_the_success_rate(sides: tuple[Side, Side]) -> None:
    assert tally(3, *map(xml, sides))[:2] == tally(1, *map(xml, map(by_id, sides)))[:2]


@given(st.one_of(resolutions(), clusterings()), st.sampled_from([1, 7, 2**26, 10**15]))
def test_where_the_text_begins_does_not_matter(sides: tuple[Side, Side], by: int) -> None:
    gold, system = sides
    for task in (3, 4):
        moved = resolved(task, xml(shifted(gold, by)), xml(shifted(system, by)))
        wrong = f"task {task} counts otherwise if the text begins {by} characters later"
        assert moved.measured == resolved(task, xml(gold), xml(system)).measured, wrong


@given(clusterings())
def test_stretched_spans_that_floats_cannot_tell_apart_align_alike(sides: tuple[Side, Side]) -> None:
    gold, system = map(spans_of, sides)
    factor = 2**40 + 1
    longer = [[(start * factor, end * factor) for start, end in side] for side in (gold, system)]
    there = align(gold, system)
    back = {(one.gold[0] // factor, one.system[0] // factor) for one in align(*longer)}
    assert back == {(one.gold[0], one.system[0]) for one in there}
