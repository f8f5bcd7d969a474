"""Bridging and non-referring mentions: against the Universal Anaphora scorer, a model, and counts by hand."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import peer_runs
import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st
from link_model import Link, counts

import scorch2
from scorch2.cli.main import main
from scorch2.model.document import Document, OnDemand
from scorch2.model.forms import forms_of
from scorch2.model.markables import Bridge, Relations

REPORTS = forms_of("scores")

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
GOLD, SYSTEM = (str(FIXTURES / "bridging" / f"{side}.conllu") for side in ("gold", "sys"))
BRIDGING = ("bridging_anaphor", "bridging_mention", "bridging_entity")
EVERY = ("non_referring", *BRIDGING)
MENTIONS = st.sampled_from("abcdef")
LINKS = st.lists(st.tuples(MENTIONS, MENTIONS), max_size=6)
CLUSTERS = st.permutations("abcdef").map(lambda order: [order[:2], order[2:5], order[5:]])
"""Two entities and a singleton."""


RUNS = {
    case: run for case, run in reversed(peer_runs.runs("ua-*")) if "bridging" in run and "error" not in run
}
"""The first run of each case that scores bridging."""


def test_the_cases_are_there() -> None:
    assert {"ua-13-non-referring", "ua-14-bridging", "ua-r01"} <= set(RUNS)


@every("case", sorted(RUNS))
def test_scores_are_those_of_the_universal_anaphora_scorer(case: str) -> None:
    run = RUNS[case]
    sides = (peer_runs.FOLDER / case / f"{side}.ua" for side in ("key", "sys"))
    report = scorch2.score(*sides, metrics=EVERY, average="pooled", undefined="zero", duplicates="first")
    expected = {"non_referring": run["non-referring"]}
    expected |= {f"bridging_{level}": score for level, score in run["bridging"].items()}
    for name, score in expected.items():
        assert list(report.scores[name]) == pytest.approx([score[part] for part in "rpf"], abs=1e-9), name


def document(
    links: Sequence[Link], clusters: Sequence[Sequence[str]], pseudo: Sequence[str] = ()
) -> Document:
    bridging = [Bridge(anaphor, "", antecedent, "", "") for anaphor, antecedent in links]
    relations = Relations({}, bridging, pseudo)
    named = {str(number): list(cluster) for number, cluster in enumerate(clusters)}
    return Document("d", named, relations=OnDemand(lambda: relations))


def counted(gold: Document, system: Document, **choices: Any) -> dict[str, tuple[float, float, float]]:
    report = scorch2.score(gold, system, metrics=EVERY, **choices)
    tallies = {name: report.tallies(name)[""] for name in EVERY}
    assert all(tally.recall_num == tally.precision_num for tally in tallies.values())
    return {name: (one.recall_num, one.recall_den, one.precision_den) for name, one in tallies.items()}


@given(gold=LINKS, system=LINKS, clusters=CLUSTERS, others=CLUSTERS)
def test_counts_are_those_of_the_model(
    gold: list[Link], system: list[Link], clusters: list[list[str]], others: list[list[str]]
) -> None:
    found = counted(document(gold, clusters), document(system, others))
    assert {name: found[name] for name in BRIDGING} == counts(gold, system, clusters)


@given(gold=LINKS, system=LINKS, clusters=CLUSTERS)
def test_a_dropped_singleton_is_no_entity(
    gold: list[Link], system: list[Link], clusters: list[list[str]]
) -> None:
    found = counted(document(gold, clusters), document(system, clusters), singletons="drop")
    assert {name: found[name] for name in BRIDGING} == counts(gold, system, clusters[:2])


@given(gold=LINKS, system=LINKS, clusters=CLUSTERS)
def test_swapping_sides_swaps_recall_and_precision(
    gold: list[Link], system: list[Link], clusters: list[list[str]]
) -> None:
    """For entities only with the same clusters on both sides: those of gold decide."""
    one, other = document(gold, clusters), document(system, clusters)
    there = counted(one, other)
    assert counted(other, one) == {name: (n, system, gold) for name, (n, gold, system) in there.items()}


@given(gold=LINKS, system=LINKS, clusters=CLUSTERS, random=st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(
    gold: list[Link], system: list[Link], clusters: list[list[str]], random: Random
) -> None:
    names = dict(zip("abcdef", random.sample("uvwxyz", 6), strict=True))
    gold, system = (list(dict(side).items()) for side in (gold, system))
    renamed = [
        random.sample([(names[str(one)], names[str(other)]) for one, other in side], len(side))
        for side in (gold, system)
    ]
    again = [[names[mention] for mention in cluster] for cluster in random.sample(clusters, 3)]
    assert counted(document(renamed[0], again), document(renamed[1], again)) == counted(
        document(gold, clusters), document(system, clusters)
    )


def test_the_same_file_twice_scores_1() -> None:
    report = scorch2.score(GOLD, GOLD, metrics=BRIDGING)
    assert {tuple(report.scores[name]) for name in BRIDGING} == {(1.0, 1.0, 1.0)}


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_links_of_corefud_counted_by_hand(match: Any, singletons: Any) -> None:
    """Of *door*, *roof* and *window*, the system lacks the last, and *It* is none.

    The roof is that of *It* in gold, the last mention of the house, and in the system that of *A house*.
    """
    report = scorch2.score(GOLD, SYSTEM, metrics=BRIDGING, match=match, singletons=singletons)
    found = {name: tuple(report.tallies(name)[""]) for name in BRIDGING}
    assert found == {
        "bridging_anaphor": (2, 3, 2, 3),
        "bridging_mention": (1, 3, 1, 3),
        "bridging_entity": (2, 3, 2, 3),
    }


def test_non_referring_mentions_count_once() -> None:
    gold, system = document([], [], ["a", "b", "b"]), document([], [], ["b", "c", "d"])
    assert counted(gold, system)["non_referring"] == (1, 2, 3)


def test_a_format_without_links_has_none() -> None:
    report = scorch2.score([["a", "b"]], [["a", "b"]], metrics=EVERY)
    assert [report.scores[name].f1.defined for name in EVERY] == [False] * 4


def test_links_are_compared_by_characters() -> None:
    report = scorch2.score(GOLD, SYSTEM, metrics=BRIDGING, align="characters")
    assert [report.tallies(name)[""].recall_num for name in BRIDGING] == [2, 1, 2]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main([*words, GOLD, SYSTEM])
    found = capsys.readouterr()
    return status, found.out + found.err


@every("form", REPORTS)
def test_every_form_of_report_has_them(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--fail-under=bridging_mention.f1=0.3"] if form in ("junit", "github") else []
    words += ["--per-document"] if "--per-document" not in REPORTS[form].ignores else []
    status, out = run(capsys, "-m", ",".join(BRIDGING), "-f", form, *words)
    assert status == 0
    names = ("bridging_mention", "Bridging links to mentions", "Full bridging scores (Markable Level)")
    assert any(name in out for name in names)


def test_gates_intervals_tests_and_documents(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "-m", "bridging_entity", "--fail-under=bridging_entity.recall=0.66")[0] == 0
    assert run(capsys, "-m", "bridging_entity", "--fail-under=bridging_entity.recall=0.67")[0] == 1
    for command in (["confidence", SYSTEM], ["significance", GOLD, SYSTEM]):
        assert main([command[0], "-n", "20", "-m", "bridging_entity", "-g", GOLD, *command[1:]]) == 0
        assert "bridging_entity" in capsys.readouterr().out


def test_errors_are_those_of_clusters(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run(capsys, "errors", "-m", "muc,bridging_entity")
    assert status == 2
    assert "errors do not change bridging_entity, which counts more than clusters" in out
    _, out = run(capsys, "errors", "-m", "bridging_anaphor,bridging_entity")
    assert "bridging_anaphor, bridging_entity, which count more than clusters (name other metrics)" in out
    assert run(capsys, "errors", "-m", "all")[0] == 0


def test_a_link_to_an_entity_without_a_mention_is_none(tmp_path: Path) -> None:
    """The only mention of the house does not end, so that it is left out with a warning."""
    path = tmp_path / "d.conllu"
    rows = ("Entity=(house--1", "Bridge=house<door|Entity=(door--1)")
    lines = [f"{place}\tw\t_\t_\t_\t_\t0\t_\t_\t{misc}\n" for place, misc in enumerate(rows, 1)]
    path.write_text("# newdoc id = d\n# global.Entity = eid-etype-head\n" + "".join(lines) + "\n", "utf-8")
    report = scorch2.score(path, path, metrics=BRIDGING)
    assert [tuple(report.tallies(name)[""]) for name in BRIDGING] == [(0, 0, 0, 0)] * 3
