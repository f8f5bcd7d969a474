"""Type weights: counts are exact sums, so that no score is above its exact value."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ulp
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli.main import main
from scorch2.model.markables import Annotation, Candidate
from scorch2.tasks.linking.corpus import Corpus
from scorch2.tasks.linking.evaluation import Grouping, MeasureRow, evaluate
from scorch2.tasks.linking.evidence import Mentions, Nil, Rows, Rules
from scorch2.tasks.linking.measures import named

MEASURE = "strong_typed_mention_match"
TYPES = ("PER", "ORG", "LOC")
Worth: TypeAlias = Mapping[Any, float]
"""The weight of each pair of gold and system type."""
Side: TypeAlias = Mapping[tuple[str, int], str]
"""The type of the mention at each document and start."""

types = st.sampled_from(TYPES)
sides = st.dictionaries(st.tuples(st.sampled_from("de"), st.integers(0, 30)), types, max_size=25)
shares = st.integers(0, 1000).map(lambda n: n / 1000)
weights = st.dictionaries(st.tuples(types, types), shares, max_size=6)


def mentions(side: Side) -> Mentions:
    found = [Annotation(start, start + 1, (Candidate("E", None, kind),)) for (_, start), kind in side.items()]
    documents = [document for document, _ in side]
    return Mentions(Rows(documents, found, Nil()), dict.fromkeys("de", "file"))


def rows(gold: Side, system: Side, worth: Worth, *groups: str) -> Sequence[MeasureRow]:
    corpus = Corpus(mentions(gold), mentions(system))
    return evaluate(corpus, named([MEASURE]), Grouping(groups), Rules(weights=worth)).rows


def exact(gold: Side, system: Side, worth: Worth) -> dict[str, Fraction]:
    """Return the counts by their definition, without any rounding."""

    def weight(one: str, other: str) -> Fraction:
        return Fraction(worth.get((one, other), float(one == other)))

    common = sum((weight(gold[place], system[place]) for place in gold.keys() & system.keys()), Fraction(0))
    golds, systems = (
        sum((weight(kind, kind) for kind in side.values()), Fraction(0)) for side in (gold, system)
    )
    return {"ptp": common, "fp": systems - common, "rtp": common, "fn": golds - common}


def is_nearly(found: float, value: Fraction) -> bool:
    return abs(Fraction(found) - value) <= 4 * Fraction(ulp(max(float(abs(value)), 1.0)))


@given(sides, sides, weights)
def test_counts_are_the_exact_sums(gold: Side, system: Side, worth: Worth) -> None:
    (row,) = rows(gold, system, worth)
    counts = exact(gold, system, worth)
    assert (row.ptp, row.rtp) == (float(counts["ptp"]), float(counts["rtp"]))
    for name in ("fp", "fn"):
        assert is_nearly(getattr(row, name), counts[name]), name
        assert getattr(row, name) >= 0 or counts[name] < 0, "only a weight above a type's own can do that"
    for name, missed, score in (("rtp", "fn", row.recall), ("ptp", "fp", row.precision)):
        total = counts[name] + counts[missed]
        value = counts[name] / total if total else Fraction(0)
        assert is_nearly(score, value) or score > 1
        assert score <= 1 or value > 1


@given(sides, weights, st.sampled_from([(), ("docid",), ("type",)]))
def test_a_perfect_system_is_perfect(side: Side, worth: Worth, groups: tuple[str, ...]) -> None:
    for row in rows(side, side, worth, *groups):
        assert (row.fp, row.fn) == (0, 0)
        if "<macro>" not in row.name:
            assert {row.precision, row.recall, row.fscore} <= ({1.0} if row.ptp else {0.0})


def test_a_perfect_system_prints_ones_and_zeros(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Added one by one, ten times 0.7 is 7.000000000000001, which is more than 7."""
    annotations, worth = tmp_path / "a.tsv", tmp_path / "w.tsv"
    annotations.write_text("".join(f"d\t{i}\t{i}\tE\t1\tA\n" for i in range(10)), "utf-8")
    worth.write_text("A\tA\t0.7\n", "utf-8")
    argv = ["evaluate", "-m", MEASURE, f"--type-weights={worth}", "-g", str(annotations), str(annotations)]
    assert main(argv) == 0
    numbers = capsys.readouterr().out.splitlines()[1].split("\t")[:-1]
    assert numbers == ["7.000", "0.000", "7.000", "0.000", "1.000", "1.000", "1.000"]
    assert main([*argv, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)[MEASURE]
    assert (found["precision"], found["recall"], found["fscore"]) == (1.0, 1.0, 1.0)
