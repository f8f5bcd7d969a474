"""`--list=entities`: counted by hand on the example, and against plain sets on random pairs."""

import json
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from effort import assert_in_proportion, share_of
from exact_comparison import random_pairs
from exact_model import Clusters, entity_alignment

import scorch2
from scorch2.cli.main import main
from scorch2.reports.errors import errors_tsv, repr_html_of_errors

ROOT = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = [str(ROOT / "example" / f"{side}.conll") for side in ("gold", "sys")]
ENTITY = ("entity_f1", "entity_f1_weighted", "conll")
BY_HAND: Mapping[str, Mapping[str, object]] = {
    # The captain, who is Mara Lind in the system's other entity: three mentions, two of them in one
    "harbour-000 gold 3": {
        "mentions": 3, "aligned": "3", "aligned_mentions": 2, "f1": 4 / 5, "shared": 3, "pieces": 2,
        "best": "3", "overlap": 2, "outside": 1, "merged": [],
    },
    # Engineers, one mention, in the entity of the system that holds two of the three of the city council.
    # The entity of the system has one mention that is shared with either of the two in the best alignment.
    "bridge-000 gold 1": {
        "mentions": 3, "pieces": 2, "best": "3", "overlap": 2, "outside": 1, "merged": ["3"],
        "aligned": "1", "aligned_mentions": 1, "f1": 1 / 2, "shared": 3,
    },
    "bridge-000 gold 3": {
        "mentions": 1, "pieces": 1, "best": "3", "overlap": 1, "outside": 0, "merged": ["1"],
        "aligned": "3", "aligned_mentions": 3, "f1": 1 / 2, "shared": 1,
    },
    "harbour-000 gold 5": {
        "mentions": 1, "pieces": 0, "best": None, "overlap": 0, "outside": 1, "merged": [],
        "aligned": None, "aligned_mentions": 0, "f1": 0, "shared": 0,
    },
}  # fmt: skip


def listed(*words: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["errors", "-q", "--list=entities", "-f", "json", *words]) == 0
    found = json.loads(capsys.readouterr().out)["list"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("place", BY_HAND)
def test_rows_counted_by_hand(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        f"{row['document']} {row['side']} {row['entity']}": row for row in listed(*EXAMPLE, capsys=capsys)
    }
    found = {**rows[place], "f1": round(rows[place]["f1"], 12)}
    assert {name: found[name] for name in BY_HAND[place]} == BY_HAND[place]


def test_the_most_mentions_outside_the_largest_piece_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    outside = [row["outside"] for row in listed(*EXAMPLE, capsys=capsys)]
    assert outside == sorted(outside, reverse=True)
    assert len(set(outside)) > 1


@pytest.mark.parametrize("how", ["aligned", "names"])
def test_rows_are_those_of_plain_sets(how: Any) -> None:
    for sides in random_pairs(share_of(200), seed=27):
        gold, system = ({str(n): [*one] for n, one in enumerate(side)} for side in sides)
        found = scorch2.errors(gold, system, list="entities", entities=how)
        rows = {(row["side"], row["entity"]): row for row in found.list}
        assert len(rows) == len(gold) + len(system)
        aligned = {g: rows["gold", str(g)]["aligned"] for g in range(len(sides[0]))}
        pairs = {g: int(s) for g, s in aligned.items() if s is not None}
        if how == "aligned":
            best = {g: s for g, s in enumerate(entity_alignment(*sides)) if s is not None}
            assert gained(sides, pairs) == gained(sides, best)
        if how == "names":
            pairs = {n: n for n in range(min(map(len, sides))) if sides[0][n] & sides[1][n]}
        flipped = {s: g for g, s in pairs.items()}
        for label, own, others, aligned in (("gold", *sides, pairs), ("system", *sides[::-1], flipped)):
            for number in range(len(own)):
                check(rows[label, str(number)], number, own, others, aligned)
        f1s = [row["f1"] for row in found.list if row["side"] == "gold"]
        if f1s:
            report = scorch2.score(gold, system, metrics=["entity_f1"], entities=how)
            assert report["entity_f1"].f1 == pytest.approx(sum(f1s) / len(f1s))


def gained(sides: Sequence[Clusters], pairs: Mapping[int, int]) -> tuple[int, Fraction]:
    """Return how many mentions pairs of entities share, and their F1 together."""
    both = [(sides[0][g], sides[1][s]) for g, s in pairs.items()]
    f1s = [Fraction(2 * len(one & other), len(one) + len(other)) for one, other in both]
    return sum(len(one & other) for one, other in both), sum(f1s, Fraction(0))


def test_no_order_of_clusters_or_mentions_matters() -> None:
    """The entity {b, c} of gold shares a mention with either of two: the one of the higher F1 counts."""
    gold, system = {"0": ["b", "c"]}, {"x": ["a", "b"], "y": ["c"]}
    for order in (system, dict(reversed(system.items()))):
        report = scorch2.score(gold, order, metrics=["entity_f1", "entity_f1_weighted"])
        assert report["entity_f1"].f1 == report["entity_f1_weighted"].f1 == pytest.approx(2 / 3)
        (row,) = [row for row in scorch2.errors(gold, order, list="entities").list if row["side"] == "gold"]
        assert row["aligned"] == "y"


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_clusters_have_the_same_list_and_scores(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret
    for sides in random_pairs(60, seed=seed):
        named = [{str(n): sorted(map(str, one)) for n, one in enumerate(side)} for side in sides]
        shuffled = [
            dict(dice.sample([(name, dice.sample(one, len(one))) for name, one in side.items()], len(side)))
            for side in named
        ]
        reports = [scorch2.errors(*pair, list="entities", metrics=ENTITY) for pair in (named, shuffled)]
        assert reports[0].list == reports[1].list
        assert reports[0].to_dict()["scores"] == reports[1].to_dict()["scores"]


def test_a_row_names_twenty_merged_entities_and_counts_the_others() -> None:
    """The system joins thirty gold entities of one mention: each is merged with 29."""
    gold, system = {str(n): [f"m{n}"] for n in range(30)}, {"all": [f"m{n}" for n in range(30)]}
    found = scorch2.errors(gold, system, list="entities")
    row = next(row for row in found.list if (row["side"], row["entity"]) == ("gold", "3"))
    assert list(row)[-1] == "merged_count"
    assert (row["merged_count"], row["merged"]) == (29, [str(n) for n in range(21) if n != 3])
    named = f"{', '.join(row['merged'])}, … 9 more"
    for shown in (errors_tsv(found), found.to_markdown(), repr_html_of_errors(found)):
        assert named in shown
    assert "… 9 more" in str(found)


@pytest.mark.parametrize("listing", ["entities", "errors"])
def test_rows_of_one_entity_in_many_pieces_are_found_in_proportion(listing: Any) -> None:
    def listed_in_pieces(number: int) -> None:
        mentions = [f"m{n}" for n in range(number)]
        pieces = {str(n): mentions[n : n + 2] for n in range(0, number, 2)}
        scorch2.errors({"all": mentions}, pieces, list=listing, gains="none")

    assert_in_proportion(listed_in_pieces, 400)


def check(
    row: Mapping[str, Any], number: int, own: Clusters, others: Clusters, aligned: Mapping[int, int]
) -> None:
    one = own[number]
    shared = [len(one & other) for other in others]
    assert row["mentions"] == len(one)
    assert row["shared"] == sum(shared)
    assert row["pieces"] == sum(map(bool, shared))
    assert row["overlap"] == max(shared, default=0)
    assert row["outside"] == len(one) - max(shared, default=0)
    best = frozenset[object]() if row["best"] is None else others[int(row["best"])]
    assert len(one & best) == row["overlap"]
    assert {int(name) for name in row["merged"]} == {
        n for n, other in enumerate(own) if n != number and other & best
    }
    assert row["merged_count"] == len(row["merged"])
    there = aligned.get(number)
    assert row["aligned"] == (None if there is None else str(there))
    f1 = 0 if there is None else Fraction(2 * shared[there], len(one) + len(others[there]))
    assert row["f1"] == pytest.approx(float(f1))
