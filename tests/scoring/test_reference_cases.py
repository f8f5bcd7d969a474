"""The standard test cases of the CoNLL reference scorer, to the last digit."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from every import every
from exact_model import MODELS
from partition_cases import Case, check, clusters, read, scored

from scorch2 import InputError

CASES = read("reference_cases.json")
REPEATED = ("TC-A-7", "TC-A-8", "TC-A-9")
"""Cases with a repeated system mention: the reference scorer keeps the first."""


def ident(case: Case) -> str:
    return str(case["id"])


def test_there_are_36() -> None:
    assert len({ident(case) for case in CASES}) == 36


@every("rule", ["gold", "reference"])
@every("case", CASES)
def test_counts_and_scores(case: Case, rule: str) -> None:
    """Gold always has links, so both rules of BLANC give the same; 0/0 counts 0 in its CoNLL average."""
    duplicates = "first" if ident(case) in REPEATED else "error"
    check(scored(case, duplicates=duplicates, blanc=rule, undefined="zero"), case)


@pytest.mark.parametrize("case", [case for case in CASES if ident(case) in REPEATED[1:]], ids=ident)
def test_a_mention_in_two_clusters_is_refused_unless_asked_for(case: Case) -> None:
    with pytest.raises(InputError, match='mention "b" is already in cluster "1"'):
        scored(case)


@every("case", [case for case in CASES if ident(case) not in REPEATED])
def test_the_exact_model_gives_the_same(case: Case) -> None:
    gold, system = (tuple(map(frozenset, clusters(case, side))) for side in ("gold", "system"))
    for name in ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"):
        exact = MODELS[name](gold, system)
        counts = case[name]["counts"]
        for part, numbers in (counts if name == "blanc" else {"": counts}).items():
            assert list(exact.parts[part]) == fractions(numbers), (name, part)
        assert list(exact[1:]) == fractions(case[name]["score"]), name


def fractions(numbers: Sequence[str | None]) -> list[Fraction | None]:
    return [None if number is None else Fraction(number) for number in numbers]
