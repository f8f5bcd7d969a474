"""Large files in pieces: the same scores and errors as for the file as a whole."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from executors import FILES, FOLDERS, Here, scored

import scorch2
from scorch2.cli.main import main
from scorch2.formats.chunks import Borders, borders

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")


def to_lines(path: str, target: Path, form: str) -> str:
    """Write a CoNLL file as jsonlines, or as those of Maverick without names and with blank lines."""
    assert main(["convert", "--to=jsonlines", path, str(target)]) == 0
    if form == "unnamed":
        lines = []
        for line in map(json.loads, target.read_text("utf-8").splitlines()):
            tokens = [token for sentence in line["sentences"] for token in sentence]
            lines.append({"tokens": tokens, "clusters_token_offsets": line["clusters"]})
        target.write_text("".join(f"{json.dumps(line)}\n\n" for line in lines), encoding="utf-8")
    return str(target)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "formats", ["conll conll", "jsonlines jsonlines", "conll jsonlines", "unnamed unnamed"]
)
def test_a_large_file_is_split_at_its_documents(formats: str, tmp_path: Path) -> None:
    pair = []
    for path, form in zip(FILES, formats.split(), strict=True):
        target = tmp_path / f"{Path(path).stem}.jsonl"
        pair.append(path if form == "conll" else to_lines(path, target, form))
    executor = Here()
    assert scored(pair[0], pair[1], executor).to_dict() == scorch2.score(pair[0], pair[1]).to_dict()
    assert [type(task).__name__ for task in executor.tasks] == ["FileChunks"] * 3


@pytest.mark.usefixtures("small_pieces")
def test_a_large_file_in_a_folder_is_split_too(tmp_path: Path) -> None:
    for path, side in zip(FILES, ("gold", "sys"), strict=True):
        (tmp_path / side).mkdir()
        shutil.copyfile(path, tmp_path / side / "all.conll")
    pair = (str(tmp_path / "gold"), str(tmp_path / "sys"))
    executor = Here()
    report = scored(*pair, executor)
    assert [document.id for document in report.documents][:1] == ["all/harbour-000"]
    assert report.to_dict() == scorch2.score(*pair).to_dict()
    assert len(executor.tasks) == 3


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("rule", ["basename", "order"])
def test_a_large_file_whose_documents_pair_by_another_rule_is_one_task(rule: Any, tmp_path: Path) -> None:
    text = Path(FILES[1]).read_text("utf-8")
    others = "".join(reversed(blocks(text))) if rule == "basename" else text.replace("harbour", "haven")
    other = tmp_path / "other.conll"
    other.write_text(others, encoding="utf-8")
    executor = Here()
    report = scored(FILES[0], str(other), executor, pair=rule)
    assert report.to_dict() == scorch2.score(FILES[0], str(other), pair=rule).to_dict()
    assert report.scores == scorch2.score(*FILES).scores
    assert len(executor.tasks) == 1


@pytest.mark.usefixtures("small_pieces")
def test_a_folder_against_a_file_is_scored_without_workers() -> None:
    executor = Here()
    report = scored(FOLDERS[0], FILES[1], executor, missing="empty", extra="skip", gold_files="*.json")
    assert executor.tasks == []
    assert len(report.documents) == 3


def blocks(text: str) -> list[str]:
    return [f"#begin{block}" for block in text.split("#begin")[1:]]


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "another order": lambda documents: documents[::-1],
    "a document less": lambda documents: documents[:2],
    "another name": lambda documents: [documents[0].replace("bridge", "fridge"), *documents[1:]],
    "a document twice": lambda documents: [documents[0], documents[0], documents[2]],
    "no end line": lambda documents: [documents[0].replace("#end document", ""), *documents[1:]],
    "an open bracket": lambda documents: [*documents[:2], documents[2].replace(")", "", 1)],
    "a comment before": lambda documents: ["# from a system\n", *documents],
    "windows lines": lambda documents: [document.replace("\n", "\r\n") for document in documents],
    "text after the last": lambda documents: [*documents, "lost\ttoken\t-\n"],
}


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("missing", ["error", "skip"])
def test_a_file_that_is_odd_is_read_as_a_whole(name: str, missing: Any, tmp_path: Path) -> None:
    """The result, scores or an error with its line, is that of one process."""
    system = tmp_path / "sys.conll"
    text = "".join(CHANGES[name](blocks(Path(FILES[1]).read_text("utf-8"))))
    system.write_bytes(text.encode("utf-8"))

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(FILES[0], system, missing=missing, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"type": "clusters", "clusters": {}}\n{}\n', b"\xef\xbb\xbf{}\n{}", b"[]"]
)
def test_what_has_no_borders_is_left_to_the_reader(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert borders(str(path), None) is None
    with pytest.raises(scorch2.InputError) as caught:
        scored(str(path), str(path), Here())
    with pytest.raises(scorch2.InputError) as alone:
        scorch2.score(path, path)
    assert str(caught.value) == str(alone.value)


@pytest.mark.usefixtures("small_pieces")
def test_a_file_of_one_document_is_called_like_the_file(tmp_path: Path) -> None:
    pair = []
    for path in FILES:
        pair.append(str(tmp_path / Path(path).name))
        Path(pair[-1]).write_text(blocks(Path(path).read_text("utf-8"))[0], encoding="utf-8")
    alone = scorch2.score(pair[0], pair[1])
    assert scored(pair[0], pair[1], Here()).to_dict() == alone.to_dict()
    assert alone.documents[0].id == "gold"


def neural(name: str, *, wrong: bool = False) -> str:
    clusters = [[[0, 0], [1, 1]], [[2, 2]]] if wrong else [[[0, 0], [1, 1], [2, 2]]]
    return json.dumps({"doc_key": name, "sentences": [["a", "b", "c"]], "clusters": clusters}) + "\n"


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["x-001", "y", "x_1"], ["x_1", "y", "x-001"]),  # each answers to the one in the other piece
        (["x-001", "y", "x_1"], ["x_1", "y", "x_1"]),
        (["x", "y"], ["x", "\ufeffy"]),
        (["x", "\u00a0\n", "y"], ["x", "y", "\u2003\n"]),
        (["x", "\u00a0\n"], ["x", "\u00a0\n"]),
    ],
    ids=["crossed", "doubled", "a mark inside", "odd blanks", "one document"],
)
def test_pieces_are_paired_as_the_whole_or_not_at_all(
    gold: list[str], system: list[str], tmp_path: Path
) -> None:
    paths = []
    for side, names in (("gold", gold), ("sys", system)):
        lines = [
            name if name.isspace() else
            name[: len(name) - len(name.lstrip("\ufeff"))]
            + neural(name.lstrip("\ufeff"), wrong=side == "sys" and i == 0)
            for i, name in enumerate(names)
        ]  # fmt: skip
        paths.append(tmp_path / f"{side}.jsonl")
        paths[-1].write_text("".join(lines), encoding="utf-8")

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(*paths, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()


@linux_only
@pytest.mark.usefixtures("small_pieces")
def test_a_pipe_is_opened_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    data = Path(FILES[1]).read_bytes()
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[data])
    writer.start()
    report = scored(FILES[0], str(tmp_path / "pipe"), Here())
    writer.join()
    assert report.scores == scorch2.score(*FILES).scores


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("form", [None, "jsonlines"])
def test_a_piece_is_checked_as_the_whole_file(form: str | None, tmp_path: Path) -> None:
    """An object with a ``type`` stands alone in its file, unless the format was given."""
    path = tmp_path / "d.jsonl"
    lines = [{"doc_key": f"d{i}", "sentences": [["w"]], "clusters": [[[0, 0]]]} for i in range(3)]
    path.write_text(
        "".join(f"{json.dumps(line)}\n" for line in [*lines, {**lines[0], "doc_key": "x", "type": "news"}])
    )

    def outcome(**how: Any) -> object:
        try:
            return scorch2.score(path, path, gold_format=form, sys_format=form, **how).to_dict()
        except scorch2.ScorchError as error:
            return type(error), str(error)

    assert outcome(executor=Here()) == outcome()
    assert isinstance(outcome(), tuple) == (form is None)


def test_borders_are_those_of_any_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FILES[0]).read_text("utf-8")
    lines = tmp_path / "lines.jsonl"
    to_lines(FILES[0], lines, "jsonlines")
    expected = {path: borders(path, None) for path in (FILES[0], str(lines))}
    starts = [text.encode().find(block.encode()) for block in blocks(text)]
    assert expected[FILES[0]] == Borders("conll", [*starts, len(text.encode())])
    monkeypatch.setattr("scorch2.formats.source._BLOCK", 7)
    assert {path: borders(path, None) for path in expected} == expected


def test_nothing_is_mapped_that_could_be_truncated() -> None:
    code = (
        "import sys, scorch2.formats.chunks as p; p.borders(sys.argv[1], None); print('mmap' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code, FILES[0]], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"
