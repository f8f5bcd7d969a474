"""From tallies of documents to scores of a corpus: three averages, and what 0/0 means to each of them."""

import itertools
import json
import os
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from effort import share_of
from every import every
from exact_comparison import random_pairs, table_of
from hypothesis import given
from hypothesis import strategies as st
from partition_pairs import ANY, Pair, mentions_of, pair_of

import scorch2
from scorch2.model.options import options_from
from scorch2.model.score import AVERAGES, AnyScore, Measured
from scorch2.scoring.averages import averaged
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.chosen import to_count

CLOSE = 1e-12

every_average = pytest.mark.parametrize("average", AVERAGES)


def measured(pair: Pair, blanc: str = "gold") -> Measured:
    gold, system = pair
    table = table_of(gold, system)
    tallies = tuple(metric.tallies(table) for metric in to_count(OF_CLUSTERS, {"blanc": blanc}))
    return Measured("d", len(mentions_of(gold)), len(mentions_of(system)), tallies)


def scores_of(documents: Sequence[Measured], average: str, **choices: str) -> dict[str, AnyScore]:
    chosen = options_from(average=average, **choices)
    rows = [METRICS[name] for name in OF_CLUSTERS]
    return averaged(rows, to_count(OF_CLUSTERS, chosen.choices), documents, chosen).scores


def corpus_score(name: str, average: str, texts: Sequence[str], **choices: str) -> AnyScore:
    blanc = choices.get("blanc", "gold")
    documents = [
        measured(pair_of(text), blanc)._replace(file=str(number)) for number, text in enumerate(texts)
    ]
    return scores_of(documents, average, **choices)[name]


def check(score: AnyScore, expected: str, what: str) -> None:
    """``1/2 - 0``: fractions in the order of the parts, a dash for 0/0; `what` is averaged."""
    values = [None if word == "-" else Fraction(word) for word in expected.split()]
    shown = " ".join(f"{value:.4f}" if value.defined else "0/0" for value in score)
    wrong = f"{what} is {' '.join(score._fields)} {shown}, but {expected} by hand (- is 0/0)"
    assert list(score) == pytest.approx([float(value or 0) for value in values], abs=CLOSE), wrong
    assert [value.defined for value in score] == [value is not None for value in values], wrong


TWO_DOCUMENTS = ["abcd | ab cd", "ef | efghi"]
"""MUC 2/3 2/2 4/5 with 4 and 4 mentions; 1/1 1/4 2/5 with 2 and 5. Their averages:

mentions  R = (4·2/3 + 2·1) / 6, P = (4·1 + 5·1/4) / 9, F = (8·4/5 + 7·2/5) / 15
pooled    R = (2 + 1) / (3 + 1), P = (2 + 1) / (2 + 4)
files     as macro: each document is in a file of its own
macro     R = (2/3 + 1) / 2, P = (1 + 1/4) / 2, F = (4/5 + 2/5) / 2
"""


BY_HAND = {
    "mentions": "7/9 7/12 46/75",
    "pooled": "3/4 1/2 3/5",
    "macro": "5/6 5/8 3/5",
    "files": "5/6 5/8 3/5",
}


@every_average
def test_two_documents(average: Any, tmp_path: os.PathLike[str]) -> None:
    told = f"work out {average} of TWO_DOCUMENTS by hand, and write R, P, F into BY_HAND in this file"
    assert average in BY_HAND, told
    expected = BY_HAND[average]
    what = f"MUC of TWO_DOCUMENTS with --average={average}"
    check(corpus_score("muc", average, TWO_DOCUMENTS), expected, what)
    gold, system = write(TWO_DOCUMENTS, tmp_path)
    check(scorch2.score(gold, system, average=average).muc, expected, f"{what}, read from files,")


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
    found = scorch2.score(*write(TWO_DOCUMENTS, tmp_path)).muc
    check(found, "7/9 7/12 46/75", "MUC of TWO_DOCUMENTS by default")


@given(pair=ANY)
def test_one_document_is_the_same_in_all_averages(pair: Pair) -> None:
    document = measured(pair)
    first, *others = (scores_of([document], average) for average in AVERAGES)
    assert all(other == first for other in others), "an average of one document is the score of that document"


@every_average
def test_the_order_of_documents_does_not_matter_to_the_last_bit(average: str) -> None:
    documents = [measured(pair_of_sets) for pair_of_sets in random_documents(share_of(100))]
    expected = scores_of(documents, average)
    random = Random(1)  # noqa: S311 - a sample, not a secret
    wrong = f"{average}: the same documents in another order score otherwise: sum exactly (math.fsum)"
    for _ in range(50):
        assert scores_of(random.sample(documents, len(documents)), average) == expected, wrong


def random_documents(count: int) -> list[Pair]:
    return [
        (tuple(map(frozenset, gold)), tuple(map(frozenset, system)))
        for gold, system in random_pairs(count, seed=1)
    ]


RECALL = ["a | ab", "cde | cd"]
"""MUC of the first document is 0/0, 0/1, F1 0; of the second 1/2, 1/1, 2/3. Mentions 1, 2 and 3, 2."""
PRECISION = ["ab | a", "cd | cde"]
"""The same with the sides swapped."""
BOTH = ["a b | a", "cd | cd"]
"""MUC of the first document is 0/0, 0/0, with 2 and 1 mentions; of the second 1, with 2 and 2."""


@every(
    ("undefined", "average", "texts", "expected"),
    [
        # a score that is 0/0 has no weight in the mean of its part
        ("skip", "mentions", RECALL, "1/2 1/2 10/24"),
        ("skip", "pooled", RECALL, "1/2 1/2 1/2"),
        ("skip", "macro", RECALL, "1/2 1/2 1/3"),
        ("skip", "mentions", PRECISION, "1/2 1/2 10/24"),
        ("skip", "pooled", PRECISION, "1/2 1/2 1/2"),
        ("skip", "macro", PRECISION, "1/2 1/2 1/3"),
        ("skip", "mentions", BOTH, "1 1 1"),
        ("skip", "pooled", BOTH, "1 1 1"),
        ("skip", "macro", BOTH, "1 1 1"),
        # or counts 0 with the weight of the document, as in scorch
        ("zero", "mentions", RECALL, "3/8 1/2 10/24"),
        ("zero", "pooled", RECALL, "1/2 1/2 1/2"),
        ("zero", "macro", RECALL, "1/4 1/2 1/3"),
        ("zero", "mentions", PRECISION, "1/2 3/8 10/24"),
        ("zero", "pooled", PRECISION, "1/2 1/2 1/2"),
        ("zero", "macro", PRECISION, "1/2 1/4 1/3"),
        ("zero", "mentions", BOTH, "1/2 2/3 4/7"),
        ("zero", "pooled", BOTH, "1 1 1"),
        ("zero", "macro", BOTH, "1/2 1/2 1/2"),
    ],
)
def test_an_undefined_document_has_no_weight_or_counts_0(
    undefined: str, average: str, texts: Sequence[str], expected: str
) -> None:
    found = corpus_score("muc", average, texts, undefined=undefined)
    check(found, expected, f"MUC of {texts} with --average={average} --undefined={undefined}")


@pytest.mark.parametrize(
    ("texts", "skipped"),
    [
        (RECALL, {"recall": 1}),
        (PRECISION, {"precision": 1}),
        (BOTH, {"recall": 1, "precision": 1, "f1": 1}),
        (["ab | ab", "cd | cd"], None),
    ],
)
def test_documents_without_weight_are_counted(texts: Sequence[str], skipped: dict[str, int] | None) -> None:
    documents = [measured(pair_of(text)) for text in texts]
    rows, metrics = [METRICS["muc"]], to_count(OF_CLUSTERS)
    wrong = f"of {texts}, other documents are said to have no weight in a part of MUC"
    found = averaged(rows, metrics, documents, options_from(average="macro")).skipped
    assert found.get("muc") == skipped, wrong
    for chosen in ({"average": "pooled"}, {"average": "macro", "undefined": "zero"}):
        found = averaged(rows, metrics, documents, options_from(**chosen)).skipped
        assert found == {}, f"with {chosen} no document is without weight"


@every_average
@given(documents=st.lists(ANY, min_size=1, max_size=4))
def test_gold_against_itself_is_1_wherever_it_is_defined(average: str, documents: Sequence[Pair]) -> None:
    """The identity law over corpora: documents without a link do not pull a score below 1."""
    corpus = [measured((gold, gold)) for gold, _ in documents]
    for name, score in scores_of(corpus, average).items():
        for part, value in score._asdict().items():
            law = f"{name}.{part} of gold against itself over {len(corpus)} documents is {value}"
            assert not value.defined or abs(value - 1) <= CLOSE, law


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
    for undefined, documents in itertools.product(("skip", "zero"), (texts, texts[::-1])):
        found = corpus_score("muc", average, documents, undefined=undefined)
        check(found, expected, f"MUC of {documents} with --average={average} --undefined={undefined}")


@pytest.mark.parametrize(
    ("average", "texts", "skip", "zero"),
    [
        ("pooled", ["a | a"], "1", "2/3"),
        ("pooled", ["ab | ab", "c | c"], "1", "1"),
        # MUC is 1 and 0/0, with 4 and 2 mentions; B³ and CEAF_e are 1
        ("mentions", ["ab | ab", "c | c"], "1", "8/9"),
        ("macro", ["ab | ab", "c | c"], "1", "5/6"),
        ("macro", ["|", "a | a"], "1", "1/3"),
        ("macro", ["|", "|"], "-", "0"),
        # MUC is 0/0, 0/1 and so 0, B³ 1, 1/4, 2/5, CEAF_e 2/3 each
        ("pooled", ["a | ab"], "16/45", "16/45"),
    ],
)
def test_the_conll_average_is_the_mean_of_the_defined_ones_of_three_corpus_scores(
    average: str, texts: Sequence[str], skip: str, zero: str
) -> None:
    what = f"the CoNLL average of {texts} with --average={average}"
    check(corpus_score("conll", average, texts), skip, what)
    check(corpus_score("conll", average, texts, undefined="zero"), zero, f"{what} --undefined=zero")


@every(
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
        ("gold", "macro", ["a | a", "|"], "1 1 1"),
        ("reference", "pooled", ["a | a", "b | b"], "0 0 0"),
        ("reference", "pooled", ["a | a", "bc | bc"], "1 1 1"),
        ("reference", "macro", ["a | a", "bc | bc"], "1/2 1/2 1/2"),
        ("both", "pooled", ["ab | ab", "c | c"], "1 1 1"),
        ("both", "pooled", ["ab | ab c"], "1/2 1/2 1/2"),
        ("both", "pooled", ["a | a", "b | b"], "- - -"),
    ],
)
def test_blanc_pools_its_counts_before_it_judges_what_gold_lacks(
    rule: str, average: str, texts: Sequence[str], expected: str
) -> None:
    found = corpus_score("blanc", average, texts, blanc=rule)
    check(found, expected, f"BLANC of {texts} with --blanc={rule} --average={average}")


@every_average
def test_scores_come_in_the_order_they_were_asked_for(average: str) -> None:
    names = ["lea", "conll", "muc"]
    rows = [METRICS[name] for name in names]
    documents = [measured(pair_of(text)) for text in TWO_DOCUMENTS]
    found = averaged(rows, to_count(OF_CLUSTERS), documents, options_from(average=average))
    assert list(found.scores) == names, "scores come in another order than they were asked for"


@every_average
def test_the_table_says_which_averages_an_empty_document_changes(average: str) -> None:
    """A stored report that lacks one may then not be compared."""
    before, after = (
        corpus_score("muc", average, texts, undefined="zero")
        for texts in (TWO_DOCUMENTS, [*TWO_DOCUMENTS, "|"])
    )
    assert AVERAGES[average].weighs_empty == (after != before), (
        f"weighs_empty of {average} is not what it does"
    )
