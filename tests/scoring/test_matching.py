"""Before anything is counted: one kind of mention ids, each in one cluster, the singletons asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from partition_pairs import ANY, Pair, mentions_of

import scorch2
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError, Notice
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.options import OPTIONS, options_from
from scorch2.scoring.contingency import Partition
from scorch2.scoring.flow import count_all, score_pair
from scorch2.scoring.matching.steps import match
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.pairing.files import Pair as FilePair

OFFER = "(--duplicates=first keeps the first cluster, --duplicates=merge joins them)"


def document(path: str, clusters: Mapping[str, Sequence[Any]]) -> Document:
    """Return what a reader makes of a JSON file at `path`."""
    return Document("d", clusters, path)


def conll(folder: Path, name: str, *cells: str) -> Document:
    """Return what a reader makes of a CoNLL file with these cells; an empty one is a sentence break."""
    rows = [f"w\t{cell}" if cell else "" for cell in cells]
    (folder / name).write_text("\n".join(["#begin document (d);", *rows, "#end document"]), encoding="utf-8")
    (found,) = read(name)
    return found


pytestmark = pytest.mark.usefixtures("folder")


def matched(
    gold: Mapping[str, Sequence[Any]], system: Mapping[str, Sequence[Any]], **chosen: str
) -> tuple[list[str], list[str]]:
    found = match("d", document("g.json", gold), document("s.json", system), options_from(**chosen))
    return shown(found.gold), shown(found.system)


def shown(partition: Partition) -> list[str]:
    """Return the clusters, each as its members in a row; the sizes must agree with them."""
    clusters: list[list[str]] = [[] for _ in partition.sizes]
    for mention, number in partition.owner.items():
        clusters[number].append(str(mention))
    assert [len(cluster) for cluster in clusters] == list(partition.sizes)
    assert all(clusters)
    return ["".join(sorted(cluster)) for cluster in clusters]


def refusal(gold: Document, system: Document, **chosen: str) -> str:
    with pytest.raises(InputError) as caught:
        match("d", gold, system, options_from(**chosen))
    return str(caught.value)


def kinds_refusal(gold: Iterable[Any], system: Iterable[Any]) -> str:
    return refusal(document("g.json", {"a": [*gold]}), document("s.json", {"a": [*system]}))


# Kinds of mention ids


def test_mentions_of_different_kinds_are_refused() -> None:
    assert kinds_refusal([1, 2], ["1", "2"]) == (
        's.json: mention ids are strings such as "1", but in gold integers such as 1 '
        "(100 % of them would match if all were strings)"
    )
    assert kinds_refusal(["0-1"], [(0, 1)]) == (
        's.json: mention ids are lists of integers such as [0, 1], but in gold strings such as "0-1"'
    )


def test_mentions_of_different_kinds_on_one_side_are_refused() -> None:
    for ids, shown_ids in ([1, "2", 3], {"1", '"2"'}), ([(1, 2), 1], {"[1, 2]", "1"}):
        for message in kinds_refusal(ids, [1]), kinds_refusal([1], ids):
            where, _, examples = message.partition(": mention ids of different kinds: ")
            assert where in ("g.json", "s.json")
            assert set(examples.split(" and ")) == shown_ids


def test_they_are_refused_even_against_an_empty_answer() -> None:
    gold = document("g.json", {"a": [1, "1"]})
    with pytest.raises(InputError, match="different kinds"):
        match("d", gold, Document("d", {}), options_from(missing="empty"))


@pytest.mark.parametrize("mentions", [["1", "b"], [1, -2], [(0, 1), (5,)]])
def test_one_kind_will_do_and_no_mention_has_none(mentions: list[Any]) -> None:
    assert matched({"a": mentions}, {"x": mentions})[0] == matched({"a": mentions}, {"x": mentions})[1]
    assert matched({"a": mentions}, {"x": []})[1] == []
    assert matched({}, {"x": mentions})[0] == []


def test_library_callers_may_mix_kinds() -> None:
    gold = Document("gold", {"a": [1, "1", (2, 3), frozenset({4})]})
    found = match("d", gold, Document("system", {"x": ["1"], "y": [1]}), options_from())
    assert list(found.gold.sizes) == [4]
    assert set(found.system.owner) <= set(found.gold.owner)


# Token spans


def test_conll_meets_its_conversion(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1", "1)|(2)", "-", "", "(2)", "(3", "", "3)")
    main(["conll2json", "-q", "g.conll"])
    (system,) = read("d.json")
    found = match("d", gold, system, options_from())
    assert found.gold == found.system
    assert set(found.gold.owner) == {"0.0-1", "0.1-1", "1.0-0", "1.1-2.0"}


def test_sentence_breaks_do_not_matter_between_conll_files(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1", "1)", "", "(1)", "(2", "2)")
    system = conll(folder, "s.conll", "(1", "", "1)", "(1)", "", "(2", "2)")
    found = match("d", gold, system, options_from())
    assert found.gold == found.system


def test_different_numbers_of_tokens_are_refused(folder: Path) -> None:
    gold, system = conll(folder, "g.conll", "(1)", "-", "-"), conll(folder, "s.conll", "(1)", "-")
    assert refusal(gold, system) == (
        's.conll: 2 tokens in "d", but 3 in gold (g.conll); token 2 is missing, in gold "w": '
        "the two sides must have the same tokens (--align=text compares a copy that has other words; "
        "the texts differ "
        'at character 2, whitespace not counted: "w w" and the end, in gold "w w w")'
    )


def tokens(side: str, *words: str, known: bool = True) -> Document:
    """Return a document of one sentence; its words may be unknown."""
    return Document(side, {}, side, [len(words)], words=Words(list, words) if known else None)


@pytest.mark.parametrize(("here", "there"), [(True, False), (False, True), (False, False)])
def test_where_words_are_unknown_only_their_numbers_are_compared(here: bool, there: bool) -> None:
    system, gold = tokens("s", "a", "b", known=here), tokens("g", "a", known=there)
    assert refusal(gold, system) == (
        's: 2 tokens in "s", but 1 in gold (g): the two sides must have the same tokens'
    )


def test_long_names_leave_room_for_what_is_wrong() -> None:
    name = "long" * 50
    message = refusal(tokens(name, "a", "b"), tokens(name, "a", "b", "c"))
    assert len(message) <= 440
    assert message.endswith('"a b c", in gold "a b" and the end)')


@pytest.mark.parametrize(("length", "shown_word"), [(30, "w" * 30), (31, "w" * 29 + "…")])
def test_a_long_word_is_cut_to_thirty_characters(length: int, shown_word: str) -> None:
    assert refusal(tokens("g", "w" * length, "x"), tokens("s", "v")).startswith(
        f's: 1 token in "s", but 2 in gold (g); token 0 is "v", in gold "{shown_word}": '
        "the two sides must have the same tokens"
    )


def test_spans_without_sentences_have_no_names_even_beside_an_empty_cluster() -> None:
    flat = Document("s", {"a": [], "b": [(0, 1)]}, "s.jsonl", [1], flat=True)
    assert refusal(document("g.json", {"a": ["x"]}), flat) == (
        's.jsonl: "s" has tokens but no sentences: its mentions have no names to compare by '
        "(compare it with a file that has tokens)"
    )


def test_conll_against_integers_is_refused(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1)")
    why = (
        'mention ids are integers such as 0, but in gold strings such as "0.0-0" ("w") '
        "(0 % of them would match if all were strings)"
    )
    assert refusal(gold, document("s.json", {"a": [0]})) == f"s.json: {why}"


@pytest.mark.parametrize("unit", ["token", ""])
def test_numbers_of_tokens_meet_sentences(folder: Path, unit: str) -> None:
    gold = conll(folder, "g.conll", "(1", "1)|(2)", "-", "", "(2)", "(3", "", "3)")
    numbers = {"x": [(0, 2)], "y": [(1, 2), (3, 4)], "z": [(4, 6)]}
    system = Document("d", numbers, "s.tsv", format="tsv", unit=unit, half_open=True)
    for one, other in ((gold, system), (system, gold)):
        found = match("d", one, other, options_from())
        assert shown(found.gold) == shown(found.system)
        assert set(found.gold.owner) == set(found.system.owner) == {(0, 2), (1, 2), (3, 4), (4, 6)}


def test_a_line_of_numbers_meets_its_conll_file(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1", "1)|(2)", "-", "", "(1)")
    (folder / "s.tsv").write_text("d\t0\t1\tE\nd\t1\t1\tF\nd\t3\t3\tE\n", encoding="utf-8")
    (system,) = read("s.tsv")
    found = match("d", gold, system, options_from())
    assert shown(found.gold) == shown(found.system)


def test_numbers_after_the_end_of_the_text_are_refused(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1)", "-", "", "(1)")
    system = Document("d", {"x": [(0, 3), (2, 4)]}, "s.tsv", unit="", half_open=True)
    why = "s.tsv: mention [2, 3] ends after the 3 tokens in g.conll (does it count tokens?)"
    assert refusal(gold, system) == refusal(system, gold) == why


# Mentions in two clusters


def test_a_mention_in_two_clusters_is_refused_with_both() -> None:
    clean, bad = {"a": ["x"]}, {"e1": ["x", "y"], "e 2": ["z", "y"]}
    expected = f'$.clusters["e 2"][1]: mention "y" is already in cluster "e1" {OFFER}'
    assert refusal(document("g.json", bad), document("s.json", clean)) == f"g.json: {expected}"
    assert refusal(document("g.json", clean), document("s.json", bad)) == f"s.json: {expected}"


def test_a_span_in_two_clusters_is_named_as_the_converter_names_it(folder: Path) -> None:
    gold = conll(folder, "g.conll", "-", "", "-", "-")
    system = conll(folder, "s.conll", "-", "", "(7|(8", "8)|7)")
    expected = f'document "d", cluster "8": mention "1.0-1" ("w w") is already in cluster "7" {OFFER}'
    assert refusal(gold, system) == f"s.conll: {expected}"


def test_a_place_in_a_conll_file_is_not_a_json_path(folder: Path) -> None:
    gold = conll(folder, "g.conll", "(1)|(2)")
    message = refusal(gold, document("s.json", {"a": ["0.0-0"]}))
    assert (
        message
        == f'g.conll: document "d", cluster "2": mention "0.0-0" ("w") is already in cluster "1" {OFFER}'
    )


@pytest.mark.parametrize("policy", OPTIONS["duplicates"].values)
def test_a_mention_twice_in_one_cluster_counts_once(policy: str) -> None:
    found = match(
        "d", document("g", {"a": "xyxx"}), document("s", {"b": "y"}), options_from(duplicates=policy)
    )
    notice = Notice(
        "duplicates", "d", 'g: mention "x" is repeated in its cluster (2 such repeats) and counts once'
    )
    assert (shown(found.gold), found.notices) == (["xy"], (notice,))


def test_the_notice_about_repeats_is_the_same_for_any_order() -> None:
    orders: list[dict[str, Sequence[str]]] = [{"a": "xx", "b": "yzyz"}, {"b": "zzyy", "a": "xx"}]
    found = [match("d", document("g", order), document("s", {}), options_from()).notices for order in orders]
    assert found[0] == found[1]
    assert found[0][0].message == 'g: mention "x" is repeated in its cluster (3 such repeats) and counts once'


def test_a_mention_twice_in_a_second_cluster_is_in_it_once() -> None:
    found = match(
        "d", document("g", {"a": "x", "b": "yxx"}), document("s", {}), options_from(duplicates="first")
    )
    assert [notice.message for notice in found.notices] == [
        'g: $.clusters.b[1]: mention "x" is already in cluster "a" and stays there',
        'g: mention "x" is repeated in its cluster and counts once',
    ]


def test_empty_clusters_are_dropped() -> None:
    assert matched({"a": [], "b": "xy", "c": []}, {"a": []}) == (["xy"], [])


@pytest.mark.parametrize(
    ("clusters", "first", "merge"),
    [
        ({"1": "ab", "2": "bc"}, ["ab", "c"], ["abc"]),
        ({"2": "bc", "1": "ab"}, ["bc", "a"], ["abc"]),
        ({"1": "ab", "2": "b", "3": "cb"}, ["ab", "c"], ["abc"]),
        (
            {"1": "ab", "2": "cd", "3": "ef", "4": "db", "5": "g"},
            ["ab", "cd", "ef", "g"],
            ["abcd", "ef", "g"],
        ),
        ({"1": "ab", "2": "cd", "3": "ef", "4": "fd", "5": "ea"}, ["ab", "cd", "ef"], ["abcdef"]),
        ({"1": "aa", "2": "ba", "3": "bb"}, ["a", "b"], ["ab"]),
    ],
)
def test_the_first_cluster_keeps_a_mention_or_all_its_clusters_join(
    clusters: Mapping[str, str], first: list[str], merge: list[str]
) -> None:
    assert matched(clusters, {}, duplicates="first")[0] == first
    assert sorted(matched(clusters, {}, duplicates="merge")[0]) == merge
    assert matched({}, clusters, duplicates="first")[1] == first


@pytest.mark.parametrize(
    ("policy", "done"), [("first", "and stays there"), ("merge", "which joins this one")]
)
def test_what_was_done_is_a_warning_that_reads_like_the_refusal(policy: str, done: str) -> None:
    bad = document("s.json", {"e1": ["x", "y"], "e2": ["y"], "e3": ["x"]})
    found = match("d", document("g.json", {}), bad, options_from(duplicates=policy))
    assert [notice.code for notice in found.notices] == ["duplicates"] * 2
    assert [notice.document for notice in found.notices] == ["d"] * 2
    assert [notice.message for notice in found.notices] == [
        f's.json: $.clusters.e2[0]: mention "y" is already in cluster "e1" {done}',
        f's.json: $.clusters.e3[0]: mention "x" is already in cluster "e1" {done}',
    ]


# Singletons and twinless mentions


def test_singletons_are_dropped_from_both_sides() -> None:
    assert matched({"a": "xy", "b": "z", "c": "uv"}, {"a": "x", "b": "yz"}, singletons="drop") == (
        ["xy", "uv"],
        ["yz"],
    )


def test_twinless_system_mentions_become_gold_singletons() -> None:
    assert matched({"a": "xy"}, {"a": "xp", "b": "qr"}, twinless="singletons") == (
        ["xy", "p", "q", "r"],
        ["px", "qr"],
    )
    assert matched({"a": "xy"}, {"a": "x"}, twinless="singletons") == (["xy"], ["x"])


def test_twinless_mentions_of_both_sides_are_left_out() -> None:
    assert matched({"a": "xy", "b": "z", "c": "u"}, {"a": "xpz", "b": "q"}, twinless="drop") == (
        ["x", "z"],
        ["xz"],
    )
    assert matched({"a": "xy"}, {"a": "pq"}, twinless="drop") == ([], [])


@given(ANY)
def test_without_twinless_mentions_all_scores_are_those_of_the_clusters_in_common(pair: Pair) -> None:
    gold, system = pair
    both = mentions_of(gold) & mentions_of(system)
    common = [[[*cluster & both] for cluster in side if cluster & both] for side in pair]
    found = scorch2.score([*map(list, gold)], [*map(list, system)], metrics=OF_CLUSTERS, twinless="drop")
    assert found.scores == scorch2.score(*common, metrics=OF_CLUSTERS).scores
    assert found["mentions"].f1 == (1 if both else 0)


def test_offsets_that_differ_are_told_though_nothing_is_left() -> None:
    """Without its twinless mentions a document has none, and no score: the warning is about all it had."""
    gold = document("g.json", {"a": [(i, i + 2) for i in range(0, 40, 4)]})
    system = document("s.json", {"a": [(i, i + 1) for i in range(0, 40, 4)]})
    report = scorch2.score(gold, system, twinless="drop")
    assert [one.code for one in report.notices] == ["near-misses"]


def test_by_default_both_are_kept() -> None:
    assert matched({"a": "xy", "b": "z"}, {"a": "xp"}) == (["xy", "z"], ["px"])


# The order of the steps


def test_kinds_are_looked_at_before_singletons_are_dropped() -> None:
    gold, system = document("g.json", {"a": [1, 2]}), document("s.json", {"a": ["1"]})
    assert "strings" in refusal(gold, system, singletons="drop")


def test_duplicates_go_before_singletons() -> None:
    clusters = {"1": "ab", "2": "b", "3": "c", "4": "cd"}
    assert matched(clusters, {}, duplicates="first", singletons="drop")[0] == ["ab"]
    assert matched(clusters, {}, duplicates="merge", singletons="drop")[0] == ["ab", "cd"]


def test_singletons_go_before_twinless_mentions() -> None:
    gold, system = {"a": "xy", "b": "z"}, {"a": "zp", "b": "q"}
    assert matched(gold, system, singletons="drop", twinless="singletons") == (["xy", "z", "p"], ["pz"])
    assert matched({"a": "xy", "b": "z"}, {"a": "xz"}, singletons="drop", twinless="drop") == (["x"], ["x"])


def test_weights_of_the_average_are_counts_after_all_of_these() -> None:
    gold = document("g.json", {"1": "ab", "2": "bc", "3": "d"})
    system = document("s.json", {"1": "ax", "2": "y"})
    chosen = options_from(duplicates="first", singletons="drop", twinless="singletons")
    measured = score_pair(FilePair("d", gold, system), count_all(to_count(["muc"]), chosen), chosen).measured
    assert (measured.gold_mentions, measured.system_mentions) == (len("ab" + "x"), len("ax"))


def test_matching_leaves_the_documents_as_they_are() -> None:
    gold, system = {"a": ["x", "y"]}, {"a": ["x", "y"], "b": ["y"]}
    before = json.dumps([gold, system])
    found = match("d", Document("d", gold), Document("d", system), options_from(duplicates="merge"))
    assert found.system.sizes == [2]
    assert json.dumps([gold, system]) == before


class Counting(list[Annotation]):
    """Annotations that count how often all of them are looked at."""

    times = 0

    def __iter__(self) -> Iterator[Annotation]:
        self.times += 1
        return super().__iter__()


def test_lines_of_repeats_are_found_without_a_search_for_each() -> None:
    rows = [Annotation(i, i + 1, (Candidate(f"E{j}"),), 2 * i + j + 1) for i in range(50) for j in range(2)]
    found = Counting(rows)
    clusters = {f"E{j}": [(i, i + 1) for i in range(50)] for j in range(2)}
    gold = Document("d", clusters, "d.tsv", format="tsv", annotations=found)
    notices = match("d", gold, gold, options_from(duplicates="first")).notices
    assert notices[49].message == (
        'd.tsv: line 100: mention [49, 50] is already in cluster "E0" on line 99 and stays there'
    )
    assert found.times <= 4
