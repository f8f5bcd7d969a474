"""Span errors by head, by trimmed text and by overlap: worked out by hand, in one small text."""

from pathlib import Path
from typing import Any

import pytest

import scorch2

# 0 The 1 old 2 man 3 of 4 the 5 sea 6 's 7 house 8 , 9 Mara 10 Lind 11 , 12 fell
WORDS = ["The", "old", "man", "of", "the", "sea", "'s", "house", ",", "Mara", "Lind", ",", "fell"]
TAGS = ["DT", "JJ", "NN", "IN", "DT", "NN", "POS", "NN", ",", "NNP", "NNP", ",", "VBD"]
UPOS = ["DET", "ADJ", "NOUN", "ADP", "DET", "NOUN", "PART", "NOUN", "PUNCT", *["PROPN"] * 2, "PUNCT", "VERB"]
HEADS = (8, 3, 8, 6, 6, 3, 6, 13, 11, 11, 8, 11, 0)  # the house fell; the man's house; Lind, called Mara
Spans = list[tuple[int, int]]


def bracketed(mentions: Spans, place: int, opening: str, closing: str) -> tuple[list[str], list[str]]:
    """Return the brackets that open at a token, and those that close there and did not open there."""
    opened = [
        opening.format(number) + (")" if end - start == 1 else "")
        for number, (start, end) in enumerate(mentions)
        if start == place
    ]
    ending = [n for n, (start, end) in enumerate(mentions) if end == place + 1 and end - start > 1]
    return opened, list(map(closing.format, ending))


def conll(path: Path, mentions: Spans, tags: list[str] = TAGS) -> str:
    rows = ["#begin document (d);"]
    for place, (word, tag) in enumerate(zip(WORDS, tags, strict=True)):
        opened, closed = bracketed(mentions, place, "({}", "{})")
        rows.append(f"d 0 {place} {word} {tag} * {'|'.join([*opened, *closed]) or '-'}")
    path.write_text("\n".join([*rows, "", "#end document", ""]), encoding="utf-8")
    return str(path)


def conllu(path: Path, mentions: Spans) -> str:
    rows = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for place, (word, tag, head) in enumerate(zip(WORDS, UPOS, HEADS, strict=True)):
        opened, closed = bracketed(mentions, place, "(e{}-x-1-", "e{})")
        misc = f"Entity={''.join([*opened, *closed])}" if opened or closed else "_"
        rows.append(f"{place + 1}\t{word}\t_\t{tag}\t_\t_\t{head}\tdep\t_\t{misc}")
    path.write_text("\n".join([*rows, "", ""]), encoding="utf-8")
    return str(path)


def pairs(gold: str, system: str, **options: Any) -> list[tuple[str, str]]:
    """Return gold and system mentions that are paired, without the number of their sentence."""
    found = scorch2.errors(gold, system, list="errors", kind="span", gains="none", **options)
    return [(row["mentions"][0].split(".")[1], row["instead"].split(".")[1]) for row in found.list]


def test_mentions_with_the_same_head_in_the_tree_are_paired(tmp_path: Path) -> None:
    """By the tree, the head of 0..7 and of 7 is *house*, that of 1..2 is *man*; 9..10 is headed by *Lind*."""
    gold = conllu(tmp_path / "gold.conllu", [(0, 8), (9, 10)])
    system = conllu(tmp_path / "sys.conllu", [(7, 8), (1, 3), (9, 11)])
    assert pairs(gold, system, spans="head") == [("0-7", "7-7")]
    assert pairs(gold, system, spans="auto") == [("0-7", "7-7")]
    assert pairs(gold, system, spans="overlap") == [("9-9", "9-10")]
    assert str(scorch2.errors(gold, system)).count("spans=head") == 1


def test_one_mention_of_a_head_is_paired_with_the_one_that_overlaps_most(tmp_path: Path) -> None:
    """Dice of 0..7 with 3..7 is 10/13, of 0..7 with 7 it is 2/9."""
    gold = conllu(tmp_path / "gold.conllu", [(0, 8)])
    system = conllu(tmp_path / "sys.conllu", [(7, 8), (3, 8)])
    assert pairs(gold, system, spans="head") == [("0-7", "3-7")]
    assert pairs(system, gold, spans="head") == [("3-7", "0-7")]


def test_without_trees_heads_are_those_of_the_rule_for_english(tmp_path: Path) -> None:
    """The first noun that is no possessor: *man* of 0..7 and of 1..2, *sea* of 4..5, *house* of 4..7."""
    gold = conll(tmp_path / "gold.conll", [(0, 8), (4, 8)])
    system = conll(tmp_path / "sys.conll", [(1, 3), (4, 6), (6, 8)])
    assert pairs(gold, system, spans="head") == [("0-7", "1-2"), ("4-7", "6-7")]
    assert "spans=overlap" in str(scorch2.errors(gold, system))  # auto: the files have no heads


def test_with_words_alone_heads_are_guessed_if_that_is_asked_for(tmp_path: Path) -> None:
    gold = conll(tmp_path / "gold.conll", [(0, 8)], ["-"] * len(WORDS))
    system = conll(tmp_path / "sys.conll", [(1, 3)], ["-"] * len(WORDS))
    assert pairs(gold, system, spans="head", types="english") == [("0-7", "1-2")]
    with pytest.raises(scorch2.InputError, match='which spans="head" needs'):
        pairs(gold, system, spans="head")


def test_mentions_are_equal_without_determiners_a_possessive_and_punctuation(tmp_path: Path) -> None:
    """*The old man*, *old man*; *the sea 's*, *sea*; *, Mara Lind ,*, *Mara Lind*; not *Lind*."""
    gold = conll(tmp_path / "gold.conll", [(0, 3), (5, 6), (8, 12)])
    system = conll(tmp_path / "sys.conll", [(1, 3), (4, 7), (9, 11), (10, 11)])
    assert pairs(gold, system, spans="trim") == [("0-2", "1-2"), ("5-5", "4-6"), ("8-11", "9-10")]
    system = conll(tmp_path / "other.conll", [(2, 3), (10, 11)])
    assert pairs(gold, system, spans="trim") == []


def test_a_mention_of_a_determiner_alone_keeps_it(tmp_path: Path) -> None:
    gold, system = conll(tmp_path / "gold.conll", [(4, 5)]), conll(tmp_path / "sys.conll", [(4, 6)])
    assert pairs(gold, system, spans="trim", types="none") == []


@pytest.mark.parametrize("spans", ["head", "trim", "overlap"])
def test_mentions_that_are_ids_have_no_span_errors(spans: str) -> None:
    with pytest.raises(scorch2.InputError, match=f'spans="{spans}" needs'):
        scorch2.errors([["a", "b"]], [["a"]], spans=spans)  # type: ignore[arg-type]  # a parameter
