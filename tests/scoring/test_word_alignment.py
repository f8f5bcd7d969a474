"""The words of a copy: a shortest edit, beside a slow model of it and beside edits that are known."""

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from scorch2.scoring.matching import word_alignment
from scorch2.scoring.matching.word_alignment import TooDifferentError, align_words, equal_blocks


def length_of_longest_common(here: Sequence[object], there: Sequence[object]) -> int:
    """Return it by the table of all pairs of places."""
    row = [0] * (len(there) + 1)
    for word in here:
        before, row = row, [0]
        for place, other in enumerate(there):
            row.append(before[place] + 1 if word == other else max(row[-1], before[place + 1]))
    return row[-1]


def edited(words: Sequence[str], chance: random.Random, number: int) -> list[str]:
    """Return words with some deleted, replaced and inserted."""
    copy = list(words)
    for _ in range(number):
        place = chance.randrange(len(copy) + 1)
        what = chance.choice(("delete", "replace", "insert"))
        if what == "insert":
            copy.insert(place, str(chance.randrange(30)))
        elif place < len(copy):
            copy[place : place + 1] = [] if what == "delete" else [str(chance.randrange(30))]
    return copy


def pairs_of_texts(number: int) -> list[tuple[list[str], list[str]]]:
    chance = random.Random(26)  # noqa: S311 - no secret
    pairs = []
    for _ in range(number):
        kinds = chance.choice((2, 4, 30))
        here = [str(chance.randrange(kinds)) for _ in range(chance.randrange(25))]
        other = [str(chance.randrange(kinds)) for _ in range(chance.randrange(25))]
        pairs.append((here, edited(here, chance, 4) if chance.random() < 0.7 else other))
    return pairs


@pytest.mark.parametrize("at_once", [1 << 28, 8], ids=["at once", "in halves"])
def test_as_many_words_as_possible_keep_their_order(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_alignment, "_AT_ONCE", at_once)
    monkeypatch.setattr(word_alignment, "_WINDOW", 50)
    for here, there in pairs_of_texts(600):
        blocks = equal_blocks(here, there)
        assert sum(size for _, _, size in blocks) == length_of_longest_common(here, there), (here, there)
        for first, start, size in blocks:
            assert here[first : first + size] == there[start : start + size]
        ends = [(first + size, start + size) for first, start, size in blocks]
        begins = [(first, start) for first, start, _ in blocks]
        for (end, stop), (first, start) in zip(ends, begins[1:], strict=False):
            assert end <= first
            assert stop <= start
            assert (end, stop) != (first, start), "blocks that meet are one"


def test_words_in_a_row_that_both_texts_have_once_hold_long_texts_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(word_alignment, "_AT_ONCE", 50)
    chance = random.Random(5)  # noqa: S311 - no secret
    original = [f"w{number}" for number in range(400)]
    copy = [word for word in original if chance.random() > 0.02]
    copy[100:100] = ["new"] * 7
    found = align_words(original, copy)
    kept = set(copy)
    assert [word for word, equal in zip(original, found.equal, strict=True) if equal] == [
        word for word in original if word in kept
    ]
    assert found.inserted == 7


def test_a_text_that_is_cut_ends_where_it_is_cut() -> None:
    """Whatever else was changed, and though its last words stand behind the cut, too."""
    chance = random.Random(4)  # noqa: S311 - no secret
    frequent = ["the", "a", "of", "and", "to", "in", "he", "it", "was", "that", "on", "."]
    for _ in range(30):
        words = [chance.choice(frequent) if chance.random() < 0.7 else f"w{i}" for i in range(600)]
        words[-1] = words[299] = "."
        copy = [*(word for word in words[:290] if chance.random() > 0.03), *words[290:300]]
        found = align_words(words, copy)
        assert found.originals[-10:] == [(place, place + 1) for place in range(290, 300)]
        assert sum(found.equal) == len(copy)


@pytest.mark.parametrize(
    ("original", "copy", "stands_for", "counts"),
    [
        ("a b c", "a b c", [(0, 1), (1, 2), (2, 3)], (0, 0, 0)),
        ("a b c", "a c", [(0, 1), (2, 3)], (0, 1, 0)),
        ("a c", "a b c", [(0, 1), None, (1, 2)], (0, 0, 1)),
        ("a b c", "a x c", [(0, 1), (1, 2), (2, 3)], (1, 0, 0)),
        ("a b c d", "a x y d", [(0, 1), (1, 2), (2, 3), (3, 4)], (2, 0, 0)),
        ("the ice cream melts", "the icecream melts", [(0, 1), (1, 3), (3, 4)], (2, 0, 0)),
        ("we cannot go", "we can not go", [(0, 1), (1, 2), (1, 2), (2, 3)], (1, 0, 0)),
        ("the Old man", "Here: the old man", [None, (0, 1), (1, 2), (2, 3)], (1, 0, 1)),
        ("a b c", "", [], (0, 3, 0)),
        ("", "a b", [None, None], (0, 0, 2)),
        ("they sleep", "xylophones", [None], (0, 2, 1)),
        ("a b a c . d a .", "b a c .", [(1, 2), (2, 3), (3, 4), (4, 5)], (0, 4, 0)),
        ("a b a c . d a .", "b a x .", [(1, 2), (2, 3), (3, 4), (4, 5)], (1, 4, 0)),
        (". a . b c d", ". b c d", [(2, 3), (3, 4), (4, 5), (5, 6)], (0, 2, 0)),
    ],
    ids=str,
)
def test_other_words_stand_for_words_one_by_one_or_by_letters(
    original: str, copy: str, stands_for: list[tuple[int, int] | None], counts: tuple[int, int, int]
) -> None:
    found = align_words(original.split(), copy.split())
    assert (list(found.originals), (found.changed, found.deleted, found.inserted)) == (stands_for, counts)


def test_texts_without_anything_in_order_are_refused_when_they_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(word_alignment, "_AT_ONCE", 50)
    monkeypatch.setattr(word_alignment, "_MOST_PAIRS", 5_000)
    words = [str(number) for number in range(100)]
    with pytest.raises(TooDifferentError):
        align_words(words, words[::-1])


class Read(list[int]):
    """Words that count how often one of them is read."""

    times = 0

    def __getitem__(self, place: Any) -> Any:
        self.times += 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[int]:
        for word in super().__iter__():
            self.times += 1
            yield word


def test_a_place_in_a_long_text_is_compared_without_the_words_before_it() -> None:
    """A text has a sure place every few words: to walk to each of them from the start is quadratic."""
    here, there = Read(range(10_000)), Read(range(10_000))
    found = word_alignment._common(here, there, 9_990, 9_990)  # noqa: SLF001 - its work, which nothing shows
    assert found == 10
    assert here.times + there.times <= 22


@pytest.mark.parametrize("stretch", [1, 3, 7])
def test_a_text_in_stretches_is_aligned_as_one(stretch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_alignment, "_AT_ONCE", 1)
    monkeypatch.setattr(word_alignment, "_STRETCH", stretch)
    chance = random.Random(stretch)  # noqa: S311 - no secret
    for number in range(60):
        here, there = ([chance.randrange(2 + number % 9) for _ in range(20)] for _ in range(2))
        found = word_alignment._in_halves(here, there)  # noqa: SLF001 - without what is cheaper
        assert [here[i] for i, _, _ in found] == [there[j] for _, j, _ in found]
        assert len(found) == length_of_longest_common(here, there)


_SHUFFLED = """
import random, resource, sys
from scorch2.scoring.matching.word_alignment import equal_blocks
words = [f"w{number}" for number in range(50_000)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
equal_blocks(words, random.Random(1).sample(words, len(words)))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(peak // (1024 if sys.platform == "darwin" else 1))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource usage")
def test_the_words_of_a_text_may_all_be_different() -> None:
    """With a row of bits for each word, 50 000 took 190 MB, and 131 000 took 1.2 GB."""
    done = subprocess.run([sys.executable, "-c", _SHUFFLED], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60 * 1024
