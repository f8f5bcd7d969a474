"""Reads fixtures/partitions: pairs of clusterings with exact counts and scores, and compares a report.

A case holds `gold` and `system` (clusters of one-letter mentions), maybe `options`, and by metric either its
recall, precision and F1, or an object with these as `score` and with `counts`: recall numerator and
denominator, precision numerator and denominator, by part where a metric has several. Numbers are fractions,
null is 0/0. `printed` holds rounded figures as they were published or noted down.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import pytest

import scorch2

Case: TypeAlias = Mapping[str, Any]

FOLDER = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "fixtures", "partitions")
CLOSE = 1e-12


def read(name: str) -> list[Case]:
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        content = json.load(file)
    assert content["source"]
    return list(content["cases"])


def names() -> list[str]:
    return sorted(os.listdir(FOLDER))


def metrics_of(case: Case) -> list[str]:
    return [name for name in case if name in scorch2.METRICS]


def clusters(case: Case, side: str) -> list[list[str]]:
    return [list(cluster) for cluster in case[side]]


def scored(case: Case, **options: Any) -> scorch2.Report:
    gold, system = clusters(case, "gold"), clusters(case, "system")
    return scorch2.score(gold, system, metrics=metrics_of(case), **case.get("options", {}), **options)


def check(report: scorch2.Report, case: Case) -> None:
    """Counts are the floats nearest to the exact ones; scores are close; 0/0 is said to be undefined."""
    for name in metrics_of(case):
        expected = case[name] if isinstance(case[name], dict) else {"score": case[name]}
        if "counts" in expected:
            counts = expected["counts"]
            tallies = report.tallies(name)
            for part, numbers in (counts if isinstance(counts, dict) else {"": counts}).items():
                assert list(tallies[part]) == [float(Fraction(number)) for number in numbers], (name, part)
        if "score" in expected:
            check_score(name, report.scores[name], expected["score"])


def check_score(name: str, actual: Iterable[Any], expected: Sequence[str | None]) -> None:
    values = [float(Fraction(value or 0)) for value in expected]
    assert list(actual) == pytest.approx(values, abs=CLOSE), name
    assert [value.defined for value in actual] == [value is not None for value in expected], name
