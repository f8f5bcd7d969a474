"""From a path to text: what the operating system hands over is read whole, or refused in its own words."""

import errno
import gzip
import os
from pathlib import Path

import pytest

from scorch2.formats.reading import is_for_linking
from scorch2.formats.source import (
    decoded,
    fingerprint,
    judged,
    line_blocks,
    read_head,
    read_range,
    read_text,
    size,
)
from scorch2.model.errors import InputError


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_text(str(path))
    return caught.value.why


@pytest.mark.parametrize("data", [b"", b"a", b"a\r\n\x1ab\n", b"x" * 3_000_000], ids=len)
def test_every_byte_of_a_file_is_read(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes(data)
    assert read_text(str(tmp_path / "d")).encode() == data


@pytest.mark.parametrize("more", [b"b", b"bc", b"b" * 2_000_000], ids=len)
def test_a_file_that_grows_is_read_to_its_end(
    more: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "d"
    path.write_bytes(b"a")
    real_lseek, real_fstat = os.lseek, os.fstat

    def end_before_it_grows(handle: int, place: int, whence: int) -> int:
        found = real_lseek(handle, place, whence)
        if whence == os.SEEK_END:
            path.write_bytes(b"a" + more)
        return found

    def size_before_it_grows(handle: int) -> os.stat_result:
        found = real_fstat(handle)
        path.write_bytes(b"a" + more * 2)
        return found

    monkeypatch.setattr(os, "lseek", end_before_it_grows)
    monkeypatch.setattr(os, "fstat", size_before_it_grows)
    assert read_text(str(path)).encode() == b"a" + more * 2


def test_the_reason_is_that_of_the_operating_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert refusal(tmp_path / "file" / "below") == os.strerror(errno.ENOTDIR)


def test_a_missing_file_is_missing_in_our_words(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == "no such file or folder"
    with pytest.raises(InputError, match="no such file or folder"):
        judged(str(tmp_path / "nowhere"), len)  # type: ignore[arg-type]  # it is not called


@pytest.mark.parametrize(
    ("size", "level"), [(16_000_000, 9), (20_000_000, 0)], ids=["small and dense", "large"]
)
def test_what_may_be_a_packed_corpus_is_unpacked(size: int, level: int, tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes(gzip.compress(b" " * size, level))
    assert len(read_text(str(tmp_path / "d"))) == size


@pytest.mark.parametrize("text", [b"a\n\xff", b"\n\xff", b"a\n\0", b"\n\0"])
def test_what_is_no_text_is_named_with_its_line(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_text(str(tmp_path / "d"))
    assert caught.value.where == "line 2"


def test_files_are_closed_even_those_that_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d").write_bytes(b"a")
    opened, closed = [], []
    real_open, real_close = os.open, os.close

    def opening(path: str, flags: int) -> int:
        opened.append(real_open(path, flags))
        return opened[-1]

    def closing(handle: int) -> None:
        closed.append(handle)
        real_close(handle)

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "close", closing)
    read_text(str(tmp_path / "d"))
    assert refusal(Path(os.devnull)) == "neither a file nor a pipe"
    monkeypatch.undo()
    assert len(opened) == 2
    assert closed == opened


# Parts of files


def test_a_part_of_a_file_is_read_alone(tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes("aé\nb".encode())
    assert read_range(str(tmp_path / "d"), 1, 4) == "é\n".encode()
    assert read_head(str(tmp_path / "d")) == "aé\nb"
    assert size(str(tmp_path / "d")) == 5
    with pytest.raises(InputError, match="line 7: not UTF-8 text"):
        decoded(read_range(str(tmp_path / "d"), 2, 4), "d", 7)


def test_the_beginning_of_a_file_is_read_without_its_mark(tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes("\ufeffé".encode())
    assert read_range(str(tmp_path / "d"), 0, 5) == "é".encode()
    (tmp_path / "d").write_bytes("é".encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        read_range(str(tmp_path / "d"), 0, 4)


def test_what_is_not_there_has_no_parts(tmp_path: Path) -> None:
    missing = str(tmp_path / "no")
    assert (size(missing), size(str(tmp_path)), read_head(missing)) == (0, 0, "")
    with pytest.raises(InputError, match="no: no such file or folder"):
        read_range(missing, 0, 1)
    with pytest.raises(InputError, match="no: no such file or folder"):
        list(line_blocks(missing))


def test_what_is_made_for_linking(tmp_path: Path) -> None:
    (tmp_path / "a.x").write_text("d\t0\t1\tE\n", encoding="utf-8")
    (tmp_path / "b.x").write_text("{}", encoding="utf-8")
    assert is_for_linking(str(tmp_path / "a.x"), None)
    (tmp_path / "a.x.gz").write_bytes(gzip.compress(b"d\t0\t1\tE\n" * 9999))
    assert is_for_linking(str(tmp_path / "a.x.gz"), None)
    (tmp_path / "c.x.gz").write_bytes(b"\x1f\x8b broken")
    assert not is_for_linking(str(tmp_path / "c.x.gz"), None)
    assert not is_for_linking(str(tmp_path / "b.x"), None)
    assert is_for_linking(str(tmp_path / "b.x"), "aida")


def test_files_are_told_apart_by_content(tmp_path: Path) -> None:
    for name, text in (("a", "x"), ("b", "x"), ("c", "y")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    one, same, other = (fingerprint(str(tmp_path / name)) for name in "abc")
    assert one == same != other
    both = [str(tmp_path / name) for name in "bc"]
    (tmp_path / "empty").touch()
    assert fingerprint(*both) == fingerprint(*both, str(tmp_path / "empty")) != fingerprint(*reversed(both))
