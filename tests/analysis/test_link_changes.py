"""Two systems: the links that the second one fixes and newly loses, against the definition and a model."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from error_model import Mention, Model
from span_clusters import TEXT, Clusters, about, partition, random_clusters, random_pair

import scorch2
from scorch2.analysis.kinds import located, overlaps_of
from scorch2.analysis.links import PRECISION, RECALL, LinkChanges, Trace, link_changes, statuses, trace_links
from scorch2.analysis.pair import by_overlap, sides_of
from scorch2.cli.main import main
from scorch2.model.document import Document

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"


def wrong_links(gold: Clusters, system: Clusters) -> set[Mention]:
    """Return the mentions of a system whose link is not found, from the definition."""
    golds = [set(entity) for entity in gold]
    return {
        mention
        for entity in map(sorted, system)
        for place, mention in enumerate(entity)
        if place and not any(mention in one and one & set(entity[:place]) for one in golds)
    }


def random_systems(number: int) -> Iterator[tuple[Clusters, Clusters, Clusters]]:
    """Yield gold and two systems."""
    random = Random("two systems")  # noqa: S311 - a sample, not a secret
    for _ in range(number):
        gold, first = random_pair(random)
        mentions = dict.fromkeys(mention for members in [*gold, *first] for mention in members)
        yield gold, first, random_clusters(random, [m for m in mentions if random.random() < 0.8])


def changes(
    gold: Clusters, first: Clusters, second: Clusters, *, has_span_errors: bool = True
) -> LinkChanges:
    def traced(system: Clusters) -> Trace:
        sides = sides_of(
            partition(gold), partition(system), lambda g, s: by_overlap(g, s, lambda *_: has_span_errors)
        )
        links = statuses(sides.gold), statuses(sides.system)
        errors = located(sides, overlaps_of(sides))
        return trace_links(sides, links, errors, Document("d", {}), Document("d", {}))

    return link_changes([traced(first)], [traced(second)])


def errors_of_one_side(entities: Clusters, others: Clusters) -> Iterator[tuple[str, Mention]]:
    """Yield the errors of a side, from the definition: what is alone, and all pieces but the first."""
    owner = {mention: number for number, other in enumerate(others) for mention in other}
    for entity in map(sorted, entities):
        pieces: dict[int, Mention] = {}
        for mention in entity:
            if mention in owner:
                pieces.setdefault(owner[mention], mention)
        if not pieces:
            yield "entity", entity[0]
            continue
        yield from (("mention", mention) for mention in entity if mention not in owner)
        yield from (("piece", mention) for mention in list(pieces.values())[1:])


NAMES = {
    "missing_entity": (True, "entity"),
    "missing_mention": (True, "mention"),
    "divided": (True, "piece"),
    "extra_entity": (False, "entity"),
    "extra_mention": (False, "mention"),
    "conflated": (False, "piece"),
}
"""Each kind of error: whether it is of gold, and what it is there."""


def test_errors_that_both_systems_make_are_at_the_same_mention() -> None:
    for gold, first, second in random_systems(300):
        found = changes(gold, first, second, has_span_errors=False).errors
        for kind, (of_gold, what) in NAMES.items():
            mine, theirs = (
                {
                    mention
                    for name, mention in errors_of_one_side(*((gold, system) if of_gold else (system, gold)))
                    if name == what
                }
                for system in (first, second)
            )
            with about(gold, first, second):
                assert found[kind] == (len(mine & theirs), len(mine - theirs), len(theirs - mine)), kind


def listed(gold: Clusters, first: Clusters, second: Clusters, listing: Any) -> set[tuple[str, ...]]:
    """Return the errors of both systems that are listed: kind, mention, whose it is, and who makes it."""
    sides = [
        Document("d", {str(number): members for number, members in enumerate(side)}, sentences=[TEXT])
        for side in (gold, first, second)
    ]
    found = scorch2.errors(*sides, list=listing, spans="none", gains="none")
    rows = [
        (row["kind"], row["mentions"][0] if listing == "errors" else row["mention"], row["of"], row["other"])
        for row in found.list
    ]
    assert len(rows) == len({*rows})
    assert found.compared is not None
    for kind, counts in found.compared.errors.items():
        who = [("first", "both"), ("first", "alone"), ("second", "alone")]
        assert [sum(row[::2] == (kind, of) and row[3] == other for row in rows) for of, other in who] == [
            *counts
        ]
    return {*rows}


@pytest.mark.parametrize("listing", ["errors", "examples"])
def test_listed_errors_say_which_of_two_systems_makes_them(listing: str) -> None:
    for gold, first, second in random_systems(100):
        if not (gold and first and second):
            continue
        expected = set()
        for kind, (of_gold, what) in NAMES.items():
            mine, theirs = (
                {
                    f"0.{start}-{end - 1}"
                    for name, (start, end) in errors_of_one_side(
                        *((gold, system) if of_gold else (system, gold))
                    )
                    if name == what
                }
                for system in (first, second)
            )
            expected |= {(kind, mention, "first", "both") for mention in mine & theirs}
            expected |= {(kind, mention, "first", "alone") for mention in mine - theirs}
            expected |= {(kind, mention, "second", "alone") for mention in theirs - mine}
        with about(gold, first, second):
            assert listed(gold, first, second, listing) == expected


def test_gold_links_are_fixed_introduced_found_or_lost_by_both() -> None:
    for gold, first, second in random_systems(300):
        found = changes(gold, first, second)
        lost = [wrong_links(system, gold) for system in (first, second)]
        links = sum(len(members) - 1 for members in gold)
        with about(gold, first, second):
            assert sum(found.recall(fixed=True).values()) == len(lost[0] - lost[1])
            assert sum(found.recall(fixed=False).values()) == len(lost[1] - lost[0])
            assert found.neither == len(lost[0] & lost[1])
            assert found.both == links - len(lost[0] | lost[1])
            assert sum(found.moves.values()) == links


def test_wrong_links_are_fixed_introduced_or_shared() -> None:
    for gold, first, second in random_systems(300):
        found = changes(gold, first, second)
        wrong = [wrong_links(gold, system) for system in (first, second)]
        with about(gold, first, second):
            assert sum(found.fixed.values()) == len(wrong[0] - wrong[1])
            assert sum(found.introduced.values()) == len(wrong[1] - wrong[0])
            assert found.shared == len(wrong[0] & wrong[1])
            assert list(found.fixed) == list(found.introduced) == list(PRECISION[1:])


def test_moves_add_up_to_the_statuses_of_each_system() -> None:
    for gold, first, second in random_systems(300):
        found = changes(gold, first, second)
        for place, system in enumerate((first, second)):
            by_status = dict.fromkeys(RECALL, 0)
            for both, number in found.moves.items():
                by_status[both[place]] += number
            expected = Model(gold, system, lambda *_: True).found.recall
            with about(gold, first, second):
                assert list(by_status.values()) == list(expected.values())


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["errors", *words])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_a_system_has_nothing_to_fix_in_itself(capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = str(EXAMPLE / "gold"), str(EXAMPLE / "sys")
    found = json.loads(run(capsys, "-f", "json", f"--other={system}", gold, system)[1])["compared"]
    assert {(kind["first"], kind["second"]) for kind in found.pop("errors").values()} == {(0, 0)}
    assert {row["difference"] for row in found.pop("contrasts")} == {0}
    for side in found.values():
        assert not any(side["fixed"].values())
        assert not any(side["introduced"].values())


def test_the_second_system_has_the_same_documents_and_tokens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = str(EXAMPLE / "gold"), str(EXAMPLE / "sys")
    (tmp_path / "harbour-000.json").write_bytes((EXAMPLE / "sys" / "harbour-000.json").read_bytes())
    status, out, err = run(capsys, "--missing=skip", f"--other={tmp_path}", gold, system)
    assert (status, out) == (2, "")
    assert 'lacks "bridge-000", "letter-000": both systems must have the same documents' in err
    alone = run(capsys, gold, str(tmp_path))
    assert alone[0] == 2
    assert run(capsys, f"--other={tmp_path}", gold, system) == alone  # of folders that do not pair
    status, out, err = run(capsys, "--other=-", "-", system)
    assert (status, out, err) == (2, "", "scorch2: error: only one input can be standard input (-)\n")
    status, out, err = run(capsys, f"--other={system}", "-", system)
    assert (status, out) == (2, "")
    assert "--other reads gold a second time" in err
    path = tmp_path / "cut.conll"
    text = (EXAMPLE / "sys.conll").read_text("utf-8").replace("harbour\t0\t8\t.\t-\n", "", 1)
    path.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, f"--other={path}", str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll"))
    assert (status, out) == (2, "")
    assert "tokens" in err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("\told\t", "\tnew\t"), 'token 1 of "harbour-000" is "new", in {sys} "old"'),
        (
            ("\tthe\t", "\tThe\t"),
            'token 4 of "harbour-000" is "The", in {sys} "the" (1 more document differs)',
        ),
    ],
)
def test_a_second_system_of_other_words_is_refused(
    change: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system, other = (
        str(path) for path in (EXAMPLE / "gold.conll", EXAMPLE / "sys.conll", tmp_path / "o")
    )
    Path(other).write_text((EXAMPLE / "sys.conll").read_text("utf-8").replace(*change), "utf-8")
    why = f"{said.format(sys=system)}: both systems must have the same tokens"
    assert run(capsys, f"--other={other}", gold, system) == (2, "", f"scorch2: error: {other}: {why}\n")
    assert run(capsys, f"--other={other}", gold, str(EXAMPLE / "sys"))[0] == 0  # whose words are not known
    assert run(capsys, f"--other={EXAMPLE / 'sys.conll'}", other, system)[0] == 0  # gold may have other words
