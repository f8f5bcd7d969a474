"""scorch2 convert: which files and folders it writes, and which it never touches."""

import gzip
import io
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from conversion import FASTCOREF, FOLDER, GOLD, convert, found, put, refusal, text, tokens
from every import every
from examples import SAME, WRITERS

import scorch2
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.formats.table import FORMATS, format_names

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need special rights")
pytestmark = pytest.mark.usefixtures("folder")

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


@pytest.mark.parametrize(
    ("form", "target", "meant"),
    [("clusters", "all.json", "all"), ("are", "o2.xml", "o2"), ("graph", "v1/o.conll.gz", "v1/o")],
)
def test_several_documents_do_not_make_a_folder_called_like_a_file(
    form: str, target: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(capsys, GOLD, target, f"--to={form}")
    assert (
        message == f"{target}: {form} holds one document per file: name a folder, {meant}{os.sep} for example"
    )


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


def test_a_name_that_says_so_is_packed() -> None:
    convert(put("in.conll", SAME["conll"]), "out.jsonl.gz", "jsonlines")
    packed = Path("out.jsonl.gz").read_bytes()
    assert gzip.decompress(packed).decode() == SAME["jsonlines"]
    convert("in.conll", "out.jsonl.gz", "jsonlines")
    assert Path("out.jsonl.gz").read_bytes() == packed  # no time in it


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
def test_a_pipe_that_says_so_is_packed_and_stays_a_pipe() -> None:
    put("in.conll", SAME["conll"])
    os.mkfifo("out.gz")
    with ThreadPoolExecutor(1) as pool:
        packed = pool.submit(Path("out.gz").read_bytes)
        convert("in.conll", "out.gz", "jsonlines")
        assert gzip.decompress(packed.result()).decode() == SAME["jsonlines"]
    assert Path("out.gz").is_fifo()


def test_the_name_of_a_packed_file_loses_both_suffixes() -> None:
    convert(put("in.conll.gz", SAME["conll"]), "out/", "jsonlines")
    assert list(found("out")) == ["in.jsonl"]


def test_converting_again_replaces_the_files_and_leaves_others() -> None:
    put("out/other.json", "1")
    old = put("out/wire_harbour_0001-000.json", SAME["graph"])
    convert(GOLD, "out", "graph")
    first = found("out")
    assert first["other.json"] == b"1"
    assert text(old) != SAME["graph"]
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
    row = FORMATS[form]
    files = {name: data for name, data in found("out").items() if not name.endswith(row.text_beside or "?")}
    assert files == {f"{stem}{row.suffixes[0]}": SAME[form].encode() for stem in ("a.v2", "b")}


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
    assert (
        message
        == f"{path}: holds 3 documents, and clusters holds one document per file (convert it by itself)"
    )
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


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("-", "a folder is converted to a folder as clusters, not to standard output"),
        ("file", "file: clusters holds one document per file: name a folder"),
        (
            "out.json",
            f"out.json: clusters holds one document per file: name a folder, out{os.sep} for example",
        ),
        (
            "out.jsonl.gz",
            f"out.jsonl.gz: clusters holds one document per file: name a folder, out{os.sep} for example",
        ),
    ],
)
def test_a_folder_is_not_written_to_one_file_where_that_holds_one_document(
    target: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in/a.json", SAME["graph"])
    put("file", "1")
    assert refusal(capsys, "in", target, "--to=clusters") == message


@every("form", format_names(lambda row: row.writer and not row.one_document), apart=True)
@every(
    "target",
    ["all.jsonl", "all.jsonlines", "all.JSONL", "all.conll", "all.tsv", "all.tsv.gz", "there", "-"],
    apart=True,
)
def test_a_folder_becomes_one_file_of_all_documents(
    form: str, target: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    put("in/a.conll", SAME["conll"])
    put("in/b.jsonl", SAME["jsonlines"].replace('"k"', '"l"'))
    put("there", SAME[form])
    convert("in", target, form)
    data = capsysbinary.readouterr().out if target == "-" else Path(target).read_bytes()
    data = gzip.decompress(data) if target.endswith(".gz") else data
    put("found", data.decode("utf-8"))
    names = ["1", "2"] if FORMATS[form].named_by_file else ["k", "l"]
    assert [document.id for document in read("found", form)] == names
    assert data.decode("utf-8").startswith(SAME[form].rstrip("]\n"))


def test_one_file_of_a_folder_scores_like_the_folder() -> None:
    for side in ("gold", "sys"):
        convert(str(FOLDER / f"{side}.conll"), side, "clusters")
        convert(str(FOLDER / f"{side}.conll"), f"{side}.d/", "jsonlines")
        convert(f"{side}.d", f"{side}.conll", "conll")
    assert (
        scorch2.score("gold.conll", "sys.conll").to_dict()["scores"]
        == scorch2.score("gold", "sys").to_dict()["scores"]
    )


@pytest.mark.parametrize("target", ["out.jsonl/", "made.jsonl"])
def test_a_folder_may_be_called_like_a_file(target: str) -> None:
    put("in/a.conll", SAME["conll"])
    Path("made.jsonl").mkdir()
    convert("in", target, "jsonlines")
    assert found(target) == {"a.jsonl": SAME["jsonlines"].encode()}


def test_two_documents_of_one_name_do_not_go_to_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.conll", SAME["conll"])
    put("in/b.jsonl", SAME["jsonlines"])
    one, other = os.path.join("in", "a.conll"), os.path.join("in", "b.jsonl")
    message = refusal(capsys, "in", "all.jsonl", "--to=jsonlines")
    assert message == f'{other}: document "k" is in {one} too (convert to a folder)'


def test_one_file_of_a_folder_is_not_written_into_it(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.conll", SAME["conll"])
    target = os.path.join("in", "all.jsonl")
    assert "lies in an input folder" in refusal(capsys, "in", target, "--to=jsonlines")


def test_sub_folders_are_converted_to_sub_folders(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    Path("in", "bc", "00").mkdir(parents=True)
    put("in/bc/00/b.json", SAME["graph"])
    convert("in", "out", "clusters")
    assert capsys.readouterr().err == ""
    assert sorted(path.relative_to("out").as_posix() for path in Path("out").rglob("*.json")) == [
        "a.json",
        "bc/00/b.json",
    ]


def test_folders_that_were_made_are_removed_if_nothing_can_be_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("in", "bc").mkdir(parents=True)
    put("in/bc/a.json", SAME["graph"])
    Path("out", "bc", "a.json").mkdir(parents=True)
    Path("in", "bn").mkdir()
    put("in/bn/b.json", SAME["graph"])
    refusal(capsys, "in", "out", "--to=clusters")
    assert sorted(path.as_posix() for path in Path("out").rglob("*")) == ["out/bc", "out/bc/a.json"]


def test_a_folder_is_not_converted_into_itself(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    target = os.path.join("in", "out")
    message = refusal(capsys, "in", target, "--to=clusters")
    assert message == f"{target}: lies in the input, and the next run would read it, too"
    assert not Path(target).exists()


def test_a_choice_among_files_is_for_folders(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.json", SAME["graph"])
    put("in/a.md", "notes")
    assert "several files for one document" in refusal(capsys, "in", "out", "--to=clusters")
    convert("in", "out", "clusters", "--files=*.json")
    assert list(found("out")) == ["a.json"]
    message = refusal(capsys, "in/a.json", "b.json", "--to=clusters", "--files=*.json")
    assert message == "--files is for folders, and in/a.json is not one"


# Inputs are never written to


def hard_link(target: str) -> None:
    os.link("in.jsonl", target)


def soft_link(target: str) -> None:
    os.symlink("in.jsonl", target)


@every("form", WRITERS, apart=True)
@every("target", ["in.jsonl", "./in.jsonl", os.path.join("sub", "..", "in.jsonl")], apart=True)
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
    put(f"{target}in.conll" if target.endswith("/") else target, SAME["conll"])
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
        (["in", "out", "--to=pdf"], f'unknown format to write "pdf" (known: {", ".join(WRITERS)})'),
        (["in", "out", "--to=graph", "--from=pdf"], f'unknown format "pdf" (known: {", ".join(FORMATS)})'),
        (["in", "out", "--to"], "--to needs a value"),
        (["in", "out", "--to=graph", "--to=conll"], "--to is given twice"),
        (["in", "out", "--too=graph"], 'unknown option "--too", did you mean --to? (see --help)'),
        (["nowhere", "out", "--to=graph"], "nowhere: no such file or folder"),
        (["in", "no/out", "--to=graph"], "no/out: no such folder: no"),
        (["in", "no/out/", "--to=graph"], "no/out/: no such folder: no"),
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


@pytest.mark.parametrize(("name", "form"), [("\ufeffk", "tsv"), ("\ufeff", "tsv")], ids=["mark", "only"])
def test_a_file_that_would_be_read_differently_is_not_written(
    name: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in.jsonl", tokens([[0, 0], [1, 1]], name=name))
    put("out", "there before")
    message = refusal(capsys, "in.jsonl", "out", f"--to={form}")
    assert message.startswith("in.jsonl: ")
    assert "would be read differently" in message


def test_a_file_that_would_be_taken_for_another_format_is_not_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows of a document called COREF look like LitBank's."""
    put("in.jsonl", tokens([[0, 0], [1, 1]], name="COREF"))
    why = '"COREF" cannot be written as tsv: it would be read differently (it would be taken for litbank)'
    assert refusal(capsys, "in.jsonl", "out", "--to=tsv") == f"in.jsonl: {why}"


def test_offsets_that_a_format_cannot_hold_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    put("in.tsv", f"k\t0\t{'9' * 18}\tA\n")
    assert "would be read differently" in refusal(capsys, "in.tsv", "out", "--to=are")


@every("content", ["", "\n \n\t\n", "# a comment\n", "# newdoc id = d\n", "\ufeff"])
@every("source", FORMATS)
def test_a_file_without_words_is_converted_or_refused(
    source: str, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put("in", content)
    for form, words in product(format_names(lambda row: row.writer), ([], ["--blind=mentions"], ["--lossy"])):
        status = main(["convert", "-q", f"--from={source}", f"--to={form}", *words, path, "-"])
        err = capsys.readouterr().err
        assert status in (0, 2), form
        assert (err == "") == (status == 0)
        assert "internal error" not in err


@pytest.mark.parametrize(
    "words", [["validate", "--format=plaintext"], ["convert", "--to=crac", "--from=plaintext"]]
)
def test_a_plain_text_without_words_is_empty(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, put("in", "\n \n"), *(["-"] if words[0] == "convert" else [])]) != 0
    out, err = capsys.readouterr()
    assert "in: the file is empty" in out + err
