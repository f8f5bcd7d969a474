"""Two tokenisations of one text meet by its characters, and two texts never do."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Literal

import plain_alignment
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.formats.copies import write
from scorch2.model.document import Document, Mention, Words
from scorch2.model.errors import InputError
from scorch2.model.options import options_from
from scorch2.model.score import main_part
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.steps import match

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "alignment"
BY_HAND = json.loads((FOLDER / "by_hand.json").read_text("utf-8"))
ALIGN = options_from(align="characters")
NEEDS = "--align=characters needs"
COPY = "--align=text compares a copy that has other words"


def tokens(side: str, words: str | Sequence[str], *clusters: Sequence[tuple[int, int]]) -> Document:
    """Return a document of one sentence of some words."""
    found = tuple(words.split(" ") if isinstance(words, str) else words)
    named = {str(number): members for number, members in enumerate(clusters)}
    return Document(side, named, side, [len(found)], words=Words(list, found))


def characters(side: str, text: str, *clusters: Sequence[tuple[int, int]]) -> Document:
    """Return a document whose mentions are spans of characters."""
    named = {str(number): members for number, members in enumerate(clusters)}
    return Document(side, named, side, [len(text)], unit="character", text=text, exclusive=True)


def sets(partition: Partition) -> set[frozenset[Mention]]:
    """Return the clusters of a partition as sets."""
    clusters: list[set[Mention]] = [set() for _ in partition.sizes]
    for mention, number in partition.owner.items():
        clusters[number].add(mention)
    return {frozenset(cluster) for cluster in clusters}


def same(gold: Document, system: Document) -> bool:
    found = match("d", gold, system, ALIGN)
    return sets(found.gold) == sets(found.system)


def refusal(gold: Document, system: Document, align: str = "characters") -> str:
    with pytest.raises(InputError) as caught:
        match("d", gold, system, options_from(align=align))
    return str(caught.value)


# Scores counted by hand


@pytest.mark.parametrize("name", ["characters.jsonl", "blanks.jsonl"])
def test_other_tokens_and_characters_meet_tokens(name: str) -> None:
    report = scorch2.score(str(FOLDER / "gold.conll"), str(FOLDER / name), align="characters")
    hand = BY_HAND[name]
    for metric in ("muc", "b_cubed"):
        expected = [float(Fraction(share)) for share in hand[metric]]
        assert list(report.scores[metric][:2]) == pytest.approx(expected, abs=1e-15)
    (document,) = report.documents
    assert [document.gold_mentions, document.system_mentions] == hand["mentions"]
    assert "align=characters" in report.signature()


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (tokens("g", "do n't go", [(0, 2)], [(1, 2), (2, 3)]), tokens("s", "don 't go", [(0, 2)])),
        (tokens("g", "a b", [(0, 2)]), tokens("s", "ab", [(0, 1)])),
    ],
)
def test_borders_inside_a_token_of_the_other_side_are_kept(gold: Document, system: Document) -> None:
    found = match("d", gold, system, ALIGN)
    assert set(found.system.owner) <= set(found.gold.owner)


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (tokens("g", "a b c", [(1, 2)]), characters("s", "a b c", [(2, 3)])),
        (tokens("g", "a b c", [(1, 2)]), characters("s", " a\tb\u00a0\nc ", [(2, 5)])),
        (characters("g", "ab", [(1, 2)]), characters("s", "a b", [(1, 3)])),
        (tokens("g", ["a b", "", "c"], [(0, 1)]), tokens("s", ["a", "b c"], [(0, 1)])),
    ],
    ids=["blanks", "other blanks around", "characters on both sides", "blanks and nothing in a token"],
)
def test_blanks_do_not_count(gold: Document, system: Document) -> None:
    expected = plain(gold) == plain(system)
    assert same(gold, system) == expected


def plain(document: Document) -> set[frozenset[plain_alignment.Characters]]:
    units = document.words() if document.words else document.text or ""
    return plain_alignment.clusters_of(units, document.clusters.values())  # type: ignore[arg-type]  # spans


# A text that is cut anew


class Case:
    """A text of letters with mentions, which can be cut into tokens wherever no mention ends."""

    def __init__(self, clusters: Mapping[str, Sequence[tuple[int, int]]], length: int) -> None:
        self.letters = [chr(97 + i % 26) for i in range(length)]
        self.clusters = clusters

    def cut(self, random: Random) -> Document:
        """Return the text in tokens, some of which hold blanks."""
        needed = {border for members in self.clusters.values() for span in members for border in span}
        inside = {place for place in range(1, len(self.letters)) if random.random() < 0.4}
        borders = sorted({0, len(self.letters)} | needed | inside)
        number = {border: i for i, border in enumerate(borders)}
        words = [self._spread(start, end, random) for start, end in pairwise(borders)]
        clusters = {
            name: [(number[start], number[end]) for start, end in members]
            for name, members in self.clusters.items()
        }
        return Document("d", clusters, "d", [len(words)], words=Words(list, tuple(words)))

    def spaced(self, random: Random) -> Document:
        """Return the text as it is, with blanks anywhere, and spans that may count some of them."""
        places, text = [], ""
        for letter in self.letters:
            text += random.choice(["", "", " ", "\n ", "\u00a0"])
            places.append(len(text))
            text += letter
        clusters = {
            name: [(places[start], places[end - 1] + 1) for start, end in members]
            for name, members in self.clusters.items()
        }
        text += random.choice(["", " "])
        return Document("d", clusters, "d", [len(text)], unit="character", text=text)

    def _spread(self, start: int, end: int, random: Random) -> str:
        return "".join(random.choice(["", "", "", " "]) + letter for letter in self.letters[start:end])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    length = draw(st.integers(1, 20))
    places = st.tuples(st.integers(0, length - 1), st.integers(1, length)).filter(
        lambda span: span[0] < span[1]
    )
    mentions = draw(st.lists(places, min_size=1, max_size=8, unique=True))
    clusters: dict[str, list[tuple[int, int]]] = {}
    for mention in mentions:
        clusters.setdefault(str(draw(st.integers(0, 3))), []).append(mention)
    return Case(clusters, length)


@given(case=cases(), random=st.randoms(use_true_random=False))
def test_a_text_in_other_tokens_is_itself(case: Case, random: Random) -> None:
    for gold, system in ((case.cut(random), case.cut(random)), (case.cut(random), case.spaced(random))):
        assert same(gold, system)
        for one, other in ((gold, system), (system, gold)):
            report = scorch2.score(one, other, metrics=["all"], align="characters")
            assert set(report.scores) >= {"muc", "b_cubed", "ceaf_e", "blanc", "lea"}
            for score in report.scores.values():
                assert main_part(score) == 1 or not main_part(score).defined


@given(one=cases(), other=cases(), random=st.randoms(use_true_random=False))
def test_mentions_meet_where_a_plain_model_says_so(one: Case, other: Case, random: Random) -> None:
    other.letters = one.letters
    length = len(one.letters)
    other.clusters = {
        name: [(start, end) for start, end in members if end <= length]
        for name, members in other.clusters.items()
    }
    gold, system = one.cut(random), random.choice([other.cut, other.spaced])(random)
    found = match("d", gold, system, ALIGN)
    shared = {m for c in plain(gold) for m in c} & {m for c in plain(system) for m in c}
    assert len(set(found.gold.owner) & set(found.system.owner)) == len(shared)
    for document, partition in ((gold, found.gold), (system, found.system)):
        assert as_characters(partition) == {cluster for cluster in plain(document) if cluster}


def as_characters(partition: Partition) -> set[frozenset[plain_alignment.Characters]]:
    found = sets(partition)
    return {frozenset(frozenset(range(*span)) for span in cluster) for cluster in found}  # type: ignore[misc]  # spans


# What cannot be aligned


def test_texts_that_differ_are_refused_with_what_stands_around() -> None:
    gold = tokens("g", "The old dog of my neighbour ran after his hat and then it slept .", [(0, 3)])
    system = tokens("s", "The old dog of my neighbour ran after her hat and then it slept .", [(0, 3)])
    assert refusal(gold, system) == (
        's: the text of "s" differs from gold (g) at character 31, whitespace not counted: '
        '"…eighbour ran after her hat and then it s…", in gold "…eighbour ran after his hat and then it s…" '
        f"({NEEDS} the same text on both sides; {COPY})"
    )


def test_a_text_that_ends_before_the_other_is_refused() -> None:
    gold, system = characters("g", "a dog ran"), tokens("s", "a dog")
    assert refusal(gold, system) == (
        's: the text of "s" differs from gold (g) at character 4, whitespace not counted: "a dog" and the '
        f'end, in gold "a dog ran" ({NEEDS} the same text on both sides; {COPY})'
    )


@pytest.mark.parametrize(
    "document",
    [
        Document("d", {"a": ["m1"]}, "d.json"),
        Document("d", {"a": [(0, 1)]}, "d.json", unit="character", half_open=True),
        Document("d", {"a": [(0, 1)]}, "d.json", [3]),
    ],
    ids=["ids", "places of an unknown text", "unknown tokens"],
)
def test_a_side_without_its_text_is_refused(document: Document) -> None:
    expected = (
        'd.json: "d" has neither tokens nor a text that its mentions are in, which --align=characters needs '
        "(leave it out)"
    )
    there = tokens("t", "a b c", [(0, 1)])
    assert refusal(there, document) == refusal(document, there) == expected


def test_a_side_without_mentions_needs_no_text() -> None:
    found = match("d", tokens("g", "a b", [(0, 1)]), Document("d", {}), ALIGN)
    assert list(found.gold.sizes) == [1]
    assert list(found.system.sizes) == []


def test_a_mention_of_blanks_is_refused() -> None:
    gold = tokens("g", ["a", " ", "b"], [(0, 1), (1, 2)])
    assert refusal(gold, gold) == (
        'g: mention "0.1-1" (" ") of "g" holds nothing but whitespace, which --align=characters does not '
        "count"
    )


def test_mentions_that_become_one_are_in_two_clusters() -> None:
    gold = characters("g.json", "a b", [(0, 1)], [(0, 2)])
    assert refusal(gold, gold) == (
        'g.json: $.clusters.1[0]: mention [0, 2] ("a ") is already in cluster "0" '
        "(--duplicates=first keeps the first cluster, --duplicates=merge joins them)"
    ).replace("$.clusters.1[0]", '$.clusters["1"][0]')


# What the refusals without it say


OFFER = " (the text is the same: --align=characters compares by its characters)"


def test_the_option_is_named_where_it_would_help() -> None:
    gold, system = tokens("g", "do n't"), tokens("s", "don't")
    assert refusal(gold, system, "none") == (
        's: 1 token in "s", but 2 in gold (g); token 0 is "don\'t", in gold "do": '
        f"the two sides must have the same tokens{OFFER}"
    )
    assert refusal(gold, characters("s", "do n't"), "none") == (
        f's: mentions of "s" are spans of characters, but in gold (g) of tokens{OFFER}'
    )


def test_where_texts_differ_the_place_is_named() -> None:
    gold = tokens("g", "do n't go")
    assert refusal(gold, tokens("s", "do not"), "none") == (
        's: 2 tokens in "s", but 3 in gold (g); token 1 is "not", in gold "n\'t": '
        "the two sides must have the same tokens (--align=text compares a copy that has other words; "
        "the texts differ "
        'at character 3, whitespace not counted: "do not", in gold "do n\'t go")'
    )
    assert refusal(gold, characters("s", "do"), "none").endswith(
        "(--align=text compares a copy that has other words; "
        'the texts differ at character 2, whitespace not counted: "do" '
        'and the end, in gold "do n\'t go")'
    )


def test_nothing_is_said_about_a_text_that_is_not_known() -> None:
    system = tokens("s", "do")._replace(words=None)
    assert refusal(tokens("g", "do n't"), system, "none").endswith("must have the same tokens")


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("caf\u00e9 now", "cafe\u0301 now", True),
        ("\u212b", "A\u030a", True),
        ("\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af", True),
        ("a\u0323\u0301 b", "\u1ea1\u0301 b", True),
        ("caf\u00e9", "cafe", False),
        ("cafe\u0301", "cafe\u0300", False),
        ("caf\u00e9", "caf", False),
    ],
    ids=["an accent", "a sign of its own", "Hangul", "two marks", "no accent", "another accent", "the end"],
)
def test_letters_that_look_alike_are_said_to_be_the_same(one: str, other: str, alike: bool) -> None:
    for gold, system in ((one, other), (other, one)):
        message = refusal(characters("g", gold, [(0, 1)]), characters("s", system, [(0, 1)]))
        assert ("the same letters in two Unicode forms: write both texts in NFC" in message) == alike


def test_a_text_that_lies_in_a_file_of_its_own_is_asked_for(tmp_path: Path) -> None:
    """The remedy is one: with the text beside it, the file is scored."""
    columns = "#begin document (d);\nAnna\t(1)\nleft\t-\nher\t(1)\n#end document\n"
    gold, marks = tmp_path / "g.conll", tmp_path / "d.ann"
    gold.write_text(columns, encoding="utf-8")
    marks.write_text("T1\tPER 0 4\tAnna\nT2\tPER 10 13\ther\nR1\tCoref Arg1:T2 Arg2:T1\n", encoding="utf-8")
    ends: Mapping[Literal["none", "characters"], str] = {
        "none": '(put its text beside it as d.txt; then align="characters" compares by characters)',
        "characters": 'which align="characters" needs (put its text beside it as d.txt)',
    }
    for align, end in ends.items():
        for sides in ((gold, marks), (marks, gold)):
            with pytest.raises(InputError) as caught:
                scorch2.score(*map(str, sides), align=align)
            assert caught.value.why.endswith(end)
    with pytest.raises(InputError, match=r"\(put its text beside it as d.txt\)"):
        write(scorch2.read(str(marks))[0], "brat")
    (tmp_path / "d.txt").write_text("Anna left her", encoding="utf-8")
    assert scorch2.score(str(gold), str(marks), align="characters").scores["muc"].f1 == 1
