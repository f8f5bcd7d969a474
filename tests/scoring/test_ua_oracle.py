"""Scores of the exploded format, against the Universal Anaphora scorer 2.0.

Its numbers are in `fixtures/universal_anaphora`; where it breaks by its own rules, `by_alignment` counts.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.cli.main import main

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"
METRICS = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e", "ceafm": "ceaf_m", "lea": "lea"}
SCORED = set(METRICS) | {"blanc"}
MATCHES = {"partial-corefud": "partial", "partial-craft": "craft"}
NO_SETS = {f"ua-{number:02}" for number in (8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 20)}
"""Cases without sets of entities, in which these make no difference."""


def runs() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path.parent.name, run)
        for path in sorted(FOLDER.glob("ua-*/expected.json"))
        for run in json.loads(path.read_text("utf-8"))["runs"]
        if set(run["args"]) >= set(METRICS) and "--only-split-antecedent" not in run["args"]
        if "-l" not in run["args"] or path.parent.name[:5] in NO_SETS
    ]


def wanted(run: dict[str, Any]) -> dict[str, Any]:
    return {**run.get("scores", {}), **run.get("by_alignment", {})}


def choices(args: list[str]) -> dict[str, Any]:
    return {
        "match": MATCHES[args[args.index("-a") + 1]] if "-a" in args else "exact",
        "zeros": "place" if "-z" in args else "drop",
        "singletons": "keep" if "-s" in args else "drop",
    }


IDENTITY = [
    (case, run)
    for case, run in runs()
    if "-d" not in run["args"] and wanted(run) and case != "ua-20-doc-style-brackets"
]
"""The last one has brackets that the scorer misreads."""


def test_all_runs_are_there() -> None:
    assert len(IDENTITY) == 90


@pytest.mark.parametrize(
    ("case", "run"), IDENTITY, ids=lambda one: one if isinstance(one, str) else "".join(one["args"])
)
def test_scores_are_those_of_the_scorer(case: str, run: dict[str, Any]) -> None:
    gold, system = (FOLDER / case / f"{side}.ua" for side in ("key", "sys"))
    report = scorch2.score(
        gold,
        system,
        average="pooled",
        undefined="zero",
        metrics=list(METRICS.values()),
        **choices(run["args"]),
    )
    for theirs, ours in METRICS.items():
        expected = [wanted(run)[theirs][part] for part in "rpf"]
        assert list(report.scores[ours]) == pytest.approx(expected, abs=1e-9), ours


def test_both_styles_of_brackets_mean_the_same() -> None:
    gold, system = (FOLDER / "ua-20-doc-style-brackets" / f"{side}.ua" for side in ("key", "sys"))
    assert all(score.f1 == 1 for score in scorch2.score(gold, system).scores.values())


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("ua-18-error-key-spelling", r'line 4: a bracket without EntityID \(write it for "EntityId"\)'),
        ("ua-19-error-token-count", r"7 tokens in \"d1\", but 8 in gold"),
    ],
)
def test_errors_of_the_scorer_are_errors_that_say_why(case: str, why: str) -> None:
    gold, system = (FOLDER / case / f"{side}.ua" for side in ("key", "sys"))
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.score(gold, system)


@pytest.mark.parametrize("option", [{"match": "head"}, {"zeros": "dependency"}])
def test_what_the_format_does_not_say_is_refused(option: dict[str, Any]) -> None:
    path = FOLDER / "ua-11-zeros" / "key.ua"
    asked = "".join(f"--{name}={value}" for name, value in option.items())
    with pytest.raises(scorch2.InputError, match=f"no heads and dependencies, which {asked} needs"):
        scorch2.score(path, path, **option)


def test_zeros_of_one_side_are_matched_by_their_place() -> None:
    """With zeros and a mention that has no partner, the scorer stops with a TypeError."""
    gold, system = (FOLDER / "ua-17-error-zero-partial" / f"{side}.ua" for side in ("key", "sys"))
    report = scorch2.score(gold, system, match="partial", metrics=["mentions"], average="pooled")
    assert report.scores["mentions"].recall == pytest.approx(2 / 3), (
        "gold has a zero, a span of two and a word"
    )


SETS = {"ua-15-deixis", "ua-r02", "ua-r03", "ua-r04"}
"""Cases whose sets of entities count as mentions of deixis."""
UNREADABLE = "ua-18-error-key-spelling"
DEIXIS = [
    (case, run)
    for case, run in runs()
    if "-d" in run["args"] and wanted(run) and case not in SETS and case != UNREADABLE
]


def test_all_runs_on_deixis_are_there() -> None:
    assert len(DEIXIS) == 20


@pytest.mark.parametrize(("case", "run"), DEIXIS, ids=lambda one: one if isinstance(one, str) else "")
def test_scores_of_deixis_are_those_of_the_scorer(case: str, run: dict[str, Any]) -> None:
    gold, system = (FOLDER / case / f"{side}.ua" for side in ("key", "sys"))
    report = scorch2.score(
        gold,
        system,
        layer="deixis",
        average="pooled",
        undefined="zero",
        zeros="drop",
        metrics=list(METRICS.values()),
    )
    for theirs, ours in METRICS.items():
        expected = [wanted(run)[theirs][part] for part in "rpf"]
        assert list(report.scores[ours]) == pytest.approx(expected, abs=1e-9), ours


def test_a_layer_is_a_document_of_its_own() -> None:
    """Counted by hand: four mentions of deixis, seven of identity."""
    path = FOLDER / "ua-15-deixis" / "key.ua"
    (one,) = scorch2.score(path, path, layer="deixis", metrics=["mentions"]).documents
    assert one.gold_mentions == 4
    (other,) = scorch2.score(path, path, metrics=["mentions"]).documents
    assert other.gold_mentions == 7


@pytest.mark.parametrize("name", ["corefud-01-perfect/key.conllu", "conll-04-singletons/key.conll"])
def test_other_formats_have_no_deixis(name: str) -> None:
    with pytest.raises(scorch2.InputError, match="has no annotation of deixis, which --layer=deixis needs"):
        scorch2.score(FOLDER / name, FOLDER / name, layer="deixis")


def test_a_missing_system_is_empty_in_every_layer(tmp_path: Path) -> None:
    gold = FOLDER / "ua-r03" / "key.ua"
    text = gold.read_text("utf-8")
    system = tmp_path / "s.ua"
    system.write_text(text[: text.index("# newdoc id = docb")], "utf-8")
    report = scorch2.score(gold, system, layer="deixis", missing="empty", metrics=["mentions"])
    assert [one.system_mentions == 0 for one in report.documents] == [False, True]


def test_joined_documents_have_one_annotation() -> None:
    path = FOLDER / "ua-15-deixis" / "key.ua"
    with pytest.raises(scorch2.ScorchError, match="--layer=deixis and --documents=corpus do not go together"):
        scorch2.score(path, path, layer="deixis", documents="corpus")


def test_errors_are_counted_in_the_layer_that_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    sides = [str(FOLDER / "ua-15-deixis" / f"{side}.ua") for side in ("key", "sys")]
    assert main(["errors", "-q", "--layer=deixis", *sides]) == 0
    assert "mentions=4/" in capsys.readouterr().out
