"""Laws of the linking measures, on random mentions, against plain definitions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.model.document import Document
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.score import Tally, pooled
from scorch2.tasks.linking.corpus import Corpus
from scorch2.tasks.linking.evaluation import Grouping, document_tallies, evaluate
from scorch2.tasks.linking.evidence import Linking, Mentions, Nil, Rows, Rules
from scorch2.tasks.linking.measures import AGGREGATORS, covered_by_any, covered_by_best, named

SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 8)).map(lambda one: (one[0], sum(one))), max_size=7
)


@given(spans=SPANS, partners=SPANS)
def test_overlaps_are_those_of_the_definition(
    spans: list[tuple[int, int]], partners: list[tuple[int, int]]
) -> None:
    distinct = sorted(set(partners))
    units = [[set(range(*span)) & set(range(*other)) for other in distinct] for span in spans]
    if distinct:
        assert covered_by_best(spans, distinct) == [max(map(len, each)) for each in units]
    assert covered_by_any(spans, distinct) == [len(set().union(*each)) for each in units]


MENTION = st.builds(
    lambda start, length, ident, kind: Annotation(start, start + length, (Candidate(ident, None, kind),)),
    st.integers(0, 6), st.integers(1, 2), st.sampled_from([None, "E1", "E2", "NIL1"]),
    st.sampled_from([None, "PER", "ORG"]),
)  # fmt: skip
SIDE = st.dictionaries(
    st.sampled_from("abc"), st.lists(MENTION, max_size=5, unique_by=lambda one: one[:2]), max_size=3
)


def side(documents: dict[str, list[Annotation]]) -> Mentions:
    docids = [ident for ident, mentions in documents.items() for _ in mentions]
    mentions = [one for each in documents.values() for one in each]
    return Mentions(Rows(docids, mentions, Nil()), dict.fromkeys(documents, "x.tsv"))


@given(gold=SIDE, system=SIDE)
def test_documents_add_up_to_the_micro_rows(gold: Any, system: Any) -> None:
    pair = Corpus(side(gold), side(system))
    measures = named(["all", *(f"{name}::span+type" for name in AGGREGATORS)])
    documents, _ = document_tallies(pair, measures, Rules())
    rows = {row.name: row for row in evaluate(pair, measures, Grouping(("docid",)), Rules()).rows}
    for i, measure in enumerate(measures):
        recall, all_gold, precision, all_system = pooled(
            [one.tallies[i][0] for one in documents] or [Tally(0, 0, 0, 0)]
        )
        row = rows[f"{measure.name};docid=<micro>"]
        assert [row.rtp, row.rtp + row.fn] == pytest.approx([recall, all_gold])
        assert [row.ptp, row.ptp + row.fp] == pytest.approx([precision, all_system])
    assert [one.gold_mentions for one in documents] == [len(gold.get(one.id, ())) for one in documents]


@given(gold=SIDE, system=SIDE, shuffled=st.randoms(use_true_random=False))
def test_the_order_of_lines_means_nothing(gold: Any, system: Any, shuffled: Any) -> None:
    measures = named(["all", *(f"{name}:is_nil:span+type" for name in AGGREGATORS)])
    one = evaluate(Corpus(side(gold), side(system)), measures, Grouping(("type",)), Rules()).rows
    for documents in (gold, system):
        for mentions in documents.values():
            shuffled.shuffle(mentions)
    other = [dict(reversed(documents.items())) for documents in (gold, system)]
    assert (
        evaluate(Corpus(side(other[0]), side(other[1])), measures, Grouping(("type",)), Rules()).rows == one
    )


@given(gold=SIDE, system=SIDE)
def test_swapping_sides_swaps_recall_and_precision(gold: Any, system: Any) -> None:
    sides = side(gold), side(system)
    for measure in named(
        ["all", "sets::docid+end", *(f"{name}:is_linked:span+kbid" for name in AGGREGATORS)]
    ):
        if measure.aggregator in ("overlap-maxsum", "overlap-summax"):
            continue  # each is the other with sides swapped
        recall, all_gold, precision, all_system = measure.tally(Linking(*sides, Rules()))
        assert measure.tally(Linking(*sides[::-1], Rules())) == (precision, all_system, recall, all_gold)
        assert 0 <= recall <= all_gold
        assert 0 <= precision <= all_system


@given(gold=SIDE)
def test_gold_against_itself_is_perfect(gold: Any) -> None:
    for measure in named(["all", *(f"{name}:is_linked:span" for name in AGGREGATORS)]):
        recall, all_gold, precision, all_system = measure.tally(Linking(side(gold), side(gold), Rules()))
        assert (recall, precision) == pytest.approx((all_gold, all_system))


def test_documents_without_mentions_are_counted() -> None:
    empty = Document("e", {}, path="x")
    assert empty.annotations == ()
    pair = Corpus(side({"e": [], "d": [Annotation(0, 1)]}), side({"f": []}))
    assert [(one.id, one.gold_mentions) for one in document_tallies(pair, named(["muc"]), Rules())[0]] == [
        ("d", 1),
        ("e", 0),
        ("f", 0),
    ]
