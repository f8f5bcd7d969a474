"""CorefScorer and the other front doors for Python code that scores as it goes."""

import itertools
import json
import pickle
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every import every

import scorch2
from scorch2 import CorefScorer
from scorch2.model.score import AVERAGES

DOCUMENTS = [
    ([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d"]]),
    ([["a", "b"]], [["a"], ["b"]]),
    ([["x"]], [["x"]]),
    ([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]]),
]


def filled(documents: "list[tuple[list[list[str]], list[list[str]]]]", first: int = 0) -> CorefScorer:
    scorer = CorefScorer()
    for number, (gold, system) in enumerate(documents, first):
        scorer.update(gold=gold, system=system, id=f"d{number}")
    return scorer


def test_it_scores_as_score_does() -> None:
    for gold, system in DOCUMENTS:
        scorer = CorefScorer()
        scorer.update(gold=gold, system=system)
        assert scorer.compute().scores == scorch2.score(gold, system).scores


def test_any_order_and_any_parts_give_the_same() -> None:
    whole = filled(DOCUMENTS).compute().to_dict()
    parts = [filled(DOCUMENTS[i : i + 1], i) for i in range(len(DOCUMENTS))]
    for order in itertools.permutations(parts):
        merged = CorefScorer()
        for part in order:
            merged.merge(part)
        assert merged.compute().to_dict() == whole


def test_documents_without_a_name_have_their_number_in_the_order_of_updates_and_merges() -> None:
    parts = []
    for gold, system in DOCUMENTS:
        scorer = CorefScorer()
        scorer.update(gold=gold, system=system)
        parts.append(scorer)
    scores = filled(DOCUMENTS).compute().scores
    for order in itertools.permutations(range(4)):
        merged = CorefScorer()
        for number in order:
            merged.merge(parts[number])
        report = merged.compute()
        assert report.scores == scores
        assert [document.id for document in report.documents] == [f"document {i}" for i in (1, 2, 3, 4)]
        assert [one.gold_mentions for one in report.documents] == [(5, 2, 1, 4)[number] for number in order]


GOLD = [[[f"{i}a", f"{i}b"]] for i in range(5)]
"""Documents of one link each. Of two systems, one finds the link in the first four, the other in the last:
of the 32 ways to swap them, 12 make a difference as large as theirs, 3 links."""
P = 12 / 32


def finding(
    places: Iterable[int], *, named: bool = False, order: Iterable[int] = range(5), merging: bool = False
) -> CorefScorer:
    whole = CorefScorer(["muc"], average="pooled")
    places = set(places)
    for number in order:
        scorer = CorefScorer(["muc"], average="pooled") if merging else whole
        system = GOLD[number] if number in places else [[mention] for mention in GOLD[number][0]]
        scorer.update(gold=GOLD[number], system=system, id=f"d{number}" if named else None)
        if merging:
            whole.merge(scorer)
    return whole


def p_of(one: Any, other: Any) -> Any:
    found = scorch2.significance({"one": one, "other": other}, parts=["recall"]).to_records()
    return found[0]["p"]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("merging", [True, False])
def test_systems_are_tested_on_the_same_documents(named: bool, merging: bool, tmp_path: Path) -> None:
    one, other = (finding(places, named=named, merging=merging).compute() for places in (range(4), [4]))
    assert p_of(one, other) == P
    for name, report in (("one", one), ("other", other)):
        report.save(tmp_path / f"{name}.json")
    assert p_of(tmp_path / "one.json", tmp_path / "other.json") == P


def test_documents_with_a_name_are_tested_in_any_order() -> None:
    one, other = (
        finding(places, named=True, order=order).compute()
        for places, order in ((range(4), range(5)), ([4], [3, 1, 4, 0, 2]))
    )
    assert p_of(one, other) == P


def test_numbers_of_other_documents_are_not_tested() -> None:
    one, other = finding(range(4)).compute(), finding([4], order=[1, 0, 2, 3, 4]).compute()
    with pytest.raises(scorch2.PairingError, match='"document 1" has other gold clusters there'):
        p_of(one, other)
    with pytest.raises(scorch2.PairingError, match='"d0" is only here'):
        p_of(finding(range(4), named=True).compute(), other)


def test_numbers_of_older_reports_are_not_tested(tmp_path: Path) -> None:
    paths = []
    for name, places in (("one", range(4)), ("other", range(4, 5))):
        stored = finding(places).compute().to_dict()
        stored["version"] = "1.1.0"
        for document in stored["documents"]:
            del document["gold"]
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(stored))
    with pytest.raises(scorch2.PairingError, match=r'"document 1" has a number that scorch2 1\.1 gave'):
        p_of(*paths)


def test_clusters_of_objects_are_told_apart_by_their_sizes() -> None:
    def scored(sizes: Sequence[int]) -> scorch2.Report:
        scorer = CorefScorer(["muc"])
        for size in sizes:
            clusters = [[object() for _ in range(size)]]
            scorer.update(gold=clusters, system=clusters)
        return scorer.compute()

    assert p_of(scored([2, 3]), scored([2, 3])) == 1
    with pytest.raises(scorch2.PairingError):
        p_of(scored([2, 3]), scored([3, 2]))


def test_its_repr_says_what_is_counted_how_and_of_how_many_documents() -> None:
    scorer = CorefScorer(["muc", "b3"], average="macro")
    assert repr(scorer) == "CorefScorer(['muc', 'b_cubed'], average='macro', documents=0)"


def test_libraries_differ_in_which_side_comes_first_so_that_sides_have_names() -> None:
    with pytest.raises(scorch2.UsageError, match=r"write update\(gold=\.\.\., system=\.\.\.\): "):
        CorefScorer().update([["a"]], [["a"]])  # type: ignore[arg-type]  # as in 1.1
    with pytest.raises(scorch2.UsageError, match=r"write compute\(predictions=\.\.\., references=\.\.\.\): "):
        scorch2.compute([[["a"]]], [[["a"]]])  # type: ignore[arg-type]  # as in 1.1


def test_it_pickles() -> None:
    scorer = filled(DOCUMENTS)
    assert pickle.loads(pickle.dumps(scorer)).compute() == scorer.compute()  # noqa: S301 - ours


def test_it_can_go_on_after_a_result_and_start_again() -> None:
    scorer = filled(DOCUMENTS[:1])
    assert len(scorer) == 1
    scorer.compute()
    scorer.update(gold=DOCUMENTS[1][0], system=DOCUMENTS[1][1], id="d1")
    assert scorer.compute() == filled(DOCUMENTS[:2]).compute()
    scorer.reset()
    assert len(scorer) == 0
    scorer.update(gold=DOCUMENTS[1][0], system=DOCUMENTS[1][1], id="d1")
    assert scorer.compute() == filled(DOCUMENTS[1:2], 1).compute()


def test_choices_are_those_of_score() -> None:
    scorer = CorefScorer("muc", profile="conll", singletons="drop")
    scorer.update(gold=[["a", "b"], ["c"]], system=[["a", "b"], ["c"]])
    report = scorer.compute()
    assert report.signature().startswith(f"scorch2 {scorch2.__version__} | average=pooled | missing=empty")
    assert (list(report.scores), report.documents[0].gold_mentions) == (["muc"], 2)


def test_notices_keep_their_document() -> None:
    scorer = CorefScorer(duplicates="first")
    scorer.update(gold=[["a", "b"], ["a", "c"]], system=[["a", "b"]], id="twice")
    (notice,) = scorer.compute().notices
    assert (notice.code, notice.document) == ("duplicates", "twice")


def mixed() -> None:
    one, other = CorefScorer(average="macro"), CorefScorer()
    one.merge(other)


def mixed_metrics() -> None:
    CorefScorer("muc").merge(CorefScorer("lea"))


def named_like_a_number() -> None:
    scorer = CorefScorer()
    for gold, system in DOCUMENTS[:2]:
        scorer.update(gold=gold, system=system)
    scorer.update(gold=DOCUMENTS[3][0], system=DOCUMENTS[3][1], id="document 1")
    scorer.compute()


def named_twice() -> None:
    scorer = filled(DOCUMENTS[:1])
    scorer.merge(filled(DOCUMENTS[:1]))
    scorer.compute()


@every(
    ("call", "kind", "message"),
    [
        (lambda: CorefScorer("mucc"), scorch2.UsageError, 'unknown metric "mucc"'),
        (lambda: CorefScorer(5), scorch2.UsageError, '"lea"], not 5'),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: CorefScorer(None), scorch2.UsageError, '"lea"], not None'),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: CorefScorer().merge(5), scorch2.UsageError, "only another CorefScorer can be merged, not 5"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: CorefScorer(missing="empty"), scorch2.UsageError, 'argument of CorefScorer "missing"'),
        (lambda: CorefScorer(average="x"), scorch2.UsageError, 'average cannot be "x"'),  # type: ignore[arg-type]  # what is refused
        (lambda: CorefScorer(average="pool"), scorch2.UsageError, '"pool", did you mean pooled?'),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: CorefScorer(average="mikro"), scorch2.UsageError, f"{', '.join([*AVERAGES][1:])}, micro)"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: CorefScorer().compute(), scorch2.PairingError, "no document to score"),
        (lambda: CorefScorer().update(gold=[["a"], ["a"]], system=[]), scorch2.InputError, 'mention "a"'),
        (mixed, scorch2.UsageError, "cannot be merged: average is macro here and mentions there"),
        (mixed_metrics, scorch2.UsageError, "the metrics are muc here and lea there"),
        (named_like_a_number, scorch2.PairingError, 'two documents are called "document 1"'),
        (lambda: CorefScorer().update(gold=[], system=[], id=5), scorch2.UsageError, "is a string, not 5"),  # type: ignore[arg-type]  # wrong on purpose
        (named_twice, scorch2.PairingError, 'two documents are called "d0"'),
    ],
)
def test_what_makes_no_sense_is_refused(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert message in str(caught.value)


# Flat numbers


def test_compute_gives_flat_numbers() -> None:
    flat = scorch2.compute(
        predictions=[system for _, system in DOCUMENTS],
        references=[gold for gold, _ in DOCUMENTS],
        metrics=["muc", "conll"],
        average="pooled",
    )
    assert list(flat) == ["muc_recall", "muc_precision", "muc_f1", "conll_f1"]
    assert all(type(value) is float for value in flat.values())
    # links found 1 + 0 + 0 + 2, of 3 + 1 + 0 + 3 in gold and 2 + 0 + 0 + 2 of the system
    assert (flat["muc_recall"], flat["muc_precision"]) == (3 / 7, 3 / 4)


def test_compute_gives_zero_for_undefined() -> None:
    assert scorch2.compute(predictions=[[["a"]]], references=[[["a"]]], metrics=["muc"])["muc_f1"] == 0.0


def test_compute_refuses_lists_that_do_not_pair() -> None:
    with pytest.raises(scorch2.PairingError, match="1 predictions, but 2 references"):
        scorch2.compute(predictions=[[]], references=[[], []])


def test_records_have_a_row_for_every_document_and_metric() -> None:
    records = filled(DOCUMENTS).compute().to_records()
    assert len(records) == 5 * 7
    assert records[0] == {"document": "d0", "metric": "muc", "recall": 1 / 3, "precision": 1 / 2, "f1": 0.4}
    assert records[-1]["document"] is None
    assert list(records[-1]) == ["document", "metric", "f1"]


# Bounds in tests


def test_assert_scores_passes_and_gives_the_report() -> None:
    report = scorch2.assert_scores(
        [["a", "b"]], [["a", "b"]], conll=1, muc={"recall": 100, "p": 0.5}, lea=99.9
    )
    assert [verdict.passed for verdict in report.gates] == [True] * 4


def test_assert_scores_lists_every_bound() -> None:
    with pytest.raises(AssertionError) as caught:
        scorch2.assert_scores(*DOCUMENTS[0], muc=0.5, lea=0)
    text = str(caught.value)
    assert "muc.f1 at least 0.5 (50 %)  0.4000  0.5000  -0.1000  FAILED" in text
    assert "passed" in text


def test_blanc_is_a_bound_unless_it_is_a_rule() -> None:
    report = scorch2.assert_scores([["a", "b"]], [["a", "b"]], blanc=0.9)
    assert report.gates[0].metric == "blanc"
    assert scorch2.assert_scores([["a"]], [["a"]], conll=0, blanc="reference").options.blanc == "reference"


def test_assert_scores_keeps_the_metrics_of_a_profile() -> None:
    report = scorch2.assert_scores([["a", "b"]], [["a", "b"]], profile="scorch", muc=0.1)
    assert "lea" not in report.scores


def test_assert_scores_takes_the_arguments_of_score() -> None:
    report = scorch2.assert_scores(*DOCUMENTS[0], muc=0.1, metrics="lea", singletons="drop")
    assert list(report.scores) == ["muc", "lea"]
    assert report.options.singletons == "drop"


@pytest.mark.parametrize("bounds", [{}, {"mucc": 0.5}, {"muc": 101}, {"muc": "x"}, {"conll": {"r": 0.5}}])
def test_assert_scores_refuses_what_is_no_bound(bounds: dict[str, object]) -> None:
    with pytest.raises(scorch2.UsageError):
        scorch2.assert_scores([["a"]], [["a"]], **bounds)


def test_documents_go_by_the_names_of_other_libraries_too() -> None:
    gold, system = DOCUMENTS[0]
    expected = scorch2.score(gold, system).scores
    names: list[dict[str, Any]] = [{"gold": gold, "system": system}, {"target": gold, "preds": system}]
    for given in names:
        scorer = CorefScorer()
        scorer.update(**given)
        assert scorer.compute().scores == expected


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"gold": []}, "system is missing"),
        ({"preds": []}, "gold is missing"),
        ({"gold": [], "target": [], "preds": []}, "gold and target are one argument"),
        ({"gold": [], "system": [], "preds": []}, "system and preds are one argument"),
        ({"gold": [], "sys": []}, 'no argument called "sys"'),
        ({"predictions": [], "references": []}, 'no argument called "predictions", "references"'),
    ],
)
def test_arguments_that_are_missing_or_given_twice_are_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(scorch2.UsageError) as caught:
        CorefScorer().update(**given)
    assert str(caught.value) == f"{why} (update(gold=..., system=...) takes the clusters of a document)"


# Spans


SPANS = [[(3 * i, 3 * i + 1) for i in range(4)], [(20, 22), (30, 32)]]
AFTER = [[(start, end + 1) for start, end in cluster] for cluster in SPANS]


def test_near_misses_of_a_run_are_named() -> None:
    scorer = CorefScorer()
    for _ in range(3):
        scorer.update(gold=SPANS, system=AFTER)
    found = [notice for notice in scorer.compute().notices if notice.code == "near-misses"]
    assert len(found) == 1
    assert found[0].document == ""
    assert found[0].message.startswith("0 % of the mentions match; 100 % would match if ")
    for _ in range(6):
        scorer.update(gold=SPANS, system=SPANS)
    assert not scorer.compute().notices


def test_documents_that_differ_in_near_misses_alone_have_an_order() -> None:
    scorer = CorefScorer()
    far = [[(start + 99, end + 99) for start, end in cluster] for cluster in SPANS]
    for system in (AFTER, far, AFTER, far):
        scorer.update(gold=SPANS, system=system)
    assert len(scorer.compute().documents) == 4


def test_spans_count_as_it_is_said() -> None:
    scorer = CorefScorer(gold_offsets="inclusive", sys_offsets="exclusive")
    scorer.update(gold=SPANS, system=AFTER)
    assert scorer.compute().scores == scorch2.score(SPANS, SPANS).scores
    assert not scorer.compute().notices
    with pytest.raises(scorch2.UsageError, match="sys_offsets is exclusive here and None there"):
        scorer.merge(CorefScorer(gold_offsets="inclusive"))


# One document or several

OF_SPANS = [[[0, 1], [5, 6]], [[2, 3], [7, 8]]], [[[0, 1], [7, 8]], [[2, 3], [5, 6]]]
"""Two clusters of two spans each, which may be two documents with two clusters of two ids each."""


def test_clusters_that_may_be_documents_are_settled_by_an_argument() -> None:
    gold, system = OF_SPANS
    of_spans = scorch2.compute(predictions=system, references=gold, mentions="spans")
    assert of_spans == scorch2.compute(predictions=[system], references=[gold])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of_ids = scorch2.compute(predictions=system, references=gold, mentions="ids")
    with pytest.warns(scorch2.ScorchWarning, match=r'mentions="ids" or mentions="spans"'):
        assert scorch2.compute(predictions=system, references=gold) == of_ids
    with pytest.raises(scorch2.UsageError, match=r"ids, in clusters.*or spans of one document"):
        scorch2.compute(predictions=system, references=gold, strict=True)
    for arrays in ([*map(np.array, system)], [[[*map(np.int64, one)] for one in each] for each in system]):
        with pytest.warns(scorch2.ScorchWarning, match=r'mentions="ids" or mentions="spans"'):
            scorch2.compute(predictions=arrays, references=np.array(gold))
    assert of_spans["conll_f1"] == pytest.approx(1 / 3)
    assert of_ids["conll_f1"] == 0.5


@pytest.mark.parametrize("other", [[[0, 1, 2]], [[0]], [["a", "b"]], [[(0, 1), (5, 6)]], {"x": [0, 1]}])
def test_clusters_of_another_shape_need_no_argument(other: Any) -> None:
    for mentions in (None, "ids", "spans"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = scorch2.compute(
                predictions=[[[0, 1]], other], references=[[[0, 1]], other], mentions=mentions, strict=True
            )
        assert made["b_cubed_f1"] == 1


def test_another_kind_of_mentions_is_refused() -> None:
    with pytest.raises(scorch2.UsageError, match="ids"):
        scorch2.compute(predictions=[], references=[], mentions="names")  # type: ignore[arg-type]  # refused
