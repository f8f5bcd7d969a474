"""Mentions that share units: every pair where there are few, some and their number where there are many."""

from hypothesis import given
from hypothesis import strategies as st

from scorch2.linking.shared_spans import DEFAULTS, problems
from scorch2.linking.text.shared_spans import as_json, as_text
from scorch2.model.annotation import Annotation
from scorch2.model.document import Document

ALL = dict.fromkeys(DEFAULTS, "error")
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
    found = list(problems([document(spans)], ALL))
    assert [(one.kind, one.first.line, one.second.line) for one in found] == pairs(spans)
    assert not any(one.more for one in found)


@given(spans=st.lists(SPAN, min_size=7, max_size=40))
def test_of_many_mentions_each_pair_is_named_or_counted(spans: list[tuple[int, int]]) -> None:
    found = list(problems([document(spans)], ALL))
    named = [(one.kind, one.first.line, one.second.line) for one in found]
    assert len(set(named)) == len(named)
    assert set(named) <= set(pairs(spans))
    assert len(named) + sum(one.more for one in found) == len(pairs(spans))


def test_equal_rows_are_named_in_proportion() -> None:
    found = list(problems([document([(0, 1)] * 2000)], ALL))
    assert len(found) < 5 * 2000
    assert as_text(found[-1:]) == (
        'd.tsv: lines 5 and 2000: error: duplicate in "d": 0-0 and 0-0 (1994 more like the first)\n'
    )
    assert '"more": 1994' in as_json(found[-1:])
    assert "more" not in as_json(found[:1])
