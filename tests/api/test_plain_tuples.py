"""Clusters of plain tuples, given in Python, against spans: what the tuples mean has to be said."""

from pathlib import Path
from typing import Any

import pytest

import scorch2

TUPLES = [[(0, 1), (4, 4)], [(6, 8), (9, 9)]]
"""First and last tokens."""


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> scorch2.Document:
    """Return the same clusters, read from a file in which the ends are known to be inclusive."""
    monkeypatch.chdir(tmp_path)
    path = Path("g.jsonl")
    lists = [[list(span) for span in cluster] for cluster in TUPLES]
    words = list("abcdefghij")
    path.write_text(f'{{"doc_key": "k", "sentences": [{words}], "clusters": {lists}}}'.replace("'", '"'))
    return scorch2.read(path)[0]


def refused(side: str, other: str) -> str:
    option = "sys" if side == "system" else "gold"
    return (
        f"{side}: mentions are tuples such as (0, 1), but spans in {other} (say what the tuples mean: "
        f'scorch2.score(..., {option}_offsets="inclusive" or "exclusive"))'
    )


@pytest.mark.parametrize("said", ["sys_offsets", "gold_offsets"])
def test_offsets_of_one_side_do_not_tell_what_the_other_means(said: str) -> None:
    options: Any = {said: "inclusive"}
    with pytest.raises(scorch2.InputError) as caught:
        scorch2.score(TUPLES, TUPLES, **options)
    sides = ("gold", "system") if said == "sys_offsets" else ("system", "gold")
    assert str(caught.value) == refused(*sides)


def test_offsets_of_both_sides_or_of_none_meet() -> None:
    assert scorch2.score(TUPLES, TUPLES).conll.f1 == 1
    assert scorch2.score(TUPLES, TUPLES, gold_offsets="inclusive", sys_offsets="inclusive").conll.f1 == 1
    after = [[(start, end + 1) for start, end in cluster] for cluster in TUPLES]
    assert scorch2.score(TUPLES, after, gold_offsets="inclusive", sys_offsets="exclusive").conll.f1 == 1


def test_tuples_against_a_document_are_refused_with_the_argument(document: scorch2.Document) -> None:
    sides: list[tuple[Any, Any, str]] = [(document, TUPLES, "system"), (TUPLES, document, "gold")]
    for gold, system, side in sides:
        with pytest.raises(scorch2.InputError) as caught:
            scorch2.score(gold, system)
        assert str(caught.value) == refused(side, document.path)
        options: Any = {"sys_offsets" if side == "system" else "gold_offsets": "inclusive"}
        assert scorch2.score(gold, system, **options).conll.f1 == 1


def test_tuples_that_are_no_spans_have_no_such_remedy(document: scorch2.Document) -> None:
    with pytest.raises(scorch2.InputError, match=r"lists of integers such as .* but in gold strings"):
        scorch2.score(document, [[(0, 1, 2), (0, 4, 5)]])


def test_strings_are_no_spans() -> None:
    with pytest.raises(scorch2.InputError, match="but in gold strings such as"):
        scorch2.score([["a", "b"]], TUPLES, sys_offsets="inclusive")
