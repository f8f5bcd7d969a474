"""Runs of other scorers, in `fixtures/universal_anaphora`: the words that were typed, and their numbers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scorch2 import Report

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"
Run: TypeAlias = dict[str, Any]
"""``peer``, ``args``, and ``scores`` by metric and part or an ``error``; ``by_alignment`` has the scores that
the peer would give if it kept to its own rules."""
_OURS = {
    "muc": "muc",
    "bcub": "b_cubed",
    "ceafe": "ceaf_e",
    "ceafm": "ceaf_m",
    "blanc": "blanc",
    "lea": "lea",
    "mentions": "mentions",
    "mor": "mention_overlap",
    "zero": "zero_anaphora",
}


def runs(cases: str, key: str = "runs") -> list[tuple[str, Run]]:
    """Return the runs of each case whose folder is called like the pattern `cases`."""
    return [
        (path.parent.name, run)
        for path in sorted(FOLDER.glob(f"{cases}/expected.json"))
        for run in json.loads(path.read_text("utf-8")).get(key, [])
    ]


def metrics(theirs: str) -> dict[str, str]:
    """Return our names of metrics by those of the peers, which are separated by blanks."""
    return {name: _OURS[name] for name in theirs.split()}


def check(report: Report, expected: Mapping[str, Mapping[str, float]], names: Mapping[str, str]) -> None:
    """Compare the scores of the metrics in `names` with those of a peer."""
    for theirs, ours in names.items():
        found, wanted = tuple(report.scores[ours]), [expected[theirs][part] for part in "rpf"]
        assert list(found) == pytest.approx(wanted, abs=1e-9), f"{ours} is {found}, and {wanted} there"
