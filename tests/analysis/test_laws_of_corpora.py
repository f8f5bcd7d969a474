"""Laws of the error analysis for whole corpora, which hold whatever the average and the rule for 0/0.

`test_errors.py` has those of single documents, and `test_breakdown.py` those of classes.
"""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import pytest
from every import every
from span_clusters import TEXT, random_pair
from test_errors import SWAPPED

import scorch2
from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.kinds import KINDS

Clusters = list[list[tuple[int, int]]]
Item = TypeVar("Item")
SEEDS = range(12)
METRICS = ("muc", "b_cubed", "ceaf_e", "lea", "conll")
SIDES = {"recall": "precision", "precision": "recall"}


class Corpus(NamedTuple):
    """Two files of the same documents, and where others can be written."""

    gold: Path
    system: Path
    pairs: Mapping[str, tuple[Clusters, Clusters]]
    """Gold and system clusters of each document."""

    def errors(self, **options: Any) -> ErrorReport:
        return scorch2.errors(self.gold, self.system, metrics=METRICS, **options)

    def score(self, **options: Any) -> scorch2.Report:
        return scorch2.score(self.gold, self.system, metrics=METRICS, **options)


def written(path: Path, documents: Mapping[str, Clusters]) -> Path:
    """Write documents of one text, whose spans have an inclusive end there."""
    rows = [
        {
            "doc_key": name,
            "sentences": [[f"w{place}" for place in range(TEXT)]],
            "clusters": [[[start, end - 1] for start, end in members] for members in clusters],
        }
        for name, clusters in documents.items()
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def corpus(folder: Path, pairs: Mapping[str, tuple[Clusters, Clusters]]) -> Corpus:
    folder.mkdir(exist_ok=True)
    gold = written(folder / "gold.jsonl", {name: left for name, (left, _) in pairs.items()})
    system = written(folder / "sys.jsonl", {name: right for name, (_, right) in pairs.items()})
    return Corpus(gold, system, pairs)


@pytest.fixture(params=SEEDS)
def drawn(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    """Return documents of which some have no mention, or no link, on one side or both."""
    random = Random(f"corpus {request.param}")  # noqa: S311 - a sample, not a secret
    pairs = {f"d{number}": random_pair(random) for number in range(1 + request.param % 6)}
    return corpus(tmp_path / "drawn", {**pairs, "last": ([[(0, 2), (3, 4)]], [[(0, 2)], [(3, 4)]])})


@every("average", ["mentions", "pooled", "macro"])
@every("undefined", ["skip", "zero"])
def test_gains_in_order_lead_from_the_score_to_that_of_gold(
    average: str, undefined: str, drawn: Corpus
) -> None:
    options = {"average": average, "undefined": undefined}
    report = drawn.errors(**options)
    itself = scorch2.score(drawn.gold, drawn.gold, metrics=METRICS, **options)  # type: ignore[arg-type]
    gained = report.gained().in_order
    for name in METRICS:
        before, after = main(report.report.scores[name]), main(itself.scores[name])
        gains = [gained[kind][name] for kind in KINDS]
        whole = gained["all"][name]
        assert whole is not None
        assert sum(gain for gain in gains if gain is not None) == pytest.approx(whole)
        assert whole == pytest.approx(float(after) - float(before))
        if undefined == "skip":
            assert after == 1
        assert main(report.corrected.in_order["missing_entity"][name]) == pytest.approx(float(after))


def main(score: Any) -> Any:
    """Return F1."""
    return score.f1


def test_pooled_scores_never_fall_in_order(drawn: Corpus) -> None:
    report = drawn.errors(average="pooled")
    for name in ("muc", "b_cubed", "lea"):
        scores = [report.report.scores, *(report.corrected.in_order[kind] for kind in KINDS)]
        for before, after in pairwise(main(one[name]) for one in scores):
            assert not (before.defined and after.defined) or after >= before - 1e-12


def test_lost_links_are_those_that_muc_loses(drawn: Corpus) -> None:
    plain = drawn.errors().to_dict()
    muc = plain["counts"]["muc"]
    for side in SIDES:
        links = plain["links"][side]
        lost = {kind: plain["errors"][kind]["links"][side] for kind in KINDS}
        assert sum(links.values()) == muc[f"{side}_den"]
        assert links["found"] == muc[f"{side}_num"] == muc[f"{side}_den"] - sum(lost.values())
        assert {kind: links[kind] for kind in links if kind != "found"} == {
            kind: number for kind, number in lost.items() if kind in links
        }
        assert all(number == 0 for kind, number in lost.items() if kind not in links)


def test_errors_of_documents_add_up(drawn: Corpus) -> None:
    plain = drawn.errors().to_dict()
    for kind in KINDS:
        assert plain["errors"][kind]["errors"] == sum(one["errors"][kind] for one in plain["documents"])


def test_classes_have_all_links_by_status(drawn: Corpus) -> None:
    plain = drawn.errors(by="size,mentions,distance,width").to_dict()
    for rows in plain["breakdown"].values():
        for side, expected in plain["links"].items():
            found = {status: sum(row["links"][side][status] for row in rows) for status in expected}
            assert found == expected


def test_swapping_the_files_swaps_kinds_and_sides(drawn: Corpus) -> None:
    one = drawn.errors().to_dict()
    other = Corpus(drawn.system, drawn.gold, drawn.pairs).errors().to_dict()
    for kind, swapped in SWAPPED.items():
        here, there = one["errors"][kind], other["errors"][swapped]
        assert {key: here[key] for key in here if key != "links"} == {
            key: there[key] for key in there if key != "links"
        }
        assert {SIDES[side]: number for side, number in here["links"].items()} == there["links"]
    for name in ("muc", "b_cubed", "lea"):
        scores = one["scores"][name], other["scores"][name]
        assert (scores[0]["recall"], scores[0]["f1"]) == (scores[1]["precision"], scores[1]["f1"])


def test_gold_against_itself_has_no_error(drawn: Corpus) -> None:
    report = Corpus(drawn.gold, drawn.gold, drawn.pairs).errors(list="errors")
    assert all(count.errors == 0 for count in report.errors.values())
    assert list(report.list) == []


def renamed(
    random: Random, pairs: Mapping[str, tuple[Clusters, Clusters]]
) -> dict[str, tuple[Clusters, Clusters]]:
    """Return the documents in another order, under other names, and all in them in another order."""
    found = {}
    for number, name in enumerate(shuffled(random, list(pairs))):
        sides = [shuffled(random, [shuffled(random, members) for members in side]) for side in pairs[name]]
        found[f"x{number}"] = sides[0], sides[1]
    return found


def shuffled(random: Random, items: list[Item]) -> list[Item]:
    return random.sample(items, len(items))


def test_names_and_order_change_nothing(drawn: Corpus, tmp_path: Path) -> None:
    random = Random("names")  # noqa: S311 - any names will do
    other = corpus(tmp_path / "renamed", renamed(random, drawn.pairs))
    one, two = (each.errors(by="size,mentions").to_dict() for each in (drawn, other))
    for key in ("errors", "links", "breakdown"):
        assert two[key] == one[key]
