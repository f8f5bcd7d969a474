"""Pairs of mentions that share units: named up to a number, counted beyond it, at a cost that stays small."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli.main import main
from scorch2.linking import shared_spans
from scorch2.linking.shared_spans import DEFAULTS, NAMED, More, Problem, problems
from scorch2.model.annotation import Annotation
from scorch2.model.document import Document

ALL = dict.fromkeys(DEFAULTS, "warn")
spans = st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def document(found: Sequence[tuple[int, int]]) -> Document:
    mentions = [Annotation(start, end, (), line) for line, (start, end) in enumerate(found, 1)]
    return Document("d", {}, "", annotations=mentions)


def kind_of(one: tuple[int, int], other: tuple[int, int]) -> str:
    if one == other:
        return "duplicate"
    inside = one[0] <= other[0] and other[1] <= one[1]
    return "nested" if inside or (other[0] <= one[0] and one[1] <= other[1]) else "crossing"


def pairs(found: Sequence[tuple[int, int]]) -> list[tuple[str, int, int]]:
    """Return every pair by the definitions, in the order of the second mention, then of the first."""
    order = sorted(range(len(found)), key=lambda i: (found[i][0], -found[i][1]))
    return [
        (kind_of(found[i], found[j]), i + 1, j + 1)
        for place, j in enumerate(order)
        for i in order[:place]
        if found[i][0] < found[j][1] and found[j][0] < found[i][1]
    ]


@given(st.lists(spans, max_size=14))
def test_pairs_are_those_of_the_definitions(found: list[tuple[int, int]]) -> None:
    expected = pairs(found)
    left = dict.fromkeys(DEFAULTS, NAMED)
    first: list[tuple[str, int, int]] = []
    for kind, one, other in expected:
        if left[kind]:
            left[kind] -= 1
            first.append((kind, one, other))
    listed = list(problems([document(found)], ALL))
    named = [(one.kind, one.first.line, one.second.line) for one in listed if isinstance(one, Problem)]
    assert named == first
    more = {one.kind: one.pairs for one in listed if isinstance(one, More)}
    numbers = {kind: sum(one[0] == kind for one in expected) for kind in DEFAULTS}
    assert more == {kind: number - NAMED for kind, number in numbers.items() if number > NAMED}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    return main(["validate-spans", *words]), capsys.readouterr().out


def test_many_equal_rows_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """4 000 equal rows have 7 998 000 pairs, which were 539 MB of text."""
    path = tmp_path / "a.tsv"
    path.write_text("d\t0\t4\tE\n" * 4000, encoding="utf-8")
    status, out = run(capsys, str(path))
    lines = out.splitlines()
    assert (status, len(lines)) == (1, NAMED + 1)
    assert lines[0].endswith('lines 1 and 2: error: duplicate in "d": 0-4 and 0-4')
    assert lines[-1].endswith(': error: duplicate in "d": and 7997980 more pairs')
    status, out = run(capsys, "-f", "json", "--duplicate=warn", str(path))
    listed: list[dict[str, Any]] = json.loads(out)
    assert (status, len(listed)) == (0, NAMED + 1)
    assert listed[-1] == {
        "kind": "duplicate", "level": "warn", "path": str(path), "document": "d", "more": 7997980,
    }  # fmt: skip


@pytest.mark.parametrize(
    "found",
    [
        [(0, 1)] * 400,
        [(i, 1000 - i) for i in range(400)],
        [(i, 400 + i) for i in range(400)],
        [(i, i + 1) for i in range(400)],
    ],
    ids=["equal", "nested", "crossing", "apart"],
)
def test_the_work_does_not_grow_with_the_pairs(
    found: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partners are looked at one by one only until enough are named."""
    looked_at = 0

    def smallest(most: int, among: list[int]) -> list[int]:
        nonlocal looked_at
        looked_at += len(among)
        return sorted(among)[:most]

    monkeypatch.setattr(shared_spans, "nsmallest", smallest)
    listed = list(problems([document(found)], ALL))
    assert looked_at <= NAMED * (NAMED + 1)
    assert len(listed) <= NAMED + 1
