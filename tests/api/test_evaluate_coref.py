"""Hugging Face's ``evaluate`` loads the metric from its folder, and scores as `scorch2.compute` does."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scorch2

ROOT = Path(__file__).parent.parent.parent
GOLD = [[[0, 1], [4, 4], [9, 9]]]  # one cluster of three spans: two links
SYSTEM = [[[0, 1], [4, 4]]]
MUC = {"muc_recall": 1 / 2, "muc_precision": 1.0, "muc_f1": 2 / 3}


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Import the package, which keeps its files below a new folder, and cut it off the network."""

    def refuse(*address: object) -> None:
        raise AssertionError(f"asks the network: {address}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr(socket.socket, "connect", refuse)
        yield pytest.importorskip("evaluate")


@pytest.fixture(scope="module")
def metric(evaluate: Any) -> Any:
    return evaluate.load(scorch2.EVALUATE_MODULE)


def test_it_is_loaded_by_the_path_of_the_installed_package_and_by_that_in_the_repository(
    evaluate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Path(scorch2.EVALUATE_MODULE).is_relative_to(os.path.dirname(scorch2.__file__))
    monkeypatch.chdir(ROOT)
    for path in (scorch2.EVALUATE_MODULE, os.path.relpath(scorch2.EVALUATE_MODULE)):
        found = evaluate.load(path)
        assert (found.name, found.module_type) == ("scorch2", "metric")
        assert "evaluate.load(scorch2.EVALUATE_MODULE)" in found.inputs_description


def test_spans_are_mentions(metric: Any) -> None:
    assert metric.compute(predictions=[SYSTEM], references=[GOLD], metrics=["muc"]) == MUC
    tuples = [[tuple(span) for span in cluster] for cluster in SYSTEM]
    assert metric.compute(predictions=[tuples], references=[GOLD], metrics=["muc"]) == MUC


def test_ids_are_mentions_of_the_configuration_for_them(evaluate: Any) -> None:
    metric = evaluate.load(scorch2.EVALUATE_MODULE, "ids")
    assert metric.compute(predictions=[[["a", "b"]]], references=[[["a", "b", "c"]]], metrics=["muc"]) == MUC
    with pytest.raises(scorch2.UsageError, match='no configuration "id" of this metric'):
        evaluate.load(scorch2.EVALUATE_MODULE, "id")


def test_documents_may_be_added_one_by_one_and_in_batches(metric: Any) -> None:
    metric.add(prediction=[], reference=[[[7, 7]]])
    metric.add_batch(predictions=[SYSTEM], references=[GOLD])
    metric.add_batch(predictions=[SYSTEM, []], references=[SYSTEM, []])
    found = metric.compute(metrics="muc", average="pooled")
    assert found == {"muc_recall": 2 / 3, "muc_precision": 1.0, "muc_f1": 4 / 5}


@pytest.mark.parametrize("part", [0.9, 3.0, "3", True])
def test_parts_of_spans_that_are_no_integers_are_refused_as_compute_refuses_them(
    evaluate: Any, part: object
) -> None:
    bad = [[[[0, part]]]]
    calls: tuple[Callable[[Any], object], ...] = (
        lambda metric: metric.compute(predictions=bad, references=[GOLD]),
        lambda metric: metric.compute(predictions=[SYSTEM], references=bad),
        lambda metric: metric.add(prediction=bad[0], reference=GOLD),
        lambda metric: metric.add_batch(predictions=bad, references=[GOLD]),
    )
    for call in calls:
        with pytest.raises(
            scorch2.UsageError, match=f"spans are lists of integers, not of {type(part).__name__}"
        ):
            call(evaluate.load(scorch2.EVALUATE_MODULE))


def test_spans_may_be_arrays(metric: Any) -> None:
    numpy = pytest.importorskip("numpy")
    system = [[numpy.array(span) for span in cluster] for cluster in SYSTEM]
    assert metric.compute(predictions=[system], references=[GOLD], metrics=["muc"]) == MUC


def test_options_are_those_of_compute(metric: Any) -> None:
    found = metric.compute(predictions=[SYSTEM], references=[GOLD], profile="conll")
    assert {name.rpartition("_")[0] for name in found} == {*scorch2.score(GOLD, SYSTEM).scores}
    # singletons left out: the second cluster of gold, found by nobody, counts nowhere
    dropped = metric.compute(
        predictions=[SYSTEM], references=[[*SYSTEM, [[9, 9]]]], metrics=["lea"], singletons="drop"
    )
    assert dropped == {"lea_recall": 1.0, "lea_precision": 1.0, "lea_f1": 1.0}


def test_it_stands_beside_other_metrics(evaluate: Any, metric: Any) -> None:
    both = evaluate.combine([metric, evaluate.load(scorch2.EVALUATE_MODULE)], force_prefix=True)
    found = both.compute(predictions=[SYSTEM], references=[GOLD], metrics=["muc"])
    assert found == {f"scorch2_{n}_{name}": value for n in (0, 1) for name, value in MUC.items()}


def test_wrong_words_are_refused_as_by_compute(evaluate: Any) -> None:
    for choices, said in ({"metrics": ["muk"]}, "did you mean muc"), ({"avarage": "x"}, "mean average"):
        with pytest.raises(scorch2.UsageError, match=said):
            evaluate.load(scorch2.EVALUATE_MODULE, keep_in_memory=True).compute(
                predictions=[[]], references=[[]], **choices
            )
