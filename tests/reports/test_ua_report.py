"""The ua report has the lines of the CorefUD scorer, to the byte."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from every import every

import scorch2
from scorch2.cli.main import main
from scorch2.model.forms import render
from scorch2.model.options import options_from
from scorch2.model.score import Measured, Tally
from scorch2.scoring.contingency import count_mentions
from scorch2.scoring.metrics.metric import ONLY, Metric
from scorch2.scoring.report import report_of

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"


def printed() -> Iterator[tuple[Path, list[str], str]]:
    """Return what the scorer printed with its defaults, without its first two lines about itself."""
    for path in sorted(FOLDER.glob("corefud-*/expected.json")):
        for run in json.loads(path.read_text("utf-8")).get("cli", ()):
            lines = run["stdout"].partition("\n\n")[2]
            if run["exit"] == 0 and path.parent.name != "corefud-23-missing-last-sentence":
                yield path.parent, run["args"], lines


def test_there_are_such_runs() -> None:
    assert len(list(printed())) == 20


@every(("folder", "args", "lines"), list(printed()))
def test_lines_are_those_of_the_scorer(
    folder: Path, args: list[str], lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert args == ["key", "sys"], "no option"
    sides = [str(folder / f"{side}.conllu") for side in ("key", "sys")]
    assert main(["-q", "--profile=corefud-1.2", "-f", "ua", *sides]) == 0
    assert capsys.readouterr().out == lines


def test_other_metrics_come_last() -> None:
    report = scorch2.score([["a", "b"]], [["a", "b"]], metrics=["pairwise", "lea"])
    assert render(report, "ua").splitlines()[::2] == ["lea", "pairwise"]


def test_bridging_and_non_referring_have_parts_of_their_own() -> None:
    """The lines are those of the Universal Anaphora scorer on its case of bridging."""
    names = ("bridging_anaphor", "bridging_mention", "bridging_entity", "non_referring")
    metrics = [Metric(name, name, {ONLY: count_mentions}, "") for name in names]
    tallies = tuple((Tally(hits, 4, hits, 4),) for hits in (3, 1, 2, 0))
    report = report_of(metrics, metrics, [Measured("d", 4, 4, tallies)], options_from(), ())
    assert render(report, "ua") == (
        f"{'=' * 44}\n"
        "Non-referring markable identification scores:\n"
        "Recall: 0.00  Precision: 0.00  F1: 0.00\n"
        f"{'=' * 44}\n"
        "Bridging anaphora recognition scores:\n"
        "Recall: 75.00  Precision: 75.00  F1: 75.00\n"
        "Full bridging scores (Markable Level):\n"
        "Recall: 25.00  Precision: 25.00  F1: 25.00\n"
        "Full bridging scores (Entity Level):\n"
        "Recall: 50.00  Precision: 50.00  F1: 50.00\n"
    )
