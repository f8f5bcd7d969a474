"""Topics of documents, what ids of clusters mean in them, and the sentences that count."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from every import every
from hypothesis import given

import scorch2
from scorch2.cli.main import main
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, UsageError
from scorch2.model.options import options_from
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.pairing.topics import join_pairs, topic_of

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
TOLD = [  # name, topic, subtopic; None if it does not say that
    ("1_10ecb", "1", "1_ecb"),
    ("1_3ecbplus", "1", "1_ecbplus"),
    ("36_1ecb.xml", "36", "36_ecb"),
    ("1_1ecb-000", "1", "1_ecb"),  # a part of a CoNLL file
    ("test/36/36_1ecb", "36", "36_ecb"),  # folders of another kind are above that of the topic
    ("1/1ecb/12", "1", "1/1ecb"),  # as in uCDCR
    ("sport/d7", "sport", None),
    ("sport/eu/d_7", "sport", "sport/eu"),
    ("bc/cctv/00/cctv_0001-000", "bc", "bc/cctv"),  # no topic is called like a channel
    ("storm_2", "storm", "storm_"),  # without folders
    ("letter", None, None),
    ("/d7", None, None),
]


@every(("name", "topic", "subtopic"), TOLD)
def test_the_name_of_a_document_tells_its_topic(name: str, topic: str | None, subtopic: str | None) -> None:
    for rule, expected in (("topic", topic), ("subtopic", subtopic)):
        if expected is not None:
            assert topic_of(name, rule) == expected
        else:
            with pytest.raises(InputError, match=f"does not say the {rule} "):
                topic_of(name, rule)
    assert topic_of(name, "corpus") == "corpus"


def test_a_pattern_tells_topics_of_any_names() -> None:
    pattern = "-([0-9]+)([ab])?-"
    assert [topic_of("d-36b-1", rule, pattern) for rule in ("topic", "subtopic")] == ["36", "36/b"]
    assert topic_of("d-36-1", "topic", pattern) == "36"
    with pytest.raises(InputError, match='the name "d-36-1" has no subtopic where --topics='):
        topic_of("d-36-1", "subtopic", pattern)
    with pytest.raises(InputError, match=r'f\.x: the name "1_10ecb" has no topic'):
        topic_of("1_10ecb", "topic", pattern, "f.x")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"topics": "(a)"}, "topics tells the topics of documents: it needs documents=topic or subtopic"),
        ({"topics": "(a)", "documents": "corpus"}, "it needs documents=topic or subtopic"),
        ({"topics": "(a)", "documents": "subtopic"}, r"--topics needs \(topic\) and \(subtopic\), not"),
        ({"topics": "a", "documents": "topic"}, "--topics needs 1 group, not"),
        ({"topics": "(", "documents": "topic"}, "--topics is no regular expression"),
        ({"ids": "shared"}, "ids is about documents of a topic"),
    ],
)
def test_options_that_joined_documents_need(typed: dict[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        options_from(**typed)


def document(ident: str, clusters: Mapping[str, Sequence[Any]], form: str = "ecb", **more: Any) -> Document:
    size = max((one[1] for members in clusters.values() for one in members if type(one) is tuple), default=0)
    return Document(ident, clusters, f"{ident}.x", **{"sentences": [size], "format": form, **more})


def pair(ident: str, gold: Mapping[str, Sequence[Any]], system: Mapping[str, Sequence[Any]]) -> Pair:
    return Pair(ident, document(ident, gold, sentences=[9]), document(ident, system, sentences=[9]))


def joined(items: Sequence[Item], **typed: str) -> list[Item]:
    return list(join_pairs(items, options_from(**{"documents": "topic", **typed})))


# A slow model: mentions are called after their document, and clusters of one name put together

SPANS = [(start, end) for start in range(4) for end in range(start + 1, 5)]
CLUSTERINGS = st.lists(
    st.tuples(st.sampled_from(SPANS), st.sampled_from("abc")), max_size=6, unique_by=lambda one: one[0]
)
TOPICS = st.lists(st.tuples(st.sampled_from(["1", "2"]), CLUSTERINGS, CLUSTERINGS), min_size=1, max_size=5)


def clusters_of(mentions: Sequence[tuple[Any, str]]) -> dict[str, list[Any]]:
    names = sorted({name for _, name in mentions})
    return {name: [mention for mention, other in mentions if other == name] for name in names}


def by_name(pairs: Sequence[Pair], side: str) -> list[Any]:
    found: dict[str, list[Any]] = {}
    for one in pairs:
        for name, members in getattr(one, side).clusters.items():
            found.setdefault(name, []).extend((one.id, *span) for span in members)
    return list(found.values())


def pairs_of(drawn: Sequence[tuple[str, Any, Any]]) -> list[Pair]:
    return [
        pair(f"{topic}_{number}ecb", clusters_of(gold), clusters_of(system))
        for number, (topic, gold, system) in enumerate(drawn)
    ]


@given(TOPICS)
def test_joined_documents_score_as_the_clusters_of_one_name_put_together(drawn: Any) -> None:
    pairs = pairs_of(drawn)
    for one in joined(pairs):
        assert isinstance(one, Pair)
        inside = [other for other in pairs if topic_of(other.id, "topic") == one.id]
        expected = scorch2.score(by_name(inside, "gold"), by_name(inside, "system"), metrics=["all"])
        found = scorch2.score(one.gold, one.system, metrics=list(expected.scores))
        assert found.to_dict()["counts"] == expected.to_dict()["counts"]


@given(TOPICS)
def test_where_no_cluster_crosses_topics_count_what_their_documents_count(drawn: Any) -> None:
    """The counts of documents add up in all metrics but BLANC: its other links lie between documents, too."""
    pairs = [
        Pair(one.id, one.gold._replace(format="conll"), one.system._replace(format="conll"))
        for one in pairs_of(drawn)
    ]
    sides = [[getattr(one, side) for one in pairs] for side in ("gold", "system")]
    names = ["muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "pairwise", "mentions"]
    given: Any = {"metrics": names, "average": "pooled"}
    apart = scorch2.score(*sides, **given).to_dict()["counts"]
    for rule in ("topic", "subtopic", "corpus"):
        found = scorch2.score(*sides, documents=rule, ids="document", **given)
        for name in names:
            assert found.to_dict()["counts"][name] == pytest.approx(apart[name])


# What ids mean


def test_an_id_in_two_documents_is_one_entity_where_the_format_says_so() -> None:
    (found,) = joined([pair("1_1ecb", {"a": [(0, 1)]}, {}), pair("1_2ecb", {"a": [(0, 1)]}, {})])
    assert isinstance(found, Pair)
    assert found.gold.clusters == {"a": [(0, 1), (9, 10)]}


CONLL = [
    Pair(f"1_{n}", document(f"1_{n}", {"0": [(0, 1)]}, "conll"), document(f"1_{n}", {"x": [(0, 1)]}))
    for n in (1, 2)
]


@pytest.mark.parametrize(
    ("ids", "clusters"),
    [("shared", {"0": [(0, 1), (1, 2)]}), ("document", {"1_1:0": [(0, 1)], "1_2:0": [(1, 2)]})],
)
def test_elsewhere_the_user_says_what_an_id_means(ids: str, clusters: dict[str, Any]) -> None:
    (found,) = joined(CONLL, ids=ids)
    assert isinstance(found, Pair)
    assert found.gold.clusters == clusters
    assert found.system.clusters == {"x": [(0, 1), (1, 2)]}  # ECB+ says it itself


def test_else_an_id_in_two_documents_is_refused() -> None:
    (found,) = joined(CONLL)
    assert str(found) == (
        '1_2.x: --documents=topic: the cluster "0" is in "1_1" and in "1_2", and may be two entities '
        "(--ids=shared says that one id is one entity, --ids=document says that each document has its own)"
    )
    alone = joined([CONLL[0], CONLL[1]._replace(gold=document("1_2", {"1": [(0, 1)]}, "conll"))])
    assert isinstance(alone[0], Pair)  # no id is in two documents: nothing has to be said


def test_an_id_of_a_format_that_says_nothing_does_not_join_one_that_does() -> None:
    one, other = CONLL
    found = joined([one._replace(gold=document("1_1", {"0": [(0, 1)]})), other])
    assert 'the cluster "0" is in "1_1" and in "1_2"' in str(found[0])


# What is held


def test_a_topic_is_joined_when_its_last_file_was_read() -> None:
    stems = ["1_1ecb", "1_2ecb", "10/10_1ecb", "2_1ecb", "3_9ecb"]
    read: list[str] = []

    def items() -> Iterator[Item]:
        for stem in stems:
            read.append(stem)
            yield pair(stem, {"a": [(0, 1)]}, {})

    met = [
        (one.id, len(read))
        for one in join_pairs(items(), options_from(documents="topic"), stems)
        if isinstance(one, Pair)
    ]
    assert met == [("1", 3), ("10", 4), ("2", 5), ("3", 5)]


@pytest.mark.parametrize(
    ("stems", "idents"),
    [
        (["letters", "news"], ["letters/1_1", "letters/2_1", "news/1_2", "news/2_2"]),
        (["1_1", "2_1"], ["1_1/1_1", "1_1/2_9", "2_1/2_1", "2_1/1_9"]),
        (["a/1", "a/2", "b/1"], ["a/1/x", "a/1/y", "a/2", "b/1"]),
        ([""], ["1_1", "2_1", "1_2"]),
    ],
    ids=["files that say nothing", "files that say it of some", "files of several", "documents in Python"],
)
def test_files_may_hold_documents_of_several_topics(stems: list[str], idents: list[str]) -> None:
    pairs = [pair(ident, {"a": [(0, 1)]}, {}) for ident in idents]
    options = options_from(documents="topic")
    found = [(one.id, len(one.gold.clusters["a"])) for one in join_pairs(pairs, options, stems)]  # type: ignore[union-attr]
    topics = [topic_of(ident, "topic") for ident in idents]
    assert found == [(topic, topics.count(topic)) for topic in dict.fromkeys(topics)]


def test_a_document_of_a_topic_that_was_complete_is_refused() -> None:
    stems = ["1_1", "2_1", "3_1"]
    pairs = [pair(ident, {}, {}) for ident in ("1_1", "2_1", "3_1/1_7")]
    found = list(join_pairs(pairs, options_from(documents="topic"), stems))
    why = '"3_1/1_7" is of topic "1", which other files have in their names (name this one likewise)'
    assert [str(one) for one in found if isinstance(one, InputError)] == [f"3_1/1_7.x: {why}"]


# Documents that say more than clusters, against files that were joined by hand


def in_two(text: str, border: str) -> str:
    """Return a text with a border between two documents where its last sentence begins."""
    sentences = re.split(r"\n(?=\n)", text.strip("\n"))
    before, last = "\n".join(sentences[:-1]), sentences[-1].lstrip("\n")
    words = len(re.findall(r"^[0-9]+\t", before, re.MULTILINE))
    numbers = re.compile(r"(?<=\|Min=)[0-9]+(?:,[0-9]+)*")  # those of Universal Anaphora count through
    last = numbers.sub(lambda found: ",".join(str(int(n) - words) for n in found[0].split(",")), last)
    return f"{before}\n\n{border}{last}\n"


CUT = {
    "corefud": ("conllu", "# newdoc id = d2\n"),
    "ua": ("ua", "# newdoc id = d2\n"),
    "conll": ("conll", "#end document\n#begin document (d2); part 000\n"),
}
WAYS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "corefud-06-discontinuous": [{}, {"pieces": "last"}],
    "corefud-08-zero-moved": [{}, {"zeros": "dependency"}, {"zeros": "drop"}],
    "corefud-10-zero-multi-deps": [{"match": "head", "zeros": "dependency"}],
    "corefud-r02": [{"match": "head"}, {"profile": "corefud-1.2"}],
    "corefud-r05": [{}, {"match": "partial"}, {"profile": "corefud-1.1"}],
    "ua-23-pseudo-element": [{"split_antecedents": "keep"}, {"split_antecedents": "only"}],
    "ua-09-craft": [{"match": "craft"}],
    "ua-10-discontinuous": [{}, {"pieces": "last"}, {"match": "partial"}],
    "ua-14-bridging": [{"metrics": ["all"]}],
    "ua-r04": [{"profile": "ua-1.0"}, {"split_antecedents": "only"}],
    "ua-r06": [{"profile": "ua-2.0"}, {"match": "partial"}],
    "conll-01-min-shrunk": [{"match": "mina"}],
    "conll-02-vp-mentions": [{"phrases": "np"}],
    "conll-r02": [{"duplicates": "first"}, {"profile": "coval", "match": "mina"}],
}


@every(("case", "options"), [(case, options) for case, ways in WAYS.items() for options in ways])
def test_a_document_cut_in_two_and_joined_again_scores_as_before(
    case: str, options: Any, tmp_path: Path
) -> None:
    suffix, border = CUT[case.partition("-")[0]]
    texts = [
        (FIXTURES / "universal_anaphora" / case / f"{side}.{suffix}").read_text(encoding="utf-8")
        for side in ("key", "sys")
    ]
    whole, cut = (
        [tmp_path / f"{name}.{side}.{suffix}" for side in ("key", "sys")] for name in ("whole", "cut")
    )
    for text, *paths in zip(texts, whole, cut, strict=True):
        paths[0].write_text(text, encoding="utf-8")
        paths[1].write_text(in_two(text, border), encoding="utf-8")
    expected = scorch2.score(*whole, documents="corpus", **options).to_dict()
    assert len(scorch2.read(cut[0])) == 2
    found = scorch2.score(*cut, documents="corpus", ids="shared", **options).to_dict()
    assert (found["counts"], found["scores"]) == (expected["counts"], expected["scores"])


# Documents of which less is known: mentions with names, or spans of a text that is not there


def test_mentions_with_names_are_those_of_their_document() -> None:
    """By hand: gold links the storms of both documents, the system those of the first to its rain."""
    gold = [
        document("1_1ecb", {"storm": [(0, 1), (3, 4)]}, sentences=[3, 2]),
        document("1_2ecb", {"storm": [(0, 2)]}, sentences=[4]),
    ]
    system = [
        document("1_1ecb", {"x": ["0.0-0", "1.0-0"]}, "clusters", sentences=None),
        document("1_2ecb", {"y": ["0.0-1"]}, "clusters", sentences=None),
    ]
    report = scorch2.score(gold, system, documents="topic", metrics=["muc", "mentions"])
    assert report.mentions.f1 == 1
    muc = report.to_dict()["counts"]["muc"]
    assert [muc[part] for part in ("recall_num", "recall_den", "precision_num")] == [1, 2, 1]


@every(("form", "mentions"), [("clusters", ["m1", "m2"]), ("clusters", [1, 2]), ("tsv", [(0, 7), (7, 9)])])
def test_equal_mentions_of_two_documents_are_two(form: str, mentions: Sequence[Any]) -> None:
    more: Any = {"sentences": None, "half_open": form == "tsv"}
    side = [document(f"1_{n}", {"a": mentions}, form, **more) for n in (1, 2)]
    report = scorch2.score(side, side, documents="topic", ids="shared", metrics=["muc", "mentions"])
    assert report.mentions.f1 == 1
    assert report.to_dict()["counts"]["mentions"]["recall_den"] == 4
    assert report.to_dict()["counts"]["muc"]["recall_den"] == 3


def test_spans_of_a_text_that_one_side_lacks_lie_where_the_other_has_them() -> None:
    gold = [document(f"1_{n}ecb", {"a": [(0, 1)]}, sentences=[7]) for n in (1, 2)]
    system = [document(f"1_{n}ecb", {"a": [(0, 1)]}, "tsv", sentences=None, half_open=True) for n in (1, 2)]
    assert scorch2.score(gold, system, documents="topic", ids="shared").b_cubed.f1 == 1
    behind = [system[0]._replace(clusters={"a": [(0, 8)]}), system[1]]
    with pytest.raises(InputError, match=r"1_1ecb.x: a mention ends at 8, behind the 7 tokens in 1_1ecb.x"):
        scorch2.score(gold, behind, documents="topic", ids="shared")


def test_files_of_one_side_that_count_several_units_are_refused() -> None:
    side = [document(f"1_{n}ecb", {"a": [(0, 1)]}, unit=unit) for n, unit in ((1, "token"), (2, "character"))]
    with pytest.raises(InputError, match="count several units: characters in 1_2ecb"):
        scorch2.score(side, side, documents="topic")


# The sentences that count


LISTS = {  # each lists the first sentence of 1_1ecb and the second of 1_2ecb
    "as ECB+": "Topic,File,Sentence Number\n1,1ecb,0\n1,2ecb,1\n",
    "documents": "document\tsentence\n1_1ecb\t0\n1_2ecb\t1\n",
    "without a header": "1,1ecb,0\r\n1,2ecb,1\r\n1,9ecb,7\r\n",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=list(LISTS))
def test_mentions_in_other_sentences_do_not_count(text: str, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    clusters = {
        "a": [(0, 1), (2, 4), (3, 4)],
        "b": [(4, 5)],
        "c": [(1, 2)],
    }  # (2, 4) begins before the border
    side = [document(f"1_{n}ecb", clusters, sentences=[3, 2]) for n in (1, 2, 3)]
    numbers: Mapping[Any, int] = {"file": 3, "topic": 1}
    for rule, number in numbers.items():
        report = scorch2.score(side, side, documents=rule, sentences=str(path), metrics=["muc", "mentions"])
        counts = report.to_dict()["counts"]
        assert len(report.documents) == number
        assert counts["mentions"]["recall_den"] == 3 + 2  # (2, 4) is where it begins: in the first
        assert counts["muc"]["recall_den"] == {"file": 1, "topic": 2}[rule]
        assert f"sentences={path}" in report.to_dict()["signature"]


def test_what_is_known_of_mentions_stays_with_those_that_count(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("GUM_x,0\n", encoding="utf-8")
    gum = FIXTURES / "formats" / "valid" / "corefud-gum.conllu"
    report = scorch2.score(gum, gum, sentences=str(path), match="head", metrics=["mentions"])
    assert [document.gold_mentions for document in report.documents] == [1, 0]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1_1ecb,one\n2,x\n", 'line 2: "2,x": document and sentence, or topic, file and sentence are wanted'),
        ("1,2,3,4\n", 'line 1: "1,2,3,4": document and sentence, or'),
        ("7\n", 'line 1: "7": document and sentence, or'),
        (",1\n", 'line 1: ",1": document and sentence, or'),
        ("2,1ecb,0\n", '--sentences: none of 1 document is listed ("2_1ecb" for example)'),
        ("\n", "--sentences: none of 1 document is listed (it is empty)"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    one = document("1_1ecb", {"a": [(0, 1)]})
    with pytest.raises(InputError, match=re.escape(why.replace("--sentences", "sentences"))):
        scorch2.score([one], [one], sentences=str(path))


def test_sentences_of_documents_that_have_none_are_no_choice(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("1_1ecb,0\n", encoding="utf-8")
    one = document("1_1ecb", {"a": ["m"]}, "clusters", sentences=None)
    with pytest.raises(InputError, match='"1_1ecb" has no sentences, which sentences needs'):
        scorch2.score([one], [one], sentences=str(path))
    flat = document("1_1ecb", {"a": [(0, 1), (3, 4)]}, "jsonlines", sentences=[5], flat=True)
    gold = document("1_1ecb", {"a": [(0, 1), (3, 4)]}, sentences=[2, 3])
    report = scorch2.score([gold], [flat], sentences=str(path), metrics=["mentions"])
    assert report.documents[0].system_mentions == 1  # the sentences of gold


# The numbers of papers on ECB+

CORPUS = FIXTURES / "cross-document"
EXPECTED = json.loads((CORPUS / "expected.json").read_text(encoding="utf-8"))


@every("case", EXPECTED["scores"])
def test_the_recipes_for_ecb_give_the_numbers_of_other_scorers(case: dict[str, Any]) -> None:
    """Events or entities in the listed sentences: of topics without singletons, of the corpus with them."""
    recipe: Any = {name: case[name] for name in ("only_category", "documents", "singletons")}
    recipe |= {"sentences": str(CORPUS / "sentences.csv"), "ids": "shared", "average": "pooled"}
    report = scorch2.score(CORPUS / "gold", CORPUS / case["system"], metrics=list(case["counts"]), **recipe)
    for metric, expected in case["counts"].items():
        found = report.to_dict()["counts"][metric]
        wanted = [float(Fraction(number)) for number in expected]
        parts = [found[part] for part in ("recall_num", "recall_den", "precision_num", "precision_den")]
        assert parts == pytest.approx(wanted), metric


def test_every_command_says_which_documents_were_joined(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(CORPUS / name) for name in ("gold", "events", "entities")]
    joined = ["--documents=topic", "--ids=shared", "-m", "muc"]
    for words in (
        [*joined, *paths[:2]],
        ["-j2", *joined, *paths[:2]],
        ["errors", *joined, *paths[:2]],
        ["compare", *joined, *paths],
        ["confidence", "-g", *paths[:1], *joined, *paths[1:2]],
        ["significance", "-g", *paths[:1], *joined, *paths[1:]],
    ):
        assert main(words) == 0, words
        assert re.search(r"\| documents=topic \| ids=shared \|.* documents=2 ", capsys.readouterr().out), (
            words
        )
    assert main(["--sentences=-", *paths[:2]]) == 2
    assert "--sentences needs a file, not standard input (-)" in capsys.readouterr().err


def test_documents_given_by_name_are_told_that_clusters_reach_over_them() -> None:
    gold = {name: document(name, {"a": [(0, 1), (2, 3)]}, "ecb") for name in ("1_1ecb", "1_2ecb")}
    system = {name: document(name, {"a": [(0, 1)], "b": [(2, 3)]}, "ecb") for name in gold}
    (notice,) = scorch2.score(gold, system).notices
    assert "4 links of gold between clusters of one name in several documents" in notice.message  # 2 × 2
    apart = {name: document(name, {name: [(0, 1), (2, 3)]}, "ecb") for name in gold}
    others = {name: document(name, {name: [(0, 1)], "x": [(2, 3)]}, "ecb") for name in gold}
    assert not scorch2.score(apart, others).notices


@pytest.mark.parametrize("form", ["clusters", "graph", "conll"])
def test_names_that_no_document_made_up_are_a_hint(form: str) -> None:
    """Two mentions of an event in each of two documents are four links, which do not count."""

    def told(*names: str) -> list[Notice]:
        sides = [{name: [(0, 1), (2, 3)], str(i): [(4, 5)]} for i, name in enumerate(names)]
        gold = {f"d{i}": document(f"d{i}", side, form) for i, side in enumerate(sides)}
        others = {ident: document(ident, {"1": [(0, 1)], "2": [(4, 5)]}, form) for ident in gold}
        return list(scorch2.score(gold, others).notices)

    for name in ("ACT17214563", "Lord Byron", "12000344"):
        (hint,) = told(name, name)
        assert hint.code == "hint", "nobody knows whether they are one entity: --strict goes on"
        assert "4 links of gold between clusters of one name in several documents" in hint.message
    for names in (("1", "1"), ("e12", "e12"), ("person-9-Name",) * 2, ("A", "A"), ("Ann", "Bob")):
        assert told(*names) == []


def test_a_corpus_of_one_document_joins_nothing(tmp_path: Path) -> None:
    one = tmp_path / "g.jsonl"
    one.write_text('{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}', "utf-8")
    with pytest.warns(scorch2.ScorchWarning):
        notices = scorch2.score(str(one), str(one), documents="corpus").notices
    assert "joins nothing: there is one document" in " ".join(notice.message for notice in notices)
