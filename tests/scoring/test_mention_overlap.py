"""The words in common of the best pairs of mentions, against a model that tries every alignment."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest
from effort import assert_in_proportion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scorch2
from scorch2.model import memory
from scorch2.model.markables import Run, joined_runs
from scorch2.scoring.matching.partners import overlaps

_LENGTH = 6
Span = tuple[int, int]
"""First and last word."""
_SPANS = st.lists(
    st.tuples(st.integers(0, _LENGTH - 1), st.integers(0, _LENGTH - 1)).map(sorted).map(tuple),
    max_size=4,
    unique=True,
)
_WORDS = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=5).map(sorted), max_size=5)


def best_by_trial(gold: Sequence[Span], system: Sequence[Span]) -> int:
    """Return the largest sum of shared words of all one-to-one alignments."""
    words = [[set(range(first, last + 1)) for first, last in side] for side in (gold, system)]
    short, long = sorted(words, key=len)
    return max(
        sum(len(one & other) for one, other in zip(short, others, strict=True))
        for others in itertools.permutations(long, len(short))
    )


def runs(mentions: Sequence[Sequence[int]]) -> list[Sequence[Run]]:
    return [joined_runs((0, word, word) for word in words) for words in mentions]


def written(path: Path, mentions: Sequence[Span]) -> Path:
    clusters = [[span] for span in mentions]
    words = [["w"] * _LENGTH]
    path.write_text(json.dumps({"doc_key": "d", "sentences": words, "clusters": clusters}) + "\n", "utf-8")
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=_SPANS, system=_SPANS)
def test_the_best_alignment_of_all_counts(gold: list[Span], system: list[Span], tmp_path: Path) -> None:
    paths = written(tmp_path / "gold.jsonlines", gold), written(tmp_path / "sys.jsonlines", system)
    tally = scorch2.score(*paths, metrics=["mention_overlap"]).tallies("mention_overlap")[""]
    sizes = [sum(last - first + 1 for first, last in side) for side in (gold, system)]
    best = best_by_trial(gold, system)
    assert tuple(tally) == (best, sizes[0], best, sizes[1])


@given(gold=_WORDS, system=_WORDS)
def test_pairs_that_share_words_are_found_with_their_number(
    gold: list[list[int]], system: list[list[int]]
) -> None:
    assert sorted(overlaps(runs(gold), runs(system))) == [
        (row, column, len(shared))
        for row, one in enumerate(gold)
        for column, other in enumerate(system)
        if (shared := set(one) & set(other))
    ]


def test_mentions_inside_a_gap_are_no_work() -> None:
    """Some of gold are around all others, but have no word in common with them."""

    def run(number: int) -> None:
        small = [(n + 1,) for n in range(number)]
        around = [(0, 10_000 + n) for n in range(number)]
        assert len(overlaps(runs([*small, *around]), runs([*small, (0,), (10_000,)]))) == 2 * number + 1

    assert_in_proportion(run, 100)


def test_so_many_pairs_that_there_is_no_room_are_an_error(tmp_path: Path) -> None:
    gold = written(tmp_path / "gold.jsonlines", [(0, 5), (0, 4)])
    system = written(tmp_path / "sys.jsonlines", [(1, 5), (1, 4)])
    with mock.patch.object(memory, "_MOST_KEPT", 3), mock.patch.object(memory, "_MOST_EACH", 0):
        assert scorch2.score(gold, gold, metrics=["mention_overlap"]).mention_overlap.f1 == 1
        with pytest.raises(scorch2.InputError, match=r'too many pairs of .* "d" overlap .* other metrics'):
            scorch2.score(gold, system, metrics=["mention_overlap"])
