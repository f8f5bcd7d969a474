"""`--profile=e2e` gives what copies of metrics.py print: their numbers are recorded in fixtures/e2e."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from every import every

import scorch2
from scorch2.cli.main import main

Clusters: TypeAlias = Sequence[Sequence[Any]]
Corpus: TypeAlias = Sequence[tuple[Clusters, Clusters]]
"""Gold and system of each document."""

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "e2e"
RANDOM, LITBANK = (json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in ("random", "litbank"))
METRICS = ["muc", "b_cubed", "ceaf_e", "lea", "conll"]
GOLD, SYSTEM = [["a", "b", "c"], ["d"]], [["a", "b"], ["c"], ["d"]]

pytestmark = pytest.mark.filterwarnings("ignore::scorch2.ScorchWarning")


def random_corpus(case: Mapping[str, Any]) -> Corpus:
    return [
        (list(map(list, gold.split())), list(map(list, system.split()))) for gold, system in case["documents"]
    ]


def litbank(case: Mapping[str, Any]) -> Corpus:
    return [
        (chosen(gold, case["gold"]), chosen(gold if case["system"] == "itself" else system, case["system"]))
        for gold, system in map(clusters_of, LITBANK["documents"])
    ]


def chosen(clusters: Clusters, which: str) -> Clusters:
    return [cluster for cluster in clusters if which != "drop" or len(cluster) > 1]


def clusters_of(document: Mapping[str, Any]) -> tuple[Clusters, Clusters]:
    """Return clusters with the sizes and the shared mentions of a document."""
    gold: list[list[str]] = [[] for _ in document["gold"]]
    system: list[list[str]] = [[] for _ in document["system"]]
    for cell in document["cells"].split():
        where, shared = cell.split(":")
        g, s = map(int, where.split("/"))
        for clusters, number in ((gold, g), (system, s)):
            clusters[number] += [f"{where} {n}" for n in range(int(shared))]
    for side, clusters in (("gold", gold), ("system", system)):
        for number, (cluster, size) in enumerate(zip(clusters, document[side], strict=True)):
            cluster += [f"only {side} {number} {n}" for n in range(size - len(cluster))]
    return gold, system


CASES = [
    *((random_corpus(case), case) for case in RANDOM["cases"]),
    *((litbank(case), case) for case in LITBANK["cases"]),
]


def scored(corpus: Corpus, **options: Any) -> Mapping[str, list[float]]:
    scorer = scorch2.CorefScorer(METRICS, **options)
    for gold, system in corpus:
        scorer.update(gold=gold, system=system)
    return {name: list(map(float, score)) for name, score in scorer.compute().scores.items()}


@every("case", CASES)
def test_it_gives_the_numbers_of_the_copies(case: tuple[Corpus, Any]) -> None:
    corpus, recorded = case
    ours = scored(corpus, profile="e2e")
    for name, expected in recorded["e2e"].items():
        assert ours[name] == pytest.approx(expected, rel=1e-12, abs=0), name


@every("case", CASES)
def test_copies_that_keep_singletons_are_the_reference_scorer(case: tuple[Corpus, Any]) -> None:
    corpus, recorded = case
    ours = scored(corpus, profile="conll")
    for name, expected in recorded["maverick"].items():
        assert ours[name] == pytest.approx(expected[-len(ours[name]) :], rel=1e-12, abs=0), name


@every("case", CASES)
def test_lea_of_wl_coref_leaves_singletons_out(case: tuple[Corpus, Any]) -> None:
    corpus, recorded = case
    ours = scored(corpus, profile="conll", singletons="drop")
    assert ours["lea"] == pytest.approx(recorded["wl"]["lea"], abs=3e-7)  # 1e-7 is added to its denominators


def test_gold_of_litbank_against_itself_is_not_perfect() -> None:
    (case,) = (case for case in LITBANK["cases"] if case["system"] == "itself")
    clusters = [size for document in LITBANK["documents"] for size in document["gold"]]
    recall = sum(size > 1 for size in clusters) / len(clusters)
    ceaf_e = 2 * recall / (1 + recall)
    ours = scored(litbank(case), profile="e2e")["conll"]
    assert ours == pytest.approx([(2 + recall) / 3, 1, (2 + ceaf_e) / 3])
    assert f"{100 * ours[-1]:.2f}" == "80.67"


def test_other_metrics_keep_singletons() -> None:
    others = ["ceaf_m", "blanc", "pairwise", "mentions", "ceaf_e_sys"]
    assert (
        scorch2.score(GOLD, SYSTEM, metrics=others, singletons="e2e").scores
        == scorch2.score(GOLD, SYSTEM, metrics=others).scores
    )


def notices(**options: Any) -> list[str]:
    return [one.message for one in scorch2.score(GOLD, SYSTEM, **options).notices if one.code == "singletons"]


def test_a_warning_says_where_singletons_make_a_difference() -> None:
    (message,) = notices(profile="e2e")
    why = "training logs leave singletons out, papers on this corpus keep them"
    assert message == f'1 singleton of gold and 2 of the system: {why} (for a paper: profile="conll")'
    assert notices(singletons="e2e", metrics=["lea"]) == [message]
    assert notices(profile="e2e", metrics=["muc"]) == []
    assert notices(profile="e2e", singletons="drop") == []
    scorer = scorch2.CorefScorer(profile="e2e")
    for _ in range(3):
        scorer.update(gold=GOLD, system=SYSTEM)
    assert [one.message[:38] for one in scorer.compute().notices] == [
        "3 singletons of gold and 6 of the system"[:38]
    ]
    assert not scorch2.score([["a", "b"]], [["a", "b", "c"]], profile="e2e").notices


@pytest.mark.parametrize(
    ("options", "needed"),
    [({"lookup": "reference"}, "lookup=pairs"), ({"split_antecedents": "keep"}, "split_antecedents=drop")],
)
def test_it_needs_mentions_in_pairs(options: Any, needed: str) -> None:
    with pytest.raises(scorch2.UsageError, match=needed):
        scorch2.score(GOLD, SYSTEM, profile="e2e", **options)


def test_recall_and_precision_of_the_average_are_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In gates, intervals, stored reports and tables, as those of any metric."""
    for name, clusters in (("gold", GOLD), ("sys", SYSTEM)):
        (tmp_path / f"{name}.json").write_text(
            json.dumps({"type": "clusters", "clusters": dict(enumerate(clusters))}), "utf-8"
        )
    gold, system, stored = (str(tmp_path / name) for name in ("gold.json", "sys.json", "report.json"))
    words = ["--profile=e2e", "--confidence=95", "--trials=9", "--fail-under=conll.r=0.44"]
    assert main([*words, gold, system, stored]) == 0
    written = json.loads(Path(stored).read_text("utf-8"))
    # MUC 1/2, 1/1; B³ (4/3)/3, 2/2; CEAF_e (4/5)/2, (4/5)/1
    recall, precision = (1 / 2 + 4 / 9 + 2 / 5) / 3, (1 + 1 + 4 / 5) / 3
    f1 = (2 / 3 + 8 / 13 + 8 / 15) / 3
    assert written["scores"]["conll"] == pytest.approx({"recall": recall, "precision": precision, "f1": f1})
    assert written["confidence"]["metrics"]["conll"]["recall"] == pytest.approx([recall, recall], abs=1e-6)
    capsys.readouterr()
    assert main(["gate", stored, "--fail-under=conll.p=0.94", "--exit-zero"]) == 0
    assert "conll.precision" in capsys.readouterr().out
    scorch2.assert_scores(GOLD, SYSTEM, profile="e2e", conll={"recall": 0.44})
    with pytest.raises(scorch2.UsageError, match="part of conll"):
        scorch2.assert_scores(GOLD, SYSTEM, profile="conll", conll={"recall": 0.44})


def test_errors_are_found_under_it() -> None:
    found = scorch2.errors(GOLD, SYSTEM, profile="e2e")
    assert found.report.scores["conll"] == scorch2.score(GOLD, SYSTEM, profile="e2e").scores["conll"]
    assert float(found.corrected.alone["divided"]["conll"].recall) == pytest.approx((1 + 1 + 1 / 2) / 3)
