"""Packed files: known by how they begin, read like what they hold, refused in one line if they are broken.

They are packed by the functions of the standard library, and zstd by hand.
"""

import bz2
import contextlib
import gzip
import importlib.util
import io
import lzma
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from conversion import typed
from every import every
from examples import SAME

import scorch2
from scorch2.cli.main import main
from scorch2.formats import COMPRESSED, SUFFIXES
from scorch2.formats.reading import is_for_linking, read
from scorch2.formats.recognition import recognised
from scorch2.formats.source import stem
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError
from scorch2.workers import tasks

CONLL = SAME["conll"].encode()


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return found.getvalue()


def raw_frame(data: bytes) -> bytes:
    """Return a zstd frame of blocks that are not compressed (RFC 8878)."""
    blocks = [data[i : i + 1000] for i in range(0, len(data), 1000)] or [b""]
    heads = [len(block) << 3 | (i == len(blocks) - 1) for i, block in enumerate(blocks)]
    body = b"".join(head.to_bytes(3, "little") + block for head, block in zip(heads, blocks, strict=True))
    return b"\x28\xb5\x2f\xfd" + b"\xa0" + len(data).to_bytes(4, "little") + body


PACK: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zip": lambda data: zipped({"whatever.txt": data}),
}
"""What every Python can read."""


class RawFrames:
    """Reads what `raw_frame` writes, where Python has no zstd: as the decompressor of Python 3.14 does."""

    def __init__(self) -> None:
        self.eof, self.unused_data, self._seen = False, b"", b""

    def decompress(self, data: bytes) -> bytes:
        self._seen += data
        found, place = b"", 9
        while place + 3 <= len(self._seen):
            head = int.from_bytes(self._seen[place : place + 3], "little")
            found += self._seen[place + 3 : place + 3 + (head >> 3)]
            place += 3 + (head >> 3)
            if head & 1 and place <= len(self._seen):
                self.eof, self.unused_data = True, self._seen[place:]
                return found
        return b""


@pytest.fixture
def _zstd(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("compression") is None:
        module = SimpleNamespace(ZstdDecompressor=RawFrames, ZstdError=type("ZstdError", (Exception,), {}))
        monkeypatch.setitem(sys.modules, "compression", ModuleType("compression"))
        monkeypatch.setitem(sys.modules, "compression.zstd", module)


pytestmark = pytest.mark.usefixtures("folder")


def put(path: str, data: bytes) -> str:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(data)
    return path


def refusal(path: str) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# Read


def at_once(document: Document) -> Document:
    """Return a document without its path and what is read from its lines on demand."""
    bare = document._replace(path="", tags=None, markables=None, relations=None, trees=None, against=None)
    layers = {name: at_once(layer) for name, layer in document.layers.items()}
    words = None if document.words is None else Words(list, tuple(document.words()))
    return bare._replace(words=words, layers=layers)


def beside(document: Document) -> Document:
    """Return a document read again, where it is a text with marks, as a copy of words with a bracket."""
    return at_once(document.against(document, ["["]) if document.against else document)


@every("form", SAME)
@every("kind", PACK)
def test_a_packed_file_is_read_like_what_it_holds(kind: str, form: str) -> None:
    put("plain/d", SAME[form].encode())
    plain = read("plain/d", typed(form))
    for name in ("d", f"d{COMPRESSED[kind][0]}", f"d.x{COMPRESSED[kind][0]}"):
        put(name, PACK[kind](SAME[form].encode()))
        packed = read(name, typed(form))
        assert list(map(at_once, packed)) == list(map(at_once, plain))
        assert list(map(beside, packed)) == list(map(beside, plain))
        assert [one.against is None for one in packed] == [one.against is None for one in plain]
        assert recognised(name) == recognised("plain/d")


@pytest.mark.usefixtures("_zstd")
def test_zstd_is_read_where_python_has_it() -> None:
    put("d.conll", CONLL)
    put("d.conll.zst", raw_frame(CONLL))
    assert scorch2.score("d.conll", "d.conll.zst").lea.f1 == 1
    put("d.conll.zst", raw_frame(CONLL) + b"x")
    assert refusal("d.conll.zst").endswith('other data follow, which begin with "x" (cut them off)')
    put("d.conll.zst", raw_frame(CONLL)[:-1])
    assert refusal("d.conll.zst") == "d.conll.zst: broken zstd data: the file ends too early"


def test_zstd_is_refused_where_python_lacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    put("d.conll.zst", raw_frame(CONLL))
    why = "this Python has no module for zstd data: use Python 3.14 or newer, or decompress the file first"
    assert refusal("d.conll.zst") == f"d.conll.zst: {why}"
    assert recognised("d.conll.zst") is None


@pytest.mark.parametrize("kind", ["gzip", "xz", "bzip2"])
@pytest.mark.parametrize("between", [b"", bytes(4)])
def test_streams_that_follow_each_other_are_one_file(kind: str, between: bytes) -> None:
    parts = [CONLL[:50], b"", CONLL[50:]]
    put("d", between.join(map(PACK[kind], parts)) + between)
    put("plain", CONLL)
    assert read("d")[0].clusters == read("plain")[0].clusters


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_may_be_packed_in_any_way(method: int) -> None:
    put("d.zip", zipped({"letter.conll": CONLL}, method))
    assert read("d.zip")[0].format == "conll"


def test_folders_and_hidden_files_in_a_zip_are_passed_over() -> None:
    put("d.zip", zipped({"data/": b"", "data/d.conll": CONLL, "__MACOSX/data/._d.conll": b"\0\5"}))
    assert read("d.zip")[0].format == "conll"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_suffix_is_no_part_of_a_name(suffix: str) -> None:
    assert stem(f"gold/doc1.conll{suffix}") == "doc1"
    assert stem(f"gold/doc1{suffix}") == "doc1"


def test_letters_that_could_begin_a_packed_file_are_text() -> None:
    for name in ("BZh9", "PK", "("):
        put("d.tsv", f"{name}\t0\t1\tE\n".encode())
        assert read("d.tsv")[0].id == name


# Refused


@pytest.mark.parametrize("kind", PACK)
def test_truncated_data_are_refused(kind: str) -> None:
    data = PACK[kind](CONLL)
    for length in (len(data) - 1, len(data) // 2, 40):
        put("d", data[:length])
        assert refusal("d").startswith(f"d: broken {kind} data: ")


@pytest.mark.parametrize("kind", ["gzip", "xz", "bzip2"])
@pytest.mark.parametrize(("extra", "shown"), [(b"#begin document\n", "#begin d"), (b"x\n", r"x\n")])
def test_what_follows_packed_data_is_refused(kind: str, extra: bytes, shown: str) -> None:
    for zeros in (b"", bytes(1024)):
        put("d", PACK[kind](CONLL) + zeros + extra)
        why = f'other data follow, which begin with "{shown}" (cut them off)'
        assert refusal("d") == f"d: broken {kind} data: {why}"


@pytest.mark.parametrize("kind", ["gzip", "xz", "bzip2"])
def test_a_truncated_second_stream_is_refused(kind: str) -> None:
    data = PACK[kind](CONLL)
    for length in range(1, len(data)):
        put("d", data + data[:length])
        assert refusal("d").startswith(f"d: broken {kind} data: ")


@every("kind", ["gzip", "xz", "bzip2"])
@every("before", range(1, 12))
def test_a_second_stream_may_begin_at_the_end_of_a_block(kind: str, before: int) -> None:
    first = PACK[kind](CONLL[:50])
    zeros = bytes(1024 - before - len(first) % 1024)
    put("d", first + zeros + PACK[kind](CONLL[50:]))
    put("plain", CONLL)
    assert read("d")[0].clusters == read("plain")[0].clusters


@pytest.mark.parametrize("kind", PACK)
def test_changed_bytes_are_refused_or_harmless(kind: str) -> None:
    data = PACK[kind](CONLL)
    put("plain", CONLL)
    expected = read("plain")[0].clusters
    for place in range(len(data)):
        put("d", data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        with contextlib.suppress(InputError):
            assert read("d")[0].clusters == expected
        recognised("d")


@pytest.mark.parametrize("kind", PACK)
def test_what_expands_too_much_is_refused(kind: str) -> None:
    put("d", PACK[kind](b" " * 18_000_000))
    why = "decompresses to more than 50 times its size, refused for safety (decompress it first)"
    assert refusal("d") == f"d: {why}"


def test_a_zip_whose_head_lies_about_the_size_is_refused() -> None:
    data = zipped({"d": b" " * 30_000_000})
    put("d", data.replace((30_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    assert refusal("d").startswith("d: broken zip data: ")


def test_xz_data_that_need_much_memory_are_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    put("d", lzma.compress(CONLL, filters=filters))
    assert refusal("d") == "d: broken xz data: Memory usage limit exceeded"


@pytest.mark.parametrize(
    ("files", "what"), [({}, "no file"), ({"a.conll": CONLL, "b.conll": CONLL}, "2 files: a.conll, b.conll")]
)
def test_a_zip_must_hold_one_file(files: dict[str, bytes], what: str) -> None:
    put("d.zip", zipped(files))
    assert refusal("d.zip") == f"d.zip: the zip holds {what} (it must hold one; unzip it and give the folder)"


def test_a_workbook_is_told() -> None:
    put("d.xlsx", zipped({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}))
    how = "it is a file of Office: save its table as CSV or its text as plain text"
    assert refusal("d.xlsx").endswith(f"({how})")


def test_an_encrypted_zip_is_refused() -> None:
    data = bytearray(zipped({"d": CONLL}))
    data[6] |= 1  # the flags of the file, before it and in the table at the end
    data[data.index(b"PK\1\2") + 8] |= 1
    put("d.zip", bytes(data))
    assert refusal("d.zip") == "d.zip: the zip is encrypted (decrypt it first)"


def test_a_file_in_a_zip_needs_no_name() -> None:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive, archive.open(zipfile.ZipInfo(""), "w") as file:
        file.write(CONLL)
    put("d.zip", found.getvalue())
    assert read("d.zip")[0].format == "conll"


def test_a_name_in_a_zip_cannot_act() -> None:
    put("d.zip", zipped({"a\nb": CONLL, "\x1b[31m": CONLL}))
    assert r"2 files: a\nb, \x1b[31m" in refusal("d.zip")


# Commands


@pytest.mark.parametrize("kind", PACK)
def test_commands_take_packed_files(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    suffix = COMPRESSED[kind][0]
    put("plain.conll", CONLL)
    put(f"gold/a.conll{suffix}", PACK[kind](CONLL))
    put("system/a.conll", CONLL)
    packed = f"gold/a.conll{suffix}"
    assert main(["-q", "-m", "muc", "gold", "system"]) == 0
    assert main(["validate", "gold"]) == 0
    assert main(["convert", "--to=clusters", packed, "out/"]) == 0
    assert main(["convert", "--to=clusters", "plain.conll", "expected/"]) == 0
    assert [path.read_bytes() for path in Path("out").iterdir()] == [
        path.read_bytes() for path in Path("expected").iterdir()
    ]
    capsys.readouterr()
    assert main(["conll", "muc", "plain.conll", "plain.conll"]) == 0
    expected = capsys.readouterr().out
    assert main(["conll", "muc", packed, packed]) == 0
    assert capsys.readouterr().out == expected
    assert main(["-f", "text", "plain.conll", "plain.conll", packed]) == 2  # no report replaces a document
    assert "looks like conll, not like a report" in capsys.readouterr().err


@pytest.mark.parametrize("kind", PACK)
def test_workers_take_packed_files(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LARGE", 1)
    put("d", PACK[kind](CONLL))
    assert scorch2.score("d", "d", jobs=2) == scorch2.score("d", "d")


@pytest.mark.parametrize("kind", PACK)
def test_a_packed_stream_is_read_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = PACK[kind](b"d\t0\t1\tE\n" * 9999)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert is_for_linking("-", None)
    assert len(read("-")[0].annotations) == 9999


@pytest.mark.parametrize("kind", PACK)
def test_convert_packs_what_is_called_so(kind: str) -> None:
    target = f"out.jsonl{COMPRESSED[kind][0]}"
    put("in.conll", CONLL)
    assert main(["convert", "--to=jsonlines", "in.conll", target]) == 0
    data = Path(target).read_bytes()
    unpack: Mapping[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.decompress,
        "xz": lzma.decompress,
        "bzip2": bz2.decompress,
        "zip": lambda data: zipfile.ZipFile(io.BytesIO(data)).read("out.jsonl"),
    }
    assert unpack[kind](data).decode() == SAME["jsonlines"]
    os.utime("in.conll", (0, 0))
    assert main(["convert", "--to=jsonlines", "in.conll", target]) == 0
    assert Path(target).read_bytes() == data  # no time in it


def test_convert_says_what_python_lacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    put("in.conll", CONLL)
    assert main(["convert", "--to=jsonlines", "in.conll", "out.zst"]) == 2
    why = "this Python has no module for zstd data: use Python 3.14 or newer"
    assert capsys.readouterr().err == f"scorch2: error: out.zst: {why}\n"
    assert not Path("out.zst").exists()
