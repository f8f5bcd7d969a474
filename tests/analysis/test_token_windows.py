"""``--resample=windows``: the worth of a window, resamples of windows, and when they are of documents."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from effort import share_of
from exact_model import MODELS, Clusters
from span_clusters import score_documents

import scorch2
from scorch2.analysis.bootstrap import Trials, sample
from scorch2.cli.main import main
from scorch2.model.besides import WindowCounts
from scorch2.model.document import Document
from scorch2.model.options import options_from
from scorch2.model.score import AVERAGES, Average, Measured, Weights
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.report import Report

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
TOKENS, LENGTH = 20, 6
COUNTED = [name for name in OF_CLUSTERS if isinstance(METRICS[name], Metric)]
GOLD, SYSTEM = (str(EXAMPLE / name) for name in ("gold.conll", "sys.conll"))


@pytest.fixture(scope="module", name="other")
def system_that_merges_two_entities(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("system") / "merged.conll"
    text = Path(SYSTEM).read_text("utf-8")
    path.write_text(re.sub(r"\b2\)", "1)", re.sub(r"\(2\b", "(1", text)), "utf-8")
    return str(path)


def clusters(random: Random) -> list[list[tuple[int, int]]]:
    """Draw clusters of spans that begin at some of the tokens."""
    labels = {place: random.randrange(5) for place in random.sample(range(TOKENS), random.randrange(12))}
    found: dict[int, list[tuple[int, int]]] = {}
    for place, label in labels.items():
        found.setdefault(label, []).append((place, place + 1 + random.randrange(2)))
    return list(found.values())


def document(name: str, members: Sequence[Sequence[tuple[int, int]]]) -> Document:
    named = {str(number): list(cluster) for number, cluster in enumerate(members)}
    return Document(name, named, sentences=[5, TOKENS - 5])


def without(sides: Sequence[Clusters], window: int) -> Iterator[Clusters]:
    """Leave out the mentions that begin in a window of either side, and clusters that are empty then."""
    for side in sides:
        left = (frozenset(m for m in one if m[0] // LENGTH != window) for one in side)  # type: ignore[index]
        yield tuple(one for one in left if one)


def test_a_window_is_worth_what_the_counts_lose_without_its_mentions() -> None:
    random = Random(27)  # noqa: S311 - a sample, not a secret
    chosen = options_from(metrics=tuple(COUNTED), resample=f"windows:{LENGTH}")
    for _ in range(share_of(150)):
        drawn = clusters(random), clusters(random)
        report = score_documents(document("d", drawn[0]), document("d", drawn[1]), chosen)
        sides = [tuple(map(frozenset, side)) for side in drawn]
        windows = report.documents[0].windows
        assert len(windows) == -(-TOKENS // LENGTH)
        assert sum(one.gold_mentions for one in windows) == sum(map(len, sides[0]))
        for number, window in enumerate(windows):
            left = [*without(sides, number)]
            for metric, tallies in zip(report.metrics, window.tallies, strict=True):
                parts = MODELS[metric.name](*sides).parts, MODELS[metric.name](*left).parts
                for (whole, rest), tally in zip(
                    zip(*(p.values() for p in parts), strict=True), tallies, strict=True
                ):
                    expected = [float(a - b) for a, b in zip(whole, rest, strict=True)]
                    assert list(tally) == pytest.approx(expected, abs=1e-9), metric.name


def report_of(average: Any) -> Report:
    options: dict[str, Any] = {"metrics": ["all"], "average": average, "resample": "windows:7"}
    return scorch2.confidence(SYSTEM, gold=GOLD, trials=1, **options).report


def scores_of(report: Report, times: Sequence[float]) -> dict[str, dict[str, Any]]:
    numbers = sample(report)
    return dict(numbers.scores(Trials(np.array([times], dtype=float), numbers.matrix, numbers.base)))


def squared(counts: Measured | WindowCounts) -> Weights:
    """Weigh by a square, which windows of a document do not add up to."""
    return counts.gold_mentions**2, 1, counts.gold_mentions + 2


ANY_AVERAGE = {
    **AVERAGES,
    "gold": Average("by gold mentions", lambda counts: (counts.gold_mentions,) * 3),
    "squared": Average("by something else", squared),
}
"""The averages, and two with weights of their own, as somebody may add them: each is one row."""


@pytest.fixture(name="average", params=ANY_AVERAGE)
def name_of_average(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an average; a new one takes the place of another."""
    if request.param in AVERAGES:
        return str(request.param)
    monkeypatch.setitem(cast("dict[str, Average]", AVERAGES), "macro", ANY_AVERAGE[request.param])
    return "macro"


def test_the_resample_that_has_each_window_once_has_the_score(average: str) -> None:
    report = report_of(average)
    number = sum(len(one.windows) for one in report.documents)
    assert number > len(report.documents)
    for name, parts in scores_of(report, [1] * number).items():
        for part, (value,) in parts.items():
            assert value == pytest.approx(getattr(report.scores[name], part)), (name, part)


@pytest.mark.parametrize("undefined", ["skip", "zero"])
def test_windows_that_hold_whole_documents_give_the_intervals_and_tests_of_documents(
    average: Any, undefined: Any, other: str
) -> None:
    chosen: dict[str, Any] = {"gold": GOLD, "average": average, "undefined": undefined, "metrics": ["all"]}
    one, again = (
        scorch2.confidence(SYSTEM, **chosen, resample=units, trials=200)
        for units in ("documents", "windows:999")
    )
    assert [level.intervals for level in one.levels] == [level.intervals for level in again.levels]
    systems = {"one": SYSTEM, "other": other}
    found, tested = (
        scorch2.significance(systems, **chosen, resample=units, trials=300).to_records()
        for units in ("documents", "windows:999")
    )
    for here, there in zip(found, tested, strict=True):
        assert {**here, "p": None} == {**there, "p": None}
        assert here["p"] == pytest.approx(there["p"], abs=0.12)  # of documents it is exact


def test_counts_of_resamples_by_hand() -> None:
    """Three windows with a mention each: gold abc, system ab and c.

    Without a or b, MUC loses the link of gold that is found, and one of two; without c one that is not found.
    Drawn 2, 1, 0 times: 1 + 1 − 0 of 2 + 1 − 1 links of gold are found; 1 + 1 of 1 + 1 are right.
    """
    gold, system = ([[(0, 1), (6, 7), (12, 13)]], [[(0, 1), (6, 7)], [(12, 13)]])
    chosen = options_from(metrics=("muc",), resample="windows:6")
    report = score_documents(
        document("d", gold)._replace(sentences=[18]), document("d", system)._replace(sentences=[18]), chosen
    )
    assert [[*map(list, one.tallies[0])] for one in report.documents[0].windows] == [
        [[1, 1, 1, 1]], [[1, 1, 1, 1]], [[0, 1, 0, 0]],
    ]  # fmt: skip
    assert [*map(float, report.muc)] == [1 / 2, 1, 2 / 3]
    drawn = scores_of(report, [2, 1, 0])["muc"]
    assert [drawn[part][0] for part in ("recall", "precision")] == [1, 1]
    drawn = scores_of(report, [1, 0, 2])["muc"]
    assert drawn["recall"][0] == 0
    assert np.isnan(drawn["precision"][0])


def test_exchanged_systems_have_the_same_p_and_the_opposite_difference(other: str) -> None:
    both: dict[str, Any] = {"gold": GOLD, "metrics": ["lea", "conll"], "resample": "windows:7", "trials": 500}
    one = scorch2.significance({"a": SYSTEM, "b": other}, **both).to_records()
    flipped = scorch2.significance({"b": other, "a": SYSTEM}, **both).to_records()
    for here, there in zip(one, flipped, strict=True):
        assert here["difference"] == pytest.approx(-there["difference"])
        assert here["p"] == there["p"]
        assert (here["low"], here["high"]) == pytest.approx((-there["high"], -there["low"]))


def test_reports_say_that_windows_were_drawn(other: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "--confidence=95", "--trials=50", "--resample=windows:10", "-m", "lea", GOLD, SYSTEM]
    assert main(["score", "-f", "table", *words]) == 0
    table = " ".join(capsys.readouterr().out.split())
    assert "50 bootstrap resamples of the windows of 10 tokens, seed 0." in table
    assert "| resample=windows:10 | windows=11 | seed=0" in table
    assert main(["score", "-f", "json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["options"]["resample"] == found["confidence"]["resample"] == "windows:10"
    assert main(["compare", "-q", "--resample=windows:10", "--trials=50", GOLD, SYSTEM, other]) == 0
    assert (
        "resample=windows:10 | windows=11 | side=two-sided | permutations=50 | exact=no"
        in capsys.readouterr().out
    )
    assert main(["confidence", "-q", "-f", "json", "--resample=windows:10", "-g", GOLD, SYSTEM]) == 0
    run = json.loads(capsys.readouterr().out)[0]["run"]
    assert (run["resample"], run["windows"]) == ("windows:10", 11)


REFUSED = {
    "--resample needs --confidence": ["score", "--resample=windows:9", GOLD, SYSTEM],
    "--resample is for tests and intervals": [
        "compare", "--against=none", "--resample=windows:9", GOLD, SYSTEM,
    ],
    'resample is documents or windows:<tokens>, such as windows:1000, not "words"': [
        "score", "--confidence=95", "--resample=words", GOLD, SYSTEM,
    ],
    'resample=windows:<tokens> is a whole number from 1 to 10000000, not "0"': [
        "confidence", "--resample=windows:0", "-g", GOLD, SYSTEM,
    ],
    "--resample draws documents for mention_overlap, which counts more than clusters": [
        "score", "-m", "mor", "--confidence=95", "--resample=windows:9", GOLD, SYSTEM,
    ],
    "--resample over windows needs --lookup=pairs": [
        "score", "--lookup=reference", "--confidence=95", "--resample=windows:9", GOLD, SYSTEM,
    ],
    "--resample needs --gold: a stored report is scored already": [
        "confidence", "--resample=windows:9", str(EXAMPLE / "baseline.json"),
    ],
    "--resample is for coreference metrics": [
        "confidence", "--resample=windows:9", "-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_windows_cannot_do_is_refused(message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(REFUSED[message]) == 2
    assert message in capsys.readouterr().err


def test_mentions_without_tokens_have_no_windows() -> None:
    named = {"d": {"a": ["m1", "m2"]}}
    with pytest.raises(scorch2.InputError, match='"d" has no tokens, which resample over windows needs'):
        scorch2.confidence(named, gold=named, resample="windows:9")


def test_windows_come_through_worker_processes(capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).parent.parent.parent / "fixtures" / "example"
    words = [str(example / "gold.conll"), str(example / "sys.conll"), "-f", "json", "--confidence=95"]
    printed = []
    for jobs in ("1", "2"):
        assert main([*words, "--resample=windows:20", "--trials=50", "-j", jobs]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
