"""Split antecedents: against the Universal Anaphora scorer, an exact model, and counts by hand."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import peer_runs
import pytest
from effort import assert_in_proportion
from every import every
from exact_model import Counts
from hypothesis import given
from hypothesis import strategies as st
from set_model import COUNTS, possible, possible_alone, with_sets

import scorch2
from scorch2.cli.main import main
from scorch2.model.document import Document, OnDemand
from scorch2.model.markables import Relations
from scorch2.scoring import evidence
from scorch2.scoring.matching.partners import with_split_antecedents

# ruff: noqa: SLF001 - the overlaps of sets are tried by themselves

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
METRICS = peer_runs.metrics("muc bcub ceafe ceafm blanc lea")
EVERY = tuple(METRICS.values())
GOLD, SYSTEM, CIRCLE = (
    str(FIXTURES / "split_antecedents" / f"{name}.conllu") for name in ("gold", "sys", "circle")
)
Side: TypeAlias = tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]
"""Clusters and sets."""
UNREAD = {"ua-18-error-key-spelling", "ua-20-doc-style-brackets"}
"""Cases that are refused, or that the scorer misreads."""


def runs() -> list[tuple[str, peer_runs.Run]]:
    """Return the runs that score split antecedents."""
    asked = {"-l", "-d", "--only-split-antecedent"}
    return [
        (case, run)
        for case, run in peer_runs.runs("ua-*")
        if asked & set(run["args"]) and "error" not in run and case not in UNREAD
    ]


def test_the_cases_are_there() -> None:
    assert len({case for case, _ in runs()}) == 24
    assert len(runs()) == 95


@every(("case", "run"), runs())
@every("lookup", ["pairs", "reference"])
def test_scores_are_those_of_the_universal_anaphora_scorer(
    case: str, run: peer_runs.Run, lookup: Any
) -> None:
    args = run["args"]
    report = scorch2.score(
        *(peer_runs.FOLDER / case / f"{side}.ua" for side in ("key", "sys")),
        layer="deixis" if "-d" in args else "identity",
        metrics=EVERY,
        average="pooled",
        undefined="zero",
        zeros="drop",
        blanc="both",
        lookup=lookup,
        match="partial" if "partial-corefud" in args else "exact",
        split_antecedents="only" if "--only-split-antecedent" in args else "keep",
    )
    peer_runs.check(report, {**run["scores"], **run.get("by_alignment", {})}, METRICS)


def side(drawn: bytes) -> Side:
    """Return clusters of some of eight mentions, some of which are sets of others."""
    clusters: dict[str, list[str]] = {}
    for mention, byte in zip("abcdefgh", drawn[:8], strict=True):
        if byte % 6:
            clusters.setdefault(str(byte % 6), []).append(mention)
    names = sorted(clusters)
    emptied = {name for name, byte in zip("45", drawn[8:10], strict=True) if byte % 2}
    sets = {
        name: list(dict.fromkeys(names[byte % place] for byte in members[:number]))
        for place, name in enumerate(names)
        if place > 0 and (number := (members := drawn[6 + 4 * place :])[3] % 6 - 2) > 0
    }
    return {name: [] if name in emptied & sets.keys() else clusters[name] for name in names}, sets


def sides() -> st.SearchStrategy[Side]:
    return st.binary(min_size=26, max_size=26).map(side)


def document(side: Side) -> Document:
    clusters, sets = side
    return Document("d", clusters, relations=OnDemand(lambda: Relations(sets)))


def tallies(gold: Side, system: Side, **choices: Any) -> dict[tuple[str, str], Counts]:
    report = scorch2.score(document(gold), document(system), metrics=EVERY, **choices)
    return {(name, part): Counts(*report.tallies(name)[part]) for name, part in COUNTS}  # type: ignore[arg-type]


def is_among(found: Counts, possible: Sequence[Counts]) -> bool:
    return any(list(found) == pytest.approx(list(map(float, one)), abs=1e-12) for one in possible)


@given(gold=sides(), system=sides())
def test_counts_are_those_of_the_model(gold: Side, system: Side) -> None:
    model = with_sets(*gold), with_sets(*system)
    for key, found in tallies(gold, system, split_antecedents="keep").items():
        assert is_among(found, possible(*key, *model)), key


@given(gold=sides(), system=sides())
def test_counts_of_split_antecedents_alone_are_those_of_the_model(gold: Side, system: Side) -> None:
    model = with_sets(*gold), with_sets(*system)
    for key, found in tallies(gold, system, split_antecedents="only").items():
        assert is_among(found, possible_alone(*key, *model)), key


@given(gold=sides(), system=sides())
def test_swapping_sides_swaps_recall_and_precision(gold: Side, system: Side) -> None:
    """Another alignment may be chosen where several are best."""
    model = with_sets(*gold), with_sets(*system)
    for key, found in tallies(system, gold, split_antecedents="keep").items():
        swapped = Counts(found.precision_num, found.precision_den, found.recall_num, found.recall_den)
        assert is_among(swapped, possible(*key, *model)), key


@given(gold=sides(), system=sides(), random=st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(gold: Side, system: Side, random: Random) -> None:
    def other(side: Side) -> Side:
        clusters, sets = side
        names = {
            name: f"e{number}" for number, name in enumerate(random.sample(sorted(clusters), len(clusters)))
        }
        shuffled = random.sample(sorted(clusters), len(clusters))
        return (
            {names[name]: random.sample(list(clusters[name]), len(clusters[name])) for name in shuffled},
            {names[name]: [names[one] for one in random.sample(list(m), len(m))] for name, m in sets.items()},
        )

    model = with_sets(*gold), with_sets(*system)
    for key, found in tallies(other(gold), other(system), split_antecedents="keep").items():
        assert is_among(found, possible(*key, *model)), key


@given(side=sides())
def test_a_perfect_system_finds_all(side: Side) -> None:
    for key, found in tallies(side, side, split_antecedents="keep").items():
        assert found.recall_num == pytest.approx(found.recall_den), key
        assert found.precision_num == pytest.approx(found.precision_den), key


@given(gold=sides(), system=sides())
def test_without_sets_nothing_changes(gold: Side, system: Side) -> None:
    plain: tuple[Side, Side] = (gold[0], {}), (system[0], {})
    counted = tallies(*plain)
    for key, found in tallies(*plain, split_antecedents="keep").items():
        assert found == pytest.approx(counted[key]), key
    assert set(tallies(*plain, split_antecedents="only").values()) == {Counts(*[Fraction(0)] * 4)}


BY_HAND = {
    "head": {"muc": ("5/2", "4", "5/2", "3"), "b_cubed": ("339/64", "7", "7", "7")},
    "partial": {"muc": ("5/2", "4", "5/2", "3"), "b_cubed": ("339/64", "7", "7", "7")},
    "exact": {"muc": ("5/2", "4", "5/2", "3"), "b_cubed": ("55/12", "7", "145/27", "7")},
}
"""The system calls *Bob* what is *Bob Brown* in gold, and lacks that *He* is Bob: it is alone.

*They* are the same in both: the first member in whole, of the second a mention of two. MUC of the members is
1/2 in both directions, as a member of one mention is not found. B³ has R = 5/8 and P = 1, or R = 1/2 and
P = 2/3 if Bob is not found.
"""


@pytest.mark.parametrize("match", BY_HAND)
def test_corefud_counted_by_hand(match: Any) -> None:
    report = scorch2.score(GOLD, SYSTEM, metrics=["muc", "b_cubed"], match=match, split_antecedents="keep")
    for name, wanted in BY_HAND[match].items():
        assert list(report.tallies(name)[""]) == pytest.approx([float(Fraction(n)) for n in wanted]), name
    alone = scorch2.score(GOLD, SYSTEM, metrics=["muc", "b_cubed"], match=match, split_antecedents="only")
    assert tuple(alone.tallies("muc")[""]) == (1, 2, 1, 2)


@pytest.mark.parametrize("lookup", ["pairs", "reference"])
def test_mentions_are_counted_without_sets(lookup: Any) -> None:
    for value in ("keep", "only"):
        report = scorch2.score(
            GOLD, SYSTEM, metrics=["mentions"], match="head", split_antecedents=value, lookup=lookup
        )
        assert tuple(report.tallies("mentions")[""]) == (6, 6, 6, 6)
        assert (report.documents[0].gold_mentions, report.documents[0].system_mentions) == (6, 6)


def test_a_set_without_a_mention_of_its_own_is_a_cluster() -> None:
    """Zeros may be left out: the cluster then holds nothing but the split antecedent, which is found."""
    side: Side = ({"1": ["a", "b"], "they": []}, {"they": ["1"]})
    counts = tallies(side, side, split_antecedents="keep")
    assert [float(number) for number in counts["muc", ""]] == [1, 1, 1, 1]
    assert [float(number) for number in counts["b_cubed", ""]] == [3, 3, 3, 3]
    assert [float(number) for number in counts["ceaf_m", ""]] == [3, 3, 3, 3]


def test_a_set_keeps_its_entity_from_being_a_singleton() -> None:
    gold: Side = ({"1": ["a"], "2": ["b", "c"], "they": ["d"]}, {"they": ["1", "2"]})
    dropped, kept = (
        scorch2.score(
            document(gold), document(gold), metrics=["mentions"], singletons="drop", split_antecedents=value
        )
        for value in ("drop", "keep")
    )
    assert (dropped.documents[0].gold_mentions, kept.documents[0].gold_mentions) == (2, 3)


def test_a_circle_is_refused_by_the_name_of_a_document_without_a_file() -> None:
    circle = document(({"a": ["m"], "b": ["n"]}, {"a": ["b"], "b": ["a"]}))
    with pytest.raises(scorch2.InputError, match=f"^{circle.id}: split antecedents go round in a circle"):
        scorch2.score(circle, circle, split_antecedents="keep", metrics=["muc"])


def test_blanc_of_sets_alone_leaves_out_the_links_that_gold_lacks() -> None:
    """One cluster with its set: no mentions in different clusters. The members' own links are 1 and right."""
    gold: Side = ({"they": ["d"], "1": ["a", "b"]}, {"they": ["1"]})
    report = scorch2.score(
        document(gold), document(gold), metrics=["blanc"], singletons="drop", split_antecedents="only"
    )
    assert report.blanc.f1 == 0.5, "links of members are all found; there are none between members: 0/0"
    alone: Side = ({"they": ["d"], "1": []}, {"they": ["1"]})
    report = scorch2.score(document(alone), document(alone), metrics=["blanc"], split_antecedents="only")
    assert not report.blanc.f1.defined


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "pairwise", GOLD], "pairwise is not defined with split antecedents"),
        (["-m", "muc", CIRCLE], "split antecedents go round in a circle"),
        (["--by=genre", "-f", "json", "-m", "muc", GOLD], "are not defined with split antecedents"),
    ],
)
def test_refusals(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--split-antecedents=keep", *words, GOLD]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def of_sets(clusters: Mapping[str, Sequence[str]], sets: Mapping[str, Sequence[str]]) -> Document:
    return Document("d", clusters, relations=OnDemand(Relations, sets))


def test_sets_of_sets_are_followed_once() -> None:
    """Each of them is made of the one before it."""

    def run(number: int) -> None:
        clusters = {str(n): [f"m{n}"] for n in range(number)}
        chain = of_sets(clusters, {str(n): [str(n - 1)] for n in range(1, number)})
        with_split_antecedents(chain, chain)

    assert_in_proportion(run, 100)


def test_sets_that_there_is_no_room_for_are_an_error() -> None:
    """Of members with many mentions, and of pairs that share one."""
    many = [str(n) for n in range(400)]
    members = {f"b{name}": [f"b{name}"] for name in many}
    clusters = {"a": [f"a{n}" for n in range(3000)], **{name: [f"m{name}"] for name in many}, **members}
    document = of_sets(clusters, {name: ["a", f"b{name}"] for name in many})
    with pytest.raises(scorch2.InputError, match=r"d: the split antecedents of .* have too many members"):
        scorch2.score(document, document, metrics=["muc"], split_antecedents="keep")
    shared = of_sets({**clusters, "a": ["a"]}, {name: ["a", f"b{name}"] for name in many})
    with pytest.raises(
        scorch2.InputError, match=r"d: too many pairs .* share a mention: more than 100000 \("
    ):
        scorch2.score(shared, shared, metrics=["muc"], split_antecedents="keep")


def test_the_overlaps_of_sets_are_those_of_their_members_one_by_one() -> None:
    """Sets share entities; a mention of two members of a set counts in the last one."""
    random = Random(7)  # noqa: S311 - a sample, not a secret
    for _ in range(300):
        entities = [random.sample("abcdefgh", random.randint(1, 4)) for _ in range(5)]
        sides = [[random.sample(entities, random.randint(1, 3)) for _ in range(3)] for _ in range(2)]
        numbered: tuple[dict[frozenset[Hashable], int], ...] = ({}, {})
        gold, system = (
            [evidence._members(members, known) for members in side]
            for side, known in zip(sides, numbered, strict=True)
        )
        found = evidence._overlaps_of_sets(gold, system, evidence._shared(*numbered))
        expected = {}
        for row, column in product(range(3), repeat=2):
            homes = [
                {mention: number for number, member in enumerate(side[place]) for mention in member}
                for side, place in zip(sides, (row, column), strict=True)
            ]
            cells = Counter((homes[0][one], homes[1][one]) for one in homes[0].keys() & homes[1].keys())
            if cells:
                expected[row, column] = {(*cell, number) for cell, number in cells.items()}
        assert found is not None
        assert {pair: {*table.cells} for pair, table in found.items()} == expected
        for (row, column), table in found.items():
            assert [*table.gold_sizes] == list(map(len, sides[0][row]))
            assert [*table.system_sizes] == list(map(len, sides[1][column]))


def test_one_set_in_many_entities_is_no_more_than_one() -> None:
    many = [str(n) for n in range(400)]
    clusters = {"a": [f"a{n}" for n in range(3000)], **{name: [f"m{name}"] for name in many}}
    document = of_sets(clusters, {name: ["a"] for name in many})
    assert scorch2.score(document, document, metrics=["muc"], split_antecedents="keep").muc.f1 == 1


def test_the_signature_and_the_baseline_say_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "base.json")
    assert main(["--split-antecedents=keep", "--match=head", "-o", path, GOLD, SYSTEM]) == 0
    words = ["--baseline", path, "--max-drop=conll=0"]
    assert main([*words, "--split-antecedents=keep", "--match=head", GOLD, SYSTEM]) == 0
    assert "split_antecedents=keep" in capsys.readouterr().out
    assert main([*words, "--match=head", GOLD, SYSTEM]) == 2
    assert "split_antecedents is drop here and keep there" in capsys.readouterr().err
