"""Mentions that share units: every pair where there are few, some and their number where there are many."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli.main import main
from scorch2.model.document import Document
from scorch2.model.markables import Annotation
from scorch2.tasks.linking import text as shared_spans
from scorch2.tasks.linking.evaluation import DEFAULT_LEVELS, span_problems
from scorch2.tasks.linking.text import problems_json, problems_text

ALL = dict.fromkeys(DEFAULT_LEVELS, "error")
SPAN = st.tuples(st.integers(0, 5), st.integers(1, 4)).map(lambda pair: (pair[0], sum(pair)))


def document(spans: list[tuple[int, int]]) -> Document:
    found = [Annotation(start, end, (), line) for line, (start, end) in enumerate(spans, 1)]
    return Document("d", {}, "d.tsv", annotations=found)


def pairs(spans: list[tuple[int, int]]) -> list[tuple[str, int, int]]:
    """Return kind and lines of every two mentions that share units, by looking at all pairs."""
    ordered = sorted(enumerate(spans, 1), key=lambda one: (one[1][0], -one[1][1]))
    found = []
    for i, (line, (start, end)) in enumerate(ordered):
        for other, (begin, stop) in ordered[:i]:
            if stop > start:
                same = (begin, stop) == (start, end)
                kind = "duplicate" if same else "nested" if end <= stop else "crossing"
                found.append((kind, other, line))
    return found


@given(spans=st.lists(SPAN, max_size=6))
def test_few_mentions_are_named_pair_by_pair(spans: list[tuple[int, int]]) -> None:
    found = list(span_problems([document(spans)], ALL))
    assert [(one.kind, one.first.line, one.second.line) for one in found] == pairs(spans)
    assert not any(one.more for one in found)


@given(spans=st.lists(SPAN, min_size=7, max_size=40))
def test_of_many_mentions_each_pair_is_named_or_counted(spans: list[tuple[int, int]]) -> None:
    found = list(span_problems([document(spans)], ALL))
    named = [(one.kind, one.first.line, one.second.line) for one in found]
    assert len(set(named)) == len(named)
    assert set(named) <= set(pairs(spans))
    assert len(named) + sum(one.more for one in found) == len(pairs(spans))


def test_equal_rows_are_named_in_proportion() -> None:
    found = list(span_problems([document([(0, 1)] * 2000)], ALL))
    assert len(found) < 5 * 2000
    assert list(problems_text(found[-1:])) == [
        'd.tsv: lines 5 and 2000: error: duplicate in "d": 0-0 and 0-0 (1994 more like the first)\n'
    ]
    assert '"more": 1994' in "".join(problems_json(found[-1:]))
    assert "more" not in "".join(problems_json(found[:1]))


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("number", range(3))
def test_json_in_parts_is_one_list(number: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_spans, "_JSON_PART", size)
    found = list(span_problems([document([(0, 2), (0, 2), (1, 3)])], ALL))[:number]
    text = "".join(problems_json(found))
    assert [one["kind"] for one in json.loads(text)] == [one.kind for one in found]
    assert text == json.dumps(json.loads(text), indent=1) + "\n"


@pytest.mark.parametrize(("form", "rows"), [("text", 2_500), ("json", 1_000)])
def test_problems_of_equal_rows_take_little_memory(
    form: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Smaller parts are written than by default, so that a small file shows what grows with it."""
    monkeypatch.setattr(shared_spans, "_JSON_PART", 100)
    monkeypatch.setattr("scorch2.formats.target._BLOCK", 1 << 14)
    path = tmp_path / "d.tsv"
    words = ["validate-spans", "--force", "-f", form, "-o", str(tmp_path / "out"), str(path)]
    path.write_text("d\t0\t1\tNIL1\n" * 2, encoding="utf-8")
    assert main(words) == 1  # imports what it needs
    path.write_text("d\t0\t1\tNIL1\n" * rows, encoding="utf-8")
    tracemalloc.start()
    try:
        assert main(words) == 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (tmp_path / "out").stat().st_size > 20 * path.stat().st_size
    assert peak < 50 * path.stat().st_size + 250_000
