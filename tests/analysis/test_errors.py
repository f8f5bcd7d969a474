"""Errors of coreference: cases worked out by hand, a slow model, and the laws that make counts add up.

The folders of ``fixtures/errors`` are cases of the specification of the analysis. Each says in ``why`` what
it is about; counts were worked out by hand, scores by another implementation in exact fractions.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import share_of
from error_model import KINDS as MODEL_KINDS
from error_model import Mention, Model
from every import every
from exact_model import MODELS
from span_clusters import TEXT, Clusters, about, partition, random_pair

from scorch2.analysis.error_report import AnalysisRequest, Findings
from scorch2.analysis.findings import analysed_outcomes
from scorch2.analysis.kinds import (
    KINDS,
    LOSES_PRECISION,
    LOSES_RECALL,
    Count,
    OrderedSide,
    OrderedSides,
    Overlaps,
    corrected,
    count_errors,
    overlaps_of,
)
from scorch2.analysis.links import CORRECTED, PRECISION, RECALL, statuses
from scorch2.analysis.pair import by_overlap, sides_of
from scorch2.cli.main import main
from scorch2.model.document import Document
from scorch2.model.options import Options, options_from
from scorch2.model.score import Measured, finish
from scorch2.scoring.contingency import Contingency, count_overlaps
from scorch2.scoring.flow import Scored
from scorch2.scoring.pairing.files import Pair

CASES = Path(__file__).parent.parent.parent / "fixtures" / "errors"
DOCUMENTS, SEEDS = share_of(20_000), 10
"""Random documents that are compared with the slow model, and how many tests share them."""
METRICS = ("muc", "b_cubed", "ceaf_e", "lea", "mentions")


def different(found: Any, expected: Any, place: str) -> Iterator[str]:
    """Yield the places where a report is not as expected; a fraction is written as a string."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            yield from different(found.get(key, "absent"), value, f"{place}.{key}")
    elif isinstance(expected, list):
        if len(found) != len(expected):
            yield f"{place}: {len(found)} and not {len(expected)}"
        for number, (one, other) in enumerate(zip(found, expected, strict=False)):
            yield from different(one, other, f"{place}[{number}]")
    elif isinstance(expected, str | float) and isinstance(found, int | float):
        if abs(Fraction(found) - Fraction(expected)) > Fraction(1, 10**12):
            yield f"{place}: {found} and not {expected}"
    elif found != expected:
        yield f"{place}: {found} and not {expected}"


@every("name", sorted(path.name for path in CASES.iterdir()))
def test_a_case_is_answered_to_the_last_count(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = CASES / name
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    gold, system = (str(next(folder.glob(f"{side}.*"))) for side in ("gold", "sys"))
    args = [word.replace("--other=", f"--other={folder}/") for word in expected["args"]]
    status = main(["errors", "-q", "-f", "json", "--list=errors", *args, gold, system])
    shown = capsys.readouterr()
    if "error" in expected:
        assert status == expected["error"]["status"]
        assert shown.out == ""
        assert shown.err.count("\n") == 1
        assert all(word in shown.err for word in expected["error"]["says"])
        return
    assert (status, shown.err) == (0, "")
    report = json.loads(shown.out)
    if "compared" in expected:  # rows of the second system, which the case does not list
        report["list"] = [row for row in report["list"] if row.pop("of") == "first" and row.pop("other")]
    wanted = {key: value for key, value in expected.items() if key not in ("why", "args", "options")}
    assert list(different(report, wanted, "$")) == []
    columns = [set(row) - {"patterns"} for row in report["list"]]  # these have tests of their own
    assert columns == [set(row) for row in expected["list"]]


def odd(one: Mention, other: Mention) -> bool:
    """A rule that keeps some spans apart, as types of mentions do."""
    return (one[0] + other[1]) % 5 != 0


def analysed(gold: Clusters, system: Clusters, how: int) -> tuple[OrderedSides, Model]:
    rule = (None, lambda _, __: True, odd)[how]
    find = (lambda _, __: ()) if rule is None else (lambda g, s: by_overlap(g, s, rule))
    return sides_of(partition(gold), partition(system), find), Model(gold, system, rule)


def counts_by_kind(overlaps: Overlaps) -> dict[str, Count]:
    return dict(zip(KINDS, count_errors(overlaps), strict=True))


def by_status(side: OrderedSide, names: tuple[str, ...]) -> dict[str, int]:
    found = [status for status in statuses(side) if status >= 0]
    return {name: found.count(status) for status, name in enumerate(names)}


def canonical(table: Contingency) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Return the size of each system entity and what it has of each gold entity."""
    shared: list[list[tuple[int, int]]] = [[] for _ in table.system_sizes]
    for gold, system, number in table.cells:
        shared[system].append((gold, number))
    return sorted(
        (size, tuple(sorted(cells))) for size, cells in zip(table.system_sizes, shared, strict=True)
    )


def canonical_model(
    model: Model, clusters: list[set[Mention]]
) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    found = []
    for cluster in clusters:
        common = ((number, len(cluster & set(entity))) for number, entity in enumerate(model.gold))
        found.append((len(cluster), tuple((number, shared) for number, shared in common if shared)))
    return sorted(found)


def steps() -> list[set[str]]:
    return [*({kind} for kind in KINDS), *(set(list(KINDS)[: n + 1]) for n in range(len(KINDS)))]


def test_the_kinds_are_those_of_the_model() -> None:
    assert tuple(KINDS) == MODEL_KINDS, "write the slow twin of a kind in tests/models/error_model.py"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_counts_and_corrections_equal_the_model(seed: int) -> None:
    """Every document has three of the corrections, in turn."""
    random, every = Random(seed), steps()  # noqa: S311 - a sample, not a secret
    for number in range(DOCUMENTS // SEEDS):
        gold, system = random_pair(random)
        sides, model = analysed(gold, system, number % 3)
        overlaps = overlaps_of(sides)
        with about(gold, system):
            counts_equal(sides, overlaps, model)
            for place in range(number, number + 3):
                kinds = every[place % len(every)]
                expected = canonical_model(model, model.corrected(kinds))
                assert canonical(corrected(overlaps, kinds)) == expected, kinds


def counts_equal(sides: OrderedSides, overlaps: Overlaps, model: Model) -> None:
    """Compare all counts of a document with those of the model."""
    counted, expected = counts_by_kind(overlaps), model.found
    assert {kind: (one.errors, one.mentions) for kind, one in counted.items()} == {
        kind: (len(errors), sum(map(len, errors))) for kind, errors in expected.errors.items()
    }
    for kind in ("extra_entity", "missing_entity"):
        assert counted[kind].singletons == sum(len(one) == 1 for one in expected.errors[kind]), kind
    assert counted["span"].links == expected.span_links
    assert counted["divided"].moved == counted["conflated"].moved == expected.moved
    names = ("found", "span", "piece", "mention", "entity")
    assert by_status(sides.gold, names) == expected.recall
    assert by_status(sides.system, names) == expected.precision


def evidence_of(
    gold: Clusters, system: Clusters, chosen: Options, gains: str = "shares"
) -> tuple[Scored, Findings]:
    documents = [
        Document("d", {str(n): members for n, members in enumerate(side)}, sentences=[TEXT])
        for side in (gold, system)
    ]
    (scored,) = analysed_outcomes(
        [Pair("d", documents[0], documents[1])], chosen, AnalysisRequest(gains=gains)
    )
    assert isinstance(scored, Scored)
    return scored, scored.details


def after_corrections(findings: Findings, how: str) -> list[Measured]:
    return [findings.subsets.after(kinds) for kinds in CORRECTED[how].values()]


@pytest.mark.parametrize("gains", ["shares", "order"])
@pytest.mark.parametrize("seed", range(4))
def test_corrected_output_is_scored_like_its_explicit_partition(seed: int, gains: str) -> None:
    random = Random(f"scores {seed}")  # noqa: S311 - a sample, not a secret
    chosen = options_from(metrics=METRICS)
    for _ in range(share_of(50)):
        gold, system = random_pair(random)
        if not gold and not system:
            continue
        model = Model(gold, system, lambda _, __: True)
        scored, found = evidence_of(gold, system, chosen, gains)
        measured = [scored.measured, *(one for how in CORRECTED for one in after_corrections(found, how))]
        left = tuple(map(frozenset, model.gold))
        for kinds, counted in zip([set(), *steps()], measured, strict=True):
            right = tuple(map(frozenset, model.corrected(kinds)))
            for name, tallies in zip(METRICS, counted.tallies, strict=True):
                expected = [float(number) for number in MODELS[name](left, right).parts[""]]
                with about(gold, system):
                    assert tuple(tallies[0]) == pytest.approx(expected), (name, kinds)


def random_documents(seed: str, number: int) -> Iterator[tuple[Clusters, Clusters, OrderedSides]]:
    """Yield clusterings of both sides, and their sides under each way to find span errors in turn."""
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    for place in range(number):
        gold, system = random_pair(random)
        yield gold, system, analysed(gold, system, place % 3)[0]


def test_every_lost_link_is_in_exactly_one_error() -> None:
    for gold, system, sides in random_documents("links", share_of(2000)):
        counted = counts_by_kind(overlaps_of(sides))
        found = sum(n - 1 for _, _, n in count_overlaps(partition(gold), partition(system)).cells)
        with about(gold, system):
            for clusters, side, names, kinds in (
                (gold, sides.gold, RECALL, LOSES_RECALL),
                (system, sides.system, PRECISION, LOSES_PRECISION),
            ):
                lost = {kind: counted[kind].links for kind in kinds}
                assert sum(map(len, clusters)) - len(clusters) - found == sum(lost.values())
                by_name = by_status(side, names)
                assert {kind: by_name[kind] for kind in kinds} == lost


def test_every_mention_of_one_side_alone_is_in_one_error() -> None:
    """Errors of parts are about mentions that both sides have."""
    for gold, system, sides in random_documents("mentions", share_of(2000)):
        counted = counts_by_kind(overlaps_of(sides))
        shared = set(sides.gold.mentions) & set(sides.system.mentions)
        with about(gold, system):
            for side, kinds in ((sides.gold, LOSES_RECALL), (sides.system, LOSES_PRECISION)):
                own = [kind for kind in kinds if kind not in ("conflated", "divided")]
                assert len(side.mentions) - len(shared) == sum(counted[kind].mentions for kind in own)


def test_all_corrections_give_gold_and_none_the_output() -> None:
    for gold, system, sides in random_documents("corrections", share_of(2000)):
        found = overlaps_of(sides)
        with about(gold, system):
            assert canonical(corrected(found, KINDS)) == sorted(
                (size, ((entity, size),)) for entity, size in enumerate(sides.gold.sizes)
            )
            assert canonical(corrected(found, ())) == canonical(
                count_overlaps(partition(sorted(map(sorted, gold))), partition(system))
            )


def test_scores_in_order_never_fall_and_end_at_gold() -> None:
    """CEAF_e can fall when entities are split: it is left out."""
    random = Random("order")  # noqa: S311 - a sample, not a secret
    chosen = options_from(metrics=("muc", "b_cubed", "lea"))
    for _ in range(share_of(300)):
        gold, system = random_pair(random)
        if not gold or not system:
            continue
        scored, found = evidence_of(gold, system, chosen)
        measured = (scored.measured, *after_corrections(found, "in_order"))
        steps = [[finish(one) for one in step.tallies] for step in measured]
        for before, after in pairwise(steps):
            for one, other in zip(before, after, strict=True):
                with about(gold, system):
                    assert not other.f1.defined or other.f1 >= one.f1 - 1e-12
        with about(gold, system):
            assert all(score.f1 == 1 or not score.f1.defined for score in steps[-1])


SWAPPED = {
    "span": "span",
    "conflated": "divided",
    "divided": "conflated",
    "extra_mention": "missing_mention",
    "missing_mention": "extra_mention",
    "extra_entity": "missing_entity",
    "missing_entity": "extra_entity",
}


def test_swapping_the_sides_swaps_the_kinds() -> None:
    random = Random("swap")  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(1000)):
        gold, system = random_pair(random)
        sides, _ = analysed(gold, system, 1)
        other, _ = analysed(system, gold, 1)
        one, two = counts_by_kind(overlaps_of(sides)), counts_by_kind(overlaps_of(other))
        with about(gold, system):
            assert one == {kind: two[swapped] for kind, swapped in SWAPPED.items()}


def test_correcting_one_kind_leaves_none_of_it_and_all_others() -> None:
    """Joining what is divided can make one entity of several that were conflated in a cycle."""
    random = Random("alone")  # noqa: S311 - a sample, not a secret
    for _ in range(share_of(300)):
        gold, system = random_pair(random)
        sides, model = analysed(gold, system, 1)
        before = {kind: one.errors for kind, one in counts_by_kind(overlaps_of(sides)).items()}
        for kind in KINDS:
            again = [sorted(entity) for entity in model.corrected({kind})]
            sides, _ = analysed(model.gold, again, 1)
            after = {name: one.errors for name, one in counts_by_kind(overlaps_of(sides)).items()}
            with about(gold, system):
                if kind == "divided":
                    assert after.pop("conflated") <= before["conflated"]
                assert after == {**{name: before[name] for name in after}, kind: 0}, kind
