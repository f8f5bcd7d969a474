"""Mentions that are the same though they are not equal: against the CorefUD scorer 1.2, and an exact model.

The numbers of the scorer are in `fixtures/universal_anaphora`; where it differs from its own alignment of
zeros, `by_alignment` is what counts.
"""

import itertools
import math
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import peer_runs
import pytest
from effort import assert_in_proportion
from every import every
from hypothesis import given
from hypothesis import strategies as st
from peer_runs import FOLDER

import scorch2
from scorch2.cli.main import main
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching import partners as solver
from scorch2.scoring.matching.lookups import partner_names
from scorch2.scoring.matching.partners import best_pairs, dense_assignment

METRICS = peer_runs.metrics("muc bcub ceafe ceafm lea")
REFUSED = {
    "corefud-14-span-in-two-entities",
    "corefud-23-missing-last-sentence",
    "corefud-24-span-in-two-entities-zero",
}
"""A mention in two entities, and fewer sentences than gold: errors."""
ZEROS = {"linear": "place", "dependent": "dependency"}
WEIGHTS = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), st.sampled_from([0.5, 1 / 3, 2 / 3, 1.0]), max_size=14
)


def runs() -> list[tuple[str, peer_runs.Run]]:
    return [
        (case, run)
        for case, run in peer_runs.runs("corefud-*")
        if run["peer"] == "corefud-scorer 1.2" and "error" not in run and case not in REFUSED
    ]


def test_all_runs_are_there() -> None:
    assert len(runs()) == 210


@every(("case", "run"), runs())
def test_scores_are_those_of_the_corefud_scorer(case: str, run: peer_runs.Run) -> None:
    args = run["args"]
    choices: dict[str, Any] = {
        "match": args[args.index("-a") + 1],
        "zeros": ZEROS[args[args.index("-z") + 1]],
        "singletons": "keep" if "-s" in args else "drop",
    }
    gold, system = (FOLDER / case / f"{side}.conllu" for side in ("key", "sys"))
    report = scorch2.score(
        gold, system, average="pooled", undefined="zero", metrics=list(METRICS.values()), **choices
    )
    peer_runs.check(report, {**run["scores"], **run.get("by_alignment", {})}, METRICS)


def test_zeros_are_dropped_before_singletons() -> None:
    path = FOLDER / "corefud-12-zero-chain-collision" / "key.conllu"
    kept = scorch2.score(path, path, metrics=["mentions"])
    dropped = scorch2.score(path, path, metrics=["mentions"], zeros="drop")
    alone = scorch2.score(path, path, metrics=["mentions"], zeros="drop", singletons="drop")
    sizes = [report.documents[0].gold_mentions for report in (kept, dropped, alone)]
    assert sizes == [9, 6, 6], "three zeros, one in each entity of three mentions"


@pytest.mark.parametrize("option", [{"match": "head"}, {"match": "partial"}, {"zeros": "dependency"}])
def test_formats_without_heads_are_refused(option: dict[str, Any]) -> None:
    path = FOLDER.parent / "example" / "gold.conll"
    asked = "".join(f'{name}="{value}"' for name, value in option.items())
    instead = 'zeros="place"' if "zeros" in option else 'match="exact"'
    why = rf"neither heads nor empty nodes, which {asked} needs \(use {instead}\)"
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.score(path, path, **option)


@given(weights=WEIGHTS)
def test_pairs_have_the_largest_sum(weights: dict[tuple[int, int], float]) -> None:
    found = best_pairs(weights, 5, 5)
    assert (
        len({row for row, _ in found.pairs}) == len({column for _, column in found.pairs}) == len(found.pairs)
    )
    largest = max(
        sum(weights.get(pair, 0) for pair in enumerate(columns))
        for columns in itertools.permutations(range(5))
    )
    assert math.isclose(sum(weights[pair] for pair in found.pairs), largest)


@given(weights=WEIGHTS)
def test_of_several_best_choices_that_of_scipy_is_taken(weights: dict[tuple[int, int], float]) -> None:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    matrix = np.zeros((5, 5))
    for pair, weight in weights.items():
        matrix[pair] = -weight
    chosen = [(int(row), int(column)) for row, column in zip(*linear_sum_assignment(matrix), strict=True)]
    assert best_pairs(weights, 5, 5).pairs == [pair for pair in chosen if pair in weights]


def test_a_matrix_is_made_up_to_a_size_and_only_for_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    tied, clear = {(0, 0): 1.0, (0, 1): 1.0}, {(0, 0): 1.0, (0, 1): 0.5}
    monkeypatch.setattr(solver, "_LARGEST", 2)
    assert not best_pairs(tied, 2, 2).by_groups
    for rows, columns in ((3, 2), (2, 3), (3, 3)):
        found = best_pairs(tied, rows, columns)
        assert (found.by_groups, len(found.pairs)) == (True, 1)
        assert best_pairs(clear, rows, columns) == ([(0, 0)], False), "there is only one best choice"


@given(
    costs=st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from([0.0, -0.5, -1.0, -1 / 3]), min_size=width, max_size=width),
            min_size=1,
            max_size=5,
        )
    )
)
def test_ties_are_broken_as_by_scipy(costs: list[list[float]]) -> None:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    expected = [-1] * len(costs)
    for row, column in zip(*linear_sum_assignment(np.array(costs)), strict=True):
        expected[row] = int(column)
    assert dense_assignment(costs) == expected


@given(weights=WEIGHTS)
def test_the_matrix_decides_only_if_several_choices_are_best(weights: dict[tuple[int, int], float]) -> None:
    """Without a matrix, `by_groups` says whether there were any; all choices are tried here, in twelfths."""
    with mock.patch.object(solver, "_LARGEST", 0), mock.patch.object(solver, "align_with_scipy", any_pairs):
        by_groups = best_pairs(weights, 5, 5).by_groups
    choices = {
        frozenset(pair for pair in enumerate(columns) if pair in weights)
        for columns in itertools.permutations(range(5))
    }
    sums = sorted(sum(round(12 * weights[pair]) for pair in pairs) for pairs in choices)
    assert by_groups == (sums[-2:-1] == sums[-1:])


def any_pairs(_cells: object, _positions: object) -> list[int]:
    return []


@pytest.mark.parametrize("limit", [0, 10**9])
@given(weights=WEIGHTS)
def test_large_groups_and_matrices_are_solved_alike(
    weights: dict[tuple[int, int], float], limit: int
) -> None:
    """It is a matter of time alone whether a search or a matrix decides, and whether scipy solves it."""
    expected = best_pairs(weights, 5, 5)
    with mock.patch.object(solver, "LARGE", 0), mock.patch.object(solver, "_MANY", limit):
        assert best_pairs(weights, 5, 5) == expected


def test_a_group_too_large_for_a_matrix_is_solved_all_the_same() -> None:
    chain = {(row, column): 1.0 + (row == column) for row in range(7) for column in (row, row + 1)}
    with mock.patch.object(solver, "LARGE", 0), mock.patch.object(solver, "_LARGEST", 3):
        best = best_pairs(chain, 7, 8)
    assert best == ([(row, row) for row in range(7)], True)


def test_pairs_of_a_chain_are_found_in_proportion_to_it() -> None:
    """Each mention may have one of two partners, and one choice is best: no matrix is made."""
    random = Random(0)  # noqa: S311 - a sample, not a secret

    def run(number: int) -> None:
        weights = {(row, row + step): random.random() for row in range(number) for step in (0, 1)}
        assert not best_pairs(weights, 10_000, 10_000).by_groups

    assert_in_proportion(run, 100)


@pytest.mark.parametrize(
    "choices", [["--match=head"], ["--match=partial", "--zeros=dependency"], ["--zeros=drop"]]
)
def test_errors_are_counted_on_the_same_pairs(choices: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    sides = [str(FOLDER / "corefud-r01" / f"{side}.conllu") for side in ("key", "sys")]
    assert main(["errors", "-q", *choices, *sides]) == 0
    assert "mentions=" in capsys.readouterr().out


def test_formats_without_zeros_have_none_to_drop(tmp_path: Path) -> None:
    """Of either side, or of one: against CorefUD, whose zero goes."""
    columns, rows = tmp_path / "d.conll", tmp_path / "d.conllu"
    columns.write_text("#begin document (d);\nw\t(1)\nw\t(1)\n#end document\n", "utf-8")
    cells = [("1", "(e--1)"), ("1.1", "(e--1)"), ("2", "(e--1)")]
    lines = "".join(f"{name}\tw\t_\t_\t_\t_\t0\t_\t_\tEntity={cell}\n" for name, cell in cells)
    rows.write_text(f"# newdoc id = d\n# global.Entity = eid-etype-head\n{lines}\n", "utf-8")
    for gold in (columns, rows):
        for lookup in ("pairs", "reference"):
            report = scorch2.score(gold, columns, zeros="drop", lookup=lookup, metrics=["mentions"])
            assert tuple(report.tallies("mentions")[""]) == (2, 2, 2, 2)
    assert scorch2.score(rows, columns, metrics=["mentions"]).mentions.recall == 2 / 3


def test_mentions_are_called_as_their_partners_or_as_no_gold_mention() -> None:
    gold = Partition(dict.fromkeys([(0, 1), (1, 2), (2, 3)], 0), [3])
    system = Partition(dict.fromkeys([(0, 1), (1, 2), (2, 3), (8, 9), (9, 9)], 0), [5])
    called = partner_names(gold, system, {(0, 1): (1, 2), (2, 3): (9, 9)})
    assert (called[1, 2], called[9, 9], called[8, 9]) == ((0, 1), (2, 3), (8, 9))
    alone = {called[0, 1], called[2, 3]}
    assert len(alone) == 2
    assert alone.isdisjoint(gold.owner)


def test_kinds_of_mentions_may_not_be_mixed_without_zeros(tmp_path: Path) -> None:
    paths = tmp_path / "strings.json", tmp_path / "integers.json"
    for path, members in zip(paths, ('"1", "2"', "1, 2"), strict=True):
        path.write_text(f'{{"type": "clusters", "clusters": {{"a": [{members}]}}}}', "utf-8")
    with pytest.raises(scorch2.InputError, match="integers such as 1, but in gold strings"):
        scorch2.score(*paths, zeros="drop")


@pytest.mark.parametrize(
    "words", [["-j", "1"], ["-j", "2"], ["--lookup=reference"], ["--by=width", "-f", "tsv"]]
)
@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("corefud-06-discontinuous", "5 pairs of mentions: 3 equal, 2 by match=head"),
        ("corefud-08-zero-moved", "5 pairs of mentions: 4 equal, 1 by zeros=dependency"),
    ],
)
def test_verbose_says_how_mentions_matched(
    case: str, said: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The scorer lists as many pairs that are not equal, in `inexact_alignment`."""
    sides = [str(FOLDER / case / f"{side}.conllu") for side in ("key", "sys")]
    assert main(["-v", "-m", "muc", "--match=head", "--zeros=dependency", *words, *sides]) == 0
    assert f"scorch2: {said}\n" in capsys.readouterr().err
