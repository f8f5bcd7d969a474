"""Intervals of gains: corrected and uncorrected output on the same draws, by hand for two documents."""

import json
from pathlib import Path

import pytest

from scorch2.cli.main import main

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
LOST = ([["a", "b"]], [["a"], ["b"]])  # one gold entity divided: MUC is 0, and 1 if corrected
RIGHT = ([["a", "b"]], [["a", "b"]])
SINGLE = ([["a"]], [["a"]])  # MUC is 0/0
Pairs = list[tuple[list[list[str]], list[list[str]]]]


def analysed(
    pairs: Pairs, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> dict[str, dict[str, dict[str, list[float] | None]]]:
    """Return the intervals of gains, pooled, of a corpus."""
    for side, place in (("gold", 0), ("sys", 1)):
        (tmp_path / side).mkdir()
        for number, pair in enumerate(pairs):
            clusters = {f"e{i}": cluster for i, cluster in enumerate(pair[place])}
            text = json.dumps({"type": "clusters", "clusters": clusters})
            (tmp_path / side / f"d{number}.json").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / side) for side in ("gold", "sys")]
    assert main(["errors", "-q", "-f", "json", "-m", "muc", "--average=pooled", *words, *paths]) == 0
    found: dict[str, dict[str, dict[str, list[float] | None]]] = json.loads(capsys.readouterr().out)[
        "confidence"
    ]["gains"]
    return found


@pytest.mark.parametrize(
    ("level", "interval"),
    [
        # of four equally likely draws one has the wrong document twice (F1 0, gain 1), two have it once
        # (R 1/2, P 1: F1 2/3, gain 1/3), one never (gain 0)
        (40, [pytest.approx(1 / 3, abs=1e-6)] * 2),
        (80, [0.0, 1.0]),
    ],
)
def test_the_ends_are_quantiles_over_draws(
    level: int, interval: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = analysed([LOST, RIGHT], [f"--confidence={level}"], tmp_path, capsys)
    assert found["alone"]["divided"]["muc"] == interval
    assert found["in_order"]["divided"]["muc"] == interval
    assert found["in_order"]["all"]["muc"] == interval


def test_kinds_without_errors_gain_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = analysed([LOST, RIGHT], ["--confidence=95"], tmp_path, capsys)
    for by_kind in found.values():
        assert {kind for kind, gains in by_kind.items() if gains["muc"] != [0.0, 0.0]} <= {"divided", "all"}


def test_draws_whose_score_is_undefined_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = analysed([LOST, SINGLE], ["--confidence=95"], tmp_path, capsys)
    assert found["alone"]["divided"]["muc"] == [1.0, 1.0]


def test_a_gain_that_is_undefined_has_no_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = analysed([SINGLE, SINGLE], ["--confidence=95"], tmp_path, capsys)
    assert found["alone"]["divided"]["muc"] is None


def test_scores_have_intervals_without_gains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analysed([LOST, RIGHT], ["--confidence=80", "--gains=none"], tmp_path, capsys) == {}
    words = ["errors", "-q", "--confidence=80", "--gains=none", "-m", "muc", "--average=pooled"]
    paths = [str(tmp_path / side) for side in ("gold", "sys")]
    assert main([*words, "-f", "json", *paths]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["confidence"]["metrics"]["muc"]["f1"] == [0.0, 1.0]  # see above: 0, 2/3 twice, and 1
    assert main([*words, *paths]) == 0
    assert "brackets" not in capsys.readouterr().out, "the table has no scores"


def test_one_document_is_always_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(EXAMPLE / side / "harbour-000.json") for side in ("gold", "sys")]
    for average in ("mentions", "pooled", "macro"):
        words = ["-q", "-f", "json", "--confidence=95", "--trials=20", f"--average={average}"]
        assert main(["errors", *words, *paths]) == 0
        report = json.loads(capsys.readouterr().out)
        scores, found = report["scores"], report["confidence"]["gains"]
        last = {name: score["f1"] for name, score in scores.items()}
        for kind, corrected in report["corrected"]["in_order"].items():
            alone = report["corrected"]["alone"][kind]
            for name, score in scores.items():
                gain = alone[name]["f1"] - score["f1"]
                assert found["alone"][kind][name] == [pytest.approx(gain, abs=1e-6)] * 2
                step = corrected[name]["f1"] - last[name]
                assert found["in_order"][kind][name] == [pytest.approx(step, abs=1e-6)] * 2
                last[name] = corrected[name]["f1"]


def test_every_form_shows_the_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")]
    words = ["errors", "-q", "--confidence=95", "--trials=50", "--seed=4", "-m", "lea", *paths]
    assert main([*words, "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    share = report["shares"]["conflated"]["lea"]
    for how, gain, gains in (("alone", 0.1442, "order"), ("shares", share, "shares")):
        low, high = report["confidence"]["gains"][how]["conflated"]["lea"]
        for form in ("table", "markdown"):
            assert main([*words, f"--gains={gains}", "-f", form]) == 0
            out = capsys.readouterr().out
            assert f"{100 * gain:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]" in out
        assert (
            "In brackets: 95 % intervals over 50 bootstrap resamples of the documents, seed 4."
            in " ".join(out.split())
        )
        assert out.rstrip("`\n").endswith("| seed=4")
    assert main([*words, "-f", "tsv"]) == 0
    head, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line]
    conflated = dict(zip(head, next(row for row in rows if row[0] == "conflated"), strict=True))
    assert (conflated["lea_shares_gain_low"], conflated["lea_shares_gain_high"]) == (repr(low), repr(high))
    assert {len(row) for row in rows} == {len(head)}


@pytest.mark.parametrize("option", ["--trials=5", "--seed=5"])
def test_draws_need_a_level(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", option, "nowhere", "nowhere"]) == 2
    name = option.partition("=")[0]
    assert capsys.readouterr().err.strip() == f"scorch2: error: {name} needs --confidence"
