"""Intervals of agreement: over resamples of documents, of each pair and of the mean of all pairs."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from agreement_model import Clusters, alpha, kappa, masi, passonneau

import scorch2
from scorch2.analysis.bootstrap import Ends, random_draws
from scorch2.model.document import Document
from scorch2.model.score import Sampling

TRIALS, LEVEL, SEED = 60, 80, 5
Annotated = dict[str, Clusters]


def annotated(seed: int, documents: int = 12) -> Annotated:
    """Return random clusters of up to six mentions in each document."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    found: Annotated = {}
    for number in range(documents):
        clusters: dict[int, list[int]] = {}
        for mention in range(6):
            clusters.setdefault(drawn.randrange(4), []).append(mention)
        found[f"d{number:02}"] = [
            members for name, members in clusters.items() if name or drawn.random() < 0.7
        ]
    return found


def read(annotation: Annotated) -> list[Document]:
    return [
        Document(name, {str(number): members for number, members in enumerate(clusters)})
        for name, clusters in annotation.items()
    ]


ANNOTATIONS = {name: annotated(seed) for seed, name in enumerate(("ann", "bob", "cleo"))}
COEFFICIENTS: dict[str, Callable[[list[Any]], Fraction | None]] = {
    "alpha": lambda documents: alpha(documents, "shared", passonneau),
    "alpha_masi": lambda documents: alpha(documents, "shared", masi),
    "kappa": lambda documents: kappa(documents, "shared"),
}


def found(annotators: dict[str, Annotated], **options: Any) -> scorch2.Agreement:
    named = {name: read(one) for name, one in annotators.items()}
    return scorch2.agreement(named, confidence=LEVEL, trials=TRIALS, seed=SEED, **options)


def quantiles(values: list[float]) -> tuple[float, float] | None:
    import numpy as np

    ends = Ends(TRIALS, LEVEL)
    ends.add(np.array(values))
    return ends.interval(LEVEL)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_intervals_are_those_of_documents_counted_again_in_every_resample(name: str) -> None:
    """The slow model counts the documents of each resample, with repeats; so does the mean."""
    agreement = found(ANNOTATIONS, metrics=[name])
    names = sorted(ANNOTATIONS["ann"])
    (draws,) = random_draws(len(names), Sampling(None, TRIALS, SEED))
    of_pairs: list[list[float]] = []
    for pair in agreement.pairs:
        one, other = (ANNOTATIONS[annotator] for annotator in pair.names)
        values = []
        for times in draws.astype(int).tolist():
            drawn = [
                (one[ident], other[ident]) for ident, n in zip(names, times, strict=True) for _ in range(n)
            ]
            value = COEFFICIENTS[name](drawn)
            values.append(math.nan if value is None else float(value))
        of_pairs.append(values)
        assert pair.intervals[agreement.column(name)] == pytest.approx(quantiles(values), abs=2e-6)
    means = [sum(column) / len(column) for column in zip(*of_pairs, strict=True)]
    assert agreement.mean_intervals[agreement.column(name)] == pytest.approx(quantiles(means), abs=2e-6)


@pytest.mark.parametrize("average", ["mentions", "pooled", "macro"])
def test_intervals_of_f1_are_those_of_score(average: Any) -> None:
    agreement = found(ANNOTATIONS, average=average)
    for pair in agreement.pairs:
        gold, system = (read(ANNOTATIONS[name]) for name in pair.names)
        report = scorch2.score(gold, system, metrics=["muc", "conll"], average=average)
        other = scorch2.confidence(report, percentiles=[LEVEL], trials=TRIALS, seed=SEED)
        for name in ("muc", "conll"):
            assert pair.intervals[agreement.column(name)] == other.interval(name)


def test_pairs_may_have_other_documents() -> None:
    """Each pair is of the documents that both have; a resample in which it has none does not count."""
    few = {name: clusters for name, clusters in ANNOTATIONS["cleo"].items() if name in ("d00", "d07")}
    skip: dict[str, Any] = {"missing": "skip", "extra": "skip"}
    with pytest.warns(scorch2.ScorchWarning, match="was skipped"):
        agreement = found({**ANNOTATIONS, "cleo": few}, **skip)
    assert [len(pair.report.documents) for pair in agreement.pairs] == [12, 2, 2]
    whole = found({name: ANNOTATIONS[name] for name in ("ann", "bob")})
    assert agreement.pairs[0].intervals == whole.pairs[0].intervals
    assert None not in agreement.pairs[1].intervals.values()
    assert "documents=12/2" in agreement.signature()


def test_documents_that_pair_by_order_are_resampled_by_order() -> None:
    renamed = {
        name: {f"{name}{ident}": some for ident, some in one.items()} for name, one in ANNOTATIONS.items()
    }
    one, other = found(ANNOTATIONS), found(renamed, pair="order")
    assert one.mean_intervals == other.mean_intervals


def test_one_document_has_its_own_number_for_an_interval() -> None:
    single = {name: {"d": one["d00"]} for name, one in ANNOTATIONS.items()}
    with pytest.warns(scorch2.ScorchWarning, match="intervals over 1 document are coarse"):
        agreement = found(single, metrics=["alpha"])
    value = agreement.mean("alpha")
    assert agreement.mean_intervals[agreement.columns[0]] == pytest.approx((value, value), abs=1e-6)
