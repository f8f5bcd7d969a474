"""Files that each reader accepts, and files that it refuses: one small file per rule (`fixtures/formats`)."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from every import every
from examples import EXAMPLES, path_of

from scorch2.formats.reading import read
from scorch2.formats.table import FORMATS, TYPED, check_format, format_names
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "formats"
VALID = [path for path in sorted((FOLDER / "valid").iterdir()) if not path.name.endswith(".twin.json")]
READ = [*(path_of(form, "example") for form in FORMATS), *VALID]
ERRORS: dict[str, str] = json.loads((FOLDER / "invalid" / "expected.json").read_text("utf-8"))
CLUSTERS = '{"type": "clusters", "clusters": {"a": ["m1"]}}'
NUMBERED = {"jsonlines", "crac", "annotators", "webanno"}
"""Formats whose files list clusters without a name, or number them in each document."""
TYPES = ", ".join(format_names(lambda row: row.family == TYPED))
CONLL = "#begin document (d);\nw\t(1)\n#end document\n"


def test_every_file_has_its_expectation() -> None:
    twins = {path.name for path in (FOLDER / "valid").glob("*.twin.json")}
    assert twins == {f"{path.name}.twin.json" for path in VALID}, (
        "a file needs <file>.twin.json, and a twin its file"
    )
    refused = {path.name for path in (FOLDER / "invalid").iterdir()} - {"expected.json"}
    assert sorted(refused ^ set(ERRORS)) == [], "a file needs its message in expected.json"


@every("path", READ)
def test_valid_file_is_read_as_its_twin_says(path: Path) -> None:
    place = path.relative_to(FOLDER.parent.parent).as_posix()
    twin_path = path.with_name(f"{path.name}.twin.json")
    assert path.exists(), f"make {place}: see tests/support/examples.py"
    assert twin_path.exists(), f"make {place}.twin.json: what {place} holds, like its neighbours"
    twin = json.loads(twin_path.read_text("utf-8"))
    has_marks = FORMATS[twin["format"]].has_marks  # some of these must be named
    documents = read(str(path), twin["format"] if has_marks else None)
    told = f"{place} is read in another way than its twin says, because {twin['why']}"
    assert [plain(document) for document in documents] == twin["documents"], told
    assert {document.format for document in documents} == {twin["format"]}, told
    assert {document.path for document in documents} == {str(path)}, "a document must know its file"
    assert {document.numbered for document in documents} == {twin["format"] in NUMBERED}, told
    order = [list(expected["clusters"]) for expected in twin["documents"]]
    assert [list(document.clusters) for document in documents] == order, "clusters keep the order of the file"


def plain(document: Document) -> dict[str, Any]:
    """Return what a twin holds; the order of mentions inside a cluster means nothing."""
    clusters: dict[str, list[Any]] = {name: list(members) for name, members in document.clusters.items()}
    return {
        "id": document.id,
        "clusters": {
            name: sorted([list(m) if isinstance(m, tuple) else m for m in members])
            for name, members in clusters.items()
        },
        "sentences": None if document.sentences is None else list(document.sentences),
        "notes": [*document.notes, *document.category_notes],
    }


@every("name", ERRORS)
def test_invalid_file_is_refused_with_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / "invalid")
    with pytest.raises(InputError) as caught:
        read(name)
    why = ERRORS[name].replace("FORMATS", ", ".join(FORMATS)).replace("TYPES", TYPES)
    assert str(caught.value) == (f"{name}{why}" if why[0] == ":" else f"{name}: {why}")  # in XML, :line: why


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000], ids=["lists", "objects"])
def test_deep_nesting_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nested too deeply"):
        read(written(tmp_path / "d.json", text))


def test_deep_nesting_beside_a_repeated_key_is_refused(tmp_path: Path) -> None:
    text = '{"a": 1, "a": 2, "b": ' + "[" * 200_000 + "]" * 200_000 + "}"
    with pytest.raises(InputError):
        read(written(tmp_path / "d.json", text))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("d.conll", CLUSTERS, "clusters"),
        ("d.json", CONLL, "conll"),
        ("d", CLUSTERS, "clusters"),
        ("d.v4_gold_conll", CONLL, "conll"),
    ],
)
def test_format_is_found_by_content(name: str, text: str, expected: str, tmp_path: Path) -> None:
    (document,) = read(written(tmp_path / name, text))
    assert document.format == expected


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("d.json", "not JSON"),
        ("d.conll", "a token outside a document"),
        ("d.v4_gold_conll", "a token outside a document"),
        ("d.v4_auto_conll", "a token outside a document"),
        ("d.txt", "not a known format"),
    ],
)
def test_format_is_found_by_extension_where_content_does_not_tell(
    name: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=why):
        read(written(tmp_path / name, "word\n"))


@pytest.mark.parametrize(
    ("format", "text", "why"),
    [
        ("conll", CLUSTERS, r"line 1: a token outside a document"),
        ("clusters", CONLL, r"line 1, column 1: not JSON"),
        ("graph", CLUSTERS, r'\$\.type: is "clusters", but the format was given as graph'),
    ],
)
def test_a_given_format_is_not_second_guessed(format: str, text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=why):
        read(written(tmp_path / "d.json", text), format)


@every("format", FORMATS)
def test_a_given_format_that_fits_is_read(format: str, tmp_path: Path) -> None:
    (document,) = read(written(tmp_path / "d", EXAMPLES[format]), format)
    assert document.format == format


def test_a_new_format_of_json_leaves_rows_alone() -> None:
    """A row at the end of the table is asked first, and this name begins like JSON."""
    code = (
        "import importlib, scorch2.formats.reading as formats; from scorch2.formats import table;"
        "table.FORMATS = {**table.FORMATS, 'new': table.FORMATS['jsonlines']._replace(name='new')};"
        "importlib.reload(formats); print(formats.documents(b'[d]\\t0\\t1\\n', 'd.txt')[0].format)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "tsv\n"


def test_a_format_that_is_not_there_is_refused_with_the_nearest() -> None:
    assert [check_format(name) for name in FORMATS] == list(FORMATS)
    with pytest.raises(UsageError) as caught:
        check_format("jsonl")
    assert str(caught.value) == (
        f'unknown format "jsonl", did you mean jsonlines? (known: {", ".join(FORMATS)})'
    )


@pytest.mark.parametrize("order", [1, -1], ids=["the large cluster first", "the large cluster last"])
def test_a_cluster_grows_fast_whichever_end_of_a_link_is_new(order: int, tmp_path: Path) -> None:
    size = 40_000  # joining the large to the small cluster would take minutes
    links = [[number, number + 1][::order] for number in range(size - 1)]
    value = {"type": "graph", "mentions": list(range(size)), "links": links}
    (document,) = read(written(tmp_path / "d.json", json.dumps(value)))
    assert plain(document)["clusters"] == {"0": list(range(size))}


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", gzip.compress(CLUSTERS.encode(), mtime=0)[:-9], b"\x1f\x8b" + b"x" * 99]
)
def test_broken_gzip_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "d.json.gz").write_bytes(data)
    with pytest.raises(InputError, match=r"d\.json\.gz: broken gzip data"):
        read(str(tmp_path / "d.json.gz"))


def test_standard_input_is_read_as_utf8_whatever_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = '{"type": "clusters", "clusters": {"a": ["Zürich"]}}'.encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    (document,) = read("-")
    assert (document.id, document.clusters) == ("stdin", {"a": ["Zürich"]})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere.json", "no such file or folder"),
        (".", "is a folder, and a file is needed|Permission denied"),
    ],
)
def test_what_cannot_be_opened_is_named(name: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    with pytest.raises(InputError, match=why) as caught:
        read(name)
    assert str(caught.value).startswith(f"{name}: ")


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)
