"""conll2json: one clusters JSON a document, all of them or none, and never outside the target folder."""

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorch2.cli.main import main

CLUSTERS = '{"type": "clusters", "clusters": {"old": ["m1", "m2"]}}'
CONLL = Path(__file__).parent.parent.parent / "fixtures" / "conll"


def document(name: str, *cells: str, part: str = "") -> str:
    """Return a CoNLL document of these cells; an empty one is a sentence break."""
    rows = [f"w\t{cell}" if cell else "" for cell in cells or ("(1)",)]
    return "\n".join([f"#begin document ({name});{part}", *rows, "#end document"]) + "\n"


pytestmark = pytest.mark.usefixtures("folder")


def convert(text: str, *words: str, status: int = 0) -> dict[str, Any]:
    """Convert a file x.conll and return what stands in all other files, by their path."""
    Path("x.conll").write_text(text, encoding="utf-8")
    assert main(["conll2json", "x.conll", *words]) == status
    return found()


def found() -> dict[str, Any]:
    paths = sorted(path for path in Path().rglob("*") if path.is_file() and path.name != "x.conll")
    return {path.as_posix(): json.loads(path.read_bytes().decode("utf-8")) for path in paths}


def refusal(text: str, *words: str, capsys: pytest.CaptureFixture[str]) -> str:
    before = found()
    assert convert(text, *words, status=2) == before
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("scorch2: error: ").rstrip("\n")


# What is written


def test_the_tokens_are_written_if_they_are_asked_for() -> None:
    text = document("d", "(3|(7", "7)", "", "3)")
    clusters = {"3": ["0.0-1.0"], "7": ["0.0-1"]}
    plain = {"type": "clusters", "name": "d", "clusters": clusters}
    assert convert(text)["d.json"] == plain
    written = convert(text, "--sentences")["d.json"]
    assert written == {**plain, "sentences": [["w", "w"], ["w"]]}


def test_a_folder_may_have_tokens_too(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "a.conll").write_text(document("d", "(1)"), encoding="utf-8")
    assert main(["conll2json", "--sentences", "in", "out"]) == 0
    (written,) = (folder / "out").iterdir()
    assert json.loads(written.read_text("utf-8"))["sentences"] == [["w"]]


def test_mention_ids_are_sentence_and_tokens_counted_from_0() -> None:
    text = document("d", "(3|(7", "7)", "-", "", "(7)", "(8", "", "8)|3)", "", "", "(9", "-", "9)")
    clusters = {"3": ["0.0-2.0"], "7": ["0.0-1", "1.0-0"], "8": ["1.1-2.0"], "9": ["3.0-2"]}
    assert {name: sorted(ids) for name, ids in convert(text)["d.json"]["clusters"].items()} == clusters


def test_a_file_is_called_name_and_part_with_slashes_as_underscores() -> None:
    text = (
        document("bc/cctv/00/cctv_0000", part=" part 000") + document("a.b-c", part=" part 7") + document("e")
    )
    expected = {
        "bc_cctv_00_cctv_0000-000.json": "bc/cctv/00/cctv_0000-000",
        "a.b-c-7.json": "a.b-c-7",
        "e.json": "e",
    }
    assert {file: value["name"] for file, value in convert(text).items()} == expected


def test_it_is_clusters_json_in_utf8_with_a_line_end() -> None:
    convert(document("東京", "(Zürich)"))
    data = Path("東京.json").read_bytes()
    expected = {"type": "clusters", "name": "東京", "clusters": {"Zürich": ["0.0-0"]}}
    assert json.loads(data) == expected
    assert "Zürich".encode() in data
    assert data.endswith(b"}\n")
    assert data.count(b"\n") == 1


@pytest.mark.parametrize("begin", ["# begin document ", "#begin document", "#begin document ();"])
def test_a_document_without_a_name_is_called_as_its_file(begin: str) -> None:
    assert list(convert(f"{begin}\nw\t(1)\n#end document\n")) == ["x.json"]


def test_a_document_without_mentions_is_written_too() -> None:
    assert convert(document("d", "-"))["d.json"]["clusters"] == {}


# Where


def test_files_go_beside_the_input(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "y.conll").write_text(document("d"), encoding="utf-8")
    assert main(["conll2json", "in/y.conll"]) == 0
    assert sorted(path.name for path in (folder / "in").iterdir()) == ["d.json", "y.conll"]


def test_standard_input_goes_to_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    text = document("d", "(é)") + "# begin document \n#end document\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii"))
    assert main(["conll2json", "-"]) == 0
    assert list(found()) == ["d.json", "stdin.json"]


@pytest.mark.parametrize("target", ["out", "./out/", "a/../out"])
def test_a_folder_is_made_if_it_is_not_there(target: str) -> None:
    Path("a").mkdir()
    assert list(convert(document("d"), target)) == ["out/d.json"]


def test_existing_files_are_replaced_and_others_stay() -> None:
    Path("out").mkdir()
    Path("out", "d.json").write_text(CLUSTERS, encoding="utf-8")
    Path("out", "e.json").write_text("[2]", encoding="utf-8")
    assert convert(document("d"), "out") == {
        "out/d.json": {"type": "clusters", "name": "d", "clusters": {"1": ["0.0-0"]}},
        "out/e.json": [2],
    }


def test_converting_again_gives_the_same_bytes() -> None:
    convert(document("d", "(2)|(1", "1)|(3)"), "out")
    before = Path("out", "d.json").read_bytes()
    convert(document("d", "(2)|(1", "1)|(3)"), "out")
    assert Path("out", "d.json").read_bytes() == before


# Names come from text of others


@pytest.mark.parametrize(
    "name",
    [
        "../evil", "../../evil", "..", ".", "/etc/evil", "a/../../b", "a\\..\\b", ".hidden", "-rf", "c:evil",
        "nul", "CON", "com1.txt", "aux.", "a b", "  d", "a\tb", "a\x1b[31mb", "a\u202eb", "a:b", "*", "?",
        "x" * 300, "é" * 200,
    ],
)  # fmt: skip
def test_a_name_becomes_one_safe_file_in_the_folder(name: str, folder: Path) -> None:
    ((file, value),) = convert(document(name), "out").items()
    assert value["name"] == name
    parent, _, base = file.partition("/")
    assert parent == "out"
    assert all(letter.isalnum() or letter in "._-" for letter in base)
    assert base.endswith(".json")
    assert base[0] not in ".-"
    assert base.split(".")[0].casefold() not in ("con", "nul", "aux", "com1")
    assert len(base.encode()) <= 255 - len(".scorch2.99999.999.tmp.old")
    assert sorted(path.name for path in folder.iterdir()) == ["out", "x.conll"]


@pytest.mark.parametrize(
    ("one", "other"), [("a/b", "a_b"), ("Doc", "doc"), ("x" * 300, "x" * 301), ("a b", "a*b")]
)
def test_names_that_would_meet_in_one_file_are_refused(
    one: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(document(one) + document(other), "out", capsys=capsys)
    assert message.startswith("x.conll: the documents ")
    assert "would both be written to" in message
    assert f'"{one[:40]}' in message
    assert f'"{other[:40]}' in message
    assert not Path("out").exists(), "a refused file must leave no folder"


def test_two_documents_of_one_name_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(document("a") * 2, capsys=capsys) == (
        'x.conll: line 4: a second document is called "a", as on line 1'
    )


@pytest.mark.skipif(os.name == "nt", reason="links need special rights")
def test_a_link_in_the_folder_does_not_lead_out_of_it(folder: Path) -> None:
    (folder / "outside.json").write_text("[]", encoding="utf-8")
    (folder / "out").mkdir()
    (folder / "out" / "d.json").symlink_to("../outside.json")
    (folder / "x.conll").write_text(document("d"), encoding="utf-8")
    main(["conll2json", "x.conll", "out"])
    assert (folder / "outside.json").read_text("utf-8") == "[]"


def test_the_input_is_not_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "d.json").write_text(document("d"), encoding="utf-8")
    assert main(["conll2json", "d.json"]) == 2
    path = os.path.join(".", "d.json")
    assert capsys.readouterr().err == f"scorch2: error: {path}: is an input and would be overwritten\n"
    assert (folder / "d.json").read_text("utf-8") == document("d")


# All or nothing


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (document("b", "(1"), 'line 5: a mention of entity "1" begins here'),
        (document("b", "dog"), "line 5: the coreference cell"),
        ("#begin document (b);\n", 'line 4: the document "b" has no #end document line'),
        (document("a"), "line 4: a second document"),
    ],
)
@pytest.mark.parametrize("target", [[], ["out"]])
def test_a_broken_document_leaves_no_file_of_the_others(
    second: str, why: str, target: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(document("a") + second, *target, capsys=capsys).startswith(f"x.conll: {why}")
    assert os.listdir(folder) == ["x.conll"]


@pytest.mark.parametrize("failing", range(1, 4))
@pytest.mark.parametrize("call", ["write", "replace", "link"])
def test_a_failing_write_restores_what_was_there(
    call: str, failing: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old: Mapping[str, Any] = {f"out/{name}.json": json.loads(CLUSTERS) | {"name": name} for name in "abc"}
    Path("out").mkdir()
    for path, value in old.items():
        Path(path).write_text(json.dumps(value), encoding="utf-8")
    if call == "link":  # a file system without hard links, and a full one
        monkeypatch.setattr(os, "link", failing_at(1, os.link, times=99))
        call = "replace"
    monkeypatch.setattr(os, call, failing_at(failing, getattr(os, call)))
    text = document("a") + document("b") + document("c")
    assert convert(text, "out", status=2) == old
    assert sorted(os.listdir("out")) == ["a.json", "b.json", "c.json"]
    assert "No space left on device" in capsys.readouterr().err


def test_a_second_name_that_cannot_be_given_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    convert(document("a") + document("b"), "out")
    before = found()

    monkeypatch.setattr(os, "link", failing_at(1, os.link, times=99))
    monkeypatch.setattr(os, "write", failing_at(3, os.write))  # two files, then the copies of the old ones
    assert convert(document("a", "(2)") + document("b", "(2)"), "out", status=2) == before


@pytest.mark.parametrize("failing", range(1, 3))
def test_a_failing_write_removes_what_was_new(
    failing: int, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(os, "replace", failing_at(failing, os.replace))
    assert convert(document("a") + document("b"), "out", status=2) == {}
    assert os.listdir(folder) == ["x.conll"]


def test_an_interrupt_between_two_files_restores_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    convert(document("a", "(1)") + document("b"))
    before = found()
    monkeypatch.setattr(os, "replace", failing_at(2, os.replace, KeyboardInterrupt()))
    assert convert(document("a", "(2)") + document("b", "(2)"), status=130) == before


def failing_at(
    number: int, call: Callable[..., Any], error: BaseException | None = None, times: int = 1
) -> Callable[..., Any]:
    """Return `call`, but its n-th use raises, and so do the next ones if there are several `times`."""
    uses = 0

    def sometimes(*words: Any, **more: Any) -> Any:
        nonlocal uses
        uses += 1
        if number <= uses < number + times:
            raise error or OSError(28, "No space left on device")
        return call(*words, **more)

    return sometimes


def test_a_target_that_is_a_file_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").write_text("1", encoding="utf-8")
    assert refusal(document("d"), "out", capsys=capsys).startswith("out: ")
    assert (folder / "out").read_text("utf-8") == "1"


def test_a_folder_in_the_way_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out" / "b.json").mkdir(parents=True)
    assert "b.json: " in refusal(document("a") + document("b"), "out", capsys=capsys)
    assert os.listdir(folder / "out") == ["b.json"]


def test_json_is_not_converted(capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal('{"type": "clusters", "clusters": {}}', capsys=capsys)
    assert message.startswith("x.conll: line 1: a token outside a document")


# Warnings


def test_repeated_mentions_are_kept_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    text = document("d", "(1)|(2", "(1)|2)", "(2)|(1)", "(3)|(3)")
    clusters = convert(text)["d.json"]["clusters"]
    assert {name: sorted(ids) for name, ids in clusters.items()} == {
        "1": ["0.0-0", "0.1-1", "0.2-2"],
        "2": ["0.0-1", "0.2-2"],
        "3": ["0.3-3", "0.3-3"],
    }
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        'scorch2: warning: d: x.conll: document "d", cluster "2": mention "0.2-2" is already in cluster "1"; '
        "both are kept\n"
        'scorch2: warning: d: x.conll: mention "0.3-3" is repeated in its cluster; all are kept\n'
    )


def test_comments_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    convert(document("d", "(1)").replace("w\t", "# a\n# b\nw\t"))
    assert (
        capsys.readouterr().err
        == "scorch2: warning: d: 2 comment lines inside the document, not counted as tokens\n"
    )


@pytest.mark.parametrize("word", ["-q", "--quiet"])
def test_quiet_leaves_warnings_out(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    convert(document("d", "(1)|(2)"), word)
    assert capsys.readouterr() == ("", "")


# Scoring goes on as if nothing had happened


@pytest.mark.parametrize("case", ["c003", "c024", "c037", "c041", "c043", "c058"])
def test_converted_folders_score_like_the_files(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(CONLL / f"{case}.key"), str(CONLL / f"{case}.response")]
    for file, side in zip(files, ("gold", "sys"), strict=True):
        assert main(["conll2json", file, side]) == 0
    assert main(["-f", "json", *files]) == 0
    direct = json.loads(capsys.readouterr().out)
    assert main(["-f", "json", "gold", "sys"]) == 0
    converted = json.loads(capsys.readouterr().out)
    for key in ("scores", "counts", "signature"):
        assert converted[key] == direct[key]
    assert len(converted["documents"]) == len(direct["documents"])
