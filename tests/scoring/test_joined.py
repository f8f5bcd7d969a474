"""Documents joined by topic, or all to one, against files in which they were joined by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError, Notice
from scorch2.model.options import options_from
from scorch2.scoring.pairing.files import Pair
from scorch2.scoring.pairing.topics import join_pairs

ECB = Path(__file__).parent.parent.parent / "fixtures" / "pairing" / "ecb"
SAME_TOKENS = "the two sides must have the same tokens"
WAYS_OUT = (
    "1_10ecb is document 10 of topic 1, sport/d7 a document of sport; "
    "--topics=<regex> finds it in names: group 1 the topic, group 2 the subtopic"
)
GOLD, SYSTEM = str(ECB / "gold"), str(ECB / "sys")


@pytest.mark.parametrize("rule", ["topic", "subtopic", "corpus"])
@pytest.mark.parametrize("average", ["mentions", "pooled", "macro"])
def test_joined_documents_score_as_the_documents_joined_by_hand(rule: Any, average: Any) -> None:
    by_hand = [str(ECB / f"{rule}.{side}.conll") for side in ("gold", "sys")]
    expected = scorch2.score(*by_hand, average=average).to_dict()
    found = scorch2.score(GOLD, SYSTEM, average=average, documents=rule, ids="shared").to_dict()
    if rule == "corpus":  # by hand it is a single document, which is called like its file
        expected["documents"][0]["id"] = rule
    for key in ("scores", "counts", "documents"):
        assert found[key] == expected[key]
    assert f"documents={rule}" in found["signature"]


def test_links_across_documents_count_only_where_they_are_joined() -> None:
    """MUC by hand: in the files one link, of the quake; joined, two of the quake and one of the town."""
    alone = scorch2.score(GOLD, SYSTEM).to_dict()["counts"]["muc"]
    assert (alone["recall_num"], alone["recall_den"]) == (1, 1)
    topics = scorch2.score(GOLD, SYSTEM, documents="topic", ids="shared").to_dict()["counts"]["muc"]
    assert (topics["recall_num"], topics["recall_den"]) == (2, 3)
    assert (topics["precision_num"], topics["precision_den"]) == (2, 2)


def test_workers_join_as_one_process_does() -> None:
    report = scorch2.score(GOLD, SYSTEM, documents="topic", ids="shared")
    assert scorch2.score(GOLD, SYSTEM, documents="topic", ids="shared", jobs=2).to_dict() == report.to_dict()


def test_gold_against_itself_is_perfect() -> None:
    assert scorch2.score(GOLD, GOLD, documents="corpus").conll.f1 == 1


def columns(ident: str, *rows: str) -> str:
    lines = [row.replace(" ", "\t") if " " in row else f"{row}\t-" for row in rows]
    return "\n".join([f"#begin document ({ident});", *lines, "#end document\n"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_other_tokens_of_the_same_text_are_joined_by_characters(jobs: int, tmp_path: Path) -> None:
    """By hand: gold has the links do-it and do-do over the documents; the system lacks "it"."""
    sides = {
        "gold": (["We", "can", "not", "do (1)", "it (1)"], ["She", "didn't", "do (1)"]),
        "sys": (["We", "cannot", "do (1)", "it (2)"], ["She", "did", "n't", "do (1)"]),
    }
    for side, (one, two) in sides.items():
        (tmp_path / side).mkdir()
        (tmp_path / side / "1_1.conll").write_text(columns("1_1", *one), encoding="utf-8")
        (tmp_path / side / "1_2.conll").write_text(columns("1_2", *two), encoding="utf-8")
    paths = [str(tmp_path / side) for side in sides]
    report = scorch2.score(*paths, documents="topic", ids="shared", align="characters", jobs=jobs)
    muc = report.to_dict()["counts"]["muc"]
    parts = ("recall_num", "recall_den", "precision_num", "precision_den")
    assert [muc[part] for part in parts] == [1, 2, 1, 1]
    with pytest.raises(
        InputError, match=r'\(the text is the same: align="characters" compares by its characters\)$'
    ):
        scorch2.score(*paths, documents="topic", jobs=jobs)


def document(ident: str, tokens: int, *names: str) -> Document:
    clusters = {name: [(0, 1)] for name in names}
    return Document(ident, clusters, f"{ident}.x", sentences=[tokens], notes=["a note"] if tokens > 1 else [])


def join(*pairs: Pair, rule: str = "topic", **typed: str) -> list[object]:
    return list(join_pairs(pairs, options_from(documents=rule, **typed)))


def test_a_side_whose_clusters_all_stay_inside_documents_is_named() -> None:
    pairs = [Pair(name, document(name, 1, "a"), document(name, 1, name)) for name in ("1_1ecb", "1_2ecb")]
    (found,) = join(*pairs, ids="shared")
    assert isinstance(found, Pair)
    why = "system: no cluster has a name in two of the documents, so none reaches across documents"
    assert found.notices == (Notice("documents", "1", why),)
    assert found.gold.clusters == {"a": [(0, 1), (1, 2)]}


def test_words_follow_each_other() -> None:
    def spoken(ident: str, *words: str) -> Document:
        return document(ident, len(words))._replace(words=Words(list, words))

    first, second = spoken("1_1", "a", "b"), spoken("1_2", "c")
    (found,) = join(Pair("1_1", first, first), Pair("1_2", second, document("1_2", 1)))
    assert isinstance(found, Pair)
    assert found.gold.words is not None
    assert found.gold.words() == ["a", "b", "c"]
    assert found.system.words is None  # not all documents have them


def test_notes_of_readers_and_other_items_are_kept() -> None:
    notice, error = Notice("missing", "x", "left out"), InputError("y", "", "broken")
    pair = Pair("d/3_4", document("3_4", 2), document("3_4", 2), (notice,))
    found = list(join_pairs([notice, pair, error], options_from(documents="topic")))
    assert found[:2] == [notice, error]
    assert isinstance(found[2], Pair)
    assert found[2].id == "3"
    expected = [Notice("reader", "3_4", f"{side}: 3_4.x: a note") for side in ("gold", "system")]
    assert found[2].notices == (notice, *expected)


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        (
            Pair("letter", document("letter", 1), document("letter", 1)),
            f'letter.x: the name "letter" does not say the topic ({WAYS_OUT})',
        ),
        (
            Pair("1_1", document("1_1", 1), document("1_1", 2)),
            f'1_1.x: 2 tokens in "1_1", but 1 in gold (1_1.x): {SAME_TOKENS}',
        ),
    ],
    ids=["name", "other tokens"],
)
def test_what_cannot_be_joined_is_refused(pair: Pair, why: str) -> None:
    (found,) = join(pair)
    assert isinstance(found, InputError)
    assert str(found) == why


def test_clusters_in_another_order_are_no_other_entities(tmp_path: Path) -> None:
    """Lists are the same whatever their order: their numbers name no entities that could be joined."""
    lines = [
        [{"doc_key": name, "sentences": [list("abcd")], "clusters": order} for name, order in documents]
        for documents in (
            [("1_1", [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]), ("1_2", [[[0, 0], [1, 1]], [[2, 2], [3, 3]]])],
            [("1_1", [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]), ("1_2", [[[2, 2], [3, 3]], [[0, 0], [1, 1]]])],
        )
    ]
    paths = [tmp_path / name for name in ("g.jsonl", "s.jsonl")]
    for path, objects in zip(paths, lines, strict=True):
        path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8")
    assert scorch2.score(*paths).conll.f1 == 1
    with pytest.raises(InputError, match="clusters of jsonlines have numbers"):
        scorch2.score(*paths, documents="topic")


@pytest.mark.parametrize("form", ["jsonlines", "webanno"])
@pytest.mark.parametrize("flip", [False, True])
def test_numbers_of_clusters_are_no_names(form: str, flip: bool) -> None:
    pairs = []
    for name in ("1_1", "1_2"):
        named, numbered = document(name, 1, name), document(name, 1, "0")._replace(format=form, numbered=True)
        pairs.append(Pair(name, numbered, named) if flip else Pair(name, named, numbered))
    for ids in ("format", "shared"):
        (found,) = join(*pairs, ids=ids)
        assert isinstance(found, InputError)
        numbers = "have numbers, which mean nothing in another document"
        assert str(found) == (
            f"1_2.x: --documents=topic: clusters of {form} {numbers} "
            "(use a format that names its entities, such as ECB+, CoNLL or clusters JSON with sentences; "
            "--ids=document says that each document has its own)"
        )
    (found,) = join(*pairs, ids="document")
    assert isinstance(found, Pair)
    side = found.gold if flip else found.system
    assert side.clusters == {"1_1:0": [(0, 1)], "1_2:0": [(1, 2)]}


def spans_of(path: Path, end: int, cluster: list[list[int]]) -> None:
    """Write clusters JSON whose ends are inclusive if `end` is 1, exclusive if it is 0."""
    spans = [[start, stop - end] for start, stop in cluster]
    path.parent.mkdir(exist_ok=True)
    value: dict[str, object] = {
        "type": "clusters",
        "offsets": ("exclusive", "inclusive")[end],
        "unit": "token",
    }
    value |= {"sentences": [["a", "b", "c", "d", "e"]], "clusters": {"x": spans}}
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.parametrize("documents", ["file", "corpus"])
def test_offsets_overrule_what_joined_files_say(documents: Any, tmp_path: Path) -> None:
    """The system says that its ends are exclusive, but means inclusive ones."""
    for name, cluster in (("1_1ecb.json", [[0, 2], [2, 5]]), ("1_2ecb.json", [[1, 3]])):
        spans_of(tmp_path / "gold" / name, 0, cluster)
        spans_of(tmp_path / "sys" / name, 0, [[start, stop - 1] for start, stop in cluster])
    shared: Any = {} if documents == "file" else {"ids": "shared"}
    report = scorch2.score(
        str(tmp_path / "gold"), str(tmp_path / "sys"), documents=documents, sys_offsets="inclusive", **shared
    )
    assert report.b_cubed.f1 == report.muc.f1 == 1


def test_files_that_count_in_several_ways_are_not_overruled_together(tmp_path: Path) -> None:
    for number, end in enumerate((0, 1), 1):
        spans_of(tmp_path / "gold" / f"1_{number}ecb.json", end, [[0, 2], [2, 5]])
    gold = str(tmp_path / "gold")
    assert scorch2.score(gold, gold, documents="topic", ids="shared").b_cubed.f1 == 1
    with pytest.raises(InputError, match="count their spans in several ways"):
        scorch2.score(gold, gold, documents="topic", ids="shared", gold_offsets="exclusive")
