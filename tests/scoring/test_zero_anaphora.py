"""Zero anaphora, against a slow model on random files of CorefUD, and by its laws.

Each word of the text may have an empty node behind it. A mention is one word or one empty node, so that
mentions of both sides are the same if they are at one place.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zero_model import counts

import scorch2
from scorch2.model.options import OPTIONS

WORDS = 5
Place: TypeAlias = tuple[int, int]
"""Word number, and 1 for the empty node behind it."""
PLACES: Sequence[Place] = [(word, rank) for word in range(1, WORDS + 1) for rank in (0, 1)]
Chains: TypeAlias = Sequence[Sequence[Place]]
LABELS = st.binary(min_size=len(PLACES), max_size=len(PLACES)).map(lambda drawn: [byte % 4 for byte in drawn])
"""The entity of each place; 0 is none."""
SIDE = LABELS.map(
    lambda labels: [
        [place for place, label in zip(PLACES, labels, strict=True) if label == entity]
        for entity in sorted(set(labels) - {0})
    ]
)


def write(chains: Chains, path: Path) -> str:
    """Write a file in which all places exist, and empty nodes have no dependency."""
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    home = {place: f"e{number}" for number, members in enumerate(chains) for place in members}
    for place in PLACES:
        word, rank = place
        ident = f"{word}.1" if rank else str(word)
        said = f"Entity=({home[place]}--1-)" if place in home else "_"
        deps = f"{word}:dep" if rank else "_"
        lines.append("\t".join([ident, f"w{word}", *"_" * 6, deps, said]))
    path.write_text("\n".join(lines) + "\n\n", "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zeros")


def tally(gold: Chains, system: Chains, folder: Path, **choices: Any) -> tuple[float, ...]:
    paths = write(gold, folder / "gold.conllu"), write(system, folder / "system.conllu")
    return tuple(scorch2.score(*paths, metrics=["zero"], **choices).tallies("zero_anaphora")[""])


def zeros(chains: Chains) -> set[Place]:
    return {place for members in chains for place in members if place[1]}


def model(gold: Chains, system: Chains) -> tuple[int, int, int, int]:
    there = {place for members in system for place in members}
    counterpart = {place: place for members in gold for place in members if place in there}
    return counts(gold, system, zeros(gold), zeros(system), counterpart)  # type: ignore[arg-type]  # places are hashable


@pytest.mark.parametrize("zeros_by", ["place", "dependency"])
@pytest.mark.parametrize("lookup", ["pairs", "reference"])
@given(gold=SIDE, system=SIDE)
def test_counts_are_those_of_the_model(
    zeros_by: Any, lookup: Any, gold: Chains, system: Chains, folder: Path
) -> None:
    """Each empty node depends on the word before it, so that place and dependency give the same pairs."""
    assert tally(gold, system, folder, zeros=zeros_by, lookup=lookup) == model(gold, system)


@given(gold=SIDE, system=SIDE)
def test_dropped_singletons_change_the_antecedents_alone(gold: Chains, system: Chains, folder: Path) -> None:
    kept = [[members for members in side if len(members) > 1] for side in (gold, system)]
    found = tally(gold, system, folder, singletons="drop")
    assert found == model(*kept)


@given(side=SIDE)
def test_a_perfect_system_resolves_all(side: Chains, folder: Path) -> None:
    right, of_gold, _, of_system = tally(side, side, folder)
    assert right == of_gold == of_system


@given(gold=SIDE, system=SIDE)
def test_names_and_order_of_entities_do_not_matter(gold: Chains, system: Chains, folder: Path) -> None:
    assert tally(gold[::-1], system[::-1], folder) == tally(gold, system, folder)


def test_counted_by_hand(tmp_path: Path) -> None:
    """Gold: four zeros have an antecedent. The system resolves one, links one to another chain, has one as
    the first of its chain, lacks one, and invents one.
    """
    gold: Chains = [[(1, 0), (1, 1), (2, 1), (4, 1)], [(2, 0), (3, 1)]]
    system: Chains = [[(1, 0), (1, 1), (3, 1)], [(2, 1), (4, 0)], [(3, 0), (5, 1)]]
    assert tally(gold, system, tmp_path) == (1, 4, 1, 3)
    assert model(gold, system) == (1, 4, 1, 3)


@pytest.mark.parametrize("lookup", OPTIONS["lookup"].values)
def test_a_side_without_empty_nodes_is_refused(lookup: Any, tmp_path: Path) -> None:
    nodes, plain = tmp_path / "nodes.conllu", tmp_path / "plain.conll"
    rows = "".join(f"{number}\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n" for number in (1, 2))
    nodes.write_text(f"# newdoc id = d\n# global.Entity = eid\n{rows}\n", encoding="utf-8")
    plain.write_text("#begin document (d); part 000\nw\t(1)\nw\t(1)\n\n#end document\n", encoding="utf-8")
    for gold, system in ((plain, nodes), (nodes, plain)):
        with pytest.raises(scorch2.InputError) as caught:
            scorch2.score(gold, system, metrics=["zero_anaphora"], lookup=lookup)
        assert caught.value.path == str(plain)
