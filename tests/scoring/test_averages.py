"""From tallies of documents to scores of a corpus: three averages, and what 0/0 means to each of them."""

import json
import os
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from exact_comparison import random_pairs, table_of
from hypothesis import given
from partition_pairs import ANY, Pair, mentions_of, pair_of

import scorch2
from scorch2.model.score import AnyScore
from scorch2.model.tally import Measured
from scorch2.scoring.averages import AVERAGES, scores
from scorch2.scoring.metrics import METRICS, to_count

CLOSE = 1e-12

every_average = pytest.mark.parametrize("average", AVERAGES)


def measured(pair: Pair, blanc: str = "gold") -> Measured:
    gold, system = pair
    table = table_of(gold, system)
    tallies = tuple(metric.tallies(table) for metric in to_count(METRICS, blanc))
    return Measured("d", len(mentions_of(gold)), len(mentions_of(system)), tallies)


def averaged(documents: Sequence[Measured], average: str, blanc: str = "gold") -> dict[str, AnyScore]:
    return scores(list(METRICS.values()), to_count(METRICS, blanc), documents, average)


def corpus_score(name: str, average: str, texts: Sequence[str], blanc: str = "gold") -> AnyScore:
    return averaged([measured(pair_of(text), blanc) for text in texts], average, blanc)[name]


def check(score: AnyScore, expected: str) -> None:
    """``1/2 - 0``: fractions in the order of the parts, a dash for 0/0."""
    values = [None if word == "-" else Fraction(word) for word in expected.split()]
    assert list(score) == pytest.approx([float(value or 0) for value in values], abs=CLOSE)
    assert [value.defined for value in score] == [value is not None for value in values]


TWO_DOCUMENTS = ["abcd | ab cd", "ef | efghi"]
"""MUC 2/3 2/2 4/5 with 4 and 4 mentions; 1/1 1/4 2/5 with 2 and 5. Their averages:

mentions  R = (4·2/3 + 2·1) / 6, P = (4·1 + 5·1/4) / 9, F = (8·4/5 + 7·2/5) / 15
pooled    R = (2 + 1) / (3 + 1), P = (2 + 1) / (2 + 4)
macro     R = (2/3 + 1) / 2, P = (1 + 1/4) / 2, F = (4/5 + 2/5) / 2
"""


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        ("mentions", "7/9 7/12 46/75"),
        ("pooled", "3/4 1/2 3/5"),
        ("macro", "5/6 5/8 3/5"),
    ],
)
def test_two_documents(average: Any, expected: str, tmp_path: os.PathLike[str]) -> None:
    check(corpus_score("muc", average, TWO_DOCUMENTS), expected)
    gold, system = write(TWO_DOCUMENTS, tmp_path)
    check(scorch2.score(gold, system, average=average).muc, expected)


def write(texts: Sequence[str], folder: os.PathLike[str]) -> list[str]:
    """Write each side of a corpus to a folder of its own."""
    folders = [os.path.join(folder, side) for side in ("gold", "system")]
    for side, path in enumerate(folders):
        os.mkdir(path)
        for number, text in enumerate(texts):
            clusters = {str(i): sorted(map(str, c)) for i, c in enumerate(pair_of(text)[side])}
            with open(os.path.join(path, f"{number}.json"), "w", encoding="utf-8") as file:
                json.dump({"type": "clusters", "clusters": clusters}, file)
    return folders


def test_the_default_average_is_by_mentions(tmp_path: os.PathLike[str]) -> None:
    check(scorch2.score(*write(TWO_DOCUMENTS, tmp_path)).muc, "7/9 7/12 46/75")


@given(pair=ANY)
def test_one_document_is_the_same_in_all_averages(pair: Pair) -> None:
    document = measured(pair)
    mentions, pooled, macro = (averaged([document], average) for average in AVERAGES)
    assert mentions == pooled == macro


@every_average
def test_the_order_of_documents_does_not_matter_to_the_last_bit(average: str) -> None:
    documents = [measured(pair_of_sets) for pair_of_sets in random_documents(100)]
    expected = averaged(documents, average)
    random = Random(1)  # noqa: S311 - a sample, not a secret
    for _ in range(50):
        assert averaged(random.sample(documents, len(documents)), average) == expected


def random_documents(count: int) -> list[Pair]:
    return [
        (tuple(map(frozenset, gold)), tuple(map(frozenset, system)))
        for gold, system in random_pairs(count, seed=1)
    ]


@pytest.mark.parametrize(
    ("average", "texts", "expected"),
    [
        # recall 0/0 in the first: it counts 0, with the weight of the document in a mean
        ("mentions", ["a | ab", "cde | cd"], "3/8 1/2 10/24"),
        ("pooled", ["a | ab", "cde | cd"], "1/2 1/2 1/2"),
        ("macro", ["a | ab", "cde | cd"], "1/4 1/2 1/3"),
        # precision 0/0 in the first
        ("mentions", ["ab | a", "cd | cde"], "1/2 3/8 10/24"),
        ("pooled", ["ab | a", "cd | cde"], "1/2 1/2 1/2"),
        ("macro", ["ab | a", "cd | cde"], "1/2 1/4 1/3"),
        # F1 0/0 in the first: both are
        ("mentions", ["a b | a", "cd | cd"], "1/2 2/3 4/7"),
        ("pooled", ["a b | a", "cd | cd"], "1 1 1"),
        ("macro", ["a b | a", "cd | cd"], "1/2 1/2 1/2"),
    ],
)
def test_an_undefined_document_counts_0(average: str, texts: Sequence[str], expected: str) -> None:
    check(corpus_score("muc", average, texts), expected)


@every_average
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a | ab", "c | cd"], "- 0 0"),
        (["ab | a", "cd | c"], "0 - 0"),
        (["a | a", "c | c d"], "- - -"),
        (["a | a", "c | cd"], "- 0 0"),
        (["a | a", "cd | c"], "0 - 0"),
        (["a | ab", "cd | c"], "0 0 0"),
        (["|", "|"], "- - -"),
    ],
)
def test_an_average_is_undefined_only_if_it_is_so_in_every_document(
    average: str, texts: Sequence[str], expected: str
) -> None:
    check(corpus_score("muc", average, texts), expected)
    check(corpus_score("muc", average, texts[::-1]), expected)


@pytest.mark.parametrize(
    ("average", "texts", "expected"),
    [
        ("pooled", ["a | a"], "2/3"),
        ("pooled", ["ab | ab", "c | c"], "1"),
        # MUC is 1 and 0/0, with 4 and 2 mentions; B³ and CEAF_e are 1
        ("mentions", ["ab | ab", "c | c"], "8/9"),
        ("macro", ["ab | ab", "c | c"], "5/6"),
        ("macro", ["|", "a | a"], "1/3"),
        ("macro", ["|", "|"], "0"),
    ],
)
def test_the_conll_average_is_the_mean_of_three_corpus_scores_and_counts_undefined_ones_0(
    average: str, texts: Sequence[str], expected: str
) -> None:
    check(corpus_score("conll", average, texts), expected)


@pytest.mark.parametrize(
    ("rule", "average", "texts", "expected"),
    [
        # the first document has no other links in gold, but the corpus has: 1 of 1, and 1 of 2 + 1
        ("gold", "pooled", ["ab | ab x", "c d | c d"], "1 2/3 3/4"),
        ("gold", "macro", ["ab | ab x", "c d | c d"], "1 1 1"),
        # no link in gold anywhere: 1 only if all mentions are the same ones
        ("gold", "pooled", ["a | a", "b | b"], "1 1 1"),
        ("gold", "pooled", ["a | a", "b | bc"], "0 0 0"),
        ("gold", "pooled", ["a | a", "b |"], "0 0 0"),
        ("gold", "pooled", ["a | a", "| b"], "0 0 0"),
        ("gold", "pooled", ["a | a", "|"], "1 1 1"),
        ("gold", "pooled", ["|", "|"], "- - -"),
        ("gold", "macro", ["a | a", "b | bc"], "1/2 1/2 1/2"),
        ("gold", "macro", ["a | a", "|"], "1/2 1/2 1/2"),
        ("reference", "pooled", ["a | a", "b | b"], "0 0 0"),
        ("reference", "pooled", ["a | a", "bc | bc"], "1 1 1"),
        ("reference", "macro", ["a | a", "bc | bc"], "1/2 1/2 1/2"),
    ],
)
def test_blanc_pools_its_counts_before_it_judges_what_gold_lacks(
    rule: str, average: str, texts: Sequence[str], expected: str
) -> None:
    check(corpus_score("blanc", average, texts, rule), expected)


@every_average
def test_scores_come_in_the_order_they_were_asked_for(average: str) -> None:
    names = ["lea", "conll", "muc"]
    rows = [METRICS[name] for name in names]
    documents = [measured(pair_of(text)) for text in TWO_DOCUMENTS]
    assert list(scores(rows, to_count(METRICS), documents, average)) == names
