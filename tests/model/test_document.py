"""Documents: the names of spans, what mentions denote, words."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.model.document import Document, Words
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import annotations, mention_names, named_clusters, span_names


@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=6), data=st.data())
def test_a_name_says_where_a_span_is(lengths: Sequence[int], data: st.DataObject) -> None:
    """Numbers of sentences and tokens are put back together: an independent way to the same span."""
    total = sum(lengths)
    start = data.draw(st.integers(0, total - 1))
    end = data.draw(st.integers(start + 1, total))
    (name,) = span_names(Document("d", {"a": [(start, end)]}, sentences=lengths)).values()
    starts = [0, *accumulate(lengths)]
    first, last = (place.split(".") for place in name.split("-"))
    sentence = last[0] if len(last) == 2 else first[0]
    found = (starts[int(first[0])] + int(first[1]), starts[int(sentence)] + int(last[-1]) + 1)
    assert found == (start, end), f"{name} does not lead back to tokens {start} to {end}"
    assert (len(last) == 2) == (first[0] != sentence), f"{name} names one sentence twice"
    assert int(first[1]) < lengths[int(first[0])], f"{name}: sentence {first[0]} is shorter"
    assert int(last[-1]) < lengths[int(sentence)], f"{name}: sentence {sentence} is shorter"


def test_clusters_without_tokens_keep_their_ids() -> None:
    assert named_clusters(Document("d", {"a": ("m1", "m2")})) == {"a": ["m1", "m2"]}
    characters = Document("d", {"a": [(0, 4)]}, sentences=[9], unit="char")
    assert named_clusters(characters) == {"a": [(0, 4)]}
    assert named_clusters(characters._replace(unit="token")) == {"a": ["0.0-3"]}


def test_clusters_of_spans_denote_what_the_knowledge_base_lacks() -> None:
    document = Document("d", {"c": [(4, 6), (0, 1)], "NIL7": [(0, 3)]}, sentences=[9])
    assert annotations(document) == [
        Annotation(0, 3, (Candidate("NIL7"),)),
        Annotation(0, 1, (Candidate("NILc:d"),)),
        Annotation(4, 6, (Candidate("NILc:d"),)),
    ]
    assert annotations(Document("d", {"c": ["m"]})) is None
    assert annotations(Document("d", {"c": []})) == ()


def test_words_are_equal_if_they_come_from_the_same_place() -> None:
    one, same, other = Words(str.split, "a b"), Words(str.split, "a b"), Words(str.split, "a c")
    assert one() == ["a", "b"]
    assert (one == same, one == other, one == "a b") == (True, False, False)
    assert len({one, same, other}) == 2
    assert repr(one) == "Words(...)"


def test_words_that_are_kept_are_extracted_once_and_are_still_rows() -> None:
    read: list[str] = []

    class Rows(Words):
        __slots__ = ()

    def extract(text: str) -> list[str]:
        read.append(text)
        return text.split()

    words = Rows(extract, "a b")
    assert words() == words() == ["a", "b"]
    kept = words.once()
    assert (len(read), type(kept)) == (2, Rows), "nothing is read before it is needed"
    assert kept() == kept() == ["a", "b"]
    assert len(read) == 3
    assert words() == ["a", "b"]
    assert len(read) == 4, "the words themselves keep nothing"


@pytest.mark.parametrize(
    ("words", "span", "shown"),
    [
        (["李明", "去", "北京", "大学", "。"], (0, 3), "李明去北京"),
        (["李明", "saw", "Bo", "去", "了"], (1, 4), "saw Bo去"),
        (["He", "saw", "李明"], (1, 3), "saw 李明"),
    ],
)
def test_messages_join_words_as_their_script_does(
    words: list[str], span: tuple[int, int], shown: str
) -> None:
    document = Document("d", {"a": [span]}, sentences=[len(words)], words=Words(list, words))
    assert mention_names(document)(span).endswith(f'("{shown}")')


def test_messages_join_words_as_the_file_says(tmp_path: Path) -> None:
    rows = [
        ("1", "[", "Entity=(1|SpaceAfter=No"),
        ("2", "5", "SpaceAfter=No"),
        ("3", "]", "Entity=1)"),
        ("4", "he", "_"),
    ]
    lines = [f"{n}\t{word}" + "\t_" * 7 + f"\t{misc}" for n, word, misc in rows]
    (tmp_path / "d.conllu").write_text(
        "\n".join(["# newdoc id = d", "# global.Entity = eid", *lines, "", ""])
    )
    (document,) = scorch2.read(tmp_path / "d.conllu")
    ((mention,),) = document.clusters.values()
    assert mention_names(document)(mention).endswith('("[5]")')
