"""Guards against slowness that need no clock: files opened, lines executed, cells held."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import assert_in_proportion

import scorch2
from scorch2.analysis import bootstrap
from scorch2.analysis.bootstrap import confidence
from scorch2.cli.main import main
from scorch2.model.document import Document
from scorch2.model.options import Options
from scorch2.model.score import Sampling
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import count_overlaps
from scorch2.scoring.matching.steps import match


def clusters(number: int, shift: int) -> list[list[int]]:
    """Return `number` clusters of ten mentions; with a shift, each shares mentions with two of the others."""
    mentions = [(mention + shift) % (10 * number) for mention in range(10 * number)]
    return [mentions[start : start + 10] for start in range(0, len(mentions), 10)]


@pytest.mark.parametrize("shift", [0, 3, 5])
def test_work_grows_with_the_mentions(shift: int) -> None:
    def score(number: int) -> None:
        scorch2.score(clusters(number, 0), clusters(number, shift), metrics="all")

    assert_in_proportion(score, 200)


def test_work_grows_with_the_documents(tmp_path: Path) -> None:
    def corpus(documents: int) -> tuple[str, str]:
        for side in ("gold", "sys"):
            folder = tmp_path / f"{side}{documents}"
            folder.mkdir()
            for number in range(documents):
                value = {"type": "clusters", "clusters": {"a": ["x", "y"], "b": [f"m{number}"]}}
                (folder / f"{number}.json").write_text(json.dumps(value), encoding="utf-8")
        return str(tmp_path / f"gold{documents}"), str(tmp_path / f"sys{documents}")

    made = {documents: corpus(documents) for documents in (50, 100)}
    assert_in_proportion(lambda documents: scorch2.score(*made[documents]), 50)


def test_every_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for side in ("gold", "sys"):
        (tmp_path / side).mkdir()
        for number in range(20):
            value = '{"type": "clusters", "clusters": {"a": ["x", "y"]}}'
            (tmp_path / side / f"{number}.json").write_text(value, encoding="utf-8")
    opened: list[str] = []
    really = os.open

    def counting(path: str, *given: Any, **named: Any) -> int:
        opened.append(path)
        return really(path, *given, **named)

    monkeypatch.setattr(os, "open", counting)
    scorch2.score(tmp_path / "gold", tmp_path / "sys")
    files = [path for path in opened if str(path).endswith(".json")]
    assert len(files) == len(set(files)) == 40


@pytest.mark.parametrize("number", [10, 1000])
def test_only_clusters_that_meet_are_compared(number: int) -> None:
    """A cell needs a mention of its own, so there are no more cells than mentions, and no other pairs."""
    gold, system = (
        Document(side, {str(i): cluster for i, cluster in enumerate(clusters(number, shift))})
        for side, shift in (("gold", 0), ("system", 3))
    )
    matched = match("d", gold, system, Options())
    assert len(count_overlaps(matched.gold, matched.system).cells) == 2 * number


def test_a_large_alignment_holds_its_cells_and_no_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.sparse import csgraph

    held: list[int] = []
    really = csgraph.min_weight_full_bipartite_matching

    def watching(costs: Any) -> Any:
        held.append(costs.nnz)
        return really(costs)

    monkeypatch.setattr(csgraph, "min_weight_full_bipartite_matching", watching)
    random = np.random.default_rng(0)
    rows = 3000
    places = {(row, int(column)) for row in range(rows) for column in random.integers(rows, size=3)}
    cells = [(row, column, 1.0 + random.random()) for row, column in sorted(places)]
    best_alignment(cells)
    assert 0 < sum(held) <= len(cells) + rows


def test_trials_are_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = scorch2.CorefScorer("muc")
    for number in range(50):
        scorer.update(gold=[["a", "b"]], system=[["a", "b"]] if number % 2 else [["a"], ["b"]])
    held: list[int] = []
    really = np.bincount

    def watching(numbers: Any, **named: Any) -> Any:
        held.append(len(numbers))
        return really(numbers, **named)

    monkeypatch.setattr(bootstrap, "_BLOCK", 1000)
    monkeypatch.setattr(np, "bincount", watching)
    confidence(scorer.compute(), Sampling(95, 200, 0))
    assert (max(held), sum(held)) == (1000, 200 * 50)


def test_a_score_reads_no_more_than_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """Printing help or a version opens no file."""
    opened: list[object] = []

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and watching and not str(given[0]).endswith((".py", ".pyc")):
            opened.append(given[0])

    watching = False
    sys.addaudithook(hook)
    watching = True
    assert main(["--version"]) == main(["help", "score"]) == 0
    watching = False
    assert opened == []
    assert capsys.readouterr().out
