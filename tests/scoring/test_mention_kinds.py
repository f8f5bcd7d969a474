"""Mentions that do not compare: lists against spans, units that are not said, ids of several types."""

from collections.abc import Sequence
from typing import Any

import pytest

from scorch2.model.document import Discontinuous, Document, Words
from scorch2.model.errors import InputError
from scorch2.model.markables import Annotation, Word
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.mention_kinds import of_one_kind, refuse_lists, refuse_mixed, refuse_other_unit

SAYS = '"offsets": "inclusive" or "exclusive", and "unit": "token" or "char"'
LISTS = Document("l", {"none": [], "a": [(3, 4), (5, 6)]}, "l.json", format="clusters")
SPANS = Document("s", {"none": [], "x": [(0, 2)]}, "s.conll", [3, 4])
TUPLES = LISTS._replace(path="", format="")
HALF_OPEN = Document("h", {"x": [(0, 2)]}, "h.tsv", unit="", half_open=True)


def refusal(gold: Document, system: Document) -> str:
    with pytest.raises(InputError) as caught:
        of_one_kind(gold, system)
    return str(caught.value)


# Lists and tuples, which may mean anything


@pytest.mark.parametrize(
    ("written", "place", "how"),
    [
        ("clusters", "$.offsets: ", "say what the lists mean"),
        ("jsonlines", "", "write clusters JSON, which says what they mean"),
    ],
)
def test_lists_against_spans_are_refused_on_either_side(written: str, place: str, how: str) -> None:
    lists = LISTS._replace(format=written)
    why = f"l.json: {place}mentions are lists such as [3, 4], and spans in s.conll ({how}: {SAYS}"
    assert refusal(lists, SPANS) == f"{why}; or type --gold-offsets=inclusive or exclusive)"
    assert refusal(SPANS, lists) == f"{why}; or type --sys-offsets=inclusive or exclusive)"
    for sides in ((lists, SPANS), (SPANS, lists)):
        with pytest.raises(InputError) as caught:  # a command without these options
            refuse_lists(*sides)
        assert str(caught.value) == f"{why})"


def test_tuples_against_spans_are_refused_with_the_argument_that_says_what_they_mean() -> None:
    why = (
        "l: mentions are tuples such as (3, 4), but spans in s.conll (say what the tuples mean: scorch2.score"
    )
    assert refusal(TUPLES, SPANS) == f'{why}(..., gold_offsets="inclusive" or "exclusive"))'
    assert refusal(SPANS, TUPLES) == f'{why}(..., sys_offsets="inclusive" or "exclusive"))'
    assert "spans in s (say" in refusal(TUPLES, SPANS._replace(path=""))
    refuse_lists(TUPLES, SPANS)


@pytest.mark.parametrize("first", [(3, 4, 5), ("a", 4), (3, "b"), (3,), "x"])
def test_other_tuples_of_python_are_any_ids(first: Any) -> None:
    tuples = TUPLES._replace(clusters={"a": [first]})
    assert of_one_kind(tuples, SPANS)[0] == tuples
    assert of_one_kind(SPANS, tuples)[1] == tuples


@pytest.mark.parametrize(
    ("lists", "other"),
    [
        (LISTS, LISTS),
        (LISTS, LISTS._replace(clusters={"x": ["m1"]})),
        (LISTS, SPANS._replace(clusters={"x": []})),
        (LISTS._replace(clusters={"a": ["m1"]}), SPANS),
        (LISTS._replace(clusters={"a": []}), SPANS),
    ],
)
def test_lists_are_no_matter_without_spans_to_compare_with(lists: Document, other: Document) -> None:
    of_one_kind(lists, other)
    of_one_kind(other, lists)


# Units


@pytest.mark.parametrize(("path", "where"), [("h.tsv", "h.tsv"), ("", "h")])
def test_spans_of_other_units_are_refused(path: str, where: str) -> None:
    characters = HALF_OPEN._replace(unit="character", path=path)
    why = f'{where}: mentions of "h" are spans of characters, but in gold (s.conll) of tokens'
    assert refusal(SPANS, characters).startswith(why)
    with pytest.raises(InputError) as caught:
        refuse_other_unit(SPANS, characters)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("length", "name", "path"), [(40, "n" * 40, "n" * 40), (41, "n" * 39 + "…", "…" + "n" * 39)]
)
def test_a_long_name_is_cut_to_forty_characters(length: int, name: str, path: str) -> None:
    gold, system = SPANS._replace(path="n" * length), SPANS._replace(id="n" * length, sentences=[8])
    why = f'8 tokens in "{name}", but 7 in gold ({path}): the two sides must have the same tokens'
    assert refusal(gold, system) == f"s.conll: {why}"


def test_json_that_does_not_say_what_spans_count_meets_none_that_do() -> None:
    silent = HALF_OPEN._replace(path="l.json", format="clusters")
    why = "$.unit: the file does not say what spans count (those in s.conll count tokens; say "
    expected = f'l.json: {why}"token" or "char")'
    assert refusal(silent, SPANS) == refusal(SPANS, silent) == expected
    assert refusal(silent._replace(path=""), SPANS) == f'h: {why}"token" or "char")'
    for other in (
        silent._replace(unit="token"),
        silent._replace(format="tsv"),
        silent._replace(annotations=[Annotation(0, 2, ())]),
    ):
        assert of_one_kind(other, SPANS) == (other, SPANS)
    assert of_one_kind(silent, HALF_OPEN) == (silent, HALF_OPEN)


def test_a_span_may_end_with_the_text_and_not_after_it() -> None:
    at_end = HALF_OPEN._replace(clusters={"x": [(0, 2), (5, 7)]})
    assert of_one_kind(at_end, SPANS) == (at_end, SPANS)
    after = HALF_OPEN._replace(clusters={"x": [(0, 2), (5, 8)]})
    why = "mention [5, 7] ends after the 7 tokens in s.conll (does it count tokens?)"
    assert refusal(after, SPANS) == refusal(SPANS, after) == f"h.tsv: {why}"
    assert refusal(after._replace(path=""), SPANS) == f"h: {why}"


def test_words_that_tell_no_difference_are_left_out_of_the_message() -> None:
    """Two blanks for one change the number of characters, but no word; columns may not say the word."""

    def unreadable(_: object) -> list[str]:
        raise InputError("s", "", "which column is the word?")

    def text(side: str, length: int) -> Document:
        words = Words(list, ["a", "b"])
        return Document(side, {}, side, [length], unit="character", words=words)

    expected = 's: 4 characters in "s", but 3 in gold (g): the two sides must have the same characters'
    assert refusal(text("g", 3), text("s", 4)).startswith(expected)
    assert refusal(text("g", 3), text("s", 4)._replace(words=Words(unreadable, []))).startswith(expected)


# Types


def mixed(gold: Document, system: Document) -> str:
    with pytest.raises(InputError) as caught:
        refuse_mixed(gold, partition(gold), system, partition(system))
    return str(caught.value)


def partition(document: Document) -> Partition:
    members = [one for cluster in document.clusters.values() for one in cluster]
    return Partition(dict.fromkeys(members, 0), [len(members)])


def ids(side: str, *members: Any) -> Document:
    return Document(side, {"a": members}, f"{side}.json")


@pytest.mark.parametrize(
    ("gold", "system", "share"),
    [([1, 2, 3, 4], ["1", "x"], 50), (["1", "x"], [1, 2, 3, 4], 50), ([1], ["x"], 0), ([1, 2], ["2"], 100)],
)
def test_the_share_that_would_match_is_of_the_side_with_fewer(
    gold: Sequence[Any], system: Sequence[Any], share: int
) -> None:
    message = mixed(ids("g", *gold), ids("s", *system))
    assert message.endswith(f" ({share} % of them would match if all were strings)")


@pytest.mark.parametrize(
    ("name", "counts_within_sentences"), [("0.0-1", True), ("0.0-1.2", True), ("m1", False), ("0-1", False)]
)
def test_names_that_count_within_sentences_are_told_from_others(
    name: str, *, counts_within_sentences: bool
) -> None:
    for sides in ((HALF_OPEN, ids("s", name)), (ids("g", name), HALF_OPEN)):
        assert ("count tokens within sentences" in mixed(*sides)) == counts_within_sentences
    assert "within sentences" not in mixed(ids("g", (0, 2)), ids("s", name)), "lists, not spans"


def test_pieces_and_spans_are_of_one_kind_where_both_sides_have_spans() -> None:
    words = (Word(0, 0), Word(0, 2))
    pieces = Discontinuous(0, 3, words)
    whole = SPANS._replace(clusters={"x": [(0, 3), pieces]})
    refuse_mixed(whole, partition(whole), SPANS, partition(SPANS))
    refuse_mixed(SPANS, partition(SPANS), whole, partition(whole))
    assert "different kinds" in mixed(whole, ids("s", "x"))
    assert "different kinds" in mixed(HALF_OPEN._replace(clusters={"x": [(0, 3), 7]}), SPANS)
