"""Scores of the exploded format, against the Universal Anaphora scorers, under the profiles of these names.

Their numbers are in `fixtures/universal_anaphora`; where one breaks by its own rules, `by_alignment` counts.
"""

from pathlib import Path
from typing import Any

import peer_runs
import pytest
from every import every
from peer_runs import FOLDER

import scorch2
from scorch2.cli.main import main

METRICS = peer_runs.metrics("lea muc bcub ceafe ceafm blanc")
LINKS = ("bridging_anaphor", "bridging_mention", "bridging_entity")
CHOICES: dict[str, dict[str, str]] = {
    "-s": {"singletons": "keep"},
    "-l": {"split_antecedents": "keep"},
    "-d": {"layer": "deixis", "split_antecedents": "keep", "singletons": "keep"},
    "--only-split-antecedent": {"split_antecedents": "only", "singletons": "keep"},
    "-z": {"zeros": "place"},
    "partial-corefud": {"match": "partial"},
    "partial-craft": {"match": "craft"},
}
"""The options that words of its command line stand for."""
REFUSED = {
    "ua-18-error-key-spelling": 'line 4: a bracket without EntityID (write it for "EntityId")',
    "ua-19-error-token-count": '7 tokens in "d1", but 8 in gold',
}
MISREAD = "ua-20-doc-style-brackets"
"""Its brackets are in the style of the format's documentation, which the scorer misreads."""


def runs(*, failed: bool = False) -> list[tuple[str, peer_runs.Run]]:
    """Return the runs with numbers, or those in which the scorer failed."""
    return [
        (case, run)
        for case, run in peer_runs.runs("ua-*")
        if ("error" in run) == failed and case not in (*REFUSED, MISREAD)
    ]


def test_all_runs_are_there() -> None:
    assert (len(runs()), len(runs(failed=True))) == (197, 5)


def sides(case: str) -> list[str]:
    return [str(FOLDER / case / f"{side}.ua") for side in ("key", "sys")]


def score(case: str, run: dict[str, Any], metrics: list[str]) -> scorch2.Report:
    """Score a case as the words of the run's command line say."""
    choices: dict[str, Any] = {}
    for word in run["args"]:
        choices |= CHOICES.get(word, {})
    return scorch2.score(*sides(case), profile="ua-2.0", metrics=metrics, **choices)


def wanted(run: dict[str, Any]) -> dict[str, list[float]]:
    """Return the numbers of a run: those of a sound scorer, where the scorer broke."""
    found = {**run.get("scores", {}), **run.get("by_alignment", {})}
    named = {ours: found[theirs] for theirs, ours in METRICS.items() if theirs in found}
    if "bridging" in run:
        named["non_referring"] = run["non-referring"]
        named |= {f"bridging_{level}": score for level, score in run["bridging"].items()}
    return {name: [score[part] for part in "rpf"] for name, score in named.items()}


@every(("case", "run"), runs())
def test_scores_are_those_of_the_profile(case: str, run: dict[str, Any]) -> None:
    expected = wanted(run)
    assert len(expected) in (4, 6)
    report = score(case, run, list(expected))
    for name, numbers in expected.items():
        assert list(report.scores[name]) == pytest.approx(numbers, abs=1e-9), name


@pytest.mark.parametrize(("case", "run"), runs(failed=True))
def test_where_the_scorer_stops_there_are_scores(case: str, run: dict[str, Any]) -> None:
    """It compares numbers with text, the names of zeros: here those that are equal are found."""
    report = score(case, run, ["mentions"])
    assert 0 < report.mentions.f1 <= 1


HEADINGS = {
    **METRICS,
    "Non-referring markable identification scores:": "non_referring",
    "Bridging anaphora recognition scores:": "bridging_anaphor",
    "Full bridging scores (Markable Level):": "bridging_mention",
    "Full bridging scores (Entity Level):": "bridging_entity",
}
FAULTS = {
    "ua-03-split-extra-member": {"lea", "blanc"},
    "ua-04-split-wrong-member": {"lea", "blanc"},
    "ua-r05": {"blanc"},
}
"""The old scorer's LEA and BLANC carry the weight of a split antecedent on to the links behind it."""
EXACT = {"lea", "muc", "bcub", "blanc", "conll"}
"""Metrics of the old scorer, and the mean of some, that take no notice of its *min*."""
FAULTS_OF_MIN = {**FAULTS, "ua-08-min-spans": EXACT, "ua-r05": EXACT}


def outputs() -> list[tuple[str, peer_runs.Run]]:
    """Return what the scorer 1.0 printed."""
    return [
        (case, run)
        for case, run in peer_runs.runs("ua-*", "cli")
        if run["peer"] == "UA scorer 1.0" and run["exit"] == 0
        if case not in REFUSED
    ]


def test_all_outputs_are_there() -> None:
    assert len(outputs()) == 48


@every(("case", "run"), outputs())
def test_the_profile_of_the_old_scorer_prints_its_lines(
    case: str, run: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    metrics, words, faults = [*METRICS.values(), "conll"], [], FAULTS.get(case, set())
    if "only_split_antecedent" in run["args"]:
        words, faults = ["--split-antecedents=only"], set()
    elif "min" in run["args"]:
        words, faults = ["--match=partial"], FAULTS_OF_MIN.get(case, set())
    else:
        metrics += ["non_referring", *LINKS]
    argv = ["-q", "--profile=ua-1.0", "-f", "ua", "-m", ",".join(metrics), *words]
    assert main([*argv, *sides(case)]) == 0
    found, expected = (numbers(text) for text in (capsys.readouterr().out, run["stdout"]))
    assert len(expected) == len(metrics)
    assert {name for name in expected if found[name] != expected[name]} == faults


def numbers(text: str) -> dict[str, str]:
    """Return the line of numbers below each heading."""
    lines = text.splitlines()
    found = {line: lines[place] for place, line in enumerate(lines, 1) if line in HEADINGS}
    return {**found, "conll": next(line for line in lines if line.startswith("CoNLL score"))}


def test_both_styles_of_brackets_mean_the_same() -> None:
    assert all(score.f1 == 1 for score in scorch2.score(*sides(MISREAD)).scores.values())


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("profile", ["ua-2.0", "ua-1.0"])
def test_errors_of_the_scorer_are_errors_that_say_why(
    case: str, profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([f"--profile={profile}", *sides(case)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert REFUSED[case] in err


@pytest.mark.parametrize("option", [{"match": "head"}, {"zeros": "dependency"}])
def test_what_the_format_does_not_say_is_refused(option: dict[str, Any]) -> None:
    path = FOLDER / "ua-11-zeros" / "key.ua"
    asked = "".join(f'{name}="{value}"' for name, value in option.items())
    with pytest.raises(scorch2.InputError, match=f"neither heads nor dependencies, which {asked} needs"):
        scorch2.score(path, path, **option)


def test_zeros_of_one_side_are_matched_by_their_place() -> None:
    """With zeros and a mention that has no partner, the scorer stops with a TypeError."""
    gold, system = sides("ua-17-error-zero-partial")
    report = scorch2.score(gold, system, match="partial", metrics=["mentions"], average="pooled")
    assert report.scores["mentions"].recall == pytest.approx(2 / 3), (
        "gold has a zero, a span of two and a word"
    )


def test_a_layer_is_a_document_of_its_own() -> None:
    """Counted by hand: four mentions of deixis, seven of identity."""
    path = FOLDER / "ua-15-deixis" / "key.ua"
    (one,) = scorch2.score(path, path, layer="deixis", metrics=["mentions"]).documents
    assert one.gold_mentions == 4
    (other,) = scorch2.score(path, path, metrics=["mentions"]).documents
    assert other.gold_mentions == 7


@pytest.mark.parametrize("name", ["corefud-01-perfect/key.conllu", "conll-04-singletons/key.conll"])
def test_other_formats_have_no_deixis(name: str) -> None:
    with pytest.raises(scorch2.InputError, match='has no annotation of deixis, which layer="deixis" needs'):
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
    with pytest.raises(scorch2.ScorchError, match='layer="deixis" and documents="corpus" do not go'):
        scorch2.score(path, path, layer="deixis", documents="corpus")


def test_errors_are_counted_in_the_layer_that_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", "-q", "--layer=deixis", *sides("ua-15-deixis")]) == 0
    assert "mentions=4/" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("case", "options", "said"),
    [
        ("ua-12-zeros-only-cluster", {"singletons": "keep"}, ["left out, with no mention besides zeros"]),
        ("ua-12-zeros-only-cluster", {}, ["left out, with at most one mention besides zeros"]),
        ("ua-12-zeros-only-cluster", {"zeros": "place"}, []),
        ("ua-12-zeros-only-cluster", {"lookup": "pairs"}, []),
        ("ua-r01", {"singletons": "keep"}, ["1 cluster of gold left out"]),
        ("ua-r02", {"singletons": "keep"}, []),
        ("ua-03-split-extra-member", {"split_antecedents": "keep", "metrics": ["blanc"]}, ["blanc: a link"]),
        ("ua-03-split-extra-member", {"split_antecedents": "keep"}, []),
        ("ua-03-split-extra-member", {"metrics": ["blanc"]}, []),
    ],
)
def test_one_line_says_where_the_scorer_breaks_its_own_rules(
    case: str, options: dict[str, Any], said: list[str]
) -> None:
    """`by_alignment` has other numbers than the scorer in these runs."""
    notices = scorch2.score(*sides(case), profile="ua-2.0", **options).notices
    found = [one.message for one in notices if one.code != "same"]
    assert len(found) == len(said)
    assert all(part in message for part, message in zip(said, found, strict=True))
