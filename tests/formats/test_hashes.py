"""The SHA-256 of documents: which bytes are hashed, of each format, wherever and however they are read.

What is expected is computed with hashlib, of bytes that the tests write: a part of `PARTS` is a document.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from every import every
from examples import EXAMPLES, path_of

import scorch2
from scorch2.cli.main import main
from scorch2.formats.chunks import Chunk, hashed_stream, read_hashed_chunk
from scorch2.formats.reading import stream
from scorch2.workers import tasks

Hashes = Mapping[str, str]
pytestmark = pytest.mark.usefixtures("folder")


def put(path: str, content: bytes | str) -> str:
    Path(path).parent.mkdir(exist_ok=True, parents=True)
    Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def sha(content: bytes | str) -> str:
    return sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def found(path: str, format: str | None = None) -> list[tuple[str, str]]:
    return [(one.id, one.sha256.hex()) for one in hashed_stream(path, format)]


def inputs(gold: str, system: str, **chosen: Any) -> Mapping[str, Any]:
    read = scorch2.score(gold, system, **chosen).inputs
    assert read is not None
    return read


def row(name: str, **more: Any) -> str:
    clusters = [[[0, 0], [1, 1]]]
    return json.dumps({"doc_key": name, "sentences": [["a", name]], "clusters": clusters, **more})


def conll(name: str) -> str:
    return f"#begin document ({name}); part 000\n{name} 0 0 a (1)\n{name} 0 1 b (1)\n\n#end document"


def conllu(name: str) -> str:
    return f"# newdoc id = {name}\n1\tä\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n"


PARTS: Mapping[str, Sequence[str]] = {
    "conll": [conll("é"), conll("b"), conll("c")],
    "corefud": ["# global.Entity = eid\n" + conllu("a"), conllu("b"), conllu("c")],
    "stanza": [conllu(name).replace("Entity=(e1)", "coref_chains=unit-id1") for name in "abc"],
    "ua": [
        f"# newdoc id = {name}\n1\tä\t_\t_\t_\t_\t0\t_\t_\t_\t(EntityID=1|MarkableID=m1)\t_\t_\t_\t_\t_\n"
        for name in "abc"
    ],
    "jsonlines": [row("a"), row("ä"), row("c", speakers=[["x", "y"]])],
    "aida": [f"-DOCSTART- ({name})\nä\tB\tä\tE\n\n" for name in "abc"],
    "markdown": [f"# newdoc id = {name}\n[ä](#c1) [b](#c1)\n" for name in "abc"],
    "tagged": [f"# newdoc id = {name}\n<m>ä</m>#1 <m>b</m>#1\n" for name in "abc"],
    "bracketed": [f"# newdoc id = {name}\n[ä]_1 [b]_1\n" for name in "abc"],
    "plaintext": ["ä|[e1] b|[e1]", "b|[e2]", "c d|[e1]"],
}
"""Files of three documents, cut where the lines of each begin and end."""


@every("name", PARTS)
def test_a_document_of_many_has_its_own_lines(name: str) -> None:
    parts = PARTS[name]
    expected = [sha(part.rstrip("\r\n")) for part in parts]
    for end in ("\n", "\n\n"):
        assert [one for _, one in found(put("d.txt", end.join(parts)), name)] == expected
    windows = [part.replace("\n", "\r\n") for part in parts]
    hashed = [one for _, one in found(put("w.txt", "\r\n".join(windows)), name)]
    assert hashed == [sha(part.rstrip("\r\n")) for part in windows], "line ends are bytes like others"
    bom = found(put("bom.txt", b"\xef\xbb\xbf" + "\n".join(parts).encode()), name)
    if name != "jsonlines":  # a file of rows that begins so is not taken apart
        assert [one for _, one in bom] == [sha(b"\xef\xbb\xbf" + parts[0].rstrip().encode()), *expected[1:]]


def test_rows_are_documents_below_a_header_and_in_a_text_with_marks() -> None:
    header = "ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL".replace(" ", "\t")
    rows = [f"{name}\tHe saw Tom and Jim\tHe\t0\tTom\t7\tTRUE\tJim\t15\tFALSE\tu" for name in "ab"]
    expected = [("a", sha(f"{header}\n{rows[0]}")), ("b", sha(rows[1]))]
    assert found(put("gap.tsv", "\n".join([header, *rows, ""]))) == expected
    texts = [json.dumps({"id": name, "text": "<m>Tom</m>#1 <m>he</m>#1"}) for name in "ab"]
    expected = [(name, sha(text)) for name, text in zip("ab", texts, strict=True)]
    assert found(put("d.jsonl", "\n".join(texts)), "tagged") == expected


@every("name", EXAMPLES)
def test_a_file_of_one_document_is_hashed_as_it_is(name: str) -> None:
    data = EXAMPLES[name].encode()
    path = put(f"{name}/{path_of(name, 'example').name}", data)
    read = found(path, name)
    assert {one for _, one in read} == {sha(data)}
    assert found(put(f"z/{path}.gz", gzip.compress(data)), name) == read, "the decompressed bytes count"
    assert not any(one.sha256 for one in stream(path, name)), "who does not ask pays nothing"


def test_documents_that_share_lines_share_the_hash() -> None:
    table = "doc_id,start,end,cluster\na,0,0,1\nb,0,1,1\na,2,2,1\n"
    assert found(put("d.csv", table)) == [("a", sha(table)), ("b", sha(table))]
    both = json.dumps({"a": [[[0, 0], [1, 1]]], "b": [[[0, 0]]]}, indent=1)
    assert found(put("d.json", both)) == [("a", sha(both)), ("b", sha(both))]
    glued = f"{row('a')}\n{row('b')}{row('c')}\n"  # a line feed was lost where two files were joined
    assert found(put("g.jsonl", glued)) == [(name, sha(glued)) for name in "abc"]
    listed = f"[{row('a')},\n{row('b')}]"
    assert found(put("l.json", listed)) == [(name, sha(listed)) for name in "ab"]
    typed = '{"type": "clusters", "clusters": {}}\n'
    assert found(put("t.json", typed)) == [("t", sha(typed))]


def test_lines_before_the_first_document_belong_to_it() -> None:
    file = "# global.Entity = eid\n\n" + conllu("a") + "\n" + conllu("b")
    first, second = file.split("\n# newdoc id = b")
    assert found(put("d.conllu", file)) == [
        ("a", sha(first.rstrip("\n"))),
        ("b", sha(f"# newdoc id = b{second}".rstrip("\n"))),
    ]
    nameless = (
        "# global.Entity = eid\n" + conllu("x").partition("\n")[2]
    )  # words before newdoc are a document
    file = f"{nameless}\n{conllu('b')}"
    wanted = [("1", sha(nameless.rstrip("\n"))), ("b", sha(conllu("b").rstrip("\n")))]
    assert found(put("e.conllu", file)) == wanted


@pytest.mark.parametrize(("form", "suffix"), [("brat", "txt"), ("glozz", "ac")])
def test_the_text_beside_follows_its_file(form: str, suffix: str) -> None:
    example = EXAMPLES[form]
    path, text = put(path_of(form, "d").name, example), "Ann saw her dog, and he saw her.\n" * 9
    assert found(path) == [("d", sha(example))]
    put(f"d.{suffix}", text)
    assert found(path) == [("d", sha(example + text))], "cat d.ann d.txt | sha256sum"


def test_rows_may_move_and_files_too() -> None:
    rows = [row(f"d{number}") for number in range(6)]
    put("g/a.jsonl", "\n".join(rows))
    Random(1).shuffle(rows)  # noqa: S311 - a sample, not a secret
    put("h/a.jsonl", "\n".join([*rows, ""]))
    one, other = (inputs(side, side, pair="name") for side in ("g", "h"))
    assert one == other
    assert list(one["gold"]) != list(other["gold"])


# Reports


def test_the_report_names_documents_as_it_does_elsewhere() -> None:
    for side in ("g", "s"):
        put(f"{side}/x/d.conll", conll("d") + "\n")
        put(f"{side}/m.conll", f"{conll('a')}\n{conll('b')}\n")
    found = inputs("g", "s")
    hashes = {"m/a-000": sha(conll("a")), "m/b-000": sha(conll("b")), "x/d": sha(conll("d") + "\n")}
    assert found["gold"] == found["system"] == hashes
    pairs = [["m/a-000", "a-000", "a-000"], ["m/b-000", "b-000", "b-000"], ["x/d", "d-000", "d-000"]]
    assert found["pairing"] == sha(json.dumps([pairs, []]))
    assert list(found) == ["gold", "system", "pairing"]


def test_what_is_left_out_is_of_the_pairing() -> None:
    put("g.jsonl", f"{row('a')}\n{row('ß')}\n{row('c')}\n")
    put("s.jsonl", f"{row('a')}\n{row('x')}\n")
    with pytest.warns(scorch2.ScorchWarning):
        empty, skipped = (
            inputs("g.jsonl", "s.jsonl", missing=missing, extra="skip") for missing in ("empty", "skip")
        )
    assert sorted(empty["gold"]) == ["a", "c", "ß"]
    assert list(empty["system"]) == ["a"], "the empty document that stands for a missing one has no bytes"
    alone = [["extra", "x"], ["missing", "c"], ["missing", "ß"]]
    pairs = [["a", "a", "a"], ["c", "c", "c"], ["ß", "ß", "ß"]]
    assert empty["pairing"] == sha(json.dumps([pairs, alone], ensure_ascii=False))
    assert skipped["gold"] == {"a": sha(row("a"))}
    assert skipped["pairing"] == sha(json.dumps([pairs[:1], alone], ensure_ascii=False))


def test_joined_documents_are_hashed_one_by_one() -> None:
    for name in ("1/a", "1/b", "2/c"):
        put(f"g/{name}.conll", conll(name) + "\n")
    with pytest.warns(scorch2.ScorchWarning):
        found = inputs("g", "g", documents="topic", ids="shared")
    assert found["gold"] == {name: sha(conll(name) + "\n") for name in ("1/a", "1/b", "2/c")}


def test_windows_are_hashed_in_their_order() -> None:
    words = {"d#10": "c", "d#2": "b", "d#1": "a"}
    put("s.jsonl", "\n".join(row(name, sentences=[[word, word]]) for name, word in words.items()))
    put("g.jsonl", row("d", sentences=[["a", "a", "b", "b", "c", "c"]]))
    system = inputs("g.jsonl", "s.jsonl", align="text", join_windows="(.+)#[0-9]+")["system"]
    windows = [sha(row(name, sentences=[[words[name]] * 2])) for name in ("d#1", "d#2", "d#10")]
    assert system == {"g": sha(bytes.fromhex("".join(windows)))}


def test_other_files_are_hashed_by_their_option() -> None:
    put("g.jsonl", row("d"))
    tagged, listed = "d\t0\t0\tPER\n", "g,0\n"
    put("c.tsv", tagged)
    put("l.csv", listed)
    found = inputs("g.jsonl", "g.jsonl", sys_categories="c.tsv", sentences="l.csv")
    assert found["files"] == {"sentences": sha(listed), "sys_categories": sha(tagged)}


def test_what_cannot_be_scored_has_no_hash() -> None:
    broken = conll("b").replace("(1)", "(1")
    put("g.conll", f"{conll('a')}\n{broken}\n{conll('c')}\n")
    put("s.conll", "".join(f"{conll(name)}\n" for name in "abc"))
    with pytest.warns(scorch2.ScorchWarning, match="left out"):
        found = inputs("g.conll", "s.conll", invalid="skip")
    assert found["gold"] == found["system"] == {f"{name}-000": sha(conll(name)) for name in "ac"}
    pairs = [[f"{name}-000"] * 3 for name in "ac"]
    assert found["pairing"] == sha(json.dumps([pairs, [["invalid", "b-000"]]]))


def test_clusters_in_python_have_no_hashes() -> None:
    put("g.jsonl", row("d"))
    read = scorch2.read("g.jsonl")
    for report in (
        scorch2.score([["a", "b"]], [["a", "b"]]),
        scorch2.score(read, read),
        scorch2.score("g.jsonl", "g.jsonl", hashes=False),
    ):
        assert report.inputs is None
        assert "inputs" not in report.to_dict()
    with pytest.raises(scorch2.UsageError, match="hashes is True or False"):
        scorch2.score("g.jsonl", "g.jsonl", hashes="no")  # type: ignore[arg-type]  # refused


@pytest.mark.parametrize(
    ("words", "hashed"),
    [
        (["-f", "json", "-o", "r.json"], True),
        (["-o", "r.json"], True),
        (["-f", "table", "--report=json:r.json"], True),
        (["-o", "r.json", "--no-hashes"], False),
        (["--baseline=r.json", "--update-baseline", "--max-drop=muc=5"], True),
    ],
)
def test_the_command_hashes_for_json_alone(words: list[str], hashed: bool) -> None:
    put("g.jsonl", row("d"))
    if "--update-baseline" in words:
        assert main(["-q", "g.jsonl", "g.jsonl", "-o", "r.json", "--no-hashes"]) == 0
    assert main(["-q", *words, "g.jsonl", "g.jsonl"]) == 0
    stored = json.loads(Path("r.json").read_text("utf-8"))
    assert ("inputs" in stored) == hashed


# Workers


@pytest.mark.parametrize("name", ["conll", "corefud", "jsonlines"])
def test_workers_and_chunks_find_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LARGE", 1)
    monkeypatch.setattr(tasks, "CHUNK", 100)
    texts = {"conll": conll, "corefud": conllu, "jsonlines": row}
    parts = [texts[name](f"d{number}") for number in range(9)]
    first = "# global.Entity = eid\n" if name == "corefud" else ""
    path = put("g.txt", first + "\n".join(parts) + "\n")
    expected = inputs(path, path)
    wanted = [sha(part.rstrip("\n")) for part in parts]
    assert list(expected["gold"].values())[1:] == wanted[1:]
    assert inputs(path, path, jobs=2) == expected


def test_a_chunk_whose_rows_are_no_documents_is_left_to_the_whole_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A later row is an object of several documents: rows and documents are not the same number."""
    monkeypatch.setattr(tasks, "LARGE", 1)
    monkeypatch.setattr(tasks, "CHUNK", 10)
    parts = [{"part_id": part, "words": ["a", "b"], "coref_spans": [[0, 0, 0]]} for part in (0, 1)]
    several = json.dumps({"document_id": "x", "sentences": parts})
    path = put("g.jsonl", f"{row('a')}\n{row('b')}\n{several}\n")
    assert inputs(path, path, jobs=2) == inputs(path, path)
    with pytest.raises(scorch2.InputError, match="do not begin where its lines say"):
        read_hashed_chunk(Chunk(path, "jsonlines", 0, Path(path).stat().st_size, 1, 3))
