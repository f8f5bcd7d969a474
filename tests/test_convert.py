"""scorch2 convert: what a format can hold arrives unchanged, what it cannot is refused, all or nothing."""

import gzip
import io
import json
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.cli import main
from scorch2.document import Document, spans
from scorch2.formats import FORMATS, WRITERS, read

FOLDER = Path(__file__).parent.parent / "fixtures" / "jsonlines"
GOLD, SYSTEM = str(FOLDER / "gold.conll"), str(FOLDER / "sys.conll")
NAMES: dict[str, list[list[str]]] = json.loads((FOLDER / "gold.names.json").read_text("utf-8"))
"""The mentions of the gold documents by sentence and tokens, written without the converter."""
IN_SENTENCES = ["conll", "e2e.jsonlines", "wl_coref_spans.jsonlines"]
IN_TOKENS = [*IN_SENTENCES, "maverick.jsonlines", "crac.json"]
LINKS = pytest.mark.skipif(os.name == "nt", reason="links need special rights")

SAME = {
    "conll": (
        "#begin document (k);\n"
        "k\t0\t0\ta\t(0)\nk\t0\t1\tb\t(1)\n\nk\t0\t0\tc\t(0\nk\t0\t1\td\t0)\n\n"
        "#end document\n"
    ),
    "jsonlines": (
        '{"doc_key": "k", "sentences": [["a", "b"], ["c", "d"]], "clusters": [[[0, 0], [2, 3]], [[1, 1]]]}\n'
    ),
    "clusters": '{"type": "clusters", "name": "k", "clusters": {"0": ["0.0-0", "1.0-1"], "1": ["0.1-1"]}}\n',
    "graph": (
        '{"type": "graph", "name": "k", "mentions": ["0.0-0", "1.0-1", "0.1-1"],'
        ' "links": [["0.0-0", "1.0-1"]]}\n'
    ),
    "tsv": "k\t0\t0\tNIL0:k\nk\t1\t1\tNIL1:k\nk\t2\t3\tNIL0:k\n",
    "are": (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<are doc="k" unit="token">\n'
        '  <chain id="0"><element start="0" end="1"/><element start="2" end="4"/></chain>\n'
        '  <chain id="1"><element start="1" end="2"/></chain>\n'
        "</are>\n"
    ),
}
"""One document in every format, as it is written."""
FASTCOREF = '{"name": "k", "text": "a b c d", "clusters": [[[0, 1], [4, 7]], [[2, 3]]]}\n'
NEEDS_TOKENS = {"conll": "CoNLL columns", "jsonlines": "jsonlines"}
Cluster: TypeAlias = list[list[int]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, *lines: object) -> str:
    """Write lines, text as it is and anything else as JSON; the folder is made."""
    Path(path).parent.mkdir(exist_ok=True)
    shown = [line if isinstance(line, str) else f"{json.dumps(line)}\n" for line in lines]
    data = "".join(shown).encode()
    Path(path).write_bytes(gzip.compress(data) if path.endswith(".gz") else data)
    return path


def convert(source: str, target: str, form: str, *words: str, status: int = 0) -> str:
    """Convert and return the target."""
    assert main(["convert", f"--to={form}", *words, source, target]) == status
    return target


def text(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8")


def found(path: str = ".") -> dict[str, bytes]:
    """Return what stands in the files of a folder."""
    files = [file for file in Path(path).rglob("*") if file.is_file()]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(files)}


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one line that a conversion ends with; nothing else was written anywhere."""
    before = found(), sorted(Path().rglob("*"))
    assert main(["convert", *words]) == 2
    assert (found(), sorted(Path().rglob("*"))) == before
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("scorch2: error: ").rstrip("\n")


def said(
    documents: Iterable[Document],
) -> list[tuple[str, list[int], list[list[tuple[int, int]]], list[str]]]:
    """Return all that documents with tokens hold; the names and the order of clusters mean nothing."""
    return [
        (
            document.id,
            list(document.sentences or ()),
            sorted(sorted(spans(members)) for members in document.clusters.values() if members),
            list(document.words()) if document.words else [],
        )
        for document in documents
    ]


def as_sets(clusters: Iterable[Iterable[Any]]) -> set[frozenset[Any]]:
    """Return clusters without any order, spans as tuples."""
    return {
        frozenset(tuple(mention) if isinstance(mention, list) else mention for mention in members)
        for members in clusters
    }


# Every pair of formats


def test_the_example_is_in_every_format() -> None:
    assert set(SAME) == set(WRITERS)


@pytest.mark.parametrize(
    ("source", "form"), [*product(NEEDS_TOKENS, WRITERS), *product(("clusters", "graph"), repeat=2)]
)
def test_a_document_is_the_same_in_every_format_that_can_hold_it(source: str, form: str) -> None:
    assert text(convert(put("in", SAME[source]), "out", form)) == SAME[form]
    assert text("in") == SAME[source]


@pytest.mark.parametrize(
    ("source", "form"), list(product([SAME["clusters"], SAME["graph"], FASTCOREF], NEEDS_TOKENS))
)
def test_what_has_no_tokens_cannot_be_written_as_tokens(
    source: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", source)
    why = f'in: "k" has no tokens, which {NEEDS_TOKENS[form]} must hold'
    assert refusal(capsys, "in", "out", f"--to={form}") == why


@pytest.mark.parametrize(
    ("form", "key", "value"),
    [
        ("clusters", "clusters", {"0": [[0, 1], [4, 7]], "1": [[2, 3]]}),
        ("graph", "links", [[[0, 1], [4, 7]]]),
    ],
)
def test_character_spans_stay_what_they_are(form: str, key: str, value: object) -> None:
    written = json.loads(text(convert(put("in", FASTCOREF), "out", form)))
    assert (written["name"], written[key]) == ("k", value)
    assert scorch2.score("in", "out").lea.f1 == 1


@pytest.mark.parametrize("source", IN_TOKENS)
@pytest.mark.parametrize("form", NEEDS_TOKENS)
def test_tokens_sentences_and_spans_arrive(source: str, form: str) -> None:
    path = str(FOLDER / f"gold.{source}")
    assert said(read(convert(path, "out", form))) == said(read(path))


@pytest.mark.parametrize("source", IN_SENTENCES)
def test_mentions_are_called_by_sentence_and_tokens(source: str) -> None:
    convert(str(FOLDER / f"gold.{source}"), "out", "clusters")
    written = [json.loads(data)["clusters"].values() for data in found("out").values()]
    assert [as_sets(clusters) for clusters in written] == [as_sets(clusters) for clusters in NAMES.values()]


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("source", [*IN_TOKENS, "words.conll", "wl_coref_words.jsonlines"])
def test_both_sides_converted_score_as_before(source: str, form: str) -> None:
    sides = [str(FOLDER / f"{side}.{source}") for side in ("gold", "sys")]
    before = scorch2.score(*sides).to_dict()
    after = scorch2.score(convert(sides[0], "gold", form), convert(sides[1], "sys", form)).to_dict()
    for key in ("scores", "counts"):
        assert after[key] == before[key]


@pytest.mark.parametrize("form", NEEDS_TOKENS)
@pytest.mark.parametrize("system", IN_TOKENS)
def test_a_converted_gold_file_still_meets_the_system(system: str, form: str) -> None:
    output = str(FOLDER / f"sys.{system}")
    expected = scorch2.score(GOLD, SYSTEM).to_dict()["counts"]
    assert scorch2.score(convert(GOLD, "gold", form), output).to_dict()["counts"] == expected


@pytest.mark.parametrize("form", NEEDS_TOKENS)
@pytest.mark.parametrize("source", IN_TOKENS)
def test_a_converted_system_file_still_meets_gold(source: str, form: str) -> None:
    expected = scorch2.score(GOLD, SYSTEM).to_dict()["counts"]
    system = convert(str(FOLDER / f"sys.{source}"), "sys", form)
    assert scorch2.score(GOLD, system).to_dict()["counts"] == expected


# Names, parts and letters


def test_names_and_parts_come_back() -> None:
    back = text(convert(convert(GOLD, "there", "jsonlines"), "back", "conll"))
    assert [line for line in back.splitlines() if line.startswith("#begin")] == [
        "#begin document (wire/harbour_0001); part 000",
        "#begin document (wire/harbour_0001); part 001",
        "#begin document (wire/letter_0002); part 003",
    ]


@pytest.mark.parametrize(
    "name",
    ["a", "a/b_3", "a-3", "a-003", "a-b", "a-3-04", "-3", "3", "-", "#a", "a)", " a ", "(a); part 3", "東京"],
)  # fmt: skip
@pytest.mark.parametrize("form", WRITERS)
def test_a_name_is_kept(name: str, form: str) -> None:
    put("in", {"doc_key": name, "sentences": [["a"]], "clusters": [[[0, 0]]]})
    (document,) = read(convert("in", "out", form))
    assert document.id == name


@pytest.mark.parametrize("source", [name for name in WRITERS if name != "tsv"])
def test_a_document_without_a_name_is_called_as_its_file(source: str) -> None:
    nameless = SAME[source].replace(" (k);", "").replace('"name": "k", ', "").replace('"doc_key": "k", ', "")
    nameless = nameless.replace(' doc="k"', "")
    put(
        "in.x",
        nameless.replace("sentences", "tokens").replace('"clusters": [', '"clusters_token_offsets": ['),
    )
    assert [document.id for document in read(convert("in.x", "out", "clusters"))] == ["in"]


def test_unnamed_lines_are_called_by_number() -> None:
    put("in", *[{"tokens": ["a"], "clusters_token_offsets": []}] * 2)
    convert("in", "out", "graph")
    assert list(found("out")) == ["1.json", "2.json"]


@pytest.mark.parametrize(
    "word",
    ["Zürich", "東京", "🎉", "e\u0301", "a b", " ", "", "#", "-", "_", "*", "(1)", "|", '"', "\\", "\\n", "'",
     "\xa0", "\u2028", "\x85", "\x1c", "\x0b", "\r", "\ufeff", "\u202e", "#end document", "null"],
)  # fmt: skip
@pytest.mark.parametrize("form", NEEDS_TOKENS)
def test_a_word_is_kept_letter_by_letter(word: str, form: str) -> None:
    put("in", {"doc_key": "k", "sentences": [[word, "w"], ["w", word]], "clusters": [[[0, 0], [3, 3]]]})
    assert said(read(convert("in", "out", form))) == said(read("in"))


@pytest.mark.parametrize("form", WRITERS)
def test_files_are_utf8_and_end_with_a_line_end(form: str) -> None:
    put("in", {"doc_key": "東京", "sentences": [["Zürich"]], "clusters": [[[0, 0]]]})
    data = Path(convert("in", "out", form)).read_bytes()
    assert "東京".encode() in data
    assert data.endswith(b"\n")
    assert b"\r" not in data


@pytest.mark.parametrize("form", WRITERS)
def test_standard_output_is_utf8_whatever_its_encoding(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put("in", {"doc_key": "東京", "sentences": [["Zürich"]], "clusters": [[[0, 0]]]})
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="ascii"))
    convert("in", "-", form)
    assert out.getvalue() == Path(convert("in", "out", form)).read_bytes()


def test_labels_are_kept_where_brackets_can_hold_them() -> None:
    put("in", "#begin document (k);\na\t(7)\nb\t(x_1)\n#end document\n")
    assert list(read(convert("in", "out", "conll"))[0].clusters) == ["7", "x_1"]


# Round trips


NAME = st.text("ab/_-.0 é", min_size=1, max_size=6)
WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
Value: TypeAlias = dict[str, Any]


@st.composite
def documents(draw: st.DrawFn, words: st.SearchStrategy[str] = WORD) -> Value:
    """Return a document of several sentences; mentions nest, cross and stand in two clusters."""
    sentences = draw(st.lists(st.lists(words, min_size=1, max_size=5), max_size=4))
    last = sum(map(len, sentences)) - 1
    span = st.tuples(st.integers(0, last), st.integers(0, last)).map(sorted)
    cluster = st.lists(span, min_size=1, max_size=4, unique_by=tuple)
    clusters = draw(st.lists(cluster, max_size=4)) if sentences else []
    return {"doc_key": draw(NAME), "sentences": sentences, "clusters": clusters}


def crosses(cluster: Cluster) -> bool:
    """Return whether brackets cannot tell two mentions apart: the first opened would close first.

    Two that share one token can be told: on a token mentions close before others open.
    """
    return any(a < c < b < d for a, b in cluster for c, d in cluster)


@given(values=st.lists(documents(), min_size=1, max_size=3, unique_by=lambda value: value["doc_key"]))
def test_jsonlines_hold_everything(values: Sequence[Value]) -> None:
    put("in", *values)
    convert("in", "out", "jsonlines", "-q")
    assert said(read("out")) == said(read("in"))


@given(value=documents())
def test_conll_holds_everything_or_is_refused(value: Value) -> None:
    put("in", value)
    Path("out").unlink(missing_ok=True)
    letters = "".join(chain.from_iterable(value["sentences"]))
    if any(map(crosses, value["clusters"])) or "\t" in letters or "\n" in letters:
        convert("in", "out", "conll", "-q", status=2)
        assert not Path("out").exists()
    else:
        convert("in", "out", "conll", "-q")
        assert said(read("out")) == said(read("in"))
        convert("out", "back", "jsonlines", "-q")
        assert said(read("back")) == said(read("in"))


def named(value: Value) -> list[list[str]]:
    """Return the mentions of a document as the converter calls them."""
    sizes = list(map(len, value["sentences"]))
    places = [(sentence, token) for sentence, size in enumerate(sizes) for token in range(size)]

    def name(first: int, last: int) -> str:
        (sentence, start), (other, end) = places[first], places[last]
        return f"{sentence}.{start}-{end}" if sentence == other else f"{sentence}.{start}-{other}.{end}"

    return [[name(*span) for span in cluster] for cluster in value["clusters"]]


@given(value=documents(words=st.just("w")))
def test_json_holds_the_clusters_by_name(value: Value) -> None:
    put("in", value)
    convert("in", "out", "clusters", "-q")
    assert list(json.loads(text("out"))["clusters"].values()) == named(value)


MENTION = st.one_of(st.text(max_size=3), st.integers(), st.lists(st.integers(), max_size=3))


@given(mentions=st.lists(MENTION, max_size=8, unique_by=repr), cuts=st.sets(st.integers(1, 7)))
def test_graph_and_clusters_hold_the_same(mentions: list[Any], cuts: set[int]) -> None:
    bounds = [0, *sorted(cuts), len(mentions)]
    members = [mentions[a:b] for a, b in pairwise(bounds)]
    clusters = {str(i): cluster for i, cluster in enumerate(members) if cluster}
    put("in", {"type": "clusters", "clusters": clusters})
    convert(convert("in", "there", "graph"), "back", "clusters")
    assert as_sets(json.loads(text("back"))["clusters"].values()) == as_sets(clusters.values())


# What cannot be kept


def tokens(*clusters: Cluster, words: Sequence[str] = "abcd", name: str = "k") -> Value:
    return {"doc_key": name, "sentences": [list(words)], "clusters": list(clusters)}


@pytest.mark.parametrize(
    ("value", "form", "why"),
    [
        (tokens([[0, 2], [1, 3]]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[1, 3], [0, 2]], [[0, 0]]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\tb", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\nb", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\0b", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name="k\nl"), "conll", '"k\\nl" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name="k\tl"), "conll", '"k\\tl" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name=""), "conll", '"" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], [[0, 1]]), "graph", 'a mention of "k" is in two clusters, which links would join'),
        ({"type": "clusters", "name": "k", "clusters": {"a": [1], "b": [1]}}, "graph", 'a mention of "k" is'),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused(
    value: Value, form: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", value)
    put("out", "there before")
    assert refusal(capsys, "in", "out", f"--to={form}").startswith(f"in: {why}")


@pytest.mark.parametrize("target", ["out", "out/"])
def test_one_document_that_cannot_be_kept_stops_the_others(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", tokens(name="a"), tokens(name="b"), tokens([[0, 2], [1, 3]]))
    assert refusal(capsys, "in", target, "--to=conll").startswith('in: "k" cannot be written')
    assert refusal(capsys, "in", "-", "--to=conll").startswith('in: "k" cannot be written')


def test_words_that_cannot_be_told_are_not_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", "#begin document (k);\na\tb\tc\t(1)\n#end document\n")
    for form in NEEDS_TOKENS:
        message = refusal(capsys, "in", "out", f"--to={form}")
        assert message == "in: line 2: cannot tell which of the 4 columns is the word"
    assert json.loads(text(convert("in", "out", "clusters")))["clusters"] == {"1": ["0.0-0"]}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"type": "clusters"}', 'in: $: the key "clusters" is missing'),
        ("#begin document (k);\nw\t(1\n#end document\n", 'in: line 2: a mention of entity "1"'),
        ("", "in: the file is empty"),
    ],
)
@pytest.mark.parametrize("target", ["out", "out/", "-"])
def test_an_input_that_cannot_be_read_is_refused(
    content: str, why: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", content)
    assert refusal(capsys, "in", target, "--to=graph").startswith(why)


# Mentions in two clusters


@pytest.mark.parametrize("form", ["jsonlines", "conll", "clusters"])
def test_a_mention_in_two_clusters_stays_in_both_with_a_warning(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", tokens([[0, 0], [1, 1]], [[1, 1]]))
    (document,) = read(convert("in", "out", form))
    assert [len(members) for members in document.clusters.values()] == [2, 1]
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(word in err for word in ("scorch2: warning: k: in: ", '"0.1-1"', "both are kept"))
    convert("in", "out", form, "--quiet")
    assert capsys.readouterr() == ("", "")


# Where: files, folders, streams


def test_several_documents_are_one_json_each() -> None:
    convert(GOLD, "out", "clusters")
    assert {name: json.loads(data)["name"] for name, data in found("out").items()} == {
        "wire_harbour_0001-000.json": "wire/harbour_0001-000",
        "wire_harbour_0001-001.json": "wire/harbour_0001-001",
        "wire_letter_0002-003.json": "wire/letter_0002-003",
    }


@pytest.mark.parametrize("target", ["out/", "there"])
@pytest.mark.parametrize(("form", "name"), [("jsonlines", "in.jsonl"), ("conll", "in.conll")])
def test_several_documents_are_one_file_where_it_can_hold_them(form: str, name: str, target: str) -> None:
    Path("there").mkdir()
    put("in.x", tokens(name="b"), tokens(name="a"))
    convert("in.x", target, form)
    assert list(found(target)) == [name]
    assert [document.id for document in read(os.path.join(target, name))] == ["b", "a"]


@pytest.mark.parametrize(("form", "name"), [("clusters", "k.json"), ("conll", "in.conll")])
def test_a_single_document_goes_into_a_folder_that_is_named_as_one(form: str, name: str) -> None:
    convert(put("in.x", tokens()), "out/", form)
    assert list(found("out")) == [name]


def test_names_that_would_meet_in_one_file_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", tokens(name="a/b"), tokens(name="A_B"))
    message = refusal(capsys, "in", "out", "--to=clusters")
    assert message.startswith('in: the documents "a/b" and "A_B" would both be written to A_B')


def test_several_documents_do_not_fit_standard_output_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(capsys, GOLD, "-", "--to=graph")
    assert message == "3 documents as graph need a folder, not standard output"


def test_several_documents_do_not_replace_a_file_by_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    put("out.json", SAME["clusters"])
    assert refusal(capsys, GOLD, "out.json", "--to=graph").startswith("out.json: ")


def test_standard_input_is_called_stdin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for target in ("-", "out/"):
        monkeypatch.setattr(
            "sys.stdin", io.TextIOWrapper(io.BytesIO(FASTCOREF.replace("name", "x").encode()))
        )
        convert("-", target, "clusters")
    assert list(found("out")) == ["stdin.json"]
    assert capsys.readouterr().out == text("out/stdin.json")


@pytest.mark.parametrize("form", WRITERS)
def test_packed_input_is_unpacked(form: str) -> None:
    convert(put("in.conll.gz", SAME["conll"]), "out", form)
    assert text("out") == SAME[form]


def test_the_name_of_a_packed_file_loses_both_suffixes() -> None:
    convert(put("in.conll.gz", SAME["conll"]), "out/", "jsonlines")
    assert list(found("out")) == ["in.jsonl"]


def test_converting_again_replaces_the_files_and_leaves_others() -> None:
    put("out/other.json", "1")
    put("out/wire_harbour_0001-000.json", "2")
    convert(GOLD, "out", "graph")
    first = found("out")
    assert first["other.json"] == b"1"
    assert first["wire_harbour_0001-000.json"] != b"2"
    convert(GOLD, "out", "graph")
    assert found("out") == first


def test_from_names_the_format_of_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", SAME["jsonlines"])
    assert text(convert("in", "out", "clusters", "--from=jsonlines")) == SAME["clusters"]
    message = refusal(capsys, "in", "out", "--to=clusters", "--from=conll")
    assert message.startswith("in: line 1: a token outside a document")


# Folder to folder


@pytest.mark.parametrize("form", WRITERS)
def test_a_folder_becomes_a_folder_of_the_same_stems(form: str) -> None:
    put("in/a.v2.conll", SAME["conll"])
    put("in/b.jsonlines.gz", SAME["jsonlines"])
    put("in/.hidden.conll", "#begin")
    convert("in", "out", form)
    extension = {"conll": "conll", "jsonlines": "jsonl", "tsv": "tsv", "are": "xml"}.get(form, "json")
    assert found("out") == {f"{stem}.{extension}": SAME[form].encode() for stem in ("a.v2", "b")}


def test_converted_folders_pair_like_the_folders() -> None:
    for side in ("gold", "sys"):
        put(f"{side}/all.conll", text(str(FOLDER / f"{side}.conll")))
        convert(side, f"{side}2", "jsonlines")
    assert (
        scorch2.score("gold2", "sys2").to_dict()["documents"]
        == scorch2.score("gold", "sys").to_dict()["documents"]
    )


def test_a_file_of_several_documents_in_a_folder_is_not_one_json(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.conll", SAME["conll"])
    put("in/b.conll", text(GOLD))
    path = os.path.join("in", "b.conll")
    message = refusal(capsys, "in", "out", "--to=clusters")
    assert message == f"{path}: holds 3 documents, and clusters holds one a file (convert it by itself)"
    convert("in", "out", "conll")
    assert [len(read(f"out/{name}")) for name in found("out")] == [1, 3]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("b.json", "{", f"{os.path.join('in', 'b.json')}: line 1, column 2: not JSON"),
        ("b.json", SAME["graph"], f'{os.path.join("in", "b.json")}: "k" has no tokens'),
        ("a.json", SAME["graph"], "in: several files for one document"),
    ],
)
def test_a_folder_with_one_bad_file_is_not_converted(
    name: str, content: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in/a.conll", SAME["conll"])
    put(f"in/{name}", content)
    assert refusal(capsys, "in", "out", "--to=jsonlines").startswith(why)


def test_a_folder_without_documents_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/.a.conll", SAME["conll"])
    assert refusal(capsys, "in", "out", "--to=jsonlines") == "in: no documents in the folder"


@pytest.mark.parametrize("target", ["-", "file"])
def test_a_folder_is_not_written_to_a_file(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    put("file", "1")
    message = refusal(capsys, "in", target, "--to=clusters")
    assert "folder" in message or message.startswith("file: ")


def test_sub_folders_are_named_and_not_entered(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    Path("in", "more").mkdir()
    convert("in", "out", "clusters")
    path = os.path.join("in", "more")
    assert capsys.readouterr().err == f"scorch2: warning: {path}: sub-folders are not entered\n"


# Inputs are never written to


def hard_link(target: str) -> None:
    os.link("in.jsonl", target)


def soft_link(target: str) -> None:
    os.symlink("in.jsonl", target)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("target", ["in.jsonl", "./in.jsonl", os.path.join("sub", "..", "in.jsonl")])
def test_a_file_is_not_converted_onto_itself(
    form: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in.jsonl", SAME["jsonlines"])
    Path("sub").mkdir()
    message = refusal(capsys, "in.jsonl", target, f"--to={form}")
    assert message == f"{target}: is an input and would be overwritten"


@LINKS
@pytest.mark.parametrize("link", [hard_link, soft_link])
@pytest.mark.parametrize("words", [["in.jsonl", "other"], ["other", "in.jsonl"]])
def test_a_file_is_not_converted_onto_a_link_to_it(
    link: Callable[[str], None], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    put("in.jsonl", SAME["jsonlines"])
    link("other")
    message = refusal(capsys, *words, "--to=conll")
    assert message == f"{words[1]}: is an input and would be overwritten"


@pytest.mark.parametrize(("source", "form"), [("in.jsonl", "jsonlines"), ("k.json", "clusters")])
def test_a_file_is_not_converted_into_its_folder_under_its_own_name(
    source: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(source, SAME["jsonlines"])
    assert refusal(capsys, source, ".", f"--to={form}").endswith("is an input and would be overwritten")


def test_a_folder_is_not_converted_onto_itself(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    put("in/b.json", SAME["clusters"])
    assert refusal(capsys, "in", "in", "--to=graph").endswith("would hold two files for a document")


@LINKS
def test_a_folder_is_not_converted_onto_a_link_to_another_input(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    put("in/b.json", SAME["clusters"])
    Path("out").mkdir()
    os.symlink("../in/a.json", "out/b.json")
    assert refusal(capsys, "in", "out", "--to=graph").endswith("is an input and would be overwritten")


# Writing fails


@pytest.mark.parametrize("target", ["out", "out/"])
def test_a_failing_write_leaves_what_was_there(
    target: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    put("in", SAME["jsonlines"])
    put(f"{target}in.conll" if target.endswith("/") else target, "there before")
    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in refusal(capsys, "in", target, "--to=conll")


# Usage


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "expected: scorch2 convert [options] --to=<format> [--] <in> <out> (see --help)"),
        (["in", "out"], "expected: scorch2 convert [options] --to=<format>"),
        (["in", "--to=graph"], "expected: scorch2 convert [options] --to=<format>"),
        (["a", "b", "c", "--to=graph"], "expected: scorch2 convert [options]"),
        (["in", "out", "--to=xml"], f'unknown format to write "xml" (known: {", ".join(WRITERS)})'),
        (["in", "out", "--to=graph", "--from=xml"], f'unknown format "xml" (known: {", ".join(FORMATS)})'),
        (["in", "out", "--to"], "--to needs a value"),
        (["in", "out", "--to=graph", "--to=conll"], "--to is given twice"),
        (["in", "out", "--too=graph"], 'unknown option "--too", did you mean --to? (see --help)'),
        (["nowhere", "out", "--to=graph"], "nowhere: No such file or directory"),
        (["in", "no/out", "--to=graph"], "no/out: no such folder: no"),
        (["in", "no/out/", "--to=graph"], "no/out/: No such file or directory"),
        (["in", "--to=graph", "--", "-x"], "-x: an output cannot start with a dash (write ./-x)"),
    ],
)  # fmt: skip
def test_usage_errors(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("in", SAME["jsonlines"])
    assert refusal(capsys, *words).startswith(why)


def test_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--help"]) == 0
    usage = capsys.readouterr().out
    assert all(name in usage for name in FORMATS)
