"""Output of neural systems is read as they mean it: each source scores like its CoNLL twin.

All files in `fixtures/jsonlines` hold the same three documents; in `<side>.words` only the heads of mentions.
"""

import gzip
import io
import json
import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st
from neural_files import BOTH, CONLL, E2E, FASTCOREF, FOLDER, MAVERICK, SAME, figures, fixture, written

import scorch2
from scorch2.cli.main import main
from scorch2.formats.json.dialects import read_documents
from scorch2.formats.json.texts import JsonPlace
from scorch2.formats.reading import documents, read
from scorch2.model.document import spans
from scorch2.model.errors import InputError, PairingError, ScorchError

READ: dict[str, dict[str, Any]] = json.loads((FOLDER / "read.json").read_text("utf-8"))
REFUSED: dict[str, dict[str, Any]] = json.loads((FOLDER / "refused.json").read_text("utf-8"))
TWINS = {
    "e2e.jsonlines": "conll",
    "wl_coref_spans.jsonlines": "conll",
    "wl_coref_words.jsonlines": "words.conll",
    "fastcoref.jsonlines": "conll",
    "maverick.jsonlines": "conll",
    "crac.json": "conll",
    "spanbert.jsonlines": "conll",
    "clusters_only.jsonlines": "conll",
    "lingmess.jsonlines": "conll",
    "allennlp.jsonlines": "conll",
    "fastcoref_words.jsonlines": "conll",
    "preco.jsonlines": "conll",
    "spacy.jsonlines": "conll",
    "stanza.jsonlines": "conll",
    "corenlp.jsonlines": "conll",
    "elit.jsonlines": "conll",
    "hanlp.jsonlines": "conll",
    "ontonotes.jsonlines": "conll",
    "bare.jsonlines": "conll",
    "map.json": "conll",
}
NAMED = ("spanbert", "clusters_only", "lingmess", "preco", "corenlp", "ontonotes")
TOKENS = [
    *("conll", "e2e.jsonlines", "wl_coref_spans.jsonlines", "maverick.jsonlines", "crac.json"),
    *(f"{source}.jsonlines" for source in NAMED),
]
"""Sources whose mentions are spans of the same tokens."""
SAID = {
    "e2e.jsonlines": "jsonlines (e2e: mentions are [first, last] token)",
    "wl_coref_spans.jsonlines": "jsonlines (wl-coref: mentions are [first, after the last] token)",
    "fastcoref.jsonlines": "jsonlines (fastcoref: mentions are [first, after the last] character)",
    "maverick.jsonlines": "jsonlines (Maverick: mentions are [first, last] token)",
    "crac.json": "jsonlines (Maverick: mentions are [first, last] token)",
    "spanbert.jsonlines": "jsonlines (e2e: mentions are [first, last] sub-token, mapped to words)",
    "fastcoref_words.jsonlines": "jsonlines (fastcoref: mentions are [first, after the last] word)",
    "bare.jsonlines": (
        "jsonlines (lists of clusters: mentions are lists of two integers, whose meaning is not said)"
    ),
}
pytestmark = pytest.mark.usefixtures("folder")

# The sources, and what they hold


def test_every_file_has_its_expectation() -> None:
    sources = {*TWINS, *TWINS.values()}
    files = {f"{side}.{source}" for side in ("gold", "sys") for source in sources}
    assert {path.name for path in FOLDER.iterdir()} == {
        *files,
        *BOTH,
        "both.predictions.jsonlines",
        "gold.names.json",
        "read.json",
        "refused.json",
    }


@pytest.mark.parametrize(("source", "links"), [("conll", (7, 12, 7, 13)), ("words.conll", (8, 12, 8, 13))])
def test_the_twins_say_what_was_counted_by_hand(source: str, links: tuple[int, ...]) -> None:
    found = figures(fixture("gold", source), fixture("sys", source), metrics=["muc"])
    assert tuple(found["counts"]["muc"].values()) == links
    sizes = [(document["gold_mentions"], document["system_mentions"]) for document in found["documents"]]
    assert sizes == [(10, 9), (8, 8), (9, 9)]


@every("name", READ)
def test_documents_are_read_as_their_source_means_them(name: str) -> None:
    documents = read(written("d.jsonlines", *READ[name]["lines"]))
    found = [
        {
            "id": document.id,
            "sentences": list(document.sentences or ()),
            "clusters": [[list(span) for span in spans(members)] for members in document.clusters.values()],
        }
        for document in documents
    ]
    assert found == READ[name]["documents"]
    assert {document.format for document in documents} == {"jsonlines"}


@every("source", TWINS)
def test_the_words_are_kept(source: str) -> None:
    twins = read(fixture("gold", TWINS[source]))
    words = [document.words() if document.words else None for document in read(fixture("gold", source))]
    has_words = not source.startswith(("fastcoref.", "clusters_only", "spacy", "bare", "map"))
    expected = [twin.words and twin.words() if has_words else None for twin in twins]
    assert words == expected


@given(lengths=st.lists(st.integers(1, 4), min_size=1, max_size=4), data=st.data())
def test_all_sources_mean_the_same_by_their_own_offsets(lengths: list[int], data: st.DataObject) -> None:
    size = sum(lengths)
    span = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).map(sorted)
    inside = data.draw(st.lists(st.lists(span, max_size=4), max_size=3))
    after = [[[first, last + 1] for first, last in cluster] for cluster in inside]
    characters = [[[2 * first, 2 * last + 1] for first, last in cluster] for cluster in inside]
    words = ["w"] * size
    objects: list[Mapping[str, Any]] = [
        {"doc_key": "k", "sentences": [["w"] * length for length in lengths], "clusters": inside},
        {"document_id": "k", "cased_words": words, "span_clusters": after},
        {"tokens": words, "clusters_token_offsets": inside},
        {"text": " ".join(words), "clusters": characters},
    ]
    found = [read_documents(value, JsonPlace("", "$", ""))[0].clusters.values() for value in objects]
    expected = [[(start, end) for start, end in cluster] for cluster in after]
    assert [list(clusters) for clusters in found[:3]] == [expected] * 3
    assert list(found[3]) == [[(2 * start, 2 * end - 1) for start, end in cluster] for cluster in expected]


# Scores


@every("source", TWINS)
@every("average", ["mentions", "pooled", "macro"])
def test_a_source_scores_like_its_twin(source: str, average: str) -> None:
    expected = figures(fixture("gold", TWINS[source]), fixture("sys", TWINS[source]), average=average)
    assert figures(fixture("gold", source), fixture("sys", source), average=average) == expected


@every(("gold", "system"), list(permutations(TOKENS, 2)))
def test_token_spans_meet_whatever_the_source(gold: str, system: str) -> None:
    expected = figures(fixture("gold", "conll"), fixture("sys", "conll"))
    assert figures(fixture("gold", gold), fixture("sys", system)) == expected


@pytest.mark.parametrize(("gold", "system"), list(permutations(["words.conll", "wl_coref_words.jsonlines"])))
def test_single_tokens_meet_mentions_of_one_token(gold: str, system: str) -> None:
    expected = figures(fixture("gold", "words.conll"), fixture("sys", "words.conll"))
    assert figures(fixture("gold", gold), fixture("sys", system)) == expected


def test_single_tokens_against_longer_mentions_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([fixture("gold", "conll"), fixture("sys", "wl_coref_words.jsonlines")]) == 0
    assert "mentions are single tokens (word_clusters)" in capsys.readouterr().err


def test_documents_pair_by_name_and_part_in_any_order() -> None:
    lines = Path(fixture("sys", "e2e.jsonlines")).read_text("utf-8").splitlines()
    expected = figures(fixture("gold", "conll"), fixture("sys", "conll"))
    assert figures(fixture("gold", "conll"), written("s.jsonlines", *reversed(lines))) == expected


def test_a_part_that_the_system_lacks_is_named() -> None:
    lines = Path(fixture("sys", "e2e.jsonlines")).read_text("utf-8").splitlines()
    with pytest.raises(PairingError, match=r"no system document for 1 gold document: wire/letter_0002-003 "):
        scorch2.score(fixture("gold", "conll"), written("s.jsonlines", *lines[:2]))


def test_a_folder_of_documents_pairs_by_file_name() -> None:
    for side, source in (("gold", "conll"), ("sys", "e2e.jsonlines")):
        Path(side).mkdir()
        Path(side, f"all.{source.rpartition('.')[2]}").write_bytes(Path(fixture(side, source)).read_bytes())
    assert figures("gold", "sys") == figures(fixture("gold", "conll"), fixture("sys", "conll"))


def test_documents_without_names_pair_by_number() -> None:
    gold = written("g.jsonlines", MAVERICK, {**MAVERICK, "clusters_token_offsets": []})
    system = written("s.jsonlines", MAVERICK, MAVERICK)
    ids = [(each["id"], each["gold_mentions"]) for each in scorch2.score(gold, system).to_dict()["documents"]]
    assert ids == [("1", 3), ("2", 0)]


# What --verbose says


@pytest.mark.parametrize("source", SAID)
def test_verbose_names_the_convention(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-v", fixture("gold", source), fixture("sys", source)]) == 0
    said = capsys.readouterr().err
    assert f"scorch2: read 3 documents: gold {SAID[source]}, " in said
    assert f", system {SAID[source]}" in said


def test_verbose_does_not_call_single_tokens_spans(capsys: pytest.CaptureFixture[str]) -> None:
    source = "wl_coref_words.jsonlines"
    assert main(["-v", fixture("gold", "words.conll"), fixture("sys", source)]) == 0
    said = capsys.readouterr().err
    assert "gold conll, system jsonlines (wl-coref: " in said
    assert "after the last" not in said


# What is refused


def test_what_an_object_lacks_is_named() -> None:
    lacks = "for jsonlines of e2e it lacks clusters or predicted_clusters; no key holds clusters"
    with pytest.raises(InputError, match=lacks):
        scorch2.read(written("x.json", {"doc_key": "d", "sentences": [["a"]]}))
    with pytest.raises(InputError, match=r"known types: clusters, graph\); it has clusters$"):
        scorch2.read(written("x.json", {"clusters": {"a": ["b"]}}))


@every("name", REFUSED)
def test_what_no_source_writes_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(InputError) as caught:
        read(written("d.jsonlines", *REFUSED[name]["lines"]))
    assert str(caught.value).startswith(f"d.jsonlines: {REFUSED[name]['message']}")


MEANT = "an empty list"
"""What is refused only because nothing says that it is a document."""


@every("name", [name for name in REFUSED if "with a type" not in name and name != MEANT])
def test_naming_the_format_does_not_soften_it(name: str) -> None:
    with pytest.raises(InputError):
        read(written("d.jsonlines", *REFUSED[name]["lines"]), "jsonlines")


@pytest.mark.parametrize("number", [1, 2])
def test_a_type_is_a_key_like_others_once_the_format_is_named(number: int) -> None:
    values = [{"type": "news", "id": str(i), **MAVERICK} for i in range(number)]
    assert len(read(written("d.jsonlines", *values), "jsonlines")) == number


@pytest.mark.parametrize("first", ["5", "null", "true", '"type"', "[]", "{}"])
def test_several_values_of_another_kind_are_refused(first: str) -> None:
    with pytest.raises(InputError, match=r"^d\.json: "):
        read(written("d.json", first, "{}"))


def test_a_deep_line_is_refused() -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        read(written("d.jsonlines", FASTCOREF, "[" * 200_000))


@pytest.mark.parametrize("head", [True, 0.0, "0", None, [0, 0], 2, -1])
def test_a_single_token_is_shown_as_it_is_written(head: object) -> None:
    value = {"document_id": "k", "cased_words": ["a", "b"], "word_clusters": [[0, head]]}
    with pytest.raises(InputError) as caught:
        read(written("d.jsonlines", value))
    assert caught.value.where == "$.word_clusters[0][1]"
    assert "two integers" not in caught.value.why
    assert f"[{head}, {head}]" not in caught.value.why


def test_a_mention_in_two_clusters_is_shown_in_the_units_of_its_source() -> None:
    value = {"text": "ab cd", "clusters": [[[3, 5]], [[3, 5]]]}
    with pytest.raises(InputError, match=r'mention \[3, 5\] \("cd"\) is already in cluster "0"'):
        scorch2.score(written("d.jsonlines", value), "d.jsonlines")


# Sides that do not fit

NO_OFFER = ' (align="text" compares a copy that has other words; the texts differ at character '
OFFER = ' (the text is the same: align="characters" compares by its characters)'


def refusal(gold: str, system: str) -> str:
    with pytest.raises(ScorchError) as caught:
        scorch2.score(gold, system)
    return str(caught.value)


def test_characters_do_not_meet_tokens() -> None:
    gold, system = written("g.jsonlines", E2E), written("s.jsonlines", FASTCOREF)
    assert refusal(gold, system) == (
        's.jsonlines: mentions of "s" are spans of characters, but in gold (g.jsonlines) of tokens' + OFFER
    )
    assert refusal(system, gold) == (
        'g.jsonlines: mentions of "k" are spans of tokens, but in gold (s.jsonlines) of characters' + OFFER
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["a", "b", "c", "d", "e"], '5 tokens in "s", but 4 in gold (g); token 4 is "e", in gold missing'),
        (["a", "b", "c"], '3 tokens in "s", but 4 in gold (g); token 3 is missing, in gold "d"'),
        (["a", "bc", "d"], '3 tokens in "s", but 4 in gold (g); token 1 is "bc", in gold "b"'),
        ([], '0 tokens in "s", but 4 in gold (g); token 0 is missing, in gold "a"'),
    ],
)
@pytest.mark.parametrize("gold", [CONLL, E2E])
def test_other_numbers_of_tokens_name_the_first_that_differs(
    gold: object, words: Sequence[str], why: str
) -> None:
    system = written("s.jsonlines", {"tokens": words, "clusters_token_offsets": []})
    offer = OFFER if "".join(words) == "abcd" else NO_OFFER
    assert refusal(written("g", gold), system).startswith(
        f"s.jsonlines: {why}: the two sides must have the same tokens{offer}"
    )


def test_words_that_cannot_be_told_do_not_hide_the_numbers_of_tokens() -> None:
    gold = written("g.conll", CONLL.replace("\t", "\tx\ty\t"))  # four columns: which is the word?
    system = written("s.jsonlines", {"tokens": ["a"], "clusters_token_offsets": []})
    assert refusal(gold, system) == (
        's.jsonlines: 1 token in "s", but 4 in gold (g.conll): the two sides must have the same tokens'
    )


def test_words_may_differ_where_their_number_does_not() -> None:
    system = written("s.jsonlines", {**MAVERICK, "tokens": ["A", "-LRB-", "c", ""]})
    assert scorch2.score(written("g.conll", CONLL), system).lea.f1 == 1


def test_texts_of_other_lengths_are_refused() -> None:
    gold, system = written("g.jsonlines", FASTCOREF), written("s.jsonlines", {"text": "a b", "clusters": []})
    assert refusal(gold, system) == (
        's.jsonlines: 3 characters in "s", but 7 in gold (g.jsonlines): '
        'the two sides must have the same characters (align="text" compares a copy that has other words; '
        "the texts differ at "
        'character 2, whitespace not counted: "a b" and the end, in gold "a b c d")'
    )


# Against JSON that has no tokens


@every(("gold", "system"), list(permutations(SAME, 2)))
def test_spans_meet_the_names_that_the_converter_gives_them(gold: str, system: str) -> None:
    report = scorch2.score(written(f"g.{gold}", SAME[gold]), written(f"s.{system}", SAME[system]))
    assert report.lea.recall == report.lea.precision == 1


def test_the_names_are_sentence_and_tokens() -> None:
    expected = json.loads(Path(fixture("gold", "names.json")).read_text("utf-8"))
    for number, ident in enumerate(expected):
        line = Path(fixture("gold", "e2e.jsonlines")).read_text("utf-8").splitlines()[number]
        gold = {"type": "clusters", "clusters": {str(i): names for i, names in enumerate(expected[ident])}}
        report = scorch2.score(written("g.json", gold), written("s.jsonlines", line))
        assert report.b_cubed.f1 == 1


def test_names_by_sentence_do_not_silently_miss_tokens_without_sentences() -> None:
    gold, system = written("g.json", SAME["clusters"]), written("s.jsonlines", MAVERICK)
    assert "sentence" in refusal(gold, system)


@pytest.mark.parametrize(
    ("key", "clusters"), [("span_clusters", [[[0, 2], [2, 3]]]), ("word_clusters", [[1, 2]])]
)
def test_wl_coref_has_names_where_it_says_which_sentence(key: str, clusters: object) -> None:
    first = "0.0-1" if key == "span_clusters" else "0.1-1"
    gold = written("g.json", {"type": "clusters", "clusters": {"x": [first, "1.0-0"]}})
    value = {"document_id": "k", "cased_words": ["a", "b", "c"], key: clusters}
    assert "no sentences" in refusal(gold, written("s.jsonlines", value))
    assert scorch2.score(gold, written("s.jsonlines", {**value, "sent_id": [4, 4, 5]})).lea.f1 == 1


@pytest.mark.parametrize("value", [[[[0, 0], [2, 3]]], {"k": [[[0, 0], [2, 3]]]}])
def test_lists_that_do_not_say_what_they_mean_meet_no_spans(value: object) -> None:
    gold, system = written("g.conll", CONLL), written("s.json", value)
    assert refusal(gold, system) == (
        "s.json: mentions are lists such as [0, 0], and spans in g.conll (write clusters JSON, which says "
        'what they mean: "offsets": "inclusive" or "exclusive", and "unit": "token" or "char"; '
        'or type sys_offsets="inclusive" or "exclusive")'
    )


def test_lists_meet_lists_of_clusters_json() -> None:
    same = {"type": "clusters", "clusters": {"a": [[0, 0], [2, 3]]}}
    assert scorch2.score(written("g", same), written("s", [[[0, 0], [2, 3]]])).lea.f1 == 1


# Packed with gzip


@every("name", SAME)
@every("file", ["d.gz", "d.x.gz", "d"])
def test_any_format_may_be_packed(name: str, file: str) -> None:
    Path(file).write_bytes(gzip.compress(SAME[name].encode()))
    assert figures(file, file) == figures(written("plain", SAME[name]), "plain")


def test_packed_lines_are_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(json.dumps(FASTCOREF).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    (document,) = read("-")
    assert document.id == "stdin"


def test_the_parts_of_a_packed_file_are_one_file() -> None:
    lines = Path(fixture("gold", "e2e.jsonlines")).read_bytes().splitlines(keepends=True)
    Path("d.jsonlines.gz").write_bytes(b"".join(map(gzip.compress, lines)))
    assert figures("d.jsonlines.gz", "d.jsonlines.gz") == figures(*[fixture("gold", "e2e.jsonlines")] * 2)


def test_a_place_in_a_packed_file_is_one_of_its_content() -> None:
    name, lines = "NaN in line 2", REFUSED["NaN in line 2"]["lines"]
    Path("d.jsonlines.gz").write_bytes(gzip.compress(Path(written("d", *lines)).read_bytes()))
    with pytest.raises(InputError, match=rf"^d\.jsonlines\.gz: {re.escape(REFUSED[name]['message'])}"):
        read("d.jsonlines.gz")


@every("name", SAME)
@every("damage", ["truncated", "trailing garbage", "a wrong sum"])
def test_a_broken_packed_file_is_refused(name: str, damage: str) -> None:
    data = gzip.compress(SAME[name].encode())
    broken = {
        "truncated": data[:-9],
        "trailing garbage": data + b"garbage",
        "a wrong sum": data[:-8] + bytes(4) + data[-4:],
    }
    Path("d.gz").write_bytes(broken[damage])
    with pytest.raises(InputError, match=r"^d\.gz: broken gzip data"):
        read("d.gz")


def test_a_packed_file_of_nothing_is_empty() -> None:
    Path("d.jsonlines.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(InputError, match=r"^d\.jsonlines\.gz: the file is empty"):
        read("d.jsonlines.gz")


HUGE = 10**300
SUBTOKENS = {"doc_key": "d", "sentences": [["[CLS]", "a", "[SEP]"]], "clusters": []}


@every(
    "value",
    [
        {"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, HUGE]]]},
        {"doc_key": "d", "sentences": [["a"]], "clusters": [[[HUGE, 0]]]},
        {"doc_key": "d", "clusters": [[[-HUGE, 0]]]},
        {"cased_words": ["a"], "document_id": "d", "word_clusters": [[HUGE]]},
        {"sentences": [["a"]], "mention_clusters": [[[HUGE, 0, 1]]]},
        {"text": "a", "clusters": [[[0, HUGE]]]},
        {**SUBTOKENS, "subtoken_map": [HUGE, 0, 0]},
        {**SUBTOKENS, "subtoken_map": [0, 0, HUGE]},
        {**SUBTOKENS, "subtoken_map": [0, 0, HUGE], "tokens": ["a"]},
        {"text": "a", "tokens": [], "spans": {"coref_clusters_1": [{"start": 0, "end": HUGE}]}},
        {
            "sentences": [{"tokens": [{"word": "a"}]}],
            "corefs": {"1": [{"sentNum": HUGE, "startIndex": 1, "endIndex": 2}]},
        },
        {
            "sentences": [{"tokens": [{"word": "a"}]}],
            "corefs": {"1": [{"sentNum": 1, "startIndex": HUGE, "endIndex": HUGE}]},
        },
        [[{"id": 1, "text": "a", "coref_chains": [{"index": HUGE, "is_start": True, "is_end": False}]}]],
        [[{"id": 1, "text": "a", "coref_chains": [{"index": HUGE, "is_start": False, "is_end": False}]}]],
    ],
)
def test_huge_numbers_are_cut_in_messages(value: object) -> None:
    with pytest.raises(InputError) as caught:
        documents(json.dumps(value).encode(), "d.json")
    assert "…" in caught.value.why
    assert len(caught.value.why) < 300
